//! Helpers shared by keys of all kinds: their order, their pointers, and all lists of them.

use super::escaped_key;
use crate::formats::spine::schema::{Animation, BySkin, DeformKeys, Entries, Group, Keys, Step, Timed, Timelines};

/// A path inside an animation, one name per level; only formatted when an error needs it.
#[derive(Clone, Copy)]
pub struct Way<'w>(pub &'w [&'w str]);

impl Way<'_> {
    /// The JSON pointer to this path in `animation`.
    pub fn at(self, animation: &str) -> String {
        let start = format!("/animations/{}", escaped_key(animation));
        self.0.iter().fold(start, |pointer, name| pointer + "/" + &escaped_key(name))
    }
}

/// The order in which keys are read.
pub struct Sorted {
    pub len: usize,
    /// `None` for the order of the file.
    pub order: Option<Vec<usize>>,
}

impl Sorted {
    /// The order of keys by time. Keys of one time stay in the order of the file.
    pub fn of(keys: &[impl Timed]) -> Self {
        let mut sorted = Self { len: keys.len(), order: None };
        if !keys.is_sorted_by(|a, b| a.time() <= b.time()) {
            let mut order: Vec<usize> = (0..keys.len()).collect();
            order.sort_by(|&a, &b| keys[a].time().total_cmp(&keys[b].time()));
            sorted.order = Some(order);
        }
        sorted
    }

    pub fn places(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.len).map(|index| self.order.as_ref().map_or(index, |order| order[index]))
    }
}

/// Calls `see` with every timeline of `animation` that has keys: its path inside the animation, the times of its keys,
/// and the keys if they are not steps.
pub fn for_each_timeline<'a>(animation: &Animation<'a>, mut see: impl FnMut(Way<'_>, &[f32], Option<&Keys<'a>>)) {
    let see: See<'_, 'a> = &mut see;
    entries("slots", &animation.slots, see);
    entries("bones", &animation.bones, see);
    for it in &animation.constraints {
        see_all(&[it.kind.name(), it.name.as_str()], Group::Constraint(it.kind), &it.timelines, see);
    }
    let ffd = animation.ffd.iter().map(|skins| ("ffd", skins));
    for (group, skins) in [("deform", &animation.deform)].into_iter().chain(ffd) {
        for_each_attachment(skins, |[skin, slot, name], DeformKeys(keys)| {
            see_keys(&[group, skin, slot, name], keys, see)
        });
    }
    for_each_attachment(&animation.attachments, |[skin, slot, name], timelines| {
        see_all(&["attachments", skin, slot, name], Group::Attachment, timelines, see);
    });
    see_steps(&["drawOrder"], &animation.draw_order, see);
    for (index, folder) in animation.folders.iter().enumerate() {
        see_steps(&["drawOrderFolder", &index.to_string(), "keys"], &folder.keys, see);
    }
    see_steps(&["events"], &animation.events, see);
}

type See<'s, 'a> = &'s mut dyn FnMut(Way<'_>, &[f32], Option<&Keys<'a>>);

fn entries<'a, K: Step>(group: &str, entries: &Entries<'_, Timelines<'a, K>>, see: See<'_, 'a>) {
    entries.0.iter().for_each(|(name, timelines)| see_all(&[group, name.as_str()], K::GROUP, timelines, see));
}

/// Calls `see` for each attachment, with the names of skin, slot and attachment.
fn for_each_attachment<'e, V>(skins: &'e BySkin<'_, V>, mut see: impl FnMut([&'e str; 3], &'e V)) {
    for (skin, slots) in &skins.0 {
        for (slot, attachments) in &slots.0 {
            for (name, it) in &attachments.0 {
                see([skin.as_str(), slot.as_str(), name.as_str()], it);
            }
        }
    }
}

/// All timelines of an entry, in the order in which the editor writes them.
fn see_all<'a, K: Timed>(way: &[&str], group: Group, timelines: &Timelines<'a, K>, see: See<'_, 'a>) {
    for keys in &timelines.list {
        match keys.row().name {
            "" => see_keys(way, keys, see),
            name => see_keys(&[way, &[name]].concat(), keys, see),
        }
    }
    let steps = group.steps().unwrap_or_default();
    see_steps(&[way, &[steps]].concat(), &timelines.steps, see);
}

fn see_steps(way: &[&str], keys: &[impl Timed], see: See<'_, '_>) {
    if !keys.is_empty() {
        see(Way(way), &keys.iter().map(Timed::time).collect::<Vec<f32>>(), None);
    }
}

fn see_keys<'a>(way: &[&str], keys: &Keys<'a>, see: See<'_, 'a>) {
    if !keys.is_empty() {
        see(Way(way), &keys.times().collect::<Vec<f32>>(), Some(keys));
    }
}
