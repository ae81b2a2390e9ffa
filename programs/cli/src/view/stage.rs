//! The characters of a stage: the tables `[[character]]` of a scene, or the files of `--lineup`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Command, FromArgMatches};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::args::ViewArgs;
use super::usage::is_given;
use crate::shared::config::{ConfigFile, Options, PathKind, Rules, message};
use crate::shared::failure::{Failure, warn};
use crate::shared::files::{self, Target};
use crate::shared::load::load_with_sources;
use crate::shared::warnings::print_findings;
use pchr::diagnostics::Diagnostics;
use pchr::error::{Fault, Place, escaped};
use pchr::export::{RenderOptions, StagedCharacter, choose};
use pchr::formats::ReadOptions;
use pchr::motion::first_animation;
use pchr::{Character, Error};

/// The key of the tables.
const KEY: &str = "character";

/// Options that each character on a stage has for itself: their identifiers and names.
pub(super) const OF_EACH: [(&str, &str); 5] = [
    ("animations", "animation"),
    ("skins", "skin"),
    ("tracks", "track"),
    ("bones", "bone"),
    ("attachments", "attach"),
];

/// Paths in the tables.
const RULES: Rules<'_> = Rules { refused: &["help"], paths: &[("file", PathKind::Plain)] };

/// Takes the characters out of a scene.
pub fn of_scene(file: &ConfigFile, table: &mut DeTable<'_>) -> Result<Vec<StagedCharacter>, Failure> {
    let Some((key, value)) = table.remove_entry(KEY) else { return Ok(Vec::new()) };
    let wrong = |span| file.error(span, format!("`{KEY}`: expected tables [[{KEY}]], with a `file` in each"));
    let DeValue::Array(items) = value.get_ref() else { return Err(wrong(key.span())) };
    let of_each = OF_EACH.map(|(_, key)| key);
    if let Some((name, _)) = table.iter().find(|(name, _)| of_each.contains(&&**name.get_ref())) {
        let message = format!("`{0}` cannot be combined with [[{KEY}]]: set `{0}` in its table", name.get_ref());
        return Err(file.error(name.span(), message));
    }
    let character = |(index, item): (usize, &Spanned<DeValue<'_>>)| match item.get_ref() {
        DeValue::Table(table) => of_table(&file.within(format!("[[{KEY}]] {}", index + 1)), item, table),
        _ => Err(wrong(item.span())),
    };
    items.iter().enumerate().map(character).collect()
}

fn of_table(
    file: &ConfigFile,
    item: &Spanned<DeValue<'_>>,
    table: &DeTable<'_>,
) -> Result<StagedCharacter, Failure> {
    let command = StagedCharacter::augment_args(Command::new(KEY).no_binary_name(true));
    let words = Options::of(file, table, &command, &RULES)?.into_words();
    let invalid = |error: clap::Error| file.error(item.span(), message(&error));
    let matches = command.try_get_matches_from(words).map_err(invalid)?;
    let character = StagedCharacter::from_arg_matches(&matches).map_err(invalid)?;
    if character.file.is_empty() {
        return Err(file.error(item.span(), "`file` is missing, expected file = \"hero.pchr\""));
    }
    Ok(character)
}

/// Turns the characters of a stage into the files of a window, which shows the first. Returns false without a stage.
pub fn open_in_window(args: &mut ViewArgs) -> Result<bool, Failure> {
    let subject = &mut args.subject;
    let Some(first) = subject.stage.first().cloned() else { return Ok(false) };
    for (index, spec) in subject.stage.iter().enumerate() {
        if subject.stage.iter().take(index).any(|other| other.file == spec.file) {
            let message = format!("a window shows each file once, but the stage has `{}` twice", spec.file);
            return Err(Failure::usage_with_help(message, "add -o OUT.png to render it"));
        }
    }
    subject.files = subject.stage.iter().map(|spec| spec.file.clone().into()).collect();
    subject.animations = first.animation.into_iter().collect();
    (subject.skins, subject.tracks) = (first.skins, first.tracks);
    (subject.bones, subject.attachments) = (first.bones, first.attachments);
    subject.physics = subject.physics.or(first.physics);
    Ok(true)
}

