//! `pchr keys`: all keys of a file, as the file states them, with their places.

mod document;
mod table;

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use super::shared::choose;
use super::shared::failure::{Failure, note};
use super::shared::json_output;
use super::shared::load::{bytes_of, keeping_going, recorded_sidecars, sources};
use super::shared::read_args::ReadArgs;
use super::shared::stdio::{json_name, print_with, shown_name};
use super::shared::warnings::{WarningArgs, name_files, print_findings};
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::export::{NamePattern, values};
use pchr::formats::{Input, StatedKey, StatedKeys, from_input, stated_keys};
use pchr::model::Model;

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
#[derive(Debug, Clone, clap::Args)]
struct Filter {
    /// Only keys of this animation: a name, #index or `all`; repeatable
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
    let input = bytes_of(&args.file, &options.limits).map(|bytes| Input { bytes, sidecars: sidecars.access() });
    let keys = input.and_then(|input| Ok((stated_keys(&input, &options, &mut diagnostics)?, input)));
    let (keys, input) = keys.map_err(|error| Failure::reading(error.in_file(shown_name(&args.file))))?;
    name_files(&mut diagnostics, &args.file, &sources(&args.file, &sidecars, &options));
    print_findings(&diagnostics, &args.file, args.warnings, quiet);
    // Only for names without keys.
    let character =
        LazyCell::new(|| from_input(&input, &keeping_going(&options), &mut Diagnostics::default()).ok());
    let filter = args.filter.resolved(&keys, || character.as_ref().map(Character::model));
    let filter = filter.map_err(|failure| failure.in_file(&args.file))?;
    let chosen = Chosen { keys: &keys, filter: &filter };
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
    /// Returns the filter with the names of the animations. Fails for names that neither a key nor the `model` has.
    fn resolved<'m>(&self, keys: &StatedKeys, model: impl Fn() -> Option<&'m Model>) -> Result<Self, Failure> {
        if self.animations.is_empty() && self.bones.is_empty() && self.slots.is_empty() {
            return Ok(self.clone());
        }
        let [mut animations, mut bones, mut slots] = [(); 3].map(|()| BTreeSet::new());
        _ = keys.for_each(|key| {
            let add = |to: &mut BTreeSet<String>, name: &str| {
                if !to.contains(name) {
                    to.insert(name.to_owned());
                }
            };
            add(&mut animations, &key.animation);
            match &*key.target {
                "bone" => add(&mut bones, &key.name),
                "slot" | "layer" => add(&mut slots, &key.name),
                _ => {}
            }
            Ok::<(), ()>(())
        });
        let mut filter = self.clone();
        filter.animations.clear();
        for name in &self.animations {
            let is_stated = animations.contains(name);
            let model = if is_stated { None } else { model() };
            match model.map(|model| (model, choose::animations(model, std::slice::from_ref(name)))) {
                Some((model, Ok(chosen))) => {
                    filter.animations.extend(chosen.iter().map(|id| model.animation(*id).name.clone()));
                }
                Some((_, Err(failure))) if name.starts_with('#') => return Err(failure),
                _ if is_stated => filter.animations.push(name.clone()),
                _ => {
                    let known = animations.iter().map(String::as_str);
                    return Err(choose::unknown("animation with keys", name, known));
                }
            }
        }
        let authored = |model: &'m Model| model.skeleton().authored_bones().iter().map(|bone| &*bone.name);
        check("bone", &self.bones, bones, || model().map(|model| authored(model).collect()))?;
        let shown = |model: &'m Model| model.slots().iter().map(|slot| &*slot.name);
        check("slot", &self.slots, slots, || model().map(|model| shown(model).collect()))?;
        Ok(filter)
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

/// Fails for a pattern that matches no name of a key, and none of `others`, if these are known.
fn check<'m>(
    what: &'static str,
    patterns: &[NamePattern],
    stated: BTreeSet<String>,
    others: impl Fn() -> Option<Vec<&'m str>>,
) -> Result<(), Failure> {
    for pattern in patterns.iter().filter(|pattern| !stated.iter().any(|name| pattern.matches(name))) {
        // A damaged file may have any names.
        let Some(others) = others() else { return Ok(()) };
        if !others.iter().any(|name| pattern.matches(name)) {
            let known: BTreeSet<&str> = stated.iter().map(String::as_str).chain(others).collect();
            return Err(choose::unmatched(what, pattern, known.into_iter()));
        }
    }
    Ok(())
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
