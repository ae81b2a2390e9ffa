//! The only way to create a [`Model`]: a reader adds parts and gets ids for them.

use super::page_alpha::PageAlpha;
use super::{
    AlphaSource, Animation, AnimationId, AtlasPage, Attachment, AttachmentId, Bone, BoneId, Constraint,
    ConstraintTarget, Event, EventId, Evidence, Identity, Indices, Influence, Mesh, Model, PageId, Skin,
    SkinEntry, SkinId, SkinNVertices, Slot, SlotId, Vertices,
};
use crate::error::{Error, Result, escaped};
use crate::math::{Affine2, Vec2, vec2};

/// Collects the parts of a [`Model`] and checks the references between them.
#[derive(Debug, Default)]
pub struct ModelBuilder {
    model: Model,
}

impl ModelBuilder {
    /// Adds a bone, after its parent.
    pub fn bone(&mut self, bone: Bone) -> Result<BoneId> {
        if self.model.skeleton.helpers > 0 {
            return Err(Error::misuse("bone-after-helper", "all bones must be added before the first helper"));
        }
        self.add_bone(bone)
    }

    fn add_bone(&mut self, bone: Bone) -> Result<BoneId> {
        let bones = &mut self.model.skeleton.bones;
        known(bone.parent.map(BoneId::index), bones.len(), "parent bone")?;
        bones.push(bone);
        Ok(BoneId::new(bones.len() - 1))
    }

    /// Adds a helper to the bone `of`, which moves vertices in ways that no authored bone does. No bones can be
    /// added after the first helper.
    #[cfg(any(test, feature = "skelform", feature = "animate"))]
    pub(crate) fn helper(&mut self, of: BoneId) -> Result<BoneId> {
        let helper = Bone { parent: Some(of), bone_from_bind: Some(Affine2::IDENTITY), ..Bone::default() };
        let id = self.add_bone(helper)?;
        self.model.skeleton.helpers += 1;
        Ok(id)
    }

    /// Adds a page.
    pub fn page(&mut self, page: AtlasPage) -> Result<PageId> {
        let expected = (u64::from(page.width) * u64::from(page.height)).checked_mul(4);
        if expected.is_none_or(|expected| expected == 0 || page.pixels.len() as u64 != expected) {
            return Err(Error::misuse("page-size", format!("page `{}` has a wrong number of pixels", page.name)));
        }
        self.model.sharp.push(page.looks_like_pixel_art());
        self.model.pages.push(page);
        Ok(PageId::new(self.model.pages.len() - 1))
    }

    /// Returns the names of the pages added so far.
    #[cfg(feature = "spine")]
    pub(crate) fn page_names(&self) -> impl Iterator<Item = &str> {
        self.model.pages.iter().map(|page| &*page.name)
    }

    /// Decides for every page whether it is premultiplied: as `requested`, or else as declared by its file, or else as
    /// detected from the pixels of all undeclared pages, or else straight. Call it after adding all pages. Returns the
    /// evidence of the pixels if they were needed.
    pub(crate) fn decide_alpha(&mut self, requested: PageAlpha) -> Option<Evidence> {
        let pages = &mut self.model.pages;
        if let Some(is_premultiplied) = requested.forced() {
            for page in pages {
                (page.is_premultiplied, page.alpha_source) = (is_premultiplied, AlphaSource::Forced);
            }
            return None;
        }
        let is_open = |page: &&mut AtlasPage| page.alpha_source == AlphaSource::Assumed;
        // The statistics take longer than the rest of a small file.
        pages.iter_mut().find(is_open)?;
        let mut evidence = Evidence::default();
        pages.iter_mut().filter(is_open).for_each(|page| evidence.add(page.width, &page.pixels));
        if let Some(is_premultiplied) = evidence.is_premultiplied() {
            for page in pages.iter_mut().filter(is_open) {
                (page.is_premultiplied, page.alpha_source) = (is_premultiplied, AlphaSource::Pixels);
            }
        }
        Some(evidence)
    }

    /// Hides meshes without a page, or shows them.
    #[cfg(feature = "spine")]
    pub(crate) fn hide_missing(&mut self, hides: bool) {
        self.model.hide_missing(hides);
    }

    /// Adds an attachment, after its page and its bones.
    pub fn attachment(&mut self, attachment: Attachment) -> Result<AttachmentId> {
        if !self.model.pictures.is_empty() {
            let message = "all attachments must be added before the first picture of a sequence";
            return Err(Error::misuse("attachment-after-picture", message));
        }
        self.add_attachment(attachment)
    }

