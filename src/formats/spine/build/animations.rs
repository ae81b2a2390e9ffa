//! Animations: timelines in the order in which they are applied, keys sorted by time.

use super::attachments::{Attached, warn_unknown_key};
use super::constraints::{Kind, Order};
use super::keys::{Key, Sorted, Way, short_curve};
use super::{Names, at, color, find, inherit, malformed, missing};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::formats::spine::schema::{self, Number};
use crate::limits::Budget;
use crate::model::{AttachmentId, EventId, ModelBuilder, Timing};
use crate::motion::spine::{
    Animation, Axis, Bezier, Curve, DeformKeys, EventKey, Inherit, Keys, PhysicsValue, Rig, SequenceKey,
    SequenceKeys, SequenceMode, StepKeys, Switches, Timeline,
};

/// Frame rate of files that do not state one.
const DEFAULT_FPS: f64 = 30.0;

/// How far the handles of a curve may be from its keys, as a multiple of the time between them.
const MAX_SHARE: f64 = 1e30;

/// Adds the animations to the model, and returns their keys and curves for the motion.
#[expect(clippy::too_many_arguments, reason = "every part of a file is needed")]
pub fn build<'a>(
    root: &'a schema::Root<'a>,
    asked_fps: Option<f64>,
    names: &mut Names<'a>,
    attached: &Attached<'a>,
    builder: &mut ModelBuilder,
    rig: &mut Rig,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<(Vec<Animation>, Vec<Bezier>)> {
    let own_fps = root.skeleton.as_ref().and_then(|skeleton| skeleton.fps).map(|fps| f64::from(fps.0));
    let is_rate = |fps: &f64| fps.is_finite() && *fps > 0.0;
    let fps = asked_fps.filter(is_rate).or(own_fps.filter(is_rate)).unwrap_or(DEFAULT_FPS);
    let order = Order::of(root);
    let mut beziers = Vec::new();
    let mut animations = Vec::with_capacity(root.animations.0.len());
    for (name, json) in &root.animations.0 {
        let mut reader = Reader {
            root,
            names: &mut *names,
            attached,
            order: &order,
            name: name.as_str(),
            budget: &mut *budget,
            diagnostics: &mut *diagnostics,
            beziers: &mut beziers,
            animation: Animation::default(),
        };
        reader.read(json)?;
        let animation = reader.animation;
        builder.animation(crate::model::Animation {
            name: name.as_str().to_owned(),
            looping: true,
            timing: Timing::Keys { secs: animation.duration, fps },
            is_bind_pose: false,
        });
        animations.push(animation);
    }
    make_room(attached, &animations, rig, budget)?;
    Ok((animations, beziers))
}

/// Reserves memory for deform offsets: per slot, as much as its longest timeline needs.
fn make_room(
    attached: &Attached<'_>,
    animations: &[Animation],
    rig: &mut Rig,
    budget: &mut Budget<'_>,
) -> Result<()> {
    let mut room = vec![0; rig.slots.len()];
    for timeline in animations.iter().flat_map(|animation| &animation.timelines) {
        if let Timeline::Deform(slot, keys) = timeline {
            let room: &mut u32 = &mut room[*slot as usize];
            *room = keys.len.max(*room);
        }
    }
    let total: u64 = room.iter().map(|&room| u64::from(room)).sum();
    budget.charge_memory(total, size_of::<crate::math::Vec2>(), || at("/animations"))?;
    let mut first = 0;
    for (slot, room) in rig.slots.iter_mut().zip(room) {
        slot.deform = first;
        first += room;
    }
    rig.deform_len = first as usize;
    debug_assert!(rig.timed_as.len() >= attached.influences.len());
    Ok(())
}

/// The values of a colour timeline.
#[derive(Clone, Copy)]
enum ColorPart {
    Rgba,
    Rgb,
    Rgba2,
    Rgb2,
}

/// The mode of a key.
pub fn sequence_mode(mode: schema::SequenceMode) -> SequenceMode {
    match mode {
        schema::SequenceMode::Hold => SequenceMode::Hold,
        schema::SequenceMode::Once => SequenceMode::Once,
        schema::SequenceMode::Loop => SequenceMode::Loop,
        schema::SequenceMode::Pingpong => SequenceMode::PingPong,
        schema::SequenceMode::OnceReverse => SequenceMode::OnceReverse,
        schema::SequenceMode::LoopReverse => SequenceMode::LoopReverse,
        schema::SequenceMode::PingpongReverse => SequenceMode::PingPongReverse,
    }
}

