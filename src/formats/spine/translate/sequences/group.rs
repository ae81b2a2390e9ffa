//! The attachments of all skins with the same name, and the attachments that stand for their pictures.
//!
//! An attachment key names one attachment, which every skin may have. Skins whose sequences differ show different
//! pictures at the same time; each combination of pictures that occurs has its own name, so that all skins show theirs.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::items::{Item, Items};
use super::room::{RECORD_COST, Room};
use crate::formats::spine::build::picture_name;
use crate::formats::spine::schema::{self, AttachmentType};

/// An attachment to add.
pub struct New<'a> {
    /// Index of its skin.
    pub skin: usize,
    /// Index of its slot among the slots of the skin.
    pub entry: usize,
    pub key: schema::Text<'a>,
    pub attachment: schema::Attachment<'a>,
}

/// What the pictures of a document need.
#[derive(Default)]
pub struct Made<'a> {
    pub attachments: Vec<New<'a>>,
    /// Attachments whose deformations another attachment needs too: their index, and the name of the other.
    pub repeats: Vec<(usize, schema::Text<'a>)>,
}

/// The attachments of all skins with the same slot and name.
pub struct Group<'r, 'a> {
    /// Items whose picture changes.
    pub chosen: Vec<usize>,
    /// All items; items of `chosen` with their place in it.
    members: Vec<(usize, Option<usize>)>,
    key: &'r schema::Text<'a>,
    slot: &'r str,
    /// Cost of one more attachment of each member.
    cost: u64,
    /// The names of combinations of pictures, by the index of each of `chosen`.
    names: HashMap<Vec<usize>, schema::Text<'a>>,
    /// Any combination in which the first of `chosen` has this picture.
    by_first: HashMap<usize, schema::Text<'a>>,
}

/// The name of a combination of pictures.
pub enum Named<'a> {
    Exactly(schema::Text<'a>),
    /// It shows the right picture in the first skin with a sequence only.
    Similar(schema::Text<'a>),
    Nothing,
}

/// The groups of a document, by slot and name.
pub struct Groups<'r, 'a> {
    pub list: Vec<Group<'r, 'a>>,
    by_name: HashMap<(&'r str, &'r str), usize>,
    /// The names of each slot that cannot be used for more attachments.
    taken: HashMap<&'r str, HashSet<Cow<'r, str>>>,
}

impl<'r, 'a> Groups<'r, 'a> {
    /// The groups with an attachment that uses the sequence keys of one of `keyed`.
    pub fn of(
        root: &'r schema::Root<'a>,
        items: &Items<'r, 'a>,
        keyed: &HashSet<usize>,
        deform_costs: &HashMap<usize, u64>,
    ) -> Self {
        let mut groups = Self { list: Vec::new(), by_name: HashMap::new(), taken: taken(root, items) };
        let is_chosen = |item: &Item<'_, '_>| {
            item.numbered.is_some_and(|numbered| numbered.count > 1) && keyed.contains(&item.timed_as)
        };
        for item in items.list.iter().filter(|item| is_chosen(item)) {
            let next = groups.list.len();
            groups.by_name.entry((item.slot, item.key.as_str())).or_insert_with(|| {
                let (key, slot) = (item.key, item.slot);
                let (names, by_first) = (HashMap::new(), HashMap::new());
                groups.list.push(Group {
                    chosen: Vec::new(),
                    members: Vec::new(),
                    key,
                    slot,
                    cost: 0,
                    names,
                    by_first,
                });
                next
            });
        }
        for (index, item) in items.list.iter().enumerate() {
            let Some(&group) = groups.by_name.get(&(item.slot, item.key.as_str())) else { continue };
            let group = &mut groups.list[group];
            let place = is_chosen(item).then_some(group.chosen.len());
            group.members.push((index, place));
            group.chosen.extend(place.map(|_| index));
            group.cost +=
                item.cost() + repeats(item, index).then(|| deform_costs.get(&index)).flatten().unwrap_or(&0);
        }
        for group in &mut groups.list {
            let rest: Vec<usize> = group.chosen.iter().map(|&index| items.list[index].rest()).collect();
            group.by_first.insert(rest[0], group.key.clone());
            group.names.insert(rest, group.key.clone());
        }
        groups
    }

    /// Returns the index of a group.
    pub fn find(&self, slot: &str, key: &str) -> Option<usize> {
        self.by_name.get(&(slot, key)).copied()
    }

    /// Returns the name of the attachments with these pictures of a group, which are added if they are new.
    pub fn name(
        &mut self,
        group: usize,
        pictures: Vec<usize>,
        items: &Items<'r, 'a>,
        room: &mut Room,
        made: &mut Made<'a>,
    ) -> Named<'a> {
        let group = &mut self.list[group];
        if let Some(name) = group.names.get(&pictures) {
            return Named::Exactly(name.clone());
        }
        let Some(taken) = self.taken.get_mut(group.slot).filter(|_| room.take(group.cost)) else {
            let similar = group.by_first.get(&pictures[0]).cloned();
            return similar.map_or(Named::Nothing, Named::Similar);
        };
        let key = schema::Text(Cow::Owned(group.free_name(pictures[0], items, taken)));
        for &(index, place) in &group.members {
            let item = &items.list[index];
            let (skin, entry) = (item.skin, item.entry);
            let attachment = item.with_picture(place.map_or(item.rest(), |place| pictures[place]), items);
            made.attachments.push(New { skin, entry, key: key.clone(), attachment });
            if repeats(item, index) {
                made.repeats.push((index, key.clone()));
            }
        }
        group.by_first.entry(pictures[0]).or_insert_with(|| key.clone());
        group.names.insert(pictures, key.clone());
        Named::Exactly(key)
    }
}

