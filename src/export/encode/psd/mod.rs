//! Poses → a PSD with one layer per drawn slot: names, blend modes, opacity, and groups by frame, bone or skin.
//!
//! Layers hold straight alpha and only their visible part. The merged picture shows the first pose.

mod document;
mod packbits;

use std::collections::HashMap;

use document::{Document, MAX_SIDE};

use crate::draw::Picture;
use crate::export::encode::destination::Destination;
use crate::export::error::ExportError;
use crate::export::frames::{Content, Drawing, Layers, Sequence};
use crate::export::options::{Alpha, PsdGroups, Surface};
use crate::export::plan::Planned;
use crate::limits::Budget;
use crate::model::{Blend, Model};
use crate::pose::Pose;

impl Sequence<'_> {
    /// Renders `pictures` and writes them as one PSD, without flushing it. Each of several is a group, and only the first group
    /// is visible. Returns false if cancelled; nothing is written then.
    ///
    /// # Errors
    ///
    /// Fails if there are no pictures, if they have no pixels, for more pixels, layers or bytes than the format allows,
    /// and if rendering fails; nothing is written then. Also fails if writing fails.
    pub(crate) fn write_psd(
        &self,
        drawing: &mut Drawing<'_>,
        groups: PsdGroups,
        pictures: &[Planned],
        Destination { place, out, picture_done }: Destination<'_>,
    ) -> Result<bool, ExportError> {
        self.check_pixels()?;
        self.check_sides("a PSD", MAX_SIDE)?;
        let mut document = Document::new(Budget::new(self.limits), place);
        let mut layers = Layers::new(self, drawing, pictures)?;
        let group_of = group_of(self.character.model(), groups);
        for (index, picture) in pictures.iter().enumerate() {
            if pictures.len() > 1 {
                document.begin_group()?;
            }
            if !self.add_layers(&mut document, &mut layers, &group_of, picture)? {
                return Ok(false);
            }
            if pictures.len() > 1 {
                document.end_group(&format!("frame {}", picture.frame), index == 0)?;
            }
            picture_done();
        }
        let premultiplied = Surface { alpha: Alpha::Premultiplied, ..self.surface };
        let sequence = Sequence { surface: premultiplied, ..*self };
        let first = pictures.first().map(|picture| sequence.picture(drawing, &picture.cue)).transpose()?;
        let Some(mut merged) = first.flatten() else { return Ok(false) };
        Surface { alpha: Alpha::Straight, ..self.surface }.read_back(&mut merged);
        document.write(&merged, out)?;
        Ok(true)
    }

    /// Adds the layers of a picture. Returns false if cancelled.
    fn add_layers<'m>(
        &self,
        document: &mut Document<'_>,
        layers: &mut Layers<'_>,
        group_of: &impl Fn(Content, &Pose) -> Option<&'m str>,
        shown: &Planned,
    ) -> Result<bool, ExportError> {
        let (model, surface) = (self.character.model(), Surface { alpha: Alpha::Straight, ..self.surface });
        let (mut group, mut is_empty) = (None, true);
        let is_finished = layers.draw(&shown.cue, &mut |content, pose, picture| {
            surface.finish(picture);
            is_empty = false;
            let next = group_of(content, pose);
            if next != group {
                group.map_or(Ok(()), |group| document.end_group(group, true))?;
                next.map_or(Ok(()), |_| document.begin_group())?;
                group = next;
            }
            let (name, blend, opacity) = described(model, content, pose);
            Ok(document.add(&name, blend, (opacity * 255.0 + 0.5) as u8, picture)?)
        })?;
        group.map_or(Ok(()), |group| document.end_group(group, true))?;
        if is_empty {
            // Without a layer, programs do not know that the merged picture is transparent.
            document.add("empty", *b"norm", 255, &Picture::default())?;
        }
        Ok(is_finished)
    }
}

/// Returns which group a layer belongs to.
fn group_of<'m>(model: &'m Model, groups: PsdGroups) -> impl Fn(Content, &Pose) -> Option<&'m str> {
    let skins = model.skins().iter().filter(|_| groups == PsdGroups::Skin);
    let entries = skins.flat_map(|skin| skin.entries.iter().map(|entry| (entry, &*skin.name)));
    let skins: HashMap<_, _> = entries.map(|(entry, skin)| ((entry.slot, entry.attachment), skin)).collect();
    move |content, pose| {
        let Content::Slot { slot, .. } = content else { return None };
        match groups {
            PsdGroups::None => None,
            PsdGroups::Bone => Some(&*model.skeleton().bones().get(model.slot(slot).bone?.index())?.name),
            PsdGroups::Skin => skins.get(&(slot, model.authored_attachment(pose.slot(slot).attachment?))).copied(),
        }
    }
}

/// Returns the name, blend mode and opacity of a layer.
fn described(model: &Model, content: Content, pose: &Pose) -> (String, [u8; 4], f32) {
    let (id, opacity) = match content {
        Content::Whole(name) => return (name.to_owned(), *b"norm", 1.0),
        Content::Slot { slot, opacity } => (slot, opacity),
    };
    let slot = model.slot(id);
    let blend = match slot.blend {
        Blend::Normal => *b"norm",
        Blend::Additive => *b"lddg",
        Blend::Multiply => *b"mul ",
        Blend::Screen => *b"scrn",
    };
    let shown = pose.slot(id).attachment.map_or("", |shown| model.attachment(shown).name());
    // On a stage, only the slot has the name of the character.
    let is_same = slot.name.strip_suffix(shown).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    let name = if is_same { slot.name.to_string() } else { format!("{}/{shown}", slot.name) };
    (name, blend, opacity)
}