pub fn wrong_curve(found: usize, expected: usize, pointer: String) -> Error {
    let message = format!("the curve has {found} numbers; expected {expected}, four for each value");
    malformed("curve-length", pointer, message)
}

/// Reads one animation.
struct Reader<'r, 'b, 'a> {
    root: &'a schema::Root<'a>,
    names: &'r mut Names<'a>,
    attached: &'r Attached<'a>,
    order: &'r Order<'a>,
    name: &'a str,
    budget: &'r mut Budget<'b>,
    diagnostics: &'r mut Diagnostics,
    beziers: &'r mut Vec<Bezier>,
    animation: Animation,
}

impl<'a> Reader<'_, '_, 'a> {
    /// Reads all timelines, in the order in which they are applied.
    fn read(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        self.slots(json)?;
        self.bones(json)?;
        self.constraints(json)?;
        self.deform(json)?;
        self.draw_order(json)?;
        self.events(json)
    }

    fn at(&self, way: Way<'_>) -> String {
        way.at(self.name)
    }

    /// The pointer to a field of the item at `index` of the list at `way`.
    fn at_field(&self, way: Way<'_>, index: usize, field: &str) -> String {
        format!("{}/{index}/{field}", self.at(way))
    }

    fn add(&mut self, timeline: Timeline) {
        self.animation.timelines.push(timeline);
    }

    /// Charges the keys and returns their order by time. If that is not the order of the file, it is reported.
    fn sorted<K: Key>(&mut self, keys: &[K], size: usize, way: Way<'_>) -> Result<Sorted> {
        let name = self.name;
        let place = || at(way.at(name));
        self.budget.charge_memory(keys.len() as u64, size, place)?;
        let sorted = Sorted::by_time(keys);
        if sorted.order.is_some() {
            let message = "the keys are not ordered by time; they are sorted";
            self.diagnostics.warn("key-order", at(self.at(way)), message);
        }
        let last = sorted.places().last().map_or(0.0, |last| f64::from(keys[last].time()));
        self.animation.duration = self.animation.duration.max(last);
        Ok(sorted)
    }

    /// The curve from a key to the next one; both are pairs of a time and the values.
    fn curve<const N: usize>(
        &mut self,
        key: &impl Key,
        [from, to]: [(f32, [f32; N]); 2],
        pointer: impl FnOnce() -> String,
    ) -> Result<Curve> {
        let numbers = match key.curve() {
            None | Some(schema::Curve::Linear) => return Ok(Curve::Linear),
            Some(schema::Curve::Stepped) => return Ok(Curve::Stepped),
            Some(schema::Curve::First(c1)) => &short_curve(*c1, key.more()),
            Some(curve) => curve.handles(),
        };
        let first = self.beziers.len() as u32;
        if !self.root.version.is_four() {
            let Ok(handles) = numbers.try_into() else { return Err(wrong_curve(numbers.len(), 4, pointer())) };
            self.beziers.push(Bezier::new(handles));
            return Ok(Curve::Bezier(first));
        }
        if numbers.len() != 4 * N {
            return Err(wrong_curve(numbers.len(), 4 * N, pointer()));
        }
        if to.0 <= from.0 {
            // No time lies between them.
            return Ok(Curve::Linear);
        }
        let [start, end] = [from.0, to.0].map(f64::from);
        // Handles are finite, but may be astronomically far from keys that are close together.
        let share = |time: f32| ((f64::from(time) - start) / (end - start)).clamp(-MAX_SHARE, MAX_SHARE) as f32;
        for (value, handles) in numbers.as_chunks::<4>().0.iter().enumerate() {
            let [x1, y1, x2, y2] = *handles;
            let ends = [from.1[value], to.1[value]];
            self.beziers.push(Bezier::of_values([share(x1), y1, share(x2), y2], ends));
        }
        Ok(Curve::Values(first))
    }

