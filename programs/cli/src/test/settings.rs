//! `pchr-test.toml`: what to render. Its keys are long options of `pchr-view`, at the top level and in `[[render]]`
//! tables, which override them.

use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory, FromArgMatches, Parser, ValueEnum};
use toml::de::{DeTable, DeValue};

use super::pattern::Pattern;
use super::samples;
use crate::golden::args::AllowanceArgs;
use crate::shared::config::{ConfigFile, Options, PathKind, Rules, message};
use crate::shared::failure::Failure;
use crate::shared::keep_going::KeepGoingArgs;
use crate::shared::parse;
use crate::shared::read_args::{ReadArgs, limits};
use pchr::Error;
use pchr::error::{Place, escaped};
use pchr::export::{Backend, LIMITED, Look, Output, RenderOptions, Subject, safe_name};
use pchr::formats::ReadOptions;
use pchr::golden::Allowance;
use pchr::limits::Limits;

/// Name of the settings in the tested folder.
pub const FILE: &str = "pchr-test.toml";

/// Selects all animations.
const EVERYTHING: &str = "all";

/// What is rendered unless the file says otherwise.
const DEFAULTS: &str = "animation = 'all'\nsamples = 3\nsize = 256";

/// Returns the options that the suite sets itself, and those without effect on PNGs that the CPU renderer draws.
fn refused() -> Vec<&'static str> {
    let mut stills = RenderOptions::default();
    stills.look.backend = Backend::Cpu;
    let useless = LIMITED.iter().filter(|option| (option.no_effect)(&stills).is_some());
    let known = command();
    let is_known = |name: &&str| known.get_arguments().any(|arg| arg.get_long() == Some(name));
    useless.map(|option| option.name).filter(is_known).chain(["backend"]).collect()
}

/// The keys of the file.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct EntryArgs {
    #[command(flatten)]
    subject: Subject,
    /// Number of frames per animation, from the first to the last.
    #[arg(long, value_parser = samples::parse, conflicts_with_all = ["frames", "time"])]
    samples: Option<u32>,
    /// Distinguishes the references of several tables.
    #[arg(long, value_parser = entry_name)]
    name: Option<String>,
    /// Whether the structure is compared.
    #[arg(long, default_value = "on")]
    structure: StructureArg,
    #[arg(long, value_parser = parse::fps)]
    fps: Option<f64>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    look: Look,
    #[command(flatten)]
    allowance: AllowanceArgs,
}

/// How a set of characters is rendered.
#[derive(Debug)]
pub struct Entry {
    /// Distinguishes the references of several entries.
    pub name: Option<String>,
    /// The options, without files.
    pub options: RenderOptions,
    /// Number of frames per animation, unless the options select frames or a time.
    pub samples: Option<u32>,
    /// Whether the structure is compared.
    pub structure: StructureArg,
    /// How much pictures may differ.
    pub allowance: Allowance,
    /// Where it is in the settings.
    place: Place,
    /// Paths of characters relative to the folder; all characters if empty.
    pub patterns: Vec<Pattern>,
}

/// Whether the structure is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StructureArg {
    /// Compared
    On,
    /// Not compared
    Off,
}

/// What the command line says about reading characters.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Reading")]
pub struct Given {
    /// Atlas of a Spine character, repeatable, or image of a sprite sheet; instead of `atlas` in the settings
    #[arg(long = "atlas", value_name = "FILE", conflicts_with = "merge")]
    pub atlases: Vec<PathBuf>,
    /// Set a limit: file-bytes, pixels, records, json-depth, memory-bytes or work; VALUE may end in k, M or G. Settings can
    /// only lower limits
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = parse::limit)]
    pub limits: Vec<(String, u64)>,
    /// What happens to characters with errors.
    #[command(flatten)]
    pub errors: KeepGoingArgs,
}

impl Given {
    /// The limits that settings may lower.
    pub fn limits(&self) -> Limits {
        limits(&self.limits)
    }
}

