//! Names on the command line → what they name in the file, or what they may have meant.

use super::failure::Failure;
use crate::character::Character;
use crate::error::shown;
use crate::export::{NO_SKIN, named};
use crate::model::{AnimationId, Model, SkinId};
use crate::motion::sole_skin;

/// The animations that `wanted` names; the default one when it names none.
pub fn animations(model: &Model, wanted: &[String]) -> Result<Vec<AnimationId>, Failure> {
    if wanted.is_empty() {
        return Ok(model.default_animation().into_iter().collect());
    }
    let mut chosen = Vec::new();
    for name in wanted {
        if name == "all" && model.find_animation("all").is_none() {
            chosen.extend(model.motions());
        } else {
            chosen.push(animation(model, name)?);
        }
    }
    Ok(chosen)
}

/// By name, or by `#index` in file order.
fn animation(model: &Model, name: &str) -> Result<AnimationId, Failure> {
    let names = || model.animations().iter().map(|animation| animation.name.as_str());
    let index = index("animation", name, names)?;
    model.animation_ids().nth(index).ok_or_else(|| unknown("animation", name, names()))
}

/// The skins that `wanted` names, by name or by `#index` in file order, in its order. Where it names none, the only one
/// of a character whose default skin is empty.
pub fn skins(character: &Character, wanted: &[String]) -> Result<Vec<SkinId>, Failure> {
    if wanted.is_empty() {
        return Ok(sole_skin(character).into_iter().collect());
    }
    let model = character.model();
    let names = || model.skins().iter().map(|skin| &*skin.name);
    let is_none = |name: &&String| *name == NO_SKIN && model.find_skin(NO_SKIN).is_none();
    let wanted = wanted.iter().filter(|name| !is_none(name));
    let chosen = wanted.map(|name| {
        let index = index("skin", name, names)?;
        model.skin_ids().nth(index).ok_or_else(|| unknown("skin", name, names()))
    });
    chosen.collect()
}

/// What is said of a skin that nobody chose; `None` where none is worn for that.
pub fn unchosen_skin(character: &Character, wanted: &[String]) -> Option<String> {
    let sole = sole_skin(character).filter(|_| wanted.is_empty())?;
    let name = shown(&character.model().skin(sole).name);
    Some(format!("skin `{name}` is worn, as the only one that holds anything; `--skin {NO_SKIN}` takes it off"))
}

/// The number of what is called `name`, or is `#index` in file order.
pub fn index<'a, N: Iterator<Item = &'a str>>(
    what: &str,
    name: &str,
    names: impl Fn() -> N,
) -> Result<usize, Failure> {
    named(name, names()).ok_or_else(|| not_found(what, name, names))
}

/// A name or `#index` that does not exist.
pub fn not_found<'a, N: Iterator<Item = &'a str>>(what: &str, name: &str, names: impl Fn() -> N) -> Failure {
    match name.strip_prefix('#').and_then(|index| index.parse::<usize>().ok()) {
        Some(index) => {
            let count = names().count();
            Failure::usage(format!("{what} #{index} does not exist, there are {count}, counted from 0"))
        }
        None => unknown(what, name, names()),
    }
}

/// A name that is not there, with those that are near it.
pub fn unknown<'a>(what: &str, name: &str, names: impl Iterator<Item = &'a str>) -> Failure {
    let mut near: Vec<(f64, &str)> =
        names.map(|known| (strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase()), known)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let similar = near.iter().take_while(|(likeness, _)| *likeness > 0.75).count();
    let shown: Vec<String> = near.iter().take(similar.clamp(1, 3)).map(|(_, name)| format!("`{name}`")).collect();
    let message = format!("no {what} is called `{name}`");
    match (near.len(), similar) {
        (0, _) => Failure::usage(format!("{message}, the file has none")),
        (count, 0) => {
            let all: Vec<String> = near.iter().take(10).map(|(_, name)| format!("`{name}`")).collect();
            let more = if count > 10 { ", …" } else { "" };
            Failure::usage_with_help(message, format!("there is {}{more}", all.join(", ")))
        }
        _ => Failure::usage_with_help(message, format!("did you mean {}?", shown.join(" or "))),
    }
}
