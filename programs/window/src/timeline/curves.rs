//! The curves of one bone, which are sampled on another thread.

use super::Keyed;
use crate::base::answer::Deferred;
use crate::base::named::named;
use crate::base::waker::Waker;
use crate::playback::bone_motion::BoneMotion;
use pchr::Animator;
use pchr::model::{AnimationId, BoneId};
use pchr::motion::{BonePoint, KeyChannel, KeyTarget, bone_curve, curve_positions};

/// Number of curves.
pub const CURVES: usize = Curve::ALL.len();

named! {
    /// A value of a bone over time.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Curve: name {
        /// Rotation in degrees.
        Rotation => "Rotation",
        /// Horizontal offset in pixels.
        X => "X",
        /// Vertical offset in pixels.
        Y => "Y",
        /// Scale along the x axis.
        ScaleX => "Scale X",
        /// Scale along the y axis.
        ScaleY => "Scale Y",
    }
}

impl Curve {
    /// Returns its unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Rotation => "°",
            Self::X | Self::Y => " px",
            Self::ScaleX | Self::ScaleY => " ×",
        }
    }

    /// Returns its value at a point.
    pub fn of(self, point: &BonePoint) -> f32 {
        match self {
            Self::Rotation => point.rotation_degrees,
            Self::X => point.translation.x,
            Self::Y => point.translation.y,
            Self::ScaleX => point.scale.x,
            Self::ScaleY => point.scale.y,
        }
    }

    /// Returns true if keys of `channel` change it.
    pub fn is_keyed_by(self, channel: KeyChannel) -> bool {
        match self {
            Self::Rotation => channel == KeyChannel::Rotation,
            Self::X => matches!(channel, KeyChannel::Translation | KeyChannel::TranslationX),
            Self::Y => matches!(channel, KeyChannel::Translation | KeyChannel::TranslationY),
            Self::ScaleX => matches!(channel, KeyChannel::Scale | KeyChannel::ScaleX),
            Self::ScaleY => matches!(channel, KeyChannel::Scale | KeyChannel::ScaleY),
        }
    }
}

/// The curves of the bone that was last shown.
#[derive(Debug, Default)]
pub struct CurveCache {
    /// For the bone and the positions in frames at which it is sampled.
    points: Deferred<(BoneMotion, Vec<f64>), Vec<BonePoint>>,
}

impl CurveCache {
    /// Samples `bone` unless its curves are known. `waker` is called when that is done; without one, it is done at
    /// once.
    pub fn refresh(
        &mut self,
        animator: &Animator,
        animation: AnimationId,
        keyed: &Keyed,
        bone: BoneId,
        waker: Option<&Waker>,
    ) {
        let ask = || {
            let times = keyed.target(KeyTarget::Bone(bone)).map(|row| row.times.iter().collect::<Vec<_>>());
            let keys = times.unwrap_or_default();
            let positions = curve_positions(animator.character(), animation, &keys);
            (BoneMotion::of(animator, animation, bone), positions)
        };
        let sample = |(motion, positions): &(BoneMotion, Vec<f64>)| {
            let BoneMotion { character, animation, skins, bone } = motion;
            bone_curve(character, *animation, skins, *bone, positions.iter().copied())
        };
        self.points.follow(|(motion, _)| motion.is_of(animator, animation, bone), ask, waker, sample);
    }

    /// Forgets the curves, as others are to be shown.
    pub fn forget(&mut self) {
        self.points = Deferred::default();
    }

    /// Returns the transforms of the bone over the animation, or `None` until they were sampled.
    pub fn points(&self) -> Option<&[BonePoint]> {
        self.points.answer().map(Vec::as_slice)
    }

    /// Returns true if the bone does not move, as far as is known.
    pub fn is_still(&self) -> bool {
        const STILL: f32 = 1e-3;
        let points = self.points().unwrap_or_default();
        let Some(first) = points.first() else { return true };
        let is_near = |point: &BonePoint| {
            Curve::ALL.into_iter().all(|curve| (curve.of(point) - curve.of(first)).abs() <= STILL)
        };
        points.iter().all(is_near)
    }

    /// Returns the point at or before `position`.
    pub fn point_at(&self, position: f64) -> Option<&BonePoint> {
        let points = self.points()?;
        let after = points.partition_point(|point| point.position <= position + 1e-6);
        points.get(after.saturating_sub(1))
    }
}
