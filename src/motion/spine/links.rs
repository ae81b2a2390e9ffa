//! Transform constraints of 4.3: properties of a bone that drive properties of others.

use std::fmt::Write as _;

use super::axes::{angle, direction, turn, wrap_once};
use super::bone::TINY;
use super::parts::BoneLocal;
use super::{ConstraintPose, Rig, Scratch, TransformConstraint};
use crate::math::{DAffine2, DMat2, DVec2};

/// A property of a bone, locally or in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoneProperty {
    /// Degrees.
    Rotate,
    /// Pixels.
    X,
    /// Pixels.
    Y,
    /// A factor.
    ScaleX,
    /// A factor.
    ScaleY,
    /// Degrees.
    ShearY,
}

/// What drives what.
#[derive(Debug, Clone, Default)]
pub(crate) struct Links {
    /// In the order in which they are applied.
    pub list: Vec<Link>,
    /// Changes local poses instead of matrices.
    pub is_local: bool,
    /// Limits the driven properties to their ranges.
    pub is_clamped: bool,
}

/// One property that drives another: `offset + (value - from_offset) * scale`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    pub from: BoneProperty,
    pub to: BoneProperty,
    pub from_offset: f64,
    pub offset: f64,
    /// The other end of the range that begins at `offset`.
    pub max: f64,
    pub scale: f64,
}

impl BoneProperty {
    pub const ALL: [Self; 6] = [Self::Rotate, Self::X, Self::Y, Self::ScaleX, Self::ScaleY, Self::ShearY];

    /// Their names in files.
    pub const NAMES: [&str; 6] = ["rotate", "x", "y", "scaleX", "scaleY", "shearY"];

    /// Returns the property with this name in files.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|property| property.name() == name)
    }

    /// Returns its name in files.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the property of a local pose.
    fn of_local(self, local: &mut BoneLocal) -> &mut f64 {
        match self {
            Self::Rotate => &mut local.rotation,
            Self::X => &mut local.translation.x,
            Self::Y => &mut local.translation.y,
            Self::ScaleX => &mut local.scale.x,
            Self::ScaleY => &mut local.scale.y,
            Self::ShearY => &mut local.shear.y,
        }
    }

    /// Returns the property of a matrix.
    fn of_world(self, world: DAffine2) -> f64 {
        let DMat2 { x_axis, y_axis } = world.matrix2;
        match self {
            Self::Rotate => angle(x_axis),
            Self::X => world.translation.x,
            Self::Y => world.translation.y,
            Self::ScaleX => x_axis.length(),
            Self::ScaleY => y_axis.length(),
            Self::ShearY => angle(y_axis) - angle(x_axis) - 90.0,
        }
    }

    /// Returns the property of a bone plus `offset`. A rotation in the world is not negative.
    pub fn of(self, bone: usize, is_local: bool, offset: f64, rig: &Rig, scratch: &mut Scratch) -> f64 {
        if is_local {
            return *self.of_local(&mut rig.applied(bone, scratch)) + offset;
        }
        let value = self.of_world(scratch.world[bone]) + offset;
        if self == Self::Rotate && value < 0.0 { value + 360.0 } else { value }
    }
}

impl Links {
    /// Words for what drives what; `None` if each property drives itself, as before 4.3.
    pub fn described(&self) -> Option<String> {
        let list: Vec<String> = self.list.iter().map(|link| link.described(self.is_clamped)).collect();
        let is_itself = |property: &BoneProperty| list.iter().any(|words| words == property.name());
        match list.len() {
            0 => Some("nothing".to_owned()),
            6 if BoneProperty::ALL.iter().all(is_itself) => None,
            _ => Some(list.join("; ")),
        }
    }
}

impl Link {
    /// Words for what drives what, and how.
    fn described(&self, is_clamped: bool) -> String {
        let Self { from, to, .. } = *self;
        // The digits of the file.
        let [from_offset, offset, max, scale] =
            [self.from_offset, self.offset, self.max, self.scale].map(|number| number as f32);
        let mut words =
            if from == to { from.name().to_owned() } else { format!("{} to {}", from.name(), to.name()) };
        if (from_offset, offset, scale) != (0.0, 0.0, 1.0) {
            let _ = write!(words, ", {offset} + ({} - {from_offset}) * {scale}", from.name());
        }
        if is_clamped {
            let _ = write!(words, ", from {} to {}", offset.min(max), offset.max(max));
        }
        words
    }

    fn driven(&self, value: f64, is_clamped: bool) -> f64 {
        let driven = self.offset + (value - self.from_offset) * self.scale;
        match is_clamped {
            true => driven.clamp(self.offset.min(self.max), self.offset.max(self.max)),
            false => driven,
        }
    }
}

