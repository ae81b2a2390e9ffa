//! Constraints changed by the caller.

use super::Lifetime;
use crate::model::BoneId;

/// A constraint changed by the caller: how strongly an arm aims, which of two hands it reaches for, the wind in a cape.
///
/// Values replace the animated ones, `None` keeps them. Several overrides of the same constraint are applied in
/// order. Non-finite values, and constraints, settings and bones that the character does not have, are ignored. PCHR
/// and sprite sheets have no constraints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstraintOverride {
    /// The place of the constraint in [`Model::constraints`](crate::model::Model::constraints).
    pub constraint: usize,
    /// Its settings, in the order and the units of [`constraint_settings`](super::constraint_settings).
    pub settings: [Option<f32>; 7],
    /// The bone that it follows instead of its own target: for inverse kinematics and transform constraints.
    pub target: Option<BoneId>,
    /// How long an animator keeps it.
    pub lifetime: Lifetime,
}

impl ConstraintOverride {
    /// Creates an override that changes nothing yet.
    pub fn new(constraint: usize) -> Self {
        Self { constraint, settings: [None; 7], target: None, lifetime: Lifetime::default() }
    }
}
