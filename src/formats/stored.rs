//! Stored frames converted for the writers of keyed formats: bones point along their own x axis, y is up, angles
//! are continuous from frame to frame.
//!
//! PCHR bones point along their own y axis, Spine and SkelForm bones along x. So every bone is rotated by a
//! quarter turn about its joint, which is exact because it only swaps numbers.

use crate::character::Character;
use crate::error::{Error, Place, Result};
use crate::formats::Loss;
use crate::formats::free_names::FreeNames;
use crate::limits::Budget;
use crate::math::angle::{atan2_degrees, sin_cos_degrees_f64, wrap_turn};
use crate::math::{Affine2, DAffine2, DMat2, DVec2, Vec2, dvec2};
use crate::model::{AnimationId, BoneId, Influence, Mesh, Model, Slot, Vertices};
use crate::motion::{BoneSample, Motion, Sampled};

/// Transform of a bone relative to its parent, or to the world for a root. Pixels, and degrees counter-clockwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Local {
    pub translation: DVec2,
    pub rotation: f64,
    pub scale: DVec2,
}

/// Visibility and z order of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotState {
    pub is_visible: bool,
    pub z_order: i16,
}

/// An influence on a vertex with a weight other than 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// The bone; `None`: the vertex does not move.
    pub bone: Option<BoneId>,
    /// Position in bind-pose world pixels.
    pub position: Vec2,
    /// Weight, greater than 0.
    pub weight: f32,
}

/// Memory of a written bone or slot, with its text.
const RECORD_BYTES: usize = 1024;
/// Memory of a written vertex, influence or index, with its text.
const VERTEX_BYTES: usize = 128;
/// Units of work for a bone written as keys, counted from bones × frames, to Spine and SkelForm.
pub const TRANSFORM_WORK: u64 = 60;

/// A character with stored frames.
pub struct Stored<'a> {
    pub model: &'a Model,
    sampled: &'a Sampled,
    setup: Vec<Local>,
}

impl Local {
    pub const IDENTITY: Self = Self { translation: DVec2::ZERO, rotation: 0.0, scale: DVec2::ONE };

    /// Returns the matrix `T · R · S`.
    pub fn affine(&self) -> DAffine2 {
        let (sin, cos) = sin_cos_degrees_f64(self.rotation);
        let matrix2 = DMat2::from_cols(dvec2(cos, sin) * self.scale.x, dvec2(-sin, cos) * self.scale.y);
        DAffine2 { matrix2, translation: self.translation }
    }

    /// Returns the transform with the same x axis; shear is lost.
    pub fn nearest(affine: &DAffine2) -> Self {
        let DMat2 { x_axis, y_axis } = affine.matrix2;
        let wide = x_axis.length();
        let (rotation, scale) = if wide > 0.0 {
            let area = x_axis.x * y_axis.y - x_axis.y * y_axis.x;
            (atan2_degrees(x_axis.y, x_axis.x), dvec2(wide, area / wide))
        } else if y_axis == DVec2::ZERO {
            (0.0, DVec2::ZERO)
        } else {
            (atan2_degrees(-y_axis.x, y_axis.y), dvec2(0.0, y_axis.length()))
        };
        Self { translation: affine.translation, rotation, scale }
    }

    /// Converts a stored bone, rotated by a quarter turn.
    fn turned(sample: &BoneSample, is_root: bool) -> Self {
        let BoneSample { translation, rotation_degrees, scale } = sample;
        let (translation, rotation) = (translation.as_dvec2(), f64::from(*rotation_degrees));
        Self {
            translation: if is_root { translation } else { turned(translation) },
            rotation: if is_root { rotation + 90.0 } else { rotation },
            scale: dvec2(scale.y.into(), scale.x.into()),
        }
    }
}

/// Converts a point to a space that is rotated by a quarter turn.
fn turned(point: DVec2) -> DVec2 {
    dvec2(point.y, -point.x)
}

