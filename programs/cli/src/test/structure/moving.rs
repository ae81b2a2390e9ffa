//! What changes over an animation: poses → a [`Course`] for each bone and slot.

use std::collections::BTreeMap;

use super::Motion;
use super::course::{Channel, Course, Spans};
use super::sampler::Sampler;
use pchr::math::{Affine2, DAffine2, DMat2, DVec2, dvec2};
use pchr::model::{AttachmentId, SlotId};
use pchr::motion::{Cue, Dynamics, Position};

/// Samples per second of an animation of keys: between the frames of any usual rate, there is at least one.
const RATE: f64 = 60.0;

/// Least and most samples of an animation of keys.
const SAMPLES: [usize; 2] = [64, 4096];

/// Where samples lie between two multiples of their distance, so that none is at a key, where a value may jump.
const OFFSET: f64 = 0.381_966;

/// Part of the largest bone's size below which a bone has none: numbers relative to it would be noise.
const NO_SIZE: f64 = 1e-3;

/// The values of a bone.
const BONE: [Channel; 7] = {
    use Channel::{Area, AxisX, AxisY, Inactive, Shear, X, Y};
    [X, Y, AxisX, AxisY, Shear, Area, Inactive]
};

/// The values of a slot.
const SLOT: [Channel; 3] = [Channel::Attachment, Channel::Color, Channel::Deform];

/// Samples of one animation after the other, compared with the setup pose.
pub struct Moving {
    /// What each value is of.
    labels: Vec<(String, Channel)>,
    /// Bones in the setup pose, relative to their parents; `None` if they move nothing.
    bones: Vec<Option<DAffine2>>,
    /// What slots show in the setup pose.
    shown: Vec<f64>,
    /// The draw order of the setup pose.
    order: Vec<SlotId>,
    /// A checksum for each attachment.
    attachments: Vec<f64>,
    /// Bones smaller than this have no size.
    no_size: f64,
}

/// Returns a large whole number, so that it is exact in sums, and a single sample changes a mean.
fn checksum(text: &str) -> f64 {
    f64::from(rawzip::crc32(text.as_bytes()) >> 8 | 1 << 23)
}

/// Adds numbers with different weights, so that changes of two do not cancel each other.
fn weighted(numbers: impl Iterator<Item = f32>) -> f64 {
    let weights = (8_u8..16).cycle().map(f64::from);
    weights.zip(numbers).map(|(weight, number)| weight / 8.0 * f64::from(number)).sum()
}

impl Moving {
    /// Compares with the pose that was sampled last.
    pub fn new(sampler: &Sampler<'_>) -> Self {
        let model = sampler.character.model();
        let mut pictures = BTreeMap::new();
        let attachment = |id: AttachmentId| {
            // Pictures of a sequence have one name.
            let count: &mut usize = pictures.entry(model.authored_attachment(id).index()).or_default();
            *count += 1;
            checksum(&format!("{} {count}", model.attachment(id).name()))
        };
        let whole = [("slots".to_owned(), Channel::DrawOrder), ("frames".to_owned(), Channel::Seconds)];
        let bones = sampler.bones.iter().flat_map(|name| BONE.map(|channel| (bone_label(name), channel)));
        let slots = sampler.slots.iter().flat_map(|name| SLOT.map(|channel| (format!("slot `{name}`"), channel)));
        let sizes = sampler.pose.world_from_bone.iter().map(|bone| size(exact(*bone)));
        let mut moving = Self {
            labels: whole.into_iter().chain(bones).chain(slots).collect(),
            bones: Vec::new(),
            shown: Vec::new(),
            order: sampler.pose.draw_order.clone(),
            attachments: model.attachment_ids().map(attachment).collect(),
            no_size: NO_SIZE * sizes.filter(|size| size.is_finite()).fold(0.0, f64::max),
        };
        moving.bones = moving.locals(sampler).collect();
        moving.shown = moving.shown(sampler).collect();
        moving
    }

    /// Samples the animation of a cue at most `most` times, with the duration and number of frames of `timing`.
    pub fn courses(
        &self,
        sampler: &mut Sampler<'_>,
        mut cue: Cue,
        timing: &Motion,
        most: usize,
    ) -> BTreeMap<String, Course> {
        let Some(animation) = cue.animation.map(|id| sampler.character.model().animation(id)) else {
            return BTreeMap::new();
        };
        let (seconds, frames) = (timing.seconds, timing.stored_frames);
        let wanted = frames.map_or_else(
            || ((RATE * seconds).ceil() as usize).clamp(SAMPLES[0], SAMPLES[1]),
            |frames| frames as usize,
        );
        let count = wanted.min(most.max(SAMPLES[0]));
        let mut spans = Spans::new(self.labels.len(), count);
        // Physics would be played from the start for each sample beyond the part that is replayed.
        let is_long = seconds > Dynamics::MAX_REPLAY_SECS;
        let swinging = is_long.then(|| std::mem::take(&mut sampler.evaluator));
        for sample in 0..count {
            let part = (sample as f64 + OFFSET) / count as f64;
            cue.position = frames.map_or(Position::Seconds(part * seconds), |frames| {
                Position::frame((part * f64::from(frames)) as u32)
            });
            let [start, end] = [0.0, 1.0].map(|later| animation.seconds_at(sample as f64 + later));
            sampler.evaluate(&cue);
            spans.add(&self.values(sampler, animation.times().map_or(0.0, |_| end - start)));
        }
        if let Some(swinging) = swinging {
            sampler.evaluator = swinging;
        }
        let mut courses: BTreeMap<String, Course> = BTreeMap::new();
        for (at, (label, channel)) in self.labels.iter().enumerate() {
            if let Some(course) = spans.course(at, channel.step(sampler.precision)) {
                courses.entry(label.clone()).or_default().insert(*channel, course);
            }
        }
        courses
    }

