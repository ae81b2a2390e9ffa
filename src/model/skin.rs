//! Sets of attachments.

use super::{AttachmentId, BoneId, SlotId};

/// A named set of attachments.
#[derive(Debug, Clone)]
pub struct Skin {
    /// The name in the file.
    pub name: Box<str>,
    /// What its slots can show.
    pub entries: Vec<SkinEntry>,
    /// Bones that are there only with such a skin.
    pub bones: Vec<BoneId>,
}

/// One attachment of a skin.
#[derive(Debug, Clone)]
pub struct SkinEntry {
    /// Where it can be shown.
    pub slot: SlotId,
    /// What animations call it, whichever skin has it.
    pub key: Box<str>,
    /// What it is in this skin.
    pub attachment: AttachmentId,
}
