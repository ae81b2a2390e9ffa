//! The draw list: matrices, and commands from back to front.

use super::clip::Clip;
use super::{Command, Mask, OverlayVertex, Overlays, Sprite, SpriteColor, View, outline};
use crate::math::Vec2;
use crate::misuse;
use crate::model::{Attachment, Blend, Mesh, Model, SlotId};
use crate::pose::{self, DeformSpan, Pose, SkinMatrix, SlotPose};

/// Everything that is drawn at one instant. Reuse it: after the first build nothing is allocated.
///
/// A list belongs to the model that it was built of. A range of the overlay that does not exist is not drawn.
#[derive(Debug, Clone, Default)]
pub struct DrawList {
    /// `world_from_bind` of every bone.
    pub palette: Vec<SkinMatrix>,
    /// By how much influences have moved where a sprite or a mask says so: pixels in the space of each one's bone.
    pub deform: Vec<Vec2>,
    /// What is drawn, back to front.
    pub commands: Vec<Command>,
    /// Triangles for [`Command::Overlay`], three vertices each.
    pub overlay: Vec<OverlayVertex>,
}

impl DrawList {
    /// Fills the list with what `pose` shows. The view only decides how thick a pixel-wide line is.
    ///
    /// # Panics
    ///
    /// If `pose` is of another model, or names slots or attachments that the model does not have.
    #[track_caller]
    pub fn build(&mut self, model: &Model, pose: &Pose, view: &View) {
        pose.expect_of(model);
        pose::palette(model, pose, &mut self.palette);
        self.deform.clear();
        self.commands.clear();
        self.overlay.clear();
        let mut clip = Clip::default();
        for &id in &pose.draw_order {
            let slot = pose.slot(id);
            let shown = slot.attachment.filter(|_| pose.is_there(model, id));
            match shown.map(|shown| (shown, model.attachment(shown))) {
                // A mask that ends with its own slot never ends.
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

    /// Adds `overlays` over everything. `pose` is the one of which the list was built.
    pub fn add_overlays(&mut self, model: &Model, pose: &Pose, view: &View, overlays: Overlays) {
        for overlay in overlays.iter().filter(|overlay| !overlay.is_text()) {
            let from = self.overlay.len() as u32;
            overlay.draw(model, pose, view, &mut self.overlay);
            self.commands.push(Command::Overlay(from..self.overlay.len() as u32));
        }
    }

    /// Panics where `model` has bones without a matrix in the palette. A list that shows nothing needs none.
    #[track_caller]
    pub(crate) fn expect_of(&self, model: &Model) {
        let (matrices, bones) = (self.palette.len(), model.skeleton().bones().len());
        let is_skinned = |command: &Command| match command {
            Command::Sprite(_) | Command::ClipBegin(_) => true,
            Command::ClipEnd | Command::Overlay(_) => false,
        };
        misuse::expect(matrices >= bones || !self.commands.iter().any(is_skinned), || {
            format!("the draw list is of another model: it has {matrices} matrices, the model has {bones} bones")
        });
    }

    /// By how much the influences of a sprite or a mask of this list have moved; empty where it keeps its shape.
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

    /// Takes over how a slot is deformed.
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

/// The slots that are seen and blended otherwise than over what is below, back to front. On a transparent background
/// such a slot does not look as it was meant, for there is nothing to be added to or multiplied with.
///
/// # Panics
///
/// If `pose` is of another model, or names slots or attachments that the model does not have.
#[track_caller]
pub fn blended_slots<'a>(model: &'a Model, pose: &'a Pose) -> impl Iterator<Item = SlotId> + 'a {
    pose.expect_of(model);
    let is_blended = |id: &SlotId| {
        let (slot, blend) = (pose.slot(*id), blend_of(model, *id));
        let mesh = slot.attachment.and_then(|shown| model.attachment(shown).mesh());
        blend != Blend::Normal
            && pose.is_there(model, *id)
            && mesh.is_some_and(|mesh| SpriteColor::new(&slot.tint, mesh.tint, blend).is_some())
    };
    pose.draw_order.iter().copied().filter(is_blended)
}

fn blend_of(model: &Model, slot: SlotId) -> Blend {
    model.slots().get(slot.index()).map_or(Blend::Normal, |slot| slot.blend)
}