    fn keys<K: Key, const N: usize>(
        &mut self,
        keys: &[K],
        way: Way<'_>,
        mut value: impl FnMut(&Self, usize, &K) -> Result<[f32; N]>,
    ) -> Result<Keys<N>> {
        let curves = if self.root.version.is_four() { N } else { 1 };
        let size = size_of::<[f32; N]>() + size_of::<(f32, Curve)>() + curves * size_of::<Bezier>();
        let sorted = self.sorted(keys, size, way)?;
        let mut read = Keys {
            times: Vec::with_capacity(keys.len()),
            values: Vec::with_capacity(keys.len()),
            curves: Vec::with_capacity(keys.len()),
        };
        // Indices of the keys that were read.
        let mut places = Vec::with_capacity(keys.len());
        for index in sorted.places() {
            let value = value(self, index, &keys[index]);
            let Some(value) = self.diagnostics.recover(value)? else { continue };
            read.times.push(keys[index].time());
            read.values.push(value);
            places.push(index);
        }
        for (at, &index) in places.iter().enumerate() {
            let next = (at + 1).min(places.len() - 1);
            let ends = [at, next].map(|at| (read.times[at], read.values[at]));
            let pointer = {
                let name = self.name;
                move || format!("{}/{index}/curve", way.at(name))
            };
            let curve = self.curve(&keys[index], ends, pointer);
            read.curves.push(self.diagnostics.recover(curve)?.unwrap_or(Curve::Linear));
        }
        Ok(read)
    }

    fn slots(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        for (name, timelines) in &json.slots.0 {
            let way = |kind| ["slots", name.as_str(), kind];
            let slot = find(&self.names.slots, name, "slot", || self.at(Way(&way("")[..2])));
            let Some(slot) = self.diagnostics.recover(slot)?.map(|slot| slot as u32) else { continue };
            if !timelines.attachment.is_empty() {
                let way = way("attachment");
                let sorted = self.sorted(&timelines.attachment, size_of::<(f32, Option<u32>)>(), Way(&way))?;
                let mut keys = StepKeys::default();
                for index in sorted.places() {
                    let key = &timelines.attachment[index];
                    keys.times.push(key.time());
                    let value = key.name.as_ref().and_then(|name| {
                        let found = self.names.keys.get(&(slot, name.as_str())).copied();
                        if found.is_none() {
                            let pointer = self.at_field(Way(&way), index, "name");
                            warn_unknown_key(name, pointer, self.diagnostics);
                        }
                        found
                    });
                    keys.values.push(value);
                }
                self.add(Timeline::Attachment(slot, keys));
            }
            self.colors(slot, ColorPart::Rgba, &timelines.color, Way(&way("color")))?;
            self.colors(slot, ColorPart::Rgba2, &timelines.two_color, Way(&way("twoColor")))?;
            self.colors(slot, ColorPart::Rgba, &timelines.rgba, Way(&way("rgba")))?;
            self.colors(slot, ColorPart::Rgb, &timelines.rgb, Way(&way("rgb")))?;
            self.colors(slot, ColorPart::Rgba2, &timelines.rgba2, Way(&way("rgba2")))?;
            self.colors(slot, ColorPart::Rgb2, &timelines.rgb2, Way(&way("rgb2")))?;
            if !timelines.alpha.is_empty() {
                let keys = self.values(&timelines.alpha, Way(&way("alpha")), 0.0)?;
                self.add(Timeline::Alpha(slot, keys));
            }
        }
        Ok(())
    }

