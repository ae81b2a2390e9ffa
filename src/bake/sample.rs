//! Evaluates a character at every stored frame: its bones and what it shows.

use std::collections::HashMap;
use std::ops::Range;

use super::BakeOptions;
use crate::character::Character;
use crate::error::{Error, Place, Result};
use crate::limits::Budget;
use crate::math::Affine2;
use crate::model::{AnimationId, Attachment, AttachmentId, Indices, Mesh, Model, SkinId, SlotId, Tint, Vertices};
use crate::motion::{Cue, Cycle, Dynamics, Evaluator, PoseWork, Position, evaluate, has_physics};
use crate::pose::Pose;

/// All samples. Frame 0 is the rest pose.
pub struct Sampling {
    /// Everything shown at some time, in order of first appearance.
    pub visuals: Vec<Visual>,
    pub tracks: Vec<Track>,
    pub frames: Vec<Frame>,
    /// By frame, then by bone.
    pub world: Vec<Affine2>,
}

/// One attachment in one slot.
pub struct Visual {
    pub slot: SlotId,
    pub attachment: AttachmentId,
    /// The tint that differs most from white, and the track in which it occurs.
    pub tint: Option<(Tint, Option<usize>)>,
    /// The tracks in which it is deformed, in order.
    pub deformed_in: Vec<usize>,
    /// The clip mask that applies to it.
    pub clip: Option<SlotId>,
}

/// One animation.
pub struct Track {
    pub animation: AnimationId,
    pub looping: bool,
    /// Duration in the source, in seconds.
    pub duration: f64,
    /// Its frames.
    pub frames: Range<usize>,
    /// The pass that is stored.
    pub cycle: Cycle,
}

/// One stored frame.
pub struct Frame {
    pub cue: Cue,
    /// The drawn visuals by index, with their draw order.
    pub shown: Vec<(usize, i16)>,
    /// Attachments that are shown but not drawn: bounding boxes, points and paths.
    pub shapes: Vec<AttachmentId>,
}

/// Bytes kept per bone and frame: the source and fitted matrices, and transforms.
const BONE_BYTES: usize = 160;

/// Units of work for a baked bone, counted from bones × frames.
const BONE_WORK: u64 = 400;

/// An empty mesh, for attachments without one.
static NOTHING: std::sync::LazyLock<Mesh> = std::sync::LazyLock::new(|| Mesh {
    name: "".into(),
    page: None,
    vertices: Vertices::SkinN(Default::default()),
    indices: Indices::default(),
    tint: Tint::NONE.light,
    outline: Box::default(),
});

impl Visual {
    /// Returns true if it is deformed in a track.
    pub fn is_deformed(&self, track: usize) -> bool {
        self.deformed_in.binary_search(&track).is_ok()
    }

    /// Returns its triangles.
    pub fn mesh<'a>(&self, model: &'a Model) -> &'a Mesh {
        model.attachment(self.attachment).mesh().unwrap_or(&NOTHING)
    }
}

impl Sampling {
    pub fn of(character: &Character, fps: u16, options: &BakeOptions, budget: &mut Budget<'_>) -> Result<Self> {
        let model = character.model();
        if model.slots().len() > i16::MAX as usize {
            let message =
                format!("{} slots are too many, draw orders are limited to {}", model.slots().len(), i16::MAX);
            return Err(Error::unsupported("too-many", Place::default(), message));
        }
        let mut cues = vec![(None, cue(None, 0.0, options))];
        let mut tracks = Vec::with_capacity(options.animations.len());
        let frame_bytes = model.skeleton().bones().len() * BONE_BYTES
            + model.slots().len() * size_of::<(usize, i16)>()
            + size_of::<Frame>()
            + size_of::<(Option<usize>, Cue)>()
            + options.skins.len() * size_of::<SkinId>();
        let of_pose = PoseWork::new(character, &options.skins);
        let of_bones = model.skeleton().bones().len() as u64 * BONE_WORK;
        for &id in &options.animations {
            let times = times(model, id, fps)?;
            let place = || Place::inside(format!("animations/{}", model.animation(id).name));
            budget.charge_memory(times.len() as u64, frame_bytes, place)?;
            let cycle = match options.physics {
                true => Cycle::of(character, id, &options.skins, |poses| {
                    budget.charge_work(poses, of_pose.of(character, Some(id)), place)
                })?,
                false => Cycle::default(),
            };
            let steps = steps(character, id, cycle, times.len(), options);
            budget.charge_work(steps, of_pose.of(character, Some(id)), place)?;
            budget.charge_work(times.len() as u64, of_bones, place)?;
            let frames = cues.len()..cues.len() + times.len();
            let track = Some(tracks.len());
            let cue = cue(Some(id), 0.0, options);
            cues.extend(times.into_iter().map(|seconds| (track, cycle.cue(character, &cue, seconds))));
            let animation = model.animation(id);
            let (looping, duration) = (animation.looping, animation.duration_secs());
            tracks.push(Track { animation: id, looping, duration, frames, cycle });
        }
        let mut sampling = Self { visuals: Vec::new(), tracks, frames: Vec::new(), world: Vec::new() };
        let mut known = HashMap::new();
        let mut pose = Pose::for_model(model);
        let mut evaluator = Evaluator::with_dynamics(options.physics.then(Dynamics::default));
        for (track, cue) in cues {
            budget.check_cancelled()?;
            match track {
                Some(_) => evaluator.evaluate(character, &cue, &mut pose),
                None => evaluate(character, &cue, &mut pose),
            }
            sampling.add(model, (track, cue), &pose, &mut known);
        }
        Ok(sampling)
    }

