//! The draw list: matrices, and commands from back to front.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::{View, outline};
use crate::math::Vec2;
use crate::model::{AttachmentId, Model};
use crate::pose::{self, Pose, SkinMatrix};

/// Everything that is drawn at one instant. Reuse it: after the first build nothing is allocated.
#[derive(Debug, Clone, Default)]
pub struct DrawList {
    /// `world_from_bind` of every bone.
    pub palette: Vec<SkinMatrix>,
    /// What is drawn, back to front.
    pub commands: Vec<Command>,
    /// Triangles for [`Command::Overlay`], three vertices each.
    pub overlay: Vec<OverlayVertex>,
}

/// One thing to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// An attachment of the model that has triangles, skinned with the palette.
    Attachment(AttachmentId),
    /// A range of [`DrawList::overlay`]; a multiple of three vertices.
    Overlay(Range<u32>),
}

/// A corner of a plain triangle, as the vertex buffer takes it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct OverlayVertex {
    /// World pixels, y up.
    pub position: Vec2,
    /// Premultiplied.
    pub color: [u8; 4],
}

impl DrawList {
    /// Fills the list with what `pose` shows. The view only decides how thick a pixel-wide line is.
    pub fn build(&mut self, model: &Model, pose: &Pose, view: &View) {
        pose::palette(model, pose, &mut self.palette);
        self.commands.clear();
        self.overlay.clear();
        for id in pose.visible_attachments() {
            let Some(mesh) = model.attachment(id).mesh() else { continue };
            self.commands.push(Command::Attachment(id));
            if mesh.page.is_none() {
                let from = self.overlay.len() as u32;
                outline::append(mesh, &self.palette, view, &mut self.overlay);
                self.commands.push(Command::Overlay(from..self.overlay.len() as u32));
            }
        }
    }
}
