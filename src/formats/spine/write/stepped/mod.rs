//! A [`Character`] whose frames are never interpolated → a Spine skeleton with stepped keys, and its atlas text.
//!
//! Bones keep their hierarchy, and shear: a bone that is not rotated, scaled and sheared like in the frame before gets keys.
//! Only what some frame shows is written. Each shape of a mask becomes a clip attachment of its own, whose corners follow the
//! bones of its pictures.
//!
//! `seen` finds out what the frames show, `keys` writes the animations.

mod keys;
mod seen;

use super::attachments::quad;
use super::skeleton::{number, skeleton};
use super::{Form, Written, atlas, blend, finish, schema, text};
use crate::character::Character;
use crate::error::{Error, Place, Result};
use crate::formats::stored::{TRANSFORM_WORK, distinct};
use crate::limits::Budget;
use crate::model::{AnimationId, Attachment, ClipMask, SlotId};
use crate::motion::Motion;
use schema::{Entries, Number};

use keys::Local;
use seen::{Seen, Shown};

/// Memory of a written bone, slot or attachment, with its text.
const RECORD_BYTES: usize = 1024;

/// The parts to write. Numbers of bones are those of the file.
struct Rig<'a> {
    character: &'a Character,
    seen: Seen,
    /// Numbers of bones, by bone of the model.
    bones: Vec<Option<usize>>,
    slots: Vec<schema::Slot<'static>>,
    /// By slot of the model.
    places: Vec<Option<usize>>,
    /// Names of attachments, by slot of the model.
    names: Vec<Vec<String>>,
}

/// Writes `animations` of a character so that every frame is exact. `pages` are the file names of its pages.
///
/// # Errors
///
/// Fails if the character has another kind of motion, or if writing exceeds `budget`.
pub fn write(
    character: &Character,
    animations: &[AnimationId],
    pages: &[String],
    form: Form,
    budget: &mut Budget<'_>,
) -> Result<Written> {
    if !matches!(character.motion(), Motion::Animate(_)) {
        return Err(Error::misuse("not-stepped", "only frames that are never interpolated become stepped keys"));
    }
    let model = character.model();
    let seen = Seen::of(character, animations, budget)?;
    let parts = seen.bones.len() + seen.slots.iter().map(|slot| 1 + slot.shown.len()).sum::<usize>();
    budget.charge_memory(parts as u64, RECORD_BYTES, Place::default)?;
    let regions = atlas::region_names(pages);
    let (rig, bones) = Rig::new(character, seen);
    let attachments = rig.attachments(&regions, budget)?;
    let names = distinct(animations.iter().map(|&id| model.animation(id).name.as_str()), "animation");
    let mut written = Vec::with_capacity(animations.len());
    for (&id, name) in animations.iter().zip(names) {
        written.push((text(name), keys::animation(&rig, id, &bones, budget)?));
    }
    let skin = schema::Skin { name: text("default"), attachments, ..schema::Skin::default() };
    let order = rig.seen.order();
    let root = schema::Root {
        skeleton: Some(skeleton(character)),
        bones,
        slots: rig.slots,
        skins: schema::Skins { list: vec![skin], is_object: false },
        animations: Entries(written),
        version: super::Version::Three(8),
        ..schema::Root::default()
    };
    let (bytes, losses) = finish(root, form, Vec::new(), budget)?;
    let atlas = (!pages.is_empty()).then(|| atlas::text(model.pages(), pages, &regions));
    Ok(Written { bytes, atlas, losses, animations: animations.to_vec(), slots: order })
}

impl<'a> Rig<'a> {
    /// Also returns the bones; the first is a root that never moves.
    fn new(character: &'a Character, seen: Seen) -> (Self, Vec<schema::Bone<'static>>) {
        let model = character.model();
        let of_model = model.skeleton().bones();
        let used: Vec<usize> = (0..seen.bones.len()).filter(|bone| seen.bones[*bone].is_some()).collect();
        let names = ["root"].into_iter().chain(used.iter().map(|bone| &*of_model[*bone].name));
        let names = distinct(names, "bone");
        let mut numbers = vec![None; seen.bones.len()];
        let mut bones = vec![schema::Bone::plain(text(names.first().map_or("root", String::as_str)))];
        for (&bone, name) in used.iter().zip(names.iter().skip(1)) {
            numbers[bone] = Some(bones.len());
            let parent = of_model[bone].parent.and_then(|parent| numbers[parent.index()]);
            let Local { place, rotation, scale, shear } = seen.bones[bone].unwrap_or_default();
            bones.push(schema::Bone {
                parent: Some(bones[parent.unwrap_or(0)].name.clone()),
                x: number(place[0]),
                y: number(place[1]),
                rotation: number(rotation),
                scale_x: number(scale[0]),
                scale_y: number(scale[1]),
                shear_y: number(shear),
                ..schema::Bone::plain(text(name))
            });
        }
        let mut rig =
            Self { character, seen, bones: numbers, slots: Vec::new(), places: Vec::new(), names: Vec::new() };
        rig.add_slots(&bones);
        (rig, bones)
    }

