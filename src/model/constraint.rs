//! The list of constraints. How they pull is in [`motion`](crate::motion).

use super::{BoneId, SlotId};

/// What pulls bones away from where animations left them.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint {
    /// The name in the file.
    pub name: Box<str>,
    /// How it pulls.
    pub kind: ConstraintKind,
    /// What it pulls.
    pub bones: Vec<BoneId>,
    /// What it pulls them to.
    pub target: ConstraintTarget,
    /// Acts only with a skin that has it.
    pub needs_skin: bool,
}

/// How a constraint pulls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstraintKind {
    /// One or two bones reach for a target.
    Ik,
    /// Bones do as another does.
    Transform,
    /// Bones follow a path.
    Path,
}

/// What a constraint pulls to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstraintTarget {
    /// A bone.
    Bone(BoneId),
    /// The path that a slot shows.
    Slot(SlotId),
}
