//! Duplicate names: references lead to the last item of that name.

use super::{Remark, Subject};
use crate::diagnostics::Diagnostics;
use crate::error::escaped;
use crate::formats::repeated::repeated;
use crate::formats::spine::build::{at, constraint_pointer, escaped_key};
use crate::formats::spine::schema::{KINDS, Text};

/// Checks everything that is referenced by name.
pub fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let root = subject.root;
    let mut twice = Vec::new();
    let listed = |list: &'static str| move |index: usize, _: &str| format!("/{list}/{index}/name");
    let keyed = |list: &'static str| move |_: usize, name: &str| format!("/{list}/{}", escaped_key(name));
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
    match root.skins.is_object {
        true => find("skins", skins, keyed("skins"), &mut twice),
        false => find("skins", skins, listed("skins"), &mut twice),
    }
    find("events", root.events.0.iter().map(|(name, _)| name), keyed("events"), &mut twice);
    find("animations", root.animations.0.iter().map(|(name, _)| name), keyed("animations"), &mut twice);
    diagnostics.warn_all("duplicate-name", twice);
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