/// Converts a matrix to a source space that is rotated by a quarter turn.
fn turned_affine(affine: &Affine2) -> DAffine2 {
    let matrix2 = DMat2::from_cols(affine.matrix2.y_axis.as_dvec2(), -affine.matrix2.x_axis.as_dvec2());
    DAffine2 { matrix2, translation: affine.translation.as_dvec2() }
}

impl<'a> Stored<'a> {
    /// Takes the stored frames of a character, and charges what writing them takes. Fails if it has none; `format` is the one to
    /// write, for the message.
    pub fn of(character: &'a Character, format: &str, budget: &mut Budget<'_>) -> Result<Self> {
        let Motion::Sampled(sampled) = character.motion() else {
            let message = format!("only stored frames can be written as {format}; bake the character first");
            return Err(Error::misuse("not-sampled", message));
        };
        let mut stored = Self { model: character.model(), sampled, setup: Vec::new() };
        stored.setup = stored.find_setup();
        stored.charge(budget)?;
        Ok(stored)
    }

    /// Returns the bind pose.
    pub fn setup(&self) -> &[Local] {
        &self.setup
    }

    /// Returns the animations to write: all but those that only repeat the bind pose.
    pub fn animations(&self) -> Vec<AnimationId> {
        let is_setup = |id| self.frame_count(id) == 1 && self.is_bind_pose(id, 0);
        let ids = self.model.animation_ids();
        ids.filter(|&id| !(self.model.animation(id).is_bind_pose && is_setup(id))).collect()
    }

    /// Returns the number of stored frames that can be shown: at most 1 at a frame rate of 0.
    pub fn frame_count(&self, animation: AnimationId) -> usize {
        let animation = self.model.animation(animation);
        let count = animation.frame_count() as usize;
        if animation.fps() > 0.0 { count } else { count.min(1) }
    }

    /// Charges what a writer makes of the bones, slots and meshes, with its text, and the work of converting the
    /// frames. Keys are charged when they are found.
    fn charge(&self, budget: &mut Budget<'_>) -> Result<()> {
        let bones = self.model.skeleton().bones().len() as u64;
        budget.charge_memory(bones, RECORD_BYTES, || Place::inside("bones"))?;
        budget.charge_memory(self.model.slots().len() as u64, RECORD_BYTES, || Place::inside("slots"))?;
        for mesh in self.model.attachments().iter().filter_map(|attachment| attachment.mesh()) {
            let pulls = match &mesh.vertices {
                Vertices::Skin4(vertices) => 4 * vertices.len(),
                Vertices::SkinN(vertices) => vertices.influences().len(),
            };
            let records = mesh.vertices.len() + pulls + mesh.indices.len();
            budget.charge_memory(records as u64, VERTEX_BYTES, || Place::inside("meshes"))?;
        }
        for id in self.model.animation_ids() {
            let transforms = bones * self.frame_count(id) as u64;
            budget.charge_work(transforms, TRANSFORM_WORK, || Place::inside("animations"))?;
        }
        Ok(())
    }

    /// Returns the transforms of a bone in all frames.
    pub fn locals(&self, animation: AnimationId, bone: BoneId) -> impl Iterator<Item = Local> {
        let is_root = self.is_root(bone);
        let stored = move |frame| self.sampled.stored_bone(self.model, animation, frame, bone);
        (0..self.frame_count(animation) as u32).map(move |frame| Local::turned(&stored(frame).sample, is_root))
    }

    /// Returns the transforms of a bone in all frames. Angles change by at most half a turn from frame to frame.
    pub fn track(&self, animation: AnimationId, bone: BoneId) -> Vec<Local> {
        let mut track: Vec<Local> = Vec::with_capacity(self.frame_count(animation));
        for mut local in self.locals(animation, bone) {
            if let Some(before) = track.last() {
                local.rotation = before.rotation + wrap_turn(local.rotation - before.rotation);
            }
            track.push(local);
        }
        track
    }

    /// Returns the transforms of all bones in a frame.
    pub fn frame(&self, animation: AnimationId, frame: usize) -> impl Iterator<Item = Local> {
        let bones = self.model.skeleton().bones();
        let stored = self.sampled.stored(self.model, animation, frame as u32);
        stored.zip(bones).map(|(stored, bone)| Local::turned(&stored.sample, bone.parent.is_none()))
    }

