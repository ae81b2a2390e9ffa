//! `pchr mcp`: the commands as tools of the Model Context Protocol, on stdin and stdout.
//!
//! A tool is a command line that is run in this process: its answer is the JSON document that the command prints.

mod advice;
mod answer;
mod call;
mod catalogue;
mod lines;
mod param;
mod places;
mod scratch;
mod server;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::sync::Notify;

use super::shared::failure::Failure;
use super::shared::{parse, read_args};
use pchr::Error;
use pchr::export::abandon_all;

use lines::Lines;
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
    /// List the schemas of the answers with the tools: 73 KB, which a client may pass to its model
    #[arg(long)]
    output_schemas: bool,
    /// Cancel calls that take longer, waiting for others included; 0: never
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    timeout: u64,
    /// Set a limit for each step of a call: file-bytes, pixels, records, json-depth, memory-bytes or work; VALUE may end in
    /// k, M or G
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = parse::limit)]
    limits: Vec<(String, u64)>,
}

const HELP: &str = "\
Tools: inspect, validate, render, contact_sheet, diff, convert, poses, keys, test. Each answers with the
JSON document that the command prints with --json; pictures are PNGs. Symbolic links are resolved
before a path is compared with the roots. Four calls run at the same time and 16 wait. The end of
stdin cancels all calls and ends the server.

Example, as the command of a server in the settings of a client:
  pchr mcp ~/game/art --out ~/game/build

Exit codes: 0 the client has ended the connection, 2 usage, 3 a root does not exist, 5 output";

/// After the end of stdin, calls that end within this time are answered, and the others are cancelled.
const GRACE: Duration = Duration::from_millis(400);
/// After this time, the server ends although a cancelled call still runs.
const PATIENCE: Duration = Duration::from_millis(400);

/// Serves until the client closes stdin.
pub fn run(args: &McpArgs) -> Result<(), Failure> {
    let places = Arc::new(Places::new(&args.roots, args.out.as_deref())?);
    let timeout = Duration::from_secs(if args.timeout > 0 { args.timeout } else { u64::MAX });
    let limits = read_args::limits(&args.limits);
    let server = Server::new(Arc::clone(&places), limits, timeout, args.output_schemas);
    // Calls have their own threads.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(failed)?;
    let served = runtime.block_on(serve(server));
    // Cancels the calls.
    runtime.shutdown_timeout(PATIENCE);
    abandon_all();
    places.remove_scratch();
    served
}

async fn serve(server: Server) -> Result<(), Failure> {
    let ended = Arc::new(Notify::new());
    let lines = Lines::start(Arc::clone(&ended)).map_err(failed)?;
    let served = async {
        match server.serve(lines).await {
            Ok(running) => running.waiting().await.map(drop).map_err(|error| failed(std::io::Error::other(error))),
            // The client has left before it has said anything.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(failed(std::io::Error::other(error))),
        }
    };
    let grace = async {
        ended.notified().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        served = served => served,
        () = grace => Ok(()),
    }
}

fn failed(error: std::io::Error) -> Failure {
    Failure::Output(Error::io("stdout", error))
}
