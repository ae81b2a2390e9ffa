//! Inverse kinematics of one or two bones.

use super::axes::{angle, direction, inverse, wrap_once};
use super::bone::upright;
use super::parts::Applied;
use super::{BoneLocal, ConstraintPose, Inherit, Rig, ScaleY, Scratch};
use crate::math::angle::{acos_degrees, atan2_degrees, wrap_turn};
use crate::math::{DVec2, dvec2};

/// One bone that points at a target, or two that reach for it.
#[derive(Debug, Clone)]
pub(crate) struct Ik {
    /// The bone, or the first of two.
    pub bone: usize,
    /// The second of two: a child of the first.
    pub child: Option<usize>,
    pub target: usize,
    pub scale_y: ScaleY,
}

/// The mix of one bone's rotation, and whether it may be stretched or compressed.
#[derive(Debug, Clone, Copy, Default)]
struct Reach {
    mix: f64,
    compress: bool,
    stretch: bool,
    scale_y: ScaleY,
}

/// The settings for two bones.
#[derive(Debug, Clone, Copy)]
struct Bend {
    mix: f64,
    softness: f64,
    /// Side to which they bend: 1 or -1.
    side: f64,
    stretch: bool,
    scale_y: ScaleY,
}

/// The angles of two bones in degrees, the second relative to the first.
#[derive(Debug, Clone, Copy)]
struct Angles {
    upper: f64,
    lower: f64,
}

/// Tolerance for equal scales and lengths of zero.
const NEAR: f64 = 1e-4;

impl Ik {
    pub(super) fn apply(&self, rig: &Rig, target: usize, now: &ConstraintPose, scratch: &mut Scratch) {
        if !scratch.is_active[self.bone] {
            // Inactive bones have no matrix, although skins may show meshes that they move.
            return;
        }
        let [mix, softness, ..] = now.values;
        let target = scratch.world[target].translation;
        match self.child {
            None => {
                let (compress, stretch) = (now.compresses, now.stretches);
                let reach = Reach { mix, compress, stretch, scale_y: self.scale_y };
                point(rig, self.bone, target, reach, scratch);
            }
            Some(child) if mix == 0.0 && rig.rules.restarts_bones => {
                scratch.applied[child] = Applied::AsAnimated;
                rig.place_applied(child, scratch);
            }
            Some(_) if mix == 0.0 => {}
            Some(child) => {
                let side = if now.bends_positive { 1.0 } else { -1.0 };
                let scale_y = if rig.rules.stretches_two_uniformly { self.scale_y } else { ScaleY::Stays };
                let bend = Bend { mix, softness, side, stretch: now.stretches, scale_y };
                reach_two(rig, [self.bone, child], target, bend, scratch);
            }
        }
    }
}

impl Rig {
    /// Returns how far a bone with this rotation turns to the solution, which is `degrees` away, or a whole turn more or less.
    fn way(&self, degrees: f64, rotation: f64) -> f64 {
        match self.rules.reaches_long_way {
            // More than -180 and at most 180.
            true => -wrap_turn(-(degrees + rotation)) - rotation,
            false => wrap_once(degrees),
        }
    }
}

/// Rotates a bone towards a target, and stretches it.
fn point(rig: &Rig, bone: usize, target: DVec2, reach: Reach, scratch: &mut Scratch) {
    let data = &rig.bones[bone];
    if reach.mix == 0.0 {
        return rig.place_applied(bone, scratch);
    }
    let mut local = rig.applied(bone, scratch);
    let parent = rig.world_from_parent(bone, scratch);
    if rig.rules.adds_rotations {
        local.rotation += rig.upright_way(bone, &local, target, scratch) * reach.mix;
        return rig.place(bone, local, scratch);
    }
    let place = parent.transform_point2(local.translation);
    let inherit = if rig.rules.points_by_inherit { local.inherit } else { Inherit::Normal };
    // In the space in which the bone's axes are defined.
    let (mut toward, axes) = match inherit {
        Inherit::OnlyTranslation => (target - place, 0.0),
        Inherit::NoRotationOrReflection => {
            // The bone's position is computed as if its parent had neither shear nor reflection.
            let (turn, stretch, degrees) = upright(parent.matrix2);
            (inverse(turn * stretch) * (target - parent.translation) - local.translation, degrees)
        }
        Inherit::Normal | Inherit::NoScale | Inherit::NoScaleOrReflection | Inherit::Old(_) => {
            (inverse(parent.matrix2) * (target - place), 0.0)
        }
    };
    let flip = if local.scale.x < 0.0 { 180.0 } else { 0.0 };
    let by = rig.way(angle(toward) + axes - local.rotation - local.shear.x + flip, local.rotation);
    if reach.compress || reach.stretch {
        if matches!(inherit, Inherit::NoScale | Inherit::NoScaleOrReflection) {
            toward = target - place;
        }
        let (length, distance) = (data.length * local.scale.x, toward.length());
        let is_off = (reach.compress && distance < length) || (reach.stretch && distance > length);
        if is_off && length > NEAR {
            let factor = (distance / length - 1.0) * reach.mix + 1.0;
            local.scale.x *= factor;
            local.scale.y *= reach.scale_y.factor_in_reach(factor);
        }
    }
    local.rotation += by * reach.mix;
    rig.place(bone, local, scratch);
}

