//! Pictures in which nothing is visible: a warning, or with `--fail-on-empty` a failure.
//!
//! Each animation of a file is judged as a whole. An effect that appears and vanishes has some empty frames; an
//! animation without anything visible in any chosen frame is a mistake.

use super::loaded::Loaded;
use crate::shared::failure::Failure;
use pchr::Error;
use pchr::error::{Fault, Place, escaped};
use pchr::export::{Emptiness, Planned, RenderOptions, animation_ranges};
use pchr::model::{AnimationId, SkinId};

/// Code of the warning and the failure.
const CODE: &str = "nothing-visible";
/// Maximum number of pictures of an animation that are posed to find out why it is empty.
const MAX_POSED: usize = 1000;

/// Returns the pictures of each animation of `loaded` in which nothing is visible, with the reason. If they were not
/// drawn, they are judged by the poses alone.
pub fn animations<'a>(
    options: &RenderOptions,
    loaded: &'a Loaded,
    is_drawn: bool,
) -> Vec<(&'a [Planned], Emptiness)> {
    // Bone overlays are visible pixels too, but do not count as the character.
    // With tracks, one animation may hide what another shows.
    let has_marks = !options.look.show.is_empty() || !options.subject.tracks.is_empty();
    let mut found: Vec<(&[Planned], Emptiness)> = Vec::new();
    for range in animation_ranges(&loaded.plan.pictures) {
        let pictures = &loaded.plan.pictures[range];
        let animation = animation_of(pictures);
        if is_drawn && !has_marks && loaded.visible.has(animation) {
            continue;
        }
        let plan = &loaded.plan;
        let posed = pictures.iter().take(MAX_POSED);
        let why = Emptiness::of(&loaded.character, &plan.hidden, Some(&plan.view), posed);
        let is_empty = is_drawn && !has_marks || !why.is_drawn() && pictures.len() <= MAX_POSED;
        if is_empty && found.iter().all(|(pictures, _)| animation_of(pictures) != animation) {
            found.push((pictures, why));
        }
    }
    found
}

fn animation_of(pictures: &[Planned]) -> Option<AnimationId> {
    pictures.first().and_then(|picture| picture.animation)
}

/// Returns a warning if nothing is visible in any picture of `loaded`, whose `empty` animations are given.
pub fn warning(loaded: &Loaded, empty: &[(&[Planned], Emptiness)]) -> Option<Fault> {
    let (pictures, _) = empty.first()?;
    let why = empty.iter().map(|(_, why)| *why).max()?;
    let is_shown = |picture: &Planned| empty.iter().all(|(empty, _)| animation_of(empty) != picture.animation);
    if loaded.plan.pictures.iter().any(is_shown) {
        return None;
    }
    let frames = if loaded.plan.pictures.len() == 1 { "the chosen frame" } else { "the chosen frames" };
    let message = format!("nothing is visible in {frames}: {}", explained(loaded, pictures, why));
    Some(loaded.fault(CODE, message))
}

/// Returns a failure for each of the `empty` animations of `loaded`.
pub fn failures(loaded: &Loaded, empty: &[(&[Planned], Emptiness)], is_written: bool) -> Vec<Failure> {
    let failure = |&(pictures, why): &(&[Planned], Emptiness)| Failure::Empty {
        error: error(loaded, pictures, is_written),
        help: Some(explained(loaded, pictures, why)),
    };
    empty.iter().map(failure).collect()
}

fn error(loaded: &Loaded, pictures: &[Planned], is_written: bool) -> Error {
    let model = loaded.character.model();
    let of = match animation_of(pictures) {
        Some(id) => format!("`{}`", escaped(&model.animation(id).name)),
        None => "the pose without an animation".to_owned(),
    };
    let frames = match pictures.len() {
        1 => "the chosen frame".to_owned(),
        count => format!("any of the {count} chosen frames"),
    };
    let written = if is_written { "; the output was written anyway" } else { "" };
    let message = format!("nothing is visible in {frames} of {of}{written}");
    Error::unsupported(CODE, Place::file(loaded.file.display()), message)
}

/// Returns the reason in words, and suggests skins if none is applied.
fn explained(loaded: &Loaded, pictures: &[Planned], why: Emptiness) -> String {
    let skins = pictures.first().map_or(&[][..], |picture| &picture.cue.skins);
    match skins_that_may_help(loaded, skins).filter(|_| why.is_without_attachments()) {
        Some(help) => format!("{why}; {help}"),
        None => why.to_string(),
    }
}

fn skins_that_may_help(loaded: &Loaded, applied: &[SkinId]) -> Option<String> {
    let skins = loaded.character.model().skins();
    let others = skins.iter().filter(|skin| &*skin.name != "default" && !skin.entries.is_empty());
    let names: Vec<String> = others.take(3).map(|skin| format!("`{}`", escaped(&skin.name))).collect();
    let may_help = applied.is_empty() && !names.is_empty();
    may_help.then(|| format!("--skin NAME applies one of its {} skins, such as {}", skins.len(), names.join(", ")))
}
