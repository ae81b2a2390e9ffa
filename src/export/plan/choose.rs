//! Resolves the animation and skin names given in options.

use crate::Character;
use crate::export::options::{NO_SKIN, named};
use crate::limits::Limits;
use crate::model::{AnimationId, Model, SkinId, UnknownName};
use crate::motion::{default_skins, first_animation, initial_skins};

/// Returns the index of the item called `name`, or `#index` in file order.
pub(crate) fn index(what: &'static str, name: &str, names: &[&str]) -> Result<usize, UnknownName> {
    named(name, names.iter().copied()).ok_or_else(|| UnknownName {
        what,
        name: name.to_owned(),
        known: names.iter().map(|&name| name.to_owned()).collect(),
    })
}

/// Returns the animations named by `wanted`, or `None` if it is empty. `all` selects every animation but the bind
/// pose, unless one has that name.
pub fn animations(model: &Model, wanted: &[String]) -> Result<Option<Vec<AnimationId>>, UnknownName> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let names: Vec<&str> = model.animations().iter().map(|animation| animation.name.as_str()).collect();
    let mut chosen = Vec::new();
    for name in wanted {
        let found = model.find_animation(name);
        if found.is_some() {
            chosen.extend(found);
        } else if name == "all" {
            chosen.extend(model.motions());
        } else {
            let index = index("animation", name, &names)?;
            chosen.extend(model.animation_ids().nth(index));
        }
    }
    Ok(Some(chosen))
}

/// Returns the animations named by `wanted` as [`animations`] does, or [`first_animation`] if it is empty.
pub fn animations_or_first(
    character: &Character,
    wanted: &[String],
    limits: &Limits,
) -> Result<Vec<AnimationId>, UnknownName> {
    let first = || first_animation(character, limits.first_picture_work()).into_iter().collect();
    Ok(animations(character.model(), wanted)?.unwrap_or_else(first))
}

/// Returns the skins named by `wanted`, in its order, or [`initial_skins`] if it is empty.
pub fn skins(character: &Character, wanted: &[String]) -> Result<Vec<SkinId>, UnknownName> {
    if wanted.is_empty() {
        return Ok(initial_skins(character));
    }
    let model = character.model();
    let names: Vec<&str> = model.skins().iter().map(|skin| &*skin.name).collect();
    let is_none = |name: &&String| *name == NO_SKIN && model.find_skin(NO_SKIN).is_none();
    let mut chosen = Vec::new();
    for name in wanted.iter().filter(|name| !is_none(name)) {
        chosen.extend(model.skin_ids().nth(index("skin", name, &names)?));
    }
    Ok(chosen)
}

/// Returns the number of skins that could be put on in addition to `worn`.
pub fn other_skins(character: &Character, worn: &[SkinId]) -> usize {
    let is_other = |id: &SkinId| !worn.contains(id) && !default_skins(character).contains(id);
    character.model().skin_ids().filter(is_other).count()
}
