//! A character in memory, and what to render from it.

use std::path::{Path, PathBuf};

use super::args::ViewArgs;
use super::{clamped_time, contact, stage, too_large};
use crate::shared::choose;
use crate::shared::failure::{Failure, note, warn};
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::error::{Fault, Place, escaped};
use pchr::export::{Plan, RenderOptions, Subject, TOO_MANY_PICTURES, VisibleAnimations};
use pchr::motion::{Forces, Motion, has_physics, takes_rate};

/// A character and everything that is rendered from it.
pub struct Loaded {
    pub file: PathBuf,
    pub character: Character,
    pub diagnostics: Diagnostics,
    pub plan: Plan,
    /// Which animations were visible in the pictures.
    pub visible: VisibleAnimations,
}

impl Loaded {
    /// Reads and plans `file`. Sets `sources` to the files that were read, even if reading failed. Warnings are not
    /// printed if `quiet`.
    pub fn new(
        args: &ViewArgs,
        options: &RenderOptions,
        file: &Path,
        sources: &mut Vec<PathBuf>,
        quiet: bool,
    ) -> Result<Self, Failure> {
        let mut diagnostics = Diagnostics::default();
        let is_stage = !options.subject.stage.is_empty();
        let read = match is_stage {
            true => stage::load(args, options, &mut diagnostics, sources, quiet),
            false => stage::read_one(args, &options.read, file, &mut diagnostics, sources, quiet)
                .map(|character| (character, None)),
        };
        sources.extend(options.look.background.file().map(Path::to_owned));
        let (character, shown) = read?;
        let options = shown.as_ref().unwrap_or(options);
        if let Some(message) = without_physics(&options.subject, &character).filter(|_| !quiet) {
            note(&format!("{}: {message}", file.display()));
        }
        if let Some(names) = &args.scene_names {
            names.check(&character)?;
        }
        let animations =
            choose::animations_or_first(&character, &options.subject.animations, &options.read.limits)?;
        let skins = choose::skins(&character, &options.subject.skins)?;
        if let Some(message) = choose::unchosen_skins(&character, &options.subject.skins).filter(|_| !quiet) {
            note(&format!("{}: {message}", file.display()));
        }
        if options.read.fps.is_some() && !is_stage && !animations.is_empty() && !takes_rate(&character) {
            let message = "--fps only applies to keyed motion and sheets without durations, not to stored frames";
            return Err(Failure::usage_with_help(message, "use --speed to change the playback speed"));
        }
        let planned = |options: &RenderOptions| options.plan(&character, &animations, &skins);
        let plan = planned(options).map_err(|error| match error {
            error if too_large::is_too_large(&error) => too_large::failure(error, options, planned),
            error if error.code() == TOO_MANY_PICTURES => {
                Failure::usage_with_help(error.to_string(), "select fewer with -a and -f")
            }
            error => contact::failure(error, options, args.output.contact_sheet, animations.len()),
        })?;
        let visible = VisibleAnimations::default();
        let mut loaded = Self { file: file.to_owned(), character, diagnostics, plan, visible };
        if !quiet {
            loaded.note_choice(options);
            if let Some(message) = loaded.left_out() {
                note(&message);
            }
        }
        for fault in clamped_time::warnings(options, &loaded) {
            loaded.diagnostics.warn(fault.code, fault.place.clone(), fault.message.clone());
            if !quiet {
                warn(&fault);
            }
        }
        Ok(loaded)
    }

    /// Returns a warning about the file.
    pub fn fault(&self, code: &'static str, message: String) -> Fault {
        Fault { code, place: Place::file(self.file.display()), message }
    }

    /// Says that the visible area does not contain everything.
    pub fn left_out(&self) -> Option<String> {
        let message = "small parts that are far away are outside of the picture; `--fit-whole` includes them";
        self.plan.leaves_out.then(|| format!("{}: {message}", self.file.display()))
    }

    /// Prints a note about the animation and about each frame that was chosen instead of the first.
    fn note_choice(&self, options: &RenderOptions) {
        let model = self.character.model();
        let pictures = &self.plan.pictures;
        let shown = pictures.first().filter(|_| options.subject.animations.is_empty());
        if let Some(shown) = shown.filter(|shown| shown.animation != model.default_animation()) {
            let name = escaped(shown.animation_name(model));
            let message = format!("animation `{name}` is rendered; -a NAME selects another");
            note(&format!("{}: {message}", self.file.display()));
        }
        for picture in pictures.iter().filter(|picture| options.starts_visible() && picture.frame > 0) {
            let name = escaped(picture.animation_name(model));
            let frame = picture.frame;
            let message = format!(
                "little or nothing is visible in frame 0 of `{name}`, so frame {frame} is rendered; -f 0 renders frame 0 anyway"
            );
            note(&format!("{}: {message}", self.file.display()));
        }
    }
}

/// Returns which option of physics has no effect on a character, and why.
fn without_physics(subject: &Subject, character: &Character) -> Option<String> {
    let Forces { wind, gravity, mix } = subject.forces();
    let options = [
        ("--physics", subject.physics == Some(true), false),
        ("--wind", wind != Forces::WIND, true),
        ("--gravity", gravity != Forces::GRAVITY, true),
        ("--physics-mix", mix != 1.0, false),
    ];
    // On a stage there may be several kinds.
    let has_wind = !matches!(character.motion(), Motion::SkelForm(_));
    let has = |of_spine: bool| has_physics(character) && (has_wind || !of_spine);
    let (option, ..) = options.into_iter().find(|(_, is_set, of_spine)| *is_set && !has(*of_spine))?;
    let lack = if has_physics(character) { "wind or gravity (only Spine has them)" } else { "physics" };
    Some(format!("the character has no {lack}, so {option} has no effect"))
}
