//! Resolves the animation and skin names given in options.

use std::collections::HashSet;

use super::{NO_SKIN, named};
use crate::character::Character;
use crate::model::{AnimationId, Model, SkinId, UnknownName};
use crate::motion::sole_skin;

/// Returns the index of the item called `name`, or `#index` in file order.
pub fn index(what: &'static str, name: &str, names: &[&str]) -> Result<usize, UnknownName> {
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
        if name == "all" && model.find_animation("all").is_none() {
            chosen.extend(model.motions());
        } else {
            let index = index("animation", name, &names)?;
            chosen.extend(model.animation_ids().nth(index));
        }
    }
    Ok(Some(chosen))
}

/// Same as [`animations`], without duplicates.
pub fn distinct_animations(model: &Model, wanted: &[String]) -> Result<Option<Vec<AnimationId>>, UnknownName> {
    let mut seen = HashSet::new();
    let mut chosen = animations(model, wanted)?;
    if let Some(chosen) = &mut chosen {
        chosen.retain(|id| seen.insert(*id));
    }
    Ok(chosen)
}

/// Returns the skins named by `wanted`, in its order. If it is empty and the default skin is empty, returns the
/// only other skin, if there is exactly one.
pub fn skins(character: &Character, wanted: &[String]) -> Result<Vec<SkinId>, UnknownName> {
    if wanted.is_empty() {
        return Ok(sole_skin(character).into_iter().collect());
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