/// The settings of a folder.
pub struct Settings {
    /// How characters are rendered.
    pub entries: Vec<Entry>,
    /// How characters are rendered that no entry suits.
    pub fallback: Entry,
    /// Paths of characters, or of folders, that are not tested.
    pub exclude: Vec<Pattern>,
}

/// Reads the settings of a folder. `jobs` is the number of pictures rendered in parallel.
pub fn read(dir: &Path, given: &Given, jobs: usize) -> Result<Settings, Failure> {
    let path = dir.join(FILE);
    let (command, refused) = (command(), refused());
    let rules = &Rules { refused: &refused, paths: &[("atlas", PathKind::Plain)] };
    let built_in = ConfigFile::built_in(DEFAULTS);
    let defaults = Options::of(&built_in, &built_in.table()?, &command, rules)?;
    let is_missing = path.symlink_metadata().is_err();
    let file = if is_missing { ConfigFile::built_in("") } else { ConfigFile::read(&path)? };
    let mut table = file.table()?;
    let renders = take_renders(&file, &mut table)?;
    let exclude = take_excluded(&file, &mut table)?;
    let options = defaults.overridden_by(Options::of(&file, &table, &command, rules)?, &command);
    let new = |start, options| Entry::new(&file, start, options, &command, given, jobs);
    // It suits every character.
    let mut fallback = Entry { patterns: Vec::new(), ..new(0, options.clone())? };
    fallback.options.subject.animations = vec![EVERYTHING.to_owned()];
    fallback.options.subject.skins = Vec::new();
    let entry = |(start, table): &(usize, DeTable<'_>)| {
        let own = Options::of(&file, table, &command, rules)?;
        new(*start, options.clone().overridden_by(own, &command))
    };
    Ok(Settings { entries: renders.iter().map(entry).collect::<Result<_, _>>()?, fallback, exclude })
}

/// Removes `exclude` from the file's table, and returns its patterns.
fn take_excluded(file: &ConfigFile, table: &mut DeTable<'_>) -> Result<Vec<Pattern>, Failure> {
    let Some(exclude) = table.remove("exclude") else { return Ok(Vec::new()) };
    let span = exclude.span();
    let items = match exclude.into_inner() {
        DeValue::Array(items) => items,
        item => [toml::Spanned::new(span, item)].into_iter().collect(),
    };
    let text = |item: toml::Spanned<DeValue<'_>>| match item.get_ref() {
        DeValue::String(text) => pattern(file, item.span(), "exclude", text),
        _ => Err(file.error(item.span(), "`exclude`: expected a path or pattern, or a list of them")),
    };
    items.into_iter().map(text).collect()
}

/// Parses a pattern for paths of characters.
fn pattern(file: &ConfigFile, span: Range<usize>, key: &str, text: &str) -> Result<Pattern, Failure> {
    let parsed = Pattern::parse(text.strip_prefix("./").unwrap_or(text));
    parsed.map_err(|message| file.error(span, format!("`{key}`: {message}")))
}

/// Removes the `[[render]]` tables from the file's table, and returns them with their positions in the text. Without any,
/// returns one empty table.
fn take_renders<'a>(file: &ConfigFile, table: &mut DeTable<'a>) -> Result<Vec<(usize, DeTable<'a>)>, Failure> {
    let Some(renders) = table.remove("render") else { return Ok(vec![(0, DeTable::new())]) };
    let refused = |span| file.error(span, "`render`: expected tables, each below a line [[render]]");
    let span = renders.span();
    let items = match renders.into_inner() {
        DeValue::Array(items) if !items.is_empty() => items,
        _ => return Err(refused(span)),
    };
    let table = |item: toml::Spanned<DeValue<'a>>| match (item.span(), item.into_inner()) {
        (span, DeValue::Table(table)) => Ok((span.start, table)),
        (span, _) => Err(refused(span)),
    };
    items.into_iter().map(table).collect()
}

