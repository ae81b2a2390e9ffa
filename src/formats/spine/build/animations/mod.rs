//! Animations: timelines in the order in which they are applied, keys sorted by time.

pub mod attachments;
mod draw_order;

use foldhash::HashMap;

use super::attachments::{Attached, warn_unknown_key};
use super::constraints::Order;
use super::keys::{Sorted, Way};
use super::{Build, Names, at, find, inherit, inherited, key_color, malformed};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::formats::ReadOptions;
use crate::formats::spine::schema::{self, Number, Property, Timed, Timelines, Value};
use crate::limits::Budget;
use crate::model::{ConstraintKind, EventId, Timing, UnknownName};
use crate::motion::spine::{
    Animation, Axis, Bezier, Curve, EventKey, Inherit, Keys, PhysicsValue, StepKeys, Stored, Switches, Timeline,
};

/// Frame rate of files that do not state one.
const DEFAULT_FPS: f64 = 30.0;

/// The highest rate that other formats can store.
const MAX_FPS: f32 = u16::MAX as f32;

/// How far the handles of a curve may be from its keys, as a multiple of the time between them.
const MAX_SHARE: f64 = 1e30;

/// How many errors suggest similar names, how many names each compares, and how long these are at most, in bytes.
const MAX_SUGGESTIONS: usize = 20;
const MAX_COMPARED: usize = 2000;
const MAX_COMPARED_LEN: usize = 64;

impl<'a> Build<'_, 'a, '_> {
    /// Adds the animations to the model, and returns their timelines and keys for the motion.
    pub fn animations(
        &mut self,
        options: &ReadOptions,
        attached: &Attached<'a>,
    ) -> Result<(Vec<Animation>, Stored)> {
        let root = self.root;
        let is_rate = |fps: &f64| fps.is_finite() && *fps > 0.0;
        let fps = options.fps.filter(is_rate).unwrap_or_else(|| self.frame_rate());
        let order = Order::of(root);
        let mut stored = room(root);
        let mut animations = Vec::with_capacity(root.animations.0.len());
        for (name, json) in &root.animations.0 {
            let mut reader = Reader {
                root,
                names: &self.names,
                attached,
                order: &order,
                name: name.as_str(),
                keeps_going: options.keep_going,
                budget: &mut *self.budget,
                diagnostics: &mut *self.diagnostics,
                stored: &mut stored,
                animation: Animation::default(),
                places: Vec::new(),
            };
            reader.read(json)?;
            let animation = reader.animation;
            self.builder.animation(crate::model::Animation {
                name: name.as_str().to_owned(),
                looping: true,
                timing: Timing::Keys { secs: animation.duration, fps },
                is_bind_pose: false,
            });
            animations.push(animation);
        }
        self.make_room(&animations)?;
        stored.shrink();
        Ok((animations, stored))
    }

    /// The rate that the file states. Only editors and pictures need it, so an impossible one is no reason to refuse the file.
    fn frame_rate(&mut self) -> f64 {
        let Some(stated) = self.root.skeleton.as_ref().and_then(|skeleton| skeleton.fps) else {
            return DEFAULT_FPS;
        };
        if stated.0 <= 0.0 || stated.0 > MAX_FPS {
            let message = format!("a rate of {} fps is not possible; {DEFAULT_FPS} fps are used", stated.0);
            self.diagnostics.note("odd-fps", at("/skeleton/fps"), message);
            return DEFAULT_FPS;
        }
        stated.0.into()
    }

