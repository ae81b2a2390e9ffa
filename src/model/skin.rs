//! Skins: named sets of attachments, one for each slot and name.

use super::{AttachmentId, BoneId, Id, SlotId};

/// Id of a skin.
pub type SkinId = Id<Skin>;

/// A named set of attachments.
#[derive(Debug, Clone, Default)]
pub struct Skin {
    /// The name in the file.
    pub name: Box<str>,
    /// The attachments.
    pub entries: Vec<SkinEntry>,
    /// Bones that are only active while a skin that lists them is applied.
    pub bones: Vec<BoneId>,
    /// The colour of the skin in the editor: red, green, blue and alpha, straight.
    pub color: Option<[u8; 4]>,
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
