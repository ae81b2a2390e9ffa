//! The attachment keys that show the pictures of sequences.

use std::collections::{HashMap, HashSet};

use super::course::{Course, Key};
use super::duration::duration;
use super::group::{Groups, Made, Named};
use super::items::Items;
use super::room::{RECORD_COST, Room};
use crate::formats::Loss;
use crate::formats::spine::schema::{self, AttachmentKey, Number, Text};

/// The changes of a document.
pub struct Plan<'a> {
    pub made: Made<'a>,
    /// For each animation.
    pub animations: Vec<Keyed<'a>>,
}

/// The changes of an animation.
#[derive(Default)]
pub struct Keyed<'a> {
    /// The new attachment keys of slots.
    pub slots: Vec<(String, Vec<AttachmentKey<'a>>)>,
    /// Its duration, and the slot of the longest sequence timeline.
    pub duration: f32,
    pub longest: Option<String>,
    /// Deformations that are repeated: indices of skin, slot and attachment in the animation, and the new name.
    pub repeats: Vec<([usize; 3], Text<'a>)>,
}

/// Plans the changes of a whole document.
pub fn plan<'a>(root: &schema::Root<'a>, losses: &mut Vec<Loss>) -> Plan<'a> {
    let items = Items::of(root);
    let all_keys: Vec<_> = root.animations.0.iter().map(|(_, json)| items.sequence_keys(json)).collect();
    let keyed: HashSet<usize> = all_keys.iter().flat_map(|keys| keys.keys().copied()).collect();
    let groups = Groups::of(root, &items, &keyed, &deform_costs(root, &items));
    let (room, made) = (Room::new(), Made::default());
    let mut planner = Planner { root, items, groups, room, made };
    let animations = root.animations.0.iter().zip(&all_keys);
    let animations = animations.map(|((name, json), keys)| planner.animation(name.as_str(), json, keys, losses));
    let mut animations: Vec<_> = animations.collect();
    planner.repeat(&mut animations);
    Plan { made: planner.made, animations }
}

/// Roughly the bytes of the deformations of each attachment in all animations.
fn deform_costs(root: &schema::Root<'_>, items: &Items<'_, '_>) -> HashMap<usize, u64> {
    let mut costs = HashMap::new();
    for (_, animation) in &root.animations.0 {
        for (skin, slots) in &animation.attachments.0 {
            for (slot, attachments) in &slots.0 {
                for (key, timelines) in &attachments.0 {
                    let Some(found) = items.find(skin.as_str(), slot.as_str(), key.as_str()) else { continue };
                    for deform in &timelines.list {
                        let numbers = (0..deform.len()).map(|at| deform.deform(at).1.len() as u64);
                        *costs.entry(found).or_default() +=
                            numbers.map(|count| RECORD_COST + 4 * count).sum::<u64>();
                    }
                }
            }
        }
    }
    costs
}

struct Planner<'r, 'a> {
    root: &'r schema::Root<'a>,
    items: Items<'r, 'a>,
    groups: Groups<'r, 'a>,
    room: Room,
    made: Made<'a>,
}

/// An attachment that a slot shows from a time on; without a time, the one at rest.
#[derive(Clone, Copy)]
struct Shown<'r, 'a> {
    since: Option<f32>,
    name: Option<&'r Text<'a>>,
}

/// The new keys of a slot.
struct Writer<'a> {
    keys: Vec<AttachmentKey<'a>>,
    /// The name at the end of `keys`.
    last: Option<Text<'a>>,
    /// The time from which on changes are missing.
    cut: Option<f32>,
    /// The time from which on not all skins show their picture.
    merged: Option<f32>,
}

/// The keys of a group in an animation; `None` for an attachment that stays at rest.
type Courses<'k> = Vec<Option<Course<'k>>>;

