//! `pchr-view --config FILE`: options from a file, for runs without a window.

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use super::args::ViewArgs;
use crate::cli::shared::config::{ConfigFile, Options, PathKind, Rules, message};
use crate::cli::shared::failure::Failure;
use crate::cli::shared::stdio::is_stdio;

/// What a file may contain: every option, except those that print something else and exit.
const RULES: Rules<'_> = Rules {
    refused: &["config", "completions", "man", "help", "version", "list-adapters", "list-bindings"],
    paths: &[
        ("files", PathKind::Pattern),
        ("atlas", PathKind::Plain),
        ("output", PathKind::Template),
        ("reference", PathKind::Template),
        ("diff", PathKind::Template),
        ("html-report", PathKind::Plain),
    ],
};

/// Returns the options of `--config` merged with the options of the command line `words`, which take precedence.
/// Returns `None` if no file is to be read.
pub fn with_file(
    args: &ViewArgs,
    given: &ArgMatches,
    words: &[OsString],
) -> Result<Option<(ViewArgs, ArgMatches)>, Failure> {
    let only_prints = args.completions.is_some() || args.man || args.window.list_bindings || args.list_adapters;
    let Some(path) = args.config.as_ref().filter(|_| !only_prints) else { return Ok(None) };
    if is_stdio(path) {
        return Err(Failure::usage("--config cannot be read from standard input"));
    }
    let file = ConfigFile::read(path)?;
    let command = ViewArgs::command();
    let is_given = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
    let options = Options::of(&file, &file.table()?, &command, &RULES)?.without(&command, is_given);
    let (program, others) = words.split_at(words.len().min(1));
    let all = program.iter().cloned().chain(options.into_words()).chain(others.iter().cloned());
    let invalid = |error: clap::Error| Failure::usage(message(&error));
    let given = command.try_get_matches_from(all).map_err(invalid)?;
    let args = ViewArgs::from_arg_matches(&given).map_err(invalid)?;
    Ok(Some((args, given)))
}