    /// Returns the values of the pose, in the order of the labels.
    fn values(&self, sampler: &Sampler<'_>, seconds: f64) -> Vec<f64> {
        let pose = &sampler.pose;
        let names = || pose.draw_order.iter().map(|slot| &*sampler.slots[slot.index()]).collect::<Vec<_>>();
        let order = if pose.draw_order == self.order { 0.0 } else { checksum(&names().join("\n")) };
        let mut values = vec![order, seconds];
        values.extend(self.locals(sampler).zip(&self.bones).flat_map(|(now, setup)| compared(now, *setup)));
        for ((shown, setup), slot) in self.shown(sampler).zip(&self.shown).zip(&pose.slots) {
            // White, and black that stays black, are 0.
            let light = slot.tint.light.map(|part| part - 1.0);
            let dark = slot.tint.dark.map_or([0.0; 3], |dark| dark.map(|part| part + 1.0));
            let deform = pose.deform_of(slot).iter().flat_map(|offset| offset.to_array());
            let shown = if shown == *setup { 0.0 } else { shown };
            values.extend([shown, weighted(light.into_iter().chain(dark)), weighted(deform)]);
        }
        values
    }

    /// The authored bones relative to their parents; `None` for those that move nothing.
    fn locals<'a>(&self, sampler: &'a Sampler<'_>) -> impl Iterator<Item = Option<DAffine2>> + use<'a> {
        let (pose, no_size) = (&sampler.pose, self.no_size);
        let skeleton = sampler.character.model().skeleton();
        skeleton.bone_ids().zip(skeleton.authored_bones()).map(move |(id, bone)| {
            let parent = bone.parent.map_or(Affine2::IDENTITY, |parent| pose.world_from_bone[parent.index()]);
            let [parent, world] = [parent, pose.world_from_bone[id.index()]].map(exact);
            let local = parent.inverse() * world;
            let is_inactive = pose.inactive_bones.contains(&id);
            (!is_inactive && size(parent) > no_size && local.is_finite()).then_some(local)
        })
    }

    /// What each slot shows.
    fn shown(&self, sampler: &Sampler<'_>) -> impl Iterator<Item = f64> {
        let (model, pose) = (sampler.character.model(), &sampler.pose);
        let mut is_drawn = vec![false; pose.slots.len()];
        for slot in pose.draw_order.iter().filter(|slot| pose.is_slot_active(model, **slot)) {
            is_drawn[slot.index()] = true;
        }
        pose.slots.iter().zip(is_drawn).map(|(slot, is_drawn)| {
            let attachment = slot.attachment.filter(|_| is_drawn);
            attachment.map_or_else(|| checksum(""), |id| self.attachments[id.index()])
        })
    }
}

/// Returns what a bone is called in a structure.
pub fn bone_label(name: &str) -> String {
    format!("bone `{name}`")
}

/// Returns the values of [`BONE`]. They do not change if the setup pose turns together with the animation.
fn compared(now: Option<DAffine2>, setup: Option<DAffine2>) -> [f64; BONE.len()] {
    let is_inactive = f64::from(u8::from(now.is_none())) - f64::from(u8::from(setup.is_none()));
    let setup = setup.unwrap_or(DAffine2::IDENTITY);
    let now = now.unwrap_or(setup);
    let per = |size: f64| if size > NO_SIZE { 1.0 / size } else { 1.0 };
    let direction = setup.matrix2.x_axis.normalize_or(DVec2::X);
    let [x_size, y_size] = [setup.matrix2.x_axis, setup.matrix2.y_axis].map(|axis| per(axis.length()));
    let of = |DMat2 { x_axis, y_axis }: DMat2| {
        let axis = dvec2(direction.dot(x_axis), direction.perp_dot(x_axis)) * x_size;
        (axis, x_axis.dot(y_axis) * x_size * y_size, x_axis.perp_dot(y_axis) * x_size * y_size)
    };
    let ((axis, shear, area), was) = (of(now.matrix2), of(setup.matrix2));
    let (moved, turned) = (now.translation - setup.translation, axis - was.0);
    [moved.x, moved.y, turned.x, turned.y, shear - was.1, area - was.2, is_inactive]
}

fn exact(bone: Affine2) -> DAffine2 {
    let [x_axis, y_axis] = [bone.matrix2.x_axis, bone.matrix2.y_axis].map(|axis| axis.as_dvec2());
    DAffine2::from_cols(x_axis, y_axis, bone.translation.as_dvec2())
}

/// Returns the least distance across a unit square on a bone.
fn size(bone: DAffine2) -> f64 {
    let longest = bone.matrix2.x_axis.length().max(bone.matrix2.y_axis.length());
    if longest > 0.0 { bone.matrix2.determinant().abs() / longest } else { 0.0 }
}
