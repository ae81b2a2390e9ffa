//! What is rendered of a file, and where it goes.

use std::path::{Path, PathBuf};

use super::args::ViewArgs;
use super::{empty, late, too_large};
use crate::character::Character;
use crate::cli::shared::choose;
use crate::cli::shared::failure::{Failure, note, warn};
use crate::cli::shared::load::load_watched;
use crate::cli::shared::stdio::print_warnings;
use crate::diagnostics::Diagnostics;
use crate::export::{Plan, PlannedFile, RenderOptions, Seen, TOO_MANY_PICTURES, input_name};
use crate::motion::{has_physics, takes_rate};

/// More pictures are not looked at beforehand, only to tell something of them.
pub const MAX_LOOKS: usize = 1000;

/// One character, and everything that is rendered of it.
pub struct Job {
    pub file: PathBuf,
    /// What `{name}` stands for.
    pub name: String,
    pub character: Character,
    /// The files that it was read from.
    pub sources: Vec<PathBuf>,
    pub diagnostics: Diagnostics,
    pub plan: Plan,
    /// Empty where nothing is written.
    pub files: Vec<PlannedFile>,
    /// What was seen in the pictures.
    pub seen: Seen,
    /// What drew it.
    pub backend: String,
    /// It could not be drawn or written.
    pub is_failed: bool,
}

impl Job {
    /// Reads and plans `file`. `sources` are the files that were read for that, also where reading failed.
    pub fn new(
        args: &ViewArgs,
        options: &RenderOptions,
        file: &Path,
        sources: &mut Vec<PathBuf>,
    ) -> Result<Self, Failure> {
        let mut diagnostics = Diagnostics::default();
        let character = load_watched(file, &options.read, &mut diagnostics, sources).map_err(Failure::reading)?;
        if !args.quiet {
            print_warnings(&diagnostics, file);
        }
        if options.subject.physics && !args.quiet && !has_physics(&character) {
            note(&format!("{}: nothing in it swings, so --physics changes nothing", file.display()));
        }
        let model = character.model();
        let animations = choose::animations(model, &options.subject.animations)?;
        let skins = choose::skins(&character, &options.subject.skins)?;
        if let Some(message) = choose::unchosen_skin(&character, &options.subject.skins).filter(|_| !args.quiet) {
            note(&format!("{}: {message}", file.display()));
        }
        if options.read.fps.is_some() && !animations.is_empty() && !takes_rate(&character) {
            let message = "--fps is for motion that has keys and for sheets without durations, here frames are stored with their times";
            return Err(Failure::usage_with_help(message, "--speed says how fast they are played"));
        }
        let planned = |options: &RenderOptions| options.plan(&character, &animations, &skins);
        let plan = planned(options).map_err(|error| match error {
            error if too_large::is_too_large(&error) => too_large::failure(error, options, planned),
            error if error.code() == TOO_MANY_PICTURES => {
                Failure::usage_with_help(error.to_string(), "choose fewer with -a and -f")
            }
            error => Failure::reading(error),
        })?;
        let mut job = Self {
            file: file.to_owned(),
            name: input_name(file),
            character,
            sources: sources.clone(),
            diagnostics,
            plan,
            files: Vec::new(),
            seen: Seen::default(),
            backend: "none".to_owned(),
            is_failed: false,
        };
        let mut odd = late::warnings(options, &job);
        // With `--fail-on-empty` that is an error, once the pictures are there.
        odd.extend(empty::warning(&job, &skins, options.read.limits.work).filter(|_| !args.many.fail_on_empty));
        for fault in odd {
            job.diagnostics.warn(fault.code, fault.place.clone(), fault.message.clone());
            if !args.quiet {
                warn(&fault);
            }
        }
        Ok(job)
    }
}
