//! A pose → the rows that are printed about it.

use schemars::JsonSchema;
use serde::Serialize;

use super::unknown_bone;
use crate::shared::failure::Failure;
use pchr::export::{NamePattern, SampledPose};
use pchr::math::Vec2;
use pchr::model::{BoneId, Model, SlotId};
use pchr::motion::FiredEvent;
use pchr::pose::{Transform, bounding_box};

/// A bone in the world.
#[derive(Debug, Serialize, JsonSchema)]
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
#[derive(Debug, Serialize, JsonSchema)]
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
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoxRow<'a> {
    /// Name of the bounding box.
    pub attachment: &'a str,
    /// Corners of the polygon in world pixels, y up.
    pub corners: Vec<[f32; 2]>,
    /// Name of the slot that shows it.
    pub slot: &'a str,
}

/// An event that an animation fires.
#[derive(Debug, Serialize, JsonSchema)]
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
        let FiredEvent { time, name, int, float, string, audio, volume, balance, .. } = fired;
        Self { audio, balance, event: name, float, int, seconds: time, string, volume }
    }
}

/// The bones that are printed.
pub struct Filter<'a> {
    model: &'a Model,
    /// One flag for each bone; `None`: all of them.
    bones: Option<Vec<bool>>,
}

impl<'a> Filter<'a> {
    /// Fails for a pattern that matches no bone.
    pub fn new(model: &'a Model, patterns: &[NamePattern]) -> Result<Self, Failure> {
        let names = || model.skeleton().authored_bones().iter().map(|bone| &*bone.name);
        if let Some(unmatched) = patterns.iter().find(|pattern| !names().any(|name| pattern.matches(name))) {
            return Err(unknown_bone(unmatched, names()));
        }
        let is_wanted = |name| patterns.iter().any(|pattern| pattern.matches(name));
        Ok(Self { model, bones: (!patterns.is_empty()).then(|| names().map(is_wanted).collect()) })
    }

    fn has(&self, bone: Option<BoneId>) -> bool {
        let Some(bones) = &self.bones else { return true };
        bone.is_some_and(|bone| bones.get(bone.index()).is_some_and(|is_wanted| *is_wanted))
    }

    /// Returns the bones, parents first. A bone that is inactive, or whose numbers overflow, has no place.
    pub fn bones(&self, posed: &SampledPose<'_>) -> impl Iterator<Item = BoneRow<'a>> {
        let skeleton = self.model.skeleton();
        let bones = skeleton.bone_ids().zip(skeleton.authored_bones()).filter(|(id, _)| self.has(Some(*id)));
        bones.filter_map(|(id, bone)| {
            let world = *posed.pose.world_from_bone.get(id.index())?;
            let is_placed = world.is_finite() && !posed.pose.inactive_bones.contains(&id);
            let Transform { position, rotation_degrees, scale, shear_degrees } = world.into();
            is_placed.then(|| BoneRow {
                bone: &bone.name,
                matrix: world.to_cols_array().map(plain),
                position: pair(position),
                rotation: plain(rotation_degrees),
                scale: pair(scale),
                shear: plain(shear_degrees),
            })
        })
    }

    /// Returns the slots, back to front.
    pub fn slots(&self, posed: &SampledPose<'_>) -> impl Iterator<Item = SlotRow<'a>> {
        let model = self.model;
        self.drawn(posed).filter_map(move |id| {
            let (slot, state) = (model.slot(id), posed.pose.slots.get(id.index())?);
            Some(SlotRow {
                attachment: state.attachment.map(|id| model.attachment(id).name()),
                bone: slot
                    .bone
                    .and_then(|bone| model.skeleton().authored_bones().get(bone.index()))
                    .map(|it| &*it.name),
                color: state.tint.light,
                dark: state.tint.dark,
                slot: &slot.name,
            })
        })
    }

    /// Returns the hit boxes, back to front.
    pub fn boxes(&self, posed: &SampledPose<'_>) -> impl Iterator<Item = BoxRow<'a>> {
        let model = self.model;
        let mut corners = Vec::new();
        self.drawn(posed).filter_map(move |id| {
            let is_box = bounding_box(model, posed.pose, id, posed.palette, &mut corners);
            let attachment = posed.pose.slots.get(id.index())?.attachment?;
            let is_placed = is_box && corners.iter().all(|corner| corner.is_finite());
            is_placed.then(|| BoxRow {
                attachment: model.attachment(attachment).name(),
                corners: corners.iter().copied().map(pair).collect(),
                slot: &model.slot(id).name,
            })
        })
    }

    /// Returns the active slots on wanted bones, back to front.
    fn drawn(&self, posed: &SampledPose<'_>) -> impl Iterator<Item = SlotId> {
        let is_wanted =
            |id: &SlotId| self.has(self.model.slot(*id).bone) && posed.pose.is_slot_active(self.model, *id);
        posed.pose.draw_order.iter().copied().filter(is_wanted)
    }

    /// Returns the names of everything that is printed, for the widths of columns.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        let model = self.model;
        let bones = model.skeleton().authored_bones().iter().map(|bone| &*bone.name);
        let slots = model.slots().iter().map(|slot| &*slot.name);
        bones.chain(slots).chain(model.attachments().iter().map(|attachment| attachment.name()))
    }
}

fn pair(vector: Vec2) -> [f32; 2] {
    vector.to_array().map(plain)
}

/// Turns -0 into 0.
fn plain(number: f32) -> f32 {
    number + 0.0
}
