//! Named items in JSON texts: bones, slots, skins and whatever else a format lists by name.

use std::borrow::Cow;
use std::collections::HashMap;

use super::StatedKey;
use super::text::{Texts, pointer};
use super::walk::{Found, Part, Step, matches};
use crate::error::Result;
use crate::limits::{Budget, Limits};

/// The kind of a named item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemKind {
    Animation,
    Bone,
    Constraint,
    Event,
    Image,
    /// An attachment of a skin, or a mesh where the format has no skins.
    Mesh,
    Skin,
    Slot,
}

/// The paths of lists and objects of named items, in which `#` is any index and `*` any name. Longer paths
/// lead to the attachments of slots of skins.
pub type Items = &'static [(ItemKind, &'static [&'static str])];

impl Texts {
    /// Calls `visit` with each item, as a key without values. For an attachment, `name` is the name of its slot. Binary
    /// skeletons are skipped: only their animations are converted to JSON.
    ///
    /// # Errors
    ///
    /// Fails if a text is damaged, or if a limit is exceeded.
    pub(crate) fn for_each_item(
        &self,
        limits: &Limits,
        mut visit: impl FnMut(ItemKind, &StatedKey<'_>),
    ) -> Result<()> {
        let mut budget = Budget::new(limits);
        for text in self.texts.iter().filter(|text| text.offsets.is_none()) {
            let mut skins = HashMap::new();
            // Attachments come last: a skin in a list may state its name after them.
            for is_inside in [false, true] {
                let lists = self.items.iter().filter(|(_, path)| (path.len() > 1) == is_inside);
                let lists: Vec<(ItemKind, &[&str])> = lists.copied().collect();
                let paths: Vec<&[&str]> = lists.iter().map(|(_, path)| *path).collect();
                let part = |path: &[Step<'_>]| match matches(&paths, path, is_named) {
                    Part::Keys => Part::Items,
                    part => part,
                };
                let mut lines = text.lines();
                text.walk(limits, &part, &mut |mut found| {
                    let mut lists = lists.iter();
                    let list = lists.find(|(_, path)| matches(&[path], found.path, is_named) == Part::Keys);
                    let (Some((kind, _)), Some(mut item)) = (list, item(&mut found, &skins)) else { return true };
                    if let (ItemKind::Skin, Step::Index(index)) = (*kind, &found.step) {
                        skins.insert(*index, item.name.clone());
                    }
                    item.file = text.file.as_deref();
                    let (line, column) = lines.go_to(found.at);
                    (item.line, item.column) = (Some(line), Some(column));
                    item.pointer = Some(pointer(&found));
                    let is_within = item.charge(&mut budget).is_ok();
                    if is_within {
                        visit(*kind, &item);
                    }
                    is_within
                })?;
            }
        }
        Ok(())
    }
}

fn is_named(word: &str, name: &str) -> bool {
    word == "*" || word == name
}

/// Returns the names of an item: its key in an object, or else a field; and those of its skin and slot.
fn item<'a>(found: &mut Found<'_, 'a>, skins: &HashMap<usize, Cow<'a, str>>) -> Option<StatedKey<'a>> {
    let name = match &found.step {
        Step::Name(name) => name.clone(),
        Step::Index(_) => found.take_text("name")?.into(),
    };
    let (skin, slot) = match found.path {
        [_] => return Some(StatedKey { name, ..StatedKey::default() }),
        [_, Step::Name(skin), .., Step::Name(slot)] => (skin, slot),
        [_, Step::Index(skin), .., Step::Name(slot)] => (skins.get(skin)?, slot),
        _ => return None,
    };
    Some(StatedKey {
        attachment: Some(name),
        name: slot.clone(),
        skin: Some(skin.clone()),
        ..StatedKey::default()
    })
}
