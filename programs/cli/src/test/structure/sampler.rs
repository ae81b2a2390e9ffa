//! Poses of a character as numbers and names that a [`Structure`](super::Structure) contains.

use std::collections::BTreeMap;

use super::{Bones, Drawn, Placement};
use pchr::Character;
use pchr::export::RenderOptions;
use pchr::math::Affine2;
use pchr::motion::{Cue, Dynamics, Evaluator, plays_physics};
use pchr::pose::{Pose, Transform};

const DEGREES: f64 = 0.01;
const SCALE: f64 = 1e-4;

/// Poses a character, with the buffers for it.
pub struct Sampler<'a> {
    pub character: &'a Character,
    pub evaluator: Evaluator,
    pub pose: Pose,
    /// Names of the authored bones.
    pub bones: Vec<String>,
    pub slots: Vec<String>,
    /// Step to which positions are rounded.
    pub precision: f64,
}

impl<'a> Sampler<'a> {
    pub fn new(character: &'a Character, options: &RenderOptions) -> Self {
        let physics = plays_physics(character, options.subject.physics);
        let model = character.model();
        Self {
            character,
            evaluator: Evaluator::with_dynamics(physics.then(Dynamics::default)),
            pose: Pose::for_model(model),
            bones: distinct(model.skeleton().authored_bones().iter().map(|bone| &*bone.name)),
            slots: distinct(model.slots().iter().map(|slot| &*slot.name)),
            precision: 1.0,
        }
    }

    pub fn evaluate(&mut self, cue: &Cue) {
        self.evaluator.evaluate(self.character, cue, &mut self.pose);
    }

    /// The bones, relative to their parents.
    pub fn bones(&self, precision: f64) -> Bones {
        let skeleton = self.character.model().skeleton();
        let bones = skeleton.bone_ids().zip(skeleton.authored_bones()).zip(&self.bones);
        let placed = bones.map(|((id, bone), name)| {
            let world = self.pose.world_from_bone[id.index()];
            let parent = bone.parent.map(|parent| self.pose.world_from_bone[parent.index()]);
            let local = parent.map_or(world, |parent| parent.inverse() * world);
            // A parent without any size has no inverse.
            let is_usable = local.is_finite() && !self.pose.inactive_bones.contains(&id);
            (name.clone(), is_usable.then(|| placement(local, precision)))
        });
        placed.collect()
    }

    /// What is drawn, back to front.
    pub fn drawn(&self) -> Vec<Drawn> {
        let model = self.character.model();
        let of_slot = |slot: &pchr::model::SlotId| {
            let attachment = model.attachment(self.pose.slots[slot.index()].attachment?);
            let is_visible = attachment.mesh().is_some() && self.pose.is_slot_active(model, *slot);
            let (attachment, slot) = (attachment.name().to_owned(), self.slots[slot.index()].clone());
            is_visible.then_some(Drawn { attachment, slot })
        };
        self.pose.draw_order.iter().filter_map(of_slot).collect()
    }
}

fn placement(local: Affine2, precision: f64) -> Placement {
    let Transform { position, rotation_degrees, scale, shear_degrees } = local.into();
    let [scale_x, scale_y] = scale.to_array().map(f64::from);
    // An axis without length has no direction.
    let [has_x, has_y] = [scale_x, scale_y].map(|scale| scale.abs() >= SCALE);
    let rotation = if has_x { rotation_degrees } else { 0.0 };
    let shear = if has_x && has_y { shear_degrees } else { 0.0 };
    Placement {
        rotation: rounded(rotation.into(), DEGREES),
        scale_x: rounded(scale_x, SCALE),
        scale_y: rounded(scale_y, SCALE),
        shear: rounded(shear.into(), DEGREES),
        x: rounded(position.x.into(), precision),
        y: rounded(position.y.into(), precision),
    }
}

/// Rounds to a multiple of `step`, a power of ten.
pub fn rounded(value: f64, step: f64) -> f64 {
    // Dividing by whole numbers gives few digits. Adding 0 removes the sign of -0.
    let rounded = if step >= 1.0 {
        (value / step).round() * step
    } else {
        let per_unit = (1.0 / step).round();
        (value * per_unit).round() / per_unit
    };
    rounded + 0.0
}

/// Returns the names; later ones of the same name get a number.
pub fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let number = |name: &'a str| {
        let count = counts.entry(name).or_default();
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name} #{count}") }
    };
    names.map(number).collect()
}
