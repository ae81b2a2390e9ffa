//! The local transform of one bone over an animation.

use super::{Cue, Evaluator, KeyChannel, Position};
use crate::character::Character;
use crate::math::Vec2;
use crate::math::angle::shortest_turn_degrees;
use crate::model::{AnimationId, BoneId, SkinId};
use crate::pose::{Pose, Transform};
use crate::rows::rows;

/// The local transform of a bone at one instant.
#[derive(Debug, Clone, Copy)]
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

rows! {
    /// A value of a bone over time.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum BoneCurve: (&'static str, &'static str) {
        /// Rotation in degrees.
        Rotation => ("Rotation", "°"),
        /// Horizontal offset in pixels.
        X => ("X", " px"),
        /// Vertical offset in pixels.
        Y => ("Y", " px"),
        /// Scale along the x axis.
        ScaleX => ("Scale X", " ×"),
        /// Scale along the y axis.
        ScaleY => ("Scale Y", " ×"),
    }
}

impl BoneCurve {
    /// Returns the name for display.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the unit, with a space before it where one belongs.
    pub fn unit(self) -> &'static str {
        self.row().1
    }

    /// Returns the value at a point.
    pub fn of(self, point: &BonePoint) -> f32 {
        match self {
            Self::Rotation => point.rotation_degrees,
            Self::X => point.translation.x,
            Self::Y => point.translation.y,
            Self::ScaleX => point.scale.x,
            Self::ScaleY => point.scale.y,
        }
    }

    /// Returns true if keys of `channel` change the value.
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
    let mut cue = Cue { animation: Some(animation), hold: true, skins: skins.to_vec(), ..Cue::default() };
    let (mut evaluator, mut pose) = (Evaluator::default(), Pose::default());
    let mut points: Vec<BonePoint> = Vec::new();
    for position in positions {
        cue.position = match timing.is_keyed() {
            true => Position::Seconds(timing.seconds_at(position)),
            false => Position::frame(position as u32),
        };
        evaluator.evaluate(character, &cue, &mut pose);
        let is_active = pose.inactive_bones.binary_search(&bone).is_err();
        let local = pose.parent_from_bone(model, bone).filter(|local| is_active && local.is_finite());
        let Some(local) = local.map(Transform::from) else { continue };
        let rotation_degrees = points.last().map_or(local.rotation_degrees, |before| {
            before.rotation_degrees + shortest_turn_degrees(before.rotation_degrees, local.rotation_degrees)
        });
        points.push(BonePoint { position, rotation_degrees, translation: local.position, scale: local.scale });
    }
    points
}

/// Least and most evenly spaced positions.
const POINTS: (f64, f64) = (64.0, 1024.0);
/// Limit of bones × positions.
const MAX_BONE_EVALUATIONS: usize = 1_000_000;
/// Distance in frames of the point before a key, which shows a jump.
const BEFORE_KEY: f64 = 1e-3;

/// Returns the positions, in frames and ascending, at which to sample [`bone_curve`] for a graph. Of stored frames, these
/// are every nth and the last. Of keyed animations, they are about 64 to 1024 evenly spaced positions, fewer the more bones
/// the character has, and each of `keys`, in frames, with a position just before it, unless there are more keys than that.
///
/// # Panics
///
/// Panics if `character` does not have `animation`.
#[track_caller]
pub fn curve_positions(character: &Character, animation: AnimationId, keys: &[f64]) -> Vec<f64> {
    let model = character.model();
    let animation = model.animation(animation);
    let affordable = (MAX_BONE_EVALUATIONS / model.skeleton().bones().len().max(1)) as f64;
    let most = affordable.clamp(POINTS.0, POINTS.1);
    if !animation.is_keyed() {
        let count = animation.frame_count();
        let step = (f64::from(count) / most).ceil().max(1.0);
        let last = count.checked_sub(1).map(f64::from);
        let mut positions: Vec<f64> = (0..count).step_by(step as usize).map(f64::from).chain(last).collect();
        positions.dedup();
        return positions;
    }
    let length = animation.duration_secs() * animation.fps();
    let count = (length * 4.0).clamp(POINTS.0, most);
    let mut positions: Vec<f64> = (0..=count as u32).map(|at| f64::from(at) / count.floor() * length).collect();
    let mut keys = keys.to_vec();
    keys.sort_unstable_by(f64::total_cmp);
    keys.dedup();
    if keys.len() as f64 <= most {
        positions.extend(keys.iter().flat_map(|key| [key - BEFORE_KEY, *key]).filter(|key| *key >= 0.0));
    }
    positions.sort_unstable_by(f64::total_cmp);
    positions.dedup();
    positions
}