    /// Returns the loss of frames that cannot be shown, if there are any.
    pub fn lost_frames(&self, id: AnimationId) -> Option<Loss> {
        let animation = self.model.animation(id);
        let left = animation.frame_count() as usize - self.frame_count(id);
        let message = format!("the rate is 0 fps: only the first frame is written, {left} are left out");
        (left > 0).then(|| Loss::in_animation("zero-fps", &animation.name, message))
    }

    /// Returns the state of the slots on `bone` in a stored frame.
    fn state(&self, animation: AnimationId, frame: usize, bone: BoneId) -> SlotState {
        let stored = self.sampled.stored_bone(self.model, animation, frame as u32, bone);
        SlotState { is_visible: stored.is_visible, z_order: stored.z_order }
    }

    /// Returns the state of the slots on `bone` in all frames; empty without a bone, because those never change.
    pub fn states(&self, animation: AnimationId, bone: Option<BoneId>) -> Vec<SlotState> {
        let Some(bone) = bone else { return Vec::new() };
        (0..self.frame_count(animation)).map(|frame| self.state(animation, frame, bone)).collect()
    }

    /// Returns the bones of all slots, without duplicates.
    pub fn slot_bones(&self) -> Vec<BoneId> {
        let mut bones: Vec<BoneId> = self.model.slots().iter().filter_map(|slot| slot.bone).collect();
        bones.sort_unstable();
        bones.dedup();
        bones
    }

    /// Returns the states of the slots in the rest pose: those in the first frame of the default animation.
    pub fn setup_states(&self) -> Vec<SlotState> {
        let first = self.model.motions().next().filter(|&id| self.frame_count(id) > 0);
        let state = |slot: &Slot| match first.zip(slot.bone) {
            Some((animation, bone)) => self.state(animation, 0, bone),
            None => SlotState { is_visible: true, z_order: 0 },
        };
        self.model.slots().iter().map(state).collect()
    }

    /// Returns the inverse bind matrix of a bone; `None` if it moves no vertices.
    pub fn bone_from_bind(&self, bone: BoneId) -> Option<DAffine2> {
        let affine = self.model.skeleton().bones()[bone.index()].bone_from_bind?;
        let columns = [affine.matrix2.x_axis, affine.matrix2.y_axis].map(|axis| turned(axis.as_dvec2()));
        let matrix2 = DMat2::from_cols(columns[0], columns[1]);
        Some(DAffine2 { matrix2, translation: turned(affine.translation.as_dvec2()) })
    }