impl Group<'_, '_> {
    /// A name with the number of the first picture, which nothing else in the slot has.
    fn free_name(&self, picture: usize, items: &Items<'_, '_>, taken: &mut HashSet<Cow<'_, str>>) -> String {
        let numbered = items.list[self.chosen[0]].numbered;
        let first = numbered.map_or_else(String::new, |numbered| numbered.name(self.key.as_str(), picture));
        let (mut name, mut number) = (first.clone(), self.names.len());
        while taken.contains(name.as_str()) {
            number += 1;
            name = format!("{first}-{number}");
        }
        taken.insert(Cow::Owned(name.clone()));
        name
    }
}

impl<'a> Item<'_, 'a> {
    /// Index of the picture at rest.
    pub fn rest(&self) -> usize {
        self.numbered.map_or(0, |numbered| numbered.rest)
    }

    /// The path of a picture.
    pub fn path(&self, picture: usize) -> String {
        let name = picture_name(self.key.as_str(), self.json);
        self.numbered.map_or_else(|| name.to_owned(), |numbered| numbered.name(name, picture))
    }

    /// A mesh, which others can share by linking to it.
    fn is_shared(&self) -> bool {
        self.json.kind == AttachmentType::Mesh && self.is_found
    }

    /// The same attachment with another picture, to be used under another name.
    fn with_picture(&self, picture: usize, items: &Items<'_, 'a>) -> schema::Attachment<'a> {
        let path = self.json.kind.is_drawn().then(|| schema::Text(Cow::Owned(self.path(picture))));
        if !self.is_shared() {
            return schema::Attachment { name: None, path, sequence: None, ..self.json.clone() };
        }
        schema::Attachment {
            kind: AttachmentType::LinkedMesh,
            path,
            color: self.json.color.clone(),
            width: self.json.width,
            height: self.json.height,
            skin: Some(items.skin_names[self.skin].clone()),
            parent: Some(self.key.clone()),
            timelines: Some(true),
            ..schema::Attachment::default()
        }
    }

    /// Roughly the bytes of another attachment like this one.
    fn cost(&self) -> u64 {
        let json = self.json;
        let lists = [
            json.vertices.len(),
            json.uvs.len(),
            json.triangles.len(),
            json.edges.len(),
            json.lengths.len(),
            picture_name(self.key.as_str(), json).len(),
        ];
        let copied = if self.is_shared() { 0 } else { 4 * lists.iter().sum::<usize>() };
        2 * RECORD_COST + (copied + lists[5] + 2 * self.key.as_str().len()) as u64
    }
}

/// Returns true if other attachments like this one need its deformations under their own name.
fn repeats(item: &Item<'_, '_>, index: usize) -> bool {
    let is_deformed = item.json.kind != AttachmentType::Region && item.timed_as == index;
    is_deformed && item.is_found && !item.is_shared()
}

/// All names that occur in each slot.
fn taken<'r>(root: &'r schema::Root<'_>, items: &Items<'r, '_>) -> HashMap<&'r str, HashSet<Cow<'r, str>>> {
    let keys = items.list.iter().map(|item| (item.slot, item.key.as_str()));
    let setup =
        root.slots.iter().filter_map(|slot| Some((slot.name.as_str(), slot.attachment.as_ref()?.as_str())));
    let timelines = root.animations.0.iter().flat_map(|(_, animation)| &animation.slots.0);
    let shown = timelines.flat_map(|(slot, timelines)| {
        let names = timelines.steps.iter().filter_map(|key| key.name.as_ref());
        names.map(|name| (slot.as_str(), name.as_str()))
    });
    let mut taken: HashMap<_, HashSet<_>> = HashMap::new();
    for (slot, name) in keys.chain(setup).chain(shown) {
        taken.entry(slot).or_default().insert(Cow::Borrowed(name));
    }
    taken
}
