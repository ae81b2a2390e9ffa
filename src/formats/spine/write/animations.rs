//! Stored frames → keys.
//!
//! A bone's keys are relative to its setup pose: rotations and translations are added to it, scales multiply it.

use std::collections::{BTreeSet, HashMap};

use super::schema::{
    Animation, AttachmentKey, BoneTimelines, Curve, DrawOrderKey, DrawOrderOffset, Entries, Keys, MAX_WIDTH,
    Number, Property, Slot, SlotTimelines, Text,
};
use super::skeleton::{Rig, number};
use super::text;
use crate::error::{Place, Result};
use crate::formats::Loss;
use crate::formats::keyframes::{kept, steps};
use crate::formats::stored::{Local, SlotState, Stored, distinct};
use crate::limits::Budget;
use crate::math::angle::wrap_turn;
use crate::model::{AnimationId, BoneId};

/// Maximum distance of the interpolated keys from the stored frames: pixels, degrees and scale factors. At the end
/// of an arm of 1000 pixels and ten joints this adds up to 0.02 pixels.
const TRANSLATION: f64 = 1e-4;
const ROTATION: f64 = 1e-4;
const SCALE: f64 = 1e-6;
/// Maximum turn between two keys in degrees. Bones turn the short way, so longer turns get keys in between.
const LONGEST_TURN: f64 = 175.0;

/// Converts every animation; returns them with their names.
pub fn animations(
    stored: &Stored<'_>,
    rig: &Rig,
    budget: &mut Budget<'_>,
    losses: &mut Vec<Loss>,
) -> Result<Vec<(Text<'static>, Animation<'static>)>> {
    let ids = stored.animations();
    let names = distinct(ids.iter().map(|&id| stored.model.animation(id).name.as_str()), "animation");
    for &id in &ids {
        report_losses(stored, id, losses);
    }
    let mut written = Vec::with_capacity(ids.len());
    for (id, name) in ids.into_iter().zip(names) {
        let animation = Writer { stored, rig, id, budget: &mut *budget, name: &name }.animation()?;
        written.push((text(name), animation));
    }
    Ok(written)
}

fn report_losses(stored: &Stored<'_>, id: AnimationId, losses: &mut Vec<Loss>) {
    let animation = stored.model.animation(id);
    if !animation.looping && animation.frame_count() > 1 {
        let message = "the animation does not loop, which Spine files cannot represent; its last frame is shown as long as the \
                       others";
        losses.push(Loss::in_animation("plays-once", &animation.name, message));
    }
    losses.extend(stored.lost_frames(id));
}

struct Writer<'a, 'b> {
    stored: &'a Stored<'a>,
    rig: &'a Rig,
    id: AnimationId,
    budget: &'a mut Budget<'b>,
    name: &'a str,
}

/// Upper bound on the size of a key and its JSON text in bytes.
pub const KEY_BYTES: usize = 128;