impl<'r, 'a> Planner<'r, 'a> {
    fn animation(
        &mut self,
        name: &str,
        json: &'r schema::Animation<'a>,
        keys: &HashMap<usize, Vec<Key>>,
        losses: &mut Vec<Loss>,
    ) -> Keyed<'a> {
        self.room.begin_animation();
        let last_of = |index: usize| keys[&index].last().map_or(0.0, |key| key.0);
        let mut timed: Vec<usize> = keys.keys().copied().collect();
        timed.sort_unstable();
        let longest = timed.iter().copied().max_by(|&a, &b| last_of(a).total_cmp(&last_of(b)));
        let longest = longest.map(|index| self.items.list[index].slot.to_owned());
        let mut keyed = Keyed { duration: duration(json), longest, ..Keyed::default() };
        let mut slots: Vec<&str> = timed.iter().map(|&index| self.items.list[index].slot).collect();
        slots.sort_unstable();
        slots.dedup();
        for slot in slots {
            let Some(writer) = self.slot(slot, json, keyed.duration, keys) else { continue };
            report(&writer, name, slot, losses);
            keyed.slots.push((slot.to_owned(), writer.keys));
        }
        keyed
    }

    /// The keys of a slot; `None` if they stay as they are.
    fn slot(
        &mut self,
        slot: &str,
        json: &'r schema::Animation<'a>,
        duration: f32,
        keys: &HashMap<usize, Vec<Key>>,
    ) -> Option<Writer<'a>> {
        let shown = shown(self.root, slot, json);
        let mut all_courses: HashMap<usize, Courses<'_>> = HashMap::new();
        for name in shown.iter().filter_map(|shown| shown.name) {
            let Some(group) = self.groups.find(slot, name.as_str()) else { continue };
            all_courses.entry(group).or_insert_with(|| self.courses(group, keys));
        }
        all_courses.retain(|_, courses| courses.iter().any(Option::is_some));
        if all_courses.is_empty() {
            return None;
        }
        let mut writer = Writer { keys: Vec::new(), last: shown[0].name.cloned(), cut: None, merged: None };
        for (at, &now) in shown.iter().enumerate() {
            let group = now.name.and_then(|name| self.groups.find(slot, name.as_str()));
            let courses = group.and_then(|group| Some((group, all_courses.get(&group)?)));
            let until = shown.get(at + 1).and_then(|next| next.since);
            match courses {
                Some((group, courses)) => self.show(group, courses, now, (until, duration), &mut writer),
                None => writer.keep(now, now.name.cloned()),
            }
        }
        // A key that shows what is shown at rest does nothing on its own.
        if let ([only], [_]) = (&writer.keys[..], &shown[..])
            && only.name.as_ref() == shown[0].name
        {
            writer.keys.clear();
        }
        Some(writer)
    }

    fn courses<'k>(&self, group: usize, keys: &'k HashMap<usize, Vec<Key>>) -> Courses<'k> {
        let course = |&index: &usize| {
            let item = &self.items.list[index];
            let (keys, count) = (keys.get(&item.timed_as)?, item.numbered?.count);
            Some(Course { keys, count, rest: item.rest() })
        };
        self.groups.list[group].chosen.iter().map(course).collect()
    }

    /// Adds the keys of the time in which a slot shows the attachments of a group.
    fn show(
        &mut self,
        group: usize,
        courses: &Courses<'_>,
        shown: Shown<'_, 'a>,
        (until, duration): (Option<f32>, f32),
        writer: &mut Writer<'a>,
    ) {
        // Nothing is played before 0; adding it makes a positive zero.
        let mut time = shown.since.unwrap_or(0.0).max(0.0) + 0.0;
        let is_over = |time: f32| until.is_some_and(|until| time >= until);
        if shown.since.is_none() && is_over(time) {
            return;
        }
        let mut is_first = true;
        loop {
            let named = self.name_at(group, courses, time);
            let name = match named {
                Named::Exactly(name) => Some(name),
                Named::Similar(name) => {
                    writer.merged.get_or_insert(time);
                    Some(name)
                }
                Named::Nothing => {
                    writer.cut.get_or_insert(time);
                    None
                }
            };
            if is_first {
                writer.keep(shown, name.clone().or(shown.name.cloned()));
            }
            // What is left of the room would be spent on looking for pictures that are not written.
            if name.is_none() {
                return;
            }
            let is_kept = is_first && shown.since.is_some();
            if let Some(name) = name.filter(|_| !is_kept) {
                let has_begun = courses.iter().flatten().any(|course| course.has_begun(time));
                if writer.last.as_ref() != Some(&name) || (writer.keys.is_empty() && has_begun) {
                    if !self.room.take_key() || !self.room.take(RECORD_COST + name.as_str().len() as u64) {
                        writer.cut.get_or_insert(time);
                        return;
                    }
                    let is_late = !is_first && courses.iter().flatten().any(|course| course.is_late(time));
                    writer.push(if is_late { time.next_down() } else { time }, Some(name));
                }
            }
            is_first = false;
            let next = courses.iter().flatten().filter_map(|course| course.next_change(time, duration));
            match next.min_by(f32::total_cmp).filter(|&next| !is_over(next)) {
                Some(next) => time = next,
                None => return,
            }
        }
    }

    fn name_at(&mut self, group: usize, courses: &Courses<'_>, time: f32) -> Named<'a> {
        /// The work of finding a picture and the time of the next one.
        const STEPS: u64 = 256;
        if !self.room.take(STEPS * courses.len() as u64) {
            return Named::Nothing;
        }
        let chosen = &self.groups.list[group].chosen;
        let picture = |(course, &index): (&Option<Course<'_>>, &usize)| {
            course.as_ref().map_or_else(|| self.items.list[index].rest(), |course| course.picture(time))
        };
        let pictures = courses.iter().zip(chosen).map(picture).collect();
        self.groups.name(group, pictures, &self.items, &mut self.room, &mut self.made)
    }

    /// Finds the deformations that are repeated for other attachments.
    fn repeat(&self, animations: &mut [Keyed<'a>]) {
        let mut names: HashMap<usize, Vec<&Text<'a>>> = HashMap::new();
        self.made.repeats.iter().for_each(|(index, name)| names.entry(*index).or_default().push(name));
        if names.is_empty() {
            return;
        }
        for ((_, json), keyed) in self.root.animations.0.iter().zip(animations) {
            for (a, (skin, slots)) in json.attachments.0.iter().enumerate() {
                for (b, (slot, attachments)) in slots.0.iter().enumerate() {
                    for (c, (key, timelines)) in attachments.0.iter().enumerate() {
                        let found = self.items.find(skin.as_str(), slot.as_str(), key.as_str());
                        let names = found.filter(|_| !timelines.list.is_empty()).and_then(|it| names.get(&it));
                        keyed.repeats.extend(names.into_iter().flatten().map(|&name| ([a, b, c], name.clone())));
                    }
                }
            }
        }
    }
}

/// What a slot shows in an animation in order of time, first what it shows at rest.
fn shown<'r, 'a>(root: &'r schema::Root<'a>, slot: &str, json: &'r schema::Animation<'a>) -> Vec<Shown<'r, 'a>> {
    let setup = root.slots.iter().rfind(|it| it.name.as_str() == slot).and_then(|slot| slot.attachment.as_ref());
    let mut shown = vec![Shown { since: None, name: setup }];
    // Of several timelines of one slot, the last counts.
    let timelines = json.slots.0.iter().rfind(|(name, it)| name.as_str() == slot && !it.steps.is_empty());
    let keys = timelines.map_or(&[][..], |(_, timelines)| &timelines.steps);
    shown.extend(keys.iter().map(|key| Shown { since: Some(key.time.0), name: key.name.as_ref() }));
    shown[1..].sort_by(|a, b| a.since.unwrap_or(0.0).total_cmp(&b.since.unwrap_or(0.0)));
    shown
}

fn report(writer: &Writer<'_>, animation: &str, slot: &str, losses: &mut Vec<Loss>) {
    let slot = crate::error::escaped(slot);
    if let Some(time) = writer.merged {
        let message = format!(
            "slot `{slot}`: its skins show too many combinations of pictures; from {time} s on, some of them follow the first \
             skin with a sequence"
        );
        losses.push(Loss::in_animation("sequence-merged", animation, message));
    }
    if let Some(time) = writer.cut {
        let message = format!(
            "slot `{slot}`: the pictures of its sequence change too often; from {time} s on, some changes are missing"
        );
        losses.push(Loss::in_animation("sequence-cut", animation, message));
    }
}

impl<'a> Writer<'a> {
    /// Keeps a key of the file, with another name.
    fn keep(&mut self, shown: Shown<'_, 'a>, name: Option<Text<'a>>) {
        if let Some(time) = shown.since {
            self.push(time, name);
        }
    }

    fn push(&mut self, time: f32, name: Option<Text<'a>>) {
        self.last.clone_from(&name);
        self.keys.push(AttachmentKey { time: Number(time), name });
    }
}
