//! The order of constraints, and constraints that are left out.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::error::escaped;
use crate::formats::Loss;
use crate::formats::spine::build::{Kind, constraint_name, places};
use crate::formats::spine::schema::{Root, Text};

/// A constraint by kind and name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Named {
    pub kind: Kind,
    pub name: String,
}

/// All constraints, in the order in which they are applied, which is also their order in a model.
pub fn constraints(root: &Root<'_>) -> Vec<Named> {
    let named = |(_, kind, index)| Named { kind, name: constraint_name(root, kind, index).to_string() };
    places(root).into_iter().map(named).collect()
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Ik => "IK",
            Kind::Transform => "transform",
            Kind::Path => "path",
            Kind::Physics => "physics",
            Kind::Slider => return write!(f, "slider `{}`", escaped(&self.name)),
        };
        write!(f, "{kind} constraint `{}`", escaped(&self.name))
    }
}

/// Removes the constraints that 4.0 and later never apply: those whose order is not below their number, and all but
/// the first of the same order.
pub fn drop_unapplied(root: &mut Root<'_>, losses: &mut Vec<Loss>) {
    let places = places(root);
    let count = places.len() as i64;
    let mut last = None;
    let mut unapplied: HashSet<(Kind, usize)> = HashSet::new();
    for (&(order, kind, index), constraint) in places.iter().zip(constraints(root)) {
        if last == Some(order) || !(0..count).contains(&order) {
            let message = format!(
                "{constraint} is not written: the version of the file never applies a constraint with this order"
            );
            losses.push(Loss::new("constraint-dropped", "", message));
            unapplied.insert((kind, index));
        } else {
            last = Some(order);
        }
    }
    if unapplied.is_empty() {
        return;
    }
    // Of several constraints with one name, keys and skins refer to the last.
    let unnamed: HashSet<Named> = [
        names(Kind::Ik, root.ik.iter().map(|it| &it.name)),
        names(Kind::Transform, root.transform.iter().map(|it| &it.name)),
        names(Kind::Path, root.path.iter().map(|it| &it.name)),
        names(Kind::Physics, root.physics.iter().map(|it| &it.name)),
        names(Kind::Slider, root.sliders.iter().map(|it| &it.name)),
    ]
    .into_iter()
    .flatten()
    .filter(|(named, index)| unapplied.contains(&(named.kind, *index)))
    .map(|(named, _)| named)
    .collect();
    let is_applied = |kind, index| !unapplied.contains(&(kind, index));
    retain(&mut root.ik, |index| is_applied(Kind::Ik, index));
    retain(&mut root.transform, |index| is_applied(Kind::Transform, index));
    retain(&mut root.path, |index| is_applied(Kind::Path, index));
    retain(&mut root.physics, |index| is_applied(Kind::Physics, index));
    retain(&mut root.sliders, |index| is_applied(Kind::Slider, index));
    remove_references(root, &unnamed);
    number(root);
}

/// All names of constraints of a kind, with the index of the last one.
fn names<'n>(kind: Kind, names: impl Iterator<Item = &'n Text<'n>>) -> HashMap<Named, usize> {
    names.zip(0..).map(|(name, index)| (Named { kind, name: name.to_string() }, index)).collect()
}

/// Keeps the items whose index is wanted.
fn retain<T>(items: &mut Vec<T>, is_wanted: impl Fn(usize) -> bool) {
    let mut index = 0;
    items.retain(|_| {
        index += 1;
        is_wanted(index - 1)
    });
}

/// Numbers the constraints from 0 in the order in which they are applied, as 4.0 and later need them.
pub fn number(root: &mut Root<'_>) {
    for ((_, kind, index), order) in places(root).into_iter().zip(0..) {
        match kind {
            Kind::Ik => root.ik[index].order = order,
            Kind::Transform => root.transform[index].order = order,
            Kind::Path => root.path[index].order = order,
            Kind::Physics => root.physics[index].order = order,
            Kind::Slider => root.sliders[index].order = order,
        }
    }
}

/// Removes constraints with their timelines, and closes the gaps in the order.
pub fn remove(root: &mut Root<'_>, removed: &HashSet<Named>) {
    root.ik.retain(|it| !has(removed, Kind::Ik, &it.name));
    root.transform.retain(|it| !has(removed, Kind::Transform, &it.name));
    root.path.retain(|it| !has(removed, Kind::Path, &it.name));
    root.physics.retain(|it| !has(removed, Kind::Physics, &it.name));
    root.sliders.retain(|it| !has(removed, Kind::Slider, &it.name));
    remove_references(root, removed);
    number(root);
}

/// Removes the timelines of constraints, and their entries in skins.
fn remove_references(root: &mut Root<'_>, removed: &HashSet<Named>) {
    for skin in &mut root.skins.list {
        skin.ik.retain(|name| !has(removed, Kind::Ik, name));
        skin.transform.retain(|name| !has(removed, Kind::Transform, name));
        skin.path.retain(|name| !has(removed, Kind::Path, name));
        skin.physics.retain(|name| !has(removed, Kind::Physics, name));
        skin.slider.retain(|name| !has(removed, Kind::Slider, name));
    }
    for (_, animation) in &mut root.animations.0 {
        animation.ik.0.retain(|(name, _)| !has(removed, Kind::Ik, name));
        animation.transform.0.retain(|(name, _)| !has(removed, Kind::Transform, name));
        animation.path.0.retain(|(name, _)| !has(removed, Kind::Path, name));
        animation.slider.0.retain(|(name, _)| !has(removed, Kind::Slider, name));
        // The empty name stands for all constraints.
        animation.physics.0.retain(|(name, _)| name.as_str().is_empty() || !has(removed, Kind::Physics, name));
    }
    if root.physics.is_empty() {
        root.animations.0.iter_mut().for_each(|(_, animation)| animation.physics.0.clear());
    }
}

fn has(removed: &HashSet<Named>, kind: Kind, name: &Text<'_>) -> bool {
    removed.contains(&Named { kind, name: name.to_string() })
}
