//! The order of constraints, and constraints that are left out.

use std::fmt;

use crate::error::escaped;
use crate::formats::spine::build::{Kind, places};
use crate::formats::spine::schema::{Root, Text};
use crate::formats::written::Lost;

/// A constraint by kind and name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Named {
    pub kind: Kind,
    pub name: String,
}

/// All constraints, in the order in which they are applied. Those of a model have the same order.
pub fn constraints(root: &Root<'_>) -> Vec<Named> {
    let name = |kind, index: usize| match kind {
        Kind::Ik => root.ik[index].name.to_string(),
        Kind::Transform => root.transform[index].name.to_string(),
        Kind::Path => root.path[index].name.to_string(),
        Kind::Physics => root.physics[index].name.to_string(),
    };
    places(root).into_iter().map(|(_, kind, index)| Named { kind, name: name(kind, index) }).collect()
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Ik => "IK",
            Kind::Transform => "transform",
            Kind::Path => "path",
            Kind::Physics => "physics",
        };
        write!(f, "{kind} constraint `{}`", escaped(&self.name))
    }
}

/// Removes the constraints that 4.0 and later never apply: those whose order is not below their number, and all but
/// the first of the same order.
pub fn drop_unapplied(root: &mut Root<'_>, losses: &mut Vec<Lost>) {
    let places = places(root);
    let count = places.len() as i64;
    let mut last = None;
    let mut unapplied = Vec::new();
    for ((order, ..), constraint) in places.into_iter().zip(constraints(root)) {
        if last == Some(order) || !(0..count).contains(&order) {
            unapplied.push(constraint);
        } else {
            last = Some(order);
        }
    }
    for constraint in unapplied {
        let message =
            format!("{constraint} is left out: because of its order, the version of the file never applies it");
        losses.push(Lost::character("constraint-dropped", message));
        remove(root, &constraint);
    }
}

/// Numbers the constraints from 0 in the order in which they are applied, as 4.0 and later need them.
pub fn number(root: &mut Root<'_>) {
    for ((_, kind, index), order) in places(root).into_iter().zip(0..) {
        match kind {
            Kind::Ik => root.ik[index].order = order,
            Kind::Transform => root.transform[index].order = order,
            Kind::Path => root.path[index].order = order,
            Kind::Physics => root.physics[index].order = order,
        }
    }
}

/// Removes a constraint with its timelines, and closes the gap in the order.
pub fn remove(root: &mut Root<'_>, constraint: &Named) {
    let is = |name: &Text<'_>| name.as_str() == constraint.name;
    let Root { ik, transform, path, physics, skins, animations, .. } = &mut *root;
    match constraint.kind {
        Kind::Ik => ik.retain(|it| !is(&it.name)),
        Kind::Transform => transform.retain(|it| !is(&it.name)),
        Kind::Path => path.retain(|it| !is(&it.name)),
        Kind::Physics => physics.retain(|it| !is(&it.name)),
    }
    for skin in &mut skins.list {
        match constraint.kind {
            Kind::Ik => skin.ik.retain(|name| !is(name)),
            Kind::Transform => skin.transform.retain(|name| !is(name)),
            Kind::Path => skin.path.retain(|name| !is(name)),
            Kind::Physics => skin.physics.retain(|name| !is(name)),
        }
    }
    for (_, animation) in &mut animations.0 {
        match constraint.kind {
            Kind::Ik => animation.ik.0.retain(|(name, _)| !is(name)),
            Kind::Transform => animation.transform.0.retain(|(name, _)| !is(name)),
            Kind::Path => animation.path.0.retain(|(name, _)| !is(name)),
            Kind::Physics => animation.physics.0.retain(|(name, _)| !is(name)),
        }
    }
    if root.physics.is_empty() {
        // Keys for all constraints.
        root.animations.0.iter_mut().for_each(|(_, animation)| animation.physics.0.clear());
    }
    number(root);
}
