//! Skins.

use super::{AttachmentId, BoneId, SlotId};

/// A named set of attachments.
#[derive(Debug, Clone)]
pub struct Skin {
    /// The name in the file.
    pub name: Box<str>,
    /// The attachments.
    pub entries: Vec<SkinEntry>,
    /// Bones that are only active while a skin that lists them is applied.
    pub bones: Vec<BoneId>,
}

/// An attachment of a skin.
#[derive(Debug, Clone)]
pub struct SkinEntry {
    /// The slot that can show it.
    pub slot: SlotId,
    /// The name by which animations refer to it. Other skins may have another attachment of this name.
    pub key: Box<str>,
    /// The attachment in this skin.
    pub attachment: AttachmentId,
}
