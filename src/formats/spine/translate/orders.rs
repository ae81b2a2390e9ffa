//! The order of constraints, and constraints that are left out.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::error::escaped;
use crate::formats::Loss;
use crate::formats::spine::binary::Layout;
use crate::formats::spine::build::applied;
use crate::formats::spine::schema::{Constraint, Root, Text};
use crate::model::ConstraintKind;

/// A constraint by kind and name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Named {
    pub kind: ConstraintKind,
    pub name: String,
}

impl Named {
    pub fn of(constraint: &Constraint<'_>) -> Self {
        Self { kind: constraint.kind(), name: constraint.name().to_string() }
    }
}

/// All constraints, in the order in which they are applied, which is also their order in a model.
pub fn constraints(root: &Root<'_>) -> Vec<Named> {
    applied(root).into_iter().map(|at| Named::of(&root.constraints[at])).collect()
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.kind.row().what, escaped(&self.name))
    }
}

/// Removes the constraints that 4.0 and later never apply: those whose order is not below their number, and all but
/// the first of the same order.
pub fn drop_unapplied(root: &mut Root<'_>, losses: &mut Vec<Loss>) {
    let count = root.constraints.len() as i64;
    let mut last = None;
    let mut unapplied: HashSet<usize> = HashSet::new();
    for at in applied(root) {
        let order = root.constraints[at].order();
        if last == Some(order) || !(0..count).contains(&order) {
            let message = format!(
                "{} is not written: the version of the file never applies a constraint with this order",
                Named::of(&root.constraints[at])
            );
            losses.push(Loss::new("constraint-dropped", "", message));
            unapplied.insert(at);
        } else {
            last = Some(order);
        }
    }
    if unapplied.is_empty() {
        return;
    }
    // Of several constraints with one name, keys and skins refer to the last.
    let last: HashMap<Named, usize> = root.constraints.iter().map(Named::of).zip(0..).collect();
    let unnamed = last.into_iter().filter(|(_, at)| unapplied.contains(at)).map(|(named, _)| named).collect();
    let mut index = 0..;
    root.constraints.retain(|_| index.next().is_none_or(|at| !unapplied.contains(&at)));
    remove_references(root, &unnamed);
    number(root);
}

/// Numbers the constraints from 0 in the order in which they are applied, as 4.0 and later need them.
pub fn number(root: &mut Root<'_>) {
    for (at, order) in applied(root).into_iter().zip(0..) {
        root.constraints[at].set_order(order);
    }
}

/// Removes constraints with their timelines, and closes the gaps in the order.
pub fn remove(root: &mut Root<'_>, removed: &HashSet<Named>) {
    root.constraints.retain(|it| !removed.contains(&Named::of(it)));
    remove_references(root, removed);
    number(root);
}

/// Removes timelines and entries in skins of kinds that came after a layout. Their constraints have been baked, but keys
/// for all of them may be left.
pub fn remove_newer_kinds(root: &mut Root<'_>, layout: Layout) {
    let is_known = |kind: ConstraintKind| kind.row().since <= layout;
    root.skins.list.iter_mut().for_each(|skin| skin.constraints.retain(|(kind, _)| is_known(*kind)));
    root.animations.0.iter_mut().for_each(|(_, it)| it.constraints.retain(|it| is_known(it.kind)));
}

/// Removes the timelines of constraints, and their entries in skins.
fn remove_references(root: &mut Root<'_>, removed: &HashSet<Named>) {
    let is_left = |kind, name: &Text<'_>| !removed.contains(&Named { kind, name: name.to_string() });
    for skin in &mut root.skins.list {
        skin.constraints.retain(|(kind, name)| is_left(*kind, name));
    }
    let has_physics = root.constraints.iter().any(|it| it.kind() == ConstraintKind::Physics);
    for (_, animation) in &mut root.animations.0 {
        // The empty name stands for all constraints.
        animation.constraints.retain(|it| match (it.kind, it.name.as_str()) {
            (ConstraintKind::Physics, _) if !has_physics => false,
            (ConstraintKind::Physics, "") => true,
            (kind, _) => is_left(kind, &it.name),
        });
    }
}
