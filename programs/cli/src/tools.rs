//! `pchr`: the commands that do not render, one module per command.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use super::completions::{self, CompletionsArgs};
use super::convert::{self, ConvertArgs};
use super::diff::{self, DiffArgs};
use super::inspect::{self, InspectArgs};
use super::keys::{self, KeysArgs};
use super::man::{self, ManArgs};
#[cfg(feature = "mcp")]
use super::mcp::{self, McpArgs};
use super::pack::{self, PackArgs};
use super::poses::{self, PosesArgs};
use super::published::PUBLISHED;
use super::schema::{self, SchemaArgs};
use super::shared::failure::Failure;
use super::shared::interrupt;
#[cfg(feature = "mcp")]
use super::shared::program::clap_failure;
use super::shared::program::{When, finish, report_clap};
use super::test::{self, TestArgs};
use super::unpack::{self, UnpackArgs};
use super::validate::{self, ValidateArgs};

/// Inspect, validate, compare, pack and convert 2D skeletal characters.
#[derive(Debug, Parser)]
#[command(name = "pchr", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct PchrArgs {
    #[command(subcommand)]
    command: Command,
    /// Print only errors
    #[arg(short, long, global = true)]
    quiet: bool,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    color: When,
}

const EXAMPLES: &str = "\
Examples:
  pchr inspect knight.pchr
  pchr inspect 'art/**/*.json'
  pchr validate assets --deny warnings
  pchr unpack knight.pchr -o unpacked
  pchr pack unpacked/knight.json -o knight.pchr
  pchr convert hero.json -o hero.pchr
  pchr convert art -o 'out/{path}.pchr' --keep-going
  pchr diff old.pchr new.pchr
  pchr diff old.pchr new.pchr --json --epsilon 0.01
  pchr diff release/art art
  pchr poses knight.pchr -a walk --bones 'hand*' --json
  pchr keys hero.json -a walk --bone 'hand*'
  pchr test art --update
  pchr test art --html-report report
  pchr schema pchr.diff/1 > diff.schema.json
  pchr man diff | man -l -

Exit codes: 0 success, same or valid, 1 different or invalid, 2 usage, 3 input, 5 output, 70 bug, 130 interrupted";

#[derive(Debug, Subcommand)]
enum Command {
    /// Describe the contents of characters
    Inspect(InspectArgs),
    /// Build PCHR v1 files from JSON descriptions and their images
    Pack(PackArgs),
    /// Extract the JSON descriptions and the images of PCHR v1 files
    Unpack(UnpackArgs),
    /// Convert characters to another format
    Convert(ConvertArgs),
    /// Report errors and questionable data in characters
    Validate(ValidateArgs),
    /// Compare characters by content, not byte by byte
    Diff(DiffArgs),
    /// Print poses as data: bones, slots, hit boxes and events
    Poses(PosesArgs),
    /// Print the keys of animations as the file states them, with their places
    Keys(KeysArgs),
    /// Render the characters in a folder and compare the pictures with references
    Test(TestArgs),
    /// Serve the commands as tools of the Model Context Protocol, on stdin and stdout
    #[cfg(feature = "mcp")]
    Mcp(McpArgs),
    /// Print a JSON Schema for the --json output, or list all schemas
    Schema(SchemaArgs),
    /// Print a shell completion script
    Completions(CompletionsArgs),
    /// Print the manual page of the program or a command
    Man(ManArgs),
}

/// Runs `pchr` with its arguments; the first is the program's name.
pub fn pchr(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = args.into_iter().collect();
    let args = match PchrArgs::try_parse_from(&words) {
        Ok(args) => args,
        // Help and version are not errors and go to stdout.
        Err(error) => return report_clap(&error, &words),
    };
    interrupt::watch(interrupt::exit);
    finish(args.color, args.command.wants_json(), || run(args))
}

impl Command {
    /// Returns true if errors are also printed to stdout as JSON.
    fn wants_json(&self) -> bool {
        match self {
            Self::Inspect(inspect) => inspect.json,
            Self::Validate(validate) => validate.wants_json(),
            Self::Diff(diff) => diff.json,
            Self::Poses(poses) => poses.json,
            Self::Keys(keys) => keys.json,
            Self::Test(test) => test.wants_json(),
            Self::Pack(pack) => pack.write.json,
            Self::Unpack(unpack) => unpack.write.json,
            Self::Convert(convert) => convert.write.json,
            #[cfg(feature = "mcp")]
            Self::Mcp(_) => false,
            Self::Schema(_) | Self::Completions(_) | Self::Man(_) => false,
        }
    }
}

/// Runs `pchr` with its arguments as part of another command.
#[cfg(feature = "mcp")]
pub fn run_words(words: &[OsString]) -> Result<(), Failure> {
    run(PchrArgs::try_parse_from(words).map_err(|error| clap_failure(&error))?)
}

fn run(args: PchrArgs) -> Result<(), Failure> {
    match &args.command {
        Command::Inspect(inspect) => inspect::run(inspect, args.quiet),
        Command::Pack(pack) => pack::run(pack, args.quiet),
        Command::Unpack(unpack) => unpack::run(unpack, args.quiet),
        Command::Convert(convert) => convert::run(convert, args.quiet),
        Command::Validate(validate) => validate::run(validate, args.quiet),
        Command::Diff(diff) => diff::run(diff, args.quiet),
        Command::Poses(poses) => poses::run(poses, args.quiet),
        Command::Keys(keys) => keys::run(keys, args.quiet),
        Command::Test(test) => test::run(test, args.quiet),
        #[cfg(feature = "mcp")]
        Command::Mcp(mcp) => mcp::run(mcp),
        Command::Schema(schema) => schema::run(schema, PUBLISHED),
        Command::Completions(completions) => completions::print(completions.shell, PchrArgs::command()),
        Command::Man(man) => man::run(man, PchrArgs::command()),
    }
}
