//! The draw list: matrices, and commands back to front.

use super::clip::Clip;
use super::hulls::Hulls;
use super::overlay::{LAYER_COLOR, OverlayScratch, Shown, append_labels};
use super::text::{self, Label};
use super::{
    BlendClass, Command, Ghosts, Mask, Onion, Overlay, OverlayVertex, Overlays, Sprite, SpriteColor, View, outline,
};
use crate::math::Vec2;
use crate::misuse;
use crate::model::{Attachment, Blend, Mesh, Model, SlotId, Tint};
use crate::pose::{
    self, DeformSpan, Pose, SkinMatrix, SlotPose, deformed_world_position, for_each_listed_vertex,
    listed_world_position,
};

/// Everything drawn at one instant. Reuse it: after the first build it does not allocate, overlays included.
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
    /// The ghosts of other frames, drawn below everything else.
    pub ghosts: Ghosts,
    /// The convex hulls of masks; each mask names its own.
    pub(crate) hulls: Hulls,
    /// Working memory of overlays and labels.
    pub(crate) scratch: OverlayScratch,
}

/// The part of a pose that is drawn, and its tint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portion {
    /// Applied after the tints of slots.
    pub tint: Tint,
    /// The first place in the draw order. Masks before it apply.
    pub first: usize,
    /// The number of places.
    pub count: usize,
}

