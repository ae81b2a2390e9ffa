//! `pchr`: the commands around characters that need no renderer.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::failure::Failure;
use super::inspect;
use super::validate::{self, ValidateArgs};
use super::view::{ReadArgs, When, finish, set_color, told};

/// Look into 2D skeletal characters.
#[derive(Debug, Parser)]
#[command(name = "pchr", version, max_term_width = 100)]
struct PchrArgs {
    #[command(subcommand)]
    command: Command,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    color: When,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check characters and tell what is in them
    Inspect {
        /// Characters; `-` is standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        read: ReadArgs,
    },
    /// Find everything that is wrong with characters or odd about them
    Validate(ValidateArgs),
}

/// Runs `pchr` with its arguments, the program's name first.
pub fn pchr(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match PchrArgs::try_parse_from(args) {
        Ok(args) => args,
        // Help and version are no errors and go to stdout.
        Err(error) => return told(&error),
    };
    set_color(args.color);
    finish(|| run(&args.command))
}

fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Inspect { files, read } => inspect::run(files, &read.options()),
        Command::Validate(args) => validate::run(args),
    }
}
