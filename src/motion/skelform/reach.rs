//! Chains that reach for a target.

use super::{Rig, SWITCHES_A_CHAIN, Scratch, SkelForm, angle, turned, unit};
use crate::math::angle::sin_cos_radians;
use crate::math::{DVec2, dvec2};
use crate::motion::{ConstraintOverride, ConstraintSettings, Setting};

/// Number of iterations of the solver.
const ROUNDS: usize = 10;

/// A chain of bones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chain {
    /// The bone to reach for.
    pub target: Option<u32>,
    /// From root to tip. Chains with fewer than two bones have no effect.
    pub bones: Vec<u32>,
}

/// The side to which a chain bends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Constraint {
    #[default]
    None,
    Clockwise,
    CounterClockwise,
}

/// The solver of a chain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Pulls the chain forwards and backwards (FABRIK).
    #[default]
    Fabrik,
    /// Lays the chain along an arc.
    Arc,
}

impl Chain {
    /// Returns its root, its last bone and its target, unless it has no effect. Chains with an effect are the
    /// constraints of the model, in order.
    fn ends(&self) -> Option<[u32; 3]> {
        match (self.target, &self.bones[..]) {
            (Some(target), &[root, .., last]) => Some([root, last, target]),
            _ => None,
        }
    }
}

impl SkelForm {
    /// The names of the settings of a chain.
    pub(in crate::motion) const SETTINGS: [Setting; 3] = [Setting::BEND, Setting::ARC, Setting::COPY_ROTATION];

    /// Returns the settings of a constraint of the model at rest, in the order of [`Self::SETTINGS`]; `None` if there is no
    /// such constraint.
    pub(in crate::motion) fn settings_at_rest(&self, constraint: usize) -> Option<[f32; 3]> {
        let rig = &self.rig;
        let (switches, _) = rig.rest.switches[rig.chain_switches()..].as_chunks::<SWITCHES_A_CHAIN>();
        let those = rig.chains.iter().zip(switches).filter(|(chain, _)| !rig.is_baked && chain.ends().is_some());
        let (_, &[bend, mode, copies]) = those.into_iter().nth(constraint)?;
        let is = |it: bool| f32::from(u8::from(it));
        let bend = is(bend == Constraint::CounterClockwise as i32) - is(bend == Constraint::Clockwise as i32);
        Some([bend, is(mode == Mode::Arc as i32), is(copies != 0)])
    }
}

/// Applies the overrides of a constraint to the switches and the target of its chain. `bones` is the number of bones.
fn put(
    overrides: &[ConstraintOverride],
    constraint: usize,
    switches: &mut [i32; 3],
    target: &mut u32,
    bones: usize,
) {
    for put in overrides.iter().filter(|put| put.constraint.index() == constraint) {
        let ConstraintSettings { bend, arc, copy_rotation, .. } = put.settings;
        let [bend, arc, copies] = [bend, arc, copy_rotation].map(|set| set.filter(|set| set.is_finite()));
        let side = |bend: f32| match bend {
            _ if bend > 0.0 => Constraint::CounterClockwise,
            _ if bend < 0.0 => Constraint::Clockwise,
            _ => Constraint::None,
        };
        let mode = |arc: f32| if arc != 0.0 { Mode::Arc } else { Mode::Fabrik };
        let changed = [
            bend.map(|bend| side(bend) as i32),
            arc.map(|arc| mode(arc) as i32),
            copies.map(|copies| (copies != 0.0).into()),
        ];
        for (switch, changed) in switches.iter_mut().zip(changed) {
            *switch = changed.unwrap_or(*switch);
        }
        *target = put.target.filter(|bone| bone.index() < bones).map_or(*target, |bone| bone.index() as u32);
    }
}

impl Rig {
    /// Rotates the bones of chains towards their targets. Returns true if any were rotated. Joints moved by one
    /// chain are the input of the following ones.
    pub(super) fn reach(&self, overrides: &[ConstraintOverride], scratch: &mut Scratch) -> bool {
        let mut count = 0;
        let (switches, _) = scratch.switches[self.chain_switches()..].as_chunks::<SWITCHES_A_CHAIN>();
        let Scratch { joints, turns, chain: points, segments, .. } = scratch;
        for (chain, switches) in self.chains.iter().zip(switches) {
            let (Some([root, last, mut target]), mut switches) = (chain.ends(), *switches) else { continue };
            if !overrides.is_empty() {
                put(overrides, count, &mut switches, &mut target, self.bones.len());
            }
            let [constraint, mode, mimics] = switches;
            let target_rotation = joints[target as usize].rotation;
            let target = joints[target as usize].position;
            let root = joints[root as usize].position;
            points.clear();
            points.extend(chain.bones.iter().map(|&bone| joints[bone as usize].position));
            if mode == Mode::Arc as i32 {
                lay_along_arc(points, root, target);
            } else {
                pull(points, target, segments);
            }
            let to_target = unit(target - root);
            let first = unit(points[1] - root);
            let side = first.perp_dot(to_target);
            let is_mirrored = (constraint == Constraint::Clockwise as i32 && side > 0.0)
                || (constraint == Constraint::CounterClockwise as i32 && side < 0.0);
            let twice = 2.0 * angle(to_target);
            for (pair, &bone) in points.windows(2).zip(&chain.bones) {
                let along = angle(pair[1] - pair[0]);
                let along = if is_mirrored { twice - along } else { along };
                turns[bone as usize] = along;
                joints[bone as usize].turn(along);
            }
            if mimics != 0 {
                turns[last as usize] = target_rotation;
                joints[last as usize].turn(target_rotation);
            }
            for (&point, &bone) in points.iter().zip(&chain.bones) {
                joints[bone as usize].position = point;
            }
            count += 1;
        }
        count > 0
    }
}

