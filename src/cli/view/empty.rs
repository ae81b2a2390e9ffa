//! Pictures in which nothing is visible: a warning, or with `--fail-on-empty` a failure.
//!
//! Each animation of a file is judged as a whole. An effect that appears and vanishes has some empty frames; an
//! animation without anything visible in any chosen frame is a mistake.

use super::loaded::{Loaded, MAX_POSED};
use crate::cli::shared::failure::Failure;
use crate::error::{Error, Fault, Place, escaped};
use crate::export::{Planned, RenderOptions, animation_ranges, opening_skin};
use crate::model::{AnimationId, SkinId};
use crate::motion::evaluate;
use crate::pose::{Pose, bounds, palette};

/// Code of the warning and the failure.
const CODE: &str = "nothing-visible";

/// Returns a warning if no picture of `loaded` shows anything, judged by the poses alone. Not checked if there are
/// more than [`MAX_POSED`] pictures.
pub fn warning(loaded: &Loaded, skins: &[SkinId], work: u64) -> Option<Fault> {
    let is_checked = (1..=MAX_POSED).contains(&loaded.plan.pictures.len());
    if !is_checked || loaded.plan.pictures.iter().any(|picture| has_bounds(loaded, picture)) {
        return None;
    }
    let help = skins_that_may_help(loaded, skins, work).map(|help| format!("; {help}")).unwrap_or_default();
    let message = format!("nothing is visible in the chosen frames{help}");
    Some(Fault { code: CODE, place: Place::file(loaded.file.display()), message })
}

/// Returns a failure for each animation of `loaded` with nothing visible in any picture. If nothing is written, the
/// pictures are judged by the poses alone.
pub fn failures(options: &RenderOptions, loaded: &Loaded) -> Vec<Failure> {
    let is_drawn = options.output.path.is_some();
    let has_marks = !options.look.show.is_empty();
    let work = options.read.limits.work;
    let mut failed: Vec<Option<AnimationId>> = Vec::new();
    let (mut failures, mut help) = (Vec::new(), None);
    for range in animation_ranges(&loaded.plan.pictures) {
        let pictures = &loaded.plan.pictures[range];
        let animation = pictures.first().and_then(|picture| picture.animation);
        // Bone overlays are visible pixels too, but do not count as the character.
        if failed.contains(&animation) || is_drawn && !has_marks && loaded.visible.has(animation) {
            continue;
        }
        let is_bare = !pictures.iter().any(|picture| has_bounds(loaded, picture));
        if is_bare || is_drawn && !loaded.visible.has(animation) {
            failed.push(animation);
            let help = match is_bare {
                true => help.get_or_insert_with(|| skins_that_may_help(loaded, &skins_of(pictures), work)).clone(),
                false => {
                    Some("the character is outside of the picture (see --fit) or fully transparent".to_owned())
                }
            };
            failures.push(Failure::Empty { error: error(loaded, pictures, is_drawn), help });
        }
    }
    failures
}

fn error(loaded: &Loaded, pictures: &[Planned], is_drawn: bool) -> Error {
    let model = loaded.character.model();
    let of = match pictures.first().and_then(|picture| picture.animation) {
        Some(id) => format!("`{}`", escaped(&model.animation(id).name)),
        None => "the pose without an animation".to_owned(),
    };
    let frames = match pictures.len() {
        1 => "the chosen frame".to_owned(),
        count => format!("any of the {count} chosen frames"),
    };
    let written = if is_drawn { "; the output was written anyway" } else { "" };
    let message = format!("nothing is visible in {frames} of {of}{written}");
    Error::unsupported(CODE, Place::file(loaded.file.display()), message)
}

fn skins_of(pictures: &[Planned]) -> Vec<SkinId> {
    pictures.first().map(|picture| picture.cue.skins.clone()).unwrap_or_default()
}

fn has_bounds(loaded: &Loaded, picture: &Planned) -> bool {
    let model = loaded.character.model();
    let (mut pose, mut matrices) = (Pose::for_model(model), Vec::new());
    evaluate(&loaded.character, &picture.cue, &mut pose);
    loaded.plan.hidden.apply(model, &mut pose);
    palette(model, &pose, &mut matrices);
    !bounds(model, &pose, &matrices).is_empty()
}

/// Suggests skins if none is applied. Searching for the best one may take at most `work`.
fn skins_that_may_help(loaded: &Loaded, applied: &[SkinId], work: u64) -> Option<String> {
    let (character, model) = (&loaded.character, loaded.character.model());
    let skins = model.skins();
    if !applied.is_empty() || skins.len() < 2 {
        return None;
    }
    // The skin that the window would choose comes first.
    let best = opening_skin(character, model.default_animation(), work).map(|id| &*model.skin(id).name);
    let others = skins.iter().map(|skin| &*skin.name).filter(|name| *name != "default" && Some(*name) != best);
    let names = best.into_iter().chain(others).take(3);
    let names: Vec<String> = names.map(|name| format!("`{}`", escaped(name))).collect();
    Some(format!("--skin NAME applies one of its {} skins, such as {}", skins.len(), names.join(", ")))
}
