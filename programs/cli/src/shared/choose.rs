//! Resolves names given on the command line, with suggestions for unknown ones.

use super::failure::Failure;
use pchr::Character;
use pchr::error::{and_more, escaped};
use pchr::export::{NO_SKIN, NamePattern, choose};
use pchr::limits::Limits;
use pchr::model::{AnimationId, Model, SkinId, UnknownName};
use pchr::motion::initial_skins;

/// Returns the animations named in `wanted`, or the default one if it is empty.
pub fn animations(model: &Model, wanted: &[String]) -> Result<Vec<AnimationId>, Failure> {
    let chosen = choose::animations(model, wanted).map_err(not_found)?;
    Ok(chosen.unwrap_or_else(|| model.default_animation().into_iter().collect()))
}

/// Returns the animations named in `wanted`, or the one to show first if it is empty.
pub fn animations_or_first(
    character: &Character,
    wanted: &[String],
    limits: &Limits,
) -> Result<Vec<AnimationId>, Failure> {
    choose::animations_or_first(character, wanted, limits).map_err(not_found)
}

/// Returns the skins named in `wanted`, or those that the character needs if it is empty.
pub fn skins(character: &Character, wanted: &[String]) -> Result<Vec<SkinId>, Failure> {
    choose::skins(character, wanted).map_err(not_found)
}

/// Returns a message about skins that were chosen automatically, if any were.
pub fn unchosen_skins(character: &Character, wanted: &[String]) -> Option<String> {
    /// Maximum number of names in the message.
    const MAX_NAMES: usize = 3;
    let worn = if wanted.is_empty() { initial_skins(character) } else { return None };
    let model = character.model();
    let names: Vec<String> = worn.iter().rev().map(|id| format!("`{}`", escaped(&model.skin(*id).name))).collect();
    let names = match worn.len() {
        0 => return None,
        1 => format!("skin {}", names[0]),
        _ => format!("skins {}", and_more(&names, MAX_NAMES)),
    };
    Some(match choose::other_skins(character, &worn) {
        0 => format!("{names}; without: `--skin {NO_SKIN}`"),
        1 => format!("{names}; 1 other: `--skin`"),
        others => format!("{names}; {others} others: `--skin`"),
    })
}

/// Returns the error for a name or `#index` that does not exist.
pub fn not_found(UnknownName { what, name, known }: UnknownName) -> Failure {
    match name.strip_prefix('#').and_then(|index| index.parse::<usize>().ok()) {
        Some(index) => {
            let count = known.len();
            Failure::usage(format!("{what} #{index} does not exist, there are {count}, numbered from 0"))
        }
        None => unknown(what, &name, known.iter().map(String::as_str)),
    }
}

/// Returns the error for a pattern that matches nothing.
pub fn unmatched<'a>(what: &'static str, pattern: &NamePattern, names: impl Iterator<Item = &'a str>) -> Failure {
    match unknown(what, &pattern.to_string(), names) {
        Failure::Usage { help, place, .. } => {
            let message = format!("no {what} matches `{}`", escaped(&pattern.to_string()));
            Failure::Usage { message, help, place }
        }
        other => other,
    }
}

/// Returns the error for a name that does not exist, with similar or available ones.
pub fn unknown<'a>(what: &'static str, name: &str, names: impl Iterator<Item = &'a str>) -> Failure {
    let unknown = UnknownName { what, name: name.to_owned(), known: names.map(str::to_owned).collect() };
    let message = format!("no {what} named `{name}`");
    if unknown.known.is_empty() {
        return Failure::usage(format!("{message}; the file has none"));
    }
    Failure::usage_with_help(message, unknown.suggestion())
}
