//! Frames → stepped keys, where something changes.

use super::seen::{Shown, for_each_frame, local};
use super::{Rig, schema, text};
use crate::error::{Place, Result};
use crate::formats::spine::write::animations::{KEY_BYTES, offsets, time};
use crate::limits::Budget;
use crate::math::DAffine2;
use crate::math::angle::{atan2_degrees, wrap_turn};
use crate::model::{AnimationId, Tint};
use crate::pose::Pose;
use schema::{
    Animation, AttachmentKey, BoneTimelines, Curve, DrawOrderKey, Entries, Keys, MAX_WIDTH, Number, Property,
    SlotTimelines,
};

/// Smaller changes are rounding errors: pixels, degrees and scale factors.
const TRANSLATION: f64 = 1e-4;
const ROTATION: f64 = 1e-4;
const SCALE: f64 = 1e-6;
/// Keys multiply the scale of the setup pose, which is therefore no less.
const LEAST_SCALE: f64 = 1e-6;

/// Transform of a bone relative to its parent. Pixels, and degrees counter-clockwise.
#[derive(Clone, Copy)]
pub struct Local {
    pub place: [f64; 2],
    pub rotation: f64,
    pub scale: [f64; 2],
    /// Additional rotation of the y axis.
    pub shear: f64,
}

impl Default for Local {
    fn default() -> Self {
        Self { place: [0.0; 2], rotation: 0.0, scale: [1.0; 2], shear: 0.0 }
    }
}

impl Local {
    /// Returns the same transform; a mirrored one has a negative y scale, and a flat one the least scale. `None` if it is
    /// not finite.
    pub fn of(matrix: &DAffine2) -> Option<Self> {
        let [x, y] = [matrix.matrix2.x_axis, matrix.matrix2.y_axis];
        let side = matrix.matrix2.determinant().signum();
        let (rotation, up) = (atan2_degrees(x.y, x.x), atan2_degrees(y.y * side, y.x * side));
        let least = |scale: f64| scale.abs().max(LEAST_SCALE).copysign(scale);
        let scale = [x.length(), y.length() * side].map(least);
        let shear = wrap_turn(up - rotation - 90.0);
        matrix.is_finite().then_some(Self { place: matrix.translation.to_array(), rotation, scale, shear })
    }
}

/// A timeline of a bone, and its current values.
struct Track {
    now: [f64; 2],
    tolerance: f64,
    keys: Keys<'static>,
}

impl Track {
    /// Returns the timelines of a bone, all at the setup pose.
    fn all() -> [Self; 4] {
        [
            (Property::Rotate, 0.0, ROTATION),
            (Property::Translate, 0.0, TRANSLATION),
            (Property::Scale, 1.0, SCALE),
            (Property::Shear, 0.0, ROTATION),
        ]
        .map(|(property, now, tolerance)| Self { now: [now; 2], tolerance, keys: Keys::new(property) })
    }

    fn put(&mut self, time: Number, values: [f64; 2]) -> bool {
        let changes = (0..2).any(|axis| (values[axis] - self.now[axis]).abs() > self.tolerance);
        if changes {
            self.now = values;
            self.keys.add(time.0, Curve::Stepped, &numbers(&values), false);
        }
        changes
    }
}

/// Returns the values of a key.
fn numbers(values: &[f64]) -> [f32; MAX_WIDTH] {
    let mut numbers = [0.0; MAX_WIDTH];
    numbers.iter_mut().zip(values).for_each(|(number, value)| *number = *value as f32 + 0.0);
    numbers
}

/// The light and the dark colour of a tint.
pub fn colors(tint: Tint) -> [[u8; 4]; 2] {
    let [r, g, b] = tint.dark.unwrap_or_default();
    [tint.light, [r, g, b, 1.0]].map(|color| color.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8))
}

/// The current state of a slot, and its keys.
#[derive(Default)]
struct SlotTrack {
    shown: Option<usize>,
    color: Option<[[u8; 4]; 2]>,
    steps: Vec<AttachmentKey<'static>>,
    colors: Vec<(Number, [[u8; 4]; 2])>,
    is_drawn: bool,
}

/// Keys of all bones and slots, while the frames are evaluated. Bones and slots are those of the file.
struct Tracks<'a> {
    rig: &'a Rig<'a>,
    bones: Vec<[Track; 4]>,
    slots: Vec<SlotTrack>,
    draw_order: Vec<DrawOrderKey<'static>>,
    /// The place of each slot in the draw order.
    places: Vec<usize>,
}

/// Returns the keys of an animation.
pub fn animation(
    rig: &Rig<'_>,
    id: AnimationId,
    bones: &[schema::Bone<'static>],
    budget: &mut Budget<'_>,
) -> Result<Animation<'static>> {
    let model = rig.character.model();
    let (fps, frames) = (model.animation(id).fps(), model.animation(id).frame_count() as usize);
    let place = || Place::inside(format!("animations/{}", model.animation(id).name));
    let mut tracks = Tracks {
        rig,
        bones: bones.iter().map(|_| Track::all()).collect(),
        slots: rig.slots.iter().map(|_| SlotTrack::default()).collect(),
        draw_order: Vec::new(),
        places: (0..rig.slots.len()).collect(),
    };
    for slot in model.slot_ids() {
        if let Some(number) = rig.places[slot.index()] {
            let seen = &rig.seen.slots[slot.index()];
            tracks.slots[number].shown = seen.rest;
            tracks.slots[number].color = seen.color.map(colors);
        }
    }
    budget.charge_memory((bones.len() + rig.slots.len()) as u64, size_of::<[Track; 4]>(), place)?;
    for_each_frame(rig.character, id, budget, |frame, pose, budget| {
        let at = time(frame as usize, fps);
        let keys = tracks.move_bones(pose, at) + tracks.show_slots(pose, at) + tracks.order_slots(pose, at);
        budget.charge_memory(keys as u64, KEY_BYTES, place)
    })?;
    Ok(tracks.written(bones, time(frames, fps)))
}

