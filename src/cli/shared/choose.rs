//! Resolves names given on the command line, with suggestions for unknown ones.

use super::failure::Failure;
use crate::character::Character;
use crate::error::shown;
use crate::export::{NO_SKIN, UnknownName, choose};
use crate::model::{AnimationId, Model, SkinId};
use crate::motion::sole_skin;

/// Returns the animations named in `wanted`, or the default one if it is empty.
pub fn animations(model: &Model, wanted: &[String]) -> Result<Vec<AnimationId>, Failure> {
    let chosen = choose::animations(model, wanted).map_err(not_found)?;
    Ok(chosen.unwrap_or_else(|| model.default_animation().into_iter().collect()))
}

/// Returns the skins named in `wanted`. If it is empty and so is the default skin, returns the only other skin.
pub fn skins(character: &Character, wanted: &[String]) -> Result<Vec<SkinId>, Failure> {
    choose::skins(character, wanted).map_err(not_found)
}

/// Returns a message about a skin that was chosen automatically, if one was.
pub fn unchosen_skin(character: &Character, wanted: &[String]) -> Option<String> {
    let sole = sole_skin(character).filter(|_| wanted.is_empty())?;
    let name = shown(&character.model().skin(sole).name);
    Some(format!("using skin `{name}`, the only one that is not empty; `--skin {NO_SKIN}` disables it"))
}

/// The error for a name or `#index` that does not exist.
pub fn not_found(UnknownName { what, name, known }: UnknownName) -> Failure {
    match name.strip_prefix('#').and_then(|index| index.parse::<usize>().ok()) {
        Some(index) => {
            let count = known.len();
            Failure::usage(format!("{what} #{index} does not exist, there are {count}, counted from 0"))
        }
        None => unknown(what, &name, known.iter().map(String::as_str)),
    }
}

/// The error for an unknown name, with similar names as help.
pub fn unknown<'a>(what: &str, name: &str, names: impl Iterator<Item = &'a str>) -> Failure {
    let mut near: Vec<(f64, &str)> =
        names.map(|known| (strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase()), known)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let similar = near.iter().take_while(|(likeness, _)| *likeness > 0.75).count();
    let shown: Vec<String> = near.iter().take(similar.clamp(1, 3)).map(|(_, name)| format!("`{name}`")).collect();
    let message = format!("no {what} named `{name}`");
    match (near.len(), similar) {
        (0, _) => Failure::usage(format!("{message}; the file has none")),
        (count, 0) => {
            let all: Vec<String> = near.iter().take(10).map(|(_, name)| format!("`{name}`")).collect();
            let more = if count > 10 { ", …" } else { "" };
            Failure::usage_with_help(message, format!("available: {}{more}", all.join(", ")))
        }
        _ => Failure::usage_with_help(message, format!("did you mean {}?", shown.join(" or "))),
    }
}
