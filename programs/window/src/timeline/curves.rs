//! The curves of one bone, which are sampled on another thread.

use std::sync::Arc;

use super::Keyed;
use crate::base::answer::Deferred;
use crate::base::memo::Shared;
use crate::base::waker::Waker;
use crate::playback::bone_motion::BoneMotion;
use pchr::Animator;
use pchr::model::{AnimationId, BoneId};
pub use pchr::motion::BoneCurve as Curve;
use pchr::motion::{BonePoint, KeyTarget, bone_curve, curve_positions};

/// Number of curves.
pub const CURVES: usize = Curve::ALL.len();

/// The curves of the bone that was last shown.
#[derive(Debug, Default)]
pub struct CurveCache {
    points: Deferred<(BoneMotion, Shared<Keyed>), Vec<BonePoint>>,
}

impl CurveCache {
    /// Samples `bone` unless its curves are known. `waker` is called when that is done; without one, it is done at
    /// once.
    pub fn refresh(
        &mut self,
        animator: &Animator,
        animation: AnimationId,
        keyed: &Arc<Keyed>,
        bone: BoneId,
        waker: Option<&Waker>,
    ) {
        let request = (BoneMotion::of(animator, animation, bone), Shared::of(keyed));
        self.points.follow(request, waker, sample);
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

fn sample((motion, keyed): &(BoneMotion, Shared<Keyed>)) -> Vec<BonePoint> {
    let BoneMotion { character, animation, skins, bone } = motion;
    let row = keyed.target(KeyTarget::Bone(*bone));
    let keys: Vec<f64> = row.map(|row| row.times.iter().collect()).unwrap_or_default();
    let positions = curve_positions(character, *animation, &keys);
    bone_curve(character, *animation, skins, *bone, positions)
}