impl TransformConstraint {
    /// Returns the value of the source's property, with the offset of the constraint.
    fn source(&self, from: BoneProperty, rig: &Rig, target: usize, scratch: &mut Scratch) -> f64 {
        let world = scratch.world[target];
        // The offset turns the other way if the source is mirrored.
        let sense = if self.is_local || world.matrix2.determinant() > 0.0 { 1.0 } else { -1.0 };
        let moved = if self.is_local { self.translation } else { world.matrix2 * self.translation };
        let offset = match from {
            BoneProperty::Rotate => self.rotation * sense,
            BoneProperty::X => moved.x,
            BoneProperty::Y => moved.y,
            BoneProperty::ScaleX => self.scale.x,
            BoneProperty::ScaleY => self.scale.y,
            BoneProperty::ShearY => self.shear_y,
        };
        from.of(target, self.is_local, offset, rig, scratch)
    }

    /// Applies all links to all bones.
    pub(super) fn link(
        &self,
        links: &Links,
        rig: &Rig,
        target: usize,
        now: &ConstraintPose,
        scratch: &mut Scratch,
    ) {
        // The mixes are in the order of the properties.
        let mix_of = |to: BoneProperty| now.values[to as usize];
        if links.list.iter().all(|link| mix_of(link.to) == 0.0) {
            return;
        }
        for &bone in &self.bones {
            let bone = bone as usize;
            if links.is_local {
                let mut local = rig.applied(bone, scratch);
                for link in &links.list {
                    let mix = mix_of(link.to);
                    if mix != 0.0 {
                        let value = link.driven(self.source(link.from, rig, target, scratch), links.is_clamped);
                        self.drive_local(link.to, value, mix, &mut local);
                    }
                }
                rig.place(bone, local, scratch);
            } else {
                let mut world = scratch.world[bone];
                for link in &links.list {
                    let mix = mix_of(link.to);
                    if mix != 0.0 {
                        let value = link.driven(self.source(link.from, rig, target, scratch), links.is_clamped);
                        self.drive_world(link.to, value, mix, &mut world);
                    }
                }
                scratch.world[bone] = world;
                rig.moved_in_world(bone, scratch);
            }
        }
    }

    fn drive_local(&self, to: BoneProperty, value: f64, mix: f64, local: &mut BoneLocal) {
        let now = to.of_local(local);
        let is_scale = matches!(to, BoneProperty::ScaleX | BoneProperty::ScaleY);
        *now = match (self.is_relative, is_scale) {
            (true, false) => *now + value * mix,
            (true, true) => *now * (1.0 + (value - 1.0) * mix),
            (false, _) => *now + (value - *now) * mix,
        };
    }

    fn drive_world(&self, to: BoneProperty, value: f64, mix: f64, world: &mut DAffine2) {
        let axes = &mut world.matrix2;
        match to {
            BoneProperty::Rotate => {
                let from = if self.is_relative { 0.0 } else { angle(axes.x_axis) };
                let by = wrap_once(value - from);
                *axes = turn(by * mix) * *axes;
            }
            BoneProperty::X | BoneProperty::Y => {
                let axis = usize::from(to == BoneProperty::Y);
                let from = if self.is_relative { 0.0 } else { world.translation[axis] };
                world.translation[axis] += (value - from) * mix;
            }
            BoneProperty::ScaleX => axes.x_axis = self.scaled(axes.x_axis, value, mix),
            BoneProperty::ScaleY => axes.y_axis = self.scaled(axes.y_axis, value, mix),
            BoneProperty::ShearY => {
                let y = angle(axes.y_axis);
                let by = if self.is_relative { value } else { wrap_once(value + 90.0 - (y - angle(axes.x_axis))) };
                axes.y_axis = direction(y + by * mix) * axes.y_axis.length();
            }
        }
    }

    fn scaled(&self, axis: DVec2, value: f64, mix: f64) -> DVec2 {
        let length = axis.length();
        if self.is_relative {
            axis * (1.0 + (value - 1.0) * mix)
        } else if length > TINY {
            axis * ((length + (value - length) * mix) / length)
        } else {
            axis
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::dvec2;

    #[test]
    fn a_range_may_run_backwards() {
        let link = Link {
            from: BoneProperty::X,
            to: BoneProperty::Rotate,
            from_offset: 10.0,
            offset: 5.0,
            max: -5.0,
            scale: -0.5,
        };
        let driven = |value| [false, true].map(|is_clamped| link.driven(value, is_clamped));
        assert_eq!(driven(20.0), [0.0, 0.0]);
        assert_eq!(driven(0.0), [10.0, 5.0]);
        assert_eq!(driven(50.0), [-15.0, -5.0]);
        let world = DAffine2::from_mat2_translation(DMat2::from_cols(DVec2::X, dvec2(-1.0, 1.0)), DVec2::ONE);
        assert_eq!(BoneProperty::ShearY.of_world(world), 45.0);
    }
}
