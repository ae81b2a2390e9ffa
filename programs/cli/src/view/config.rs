//! `pchr-view --config FILE`, for runs without a window, and `--scene FILE`: options from a file.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser};

use super::args::ViewArgs;
use super::{stage, usage};
use crate::shared::config::{ConfigFile, Options, PathKind, Rules, message};
use crate::shared::failure::Failure;
use crate::shared::stdio::is_stdio;
use pchr::export::{Look, Subject};
use pchr::{Character, Error};

/// What a file may contain: every option, except those that print something else and exit.
const RULES: Rules<'_> = Rules {
    refused: &["config", "completions", "man", "help", "version", "list-adapters", "list-bindings"],
    paths: &[
        ("files", PathKind::Pattern),
        ("atlas", PathKind::Plain),
        ("scene", PathKind::Plain),
        ("output", PathKind::Template),
        ("reference", PathKind::Template),
        ("diff", PathKind::Template),
        ("html-report", PathKind::Plain),
    ],
};

/// The arguments of a run, as given and merged with files.
pub type Merged = (ViewArgs, ArgMatches);

/// Returns the options of `--config` and of `--scene` merged with the options of the command line `words`, which take
/// precedence, as those of `--config` do over those of `--scene`. Returns `None` if no file is to be read.
pub fn with_files(args: &ViewArgs, given: &ArgMatches, words: &[OsString]) -> Result<Option<Merged>, Failure> {
    if args.completions.is_some() || args.man || args.window.list_bindings || args.list_adapters {
        return Ok(None);
    }
    let command = ViewArgs::command();
    let mut words = words.to_vec();
    let mut merged = None;
    if let Some(path) = &args.config {
        let file = read(path, "--config")?;
        let options = Options::of(&file, &file.table()?, &command, &RULES)?;
        merged = Some(merge(&command, given, &mut words, options)?);
    }
    let (args, given) = merged.as_ref().map_or((args, given), |(args, given)| (args, given));
    let Some(path) = &args.scene else { return Ok(merged) };
    let file = read(path, "--scene")?;
    let others = other_keys(&command);
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    let mut table = file.table()?;
    let characters = stage::of_scene(&file, &mut table)?;
    let options = Options::of(&file, &table, &command, &Rules { refused: &others, ..RULES })?;
    drop(table);
    let placed = options.placed_words().map(|(word, span)| (word.clone(), span)).collect();
    let (mut args, given) = merge(&command, given, &mut words, options)?;
    if !characters.is_empty() {
        if !args.subject.files.is_empty() {
            let message = "the scene has its own characters, so no file can be given";
            return Err(Failure::usage_with_help(message, "omit the files, or add them to the scene"));
        }
        if let Some((_, name)) = stage::OF_EACH.into_iter().find(|(id, _)| usage::is_given(&given, id)) {
            let help = format!("set `{name}` in its table");
            return Err(Failure::usage_with_help(format!("--{name} has no effect on [[character]]"), help));
        }
        args.subject.stage = characters;
    }
    args.scene_names = Some(Arc::new(SceneNames { file, words: placed }));
    Ok(Some((args, given)))
}

fn read(path: &Path, option: &str) -> Result<ConfigFile, Failure> {
    if is_stdio(path) {
        return Err(Failure::usage(format!("{option} cannot be read from standard input")));
    }
    ConfigFile::read(path)
}

/// Adds the options of a file that `given` does not have to `words`, and parses them.
fn merge(
    command: &Command,
    given: &ArgMatches,
    words: &mut Vec<OsString>,
    options: Options,
) -> Result<Merged, Failure> {
    let is_given = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
    let options = options.without(command, is_given);
    let program = words.len().min(1);
    words.splice(program..program, options.into_words());
    let invalid = |error: clap::Error| Failure::usage(message(&error));
    let given = command.clone().try_get_matches_from(&*words).map_err(invalid)?;
    let args = ViewArgs::from_arg_matches(&given).map_err(invalid)?;
    Ok((args, given))
}

/// Returns the keys that a scene does not have: whatever does not say what is shown, and how it looks.
fn other_keys(command: &Command) -> Vec<String> {
    let scene = Look::augment_args(Subject::augment_args(Command::new("")));
    let is_other = |name: &&str| scene.get_arguments().all(|arg| arg.get_long() != Some(name));
    let names = command.get_arguments().filter_map(|arg| arg.get_long()).filter(is_other);
    names.map(str::to_owned).collect()
}

/// What a scene names in the character: some of its options.
#[derive(Debug)]
pub struct SceneNames {
    file: ConfigFile,
    /// Arguments with their places in the text.
    words: Vec<(OsString, std::ops::Range<usize>)>,
}

impl SceneNames {
    /// Fails with the place in the file if `character` does not have something that is named there.
    pub fn check(&self, character: &Character) -> Result<(), Failure> {
        for (word, span) in &self.words {
            let parsed = ViewArgs::try_parse_from([OsString::from("pchr-view"), word.clone()]);
            let Ok(args) = parsed else { continue };
            let unknown = |error: Error| self.file.error(span.clone(), error.to_string());
            args.subject.check_names(character).map_err(unknown)?;
        }
        Ok(())
    }
}
