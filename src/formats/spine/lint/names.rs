//! Duplicate names: references lead to the last item of that name, and most programs read only the last of the keys of
//! an object.

use super::{Remark, Subject};
use crate::diagnostics::{Diagnostics, Severity};
use crate::error::{Place, escaped};
use crate::formats::detect::json::JsonText;
use crate::formats::json::duplicates::{Duplicate, duplicates};
use crate::formats::repeated::repeated;
use crate::formats::spine::build::{at, constraint_pointer, escaped_key};
use crate::formats::spine::schema::{KINDS, Text};

/// Most keys that are listed.
const MAX_KEYS: usize = 100;

/// Checks everything that is referenced by name.
pub fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let root = subject.root;
    let mut twice = Vec::new();
    let listed = |list: &'static str| move |index: usize, _: &str| format!("/{list}/{index}/name");
    find("bones", root.bones.iter().map(|bone| &bone.name), listed("bones"), &mut twice);
    find("slots", root.slots.iter().map(|slot| &slot.name), listed("slots"), &mut twice);
    for &kind in KINDS {
        let places: Vec<usize> =
            (0..root.constraints.len()).filter(|&at| root.constraints[at].kind() == kind).collect();
        let names = places.iter().map(|&at| root.constraints[at].name());
        let pointer = |at: usize, _: &str| format!("{}/name", constraint_pointer(root, places[at]));
        find(&format!("{}s", kind.row().what), names, pointer, &mut twice);
    }
    let skins = root.skins.list.iter().map(|skin| &skin.name);
    if !root.skins.is_object {
        find("skins", skins, listed("skins"), &mut twice);
    }
    if let Some(json) = subject.json {
        keys(json, diagnostics);
    } else {
        let keyed = |list: &'static str| move |_: usize, name: &str| format!("/{list}/{}", escaped_key(name));
        find("events", root.events.0.iter().map(|(name, _)| name), keyed("events"), &mut twice);
        find("animations", root.animations.0.iter().map(|(name, _)| name), keyed("animations"), &mut twice);
    }
    diagnostics.warn_all("duplicate-name", twice);
}

/// Reports keys that an object has more than once.
fn keys(JsonText { text, offset }: JsonText<'_>, diagnostics: &mut Diagnostics) {
    let (found, more) = duplicates(text, MAX_KEYS);
    diagnostics.warn_all(
        "duplicate-name",
        found.into_iter().map(|Duplicate { pointer, key, count, first: (line, column), second }| {
            let message = format!(
                "the object has {count} keys `{}`, the first at line {line}, column {column}; most programs read only the \
                 last one",
                escaped(&key)
            );
            (Place::at(pointer, offset.saturating_add(second as u64)), message)
        }),
    );
    diagnostics.add_more(Severity::Warning, "duplicate-name", more);
}

/// Reports each duplicate name once, at its second occurrence.
fn find<'a>(
    list: &str,
    names: impl Iterator<Item = &'a Text<'a>>,
    pointer: impl Fn(usize, &str) -> String,
    twice: &mut Vec<Remark>,
) {
    twice.extend(repeated(names.map(Text::as_str).enumerate()).into_iter().map(|(second, name, count)| {
        let message = format!("{count} {list} are called `{}`; references resolve to the last one", escaped(name));
        (at(pointer(second, name)), message)
    }));
}
