//! What a model needs of a device and of its pipelines.

use crate::draw::BlendClass;
use crate::gpu::error::{Cause, GpuError};
use crate::gpu::pipeline::{Kind, Layouts, TargetFormat};
use crate::model::{Attachment, Model, Vertices};

/// Which pipelines a model needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// Vertices with four influences.
    pub skin4: bool,
    /// Vertices with a list of influences.
    pub lists: bool,
    /// By number of the class.
    pub blends: [bool; BlendClass::ALL.len()],
    pub masks: bool,
    /// Meshes without a page, which have outlines.
    pub outlines: bool,
}

impl Needs {
    pub fn of(model: &Model) -> Self {
        let masks = model.has_clip_masks();
        let mut needs = Self { skin4: false, lists: false, blends: [false; _], masks, outlines: false };
        for attachment in model.attachments() {
            let mesh = attachment.mesh();
            match mesh.map(|mesh| &mesh.vertices) {
                Some(Vertices::Skin4(_)) => needs.skin4 = true,
                Some(Vertices::SkinN(_)) => needs.lists = true,
                None => needs.lists |= matches!(attachment, Attachment::ClipMask(_)),
            }
            needs.outlines |= mesh.is_some_and(|mesh| mesh.page.is_none());
        }
        needs.blends[BlendClass::Over as usize] = true;
        for slot in model.slots() {
            needs.blends[BlendClass::from(slot.blend) as usize] = true;
        }
        needs
    }

    /// The pipelines that draw the model. Overlays are only known once a list is drawn.
    pub fn kinds(self) -> impl Iterator<Item = Kind> {
        let classes = BlendClass::ALL.into_iter().filter(move |class| self.blends[*class as usize]);
        let sprites = classes.flat_map(move |class| {
            [self.skin4.then_some(Kind::Skin4(class)), self.lists.then_some(Kind::SkinN(class))]
        });
        let others = [self.masks.then_some(Kind::Mask), self.outlines.then_some(Kind::Overlay)];
        sprites.chain(others).flatten()
    }

    /// The number of storage buffers that a vertex shader reads.
    pub fn storage_buffers(self) -> u32 {
        if self.lists { Layouts::STORAGE_BUFFERS_OF_LISTS } else { Layouts::STORAGE_BUFFERS }
    }

    /// Checks that a target has a stencil if the model has clip masks.
    pub fn check_stencil(self, target: TargetFormat) -> Result<(), GpuError> {
        let has_stencil = target.depth_stencil.is_some_and(|format| format.has_stencil_aspect());
        if self.masks && !has_stencil { Err(Cause::NoStencil.into()) } else { Ok(()) }
    }
}