/// Moves the tip to the target and then the root back to its place, keeping the lengths, up to [`ROUNDS`] times.
/// Stops when nothing moves any more, as further iterations would have no effect.
fn pull(points: &mut [DVec2], target: DVec2, segments: &mut Vec<Segment>) {
    let Some(&root) = points.first() else { return };
    segments.clear();
    segments.extend(points.windows(2).map(|pair| Segment { length: (pair[1] - pair[0]).length(), end: pair[1] }));
    for _ in 0..ROUNDS {
        let mut is_still = true;
        let mut next = target;
        if let Some(tip) = points.last_mut() {
            *tip = target;
        }
        for (point, segment) in points.iter_mut().zip(&mut *segments).rev() {
            is_still &= segment.place(point, next);
            next = *point;
        }
        points[0] = root;
        let mut before = root;
        for (point, segment) in points[1..].iter_mut().zip(&mut *segments) {
            is_still &= segment.place(point, before);
            is_still &= *point == segment.end;
            segment.end = *point;
            before = *point;
        }
        if is_still {
            break;
        }
    }
}

/// A segment between two joints of a chain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment {
    /// Length in pixels.
    pub length: f64,
    /// The far end in the previous iteration.
    pub end: DVec2,
}

impl Segment {
    /// Moves one end to the segment's length from `anchor`, keeping the direction. Returns false if there is no
    /// direction; the segment then loses its length.
    #[inline]
    fn place(&mut self, point: &mut DVec2, anchor: DVec2) -> bool {
        let away = anchor - *point;
        let distance = away.length();
        if distance > 0.0 {
            *point = anchor - away * (self.length / distance);
            return true;
        }
        *point = anchor;
        std::mem::take(&mut self.length) == 0.0
    }
}

/// Half a turn with the rounding of the format's own programs.
#[expect(
    clippy::approx_constant,
    reason = "the format's programs use this value, and the difference from π is visible"
)]
const HALF_TURN: f64 = 3.14_f32 as f64;

/// Squeezes the chain between root and target, and bends it upwards by the lost length.
fn lay_along_arc(points: &mut [DVec2], root: DVec2, target: DVec2) {
    let reach = points.last().map_or(0.0, |tip| (*tip - root).length());
    let base = target - root;
    let across = base.length().min(reach);
    // There is no arc without an extent in both directions.
    if across == 0.0 || reach == 0.0 {
        return;
    }
    let along = unit(base);
    let (peak, valley) = (reach / across, across / reach);
    let (mut length, mut before) = (0.0, root);
    for point in &mut points[1..] {
        length += (*point - before).length();
        before = *point;
        let (sin, _) = sin_cos_radians(length / reach * HALF_TURN);
        let bent = dvec2(point.x * valley, root.y + (1.0 - peak) * sin * across);
        *point = root + turned(bent - root, along);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pulling_reaches_and_keeps_lengths() {
        let root = dvec2(1.0, 2.0);
        let mut points = vec![root, dvec2(11.0, 2.0), dvec2(11.0, 12.0), dvec2(16.0, 12.0)];
        let target = dvec2(8.0, -4.0);
        pull(&mut points, target, &mut Vec::new());
        assert!((points[3] - target).length() < 1e-2 && points[0] == root, "{points:?}");
        let lengths = points.windows(2).map(|pair| (pair[1] - pair[0]).length());
        for (found, expected) in lengths.zip([10.0, 10.0, 5.0]) {
            assert!((found - expected).abs() < 1e-9, "{points:?}");
        }
    }

    #[test]
    fn a_segment_at_its_target_loses_its_length() {
        // The second joint is at the target, so the direction of the next segment is undefined.
        let mut points = vec![dvec2(0.0, 0.0), dvec2(3.0, 4.0), dvec2(9.0, 4.0)];
        pull(&mut points, dvec2(3.0, 4.0), &mut Vec::new());
        assert_eq!(points, [dvec2(0.0, 0.0), dvec2(3.0, 4.0), dvec2(3.0, 4.0)]);
    }

    #[test]
    fn an_arc_without_extent_stays() {
        let mut points = vec![DVec2::ZERO, dvec2(3.0, 0.0), DVec2::ZERO];
        let before = points.clone();
        lay_along_arc(&mut points, DVec2::ZERO, dvec2(5.0, 5.0));
        assert_eq!(points, before);
        lay_along_arc(&mut points[..2], DVec2::ZERO, DVec2::ZERO);
        assert_eq!(points, before);
    }
}
