//! `pchr man` and `pchr-view --man`: manual pages in roff, generated from the `--help` texts.

use std::io;

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::shared::choose;
use super::shared::failure::Failure;
use super::shared::stdio::print_with;
use pchr::Error;

/// Arguments of `pchr man`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct ManArgs {
    /// Command to document [default: the program itself]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

const HELP: &str = "\
Examples:
  pchr man diff | man -l -
  pchr man > ~/.local/share/man/man1/pchr.1

For the viewer: pchr-view --man";

/// Prints the manual page of `pchr` or of one of its commands.
pub fn run(args: &ManArgs, program: Command) -> Result<(), Failure> {
    // The pages contain everything that `pchr help` prints.
    let mut program = program.disable_help_subcommand(true);
    // Gives every command its full name and the global options.
    program.build();
    match &args.command {
        None => print(program),
        Some(name) => match program.find_subcommand(name) {
            Some(command) => print(command.clone()),
            None => Err(choose::unknown("command", name, program.get_subcommands().map(Command::get_name))),
        },
    }
}

/// Prints the manual page of a command.
pub fn print(command: Command) -> Result<(), Failure> {
    let mut text = Vec::new();
    write(command, &mut text).map_err(|error| Failure::Output(Error::io("stdout", error)))?;
    print_with(|stdout| stdout.write_all(&text))
}

fn write(command: Command, out: &mut Vec<u8>) -> io::Result<()> {
    let (version, after) = (env!("CARGO_PKG_VERSION"), command.get_after_help().map(ToString::to_string));
    let has_commands = command.has_subcommands();
    let man = Man::new(command).source(format!("pchr {version}"));
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if has_commands {
        man.render_subcommands_section(out)?;
    }
    after.unwrap_or_default().split("\n\n").try_for_each(|part| write_part(part, out))
}

/// Writes a paragraph that follows the options as a section of its own; its title ends at the first colon.
fn write_part(part: &str, out: &mut Vec<u8>) -> io::Result<()> {
    let Some((title, text)) = part.split_once(':') else { return Ok(()) };
    let mut roff = Roff::new();
    roff.control("SH", [title.to_uppercase().as_str()]);
    let is_verbatim = text.starts_with('\n');
    // Keep the line breaks of indented lines.
    if is_verbatim {
        roff.control("nf", []);
    }
    let lines = text.trim_matches('\n').lines().map(|line| line.strip_prefix("  ").unwrap_or(line));
    lines.for_each(|line| {
        roff.text([roman(if is_verbatim { line } else { line.trim() })]);
    });
    if is_verbatim {
        roff.control("fi", []);
    }
    roff.to_writer(out)
}
