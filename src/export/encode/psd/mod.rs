//! Poses → a PSD with one layer per drawn slot: names, blend modes, opacity, and groups by frame, bone or skin.
//!
//! Layers hold straight alpha and only their visible part. The merged picture shows the first pose.

mod document;
mod packbits;

use std::collections::HashMap;

use document::{Document, MAX_SIDE, Mark};

use crate::Error;
use crate::draw::Picture;
use crate::export::encode::destination::Destination;
use crate::export::error::ExportError;
use crate::export::frames::{Content, Drawing, Layers, Sequence};
use crate::export::options::{Alpha, PsdGroups, Surface};
use crate::export::plan::Planned;
use crate::limits::Budget;
use crate::model::{AttachmentId, Blend, Model, SlotId};
use crate::pose::Pose;

/// The name of the layer that ends a group.
const END: &str = "</Layer group>";

impl Sequence<'_> {
    /// Renders `pictures` and writes them as one PSD, without flushing it: several of them as groups, of which the first is
    /// visible. Returns false if cancelled; the output is incomplete then.
    ///
    /// # Errors
    ///
    /// Fails if there are no pictures, if they have no pixels, for more pixels, layers or bytes than the format allows,
    /// and if rendering or writing fails. Nothing is written then.
    pub(crate) fn write_psd(
        &self,
        drawing: &mut Drawing<'_>,
        groups: PsdGroups,
        pictures: &[Planned],
        Destination { place, out, picture_done }: Destination<'_>,
    ) -> Result<bool, ExportError> {
        self.check_pixels()?;
        let (width, height) = (self.view.width(), self.view.height());
        if width.max(height) > MAX_SIDE {
            let message =
                format!("a PSD of {width}×{height} is too large; each side is limited to {MAX_SIDE} pixels");
            return Err(Error::misuse("picture-too-large", message).into());
        }
        let Some(first) = pictures.first() else {
            return Err(Error::misuse("nothing-to-write", "a PSD needs at least one picture").into());
        };
        let mut document = Document::new(Budget::new(self.limits), place);
        let mut layers = Layers::new(self, drawing)?;
        let grouping = Grouping::new(self.character.model(), groups);
        for (index, picture) in pictures.iter().enumerate() {
            if pictures.len() > 1 {
                document.mark(END, Mark::End)?;
            }
            if !self.add_layers(&mut document, &mut layers, &grouping, picture)? {
                return Ok(false);
            }
            if pictures.len() > 1 {
                document.mark(&format!("frame {}", picture.frame), Mark::Group { is_visible: index == 0 })?;
            }
            picture_done();
        }
        let light = Surface { alpha: Alpha::Premultiplied, ..self.surface };
        let merged = Sequence { surface: light, ..*self }.picture(drawing, &first.cue)?;
        let Some(mut merged) = merged else { return Ok(false) };
        Surface { alpha: Alpha::Straight, ..self.surface }.read_back(&mut merged);
        document.write(&merged, out)?;
        Ok(true)
    }

    /// Adds the layers of a picture. Returns false if cancelled.
    fn add_layers(
        &self,
        document: &mut Document<'_>,
        layers: &mut Layers<'_>,
        grouping: &Grouping<'_>,
        shown: &Planned,
    ) -> Result<bool, ExportError> {
        let (model, surface) = (self.character.model(), Surface { alpha: Alpha::Straight, ..self.surface });
        let (mut group, mut is_empty) = (None, true);
        let is_finished = layers.draw(&shown.cue, &mut |content, pose, picture| {
            surface.finish(picture);
            is_empty = false;
            let next = grouping.of(content, pose);
            if next != group {
                group.map_or(Ok(()), |group| document.mark(group, Mark::Group { is_visible: true }))?;
                next.map_or(Ok(()), |_| document.mark(END, Mark::End))?;
                group = next;
            }
            let (name, blend, opacity) = described(model, content, pose);
            Ok(document.add(&name, blend, (opacity * 255.0 + 0.5) as u8, picture)?)
        })?;
        group.map_or(Ok(()), |group| document.mark(group, Mark::Group { is_visible: true }))?;
        if is_empty {
            // Without a layer, programs do not know that the merged picture is transparent.
            document.add("empty", *b"norm", 255, &Picture::default())?;
        }
        Ok(is_finished)
    }
}

/// Which group a layer belongs to.
struct Grouping<'a> {
    model: &'a Model,
    groups: PsdGroups,
    /// The skin of each attachment of a slot, if layers are grouped by skin.
    skins: HashMap<(SlotId, AttachmentId), &'a str>,
}

impl<'a> Grouping<'a> {
    fn new(model: &'a Model, groups: PsdGroups) -> Self {
        let skins = model.skins().iter().filter(|_| groups == PsdGroups::Skin);
        let entries = skins.flat_map(|skin| skin.entries.iter().map(|entry| (entry, &*skin.name)));
        let skins = entries.map(|(entry, skin)| ((entry.slot, entry.attachment), skin)).collect();
        Self { model, groups, skins }
    }

    fn of(&self, content: Content, pose: &Pose) -> Option<&'a str> {
        let Content::Slot { slot, .. } = content else { return None };
        match self.groups {
            PsdGroups::None => None,
            PsdGroups::Bone => self.model.slot(slot).bone.map(|bone| &*self.model.skeleton().bone(bone).name),
            PsdGroups::Skin => {
                let shown = self.model.authored_attachment(pose.slot(slot).attachment?);
                self.skins.get(&(slot, shown)).copied()
            }
        }
    }
}

/// Returns the name, blend mode and opacity of a layer.
fn described(model: &Model, content: Content, pose: &Pose) -> (String, [u8; 4], f32) {
    let named = |name: &str| (name.to_owned(), *b"norm", 1.0);
    match content {
        Content::Background => named("background"),
        Content::Ghosts => named("onion skin"),
        Content::Overlays => named("overlays"),
        Content::Slot { slot: id, opacity } => {
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
    }
}