impl Writer<'_, '_> {
    fn animation(mut self) -> Result<Animation<'static>> {
        let mut bones = Vec::new();
        for (index, bone) in self.rig.bones.iter().enumerate() {
            let of_model = index.checked_sub(self.rig.bone(Some(BoneId::new(0))));
            let timelines = of_model.map_or_else(BoneTimelines::default, |bone| self.bone(bone));
            self.charge(timelines.list.iter().map(Keys::len).sum())?;
            bones.push((bone.name.clone(), timelines));
        }
        let slots = self.slots()?;
        let draw_order = self.draw_order()?;
        self.hold_to_the_end(&mut bones);
        bones.retain(|(_, timelines)| !timelines.is_empty());
        Ok(Animation { slots: Entries(slots), bones: Entries(bones), draw_order, ..Animation::default() })
    }

    /// Slots on one bone each get that bone's keys, so a small file can become a large one.
    fn charge(&mut self, keys: usize) -> Result<()> {
        self.budget.charge_memory(keys as u64, KEY_BYTES, || Place::inside(format!("animations/{}", self.name)))
    }

    fn time(&self, frame: usize) -> Number {
        time(frame, self.stored.model.animation(self.id).fps())
    }

    fn bone(&self, bone: usize) -> BoneTimelines<'static> {
        let setup = &self.rig.setup[bone];
        let animation = self.stored.model.animation(self.id);
        let mut track = self.stored.track(self.id, BoneId::new(bone));
        if let (true, Some(last), Some(&first)) = (animation.looping, track.last(), track.first()) {
            // The interval from the last frame back to the first.
            let rotation = last.rotation + wrap_turn(first.rotation - last.rotation);
            track.push(Local { rotation, ..first });
        }
        let mut timelines = BoneTimelines::default();
        let angles: Vec<[f64; 1]> = track.iter().map(|local| [local.rotation - setup.rotation]).collect();
        if angles.iter().any(|[angle]| wrap_turn(*angle).abs() > ROTATION) {
            let places = kept(&angles, [ROTATION], [LONGEST_TURN]);
            timelines
                .put(self.keys(Property::Rotate, places, |at| [number(wrap_turn(angles[at][0])), Number(0.0)]));
        }
        let places = track.iter().map(|local| (local.translation - setup.translation).to_array());
        timelines.put(self.pairs(Property::Translate, places.collect(), 0.0, TRANSLATION));
        let scales = track.iter().map(|local| {
            let share = |axis: usize| {
                let (now, rest) = (local.scale[axis], setup.scale[axis]);
                if now == rest { 1.0 } else { now / rest }
            };
            [share(0), share(1)]
        });
        timelines.put(self.pairs(Property::Scale, scales.collect(), 1.0, SCALE));
        timelines
    }

    /// Keys of two values; empty if both are always `rest`.
    fn pairs(&self, property: Property, values: Vec<[f64; 2]>, rest: f64, tolerance: f64) -> Keys<'static> {
        let is_at_rest = values.as_flattened().iter().all(|value| (value - rest).abs() <= tolerance);
        let places = match is_at_rest {
            true => Vec::new(),
            false => kept(&values, [tolerance; 2], [f64::INFINITY; 2]),
        };
        self.keys(property, places, |at| values[at].map(number))
    }

    /// Keys at some frames, with one or two values.
    fn keys(
        &self,
        property: Property,
        frames: Vec<usize>,
        values: impl Fn(usize) -> [Number; 2],
    ) -> Keys<'static> {
        let mut keys = Keys::new(property);
        for frame in frames {
            let mut numbers = [0.0; MAX_WIDTH];
            numbers.iter_mut().zip(values(frame)).for_each(|(number, value)| *number = value.0);
            keys.add(self.time(frame).0, Curve::Linear, &numbers, false);
        }
        keys
    }

    /// Adds a key at the end of the last frame, because an animation lasts until its last key. The key repeats the
    /// last value.
    fn hold_to_the_end(&self, bones: &mut [(Text<'static>, BoneTimelines<'static>)]) {
        let frames = self.stored.frame_count(self.id);
        let time = self.time(frames);
        let mut ends = bones.iter().flat_map(|(_, it)| &it.list).filter_map(|keys| keys.times().next_back());
        if time.0 <= 0.0 || ends.any(|end| end >= time.0) {
            return;
        }
        if let Some((_, timelines)) = bones.first_mut() {
            let mut keys = timelines.take_or_new(Property::Rotate);
            let values = keys.all().last().unwrap_or_default();
            keys.add(time.0, Curve::Linear, &values, false);
            timelines.put(keys);
        }
    }

    /// Attachment keys of slots whose visibility differs from the setup pose.
    fn slots(&mut self) -> Result<Vec<(Text<'static>, SlotTimelines<'static>)>> {
        let mut changes_of: HashMap<Option<BoneId>, Vec<(usize, bool)>> = HashMap::new();
        let mut slots = Vec::new();
        for (slot, &id) in self.rig.slots.iter().zip(&self.rig.order) {
            let Some(key) = &self.rig.keys[id.index()] else { continue };
            let bone = self.stored.model.slot(id).bone;
            let changes = changes_of.entry(bone).or_insert_with(|| {
                let states = self.stored.states(self.id, bone);
                let visible: Vec<bool> = states.iter().map(|state| state.is_visible).collect();
                let changes = steps(&visible, &self.rig.states[id.index()].is_visible);
                changes.into_iter().map(|frame| (frame, visible[frame])).collect()
            });
            if changes.is_empty() {
                continue;
            }
            let changes = &*changes;
            let count = changes.len();
            let place = || Place::inside(format!("animations/{}", self.name));
            self.budget.charge_memory(count as u64, KEY_BYTES + key.len(), place)?;
            let key_at = |&(frame, is_visible): &(usize, bool)| AttachmentKey {
                time: self.time(frame),
                name: is_visible.then(|| text(key.as_str())),
            };
            let steps = changes.iter().map(key_at).collect();
            slots.push((slot.name.clone(), SlotTimelines { steps, list: Vec::new() }));
        }
        Ok(slots)
    }

    fn draw_order(&mut self) -> Result<Vec<DrawOrderKey<'static>>> {
        let bones = self.stored.slot_bones();
        let states: HashMap<BoneId, Vec<SlotState>> =
            bones.into_iter().map(|bone| (bone, self.stored.states(self.id, Some(bone)))).collect();
        // The order only changes where a z-order does.
        let mut frames = BTreeSet::from([0]);
        for states in states.values() {
            frames.extend((1..states.len()).filter(|&at| states[at].z_order != states[at - 1].z_order));
        }
        let count = self.rig.order.len();
        let mut keys: Vec<DrawOrderKey<'static>> = Vec::new();
        let mut before: Vec<usize> = (0..count).collect();
        let end = self.stored.frame_count(self.id);
        for frame in frames.into_iter().take_while(|&frame| frame < end) {
            self.charge(count)?;
            let z_order = |place: usize| {
                let bone = self.stored.model.slot(self.rig.order[place]).bone;
                let states = bone.and_then(|bone| states.get(&bone));
                states.and_then(|states| states.get(frame)).map_or(0, |state| state.z_order)
            };
            // Ties keep the order of the model, not of the setup pose.
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by_cached_key(|&place| (z_order(place), self.rig.order[place]));
            if order != before {
                if keys.is_empty() && frame > 0 {
                    keys.push(DrawOrderKey { time: Number(0.0), offsets: Vec::new() });
                }
                let mut places = vec![0; order.len()];
                order.iter().enumerate().for_each(|(now, &rest)| places[rest] = now);
                keys.push(DrawOrderKey { time: self.time(frame), offsets: offsets(&self.rig.slots, &places) });
                before = order;
            }
        }
        Ok(keys)
    }
}

/// Start of a stored frame in seconds, rounded down, so that readers with higher precision do not find it later.
pub fn time(frame: usize, fps: f64) -> Number {
    let exact = if fps > 0.0 { frame as f64 / fps } else { 0.0 };
    let time = exact as f32;
    Number(if f64::from(time) > exact { time.next_down() } else { time })
}

/// The offsets of slots that have moved, given the place of each in the draw order.
pub fn offsets(slots: &[Slot<'static>], places: &[usize]) -> Vec<DrawOrderOffset<'static>> {
    let moved = places.iter().enumerate().filter(|(rest, now)| rest != *now);
    let offset = |(rest, now): (usize, &usize)| DrawOrderOffset {
        slot: slots[rest].name.clone(),
        offset: *now as i64 - rest as i64,
    };
    moved.map(offset).collect()
}
