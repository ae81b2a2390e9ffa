//! The draw list: matrices, and commands back to front.

use super::clip::Clip;
use super::text::{self, Label};
use super::{Command, Mask, OverlayVertex, Overlays, Sprite, SpriteColor, View, outline};
use crate::math::Vec2;
use crate::misuse;
use crate::model::{Attachment, Blend, Mesh, Model, SlotId};
use crate::pose::{self, DeformSpan, Pose, SkinMatrix, SlotPose};

/// Everything drawn at one instant. Reuse it: after the first build it does not allocate.
///
/// A list belongs to the model that it was built from. Overlay ranges out of bounds are not drawn.
#[derive(Debug, Clone, Default)]
pub struct DrawList {
    /// `world_from_bind` of every bone.
    pub palette: Vec<SkinMatrix>,
    /// Deform offsets of influences, in the space of each influence's bone in pixels; a sprite or mask names its
    /// range.
    pub deform: Vec<Vec2>,
    /// The draw commands, back to front.
    pub commands: Vec<Command>,
    /// Triangles for [`Command::Overlay`], three vertices each.
    pub overlay: Vec<OverlayVertex>,
}

impl DrawList {
    /// Rebuilds the list from `pose`. The view only determines the width of pixel-wide lines.
    ///
    /// ```
    /// # use pchr::{Character, draw::{DrawList, View}, math::vec2, motion::{Cue, evaluate}, pose::Pose};
    /// let character = Character::open("assets/paper-knight.pchr")?;
    /// let (mut pose, mut list) = (Pose::default(), DrawList::default());
    /// evaluate(&character, &Cue::default(), &mut pose);
    /// list.build(character.model(), &pose, &View::new(300, 450, vec2(-150.0, 440.0), 1.0));
    /// assert_eq!(list.palette.len(), character.model().skeleton().bones().len());
    /// assert!(!list.commands.is_empty());
    /// # Ok::<(), pchr::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If `pose` belongs to another model, or names slots or attachments that the model does not have.
    #[track_caller]
    pub fn build(&mut self, model: &Model, pose: &Pose, view: &View) {
        pose.expect_of(model);
        pose::palette(model, pose, &mut self.palette);
        self.build_commands(model, pose, view);
    }

    /// Like [`Self::build`], with the palette of `pose`.
    #[track_caller]
    pub(crate) fn build_with(&mut self, model: &Model, pose: &Pose, palette: &[SkinMatrix], view: &View) {
        pose.expect_of(model);
        self.palette.clear();
        self.palette.extend_from_slice(palette);
        self.build_commands(model, pose, view);
    }

    fn build_commands(&mut self, model: &Model, pose: &Pose, view: &View) {
        self.deform.clear();
        self.commands.clear();
        self.overlay.clear();
        let mut clip = Clip::default();
        for &id in &pose.draw_order {
            let slot = pose.slot(id);
            let shown = slot.attachment.filter(|_| pose.is_slot_active(model, id));
            match shown.map(|shown| (shown, model.attachment(shown))) {
                // A mask that ends with its own slot applies until the end of the list.
                Some((shown, Attachment::ClipMask(mask))) if !clip.is_active() => {
                    clip.begin(Mask { attachment: shown, deform: self.deform(pose, slot) }, mask.end);
                    continue;
                }
                Some((shown, Attachment::Region(mesh) | Attachment::Mesh(mesh))) => {
                    let blend = blend_of(model, id);
                    if let Some(color) = SpriteColor::new(&slot.tint, mesh.tint, blend) {
                        clip.draws(&mut self.commands);
                        let deform = self.deform(pose, slot);
                        let sprite = Sprite { attachment: shown, color, deform, blend: blend.into() };
                        self.sprite(sprite, mesh, view);
                    }
                }
                Some(_) | None => {}
            }
            clip.passes(id, &mut self.commands);
        }
        clip.end(&mut self.commands);
    }

    /// Appends `overlays` on top of everything. `pose` is the one that the list was built from.
    pub fn add_overlays(&mut self, model: &Model, pose: &Pose, view: &View, overlays: Overlays) {
        for overlay in overlays.iter() {
            self.add_triangles(|out| overlay.draw(model, pose, view, out));
        }
    }