/// Rotates two bones so that the tip of the second reaches the target.
fn reach_two(rig: &Rig, [bone, child]: [usize; 2], target: DVec2, bend: Bend, scratch: &mut Scratch) {
    let Bend { mix, softness, side, stretch, scale_y } = bend;
    let mut upper = rig.applied(bone, scratch);
    let mut lower = rig.applied(child, scratch);
    // Mirrored bones are solved without the reflection, which is restored afterwards.
    let scale = upper.scale.abs();
    let mut sense = 1.0;
    let upper_flip = if upper.scale.x < 0.0 { 180.0 } else { 0.0 };
    if upper.scale.x < 0.0 {
        sense = -sense;
    }
    if upper.scale.y < 0.0 {
        sense = -sense;
    }
    let lower_flip = if lower.scale.x < 0.0 { 180.0 } else { 0.0 };
    let inherits_all = |local: &BoneLocal| local.inherit == Inherit::Normal;
    let can_bend = rig.rules.bends_any_inherit || (inherits_all(&upper) && inherits_all(&lower));
    if !can_bend {
        return;
    }
    let is_even = (scale.x - scale.y).abs() <= NEAR;
    let keeps_y = is_even && (rig.rules.stretches_offset_bones || !stretch);
    let joint = dvec2(lower.translation.x, if keeps_y { lower.translation.y } else { 0.0 });

    // Relative to the first bone's origin, in the space of its parent.
    let world = scratch.world[bone];
    let parent = rig.world_from_parent(bone, scratch);
    let parent_from_world = inverse(parent.matrix2);
    let from_here = |point: DVec2| parent_from_world * (point - parent.translation) - upper.translation;
    let upper_length = from_here(world.transform_point2(joint)).length();
    if upper_length < NEAR {
        point(rig, bone, target, Reach { mix, stretch, ..Reach::default() }, scratch);
        lower.translation = joint;
        lower.rotation = 0.0;
        rig.place(child, lower, scratch);
        return;
    }
    let mut goal = from_here(target);
    let lower_length = rig.bones[child].length * lower.scale.x.abs();
    if softness != 0.0 {
        goal = softened(
            goal,
            upper_length + lower_length * scale.x,
            softness * scale.x * (lower.scale.x.abs() + 1.0) / 2.0,
        );
    }
    let angles = if is_even {
        let (angles, factor) = solve_even(goal, upper_length, lower_length * scale.x, side);
        if stretch && factor > 1.0 {
            let factor = (factor - 1.0) * mix + 1.0;
            upper.scale.x *= factor;
            upper.scale.y *= scale_y.factor_in_reach(factor);
        }
        angles
    } else {
        solve_uneven(goal, [upper_length, lower_length], scale, side)
    };
    // The joint may be off the first bone's x axis.
    let beside = angle(joint) * sense;
    let upper_by = rig.way(angles.upper - beside + upper_flip - upper.rotation, upper.rotation);
    let lower_by =
        rig.way((angles.lower + beside - lower.shear.x) * sense + lower_flip - lower.rotation, lower.rotation);
    upper.rotation += upper_by * mix;
    if !rig.rules.bends_sheared {
        upper.shear = DVec2::ZERO;
    }
    rig.place(bone, upper, scratch);
    lower.translation = joint;
    lower.rotation += lower_by * mix;
    rig.place(child, lower, scratch);
}

