//! Pictures in which nothing is drawn: a warning, and with `--fail-on-empty` a failure of the command.
//!
//! The unit is an animation of a file. An effect that appears and vanishes has empty frames, so one of them proves
//! nothing; an animation of which no chosen picture shows anything is a mistake in every format of output.

use super::failure::Failure;
use super::headless::{MAX_LOOKS, Plan};
use super::view::ViewArgs;
use crate::character::Character;
use crate::error::{Error, Fault, Place, shown};
use crate::export::{Planned, bounds_of, opening_skin, reels};
use crate::limits::Limits;
use crate::model::{AnimationId, SkinId};

/// Code of the warning and of the failure.
const CODE: &str = "nothing-visible";

/// A warning where no picture of `plan` shows anything, going by the pose alone. More than [`MAX_LOOKS`] are not looked at.
pub fn warning(plan: &Plan, skins: &[SkinId]) -> Option<Fault> {
    let is_looked_at = (1..=MAX_LOOKS).contains(&plan.pictures.len());
    if !is_looked_at || plan.pictures.iter().any(|picture| has_bounds(&plan.character, picture)) {
        return None;
    }
    let help = skins_that_may_help(&plan.character, skins).map(|help| format!("; {help}")).unwrap_or_default();
    let message = format!("nothing is visible in the chosen frames{help}");
    Some(Fault { code: CODE, place: Place::file(plan.file.display()), message })
}

/// A failure for each animation of `plan` of which nothing was drawn in any picture. Where nothing is written, going by
/// the pose alone.
pub fn failures(args: &ViewArgs, plan: &Plan) -> Vec<Failure> {
    let is_drawn = args.output.output.is_some();
    let mut failed: Vec<Option<AnimationId>> = Vec::new();
    let mut failures = Vec::new();
    for range in reels(&plan.pictures) {
        let pictures = &plan.pictures[range];
        let animation = pictures.first().and_then(|picture| picture.animation);
        // Marks for bones are pixels, too, but nothing of the character.
        let is_bare = !pictures.iter().any(|picture| has_bounds(&plan.character, picture));
        let is_empty = is_bare || is_drawn && !plan.seen.has(animation);
        if is_empty && !failed.contains(&animation) {
            failed.push(animation);
            failures.push(failure(plan, pictures, is_drawn, is_bare));
        }
    }
    failures
}

fn failure(plan: &Plan, pictures: &[Planned], is_drawn: bool, is_bare: bool) -> Failure {
    let model = plan.character.model();
    let of = match pictures.first().and_then(|picture| picture.animation) {
        Some(id) => format!("`{}`", shown(&model.animation(id).name)),
        None => "the bind pose".to_owned(),
    };
    let frames = match pictures.len() {
        1 => "the chosen frame".to_owned(),
        count => format!("any of the {count} chosen frames"),
    };
    let all_the_same = if is_drawn { "; it was written all the same" } else { "" };
    let message = format!("nothing is visible in {frames} of {of}{all_the_same}");
    let skins = pictures.first().map_or(&[][..], |picture| &picture.cue.skins);
    let place = Place::file(plan.file.display());
    let help = match is_bare {
        true => skins_that_may_help(&plan.character, skins),
        false => Some("what there is lies out of the picture, which --fit chooses, or is transparent".to_owned()),
    };
    Failure::Empty { error: Error::unsupported(CODE, place, message), help }
}

fn has_bounds(character: &Character, picture: &Planned) -> bool {
    !bounds_of(character, [picture.cue.clone()]).is_empty()
}

/// Which skins could be put on, where none is worn.
fn skins_that_may_help(character: &Character, worn: &[SkinId]) -> Option<String> {
    let skins = character.model().skins();
    if !worn.is_empty() || skins.len() < 2 {
        return None;
    }
    let model = character.model();
    // The one that the window puts on comes first.
    let best =
        opening_skin(character, model.default_animation(), Limits::default().work).map(|id| &*model.skin(id).name);
    let others = skins.iter().map(|skin| &*skin.name).filter(|name| *name != "default" && Some(*name) != best);
    let names = best.into_iter().chain(others).take(3);
    let names: Vec<String> = names.map(|name| format!("`{}`", shown(name))).collect();
    Some(format!("--skin NAME puts on one of its {} skins, such as {}", skins.len(), names.join(", ")))
}