impl Default for Portion {
    fn default() -> Self {
        Self { tint: Tint::NONE, first: 0, count: usize::MAX }
    }
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
        self.build_commands(model, pose, view, Portion::default());
    }

    /// Like [`Self::build`], with the palette of `pose`, for a part of the pose.
    #[track_caller]
    pub(crate) fn build_with(
        &mut self,
        model: &Model,
        pose: &Pose,
        palette: &[SkinMatrix],
        view: &View,
        portion: Portion,
    ) {
        pose.expect_of(model);
        palette.clone_into(&mut self.palette);
        self.build_commands(model, pose, view, portion);
    }

    fn build_commands(&mut self, model: &Model, pose: &Pose, view: &View, portion: Portion) {
        self.deform.clear();
        self.commands.clear();
        self.overlay.clear();
        self.ghosts.clear();
        self.hulls.clear();
        let Portion { tint, first, count } = portion;
        let whole = Some(tint).filter(|tint| *tint != Tint::NONE);
        let mut clip = Clip::default();
        for (place, &id) in pose.draw_order.iter().enumerate().take(first.saturating_add(count)) {
            let slot = pose.slot(id);
            let shown = slot.attachment.filter(|_| pose.is_slot_active(model, id));
            match shown.map(|shown| (shown, model.attachment(shown))) {
                // A mask that ends with its own slot applies until the end of the list.
                Some((shown, Attachment::ClipMask(mask))) if !clip.is_active() => {
                    let deform = self.deform(pose, slot);
                    let hull = self.hulls.add(mask, pose.deform_of(slot), &self.palette);
                    clip.begin(Mask { attachment: shown, deform, hull }, mask.end);
                    continue;
                }
                Some((shown, Attachment::Region(mesh) | Attachment::Mesh(mesh)))
                    if place >= first && model.is_drawn(mesh) =>
                {
                    let blend = blend_of(model, id);
                    let tinted = whole.map(|whole| slot.tint.followed_by(&whole));
                    if let Some(color) = SpriteColor::new(tinted.as_ref().unwrap_or(&slot.tint), mesh.tint, blend)
                    {
                        clip.draws(&mut self.commands);
                        let deform = self.deform(pose, slot);
                        let sprite = Sprite { attachment: shown, color, deform, blend: blend.into() };
                        self.sprite(sprite, mesh, view);
                    }
                }
                Some(_) | None => {}
            }
            clip.passes(model, id, &mut self.commands);
        }
        clip.end(&mut self.commands);
    }

    /// Returns true if a sprite is multiplied or screened: then a picture over a background is another one than the
    /// picture over nothing, laid over that background.
    pub fn blends_with_background(&self) -> bool {
        // Ghosts are not blended.
        let is_blended = |sprite: &Sprite| match sprite.blend {
            BlendClass::Over => false,
            BlendClass::Multiply | BlendClass::Screen => true,
        };
        self.commands.iter().any(|command| matches!(command, Command::Sprite(sprite) if is_blended(sprite)))
    }

    /// Appends `overlays` on top of everything. `pose` is the one that the list was built from. The frames of an onion
    /// skin are added with [`Self::add_ghost`].
    ///
    /// # Panics
    ///
    /// If `pose` or the list belongs to another model, or an overlay needs the matrices of the list and it has none.
    #[track_caller]
    pub fn add_overlays(&mut self, model: &Model, pose: &Pose, view: &View, overlays: Overlays) {
        self.add_overlay_marks(model, pose, view, overlays);
        if overlays.iter().any(Overlay::has_labels) {
            self.add_shown(model, pose, view, overlays, append_labels);
        }
    }

    /// Like [`Self::add_overlays`] without [labels](super::overlay_labels), for programs that draw those themselves.
    ///
    /// # Panics
    ///
    /// As [`Self::add_overlays`].
    #[track_caller]
    pub fn add_overlay_marks(&mut self, model: &Model, pose: &Pose, view: &View, overlays: Overlays) {
        self.expect_of(model);
        overlays.expect_palette(model, pose, &self.palette);
        for overlay in overlays.iter() {
            if overlay == Overlay::Overdraw {
                self.add_overdraw(model, view);
            }
            if overlay.has_marks() {
                self.add_shown(model, pose, view, overlays, |shown, scratch, out| {
                    overlay.draw(shown, scratch, out)
                });
            }
        }
    }

    /// Adds the ghost of another pose, `steps` frames away from the list's own pose: negative for an earlier frame.
    /// Add the farthest first, as [`Onion::steps`] lists them. [`Self::build`] removes all ghosts.
    ///
    /// # Panics
    ///
    /// As [`Self::build`].
    #[track_caller]
    pub fn add_ghost(&mut self, model: &Model, pose: &Pose, view: &View, onion: Onion, steps: i32) {
        self.ghosts.add(model, pose, view, onion, steps);
    }

    /// Returns the ghosts, then this list.
    pub(crate) fn with_ghosts(&self) -> impl Iterator<Item = &Self> {
        self.ghosts.lists().iter().chain([self])
    }

    fn add_shown(
        &mut self,
        model: &Model,
        pose: &Pose,
        view: &View,
        overlays: Overlays,
        append: impl FnOnce(&Shown<'_>, &mut OverlayScratch, &mut Vec<OverlayVertex>),
    ) {
        let palette = std::mem::take(&mut self.palette);
        let shown = Shown { model, pose, palette: &palette, view, overlays };
        self.add_triangles(|scratch, out| append(&shown, scratch, out));
        self.palette = palette;
    }

    /// Covers everything in black and adds the light of each triangle, clipped as in the picture.
    fn add_overdraw(&mut self, model: &Model, view: &View) {
        let drawn = self.commands.len();
        self.add_rectangle([0, 0, view.width() as i32, view.height() as i32], [0, 0, 0, 255], view);
        for index in 0..drawn {
            match self.commands[index].clone() {
                Command::Sprite(sprite) => self.add_layer(model, sprite),
                clip @ (Command::ClipBegin(_) | Command::ClipEnd) => self.commands.push(clip),
                Command::Overlay(_) => {}
            }
        }
    }

    fn add_layer(&mut self, model: &Model, sprite: Sprite) {
        let Some(mesh) = model.attachment(sprite.attachment).mesh() else { return };
        let from = self.overlay.len() as u32;
        let deform = self.deform.get(sprite.deform.range()).unwrap_or_default();
        for triangle in mesh.indices.triangles() {
            let at = |index| deformed_world_position(&mesh.vertices, index, deform, &self.palette);
            if let [Some(a), Some(b), Some(c)] = triangle.map(at) {
                let layer = [a, b, c].map(|position| OverlayVertex { position, color: LAYER_COLOR });
                self.overlay.extend(layer);
            }
        }
        self.commands.push(Command::Overlay(from..self.overlay.len() as u32));
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
        self.add_triangles(|scratch, out| text::append(label, view, &mut scratch.dots, out));
    }

    /// Appends a solid rectangle on top of everything: left, top, width and height in pixels of the picture. The
    /// colour is premultiplied.
    pub fn add_rectangle(&mut self, rectangle: [i32; 4], color: [u8; 4], view: &View) {
        self.add_triangles(|_, out| text::rectangle(rectangle.map(i64::from), color, view, out));
    }

    fn add_triangles(&mut self, append: impl FnOnce(&mut OverlayScratch, &mut Vec<OverlayVertex>)) {
        let from = self.overlay.len() as u32;
        append(&mut self.scratch, &mut self.overlay);
        self.commands.push(Command::Overlay(from..self.overlay.len() as u32));
    }

    /// Panics if the list or a ghost draws attachments that `model` does not have, or lacks matrices for its bones.
    #[track_caller]
    pub(crate) fn expect_of(&self, model: &Model) {
        if let Some(mismatch) = self.with_ghosts().find_map(|list| list.mismatch(model)) {
            misuse::fail(mismatch);
        }
    }

    /// Why the list, apart from its ghosts, cannot be one of `model`: it draws attachments that `model` does not have, or
    /// lacks matrices for its bones.
    pub(crate) fn mismatch(&self, model: &Model) -> Option<String> {
        let attachment = |command: &Command| match command {
            Command::Sprite(sprite) => Some(sprite.attachment.index()),
            Command::ClipBegin(mask) => Some(mask.attachment.index()),
            Command::ClipEnd | Command::Overlay(_) => None,
        };
        let last = self.commands.iter().filter_map(attachment).max()?;
        let (matrices, bones) = (self.palette.len(), model.skeleton().bones().len());
        if matrices < bones {
            return Some(format!(
                "the draw list belongs to another model: it has {matrices} matrices, the model has {bones} bones"
            ));
        }
        let count = model.attachments().len();
        (last >= count).then(|| misuse::unknown_id("attachment", last, count))
    }

    /// Returns the deform offsets of a sprite or mask of this list; empty if it is not deformed.
    pub fn deform_of(&self, span: DeformSpan) -> &[Vec2] {
        self.deform.get(span.range()).unwrap_or_default()
    }

    /// Calls `visit` with each corner of a mask in world pixels, in order around it: the vertices of its polygon, or
    /// of its convex hull if the mask is [convex](crate::model::ClipMask::is_convex).
    ///
    /// # Panics
    ///
    /// If the list belongs to another model.
    #[track_caller]
    pub fn for_each_corner(&self, model: &Model, mask: &Mask, mut visit: impl FnMut(Vec2)) {
        let Attachment::ClipMask(clip) = model.attachment(mask.attachment) else { return };
        let (vertices, deform) = (&clip.polygon.vertices, self.deform_of(mask.deform));
        if !clip.is_convex {
            for_each_listed_vertex(vertices, deform, &self.palette, |at, _uv| visit(at));
            return;
        }
        for &corner in self.hulls.of(mask.hull) {
            if let Some(at) = listed_world_position(vertices, corner, deform, &self.palette) {
                visit(at);
            }
        }
    }

    /// Returns how many corners [`Self::for_each_corner`] visits.
    pub(super) fn corner_count(&self, model: &Model, mask: &Mask) -> usize {
        match model.attachment(mask.attachment).clip_mask() {
            Some(clip) if clip.is_convex => self.hulls.of(mask.hull).len(),
            Some(clip) => clip.polygon.vertices.len(),
            None => 0,
        }
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
    drawn_slots(model, pose).filter(|id| blend_of(model, *id) != Blend::Normal)
}

/// Returns the slots that a list of `pose` has a sprite of, in its order. They and the pose must belong to `model`.
pub(crate) fn drawn_slots<'a>(model: &'a Model, pose: &'a Pose) -> impl Iterator<Item = SlotId> + 'a {
    let is_drawn = |id: &SlotId| {
        let slot = pose.slot(*id);
        let mesh = slot.attachment.and_then(|shown| model.drawn_mesh(shown));
        let color = mesh.map(|mesh| SpriteColor::new(&slot.tint, mesh.tint, blend_of(model, *id)));
        pose.is_slot_active(model, *id) && color.flatten().is_some()
    };
    pose.draw_order.iter().copied().filter(is_drawn)
}

fn blend_of(model: &Model, slot: SlotId) -> Blend {
    model.slots().get(slot.index()).map_or(Blend::Normal, |slot| slot.blend)
}
