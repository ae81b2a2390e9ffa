//! Path constraints: place bones along a path, and turn them in its direction.

use std::cmp::Ordering;

use super::axes::{angle, direction, turn, wrap_once};
use super::bone::TINY;
use super::parts::PathPlace;
use super::{ConstraintPose, Posing, Rig, Scratch};
use crate::math::{DMat2, DVec2, dvec2};
use crate::model::{Attachment, Influence, Path};

/// Bones along the path that a slot shows.
#[derive(Debug, Clone)]
pub(crate) struct PathConstraint {
    pub bones: Vec<u32>,
    /// Index of the slot.
    pub target: usize,
    /// The position is a share of the path instead of a length.
    pub is_position_percent: bool,
    pub spacing: SpacingMode,
    pub rotate: RotateMode,
    /// Offset in degrees, added to the path's direction.
    pub rotation: f64,
}

/// Spacing of the bones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum SpacingMode {
    /// Their length plus a number of pixels.
    #[default]
    Length,
    /// A number of pixels.
    Fixed,
    /// A share of the path.
    Percent,
    /// Their share of the length of all bones, times a share of the path.
    Proportional,
}

/// Rotation of the bones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum RotateMode {
    /// The direction of the path.
    #[default]
    Tangent,
    /// Towards the position of the next bone.
    Chain,
    /// Towards the position of the next bone, and scaled to reach it.
    ChainScale,
}

/// How much of the path's direction and position bones take on.
#[derive(Debug, Clone, Copy)]
struct Mixes {
    rotate: f64,
    translate: DVec2,
}

impl PathConstraint {
    pub(super) fn apply(&self, now: &ConstraintPose, posing: &mut Posing<'_>) {
        let Posing { rig, model, scratch, pose, .. } = posing;
        let [position, spacing, rotate, x, y, ..] = now.values;
        let is_off = match rig.rules.restarts_bones {
            true => rotate <= 0.0 && x <= 0.0,
            false => rotate == 0.0 && x == 0.0 && y == 0.0,
        };
        if is_off {
            return;
        }
        let slot = &pose.slots[self.target];
        let Some(Attachment::Path(path)) = slot.attachment.map(|id| model.attachment(id)) else { return };
        self.measure(rig, spacing, scratch);
        let mut walk = Walk {
            points: std::mem::take(&mut scratch.path_points),
            lengths: std::mem::take(&mut scratch.path_lengths),
            path,
            last: None,
            begins_late: rig.rules.begins_curves_late,
        };
        walk.points.clear();
        walk.points.extend(world_points(path, pose.deform_of(slot), scratch));
        walk.lengths.clear();
        let mut places = std::mem::take(&mut scratch.path_places);
        places.clear();
        self.find_places(rig, &mut walk, [position, spacing], &mut scratch.path_spaces, &mut places);
        (scratch.path_points, scratch.path_lengths) = (walk.points, walk.lengths);
        self.move_bones(rig, Mixes { rotate, translate: dvec2(x, y) }, &places, scratch);
        scratch.path_places = places;
    }

    /// Returns true if bones point at the next position, so that there is one more position than bones.
    fn is_chain(&self) -> bool {
        self.rotate != RotateMode::Tangent
    }

