//! Two structures → what has changed, in words.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

use super::{Area, Bones, Drawn, Event, Frame, Motion, Placement, Structure};
use crate::cli::golden::record::StructureChange;
use crate::math::angle::wrap_degrees;

/// Most changes of one kind that an animation lists.
const MAX_LISTED: usize = 6;

/// Tolerances: twice the step to which numbers are rounded.
const SECONDS: f64 = 2.1e-4;
const DEGREES: f64 = 0.021;
const SCALE: f64 = 2.1e-4;

/// Part of the longer side by which an animation may leave its area.
const GROWTH: f32 = 0.01;

impl Structure {
    /// Describes the changes from `self` to `now`, and what left the area that `self` contains.
    pub fn changes(&self, now: &Self, left: &[StructureChange]) -> Vec<StructureChange> {
        let mut changes = Changes::default();
        changes.names("skin", self.skin_names.iter(), now.skin_names.iter());
        changes.names("attachment", self.attachments.iter(), now.attachments.iter());
        changes.names("bone", self.setup.bones.keys(), now.setup.bones.keys());
        changes.names("animation", self.motions.keys(), now.motions.keys());
        let positions = 2.1 * self.precision.max(now.precision);
        let setup = Moved::between(&self.setup.bones, &now.setup.bones, positions, &BTreeMap::new());
        changes.bones(setup.iter().map(|(name, moved)| (name, moved, None)).collect());
        changes.drawn(&self.setup.drawn, &now.setup.drawn, None);
        for (name, old) in &self.motions {
            let Some(new) = now.motions.get(name) else { continue };
            changes.animation = Some(name.clone());
            changes.motion(old, new);
            changes.frames([(self, old), (now, new)], positions, &setup);
        }
        changes.list.extend(left.iter().cloned());
        changes.list
    }
}

/// Returns the change if `now` is not within `area`.
pub fn growth(animation: Option<&str>, area: Area, now: Area) -> Option<StructureChange> {
    let (old, new) = (area.rect(), now.rect());
    let most = GROWTH * area.width.max(area.height);
    let beyond = [
        ("left", old.min.x - new.min.x),
        ("right", new.max.x - old.max.x),
        ("bottom", old.min.y - new.min.y),
        ("top", new.max.y - old.max.y),
    ];
    let sides = beyond.iter().filter(|(_, by)| *by > most).map(|(side, by)| format!("{by} units at the {side}"));
    let sides: Vec<String> = sides.collect();
    let text = format!("reaches beyond its area: {}; its pictures are cut there", sides.join(", "));
    (!sides.is_empty()).then(|| StructureChange { animation: animation.map(str::to_owned), text })
}

#[derive(Default)]
struct Changes {
    list: Vec<StructureChange>,
    /// The animation that is compared.
    animation: Option<String>,
    /// How the drawn slots differ in the setup pose.
    drawn_in_setup: Vec<String>,
}

/// A bone that is not where it was.
struct Moved {
    /// What differs, in words.
    text: String,
    /// The differences: x, y, rotation, scale and shear.
    by: [f64; 6],
    /// How far, for the order in the list.
    size: f64,
}

impl Changes {
    fn add(&mut self, text: String) {
        self.list.push(StructureChange { animation: self.animation.clone(), text });
    }

    /// Adds the first few texts, and how many there are besides.
    fn add_some(&mut self, texts: Vec<String>, what: &str) {
        let more = texts.len().saturating_sub(MAX_LISTED);
        texts.into_iter().take(MAX_LISTED).for_each(|text| self.add(text));
        if more > 0 {
            self.add(format!("{more} more {what}"));
        }
    }

