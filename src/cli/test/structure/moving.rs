//! What changes over an animation: poses → [`Course`]s of bones and slots.

use std::collections::BTreeMap;

use super::Motion;
use super::course::{Channel, Course, Spans};
use super::sample::Sampler;
use crate::math::{Affine2, DAffine2, DVec2, dvec2};
use crate::model::{AttachmentId, BoneId, SlotId, Tint};
use crate::motion::{Cue, Dynamics, Position};

/// Samples per second of an animation of keys: between the frames of any usual rate, there is at least one.
const RATE: f64 = 60.0;

/// Least and most samples of an animation of keys.
const SAMPLES: [f64; 2] = [64.0, 4096.0];

/// Where samples lie between two multiples of their distance, so that none is at a key, where a value may jump.
const OFFSET: f64 = 0.381_966;

/// Part of the largest bone's size below which a bone has none: numbers relative to it would be noise.
const NO_SIZE: f64 = 1e-3;

/// The channels of a whole character.
const WHOLE: [Channel; 2] = [Channel::DrawOrder, Channel::Seconds];

/// The channels of a bone.
const BONE: [Channel; 7] =
    [Channel::X, Channel::Y, Channel::AxisX, Channel::AxisY, Channel::Shear, Channel::Area, Channel::Inactive];

/// The parts of a colour.
pub const COLORS: [Channel; 7] = [
    Channel::Red,
    Channel::Green,
    Channel::Blue,
    Channel::Alpha,
    Channel::DarkRed,
    Channel::DarkGreen,
    Channel::DarkBlue,
];

/// The channels of a slot.
const SLOT: [Channel; 10] = {
    let [r, g, b, a, dark_r, dark_g, dark_b] = COLORS;
    [Channel::Attachment, r, g, b, a, dark_r, dark_g, dark_b, Channel::DeformX, Channel::DeformY]
};

/// Returns the parts of a colour. Dark parts are -1 if black stays black.
pub fn color(tint: &Tint) -> [f64; 7] {
    let [r, g, b, a] = tint.light.map(f64::from);
    let [dark_r, dark_g, dark_b] = tint.dark.map_or([-1.0; 3], |dark| dark.map(f64::from));
    [r, g, b, a, dark_r, dark_g, dark_b]
}

/// A bone relative to its parent.
#[derive(Clone, Copy)]
struct Local {
    local: DAffine2,
    is_active: bool,
}

/// Samples of one animation after the other, compared with the setup pose.
pub struct Moving {
    /// Bones in the setup pose.
    bones: Vec<Local>,
    /// What slots show and their colours in the setup pose.
    slots: Vec<(f64, [f64; 7])>,
    /// The draw order of the setup pose.
    order: Vec<SlotId>,
    /// A checksum for each attachment.
    attachments: Vec<f64>,
    /// Bones smaller than this have no size.
    no_size: f64,
    values: Vec<f64>,
    spans: Spans,
}

