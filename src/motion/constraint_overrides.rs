//! Constraints changed by the caller.

use super::Lifetime;
use crate::model::{BoneId, ConstraintId};

/// A constraint changed by the caller: how strongly an arm aims, which of two hands it reaches for, the wind in a cape.
///
/// Values replace the animated ones, `None` keeps them. Several overrides of the same constraint are applied in
/// order. Non-finite values, and constraints, settings and bones that the character does not have, are ignored. PCHR
/// and sprite sheets have no constraints.
///
/// ```
/// # use pchr::motion::{ConstraintOverride, ConstraintSettings};
/// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
/// let look = lamp.model().find_constraint("look").expect("the lamp looks at the mouse");
/// let settings = ConstraintSettings { mix: Some(0.5), ..ConstraintSettings::default() };
/// lamp.override_constraint(ConstraintOverride { settings, ..ConstraintOverride::new(look) });
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstraintOverride {
    /// The constraint.
    pub constraint: ConstraintId,
    /// Its settings.
    pub settings: ConstraintSettings,
    /// The bone that it follows instead of its own target: for inverse kinematics and transform constraints.
    pub target: Option<BoneId>,
    /// How long an animator keeps it.
    pub lifetime: Lifetime,
}

impl ConstraintOverride {
    /// Creates an override that changes nothing yet.
    pub fn new(constraint: ConstraintId) -> Self {
        Self { constraint, settings: ConstraintSettings::default(), target: None, lifetime: Lifetime::default() }
    }
}

/// A setting that constraints of some kind have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    /// Its name for [`Animator::set_constraint`](crate::Animator::set_constraint), and in lists.
    pub name: &'static str,
    /// Its field.
    pub of: fn(&mut ConstraintSettings) -> &mut Option<f32>,
}

/// Defines the fields of [`ConstraintSettings`], and a [`Setting`] for each.
macro_rules! settings {
    ($($(#[$doc:meta])* $field:ident, $setting:ident, $name:literal;)*) => {
        /// Settings of a constraint. Each kind has some of them, which
        /// [`constraint_settings`](super::constraint_settings) lists with their values at rest.
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct ConstraintSettings {
            $($(#[$doc])* pub $field: Option<f32>,)*
        }

        impl ConstraintSettings {
            /// Returns these settings, and those of `other` where these are `None`.
            #[must_use]
            pub fn or(self, other: Self) -> Self {
                Self { $($field: self.$field.or(other.$field),)* }
            }
        }

        impl Setting {
            $(pub const $setting: Self = Self { name: $name, of: |settings| &mut settings.$field };)*
        }
    };
}

settings! {
    /// Weight of inverse kinematics, physics and sliders.
    mix, MIX, "mix";
    /// Inverse kinematics: pixels from full reach at which bones slow down.
    softness, SOFTNESS, "softness";
    /// Transform and path constraints: weight of the rotation.
    mix_rotate, MIX_ROTATE, "mix rotate";
    /// Transform and path constraints: weight of the x position.
    mix_x, MIX_X, "mix x";
    /// Transform and path constraints: weight of the y position.
    mix_y, MIX_Y, "mix y";
    /// Transform constraints: weight of the x scale.
    mix_scale_x, MIX_SCALE_X, "mix scale x";
    /// Transform constraints: weight of the y scale.
    mix_scale_y, MIX_SCALE_Y, "mix scale y";
    /// Transform constraints: weight of the y shear.
    mix_shear_y, MIX_SHEAR_Y, "mix shear y";
    /// Path constraints: place on the path, in the units of the file.
    position, POSITION, "position";
    /// Path constraints: distance between bones, in the units of the file.
    spacing, SPACING, "spacing";
    /// Physics: how much of the movement of the bone is kept.
    inertia, INERTIA, "inertia";
    /// Physics: how strongly it returns.
    strength, STRENGTH, "strength";
    /// Physics: how much of the speed is left after a 60th of a second.
    damping, DAMPING, "damping";
    /// Physics: the mass.
    mass, MASS, "mass";
    /// Physics: wind.
    wind, WIND, "wind";
    /// Physics: gravity.
    gravity, GRAVITY, "gravity";
    /// Sliders: time in the animation, in seconds.
    time, TIME, "time";
    /// A chain of SkelForm: 1 bends counter-clockwise, -1 clockwise, 0 by itself.
    bend, BEND, "bend";
    /// A chain of SkelForm: 1 lays it along an arc, 0 does not.
    arc, ARC, "arc";
    /// A chain of SkelForm: 1 turns its last bone like the target, 0 does not.
    copy_rotation, COPY_ROTATION, "copy rotation";
}
