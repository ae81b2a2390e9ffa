//! `pchr`: the commands around characters that need no renderer.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::convert::{self, ConvertArgs};
use super::failure::Failure;
use super::inspect::{self, InspectArgs};
use super::pack::{self, PackArgs};
use super::unpack::{self, UnpackArgs};
use super::validate::{self, ValidateArgs};
use super::view::{When, finish, set_color, told};

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
    /// Tell what is in characters
    Inspect(InspectArgs),
    /// Make a PCHR v1 file of a JSON description and its images
    Pack(PackArgs),
    /// Make a JSON description and images of a PCHR v1 file
    Unpack(UnpackArgs),
    /// Turn a character of one kind into another
    Convert(ConvertArgs),
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
        Command::Inspect(args) => inspect::run(args),
        Command::Pack(args) => pack::run(args),
        Command::Unpack(args) => unpack::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Validate(args) => validate::run(args),
    }
}
