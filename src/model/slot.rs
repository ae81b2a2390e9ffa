//! Drawable places and what they show.

use super::{AttachmentId, BoneId, Mesh};

/// A drawable place on a bone.
#[derive(Debug, Clone)]
pub struct Slot {
    /// The bone whose visibility and order the slot follows; `None`: always visible, order 0.
    pub bone: Option<BoneId>,
    /// What it shows when nothing animates that.
    pub attachment: Option<AttachmentId>,
}

/// What a slot shows.
#[derive(Debug, Clone)]
pub enum Attachment {
    /// Skinned triangles.
    Mesh(Mesh),
}