    /// Names that only one side has.
    fn names<'a>(
        &mut self,
        what: &str,
        old: impl Iterator<Item = &'a String>,
        new: impl Iterator<Item = &'a String>,
    ) {
        let [old, new] = [counted(old), counted(new)];
        let lacks =
            |of: &BTreeMap<&str, usize>, name: &str, count: usize| of.get(name).copied().unwrap_or(0) < count;
        let gone = old
            .iter()
            .filter(|(name, count)| lacks(&new, name, **count))
            .map(|(name, _)| format!("{what} `{name}` is gone"));
        let added = new
            .iter()
            .filter(|(name, count)| lacks(&old, name, **count))
            .map(|(name, _)| format!("{what} `{name}` is new"));
        self.add_some(gone.chain(added).collect(), &format!("{what}s are gone or new"));
    }

    fn motion(&mut self, old: &Motion, new: &Motion) {
        if (old.seconds - new.seconds).abs() > SECONDS {
            self.add(format!("takes {} s instead of {} s", new.seconds, old.seconds));
        }
        if let (Some(before), Some(now)) = (old.stored_frames, new.stored_frames)
            && before != now
        {
            self.add(format!("has {now} frames instead of {before}"));
        }
        if old.looping != new.looping {
            self.add(if new.looping { "loops now" } else { "no longer loops" }.to_owned());
        }
        self.events(&old.events, &new.events);
    }

    fn events(&mut self, old: &[Event], new: &[Event]) {
        let mut times: BTreeMap<&str, [Vec<f64>; 2]> = BTreeMap::new();
        for (side, events) in [old, new].into_iter().enumerate() {
            events.iter().for_each(|event| times.entry(&event.event).or_default()[side].push(event.seconds));
        }
        let mut texts = Vec::new();
        for (event, [gone, added]) in times {
            let [gone, added] = without_common(gone, added);
            let moved = gone.len().min(added.len());
            let pairs = gone.iter().zip(&added);
            texts.extend(pairs.map(|(was, is)| format!("event `{event}` fires at {is} s instead of {was} s")));
            texts.extend(gone[moved..].iter().map(|time| format!("event `{event}` at {time} s is gone")));
            texts.extend(added[moved..].iter().map(|time| format!("event `{event}` at {time} s is new")));
        }
        self.add_some(texts, "events differ");
    }

    /// The frames that both sides have.
    fn frames(&mut self, [old, new]: [(&Structure, &Motion); 2], positions: f64, setup: &BTreeMap<String, Moved>) {
        let mut worst: BTreeMap<String, (f64, Moved)> = BTreeMap::new();
        let mut is_order_told = false;
        let new_frames = Shown::of(new.0, new.1);
        let by_number: BTreeMap<u32, &Shown<'_>> =
            new_frames.iter().map(|shown| (shown.frame.frame, shown)).collect();
        for was in Shown::of(old.0, old.1) {
            let Some(is) = by_number.get(&was.frame.frame) else { continue };
            let seconds = was.frame.seconds;
            is_order_told = is_order_told || self.drawn(was.drawn, is.drawn, Some(seconds));
            for (name, moved) in Moved::between(&was.bones(), &is.bones(), positions, setup) {
                match worst.get_mut(&name) {
                    Some((_, most)) if moved.size > most.size => *most = moved,
                    Some(_) => {}
                    None => _ = worst.insert(name, (seconds, moved)),
                }
            }
        }
        self.bones(worst.iter().map(|(name, (since, moved))| (name, moved, Some(*since))).collect());
    }

    /// Adds the bones that have moved, and since when; the farthest first.
    fn bones(&mut self, mut moved: Vec<(&String, &Moved, Option<f64>)>) {
        moved.sort_by(|a, b| b.1.size.total_cmp(&a.1.size));
        let texts = moved.iter().map(|(name, moved, since)| format!("{name}: {}{}", moved.text, from(*since)));
        self.add_some(texts.collect(), "bones differ");
    }

    /// What is drawn, and in which order. Differences of the setup pose, whose `since` is `None`, are not repeated.
    /// Returns true if there are others.
    fn drawn(&mut self, old: &[Drawn], new: &[Drawn], since: Option<f64>) -> bool {
        if old == new {
            return false;
        }
        let mut texts = drawn(old, new);
        match since {
            Some(_) => texts.retain(|text| !self.drawn_in_setup.contains(text)),
            None => self.drawn_in_setup.clone_from(&texts),
        }
        let is_any = !texts.is_empty();
        self.add_some(texts.into_iter().map(|text| text + &from(since)).collect(), "slots differ");
        is_any
    }
}

/// Removes the times that both have. Both are sorted, as animations fire them.
fn without_common(old: Vec<f64>, new: Vec<f64>) -> [Vec<f64>; 2] {
    let (mut gone, mut added) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    while let (Some(was), Some(is)) = (old.peek(), new.peek()) {
        match is - was {
            later if later > SECONDS => gone.extend(old.next()),
            later if later < -SECONDS => added.extend(new.next()),
            _ => _ = (old.next(), new.next()),
        }
    }
    gone.extend(old);
    added.extend(new);
    [gone, added]
}

/// Describes how the drawn slots differ.
fn drawn(old: &[Drawn], new: &[Drawn]) -> Vec<String> {
    let by_slot = |list: &[Drawn]| -> HashMap<String, String> {
        list.iter().map(|Drawn { attachment, slot }| (slot.clone(), attachment.clone())).collect()
    };
    let (of_old, of_new) = (by_slot(old), by_slot(new));
    let mut texts = Vec::new();
    for Drawn { attachment, slot } in old {
        match of_new.get(slot) {
            Some(now) if now != attachment => {
                texts.push(format!("slot `{slot}` shows `{now}` instead of `{attachment}`"));
            }
            Some(_) => {}
            None => texts.push(format!("slot `{slot}` no longer shows `{attachment}`")),
        }
    }
    let added = new.iter().filter(|drawn| !of_old.contains_key(&drawn.slot));
    texts.extend(added.map(|Drawn { attachment, slot }| format!("slot `{slot}` shows `{attachment}`")));
    let before = old.iter().filter(|drawn| of_new.contains_key(&drawn.slot));
    let mut now = new.iter().filter(|drawn| of_old.contains_key(&drawn.slot));
    let moved = before.zip(&mut now).find(|(was, is)| was.slot != is.slot);
    texts.extend(moved.map(|(was, is)| format!("draw order: `{}` is now behind `{}`", is.slot, was.slot)));
    texts
}