/// Returns the goal moved towards the origin if it is less than `softness` within reach: the bones slow down
/// before they are fully extended, over twice that length.
///
/// With p from 0 to 1 over those two lengths the distance is reach - softness (1 - p)². Its slope, with
/// p = beyond / (2 softness), is 1 - p: 1 where it begins, so that nothing jumps, and 0 where it ends.
fn softened(goal: DVec2, reach: f64, softness: f64) -> DVec2 {
    let distance = goal.length();
    let beyond = distance - reach + softness;
    if beyond <= 0.0 || distance == 0.0 {
        return goal;
    }
    let left = 1.0 - (beyond / (softness * 2.0)).min(1.0);
    let softened = reach - softness * left * left;
    goal * (softened / distance)
}

/// Angles of two bones of these lengths, the second one's from the first, and how much farther than both the goal
/// is.
///
/// By the law of cosines: distance² = upper² + lower² + 2 upper lower cos(bend).
fn solve_even(goal: DVec2, upper: f64, lower: f64, bend: f64) -> (Angles, f64) {
    let cos = (goal.length_squared() - upper * upper - lower * lower) / (2.0 * upper * lower);
    let reach = upper + lower;
    let factor = if cos > 1.0 && reach > NEAR { goal.length() / reach } else { 1.0 };
    // If the second bone has no length, `cos` is NaN; the chain is straight.
    let cos = if cos > 1.0 || cos.is_nan() { 1.0 } else { cos.max(-1.0) };
    let bent = acos_degrees(cos) * bend;
    // The tip as seen from a first bone along x, and the goal as seen from the direction of the tip: a single
    // angle within half a turn, whereas the difference of two could exceed it by a whole turn.
    let tip = dvec2(upper, 0.0) + direction(bent) * lower;
    (Angles { upper: angle(dvec2(tip.dot(goal), tip.perp_dot(goal))), lower: bent }, factor)
}

/// Like [`solve_even`] if the first bone's scales differ: the tip of the second moves on an ellipse around the
/// joint. The first angle is a difference of two and may exceed half a turn.
fn solve_uneven(goal: DVec2, [upper, lower]: [f64; 2], scale: DVec2, bend: f64) -> Angles {
    let (wide, high) = (scale.x * lower, scale.y * lower);
    let (wide2, high2, upper2, distance2) = (wide * wide, high * high, upper * upper, goal.length_squared());
    // Points of the ellipse at the goal's distance d: x² + y² = d² and ((x - upper) / wide)² + (y / high)² = 1.
    // Without y this is (high² - wide²) x² - 2 high² upper x + high² upper² + wide² d² - high² wide² = 0.
    let (a, b) = (high2 - wide2, -2.0 * high2 * upper);
    let c = high2 * upper2 + wide2 * distance2 - wide2 * high2;
    let discriminant = b * b - 4.0 * a * c;
    if discriminant >= 0.0 {
        // Avoids cancellation; of both solutions, use the nearer one.
        let q = -0.5 * (b + discriminant.sqrt().copysign(b));
        let (one, other) = (q / a, c / q);
        let x = if one.abs() < other.abs() { one } else { other };
        if x * x <= distance2 {
            let y = (distance2 - x * x).sqrt() * bend;
            return Angles {
                upper: angle(goal) - atan2_degrees(y, x),
                lower: atan2_degrees(y / scale.y, (x - upper) / scale.x),
            };
        }
    }
    // Out of reach: the nearest or the farthest point of the ellipse, whichever is closer.
    let mut near = (dvec2(upper - wide, 0.0), 180.0);
    let mut far = (dvec2(upper + wide, 0.0), 0.0);
    let cos = -wide * upper / (wide2 - high2);
    if (-1.0..=1.0).contains(&cos) {
        let degrees = acos_degrees(cos);
        let point = dvec2(wide * cos + upper, high * direction(degrees).y);
        if point.length_squared() < near.0.length_squared() {
            near = (point, degrees);
        }
        if point.length_squared() > far.0.length_squared() {
            far = (point, degrees);
        }
    }
    let is_near = distance2 <= (near.0.length_squared() + far.0.length_squared()) / 2.0;
    let (tip, degrees) = if is_near { near } else { far };
    // A chain that folds back beyond its joint turns by half a turn, to the side to which it bends.
    let of_tip = if tip.y == 0.0 && tip.x < 0.0 { 180.0 * bend } else { atan2_degrees(tip.y * bend, tip.x) };
    Angles { upper: angle(goal) - of_tip, lower: degrees * bend }
}