    /// Computes the spacing of positions and the lengths of bones.
    fn measure(&self, rig: &Rig, spacing: f64, scratch: &mut Scratch) {
        let Scratch { path_spaces: spaces, path_bones: lengths, world, .. } = scratch;
        spaces.clear();
        lengths.clear();
        spaces.push(0.0);
        for &bone in &self.bones {
            let setup = rig.bones[bone as usize].length;
            let scale = world[bone as usize].matrix2.x_axis.length();
            lengths.push(setup * scale);
            spaces.push(match self.spacing {
                SpacingMode::Fixed if rig.rules.spaces_by_number && self.rotate != RotateMode::ChainScale => {
                    spacing
                }
                // A bone without a length takes no space, unless lengths are ignored.
                SpacingMode::Percent if self.rotate != RotateMode::ChainScale => spacing,
                _ if setup < TINY && rig.rules.packs_short_bones => 0.0,
                _ if setup < TINY => spacing,
                SpacingMode::Percent if rig.rules.scales_shares && !rig.rules.spaces_unscaled => spacing * scale,
                SpacingMode::Percent => spacing,
                SpacingMode::Fixed if rig.rules.spaces_unscaled => spacing,
                SpacingMode::Length if rig.rules.spaces_unscaled => setup * scale + spacing,
                SpacingMode::Length => (setup + spacing) * scale,
                SpacingMode::Fixed => spacing * scale,
                SpacingMode::Proportional => setup * scale,
            });
        }
        if !self.is_chain() {
            spaces.pop();
        }
    }

    fn find_places(
        &self,
        rig: &Rig,
        walk: &mut Walk<'_>,
        [position, spacing]: [f64; 2],
        spaces: &mut [f64],
        places: &mut Vec<PathPlace>,
    ) {
        let path = walk.path;
        let curves = path.curve_count();
        let rest = f64::from(path.lengths.get(curves - 1).copied().unwrap_or(1.0));
        let total = if path.constant_speed {
            walk.measure();
            walk.lengths.last().copied().unwrap_or(0.0)
        } else {
            walk.lengths.extend(path.lengths.iter().take(curves).map(|length| f64::from(*length)));
            rest
        };
        let mut position = match (self.is_position_percent, path.constant_speed) {
            (true, _) => position * total,
            (false, true) if rest > 0.0 && rig.rules.rescales_fixed_positions => position * (total / rest),
            (false, _) => position,
        };
        match self.spacing {
            SpacingMode::Length | SpacingMode::Fixed => {}
            SpacingMode::Percent => spaces[1..].iter_mut().for_each(|space| *space *= total),
            SpacingMode::Proportional => {
                // A bone without a length takes a share as if it were as long as the spacing, but does not count.
                let lengths = self.bones.iter().map(|&bone| rig.bones[bone as usize].length);
                let counted = lengths.zip(&spaces[1..]).filter(|(length, _)| *length >= TINY);
                let sum: f64 = counted.map(|(_, space)| space).sum();
                match sum > 0.0 {
                    true => spaces[1..].iter_mut().for_each(|space| *space *= spacing * total / sum),
                    false => spaces[1..].fill(spacing * total / self.bones.len() as f64),
                }
            }
        }
        for (index, &space) in spaces.iter().enumerate() {
            position += space;
            places.push(walk.place(position, total, !self.is_chain() || (index > 0 && space == 0.0)));
        }
    }

    fn move_bones(&self, rig: &Rig, mixes: Mixes, places: &[PathPlace], scratch: &mut Scratch) {
        // Without an offset, each bone of a chain starts at the actual tip of the previous one.
        let follows_tips = self.rotate == RotateMode::Chain && self.rotation == 0.0;
        let target = scratch.world[rig.slots[self.target].bone].matrix2;
        let offset = if target.determinant() > 0.0 { self.rotation } else { -self.rotation };
        let mut start = places[0].position;
        for (index, &bone) in self.bones.iter().enumerate() {
            let bone = bone as usize;
            let world = &mut scratch.world[bone];
            let mut axes = world.matrix2;
            world.translation += (start - world.translation) * mixes.translate;
            let next = places.get(index + 1).map_or(start, |place| place.position);
            let way = next - start;
            if self.rotate == RotateMode::ChainScale {
                let length = scratch.path_bones[index];
                if length >= TINY {
                    axes.x_axis *= (way.length() / length - 1.0) * mixes.rotate + 1.0;
                }
            }
            start = next;
            if mixes.rotate > 0.0 {
                let to = if !self.is_chain() {
                    places[index].degrees
                } else if scratch.path_spaces[index + 1] == 0.0 {
                    places[index + 1].degrees
                } else {
                    angle(way)
                };
                let mut by = to - angle(axes.x_axis);
                if follows_tips {
                    let tip = turn(by) * axes.x_axis * rig.bones[bone].length;
                    start += (tip - way) * mixes.rotate;
                } else {
                    by += offset;
                }
                axes = turn(wrap_once(by) * mixes.rotate) * axes;
            }
            world.matrix2 = DMat2::from_cols(axes.x_axis, axes.y_axis);
            rig.moved_in_world(bone, scratch);
        }
    }
}