/// A frame together with the state that it inherits: what is drawn, and the setup pose.
struct Shown<'a> {
    frame: &'a Frame,
    drawn: &'a [Drawn],
    setup: &'a Bones,
}

impl<'a> Shown<'a> {
    fn of(structure: &'a Structure, motion: &'a Motion) -> Vec<Self> {
        let mut drawn: &[Drawn] = &structure.setup.drawn;
        let shown = |frame: &'a Frame| {
            drawn = frame.drawn.as_deref().unwrap_or(drawn);
            Self { frame, drawn, setup: &structure.setup.bones }
        };
        motion.frames.iter().map(shown).collect()
    }

    fn bones(&self) -> Bones {
        let mut bones = self.setup.clone();
        bones.extend(self.frame.bones.iter().map(|(name, placement)| (name.clone(), *placement)));
        bones
    }
}

impl Moved {
    /// Returns the bones of both sides that differ, unless they do so in the same way as in `setup`.
    fn between(
        old: &Bones,
        new: &Bones,
        positions: f64,
        setup: &BTreeMap<String, Self>,
    ) -> BTreeMap<String, Self> {
        let moved = |(name, old): (&String, &Option<Placement>)| {
            // A bone that only one side has is reported once, by name.
            let moved = match (old, new.get(name)?) {
                (Some(old), Some(new)) => Self::of(old, new, positions)?,
                (Some(_), None) => Self::hidden("inactive", f64::INFINITY),
                (None, Some(_)) => Self::hidden("active", f64::NEG_INFINITY),
                (None, None) => return None,
            };
            let tolerances = [positions, positions, DEGREES, SCALE, SCALE, DEGREES];
            let is_known = setup.get(name).is_some_and(|known| {
                let mut pairs = known.by.iter().zip(&moved.by).zip(tolerances);
                pairs.all(|((a, b), tolerance)| a == b || (a - b).abs() <= 2.0 * tolerance)
            });
            (!is_known).then(|| (name.clone(), moved))
        };
        old.iter().filter_map(moved).collect()
    }

    fn hidden(text: &str, by: f64) -> Self {
        Self { text: text.to_owned(), by: [by; 6], size: f64::INFINITY }
    }

    fn of(old: &Placement, new: &Placement, positions: f64) -> Option<Self> {
        // The direction of an axis without length means nothing.
        let has_x = old.scale_x.abs() > SCALE && new.scale_x.abs() > SCALE;
        let by = [
            new.x - old.x,
            new.y - old.y,
            if has_x { wrap_degrees(new.rotation - old.rotation) } else { 0.0 },
            new.scale_x - old.scale_x,
            new.scale_y - old.scale_y,
            wrap_degrees(new.shear - old.shear),
        ];
        let [x, y, rotation, scale_x, scale_y, shear] = by;
        let scale = |axis: &str, by: f64, old: f64, new: f64| {
            (by.abs() > SCALE).then(|| (format!("scale {axis} {new} instead of {old}"), by.abs() * 100.0))
        };
        let distance = (x * x + y * y).sqrt();
        let parts = [
            (rotation.abs() > DEGREES).then(|| (format!("rotation {}°", signed(rotation)), rotation.abs())),
            (x.abs() > positions || y.abs() > positions)
                .then(|| (format!("position {}, {}", signed(x), signed(y)), distance)),
            scale("x", scale_x, old.scale_x, new.scale_x),
            scale("y", scale_y, old.scale_y, new.scale_y),
            (shear.abs() > DEGREES).then(|| (format!("shear {}°", signed(shear)), shear.abs())),
        ];
        let parts: Vec<(String, f64)> = parts.into_iter().flatten().collect();
        let size = parts.iter().map(|(_, size)| *size).fold(0.0, f64::max);
        let text = parts.into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(", ");
        (!text.is_empty()).then_some(Self { text, by, size })
    }
}

fn counted<'a>(names: impl Iterator<Item = &'a String>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    names.for_each(|name| *counts.entry(name.as_str()).or_default() += 1);
    counts
}

fn from(since: Option<f64>) -> String {
    since.map(|since| format!(" from {since} s")).unwrap_or_default()
}

/// Prints a difference with its sign and at most four decimals.
fn signed(value: f64) -> impl Display {
    let text = format!("{value:+.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