    fn add_slots(&mut self, bones: &[schema::Bone<'static>]) {
        let model = self.character.model();
        let shown = |shown: &Shown| model.attachment(shown.attachment).name().to_owned();
        let of_slot = |slot: &seen::Slot| slot.shown.iter().map(shown).collect::<Vec<String>>();
        let named = |names: Vec<String>| distinct(names.iter().map(String::as_str), "picture");
        self.names = self.seen.slots.iter().map(|slot| named(of_slot(slot))).collect();
        self.places = vec![None; model.slots().len()];
        let order = self.seen.order();
        let names = distinct(order.iter().map(|slot| &*model.slot(*slot).name), "slot");
        for (&id, name) in order.iter().zip(names) {
            let (slot, seen) = (model.slot(id), &self.seen.slots[id.index()]);
            let bone = slot.bone.and_then(|bone| *self.bones.get(bone.index())?).unwrap_or(0);
            let attachment = seen.rest.and_then(|rest| self.names[id.index()].get(rest)).cloned();
            let [light, dark] = seen.color.map_or([[255; 4], [0, 0, 0, 255]], keys::colors);
            self.places[id.index()] = Some(self.slots.len());
            self.slots.push(schema::Slot {
                name: text(name),
                bone: bones[bone].name.clone(),
                color: (light != [255; 4]).then_some(schema::Color::Rgba(light)),
                dark: seen.is_dark.then_some(schema::Color::Rgba(dark)),
                attachment: attachment.map(text),
                blend: blend(slot.blend),
                additive: false,
                visible: true,
            });
        }
    }

    /// Returns all attachments by slot and name.
    fn attachments(&self, regions: &[String], budget: &mut Budget<'_>) -> Result<schema::Attachments<'static>> {
        let model = self.character.model();
        let mut all = Vec::new();
        for id in self.seen.order() {
            let mut list = Vec::new();
            for (shown, name) in self.seen.slots[id.index()].shown.iter().zip(&self.names[id.index()]) {
                let written = match model.attachment(shown.attachment) {
                    Attachment::Region(mesh) | Attachment::Mesh(mesh) => quad(model, mesh, name, regions),
                    Attachment::ClipMask(mask) => self.clip(mask, &shown.bones, budget)?,
                    Attachment::Path(_) | Attachment::Point(_) | Attachment::Bounds(_) => continue,
                };
                list.push((text(name.as_str()), written));
            }
            if !list.is_empty() {
                all.push((self.slots[self.places[id.index()].unwrap_or(0)].name.clone(), Entries(list)));
            }
        }
        Ok(Entries(all))
    }

    /// Returns a mask of the outlines of `shown` bones. From one to the next, it goes along the same line twice.
    fn clip(
        &self,
        mask: &ClipMask,
        shown: &[u32],
        budget: &mut Budget<'_>,
    ) -> Result<schema::Attachment<'static>> {
        let of_model = self.character.model().skeleton().bones();
        let all = mask.polygon.vertices.influences();
        budget.charge_work(all.len() as u64, TRANSFORM_WORK, Place::default)?;
        let start = all.first();
        let mut corners: Vec<(usize, [f32; 2])> = Vec::new();
        for corner in all {
            // The outline belongs to a helper that is at the place of its parent where it is shown.
            let parent = of_model.get(corner.bone as usize).and_then(|bone| bone.parent);
            let bone = parent.and_then(|parent| *self.bones.get(parent.index())?);
            let is_start = start == Some(corner);
            match (corners.first().copied(), bone) {
                (Some(first), _) if is_start => corners.push(first),
                (_, Some(bone)) if shown.binary_search(&corner.bone).is_ok() => {
                    corners.push((bone, corner.position.to_array()));
                }
                _ => {}
            }
        }
        corners.dedup();
        while corners.len() > 3 && corners.first() == corners.last() {
            corners.pop();
        }
        budget.charge_memory(corners.len() as u64, RECORD_BYTES, Place::default)?;
        let numbers = |(bone, [x, y]): &(usize, [f32; 2])| [1.0, *bone as f32, *x, *y, 1.0].map(Number);
        let end = mask.end.and_then(|end: SlotId| self.slots.get(self.places[end.index()]?));
        Ok(schema::Attachment {
            kind: schema::AttachmentType::Clipping,
            scale_x: Number(1.0),
            scale_y: Number(1.0),
            vertex_count: Some(corners.len() as u32),
            vertices: corners.iter().flat_map(numbers).collect(),
            end: end.map(|end| end.name.clone()),
            ..schema::Attachment::default()
        })
    }
}