    fn add(
        &mut self,
        model: &Model,
        (track, cue): (Option<usize>, Cue),
        pose: &Pose,
        known: &mut HashMap<(SlotId, AttachmentId), usize>,
    ) {
        self.world.extend_from_slice(&pose.world_from_bone);
        let (mut shown, mut shapes) = (Vec::new(), Vec::new());
        // The active clip mask and its end slot.
        let mut clip: Option<(SlotId, Option<SlotId>)> = None;
        for (z, &slot) in pose.draw_order.iter().enumerate() {
            let is_active = pose.is_slot_active(model, slot);
            let state = &pose.slots[slot.index()];
            match state.attachment.filter(|_| is_active).map(|id| (id, model.attachment(id))) {
                Some((id, Attachment::Region(mesh) | Attachment::Mesh(mesh))) => {
                    let tint = tint_of(&state.tint, mesh);
                    if tint.light[3] > 0.0 && !mesh.indices.is_empty() {
                        let visual = *known.entry((slot, id)).or_insert_with(|| {
                            let deformed_in = Vec::new();
                            let visual = Visual { slot, attachment: id, tint: None, deformed_in, clip: None };
                            self.visuals.push(visual);
                            self.visuals.len() - 1
                        });
                        shown.push((visual, z as i16));
                        let visual = &mut self.visuals[visual];
                        let is_stronger = |(old, _): &(Tint, _)| strength(&tint) > strength(old);
                        if strength(&tint) > 0.0 && visual.tint.as_ref().is_none_or(is_stronger) {
                            visual.tint = Some((tint, track));
                        }
                        // Tracks are sampled in order.
                        let is_deformed = state.deform.count > 0 && visual.deformed_in.last() != track.as_ref();
                        visual.deformed_in.extend(track.filter(|_| is_deformed));
                        visual.clip = visual.clip.or(clip.map(|(by, _)| by));
                    }
                }
                Some((id, Attachment::ClipMask(mask))) => {
                    shapes.push(id);
                    // As when drawing: a mask whose end slot is its own never ends.
                    if clip.is_none() {
                        clip = Some((slot, mask.end));
                        continue;
                    }
                }
                Some((id, Attachment::Path(_) | Attachment::Point(_) | Attachment::Bounds(_))) => shapes.push(id),
                None => {}
            }
            if clip.is_some_and(|(_, end)| model.ends_mask(end, slot)) {
                clip = None;
            }
        }
        self.frames.push(Frame { cue, shown, shapes });
    }
}

/// Returns the tint a mesh is drawn with.
fn tint_of(slot: &Tint, mesh: &Mesh) -> Tint {
    let light = std::array::from_fn(|i| slot.light[i] * mesh.tint[i]);
    Tint { light, dark: slot.dark }
}

/// Returns the distance of a tint from white.
fn strength(tint: &Tint) -> f32 {
    let light = tint.light.iter().map(|channel| 1.0 - channel);
    let dark = tint.dark.into_iter().flatten();
    light.chain(dark).fold(0.0, f32::max)
}

/// Returns the number of poses that are evaluated to sample an animation.
pub fn steps(character: &Character, id: AnimationId, cycle: Cycle, samples: usize, options: &BakeOptions) -> u64 {
    let passed = f64::from(cycle.passes) * character.model().animation(id).duration_secs();
    match options.physics && has_physics(character) {
        true => Dynamics::sampling_steps(character, id, samples as u64) + (passed / Dynamics::STEP_SECS) as u64,
        false => samples as u64,
    }
}

fn cue(animation: Option<AnimationId>, seconds: f64, options: &BakeOptions) -> Cue {
    Cue {
        animation,
        position: Position::Seconds(seconds),
        interpolate: true,
        // The end of a loop equals its beginning and is not stored.
        hold: true,
        skins: options.skins.clone(),
        ..Cue::default()
    }
}

/// Returns the times in seconds at which frames are stored, including the end unless it loops.
fn times(model: &Model, id: AnimationId, fps: u16) -> Result<Vec<f64>> {
    let animation = model.animation(id);
    let duration = animation.duration_secs().max(0.0);
    let steps = (duration * f64::from(fps)).round();
    let looping = animation.looping;
    let count = if looping { steps.max(1.0) } else { steps + 1.0 };
    if count.is_nan() || count > f64::from(u16::MAX) {
        let message = format!(
            "{duration} s at {fps} frames per second are {count} frames, the format allows {}; choose a lower frame \
             rate",
            u16::MAX
        );
        return Err(Error::unsupported(
            "too-many",
            Place::inside(format!("animations/{}", animation.name)),
            message,
        ));
    }
    let time = |frame: u32| {
        if !looping && f64::from(frame) == steps { duration } else { f64::from(frame) / f64::from(fps) }
    };
    Ok((0..count as u32).map(time).collect())
}
