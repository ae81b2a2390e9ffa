//! The local transform of one bone over an animation.

use super::{Cue, Evaluator, Position};
use crate::character::Character;
use crate::math::angle::{atan2_degrees, shortest_turn_degrees};
use crate::math::{Affine2, Vec2};
use crate::model::{AnimationId, BoneId, SkinId};
use crate::pose::Pose;

/// The local transform of a bone at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BonePoint {
    /// The instant, in frames from the first.
    pub position: f64,
    /// Rotation relative to the parent in degrees, counter-clockwise. It continues beyond a full turn.
    pub rotation_degrees: f32,
    /// Offset from the parent in the parent's pixels, y up.
    pub translation: Vec2,
    /// Scale along the bone's x and y axes; y is negative for a mirrored bone.
    pub scale: Vec2,
}

/// Returns the local transform of `bone` at each of `positions`, which are in frames and ascending.
///
/// It is the transform relative to the parent in the evaluated pose: with constraints, without physics. Shear is not
/// part of it. Stored frames are not blended. Between two points the rotation is assumed to be less than half a turn.
/// Positions at which the parent is flat or the bone inactive are left out; a bone that does not exist has no points.
///
/// This evaluates the whole character at each position: keep the result.
///
/// ```
/// # use pchr::{Character, motion::bone_curve};
/// let knight = Character::open("assets/paper-knight.pchr")?;
/// let model = knight.model();
/// let walk = model.find_animation("walk").expect("the knight can walk");
/// let head = model.skeleton().find("head").expect("the knight has a head");
/// let frames = model.animation(walk).frame_count();
/// let curve = bone_curve(&knight, walk, &[], head, (0..frames).map(f64::from));
/// assert_eq!(curve.len(), frames as usize);
/// # Ok::<(), pchr::Error>(())
/// ```
///
/// # Panics
///
/// Panics if `character` does not have `animation`.
#[track_caller]
pub fn bone_curve(
    character: &Character,
    animation: AnimationId,
    skins: &[SkinId],
    bone: BoneId,
    positions: impl IntoIterator<Item = f64>,
) -> Vec<BonePoint> {
    let model = character.model();
    let timing = model.animation(animation);
    let Some(parent) = model.skeleton().bones().get(bone.index()).map(|bone| bone.parent) else {
        return Vec::new();
    };
    let mut cue = Cue { animation: Some(animation), hold: true, skins: skins.to_vec(), ..Cue::default() };
    let (mut evaluator, mut pose) = (Evaluator::default(), Pose::default());
    let mut points: Vec<BonePoint> = Vec::new();
    for position in positions {
        cue.position = match timing.is_keyed() {
            true => Position::Seconds(timing.seconds_at(position)),
            false => Position::frame(position as u32),
        };
        evaluator.evaluate(character, &cue, &mut pose);
        let world = |bone: BoneId| pose.world_from_bone.get(bone.index()).copied().unwrap_or_default();
        let world_from_parent = parent.map_or(Affine2::IDENTITY, world);
        let parent_from_world = world_from_parent.inverse();
        let local = parent_from_world * world(bone);
        let is_active = pose.inactive_bones.binary_search(&bone).is_err();
        if !is_active || !local.is_finite() {
            continue;
        }
        let mut point = decomposed(local, position);
        if let Some(before) = points.last() {
            let turn = shortest_turn_degrees(before.rotation_degrees, point.rotation_degrees);
            point.rotation_degrees = before.rotation_degrees + turn;
        }
        points.push(point);
    }
    points
}

fn decomposed(local: Affine2, position: f64) -> BonePoint {
    let [x, y] = [local.matrix2.x_axis, local.matrix2.y_axis];
    // A bone without width is rotated as its other axis is.
    let along = if x == Vec2::ZERO { -y.perp() } else { x };
    let height = y.length();
    BonePoint {
        position,
        rotation_degrees: atan2_degrees(along.y.into(), along.x.into()) as f32,
        translation: local.translation,
        scale: Vec2::new(x.length(), if local.matrix2.determinant() < 0.0 { -height } else { height }),
    }
}
