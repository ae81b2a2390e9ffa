//! Duplicate names: references lead to the last item of that name.

use std::collections::HashMap;

use super::{Remark, Subject};
use crate::diagnostics::Diagnostics;
use crate::error::escaped;
use crate::formats::spine::build::{Kind, at, constraint_pointer, escaped_key};
use crate::formats::spine::schema::{Root, Text};

/// Checks everything that is referenced by name.
pub fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let root = subject.root;
    let mut twice = Vec::new();
    let listed = |list: &str| {
        let list = list.to_owned();
        move |index: usize, _: &str| format!("/{list}/{index}/name")
    };
    let keyed = |list: &str| {
        let list = list.to_owned();
        move |_: usize, name: &str| format!("/{list}/{}", escaped_key(name))
    };
    let is_object = root.skins.is_object;
    find("bones", root.bones.iter().map(|bone| &bone.name), listed("bones"), &mut twice);
    find("slots", root.slots.iter().map(|slot| &slot.name), listed("slots"), &mut twice);
    let of = |kind, order: fn(&Root<'_>, usize) -> i64| {
        move |index, _: &str| format!("{}/name", constraint_pointer(root, kind, index, order(root, index)))
    };
    let (ik, transform) = (root.ik.iter().map(|it| &it.name), root.transform.iter().map(|it| &it.name));
    find("IK constraints", ik, of(Kind::Ik, |root, at| root.ik[at].order), &mut twice);
    find("transform constraints", transform, of(Kind::Transform, |root, at| root.transform[at].order), &mut twice);
    let (path, physics) = (root.path.iter().map(|it| &it.name), root.physics.iter().map(|it| &it.name));
    find("path constraints", path, of(Kind::Path, |root, at| root.path[at].order), &mut twice);
    find("physics constraints", physics, of(Kind::Physics, |root, at| root.physics[at].order), &mut twice);
    let sliders = root.sliders.iter().map(|it| &it.name);
    find("sliders", sliders, of(Kind::Slider, |root, at| root.sliders[at].order), &mut twice);
    let skins = root.skins.list.iter().map(|skin| &skin.name);
    if is_object {
        find("skins", skins, keyed("skins"), &mut twice);
    } else {
        find("skins", skins, listed("skins"), &mut twice);
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
    let mut seen: HashMap<&str, (usize, usize)> = HashMap::new();
    let mut order = Vec::new();
    for (index, name) in names.enumerate() {
        let (count, second) = seen.entry(name.as_str()).or_default();
        *count += 1;
        if *count == 2 {
            *second = index;
            order.push(name.as_str());
        }
    }
    twice.extend(order.into_iter().filter_map(|name| {
        let (count, second) = seen.get(name)?;
        let message = format!("{count} {list} are called `{}`; references resolve to the last one", escaped(name));
        Some((at(pointer(*second, name)), message))
    }));
}