    /// Adds another picture of the attachment `of`, which has several. No attachments can be added after the first
    /// picture.
    pub fn picture(&mut self, of: AttachmentId, attachment: Attachment) -> Result<AttachmentId> {
        known(Some(of.index()), self.model.authored_attachments().len(), "attachment")?;
        let id = self.add_attachment(attachment)?;
        self.model.pictures.push(of);
        Ok(id)
    }

    fn add_attachment(&mut self, attachment: Attachment) -> Result<AttachmentId> {
        match &attachment {
            Attachment::Region(mesh) | Attachment::Mesh(mesh) => self.check_mesh(mesh)?,
            Attachment::ClipMask(mask) => {
                known(mask.end.map(SlotId::index), self.model.slots.len(), "slot")?;
                self.check_bones(&mask.polygon.vertices)?;
                // The corners of a hull are numbers of 16 bits.
                let count = mask.polygon.vertices.len();
                if mask.is_convex && count > usize::from(u16::MAX) {
                    let message = format!("a convex clip mask has at most 65,535 vertices, this one has {count}");
                    return Err(Error::misuse("too-many-vertices", message));
                }
            }
            Attachment::Path(path) => self.check_bones(&path.vertices)?,
            Attachment::Point(point) => known(Some(point.bone.index()), self.model.skeleton.bones.len(), "bone")?,
            Attachment::Bounds(polygon) => self.check_bones(&polygon.vertices)?,
        }
        self.model.attachments.push(attachment);
        Ok(AttachmentId::new(self.model.attachments.len() - 1))
    }

    /// Adds a slot, after its bone and its attachment.
    pub fn slot(&mut self, slot: Slot) -> Result<SlotId> {
        known(slot.bone.map(BoneId::index), self.model.skeleton.bones.len(), "bone")?;
        known(slot.attachment.map(AttachmentId::index), self.model.attachments.len(), "attachment")?;
        self.model.slots.push(slot);
        Ok(SlotId::new(self.model.slots.len() - 1))
    }

    /// Sets the attachment of a slot in the rest pose.
    pub fn show(&mut self, slot: SlotId, attachment: AttachmentId) -> Result<()> {
        known(Some(attachment.index()), self.model.attachments.len(), "attachment")?;
        known(Some(slot.index()), self.model.slots.len(), "slot")?;
        self.model.slots[slot.index()].attachment = Some(attachment);
        Ok(())
    }

    /// Adds a skin, after its slots, attachments and bones.
    pub fn skin(&mut self, skin: Skin) -> Result<SkinId> {
        for entry in &skin.entries {
            known(Some(entry.slot.index()), self.model.slots.len(), "slot")?;
            known(Some(entry.attachment.index()), self.model.attachments.len(), "attachment")?;
        }
        for bone in &skin.bones {
            known(Some(bone.index()), self.model.skeleton.bones.len(), "bone")?;
        }
        self.model.skins.push(skin);
        Ok(SkinId::new(self.model.skins.len() - 1))
    }

    /// Adds an event.
    pub fn event(&mut self, event: Event) -> EventId {
        self.model.events.push(event);
        EventId::new(self.model.events.len() - 1)
    }

    /// Adds a constraint, after its bones and its target.
    pub fn constraint(&mut self, constraint: Constraint) -> Result<()> {
        let bones = self.model.skeleton.bones.len();
        for bone in &constraint.bones {
            known(Some(bone.index()), bones, "bone")?;
        }
        match constraint.target {
            Some(ConstraintTarget::Bone(bone)) => known(Some(bone.index()), bones, "bone")?,
            Some(ConstraintTarget::Slot(slot)) => known(Some(slot.index()), self.model.slots.len(), "slot")?,
            None => {}
        }
        self.model.constraints.push(constraint);
        Ok(())
    }

    /// Adds an animation.
    pub fn animation(&mut self, animation: Animation) -> AnimationId {
        self.model.animations.push(animation);
        AnimationId::new(self.model.animations.len() - 1)
    }

    /// Adds a name by which an animation is also found.
    #[cfg(feature = "sheet")]
    pub(crate) fn alias(&mut self, name: &str, animation: AnimationId) {
        self.model.aliases.push((name.into(), animation));
    }

