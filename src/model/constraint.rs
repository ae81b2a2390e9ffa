//! Constraints. They are solved in [`motion`](crate::motion).

use super::{BoneId, Id, SlotId};

/// Id of a constraint.
pub type ConstraintId = Id<Constraint>;

/// A constraint: adjusts bones after animations have posed them.
#[derive(Debug, Clone)]
pub struct Constraint {
    /// The name in the file. SkelForm families without one are named after their target.
    pub name: Box<str>,
    /// The type of constraint.
    pub kind: ConstraintKind,
    /// The constrained bones; for IK, from the root of the chain to its tip.
    pub bones: Vec<BoneId>,
    /// The target; `None` for physics, which follows the movement of the bone itself, and for sliders
    /// without a bone.
    pub target: Option<ConstraintTarget>,
    /// True if it is only active with a skin that contains it.
    pub needs_skin: bool,
}

/// The type of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConstraintKind {
    /// Bones reach for a target: one or two in Spine, at least two in SkelForm.
    Ik,
    /// Bones copy the transform of another bone.
    Transform,
    /// Bones follow a path.
    Path,
    /// A bone lags behind and swings.
    Physics,
    /// An animation is applied at a time of its own, or at one given by a bone.
    Slider,
}

impl ConstraintKind {
    /// Returns the name as files write it: ik, transform, path, physics or slider.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ik => "ik",
            Self::Transform => "transform",
            Self::Path => "path",
            Self::Physics => "physics",
            Self::Slider => "slider",
        }
    }

    /// Returns the kind in words, such as `IK constraint`.
    pub fn title(self) -> &'static str {
        match self {
            Self::Ik => "IK constraint",
            Self::Transform => "Transform constraint",
            Self::Path => "Path constraint",
            Self::Physics => "Physics constraint",
            Self::Slider => "Slider",
        }
    }
}

/// The target of a constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConstraintTarget {
    /// A bone.
    Bone(BoneId),
    /// The path attachment of a slot.
    Slot(SlotId),
}
