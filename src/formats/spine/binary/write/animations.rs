//! Animations: groups of timelines. Each group refers to its slot, bone, constraint or attachment by an index.

use foldhash::HashMap;

use super::{WHITE, Writer};
use crate::error::Result;
use crate::formats::spine::binary::reader::Kind;
use crate::formats::spine::build;
use crate::formats::spine::build::keys::{Sorted, Way};
use crate::formats::spine::schema::{
    Animation, BySkin, ConstraintTimelines, DeformKeys, DrawOrderFolder, DrawOrderKey, Entries, Group, Keys, Text,
    Timelines,
};
use crate::model::ConstraintKind;

/// What may have keys.
trait Keyed {
    /// The number of its timelines.
    fn timelines(&self) -> usize;
}

impl Keyed for DeformKeys<'_> {
    fn timelines(&self) -> usize {
        usize::from(!self.0.is_empty())
    }
}

impl<K> Keyed for Timelines<'_, K> {
    fn timelines(&self) -> usize {
        self.count()
    }
}

impl<V: Keyed> Keyed for Entries<'_, V> {
    fn timelines(&self) -> usize {
        self.0.iter().map(|(_, entry)| entry.timelines()).sum()
    }
}

impl<'r, 'a> Writer<'r, 'a> {
    pub fn animations(&mut self) -> Result<()> {
        let animations = &self.root.animations.0;
        self.file.count(animations.len())?;
        for (name, animation) in animations {
            self.file.string(Some(name.as_str()))?;
            self.animation = name.as_str();
            self.timelines = 0;
            let before = std::mem::take(&mut self.file);
            self.animation(animation)?;
            let body = std::mem::replace(&mut self.file, before);
            if self.layout.is_four() {
                self.file.varint(self.timelines);
            }
            self.file.append(body);
        }
        Ok(())
    }

    fn animation(&mut self, animation: &'r Animation<'a>) -> Result<()> {
        self.group("slots", Kind::Slot, &animation.slots, Self::slot_timelines)?;
        self.group("bones", Kind::Bone, &animation.bones, Self::bone_timelines)?;
        for kind in self.layout.binary_kinds() {
            self.constraint_group(kind, &animation.constraints)?;
        }
        if self.layout.has_sequences() {
            self.by_skin("attachments", &animation.attachments, Self::attachment_timelines)?;
        } else {
            self.by_skin("deform", &animation.deform, |writer, way, key, DeformKeys(keys)| {
                writer.shared(Some(key));
                writer.only(way, keys)
            })?;
        }
        self.timelines += u32::from(!animation.draw_order.is_empty());
        self.draw_order(&animation.draw_order, Way(&["drawOrder"]), None)?;
        if self.layout.has_one_list() {
            self.folders(&animation.folders)?;
        }
        self.event_keys(animation)?;
        if self.layout.has_one_list() && self.is_nonessential {
            self.editor_color(animation.color.as_ref(), WHITE);
        }
        Ok(())
    }