    fn colors(&mut self, slot: u32, part: ColorPart, keys: &[schema::ColorKey<'_>], way: Way<'_>) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        let light = |reader: &Self, index: usize, key: &schema::ColorKey<'_>| {
            reader.color_of(key.light.as_ref(), way, index, "light")
        };
        let dark = |reader: &Self, index: usize, key: &schema::ColorKey<'_>| {
            reader.color_of(key.dark.as_ref(), way, index, "dark")
        };
        let color = |reader: &Self, index: usize, key: &schema::ColorKey<'_>| {
            reader.color_of(key.color.as_ref(), way, index, "color")
        };
        let timeline = match part {
            ColorPart::Rgba => Timeline::Color(slot, self.keys(keys, way, color)?),
            ColorPart::Rgb => {
                let keys = self.keys(keys, way, |reader, index, key| {
                    let [r, g, b, _] = color(reader, index, key)?;
                    Ok([r, g, b])
                })?;
                Timeline::Rgb(slot, keys)
            }
            ColorPart::Rgba2 => {
                let keys = self.keys(keys, way, |reader, index, key| {
                    let ([r, g, b, a], [r2, g2, b2, _]) = (light(reader, index, key)?, dark(reader, index, key)?);
                    Ok([r, g, b, a, r2, g2, b2])
                })?;
                Timeline::TwoColor(slot, keys)
            }
            ColorPart::Rgb2 => {
                let keys = self.keys(keys, way, |reader, index, key| {
                    let ([r, g, b, _], [r2, g2, b2, _]) = (light(reader, index, key)?, dark(reader, index, key)?);
                    Ok([r, g, b, r2, g2, b2])
                })?;
                Timeline::Rgb2(slot, keys)
            }
        };
        self.add(timeline);
        Ok(())
    }

    fn color_of(
        &self,
        stated: Option<&schema::Color<'_>>,
        way: Way<'_>,
        index: usize,
        field: &str,
    ) -> Result<[f32; 4]> {
        let pointer = || self.at_field(way, index, field);
        let stated = stated.ok_or_else(|| malformed("bad-color", pointer(), "this key has no colour"))?;
        color(stated, pointer)
    }

    fn bones(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        for (name, timelines) in &json.bones.0 {
            let way = |kind| ["bones", name.as_str(), kind];
            let bone = find(&self.names.bones, name, "bone", || self.at(Way(&way("")[..2])));
            let Some(bone) = self.diagnostics.recover(bone)?.map(|bone| bone as u32) else { continue };
            if !timelines.rotate.is_empty() {
                let value = |key: &schema::BoneKey| key.value.or(key.angle).unwrap_or_default().0;
                let keys = self.keys(&timelines.rotate, Way(&way("rotate")), |_, _, key| Ok([value(key)]))?;
                self.add(Timeline::Rotate(bone, keys));
            }
            let pair =
                |keys: &schema::BoneKey, default| [keys.x, keys.y].map(|value| value.map_or(default, |it| it.0));
            if !timelines.translate.is_empty() {
                let keys =
                    self.keys(&timelines.translate, Way(&way("translate")), |_, _, key| Ok(pair(key, 0.0)))?;
                self.add(Timeline::Translate(bone, keys));
            }
            if !timelines.scale.is_empty() {
                let keys = self.keys(&timelines.scale, Way(&way("scale")), |_, _, key| Ok(pair(key, 1.0)))?;
                self.add(Timeline::Scale(bone, keys));
            }
            if !timelines.shear.is_empty() {
                let keys = self.keys(&timelines.shear, Way(&way("shear")), |_, _, key| Ok(pair(key, 0.0)))?;
                self.add(Timeline::Shear(bone, keys));
            }
            for (kind, keys, axis, default) in [
                ("translatex", &timelines.translatex, Axis::TranslateX, 0.0),
                ("translatey", &timelines.translatey, Axis::TranslateY, 0.0),
                ("scalex", &timelines.scalex, Axis::ScaleX, 1.0),
                ("scaley", &timelines.scaley, Axis::ScaleY, 1.0),
                ("shearx", &timelines.shearx, Axis::ShearX, 0.0),
                ("sheary", &timelines.sheary, Axis::ShearY, 0.0),
            ] {
                if !keys.is_empty() {
                    let value = |key: &schema::BoneKey| key.value.map_or(default, |it| it.0);
                    let keys = self.keys(keys, Way(&way(kind)), |_, _, key| Ok([value(key)]))?;
                    self.add(Timeline::Axis(bone, axis, keys));
                }
            }
            if !timelines.inherit.is_empty() {
                let way = way("inherit");
                let size = size_of::<(f32, Inherit)>();
                let keys = self.steps(&timelines.inherit, size, Way(&way), |key| inherit(key.inherit))?;
                self.add(Timeline::Inherit(bone, keys));
            }
        }
        Ok(())
    }

    /// The keys of a timeline of single numbers.
    fn values(&mut self, keys: &[schema::ValueKey], way: Way<'_>, default: f32) -> Result<Keys<1>> {
        self.keys(keys, way, |_, _, key| Ok([key.value.map_or(default, |value| value.0)]))
    }

    /// The keys of a timeline whose values apply until the next key.
    fn steps<K: Key, T>(
        &mut self,
        keys: &[K],
        size: usize,
        way: Way<'_>,
        value: impl Fn(&K) -> T,
    ) -> Result<StepKeys<T>> {
        let sorted = self.sorted(keys, size, way)?;
        let times = sorted.places().map(|index| keys[index].time()).collect();
        let values = sorted.places().map(|index| value(&keys[index])).collect();
        Ok(StepKeys { times, values })
    }

    fn constraints(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        for (name, keys) in &json.ik.0 {
            let way = ["ik", name.as_str()];
            let constraint = self.order.find(Kind::Ik, name, || self.at(Way(&way)));
            let Some(constraint) = self.diagnostics.recover(constraint)? else { continue };
            if keys.is_empty() {
                continue;
            }
            let switches = |key: &schema::IkKey| Switches {
                bends_positive: key.bend_positive,
                compresses: key.compress,
                stretches: key.stretch,
            };
            let mut switched = Vec::with_capacity(keys.len());
            let keys = self.keys(keys, Way(&way), |_, _, key| {
                switched.push(switches(key));
                Ok([key.mix.0, key.softness.0])
            })?;
            self.add(Timeline::Ik(constraint, keys, switched));
        }
        for (name, keys) in &json.transform.0 {
            let way = ["transform", name.as_str()];
            let constraint = self.order.find(Kind::Transform, name, || self.at(Way(&way)));
            let Some(constraint) = self.diagnostics.recover(constraint)? else { continue };
            if keys.is_empty() {
                continue;
            }
            let keys = self.keys(keys, Way(&way), |_, _, key| Ok(key.mixes().map(|mix| mix.0)))?;
            self.add(Timeline::Transform(constraint, keys));
        }
        for (name, timelines) in &json.path.0 {
            let way = |kind| ["path", name.as_str(), kind];
            let constraint = self.order.find(Kind::Path, name, || self.at(Way(&way("")[..2])));
            let Some(constraint) = self.diagnostics.recover(constraint)? else { continue };
            if !timelines.position.is_empty() {
                let keys = self.keys(&timelines.position, Way(&way("position")), |_, _, key| {
                    Ok([key.value.unwrap_or(key.position).0])
                })?;
                self.add(Timeline::PathPosition(constraint, keys));
            }
            if !timelines.spacing.is_empty() {
                let keys = self.keys(&timelines.spacing, Way(&way("spacing")), |_, _, key| {
                    Ok([key.value.unwrap_or(key.spacing).0])
                })?;
                self.add(Timeline::PathSpacing(constraint, keys));
            }
            if !timelines.mix.is_empty() {
                let value = |key: &schema::PathKey| key.mixes().map(|mix| mix.0);
                let keys = self.keys(&timelines.mix, Way(&way("mix")), |_, _, key| Ok(value(key)))?;
                self.add(Timeline::PathMix(constraint, keys));
            }
        }
        self.physics(json)
    }

    fn physics(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        for (name, timelines) in &json.physics.0 {
            let way = |kind| ["physics", name.as_str(), kind];
            // The empty name stands for all constraints.
            let constraint = match name.as_str() {
                "" => Ok(None),
                _ => self.order.find(Kind::Physics, name, || self.at(Way(&way("")[..2]))).map(Some),
            };
            let Some(constraint) = self.diagnostics.recover(constraint)? else { continue };
            for (kind, keys, value) in [
                ("inertia", &timelines.inertia, PhysicsValue::Inertia),
                ("strength", &timelines.strength, PhysicsValue::Strength),
                ("damping", &timelines.damping, PhysicsValue::Damping),
                ("mass", &timelines.mass, PhysicsValue::Mass),
                ("wind", &timelines.wind, PhysicsValue::Wind),
                ("gravity", &timelines.gravity, PhysicsValue::Gravity),
                ("mix", &timelines.mix, PhysicsValue::Mix),
            ] {
                if !keys.is_empty() {
                    let default = if value == PhysicsValue::Mix { 1.0 } else { 0.0 };
                    let keys = self.values(keys, Way(&way(kind)), default)?;
                    self.add(Timeline::Physics(constraint, value, keys));
                }
            }
            if !timelines.reset.is_empty() {
                let way = way("reset");
                let keys = self.steps(&timelines.reset, size_of::<f32>(), Way(&way), |_| ())?;
                self.animation.resets.push((constraint, keys.times));
            }
        }
        Ok(())
    }

    fn deform(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        for (skin_name, slots) in &json.deform.0 {
            for (slot_name, attachments) in &slots.0 {
                for (name, keys) in &attachments.0 {
                    let way = Way(&["deform", skin_name.as_str(), slot_name.as_str(), name.as_str()]);
                    let place = self.place_of([skin_name, slot_name, name], way);
                    let Some((slot, place)) = self.diagnostics.recover(place)? else { continue };
                    self.deform_keys(keys, slot, place, way)?;
                }
            }
        }
        for (skin_name, slots) in &json.attachments.0 {
            for (slot_name, attachments) in &slots.0 {
                for (name, timelines) in &attachments.0 {
                    let names = [skin_name.as_str(), slot_name.as_str(), name.as_str()];
                    let way = |kind| ["attachments", names[0], names[1], names[2], kind];
                    let place = self.place_of([skin_name, slot_name, name], Way(&way("")[..4]));
                    let Some((slot, place)) = self.diagnostics.recover(place)? else { continue };
                    self.deform_keys(&timelines.deform, slot, place, Way(&way("deform")))?;
                    self.sequence_keys(&timelines.sequence, slot, place, Way(&way("sequence")))?;
                }
            }
        }
        Ok(())
    }

    /// The slot and the attachment with these names: skin, slot and key. `way` leads to the attachment.
    fn place_of(&self, [skin, slot, key]: [&schema::Text<'a>; 3], way: Way<'_>) -> Result<(u32, usize)> {
        let skin = find(&self.names.skins, skin, "skin", || self.at(Way(&way.0[..2])))? as u32;
        let slot = find(&self.names.slots, slot, "slot", || self.at(Way(&way.0[..3])))? as u32;
        let place = self.attached.places.get(&(skin, slot, key.as_str())).copied();
        Ok((slot, place.ok_or_else(|| missing("attachment", key, self.at(way)))?))
    }

    /// Adds the timeline of the pictures of an attachment; an attachment without a sequence ignores it.
    fn sequence_keys(
        &mut self,
        keys: &[schema::SequenceKey],
        slot: u32,
        place: usize,
        way: Way<'_>,
    ) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        let mut delay = 0.0;
        let sorted = self.sorted(keys, size_of::<(f32, SequenceKey)>(), way)?;
        let mut read = StepKeys { times: Vec::new(), values: Vec::new() };
        for index in sorted.places() {
            let key = &keys[index];
            delay = key.delay.map_or(delay, |delay| delay.0);
            read.times.push(key.time());
            read.values.push(SequenceKey { mode: sequence_mode(key.mode), index: key.index, delay });
        }
        self.add(Timeline::Sequence(slot, SequenceKeys { attachment: AttachmentId::new(place), keys: read }));
        Ok(())
    }

    /// Adds the deformations of an attachment, unless it has errors.
    fn deform_keys(&mut self, keys: &[schema::DeformKey], slot: u32, place: usize, way: Way<'_>) -> Result<()> {
        let Some(influences) = self.attached.influences[place].filter(|_| !keys.is_empty()) else {
            return Ok(());
        };
        let room = 2 * influences;
        let sorted = self.sorted(keys, size_of::<(f32, Curve, Bezier, [u32; 3])>(), way)?;
        let mut deform = DeformKeys {
            attachment: AttachmentId::new(place),
            len: (room / 2) as u32,
            times: Vec::with_capacity(keys.len()),
            curves: Vec::with_capacity(keys.len()),
            parts: Vec::with_capacity(keys.len()),
            numbers: Vec::with_capacity(keys.iter().map(|key| key.vertices.len()).sum()),
        };
        let mut places = Vec::with_capacity(keys.len());
        for index in sorted.places() {
            let key = &keys[index];
            let count = key.vertices.len();
            if (key.offset as usize).saturating_add(count) > room && count > 0 {
                let message =
                    format!("{count} numbers from offset {} are too many, the attachment has {room}", key.offset);
                let pointer = self.at_field(way, index, "vertices");
                self.diagnostics.reject(malformed("deform-length", pointer, message))?;
                continue;
            }
            deform.times.push(key.time());
            let from = deform.numbers.len() as u32;
            deform.numbers.extend(key.vertices.iter().map(|number| number.0));
            deform.parts.push((key.offset, from..deform.numbers.len() as u32));
            places.push(index);
        }
        for (at, &index) in places.iter().enumerate() {
            let next = (at + 1).min(places.len() - 1);
            // The value is the share of the next key.
            let ends = [(deform.times[at], [0.0]), (deform.times[next], [1.0])];
            let name = self.name;
            let curve = self.curve(&keys[index], ends, || format!("{}/{index}/curve", way.at(name)));
            deform.curves.push(match self.diagnostics.recover(curve)? {
                Some(Curve::Values(at)) => Curve::Bezier(at),
                curve => curve.unwrap_or(Curve::Linear),
            });
        }
        self.add(Timeline::Deform(slot, deform));
        Ok(())
    }

    fn draw_order(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        if json.draw_order.is_empty() {
            return Ok(());
        }
        let slots = self.root.slots.len();
        let size = size_of::<(f32, Box<[u32]>)>() + slots * size_of::<u32>();
        let sorted = self.sorted(&json.draw_order, size, Way(&["drawOrder"]))?;
        let mut keys = StepKeys::default();
        for index in sorted.places() {
            let key = &json.draw_order[index];
            keys.times.push(key.time());
            let order = (!key.offsets.is_empty()).then(|| self.order_of(index, key, slots)).transpose();
            keys.values.push(self.diagnostics.recover(order)?.flatten());
        }
        self.add(Timeline::DrawOrder(keys));
        Ok(())
    }

    /// Named slots move by their offset from the setup draw order; the others fill the free places in order.
    fn order_of(&self, index: usize, key: &schema::DrawOrderKey<'_>, slots: usize) -> Result<Box<[u32]>> {
        const FREE: u32 = u32::MAX;
        let mut order = vec![FREE; slots].into_boxed_slice();
        let mut is_placed = vec![false; slots];
        for (number, offset) in key.offsets.iter().enumerate() {
            let pointer = |field| self.at_field(Way(&["drawOrder", &index.to_string(), "offsets"]), number, field);
            let slot = find(&self.names.slots, &offset.slot, "slot", || pointer("slot"))?;
            let to = offset.offset.checked_add(slot as i64).and_then(|to| usize::try_from(to).ok());
            let place = to.and_then(|to| order.get_mut(to)).filter(|place| **place == FREE);
            match place {
                Some(place) if !is_placed[slot] => {
                    *place = slot as u32;
                    is_placed[slot] = true;
                }
                _ => {
                    let message = format!(
                        "slot {slot} cannot move by {} places: that place is taken or outside the {slots} slots",
                        offset.offset
                    );
                    return Err(malformed("draw-order", pointer("offset"), message));
                }
            }
        }
        let mut left = (0..slots as u32).filter(|&slot| !is_placed[slot as usize]);
        order.iter_mut().filter(|place| **place == FREE).for_each(|place| *place = left.next().unwrap_or(0));
        Ok(order)
    }

    fn events(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        let way = Way(&["events"]);
        let sorted = self.sorted(&json.events, size_of::<EventKey>(), way)?;
        for index in sorted.places() {
            let key = &json.events[index];
            let event = find(&self.names.events, &key.name, "event", || self.at_field(way, index, "name"));
            let Some(event) = self.diagnostics.recover(event)? else { continue };
            let rest = &self.root.events.0[event].1;
            let or = |value: Option<Number>, default| value.map_or(default, |value: Number| value.0);
            let string = key.text.as_ref().or(rest.text.as_ref()).map_or("", schema::Text::as_str);
            // Keys of audio events have their own volume and balance; the event's values are not their defaults.
            let (volume, balance) = if rest.audio.is_some() {
                (or(key.volume, 1.0), or(key.balance, 0.0))
            } else {
                (or(rest.volume, 1.0), or(rest.balance, 0.0))
            };
            self.budget.charge_memory(string.len() as u64, 1, || at("/events"))?;
            self.animation.events.push(EventKey {
                time: key.time(),
                event: EventId::new(event),
                int: key.integer.unwrap_or(rest.integer),
                float: or(key.number, rest.number.0),
                string: string.into(),
                volume,
                balance,
            });
        }
        Ok(())
    }
}