/// Returns a whole number that is exact in sums.
fn checksum(text: &str) -> f64 {
    f64::from((rawzip::crc32(text.as_bytes()) >> 8).max(1))
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
        let sizes =
            sampler.pose.world_from_bone.iter().map(|bone| size(exact(*bone))).filter(|size| size.is_finite());
        let mut moving = Self {
            bones: Vec::new(),
            slots: Vec::new(),
            order: sampler.pose.draw_order.clone(),
            attachments: model.attachment_ids().map(attachment).collect(),
            no_size: NO_SIZE * sizes.fold(0.0, f64::max),
            values: Vec::new(),
            spans: Spans::new(0, 0),
        };
        moving.bones = moving.locals(sampler).collect();
        moving.slots = moving.shown(sampler).collect();
        moving
    }

    /// Samples the animation of a cue that takes `seconds`, at most `most` times.
    pub fn sample(&mut self, sampler: &mut Sampler<'_>, mut cue: Cue, seconds: f64, most: usize) {
        let Some(animation) = cue.animation.map(|id| sampler.character.model().animation(id)) else { return };
        let frames = animation.frame_count();
        let wanted = match animation.is_keyed() {
            true => (RATE * seconds).ceil().max(SAMPLES[0]).min(SAMPLES[1]) as usize,
            false => frames as usize,
        };
        let count = wanted.min(most.max(SAMPLES[0] as usize));
        self.spans =
            Spans::new(WHOLE.len() + BONE.len() * self.bones.len() + SLOT.len() * self.slots.len(), count);
        // Physics would be played from the start for each sample beyond the part that is replayed.
        let is_long = seconds > Dynamics::MAX_REPLAY_SECS;
        let swinging = is_long.then(|| std::mem::take(&mut sampler.evaluator));
        for sample in 0..count {
            cue.position = match animation.is_keyed() {
                true => Position::Seconds((sample as f64 + OFFSET) / count as f64 * seconds),
                false => Position::frame((sample as u64 * u64::from(frames) / count as u64) as u32),
            };
            let frame = sample as f64;
            let duration =
                animation.times().map_or(0.0, |_| animation.seconds_at(frame + 1.0) - animation.seconds_at(frame));
            sampler.evaluate(&cue);
            self.read(sampler, duration);
            self.spans.add(&self.values);
        }
        if let Some(swinging) = swinging {
            sampler.evaluator = swinging;
        }
    }

    /// Writes the courses of the sampled animation.
    pub fn write(&self, sampler: &Sampler<'_>, motion: &mut Motion, precision: f64) {
        let mut next = 0;
        let mut course = |channels: &[Channel]| -> Course {
            let first = next;
            next += channels.len();
            let found = channels
                .iter()
                .zip(first..)
                .filter_map(|(channel, at)| Some((*channel, self.spans.course(at, channel.step(precision))?)));
            found.collect()
        };
        motion.whole = course(&WHOLE);
        motion.bones = sampler.bones.iter().map(|name| (name.clone(), course(&BONE))).collect();
        motion.slots = sampler.slots.iter().map(|name| (name.clone(), course(&SLOT))).collect();
        motion.bones.retain(|_, course| !course.is_empty());
        motion.slots.retain(|_, course| !course.is_empty());
    }

    /// Reads the values of a pose.
    fn read(&mut self, sampler: &Sampler<'_>, seconds: f64) {
        let pose = &sampler.pose;
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        let is_same = pose.draw_order == self.order;
        let names = || pose.draw_order.iter().map(|slot| &*sampler.slots[slot.index()]).collect::<Vec<_>>();
        values.extend([if is_same { 0.0 } else { checksum(&names().join("\n")) }, seconds]);
        for (now, setup) in self.locals(sampler).zip(&self.bones) {
            values.extend(now.compared(setup));
        }
        for ((attachment, shade), (slot, setup)) in self.shown(sampler).zip(pose.slots.iter().zip(&self.slots)) {
            values.push(if attachment == setup.0 { 0.0 } else { attachment });
            values.extend(shade.iter().zip(setup.1).map(|(now, setup)| now - setup));
            // Offsets that cancel each other have different weights.
            let weighted = (0_u8..8)
                .cycle()
                .zip(pose.deform_of(slot))
                .map(|(weight, offset)| offset.as_dvec2() * (1.0 + f64::from(weight) / 8.0));
            values.extend(weighted.sum::<DVec2>().to_array());
        }
        self.values = values;
    }

    /// The authored bones relative to their parents.
    fn locals<'a>(&self, sampler: &'a Sampler<'_>) -> impl Iterator<Item = Local> + use<'a> {
        let (pose, no_size) = (&sampler.pose, self.no_size);
        let bones = sampler.character.model().skeleton().authored_bones();
        bones.iter().enumerate().map(move |(index, bone)| {
            let parent = bone.parent.map_or(Affine2::IDENTITY, |parent| pose.world_from_bone[parent.index()]);
            let [parent, world] = [parent, pose.world_from_bone[index]].map(exact);
            let local = parent.inverse() * world;
            let is_inactive = pose.inactive_bones.contains(&BoneId::new(index));
            let is_active = !is_inactive && size(parent) > no_size && local.is_finite();
            Local { local: if is_active { local } else { DAffine2::IDENTITY }, is_active }
        })
    }

    /// What each slot shows, and its colour.
    fn shown(&self, sampler: &Sampler<'_>) -> impl Iterator<Item = (f64, [f64; 7])> {
        let (model, pose) = (sampler.character.model(), &sampler.pose);
        let mut is_drawn = vec![false; pose.slots.len()];
        for slot in pose.draw_order.iter().filter(|slot| pose.is_slot_active(model, **slot)) {
            is_drawn[slot.index()] = true;
        }
        pose.slots.iter().zip(is_drawn).map(|(slot, is_drawn)| {
            let attachment = slot.attachment.filter(|_| is_drawn);
            (attachment.map_or(1.0, |id| self.attachments[id.index()]), color(&slot.tint))
        })
    }
}

impl Local {
    /// Returns the values of [`BONE`]. They do not change if the setup pose turns together with the animation.
    fn compared(&self, setup: &Self) -> [f64; BONE.len()] {
        let is_inactive = f64::from(u8::from(!self.is_active)) - f64::from(u8::from(!setup.is_active));
        if !self.is_active {
            return [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, is_inactive];
        }
        let (now, was) = (self.local.matrix2, setup.local.matrix2);
        let direction = was.x_axis.normalize_or(DVec2::X);
        let per = |size: f64| if size > NO_SIZE { 1.0 / size } else { 1.0 };
        let per_length = per(was.x_axis.length());
        let axis = |axis: DVec2| dvec2(direction.dot(axis), direction.perp_dot(axis)) * per_length;
        let turned = axis(now.x_axis) - axis(was.x_axis);
        let sheared = now.x_axis.dot(now.y_axis) - was.x_axis.dot(was.y_axis);
        let area = (now.determinant() - was.determinant()) * per(was.determinant().abs());
        let moved = self.local.translation - setup.local.translation;
        let sheared = sheared * per_length * per(was.y_axis.length());
        [moved.x, moved.y, turned.x, turned.y, sheared, area, is_inactive]
    }
}

fn exact(bone: Affine2) -> DAffine2 {
    let Affine2 { matrix2, translation } = bone;
    let axes = [matrix2.x_axis, matrix2.y_axis].map(|axis| axis.as_dvec2());
    DAffine2::from_cols(axes[0], axes[1], translation.as_dvec2())
}

/// Returns the least distance across a unit square on a bone.
fn size(bone: DAffine2) -> f64 {
    let longest = bone.matrix2.x_axis.length().max(bone.matrix2.y_axis.length());
    if longest > 0.0 { bone.matrix2.determinant().abs() / longest } else { 0.0 }
}