    /// Returns the mesh of a slot in the rest pose, if it has triangles.
    pub fn mesh(&self, slot: &Slot) -> Option<&'a Mesh> {
        self.model.attachment(slot.attachment?).mesh().filter(|mesh| !mesh.indices.is_empty())
    }

    /// Returns the position of a vertex in the space of the bone that pulls it.
    pub fn position(&self, pull: &Pull) -> DVec2 {
        let at = pull.position.as_dvec2();
        let bone_from_bind = pull.bone.and_then(|bone| self.bone_from_bind(bone));
        bone_from_bind.map_or(at, |bone_from_bind| bone_from_bind.transform_point2(at))
    }

    /// Returns the influences of all vertices of `mesh`, in order; at least one per vertex.
    pub fn pulls(&self, mesh: &Mesh) -> Vec<Vec<Pull>> {
        let bones = self.model.skeleton().bones();
        let pull = |bone: usize, position, weight| {
            let moves = bones.get(bone).is_some_and(|bone| bone.bone_from_bind.is_some());
            Pull { bone: moves.then(|| BoneId::new(bone)), position, weight }
        };
        let resting = |position| vec![Pull { bone: None, position, weight: 1.0 }];
        match &mesh.vertices {
            Vertices::Skin4(vertices) => {
                let pulls = |vertex: crate::model::Skin4Vertex| {
                    let list = vertex.bone_ids.iter().zip(vertex.bone_weights).filter(|(_, weight)| *weight > 0.0);
                    let list = list.map(|(&bone, weight)| pull(bone.into(), vertex.position, weight));
                    let list: Vec<Pull> = list.collect();
                    if list.is_empty() { resting(vertex.position) } else { list }
                };
                vertices.iter().map(pulls).collect()
            }
            Vertices::SkinN(vertices) => {
                let pulls = |vertex: crate::model::SkinNVertex<'_>| {
                    let list = vertex.influences.iter().filter(|influence| influence.weight != 0.0);
                    let list = list.map(|&Influence { position, bone, weight }| match bone {
                        Influence::NO_BONE => Pull { bone: None, position, weight },
                        bone => pull(bone as usize, position, weight),
                    });
                    let list: Vec<Pull> = list.collect();
                    if list.is_empty() { resting(Vec2::ZERO) } else { list }
                };
                vertices.iter().map(pulls).collect()
            }
        }
    }

    fn is_root(&self, bone: BoneId) -> bool {
        self.model.skeleton().bones()[bone.index()].parent.is_none()
    }

    /// Returns the world matrices of all bones, given their local transforms.
    pub fn compose(&self, locals: impl Iterator<Item = Local>) -> Vec<DAffine2> {
        self.composed(locals).collect()
    }

    /// Like [`Self::compose`], bone by bone.
    fn composed(&self, locals: impl Iterator<Item = Local>) -> impl Iterator<Item = DAffine2> {
        let bones = self.model.skeleton().bones();
        let mut world: Vec<DAffine2> = Vec::with_capacity(bones.len());
        bones.iter().zip(locals).map(move |(bone, local)| {
            let matrix = match bone.parent {
                Some(parent) => world[parent.index()] * local.affine(),
                None => local.affine(),
            };
            world.push(matrix);
            matrix
        })
    }

    /// Returns true if a stored frame is the bind pose, up to rounding.
    fn is_bind_pose(&self, animation: AnimationId, frame: usize) -> bool {
        // Allow for the rounding errors of single precision.
        let is_near = |found: f64, wanted: f64| (found - wanted).abs() <= 1e-5 * wanted.abs().max(1.0);
        self.composed(self.frame(animation, frame)).zip(self.sampled.bind_world_from_bone()).all(
            |(found, wanted)| {
                let (found, wanted) = (found.to_cols_array(), turned_affine(wanted).to_cols_array());
                found.into_iter().zip(wanted).all(|(found, wanted)| is_near(found, wanted))
            },
        )
    }

    /// Returns the bind pose from the stored frame it was taken from, or else decomposed from its matrices.
    fn find_setup(&self) -> Vec<Local> {
        let ids = || self.model.animation_ids();
        let (bind, others): (Vec<_>, Vec<_>) = ids().partition(|&id| self.model.animation(id).is_bind_pose);
        let frames =
            |id: AnimationId| (0..self.model.animation(id).frame_count() as usize).map(move |at| (id, at));
        let found = bind.into_iter().chain(others).flat_map(frames).find(|&(id, at)| self.is_bind_pose(id, at));
        match found {
            Some((animation, frame)) => self.frame(animation, frame).collect(),
            None => self.setup_of_matrices(),
        }
    }

    fn setup_of_matrices(&self) -> Vec<Local> {
        let world: Vec<DAffine2> = self.sampled.bind_world_from_bone().iter().map(turned_affine).collect();
        let bones = self.model.skeleton().bones().iter().enumerate();
        let local = |(index, bone): (usize, &crate::model::Bone)| {
            let parent = bone.parent.map_or(DAffine2::IDENTITY, |parent| world[parent.index()]);
            let local = parent.inverse() * world[index];
            let local = if local.is_finite() { local } else { world[index] };
            Local::nearest(&local)
        };
        bones.map(local).collect()
    }
}

/// Makes names unique by appending numbers to later duplicates. An empty name becomes `what`.
pub fn distinct<'a>(names: impl Iterator<Item = &'a str>, what: &str) -> Vec<String> {
    let mut free = FreeNames::default();
    names.map(|name| free.unique_with(if name.is_empty() { what } else { name }, '-')).collect()
}
