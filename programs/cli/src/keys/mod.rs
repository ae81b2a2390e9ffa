//! `pchr keys`: all keys of a file, as the file states them, with their places.

mod document;
mod table;

use std::path::PathBuf;

use super::shared::choose;
use super::shared::failure::{Failure, note};
use super::shared::json_output;
use super::shared::load::{bytes_of, recorded_sidecars};
use super::shared::read_args::ReadArgs;
use super::shared::stdio::{json_name, print_with, shown_name};
use super::shared::warnings::{WarningArgs, print_findings};
use pchr::diagnostics::Diagnostics;
use pchr::export::{NamePattern, values};
use pchr::formats::{Input, StatedKey, StatedKeys, stated_keys};

pub use document::Keys;

/// Arguments of `pchr keys`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct KeysArgs {
    /// Character; `-` is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    filter: Filter,
    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    warnings: WarningArgs,
    #[command(flatten)]
    read: ReadArgs,
}

/// The keys that are printed.
#[derive(Debug, clap::Args)]
struct Filter {
    /// Only keys of this animation; repeatable
    #[arg(short, long = "animation", value_name = "NAME")]
    animations: Vec<String>,
    /// Only bones whose name matches; repeatable
    #[arg(long = "bone", value_name = "GLOB")]
    bones: Vec<NamePattern>,
    /// Only slots and layers whose name matches; repeatable
    #[arg(long = "slot", value_name = "GLOB")]
    slots: Vec<NamePattern>,
    /// Only keys from this time on, in seconds
    #[arg(long, value_name = "SECS", value_parser = values::seconds, allow_negative_numbers = true)]
    from: Option<f64>,
    /// Only keys up to this time, in seconds
    #[arg(long, value_name = "SECS", value_parser = values::seconds, allow_negative_numbers = true)]
    to: Option<f64>,
    /// Skip this many keys
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: usize,
    /// At most this many keys; `next` in JSON is the --skip for the others
    #[arg(long, value_name = "N", overrides_with = "max")]
    max: Option<usize>,
}

const HELP: &str = "\
Every key is printed as the file states it: what it animates, its property, its values and its curve
in the words of the file, and its place. The place is a JSON pointer with line and column; in binary
skeletons, the offset in bytes and the pointer into the JSON of the same skeleton; of stored frames,
each frame in which a value changes. Keys that pchr does not know are marked. --bone and --slot
together select both.

Examples:
  pchr keys hero.json -a walk --bone 'hand*'
  pchr keys hero.json --from 0.5 --to 0.6 --json
  pchr keys hero.skel --csv > keys.csv

Exit codes: 0 success, 2 usage, 3 input, 5 output";

/// Prints the keys of a file while they are listed.
pub fn run(args: &KeysArgs, quiet: bool) -> Result<(), Failure> {
    let options = args.read.options();
    let mut diagnostics = Diagnostics::default();
    let sidecars = recorded_sidecars(&args.file, &options);
    let keys = bytes_of(&args.file, &options.limits)
        .and_then(|bytes| stated_keys(&Input { bytes, sidecars: sidecars.access() }, &options, &mut diagnostics));
    let keys = keys.map_err(|error| Failure::reading(error.in_file(shown_name(&args.file))))?;
    print_findings(&diagnostics, &args.file, args.warnings, quiet);
    args.filter.check_names(&keys).map_err(|failure| failure.in_file(&args.file))?;
    let chosen = Chosen { keys: &keys, filter: &args.filter };
    if args.json {
        return json_output::print_streamed(&Keys::new(json_name(&args.file), chosen));
    }
    let format = if args.csv { table::Format::Csv } else { table::Format::Aligned };
    let (mut count, mut next) = (0, None);
    print_with(|out| table::write(format, &chosen, out).map(|found| (count, next) = found))?;
    match next {
        _ if quiet => {}
        Some(next) => note(&format!("more keys follow: --skip {next}")),
        None if count == 0 => note("no key matches"),
        None => {}
    }
    Ok(())
}

impl Filter {
    /// Fails for an animation that has no keys.
    fn check_names(&self, keys: &StatedKeys) -> Result<(), Failure> {
        let (mut known, mut missing) = (Vec::new(), self.animations.clone());
        if missing.is_empty() {
            return Ok(());
        }
        _ = keys.for_each(|key| {
            if known.last().is_none_or(|last| *last != key.animation) {
                known.push(key.animation.clone().into_owned());
                missing.retain(|name| *name != key.animation);
            }
            if missing.is_empty() { Err(()) } else { Ok(()) }
        });
        known.sort_unstable();
        known.dedup();
        match missing.first() {
            Some(name) => Err(choose::unknown("animation with keys", name, known.iter().map(String::as_str))),
            None => Ok(()),
        }
    }

    fn has(&self, key: &StatedKey<'_>) -> bool {
        let matches = |patterns: &[NamePattern]| patterns.iter().any(|pattern| pattern.matches(&key.name));
        let is_wanted = match &*key.target {
            _ if self.bones.is_empty() && self.slots.is_empty() => true,
            "bone" => matches(&self.bones),
            "slot" | "layer" => matches(&self.slots),
            _ => false,
        };
        let is_in =
            |seconds: f64| self.from.is_none_or(|from| seconds >= from) && self.to.is_none_or(|to| seconds <= to);
        is_wanted
            && (self.animations.is_empty() || self.animations.iter().any(|name| *name == key.animation))
            // A key without a valid time could be anywhere.
            && key.seconds.is_none_or(is_in)
    }
}

/// The keys that a filter chooses.
struct Chosen<'a> {
    keys: &'a StatedKeys,
    filter: &'a Filter,
}

impl Chosen<'_> {
    /// Calls `visit` with each of them, until it fails. Returns the number of visited ones and, if more follow, how many to skip
    /// for those.
    fn for_each<E>(
        &self,
        mut visit: impl FnMut(&StatedKey<'_>) -> Result<(), E>,
    ) -> Result<(usize, Option<usize>), E> {
        let end = self.filter.max.map_or(usize::MAX, |max| self.filter.skip.saturating_add(max));
        let (mut count, mut failed) = (0, None);
        let all = self.keys.for_each(|key| {
            if !self.filter.has(key) {
                return Ok(());
            }
            if count == end {
                return Err(());
            }
            count += 1;
            if count <= self.filter.skip {
                return Ok(());
            }
            visit(key).map_err(|error| failed = Some(error))
        });
        match failed {
            Some(error) => Err(error),
            None => Ok((count.saturating_sub(self.filter.skip), all.err().map(|()| count))),
        }
    }
}