    /// Appends text on top of everything, at pixels of the picture that `view` shows.
    ///
    /// Both renderers draw exactly the same pixels, with any antialiasing, if `view` is not rotated and shows a part
    /// of the world within a million pixels of its origin.
    ///
    /// ```
    /// use pchr::draw::{DrawList, View, text::Label};
    /// use pchr::math::Vec2;
    ///
    /// let mut list = DrawList::default();
    /// let label = Label { text: "walk", corner: [4, 4], dot: 2, color: [255; 4], outline: Some([0, 0, 0, 255]) };
    /// list.add_label(&label, &View::new(120, 32, Vec2::ZERO, 1.0));
    /// assert!(!list.overlay.is_empty());
    /// ```
    pub fn add_label(&mut self, label: &Label<'_>, view: &View) {
        self.add_triangles(|out| text::append(label, view, out));
    }

    /// Appends a solid rectangle on top of everything: left, top, width and height in pixels of the picture. The
    /// colour is premultiplied.
    pub fn add_rectangle(&mut self, rectangle: [i32; 4], color: [u8; 4], view: &View) {
        self.add_triangles(|out| text::rectangle(rectangle.map(i64::from), color, view, out));
    }

    fn add_triangles(&mut self, append: impl FnOnce(&mut Vec<OverlayVertex>)) {
        let from = self.overlay.len() as u32;
        append(&mut self.overlay);
        self.commands.push(Command::Overlay(from..self.overlay.len() as u32));
    }

    /// Panics if the palette lacks matrices for bones of `model`. A list that draws nothing needs none.
    #[track_caller]
    pub(crate) fn expect_of(&self, model: &Model) {
        let (matrices, bones) = (self.palette.len(), model.skeleton().bones().len());
        let is_skinned = |command: &Command| match command {
            Command::Sprite(_) | Command::ClipBegin(_) => true,
            Command::ClipEnd | Command::Overlay(_) => false,
        };
        misuse::expect(matrices >= bones || !self.commands.iter().any(is_skinned), || {
            format!(
                "the draw list belongs to another model: it has {matrices} matrices, the model has {bones} bones"
            )
        });
    }

    /// Returns the deform offsets of a sprite or mask of this list; empty if it is not deformed.
    pub fn deform_of(&self, span: DeformSpan) -> &[Vec2] {
        self.deform.get(span.range()).unwrap_or_default()
    }

    fn sprite(&mut self, sprite: Sprite, mesh: &Mesh, view: &View) {
        self.commands.push(Command::Sprite(sprite));
        if mesh.page.is_none() {
            let from = self.overlay.len() as u32;
            let deform = self.deform.get(sprite.deform.range()).unwrap_or_default();
            outline::append(mesh, deform, &self.palette, view, &mut self.overlay);
            self.commands.push(Command::Overlay(from..self.overlay.len() as u32));
        }
    }

    /// Copies the deform offsets of a slot into the list.
    fn deform(&mut self, pose: &Pose, slot: &SlotPose) -> DeformSpan {
        let deform = pose.deform_of(slot);
        if deform.is_empty() {
            return DeformSpan::NONE;
        }
        let first = self.deform.len() as u32;
        self.deform.extend_from_slice(deform);
        DeformSpan { first, count: deform.len() as u32 }
    }
}

/// Returns the visible slots whose blend mode is not normal, back to front. Over a transparent background such
/// slots look wrong, as there is nothing to add to or multiply with.
///
/// # Panics
///
/// If `pose` belongs to another model, or names slots or attachments that the model does not have.
#[track_caller]
pub fn blended_slots<'a>(model: &'a Model, pose: &'a Pose) -> impl Iterator<Item = SlotId> + 'a {
    pose.expect_of(model);
    let is_blended = |id: &SlotId| {
        let (slot, blend) = (pose.slot(*id), blend_of(model, *id));
        let mesh = slot.attachment.and_then(|shown| model.attachment(shown).mesh());
        blend != Blend::Normal
            && pose.is_slot_active(model, *id)
            && mesh.is_some_and(|mesh| SpriteColor::new(&slot.tint, mesh.tint, blend).is_some())
    };
    pose.draw_order.iter().copied().filter(is_blended)
}

fn blend_of(model: &Model, slot: SlotId) -> Blend {
    model.slots().get(slot.index()).map_or(Blend::Normal, |slot| slot.blend)
}