    /// The draw orders of folders, whose keys count slots in the list of the folder.
    fn folders(&mut self, folders: &[DrawOrderFolder<'_>]) -> Result<()> {
        let keyed = folders.iter().enumerate().filter(|(_, folder)| !folder.keys.is_empty());
        self.file.count(keyed.clone().count())?;
        for (index, folder) in keyed {
            self.timelines += 1;
            let (index, animation) = (index.to_string(), self.animation);
            let at = |field| ["drawOrderFolder", &index, field];
            self.all_named(Kind::Slot, &folder.slots, || Way(&at("slots")).at(animation))?;
            let places = folder.slots.iter().map(Text::as_str).zip(0..).collect();
            self.draw_order(&folder.keys, Way(&at("keys")), Some(&places))?;
        }
        Ok(())
    }

    /// The only timeline of an entry, without a type.
    fn only(&mut self, way: Way<'_>, keys: &Keys<'_>) -> Result<()> {
        self.timelines += 1;
        self.keys(way, keys)
    }

    /// A group of what belongs to items of one kind.
    fn group<V: Keyed>(
        &mut self,
        list: &str,
        kind: Kind,
        entries: &'r Entries<'a, V>,
        mut write: impl FnMut(&mut Self, Way<'_>, &'r V) -> Result<()>,
    ) -> Result<()> {
        let keyed = keyed(entries);
        self.file.count(keyed.clone().count())?;
        for (name, entry) in keyed {
            let way = [list, name.as_str()];
            let animation = self.animation;
            self.named(kind, name, || Way(&way).at(animation))?;
            write(self, Way(&way), entry)?;
        }
        Ok(())
    }

    /// The timelines of the constraints of a kind. Physics constraints are counted from 1; 0 stands for all, as the
    /// empty name does in JSON.
    fn constraint_group(&mut self, kind: ConstraintKind, all: &'r [ConstraintTimelines<'a>]) -> Result<()> {
        let keyed = all.iter().filter(|it| it.kind == kind && !it.timelines.is_empty());
        self.file.count(keyed.clone().count())?;
        for ConstraintTimelines { name, timelines, .. } in keyed {
            let way = [kind.name(), name.as_str()];
            let find = || self.names.find(Kind::Constraint(kind), name, || Way(&way).at(self.animation));
            let number = match (kind, name.as_str()) {
                (ConstraintKind::Physics, "") => 0,
                (ConstraintKind::Physics, _) => find()? + 1,
                _ => find()?,
            };
            self.file.varint(number);
            match &timelines.list[..] {
                [keys] if Group::Constraint(kind).only().is_some() => self.only(Way(&way), keys)?,
                _ => self.constraint_timelines(Way(&way), timelines)?,
            }
        }
        Ok(())
    }

    /// A group by skin, slot and attachment. The entry of an attachment starts with its name; it repeats that for
    /// every timeline.
    fn by_skin<V: Keyed>(
        &mut self,
        list: &str,
        entries: &'r BySkin<'a, V>,
        mut write: impl FnMut(&mut Self, Way<'_>, &'r str, &'r V) -> Result<()>,
    ) -> Result<()> {
        let skins = keyed(entries);
        self.file.count(skins.clone().count())?;
        for (skin, slots) in skins {
            let animation = self.animation;
            self.named(Kind::Skin, skin, || Way(&[list, skin.as_str()]).at(animation))?;
            let slots = keyed(slots);
            self.file.count(slots.clone().count())?;
            for (slot, attachments) in slots {
                self.named(Kind::Slot, slot, || Way(&[list, skin.as_str(), slot.as_str()]).at(animation))?;
                self.file.count(attachments.timelines())?;
                for (key, entry) in keyed(attachments) {
                    let way = [list, skin.as_str(), slot.as_str(), key.as_str()];
                    write(self, Way(&way), key.as_str(), entry)?;
                }
            }
        }
        Ok(())
    }

    /// The keys of a draw order, or of one of some slots in these places; the slots of a key are in their order.
    fn draw_order(
        &mut self,
        keys: &[DrawOrderKey<'_>],
        way: Way<'_>,
        places: Option<&HashMap<&str, u32>>,
    ) -> Result<()> {
        let places = places.unwrap_or_else(|| self.names.all(Kind::Slot));
        self.file.count(keys.len())?;
        for index in Sorted::of(keys).places() {
            let key = &keys[index];
            let animation = self.animation;
            let pointer = |at: usize, field: &str| format!("{}/{index}/offsets/{at}/{field}", way.at(animation));
            let mut offsets = Vec::with_capacity(key.offsets.len());
            for (at, it) in key.offsets.iter().enumerate() {
                let slot = build::find(places, &it.slot, Kind::Slot.what(), || pointer(at, "slot"))? as u32;
                let offset = i32::try_from(it.offset).map_err(|_| {
                    let message = format!("slot {slot} cannot move by {} places", it.offset);
                    build::malformed("draw-order", pointer(at, "offset"), message)
                })?;
                offsets.push((slot, offset));
            }
            offsets.sort_by_key(|(slot, _)| *slot);
            self.file.number(key.time);
            self.file.count(offsets.len())?;
            for (slot, offset) in offsets {
                self.file.varint(slot);
                self.file.varint(offset as u32);
            }
        }
        Ok(())
    }
}

/// The entries with keys.
fn keyed<'e, 'a, V: Keyed>(
    entries: &'e Entries<'a, V>,
) -> impl Iterator<Item = &'e (Text<'a>, V)> + Clone + use<'e, 'a, V> {
    entries.0.iter().filter(|(_, entry)| entry.timelines() > 0)
}