    /// Reserves memory for deform offsets: per slot, as much as its longest timeline needs. Counts timelines, too.
    fn make_room(&mut self, animations: &[Animation]) -> Result<()> {
        let rig = &mut self.rig;
        let mut room = vec![0_u32; rig.slots.len()];
        for timeline in animations.iter().flat_map(|animation| &animation.timelines) {
            if let Timeline::Deform(slot, keys) = timeline {
                for slot in rig.deformed_slots(*slot, keys.attachment) {
                    room[slot] = keys.len.max(room[slot]);
                }
            }
        }
        let total: u64 = room.iter().map(|&room| u64::from(room)).sum();
        self.budget.charge_memory(total, size_of::<crate::math::Vec2>(), || at("/animations"))?;
        let mut first = 0;
        for (slot, room) in rig.slots.iter_mut().zip(room) {
            slot.deform = first;
            first += room;
        }
        rig.deform_len = first as usize;
        rig.most_timelines =
            animations.iter().map(|animation| animation.timelines.len()).max().unwrap_or_default();
        Ok(())
    }
}

/// Room for the keys of all timelines, which saves moving them as the lists grow.
fn room(root: &schema::Root<'_>) -> Stored {
    let (is_four, mut count, mut values, mut curves) = (root.version.is_four(), 0, 0, 0);
    let mut add = |keys: &schema::Keys<'_>| {
        let is_bezier = |key: &&schema::Key| !key.curve.handles().is_empty();
        count += keys.len();
        values += keys.len() * keys.row().width();
        curves += keys.list.iter().filter(is_bezier).count() * if is_four { keys.row().curves() } else { 1 };
    };
    root.animations.0.iter().for_each(|(_, animation)| schema::for_each_keys(animation, &mut add));
    Stored::with_room(count, values, curves)
}

pub fn wrong_curve(found: usize, expected: usize, pointer: String) -> Error {
    let message = format!("the curve has {found} numbers; expected {expected}, four for each value");
    malformed("curve-length", pointer, message)
}

/// Reads one animation.
struct Reader<'r, 'b, 'a> {
    root: &'a schema::Root<'a>,
    names: &'r Names<'a>,
    attached: &'r Attached<'a>,
    order: &'r Order<'a>,
    name: &'a str,
    /// Whether timelines with errors are left out.
    keeps_going: bool,
    budget: &'r mut Budget<'b>,
    diagnostics: &'r mut Diagnostics,
    stored: &'r mut Stored,
    animation: Animation,
    /// The indices in the file of the keys that were read last.
    places: Vec<usize>,
}

impl<'a> Reader<'_, '_, 'a> {
    /// Reads all timelines, in the order in which they are applied.
    fn read(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        fn most<K>((_, it): &(schema::Text<'_>, Timelines<'_, K>)) -> usize {
            it.list.len() + usize::from(!it.steps.is_empty())
        }
        let [slots, bones] = [json.slots.0.iter().map(most).sum::<usize>(), json.bones.0.iter().map(most).sum()];
        self.animation.timelines.reserve(slots + bones);
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

    fn bone(&self, name: &schema::Text<'_>, pointer: impl FnOnce() -> String) -> Result<usize> {
        let known = self.root.bones.iter().map(|bone| &bone.name);
        self.find(&self.names.bones, known, ("bone", name), pointer)
    }

    fn slot(&self, name: &schema::Text<'_>, pointer: impl FnOnce() -> String) -> Result<usize> {
        let known = self.root.slots.iter().map(|slot| &slot.name);
        self.find(&self.names.slots, known, ("slot", name), pointer)
    }

    /// Returns the index of the item called `name`. Its name is one of `known`, in the order of the file.
    fn find<'k>(
        &self,
        names: &HashMap<&str, u32>,
        known: impl Iterator<Item = &'k schema::Text<'k>>,
        (what, name): (&'static str, &schema::Text<'_>),
        pointer: impl FnOnce() -> String,
    ) -> Result<usize> {
        find(names, name, what, pointer).map_err(|error| self.suggest(error, known, (what, name)))
    }