/// Puts the files of `--lineup` on a stage.
pub fn of_lineup(args: &mut ViewArgs, given: &clap::ArgMatches) -> Result<(), Failure> {
    if let Some((_, name)) = OF_EACH.into_iter().skip(1).find(|(id, _)| is_given(given, id)) {
        let message = format!("--{name} has no effect with --lineup");
        return Err(Failure::usage_with_help(message, "use --scene FILE, with a table [[character]] for each"));
    }
    let files = files::characters(&args.subject.files, &args.read_options().limits)?;
    if files.len() < 2 {
        return Err(Failure::usage(format!("--lineup needs several characters, not {}", files.len())));
    }
    let animation = match &*std::mem::take(&mut args.subject.animations) {
        [] => None,
        [name] => Some(name.clone()),
        _ => return Err(Failure::usage("a stage shows one animation of each character, not several")),
    };
    let physics = args.subject.physics;
    let character = |target: &Target| {
        let invalid = || Failure::usage(format!("the name of {} is not UTF-8", target.path.display()));
        let file = target.path.to_str().ok_or_else(invalid)?.to_owned();
        Ok(StagedCharacter { animation: animation.clone(), physics, ..StagedCharacter::new(file) })
    };
    args.subject.stage = files.iter().map(character).collect::<Result<_, Failure>>()?;
    args.subject.files = vec![files[0].path.clone()];
    Ok(())
}

/// Reads the characters of a stage and returns them as one, with changed options if a lineup shows other animations than
/// requested.
pub fn load(
    args: &ViewArgs,
    options: &RenderOptions,
    diagnostics: &mut Diagnostics,
    sources: &mut Vec<PathBuf>,
    quiet: bool,
) -> Result<(Character, Option<RenderOptions>), Failure> {
    let stage = &options.subject.stage;
    let mut characters: Vec<Arc<Character>> = Vec::new();
    for (index, spec) in stage.iter().enumerate() {
        let same = stage.iter().take(index).position(|other| other.file == spec.file);
        if let Some(known) = same.and_then(|same| characters.get(same)) {
            characters.push(Arc::clone(known));
            continue;
        }
        let played = stage.iter().filter(|other| other.file == spec.file);
        let names =
            played.flat_map(|it| it.animation.iter().chain(it.tracks.iter().map(|track| &track.animation)));
        let read = options.read.clone().playing(&names.cloned().collect::<Vec<_>>());
        let (file, mut own, mut files) = (Path::new(&spec.file), Diagnostics::default(), Vec::new());
        let character = read_one(args, &read, file, &mut own, &mut files, quiet);
        sources.append(&mut files);
        characters.push(Arc::new(character?));
        for warning in own.warnings() {
            diagnostics.warn(warning.code, warning.place.clone(), warning.message.clone());
        }
    }
    let shown = if args.window.lineup { with_own_animations(options, &characters) } else { None };
    let (subject, fps) = (&shown.as_ref().map_or(options, |(shown, _)| shown).subject, options.read.fps);
    let character = subject.staged(&characters, fps, &options.read.limits).map_err(Failure::reading)?;
    let shown = shown.map(|(shown, faults)| {
        for fault in faults {
            if !quiet {
                warn(&fault);
            }
            diagnostics.warn(fault.code, fault.place, fault.message);
        }
        shown
    });
    Ok((character, shown))
}

/// Lets the characters of a lineup that lack the animation of `-a` show their own, with a warning for each. Returns `None` if
/// all of them have it, or none has.
fn with_own_animations(
    options: &RenderOptions,
    characters: &[Arc<Character>],
) -> Option<(RenderOptions, Vec<Fault>)> {
    let mut shown = options.clone();
    let (mut faults, mut has_any) = (Vec::new(), false);
    for (spec, character) in shown.subject.stage.iter_mut().zip(characters) {
        if choose::animations(character.model(), spec.animation.as_slice()).is_ok() {
            has_any = true;
            continue;
        }
        let name = spec.animation.take().unwrap_or_default();
        let own = first_animation(character, options.read.limits.first_picture_work());
        let own = own.map(|id| format!("`{}`", escaped(&character.model().animation(id).name)));
        let own = own.as_deref().unwrap_or("the rest pose");
        let message = format!("no animation named `{}`; {own} is shown", escaped(&name));
        faults.push(Fault { code: "animation-missing", place: Place::file(&spec.file), message });
    }
    (has_any && !faults.is_empty()).then_some((shown, faults))
}

/// Reads a character and prints the findings about it.
pub fn read_one(
    args: &ViewArgs,
    read: &ReadOptions,
    file: &Path,
    diagnostics: &mut Diagnostics,
    sources: &mut Vec<PathBuf>,
    quiet: bool,
) -> Result<Character, Failure> {
    let character = load_with_sources(file, read, args.many.errors, diagnostics, sources)?;
    print_findings(diagnostics, file, args.many.warnings, quiet);
    let guessed = || diagnostics.warnings().find(|fault| fault.code == "guessed-image");
    if let Some(missing) = diagnostics.missing_image().or_else(guessed).filter(|_| args.many.fail_on_missing) {
        let place = Place::file(file.display());
        let message = "an image or the atlas is missing or guessed, so no picture is written (--fail-on-missing)";
        return Err(Failure::Input(Error::malformed(missing.code, place, message)));
    }
    Ok(character)
}
