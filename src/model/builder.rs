//! The only way to make a [`Model`]: a reader hands over parts and gets ids for them.

use super::{
    AlphaSource, Animation, AnimationId, AtlasPage, Attachment, AttachmentId, Bone, BoneId, Constraint,
    ConstraintTarget, Event, EventId, Evidence, Mesh, Model, PageAlpha, PageId, Skin, SkinId, SkinNVertices, Slot,
    SlotId, Vertices,
};
use crate::error::{Error, Result};
use crate::math::Affine2;

/// Collects the parts of a [`Model`] and checks that they refer to each other properly.
#[derive(Debug, Default)]
pub struct ModelBuilder {
    model: Model,
}

impl ModelBuilder {
    /// Adds a bone. Its parent was added before it.
    pub fn bone(&mut self, bone: Bone) -> Result<BoneId> {
        if self.model.skeleton.helpers > 0 {
            return Err(Error::misuse("bone-after-helper", "bones come before their helpers"));
        }
        self.add_bone(bone)
    }

    fn add_bone(&mut self, bone: Bone) -> Result<BoneId> {
        let bones = &mut self.model.skeleton.bones;
        known(bone.parent.map(BoneId::index), bones.len(), "parent bone")?;
        bones.push(bone);
        Ok(BoneId::new(bones.len() - 1))
    }

    /// Adds a helper of the bone `of`, which moves vertices where no bone moves them just so. No bone is added after
    /// the first helper.
    pub fn helper(&mut self, of: BoneId) -> Result<BoneId> {
        let helper = Bone { name: Box::default(), parent: Some(of), bone_from_bind: Some(Affine2::IDENTITY) };
        let id = self.add_bone(helper)?;
        self.model.skeleton.helpers += 1;
        Ok(id)
    }

    /// Adds a picture.
    pub fn page(&mut self, page: AtlasPage) -> Result<PageId> {
        let expected = (u64::from(page.width) * u64::from(page.height)).checked_mul(4);
        if expected.is_none_or(|expected| expected == 0 || page.pixels.len() as u64 != expected) {
            return Err(Error::misuse("page-size", format!("page `{}` does not hold its pixels", page.name)));
        }
        self.model.pages.push(page);
        Ok(PageId::new(self.model.pages.len() - 1))
    }

    /// Settles for every page whether it is premultiplied: as `asked`, else as its file states, else as the pixels of
    /// all pages that no file says anything about suggest, else straight. All pages were added before. True if the
    /// pixels suggest that they are premultiplied.
    pub fn settle_alpha(&mut self, asked: PageAlpha) -> bool {
        let pages = &mut self.model.pages;
        if let Some(is_premultiplied) = asked.forced() {
            for page in pages {
                (page.is_premultiplied, page.alpha_source) = (is_premultiplied, AlphaSource::Forced);
            }
            return false;
        }
        let is_open = |page: &&mut AtlasPage| page.alpha_source == AlphaSource::Assumed;
        let mut evidence = Evidence::default();
        pages.iter_mut().filter(is_open).for_each(|page| evidence.add(&page.pixels));
        let verdict = evidence.is_premultiplied();
        if let Some(is_premultiplied) = verdict {
            for page in pages.iter_mut().filter(is_open) {
                (page.is_premultiplied, page.alpha_source) = (is_premultiplied, AlphaSource::Pixels);
            }
        }
        verdict == Some(true)
    }

    /// Adds an attachment. Its page and its bones were added before it.
    pub fn attachment(&mut self, attachment: Attachment) -> Result<AttachmentId> {
        match &attachment {
            Attachment::Region(mesh) | Attachment::Mesh(mesh) => self.check_mesh(mesh)?,
            Attachment::ClipMask(mask) => {
                known(mask.end.map(SlotId::index), self.model.slots.len(), "slot")?;
                self.check_bones(&mask.polygon.vertices)?;
            }
            Attachment::Path(path) => self.check_bones(&path.vertices)?,
            Attachment::Point(point) => known(Some(point.bone.index()), self.model.skeleton.bones.len(), "bone")?,
            Attachment::Bounds(polygon) => self.check_bones(&polygon.vertices)?,
        }
        self.model.attachments.push(attachment);
        Ok(AttachmentId::new(self.model.attachments.len() - 1))
    }

    /// Adds a slot. Its bone and its attachment were added before it.
    pub fn slot(&mut self, slot: Slot) -> Result<SlotId> {
        known(slot.bone.map(BoneId::index), self.model.skeleton.bones.len(), "bone")?;
        known(slot.attachment.map(AttachmentId::index), self.model.attachments.len(), "attachment")?;
        self.model.slots.push(slot);
        Ok(SlotId::new(self.model.slots.len() - 1))
    }

    /// Sets what a slot shows when nothing animates that. Both were added before.
    pub fn show(&mut self, slot: SlotId, attachment: AttachmentId) -> Result<()> {
        known(Some(attachment.index()), self.model.attachments.len(), "attachment")?;
        known(Some(slot.index()), self.model.slots.len(), "slot")?;
        self.model.slots[slot.index()].attachment = Some(attachment);
        Ok(())
    }

    /// Adds a skin. What is in it was added before.
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

    /// Adds a constraint. What it pulls and what it pulls to was added before it.
    pub fn constraint(&mut self, constraint: Constraint) -> Result<()> {
        let bones = self.model.skeleton.bones.len();
        for bone in &constraint.bones {
            known(Some(bone.index()), bones, "bone")?;
        }
        match constraint.target {
            ConstraintTarget::Bone(bone) => known(Some(bone.index()), bones, "bone")?,
            ConstraintTarget::Slot(slot) => known(Some(slot.index()), self.model.slots.len(), "slot")?,
        }
        self.model.constraints.push(constraint);
        Ok(())
    }

    /// Adds an animation.
    pub fn animation(&mut self, animation: Animation) -> AnimationId {
        self.model.animations.push(animation);
        AnimationId::new(self.model.animations.len() - 1)
    }

    /// The finished model.
    pub fn build(self) -> Model {
        self.model
    }

    fn check_mesh(&self, mesh: &Mesh) -> Result<()> {
        known(mesh.page.map(PageId::index), self.model.pages.len(), "page")?;
        known(mesh.indices.vertex_count().checked_sub(1), mesh.vertices.len(), "vertex")?;
        match &mesh.vertices {
            // The reader has gone through the records, but they may be those of another model.
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

fn known(index: Option<usize>, count: usize, what: &str) -> Result<()> {
    match index {
        Some(index) if index >= count => {
            Err(Error::misuse("dangling-id", format!("{what} {index} does not exist, there are {count}")))
        }
        _ => Ok(()),
    }
}
