//! `pchr mcp`: the commands as tools of the Model Context Protocol, on stdin and stdout.
//!
//! A tool is a command line that is run in this process: its answer is the JSON document that the command prints.

mod answer;
mod call;
mod catalogue;
mod param;
mod places;
mod server;

use std::path::PathBuf;

use rmcp::ServiceExt;

use super::shared::failure::Failure;
use crate::Error;

use places::Places;
use server::Server;

/// Arguments of `pchr mcp`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct McpArgs {
    /// Folders that tools may read; relative paths are relative to the first one
    #[arg(value_name = "ROOT", required = true)]
    roots: Vec<PathBuf>,
    /// Folder that tools may write to [default: tools that write files are refused]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const HELP: &str = "\
Tools: inspect, validate, render, contact_sheet, diff, convert, poses, test. Each answers with the
JSON document that the command prints with --json; pictures are PNGs. Symbolic links are resolved
before a path is compared with the roots.

Example, as the command of a server in the settings of a client:
  pchr mcp ~/game/art --out ~/game/build

Exit codes: 0 the client has ended the connection, 2 usage, 3 a root does not exist, 5 output";

/// Serves until the client closes stdin.
pub fn run(args: &McpArgs) -> Result<(), Failure> {
    let places = Places::new(&args.roots, args.out.as_deref())?;
    let failed = |error: std::io::Error| Failure::Output(Error::io("stdout", error));
    // Requests wait for one thread, which is enough for one client; drawing uses all cores by itself.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(failed)?;
    runtime.block_on(async {
        let running = match Server::new(places).serve((tokio::io::stdin(), tokio::io::stdout())).await {
            Ok(running) => running,
            // The client has left before it has said anything.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(failed(std::io::Error::other(error))),
        };
        running.waiting().await.map(|_| ()).map_err(|error| failed(std::io::Error::other(error)))
    })
}