/// Returns the points of a path in the world without the outer handles of its ends: a knot, two handles, a knot
/// and so on. A closed path ends with its first knot.
fn world_points(path: &Path, deform: &[crate::math::Vec2], scratch: &Scratch) -> impl Iterator<Item = DVec2> {
    let vertices = &path.vertices;
    let count = vertices.len();
    let is_deformed = deform.len() == vertices.influences().len();
    let at = move |index: usize| {
        let record = &vertices.records()[index];
        let from = record.first_influence as usize;
        let mut sum = DVec2::ZERO;
        let influences = &vertices.influences()[from..from + record.influence_count as usize];
        for (number, &Influence { position, bone, weight }) in (from..).zip(influences) {
            let position = if is_deformed { position + deform[number] } else { position }.as_dvec2();
            sum += f64::from(weight)
                * match scratch.world.get(bone as usize) {
                    Some(world) => world.transform_point2(position),
                    None => position,
                };
        }
        sum
    };
    let (first, len) = if path.closed { (1, count + 1) } else { (1, count - 2) };
    (first..first + len).map(move |index| at(index % count))
}

/// A path with the lengths of its curves.
struct Walk<'a> {
    path: &'a Path,
    points: Vec<DVec2>,
    /// Length up to the end of each curve.
    lengths: Vec<f64>,
    /// The previous position on a curve.
    last: Option<Last>,
    /// See [`Rules::begins_curves_late`](super::Rules).
    begins_late: bool,
}

/// Number of chords that approximate a curve when looking up a position.
const CHORDS: usize = 10;

impl Walk<'_> {
    /// Approximates the length of each curve by four chords, as in the goldens: slightly too short.
    fn measure(&mut self) {
        let mut total = 0.0;
        for curve in 0..self.path.curve_count() {
            let curve = self.curve(curve);
            let mut before = curve.points[0];
            for weights in &QUARTERS {
                let point = curve.weighted(weights);
                total += point.distance(before);
                before = point;
            }
            self.lengths.push(total);
        }
    }

    fn curve(&self, index: usize) -> Cubic {
        Cubic { points: std::array::from_fn(|i| self.points[3 * index + i]) }
    }

    /// Returns the point at a position, and the direction of the path there if requested.
    fn place(&mut self, mut position: f64, total: f64, wants_direction: bool) -> PathPlace {
        let last = self.points.len() - 1;
        if self.path.closed {
            position = if total > 0.0 { position.rem_euclid(total) } else { 0.0 };
        } else if position < 0.0 {
            let degrees = angle(self.points[1] - self.points[0]);
            self.last = None;
            return PathPlace { position: self.points[0] + direction(degrees) * position, degrees };
        } else if position > total {
            let degrees = angle(self.points[last] - self.points[last - 1]);
            let position = self.points[last] + direction(degrees) * (position - total);
            self.last = None;
            return PathPlace { position, degrees };
        }
        // Use the last curve if rounding exceeds it.
        let is_before = |length: &f64| position.partial_cmp(length).is_none_or(Ordering::is_gt);
        let index = self.lengths.partition_point(is_before).min(self.lengths.len() - 1);
        let before = index.checked_sub(1).map_or(0.0, |before| self.lengths[before]);
        let share = (position - before) / (self.lengths[index] - before);
        let curve = self.curve(index);
        let t = if self.path.constant_speed {
            // On the same curve, the search continues: a position that a closed path wraps to an earlier chord is
            // extrapolated from the later one, as the goldens show.
            let last = &mut self.last;
            if last.as_ref().is_none_or(|last| last.curve != index) {
                *last = None;
            }
            last.get_or_insert_with(|| Last { curve: index, chord: 0, ends: curve.chord_ends() })
                .parameter_at(share)
        } else {
            share
        };
        curve.place(t, wants_direction, self.begins_late)
    }
}