impl Tracks<'_> {
    /// Returns the number of keys.
    fn move_bones(&mut self, pose: &Pose, at: Number) -> usize {
        let (model, mut keys) = (self.rig.character.model(), 0);
        for (bone, number) in self.rig.bones.iter().enumerate() {
            let (Some(number), Some(setup)) = (*number, self.rig.seen.bones[bone]) else { continue };
            let Some(now) = local(model, pose, bone) else { continue };
            let values = [
                [wrap_turn(now.rotation - setup.rotation), 0.0],
                [now.place[0] - setup.place[0], now.place[1] - setup.place[1]],
                [now.scale[0] / setup.scale[0], now.scale[1] / setup.scale[1]],
                [0.0, wrap_turn(now.shear - setup.shear)],
            ];
            let put = self.bones[number].iter_mut().zip(values).map(|(track, values)| track.put(at, values));
            keys += put.filter(|is_key| *is_key).count();
        }
        keys
    }

    /// Returns the number of keys.
    fn show_slots(&mut self, pose: &Pose, at: Number) -> usize {
        let (rig, mut keys) = (self.rig, 0);
        self.slots.iter_mut().for_each(|slot| slot.is_drawn = false);
        for &id in &pose.draw_order {
            let Some(number) = rig.places[id.index()] else { continue };
            let shown = Shown::of(rig.character.model(), pose, id).and_then(|shown| rig.seen.index(id, shown));
            let track = &mut self.slots[number];
            track.is_drawn = true;
            let color = colors(pose.slots[id.index()].tint);
            if shown.is_some() && track.color != Some(color) {
                track.color = Some(color);
                track.colors.push((at, color));
                keys += 1;
            }
            if track.shown != shown {
                track.shown = shown;
                let name = shown.and_then(|shown| rig.names[id.index()].get(shown));
                track.steps.push(AttachmentKey { time: at, name: name.map(|name| text(name.as_str())) });
                keys += 1;
            }
        }
        for track in self.slots.iter_mut().filter(|track| !track.is_drawn && track.shown.is_some()) {
            track.shown = None;
            track.steps.push(AttachmentKey { time: at, name: None });
            keys += 1;
        }
        keys
    }

    /// Puts the drawn slots into their order, into the places that they have together: the others show nothing. Returns the
    /// number of offsets.
    fn order_slots(&mut self, pose: &Pose, at: Number) -> usize {
        let drawn: Vec<usize> = pose.draw_order.iter().filter_map(|id| self.rig.places[id.index()]).collect();
        let mut places: Vec<usize> = drawn.iter().map(|slot| self.places[*slot]).collect();
        if places.is_sorted() {
            return 0;
        }
        places.sort_unstable();
        drawn.iter().zip(places).for_each(|(slot, place)| self.places[*slot] = place);
        if self.draw_order.is_empty() && at.0 > 0.0 {
            self.draw_order.push(DrawOrderKey::default());
        }
        let offsets = offsets(&self.rig.slots, &self.places);
        let count = 1 + offsets.len();
        self.draw_order.push(DrawOrderKey { time: at, offsets });
        count
    }

    /// Returns the animation, which lasts until a key of the root at its `end`.
    fn written(mut self, bones: &[schema::Bone<'static>], end: Number) -> Animation<'static> {
        if let Some([rotation, ..]) = self.bones.first_mut().filter(|_| end.0 > 0.0) {
            rotation.keys.add(end.0, Curve::Stepped, &numbers(&rotation.now), false);
        }
        let of_bone = |tracks: [Track; 4]| {
            let mut timelines = BoneTimelines::default();
            tracks.into_iter().for_each(|track| timelines.put(track.keys));
            timelines
        };
        let of_slot = |slot: &schema::Slot<'static>, track: SlotTrack| {
            let mut timelines = SlotTimelines { steps: track.steps, list: Vec::new() };
            let property = if slot.dark.is_some() { Property::TwoColor } else { Property::Color };
            let mut keys = Keys::new(property);
            for (time, colors) in track.colors {
                let channels = colors.as_flattened().iter().map(|part| f64::from(*part) / 255.0);
                keys.add(time.0, Curve::Stepped, &numbers(&channels.take(7).collect::<Vec<f64>>()), false);
            }
            timelines.put(keys);
            timelines
        };
        let bones = bones.iter().zip(self.bones).map(|(bone, tracks)| (bone.name.clone(), of_bone(tracks)));
        let slots =
            self.rig.slots.iter().zip(self.slots).map(|(slot, track)| (slot.name.clone(), of_slot(slot, track)));
        Animation {
            bones: Entries(bones.filter(|(_, timelines)| !timelines.is_empty()).collect()),
            slots: Entries(slots.filter(|(_, timelines)| !timelines.is_empty()).collect()),
            draw_order: self.draw_order,
            ..Animation::default()
        }
    }
}
