//! A pose as rows: one for each bone, slot and hit box, and one for each event that an animation fires.

use serde::Serialize;

use super::Part;
use crate::math::{Affine2, Vec2};
use crate::model::{BoneId, Model, SlotId};
use crate::motion::FiredEvent;
use crate::pose::{Pose, SkinMatrix, Transform, bounding_box};

/// A bone in the world.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct BoneRow<'a> {
    /// Name of the bone.
    pub bone: &'a str,
    /// The x axis, the y axis and the position: `[a, b, c, d, x, y]` moves a point `(u, v)` of the bone to
    /// `(a·u + c·v + x, b·u + d·v + y)`.
    pub matrix: [f32; 6],
    /// Position in world pixels, y up.
    pub position: [f32; 2],
    /// Direction of the x axis in degrees, counter-clockwise, -180 to 180.
    pub rotation: f32,
    /// Lengths of the axes; the second is negative for a reflection.
    pub scale: [f32; 2],
    /// Degrees by which the angle between the axes exceeds 90.
    pub shear: f32,
}

/// A slot.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SlotRow<'a> {
    /// Name of the attachment that it shows; null if it is empty.
    pub attachment: Option<&'a str>,
    /// Name of its bone; absent if it follows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bone: Option<&'a str>,
    /// Red, green, blue and alpha of the slot, 0 to 1.
    pub color: [f32; 4],
    /// The colour that replaces black; absent if it stays black.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dark: Option<[f32; 3]>,
    /// Name of the slot.
    pub slot: &'a str,
}

/// A hit box.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct BoxRow<'a> {
    /// Name of the bounding box.
    pub attachment: &'a str,
    /// Corners of the polygon in world pixels, y up.
    pub corners: Vec<[f32; 2]>,
    /// Name of the slot that shows it.
    pub slot: &'a str,
}

/// An event that an animation fires.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct EventRow<'a> {
    /// Name of its sound file; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio: Option<&'a str>,
    /// Balance of the sound, -1 left to 1 right.
    pub balance: f32,
    /// Name of the event.
    pub event: &'a str,
    /// Number that it carries.
    pub float: f32,
    /// Whole number that it carries.
    pub int: i32,
    /// Time in the animation.
    pub seconds: f32,
    /// Text that it carries.
    pub string: &'a str,
    /// Volume of the sound; 1 as recorded.
    pub volume: f32,
}

impl<'a> From<FiredEvent<'a>> for EventRow<'a> {
    fn from(fired: FiredEvent<'a>) -> Self {
        let FiredEvent { time, event: _, name, int, float, string, audio, volume, balance } = fired;
        Self { audio, balance, event: name, float, int, seconds: time, string, volume }
    }
}

/// Returns the world matrix of a bone. A bone that is inactive, or whose numbers overflow, has none.
pub fn placed(pose: &Pose, id: BoneId) -> Option<Affine2> {
    let world = pose.world_from_bone.get(id.index()).filter(|world| world.is_finite())?;
    pose.inactive_bones.binary_search(&id).is_err().then_some(*world)
}

impl<'a> BoneRow<'a> {
    /// Returns the row of a bone that is [placed](placed()).
    pub fn of(model: &'a Model, pose: &Pose, id: BoneId) -> Option<Self> {
        let world = placed(pose, id)?;
        let Transform { position, rotation_degrees, scale, shear_degrees } = world.into();
        Some(Self {
            bone: Part::Bone(id).name(model),
            matrix: matrix(world),
            position: pair(position),
            rotation: plain(rotation_degrees),
            scale: pair(scale),
            shear: plain(shear_degrees),
        })
    }
}

impl<'a> SlotRow<'a> {
    /// Returns the row of a slot.
    pub fn of(model: &'a Model, pose: &Pose, id: SlotId) -> Option<Self> {
        let (slot, state) = (model.slot(id), pose.slots.get(id.index())?);
        // Bones that the reader has added have no name.
        let bone = slot.bone.and_then(|bone| model.skeleton().authored_bones().get(bone.index()));
        Some(Self {
            attachment: state.attachment.map(|id| model.attachment(id).name()),
            bone: bone.map(|bone| &*bone.name),
            color: state.tint.light,
            dark: state.tint.dark,
            slot: &slot.name,
        })
    }
}

impl<'a> BoxRow<'a> {
    /// Returns the row of a slot that shows a hit box. `corners` is scratch memory.
    pub fn of(
        model: &'a Model,
        pose: &Pose,
        palette: &[SkinMatrix],
        id: SlotId,
        corners: &mut Vec<Vec2>,
    ) -> Option<Self> {
        let is_box = bounding_box(model, pose, id, palette, corners);
        let attachment = pose.slots.get(id.index())?.attachment?;
        let is_placed = is_box && corners.iter().all(|corner| corner.is_finite());
        is_placed.then(|| Self {
            attachment: model.attachment(attachment).name(),
            corners: corners.iter().copied().map(pair).collect(),
            slot: &model.slot(id).name,
        })
    }
}

/// Returns the columns of a matrix: the x axis, the y axis and the position.
pub fn matrix(world: Affine2) -> [f32; 6] {
    world.to_cols_array().map(plain)
}

fn pair(vector: Vec2) -> [f32; 2] {
    vector.to_array().map(plain)
}

/// Turns -0 into 0.
fn plain(number: f32) -> f32 {
    number + 0.0
}
