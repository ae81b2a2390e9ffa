//! Two structures → what has changed, in words.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Display;

use super::course::{Course, SPANS, differing};
use super::moving::bone_label;
use super::sampler::rounded;
use super::{Area, Bones, Drawn, Event, Items, Motion, Placement, Structure};
use crate::golden::record::StructureChange;
use pchr::math::angle::wrap_degrees;

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
        changes.items(&self.items, &now.items);
        changes.names(self.motions.keys(), now.motions.keys(), |name| format!("animation `{name}`"));
        let precision = self.precision.max(now.precision);
        changes.bones(Moved::between(&self.setup.bones, &now.setup.bones, 2.1 * precision));
        changes.add_some(drawn(&self.setup.drawn, &now.setup.drawn), "slots differ");
        let is_other = |(name, sum): &(&String, &u32)| now.pictures.get(*name).is_some_and(|now| now != *sum);
        let pictures = self.pictures.iter().filter(is_other).map(|(name, _)| format!("picture `{name}` differs"));
        changes.add_some(pictures.collect(), "pictures differ");
        for (name, old) in &self.motions {
            let Some(new) = now.motions.get(name) else { continue };
            changes.animation = Some(name.clone());
            changes.motion(old, new);
            changes.courses([(self, old), (now, new)], precision);
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
}

/// A bone that is not where it was.
struct Moved {
    /// What differs, in words.
    text: String,
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

    /// Items that only one side has, and facts that differ.
    fn items(&mut self, old: &Items, new: &Items) {
        self.names(old.keys(), new.keys(), Clone::clone);
        let mut texts = Vec::new();
        for (item, facts) in old {
            let Some(now) = new.get(item) else { continue };
            let differences = facts.iter().filter_map(|(name, was)| Some((name, was.difference(now.get(name)?)?)));
            texts.extend(differences.map(|(name, [was, is])| format!("{item}: {name}: {was} → {is}")));
        }
        self.add_some(texts, "facts differ");
    }

    /// Names that only one side has.
    fn names<'a>(
        &mut self,
        old: impl Iterator<Item = &'a String>,
        new: impl Iterator<Item = &'a String>,
        shown: impl Fn(&String) -> String,
    ) {
        let [old, new]: [BTreeSet<&String>; 2] = [old.collect(), new.collect()];
        let gone = old.difference(&new).map(|name| format!("{} is gone", shown(name)));
        let added = new.difference(&old).map(|name| format!("{} is new", shown(name)));
        self.add_some(gone.chain(added).collect(), "are gone or new");
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

    /// What moves. A bone that only one side has is reported once, by name.
    fn courses(&mut self, [old, new]: [(&Structure, &Motion); 2], precision: f64) {
        let [was, is] = [old, new].map(|(structure, _)| structure.setup.bones.keys().collect::<BTreeSet<_>>());
        let alone: BTreeSet<String> = was.symmetric_difference(&is).map(|name| bone_label(name)).collect();
        let labels: BTreeSet<&String> = old.1.courses.keys().chain(new.1.courses.keys()).collect();
        let (nothing, mut texts) = (Course::new(), Vec::new());
        for label in labels.into_iter().filter(|label| !alone.contains(*label)) {
            let [was, is] = [old, new].map(|(_, motion)| motion.courses.get(label).unwrap_or(&nothing));
            for (name, (differs, by)) in differing(was, is, precision) {
                texts.push((by, format!("{label}{name} differs {}", between(&differs, old.1.seconds))));
            }
        }
        texts.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        self.add_some(texts.into_iter().map(|(_, text)| text).collect(), "bones and slots differ");
    }

    /// Adds the bones that have moved in the setup pose, the farthest first.
    fn bones(&mut self, mut moved: Vec<(&String, Moved)>) {
        moved.sort_by(|(_, a), (_, b)| b.size.total_cmp(&a.size));
        let texts = moved.iter().map(|(name, moved)| format!("{name}: {}", moved.text));
        self.add_some(texts.collect(), "bones differ");
    }
}

/// Describes spans of an animation that takes `seconds`.
fn between(differs: &[bool; SPANS], seconds: f64) -> String {
    let mut runs: Vec<[usize; 2]> = Vec::new();
    for span in (0..SPANS).filter(|span| differs[*span]) {
        match runs.last_mut() {
            Some([_, end]) if *end == span => *end = span + 1,
            _ => runs.push([span, span + 1]),
        }
    }
    let texts = runs.iter().map(|run| {
        let [from, to] = run.map(|span| rounded(seconds * span as f64 / SPANS as f64, 1e-3));
        format!("between {from} and {to} s")
    });
    texts.collect::<Vec<_>>().join(", ")
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

impl Moved {
    /// Returns the bones of both sides that differ.
    fn between<'a>(old: &'a Bones, new: &Bones, positions: f64) -> Vec<(&'a String, Self)> {
        let hidden = |text: &str| Self { text: text.to_owned(), size: f64::INFINITY };
        let moved = |(name, old): (&'a String, &Option<Placement>)| {
            // A bone that only one side has is reported once, by name.
            let moved = match (old, new.get(name)?) {
                (Some(old), Some(new)) => Self::of(old, new, positions)?,
                (Some(_), None) => hidden("inactive"),
                (None, Some(_)) => hidden("active"),
                (None, None) => return None,
            };
            Some((name, moved))
        };
        old.iter().filter_map(moved).collect()
    }

    fn of(old: &Placement, new: &Placement, positions: f64) -> Option<Self> {
        // The direction of an axis without length means nothing.
        let has_x = old.scale_x.abs() > SCALE && new.scale_x.abs() > SCALE;
        let [x, y] = [new.x - old.x, new.y - old.y];
        let rotation = if has_x { wrap_degrees(new.rotation - old.rotation) } else { 0.0 };
        let [scale_x, scale_y] = [new.scale_x - old.scale_x, new.scale_y - old.scale_y];
        let shear = wrap_degrees(new.shear - old.shear);
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
        (!text.is_empty()).then_some(Self { text, size })
    }
}

/// Prints a difference with its sign and at most four decimals.
fn signed(value: f64) -> impl Display {
    let text = format!("{value:+.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