    /// Sets the animation to show first.
    #[cfg(any(feature = "sheet", feature = "animate"))]
    pub(crate) fn first_animation(&mut self, animation: AnimationId) {
        self.model.first.get_or_insert(animation);
    }

    /// Sets whether all pages are kept sharp, regardless of their pixels.
    #[cfg(any(feature = "sheet", feature = "animate"))]
    pub(crate) fn keep_sharp(&mut self, is_sharp: bool) {
        self.model.sharp.fill(is_sharp);
    }

    /// Returns the finished model.
    pub fn build(mut self) -> Model {
        let skeleton = &mut self.model.skeleton;
        skeleton.is_bound_in_bones =
            skeleton.bones.iter().all(|bone| bone.bone_from_bind == Some(Affine2::IDENTITY));
        Model { identity: Identity::unique(), ..self.model }
    }

    fn check_mesh(&self, mesh: &Mesh) -> Result<()> {
        known(mesh.page.map(PageId::index), self.model.pages.len(), "page")?;
        known(mesh.indices.vertex_count().checked_sub(1), mesh.vertices.len(), "vertex")?;
        match &mesh.vertices {
            // The reader has checked the records, but they may belong to another model.
            Vertices::Skin4(vertices) => {
                known(vertices.bone_count().checked_sub(1), self.model.skeleton.bones.len(), "bone")
            }
            Vertices::SkinN(vertices) => self.check_bones(vertices),
        }
    }

    fn check_bones(&self, vertices: &SkinNVertices) -> Result<()> {
        known(vertices.bone_count().checked_sub(1), self.model.skeleton.bones.len(), "bone")
    }
}

impl Model {
    /// Adds a page and an attachment of `slot` that shows all of it: its centre at the origin, y up, is moved into the
    /// space of the slot's bone by `bone_from_picture`. Existing ids stay valid.
    pub(crate) fn add_picture(
        &mut self,
        slot: SlotId,
        name: &str,
        page: AtlasPage,
        bone_from_picture: Affine2,
    ) -> Result<AttachmentId> {
        let fail = |code, message: &str| Err(Error::misuse(code, message));
        let is_taken = |skin: &Skin| skin.entries.iter().any(|entry| entry.slot == slot && *entry.key == *name);
        if self.skins.iter().any(is_taken) {
            return Err(Error::misuse("name-taken", format!("the slot has an attachment `{}`", escaped(name))));
        }
        let Some(bone) = self.slot(slot).bone else {
            return fail("slot-without-bone", "the slot has no bone that moves the picture");
        };
        let bind_from_bone = match self.skeleton.bones[bone.index()].bone_from_bind {
            Some(bone_from_bind) if bone_from_bind.matrix2.determinant() != 0.0 => bone_from_bind.inverse(),
            Some(_) | None => return fail("slot-without-bone", "the bone of the slot moves nothing"),
        };
        let half = vec2(page.width as f32, page.height as f32) / 2.0;
        let mut vertices = SkinNVertices::default();
        for uv in [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y] {
            let corner = (uv * 2.0 - 1.0) * half * vec2(1.0, -1.0);
            let position = (bind_from_bone * bone_from_picture).transform_point2(corner);
            vertices.push(uv, position, &[Influence { position, bone: bone.index() as u32, weight: 1.0 }])?;
        }
        let identity = self.identity;
        let mut builder = ModelBuilder { model: std::mem::take(self) };
        let added = builder.page(page).and_then(|page| {
            builder.add_attachment(Attachment::Region(Mesh {
                name: name.into(),
                page: Some(page),
                vertices: vertices.into(),
                indices: Indices::of_rectangle(),
                tint: [1.0; 4],
                outline: Box::default(),
            }))
        });
        *self = builder.build();
        // What was uploaded of an unchanged model stays valid.
        let attachment = added.inspect_err(|_| self.identity = identity)?;
        // The last attachments are pictures of sequences. This one is a picture of itself.
        if !self.pictures.is_empty() {
            self.pictures.push(attachment);
        }
        if self.skins.is_empty() {
            self.skins.push(Skin::default());
        }
        self.skins[0].entries.push(SkinEntry { slot, key: name.into(), attachment });
        Ok(attachment)
    }
}

fn known(index: Option<usize>, count: usize, what: &str) -> Result<()> {
    match index {
        Some(index) if index >= count => {
            Err(Error::misuse("dangling-id", format!("{what} {index} does not exist, there are {count}")))
        }
        _ => Ok(()),
    }
}