fn command() -> Command {
    // Scaling has no effect on a picture of a given size.
    EntryArgs::command().mut_arg("scale", |scale| scale.conflicts_with("size"))
}

/// Parses the name of an entry, which becomes part of a path.
fn entry_name(text: &str) -> Result<String, String> {
    if text.len() <= 100 && safe_name(text) == text && !text.contains(['@', '/']) {
        return Ok(text.to_owned());
    }
    Err("expected up to 100 characters that are valid in a file name, without @".to_owned())
}

/// Returns `limits`, lowered to `stated` ones. The settings of a folder that somebody else made must not allow more.
fn lowered(mut limits: Limits, stated: &[(String, u64)]) -> Result<Limits, String> {
    for (name, value) in stated {
        let allowed = limits.get(name).unwrap_or_default();
        if *value > allowed {
            return Err(format!(
                "`limit`: {name}={value} is more than {allowed}; settings only lower limits, `--limit` raises them"
            ));
        }
        limits.set(name, *value);
    }
    Ok(limits)
}

impl Entry {
    /// `start` is the position of the table in the text.
    fn new(
        file: &ConfigFile,
        start: usize,
        options: Options,
        command: &Command,
        given: &Given,
        jobs: usize,
    ) -> Result<Self, Failure> {
        let at = |id: &str| options.span(id).unwrap_or(start..start);
        let [files, atlases, limits] = ["files", "atlases", "limits"].map(at);
        let matches = command.clone().try_get_matches_from(options.into_words());
        let args = matches.and_then(|matches| EntryArgs::from_arg_matches(&matches));
        let args = args.map_err(|error| file.error(start..start, message(&error)))?;
        let EntryArgs { mut subject, samples, name, structure, fps, read, mut look, allowance } = args;
        let patterns = std::mem::take(&mut subject.files).into_iter();
        let patterns = patterns.map(|text| pattern(file, files.clone(), "files", &text.to_string_lossy()));
        let patterns = patterns.collect::<Result<_, _>>()?;
        look.backend = Backend::Cpu;
        let is_outside = |path: &&PathBuf| !file.contains(path);
        if let Some(atlas) = read.atlases.iter().find(is_outside) {
            let message = "atlases are in the folder of this file or below; `--atlas` names others";
            return Err(file.error(atlases, format!("`atlas`: `{}`: {message}", atlas.display())));
        }
        let lowered = lowered(given.limits(), &read.limits).map_err(|message| file.error(limits, message))?;
        let mut read = ReadOptions { fps, limits: lowered, ..read.options() };
        if !given.atlases.is_empty() {
            read.atlases.clone_from(&given.atlases);
        }
        // New pictures in the folder of results replace earlier ones.
        let output = Output { force: true, jobs, ..Output::default() };
        let options = RenderOptions { subject, read, look, output };
        let place = file.place(start);
        Ok(Self { name, options, samples, structure, allowance: allowance.allowance(), place, patterns })
    }

    /// Returns the error for an entry that suits no character.
    pub fn unused(&self) -> Failure {
        let list = |names: &[String]| {
            names.iter().map(|name| format!("`{}`", escaped(name))).collect::<Vec<_>>().join(", ")
        };
        let Subject { animations, skins, .. } = &self.options.subject;
        let what = match (animations.is_empty(), skins.is_empty()) {
            (false, true) => format!("any of the animations {}", list(animations)),
            (true, _) => format!("the skins {}", list(skins)),
            (false, false) => format!("the skins {} and any of the animations {}", list(skins), list(animations)),
        };
        let message = format!("no character has {what}");
        Failure::Input(Error::malformed("no-such-character", self.place.clone(), message))
    }

    /// Returns true if the entry renders the character at this path, relative to the folder and with `/`.
    pub fn selects(&self, path: &str) -> bool {
        self.patterns.is_empty() || self.patterns.iter().any(|pattern| pattern.matches(path))
    }
}