    /// Adds similar names to the first errors. The time that it takes does not depend on the size of the file.
    fn suggest<'k>(
        &self,
        error: Error,
        known: impl Iterator<Item = &'k schema::Text<'k>>,
        (what, name): (&'static str, &schema::Text<'_>),
    ) -> Error {
        let is_short = |name: &str| name.len() <= MAX_COMPARED_LEN;
        if self.diagnostics.errors() >= MAX_SUGGESTIONS || !is_short(name.as_str()) {
            return error;
        }
        let known = known.take(MAX_COMPARED).map(schema::Text::as_str).filter(|known| is_short(known));
        let known: Vec<String> = known.map(str::to_owned).collect();
        if known.is_empty() {
            return error;
        }
        let unknown = UnknownName { what, name: name.as_str().to_owned(), known };
        error.with_hint(&format!("; {}", unknown.suggestion()))
    }

    /// Returns `None` for a part that has an error and is left out.
    fn leave_out<T>(&mut self, made: Result<T>) -> Result<Option<T>> {
        let made = self.diagnostics.leave_out(made, self.keeps_going);
        Ok(self.diagnostics.recover(made)?.flatten())
    }

    /// Reads a timeline. If it is left out, the animation is as long as without it.
    fn read_timeline(&mut self, read: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let duration = self.animation.duration;
        let added = read(self);
        if self.leave_out(added)?.is_none() {
            self.animation.duration = duration;
        }
        Ok(())
    }

    fn add(&mut self, timeline: Timeline) {
        self.animation.timelines.push(timeline);
    }

    /// Charges the keys and returns their order by time. If that is not the order of the file, it is reported.
    fn sorted(&mut self, keys: &[impl Timed], size: usize, way: Way<'_>) -> Result<Sorted> {
        let name = self.name;
        let place = || at(way.at(name));
        self.budget.charge_memory(keys.len() as u64, size, place)?;
        let sorted = Sorted::of(keys);
        if sorted.order.is_some() {
            let message = "the keys are not ordered by time; they are sorted";
            self.diagnostics.warn("key-order", at(self.at(way)), message);
        }
        let last = sorted.places().last().map_or(0.0, |last| f64::from(keys[last].time()));
        self.animation.duration = self.animation.duration.max(last);
        Ok(sorted)
    }

    /// The keys of a timeline whose values apply until the next key, in order of time; `size` of a key in bytes.
    fn steps<'k, K: Timed>(&mut self, keys: &'k [K], size: usize, way: Way<'_>) -> Result<Vec<(usize, &'k K)>> {
        let sorted = self.sorted(keys, size, way)?;
        Ok(sorted.places().map(|index| (index, &keys[index])).collect())
    }

    /// The curve from a key to the next one; both are pairs of a time and the values.
    fn curve<const N: usize>(
        &mut self,
        curve: &schema::Curve,
        [from, to]: [(f32, [f32; N]); 2],
        pointer: impl FnOnce() -> String,
    ) -> Result<Curve> {
        let numbers = match curve {
            schema::Curve::Linear => return Ok(Curve::Linear),
            schema::Curve::Stepped => return Ok(Curve::Stepped),
            curve => curve.handles(),
        };
        let first = self.stored.beziers.len() as u32;
        if !self.root.version.is_four() {
            let Ok(handles) = numbers.try_into() else { return Err(wrong_curve(numbers.len(), 4, pointer())) };
            self.stored.beziers.push(Bezier::new(handles));
            return Ok(Curve::Bezier(first));
        }
        if numbers.len() != 4 * N {
            return Err(wrong_curve(numbers.len(), 4 * N, pointer()));
        }
        if to.0 <= from.0 {
            // No time lies between them.
            return Ok(Curve::Linear);
        }
        let (start, end) = (f64::from(from.0), f64::from(to.0));
        // Handles are finite, but may be astronomically far from keys that are close together.
        let share = |time: f32| ((f64::from(time) - start) / (end - start)).clamp(-MAX_SHARE, MAX_SHARE) as f32;
        for (value, handles) in numbers.as_chunks::<4>().0.iter().enumerate() {
            let [x1, y1, x2, y2] = *handles;
            let ends = [from.1[value], to.1[value]];
            self.stored.beziers.push(Bezier::of_values([share(x1), y1, share(x2), y2], ends));
        }
        Ok(Curve::Values(first))
    }

    /// The keys of a timeline that have no errors, in order of time.
    fn keys<const N: usize>(&mut self, keys: &schema::Keys<'_>, way: Way<'_>) -> Result<Keys<N>> {
        let curves = if self.root.version.is_four() { N } else { 1 };
        let size = size_of::<[f32; N]>() + size_of::<(f32, Curve)>() + curves * size_of::<Bezier>();
        let sorted = self.sorted(&keys.list, size, way)?;
        let mut read = self.stored.start();
        self.places.clear();
        if keys.row().channels.iter().any(|channel| channel.is_color()) {
            for index in sorted.places() {
                let colors = self.check_colors(keys, index, way);
                self.places.extend(self.diagnostics.recover(colors)?.map(|()| index));
            }
        } else {
            self.places.extend(sorted.places());
        }
        let Stored { times, values, .. } = &mut *self.stored;
        times.extend(self.places.iter().map(|&index| keys.list[index].time));
        values.extend(self.places.iter().flat_map(|&index| keys.values::<N>(index)));
        read.len = self.places.len() as u32;
        self.curves(keys, read.first, way, |stored, ends| ends.map(|at| *read.stated(stored, at).0))?;
        Ok(read)
    }

    /// Adds the curves of the keys at [`Self::places`], which have been stored from `first` on. `values` returns the values
    /// of a key and the next one.
    fn curves<const N: usize>(
        &mut self,
        keys: &schema::Keys<'_>,
        first: u32,
        way: Way<'_>,
        values: impl Fn(&Stored, [usize; 2]) -> [[f32; N]; 2],
    ) -> Result<()> {
        let last = self.places.len().saturating_sub(1);
        for at in 0..self.places.len() {
            let index = self.places[at];
            let curve = match &keys.list[index].curve {
                schema::Curve::Linear => Curve::Linear,
                schema::Curve::Stepped => Curve::Stepped,
                stated => {
                    let ends = [at, (at + 1).min(last)];
                    let [from, to] = ends.map(|at| self.stored.times[first as usize + at]);
                    let [from_values, to_values] = values(self.stored, ends);
                    let ends = [(from, from_values), (to, to_values)];
                    let name = self.name;
                    let curve = self.curve(stated, ends, || format!("{}/{index}/curve", way.at(name)));
                    self.diagnostics.recover(curve)?.unwrap_or(Curve::Linear)
                }
            };
            self.stored.curves.push(curve);
        }
        Ok(())
    }

    /// Fails if a key lacks a colour or has an invalid one.
    fn check_colors(&self, keys: &schema::Keys<'_>, index: usize, way: Way<'_>) -> Result<()> {
        let row = keys.row();
        for channel in row.channels.iter().filter(|channel| channel.is_color()) {
            let pointer = || self.at_field(way, index, row.form.fields[channel.field].name);
            key_color(keys, index, channel.field, pointer)?;
        }
        Ok(())
    }

    /// Adds the timelines of a bone, slot or constraint: timelines of parts of a value come last.
    fn timelines<K>(
        &mut self,
        target: Option<u32>,
        timelines: &Timelines<'_, K>,
        [group, name]: [&str; 2],
    ) -> Result<()> {
        for is_part in [false, true] {
            let rows = timelines.list.iter().map(|keys| (keys.row(), keys));
            for (row, keys) in rows.filter(|(row, _)| row.is_part == is_part) {
                let way = [group, name, row.name];
                let way = if row.name.is_empty() { &way[..2] } else { &way[..] };
                self.read_timeline(|it| it.timeline(target, keys, Way(way)))?;
            }
        }
        Ok(())
    }

    /// Adds a timeline; without a target, it is of all physics constraints.
    fn timeline(&mut self, target: Option<u32>, keys: &schema::Keys<'_>, way: Way<'_>) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        let to = target.unwrap_or_default();
        let timeline = match keys.property {
            Property::Color | Property::Rgba => Timeline::Color(to, self.keys(keys, way)?),
            Property::TwoColor | Property::Rgba2 => Timeline::TwoColor(to, self.keys(keys, way)?),
            Property::Rgb => Timeline::Rgb(to, self.keys(keys, way)?),
            Property::Rgb2 => Timeline::Rgb2(to, self.keys(keys, way)?),
            Property::Alpha => Timeline::Alpha(to, self.keys(keys, way)?),
            Property::Rotate => Timeline::Rotate(to, self.keys(keys, way)?),
            Property::Translate => Timeline::Translate(to, self.keys(keys, way)?),
            Property::Scale => Timeline::Scale(to, self.keys(keys, way)?),
            Property::Shear => Timeline::Shear(to, self.keys(keys, way)?),
            Property::TranslateX => Timeline::Axis(to, Axis::TranslateX, self.keys(keys, way)?),
            Property::TranslateY => Timeline::Axis(to, Axis::TranslateY, self.keys(keys, way)?),
            Property::ScaleX => Timeline::Axis(to, Axis::ScaleX, self.keys(keys, way)?),
            Property::ScaleY => Timeline::Axis(to, Axis::ScaleY, self.keys(keys, way)?),
            Property::ShearX => Timeline::Axis(to, Axis::ShearX, self.keys(keys, way)?),
            Property::ShearY => Timeline::Axis(to, Axis::ShearY, self.keys(keys, way)?),
            // These change one value together.
            Property::FlipX | Property::FlipY => return Ok(()),
            Property::Ik => {
                let read = self.keys(keys, way)?;
                let switches = self.places.iter().map(|&index| {
                    let [bends_positive, compresses, stretches] = keys.switches(index);
                    Switches { bends_positive, compresses, stretches }
                });
                Timeline::Ik(to, read, switches.collect())
            }
            Property::Transform => Timeline::Transform(to, self.keys(keys, way)?),
            Property::PathPosition => Timeline::PathPosition(to, self.keys(keys, way)?),
            Property::PathSpacing => Timeline::PathSpacing(to, self.keys(keys, way)?),
            Property::PathMix => Timeline::PathMix(to, self.keys(keys, way)?),
            Property::Inertia => Timeline::Physics(target, PhysicsValue::Inertia, self.keys(keys, way)?),
            Property::Strength => Timeline::Physics(target, PhysicsValue::Strength, self.keys(keys, way)?),
            Property::Damping => Timeline::Physics(target, PhysicsValue::Damping, self.keys(keys, way)?),
            Property::Mass => Timeline::Physics(target, PhysicsValue::Mass, self.keys(keys, way)?),
            Property::Wind => Timeline::Physics(target, PhysicsValue::Wind, self.keys(keys, way)?),
            Property::Gravity => Timeline::Physics(target, PhysicsValue::Gravity, self.keys(keys, way)?),
            Property::SliderTime => Timeline::SliderTime(to, self.keys(keys, way)?),
            Property::SliderMix => Timeline::SliderMix(to, self.keys(keys, way)?),
            Property::PhysicsMix => Timeline::Physics(target, PhysicsValue::Mix, self.keys(keys, way)?),
            // These need the attachment.
            Property::Deform => return Ok(()),
        };
        self.add(timeline);
        Ok(())
    }

    fn slots(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        for (name, timelines) in &json.slots.0 {
            let entry = ["slots", name.as_str()];
            let slot = self.slot(name, || self.at(Way(&entry)));
            let Some(slot) = self.leave_out(slot)?.map(|slot| slot as u32) else { continue };
            if !timelines.steps.is_empty() {
                let way = ["slots", name.as_str(), "attachment"];
                let mut keys = StepKeys::default();
                let size = size_of::<(f32, Option<u32>)>();
                for (index, key) in self.steps(&timelines.steps, size, Way(&way))? {
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
            self.timelines(Some(slot), timelines, entry)?;
        }
        Ok(())
    }

    fn bones(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        for (name, timelines) in &json.bones.0 {
            let entry = ["bones", name.as_str()];
            let bone = self.bone(name, || self.at(Way(&entry)));
            let Some(bone) = self.leave_out(bone)?.map(|bone| bone as u32) else { continue };
            self.timelines(Some(bone), timelines, entry)?;
            self.flips(bone, timelines, entry)?;
            if !timelines.steps.is_empty() {
                let way = Way(&["bones", name.as_str(), "inherit"]);
                let keys = self.steps(&timelines.steps, size_of::<(f32, Inherit)>(), way)?;
                let times = keys.iter().map(|(_, key)| key.time()).collect();
                let values = keys.iter().map(|(_, key)| inherit(key.inherit)).collect();
                self.add(Timeline::Inherit(bone, StepKeys { times, values }));
            }
        }
        Ok(())
    }

    /// The flips of 2.1, which are stored with what the bone inherits.
    fn flips(&mut self, bone: u32, timelines: &schema::BoneTimelines<'_>, entry: [&str; 2]) -> Result<()> {
        let rest = inherited(&self.root.bones[bone as usize], self.root.version);
        let Inherit::Old(mut now) = rest else { return Ok(()) };
        let mut keys = Vec::new();
        for timeline in &timelines.list {
            let (Property::FlipX | Property::FlipY) = timeline.property else { continue };
            let way = [entry[0], entry[1], timeline.row().name];
            let sorted = self.sorted(&timeline.list, size_of::<(f32, Inherit)>(), Way(&way))?;
            let flips = |at| timeline.fields(at) == [Value::Switch(true)];
            keys.extend(sorted.places().map(|at| (timeline.list[at].time, timeline.property, flips(at))));
        }
        keys.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
        let mut read = StepKeys::default();
        for (time, property, flips) in keys {
            *(if property == Property::FlipX { &mut now.flip_x } else { &mut now.flip_y }) = flips;
            read.times.push(time);
            read.values.push(Inherit::Old(now));
        }
        if !read.times.is_empty() {
            self.add(Timeline::Inherit(bone, read));
        }
        Ok(())
    }

    fn constraints(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        let is_physics = |it: &&schema::ConstraintTimelines<'_>| it.kind == ConstraintKind::Physics;
        let all = json.constraints.iter();
        let in_order = all.clone().filter(|it| !is_physics(it)).chain(all.filter(is_physics));
        for schema::ConstraintTimelines { kind, name, timelines } in in_order {
            let entry = [kind.name(), name.as_str()];
            // The empty name stands for all constraints.
            let constraint = match (kind, name.as_str()) {
                (ConstraintKind::Physics, "") => Ok(None),
                _ => self.order.find(*kind, name, || self.at(Way(&entry))).map(Some),
            };
            let known = || self.root.constraints.iter().filter(|it| it.kind() == *kind).map(|it| it.name());
            let constraint = constraint.map_err(|error| self.suggest(error, known(), (kind.row().what, name)));
            let Some(constraint) = self.leave_out(constraint)? else { continue };
            self.timelines(constraint, timelines, entry)?;
            if !timelines.steps.is_empty() {
                let way = Way(&[entry[0], entry[1], "reset"]);
                let keys = self.steps(&timelines.steps, size_of::<f32>(), way)?;
                self.animation.resets.push((constraint, keys.iter().map(|(_, key)| key.time()).collect()));
            }
        }
        Ok(())
    }

    fn events(&mut self, json: &'a schema::Animation<'a>) -> Result<()> {
        let way = Way(&["events"]);
        let duration = self.animation.duration;
        for (index, key) in self.steps(&json.events, size_of::<EventKey>(), way)? {
            let known = self.root.events.0.iter().map(|(name, _)| name);
            let pointer = || self.at_field(way, index, "name");
            let event = self.find(&self.names.events, known, ("event", &key.name), pointer);
            let Some(event) = self.leave_out(event)? else { continue };
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
        self.animation.duration = duration.max(self.animation.events.last().map_or(0.0, |last| last.time.into()));
        Ok(())
    }
}
