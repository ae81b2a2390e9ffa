//! Memory for motion as Spine has it, with keys and constraints.

use crate::math::{DAffine2, DVec2};
use crate::model::{AttachmentId, SkinId};

/// Memory that is used again from pose to pose.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keyed {
    /// Which motion and which skins what follows was made for; 0 is none.
    pub made_for: (u64, Vec<SkinId>),
    /// What is worked out, in this order.
    pub plan: Vec<Step>,
    /// By bone: it is there.
    pub is_active: Vec<bool>,
    /// By constraint: it does something.
    pub is_constraining: Vec<bool>,
    /// By name that animations use: what it is in these skins.
    pub attachments: Vec<Option<AttachmentId>>,
    /// By bone: while planning, it is worked out already.
    pub is_done: Vec<bool>,
    /// By bone: while planning, it is to be worked out again.
    pub is_stale: Vec<bool>,
    /// By bone: as animations left it.
    pub local: Vec<BoneLocal>,
    /// By bone: with what constraints did to it.
    pub applied: Vec<BoneLocal>,
    /// By bone: `applied` belongs to `world`.
    pub is_applied_valid: Vec<bool>,
    /// By bone: world from bone.
    pub world: Vec<DAffine2>,
    /// By constraint: as animations left it.
    pub constraints: Vec<ConstraintPose>,
    /// What animations that fade have changed.
    pub fade: Fade,
    /// Corners of a path in the world.
    pub path_points: Vec<DVec2>,
    /// How long a path is up to the end of each curve.
    pub path_lengths: Vec<f64>,
    /// How far apart bones on a path are.
    pub path_spaces: Vec<f64>,
    /// How long bones on a path are.
    pub path_bones: Vec<f64>,
    /// Where bones on a path go, and in which direction the path runs there.
    pub path_places: Vec<(DVec2, f64)>,
}

/// What animations that fade have changed so far, by the number of each thing that can be changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fade {
    /// By any of them.
    pub changed: Bits,
    /// By those of tracks below.
    pub below: Bits,
    /// By those that are there to stay.
    pub kept: Bits,
    /// Slots whose attachment was shown by one that goes: slot and number.
    pub loose: Vec<(u32, u32)>,
}

impl Fade {
    pub fn clear(&mut self) {
        self.changed.0.clear();
        self.below.0.clear();
        self.kept.0.clear();
        self.loose.clear();
    }
}

/// A set of numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// False where it was there.
    pub fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// The same numbers as in `others`, in the memory that is there.
    pub fn set(&mut self, others: &Self) {
        self.0.clone_from(&others.0);
    }

    pub fn contains(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }
}

/// One thing to work out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A bone's matrix.
    Bone(u32),
    /// What a constraint does.
    Constraint(u32),
}

/// A bone relative to its parent. Pixels and degrees counter-clockwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BoneLocal {
    pub translation: DVec2,
    pub rotation: f64,
    pub scale: DVec2,
    pub shear: DVec2,
}

/// A constraint at one instant.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct ConstraintPose {
    /// In the order of its timelines: of inverse kinematics mix and softness; of a transform its four mixes; of a
    /// path position, spacing and the two mixes.
    pub values: [f64; 4],
    pub bends_positive: bool,
    pub compresses: bool,
    pub stretches: bool,
}