/// The parameter that older versions use for the beginning of a curve.
const LATE: f64 = 0.0001;

/// A position on a curve.
#[derive(Debug, Clone, Copy)]
struct Last {
    /// Index of the curve.
    curve: usize,
    /// Index of the chord.
    chord: usize,
    /// Length of the curve up to the end of each chord.
    ends: [f64; CHORDS],
}

impl Last {
    /// Moves to a share of the length of the curve's chords, and returns the parameter there. It never moves to an
    /// earlier chord.
    fn parameter_at(&mut self, share: f64) -> f64 {
        let Self { chord, ends, .. } = self;
        let position = share * ends[CHORDS - 1];
        *chord = (*chord..CHORDS).find(|&index| position <= ends[index]).unwrap_or(CHORDS - 1);
        let before = chord.checked_sub(1).map_or(0.0, |before| ends[before]);
        (*chord as f64 + (position - before) / (ends[*chord] - before)) / CHORDS as f64
    }
}

/// Returns the weights of the points of a cubic curve.
const fn weights_at(t: f64) -> [f64; 4] {
    let u = 1.0 - t;
    [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t]
}

/// The weights at the end of each of so many equal parts.
const fn weights_of_parts<const PARTS: usize>() -> [[f64; 4]; PARTS] {
    let mut weights = [[0.0; 4]; PARTS];
    let mut index = 0;
    while index < PARTS {
        weights[index] = weights_at((index + 1) as f64 / PARTS as f64);
        index += 1;
    }
    weights
}

static QUARTERS: [[f64; 4]; 4] = weights_of_parts();
static TENTHS: [[f64; 4]; CHORDS] = weights_of_parts();

/// A cubic curve.
struct Cubic {
    points: [DVec2; 4],
}

impl Cubic {
    fn at(&self, t: f64) -> DVec2 {
        self.weighted(&weights_at(t))
    }

    fn weighted(&self, weights: &[f64; 4]) -> DVec2 {
        let [a, b, c, d] = self.points;
        a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3]
    }

    /// Returns the length up to the end of each chord.
    fn chord_ends(&self) -> [f64; CHORDS] {
        let mut ends = [0.0; CHORDS];
        let (mut total, mut before) = (0.0, self.points[0]);
        for (end, weights) in ends.iter_mut().zip(&TENTHS) {
            let point = self.weighted(weights);
            total += point.distance(before);
            *end = total;
            before = point;
        }
        ends
    }

    /// Returns the point, and the direction if requested: otherwise 0, except at the very start.
    fn place(&self, t: f64, wants_direction: bool, begins_late: bool) -> PathPlace {
        let [a, b, c, _] = self.points;
        let is_start = t == 0.0 || t.is_nan();
        if is_start && !begins_late {
            return PathPlace { position: a, degrees: angle(b - a) };
        }
        let t = if is_start { LATE } else { t };
        let position = self.at(t);
        let degrees = if !wants_direction {
            0.0
        } else if t < 0.001 {
            angle(b - a)
        } else {
            // By De Casteljau: the first three and the last three corners each have a quadratic curve, and the point
            // lies between their points at `t`. The curve's direction is from the first of these to the point.
            let u = 1.0 - t;
            angle(position - (a * (u * u) + b * (2.0 * u * t) + c * (t * t)))
        };
        PathPlace { position, degrees }
    }
}
