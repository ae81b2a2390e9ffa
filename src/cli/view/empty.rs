//! Pictures in which nothing is drawn: a warning, and with `--fail-on-empty` a failure of the command.
//!
//! The unit is an animation of a file. An effect that appears and vanishes has empty frames, so one of them proves
//! nothing; an animation of which no chosen picture shows anything is a mistake in every format of output.

use super::plan::{Job, MAX_LOOKS};
use crate::character::Character;
use crate::cli::shared::failure::Failure;
use crate::error::{Error, Fault, Place, shown};
use crate::export::{Planned, RenderOptions, bounds_of, opening_skin, reels};
use crate::model::{AnimationId, SkinId};

/// Code of the warning and of the failure.
const CODE: &str = "nothing-visible";

/// A warning where no picture of `job` shows anything, going by the pose alone. More than [`MAX_LOOKS`] are not looked at.
pub fn warning(job: &Job, skins: &[SkinId], work: u64) -> Option<Fault> {
    let is_looked_at = (1..=MAX_LOOKS).contains(&job.plan.pictures.len());
    if !is_looked_at || job.plan.pictures.iter().any(|picture| has_bounds(&job.character, picture)) {
        return None;
    }
    let help = skins_that_may_help(job, skins, work).map(|help| format!("; {help}")).unwrap_or_default();
    let message = format!("nothing is visible in the chosen frames{help}");
    Some(Fault { code: CODE, place: Place::file(job.file.display()), message })
}

/// A failure for each animation of `job` of which nothing was drawn in any picture. Where nothing is written, going by
/// the pose alone.
pub fn failures(options: &RenderOptions, job: &Job) -> Vec<Failure> {
    let is_drawn = options.output.path.is_some();
    let has_marks = !options.look.show.is_empty();
    let work = options.read.limits.work;
    let mut failed: Vec<Option<AnimationId>> = Vec::new();
    let (mut failures, mut help) = (Vec::new(), None);
    for range in reels(&job.plan.pictures) {
        let pictures = &job.plan.pictures[range];
        let animation = pictures.first().and_then(|picture| picture.animation);
        // Marks for bones are pixels, too, but nothing of the character.
        if failed.contains(&animation) || is_drawn && !has_marks && job.seen.has(animation) {
            continue;
        }
        let is_bare = !pictures.iter().any(|picture| has_bounds(&job.character, picture));
        if is_bare || is_drawn && !job.seen.has(animation) {
            failed.push(animation);
            let help = match is_bare {
                true => help.get_or_insert_with(|| skins_that_may_help(job, &worn(pictures), work)).clone(),
                false => Some("the character is outside of the picture (see --fit) or transparent".to_owned()),
            };
            failures.push(Failure::Empty { error: error(job, pictures, is_drawn), help });
        }
    }
    failures
}

fn error(job: &Job, pictures: &[Planned], is_drawn: bool) -> Error {
    let model = job.character.model();
    let of = match pictures.first().and_then(|picture| picture.animation) {
        Some(id) => format!("`{}`", shown(&model.animation(id).name)),
        None => "the pose without an animation".to_owned(),
    };
    let frames = match pictures.len() {
        1 => "the chosen frame".to_owned(),
        count => format!("any of the {count} chosen frames"),
    };
    let written = if is_drawn { "; the output was written anyway" } else { "" };
    let message = format!("nothing is visible in {frames} of {of}{written}");
    Error::unsupported(CODE, Place::file(job.file.display()), message)
}

fn worn(pictures: &[Planned]) -> Vec<SkinId> {
    pictures.first().map(|picture| picture.cue.skins.clone()).unwrap_or_default()
}

fn has_bounds(character: &Character, picture: &Planned) -> bool {
    !bounds_of(character, [picture.cue.clone()]).is_empty()
}

/// Which skins could be put on, where none is worn. Looking for the best one may take so much `work`.
fn skins_that_may_help(job: &Job, worn: &[SkinId], work: u64) -> Option<String> {
    let (character, model) = (&job.character, job.character.model());
    let skins = model.skins();
    if !worn.is_empty() || skins.len() < 2 {
        return None;
    }
    // The one that the window puts on comes first.
    let best = opening_skin(character, model.default_animation(), work).map(|id| &*model.skin(id).name);
    let others = skins.iter().map(|skin| &*skin.name).filter(|name| *name != "default" && Some(*name) != best);
    let names = best.into_iter().chain(others).take(3);
    let names: Vec<String> = names.map(|name| format!("`{}`", shown(name))).collect();
    Some(format!("--skin NAME puts on one of its {} skins, such as {}", skins.len(), names.join(", ")))
}
