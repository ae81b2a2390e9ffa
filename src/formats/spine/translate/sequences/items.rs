//! The attachments of a document, and the sequence timelines that apply to them.

use std::collections::HashMap;

use super::course::Key;
use crate::formats::spine::build::{Numbered, sequence_mode};
use crate::formats::spine::schema::{self, AttachmentType};
use crate::motion::spine::SequenceKey;

/// One attachment of the document.
pub struct Item<'r, 'a> {
    /// Index of its skin.
    pub skin: usize,
    /// Index of its slot among the slots of the skin.
    pub entry: usize,
    pub slot: &'r str,
    pub key: &'r schema::Text<'a>,
    pub json: &'r schema::Attachment<'a>,
    /// Its numbered pictures.
    pub numbered: Option<Numbered>,
    /// Index of the attachment whose timelines it uses.
    pub timed_as: usize,
    /// False if another attachment has the same names, so that references find that one.
    pub is_found: bool,
}

/// All attachments in file order. Of several with the same names, references find the last.
pub struct Items<'r, 'a> {
    pub list: Vec<Item<'r, 'a>>,
    pub skin_names: Vec<&'r schema::Text<'a>>,
    skins: HashMap<&'r str, usize>,
    places: HashMap<(usize, &'r str, &'r str), usize>,
}

impl<'r, 'a> Items<'r, 'a> {
    pub fn of(root: &'r schema::Root<'a>) -> Self {
        let mut list = Vec::new();
        for (skin, json) in root.skins.list.iter().enumerate() {
            for (entry, (slot, attachments)) in json.attachments.0.iter().enumerate() {
                for (key, json) in &attachments.0 {
                    let slot = slot.as_str();
                    let (numbered, timed_as) = (Numbered::of(json), list.len());
                    list.push(Item { skin, entry, slot, key, json, numbered, timed_as, is_found: true });
                }
            }
        }
        let skin_names: Vec<_> = root.skins.list.iter().map(|skin| &skin.name).collect();
        let skins = skin_names.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect();
        let place = |(index, item): (usize, &Item<'r, 'a>)| ((item.skin, item.slot, item.key.as_str()), index);
        let places = list.iter().enumerate().map(place).collect();
        let mut items = Self { list, skin_names, skins, places };
        for index in 0..items.list.len() {
            let item = &items.list[index];
            let found = items.find(items.skin_names[item.skin].as_str(), item.slot, item.key.as_str());
            let timed_as = items.parent_of(item).unwrap_or(index);
            let item = &mut items.list[index];
            (item.timed_as, item.is_found) = (timed_as, found == Some(index));
        }
        items
    }

    /// Returns the index of the attachment that these names refer to.
    pub fn find(&self, skin: &str, slot: &str, key: &str) -> Option<usize> {
        self.places.get(&(*self.skins.get(skin)?, slot, key)).copied()
    }

    /// Returns the mesh whose timelines a linked mesh uses.
    fn parent_of(&self, item: &Item<'r, 'a>) -> Option<usize> {
        let json = item.json;
        let uses_own = json.timelines.or(json.deform) == Some(false);
        if json.kind != AttachmentType::LinkedMesh || uses_own {
            return None;
        }
        let skin = json.skin.as_ref().map_or("default", schema::Text::as_str);
        self.find(skin, item.slot, json.parent.as_ref()?.as_str())
    }

    /// Returns the sequence keys of an animation in order of time, by attachment.
    pub fn sequence_keys(&self, animation: &schema::Animation<'_>) -> HashMap<usize, Vec<Key>> {
        let mut all = HashMap::new();
        for (skin, slots) in &animation.attachments.0 {
            for (slot, attachments) in &slots.0 {
                for (key, timelines) in &attachments.0 {
                    let found = self.find(skin.as_str(), slot.as_str(), key.as_str());
                    if let Some(found) = found.filter(|_| !timelines.steps.is_empty()) {
                        // Of several timelines of one attachment, the last counts.
                        all.insert(found, sorted(&timelines.steps));
                    }
                }
            }
        }
        all
    }
}

fn sorted(keys: &[schema::SequenceKey]) -> Vec<Key> {
    let mut order: Vec<&schema::SequenceKey> = keys.iter().collect();
    order.sort_by(|a, b| a.time.0.total_cmp(&b.time.0));
    let mut delay = 0.0;
    let key = |key: &schema::SequenceKey| {
        delay = key.delay.map_or(delay, |delay| delay.0);
        (key.time.0, SequenceKey { mode: sequence_mode(key.mode), index: key.index, delay })
    };
    order.into_iter().map(key).collect()
}
