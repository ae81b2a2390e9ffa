//! What a character is: its skeleton, what hangs on it, its pictures and the list of its animations.
//!
//! A [`Model`] is static and valid: no index dangles, no parent follows its child, no number is NaN.
//! The readers build it with a [`ModelBuilder`], which is the only way to make one.

mod animation;
mod atlas;
mod builder;
mod constraint;
mod event;
mod geometry;
mod ids;
mod page_alpha;
mod select;
mod shape;
mod skeleton;
mod skin;
mod slot;
mod strip;

use crate::misuse;

pub use animation::{Animation, Timing};
pub use atlas::AtlasPage;
pub use builder::ModelBuilder;
pub use constraint::{Constraint, ConstraintKind, ConstraintTarget};
pub use event::Event;
pub use geometry::{
    Indices, Influence, Mesh, Skin4Vertex, Skin4Vertices, SkinNRecord, SkinNVertex, SkinNVertices, Vertices,
};
pub use ids::{AnimationId, AttachmentId, BoneId, EventId, PageId, SkinId, SlotId};
pub use page_alpha::{AlphaSource, Evidence, PageAlpha};
pub use select::{Select, UnknownName};
pub use shape::{ClipMask, Path, Point, Polygon};
pub use skeleton::{Bone, Skeleton};
pub use skin::{Skin, SkinEntry};
pub use slot::{Attachment, Blend, Slot, Tint};
pub use strip::{FrameTimes, Order, Strip};

/// Everything about a character that does not move.
#[derive(Debug, Clone, Default)]
pub struct Model {
    skeleton: Skeleton,
    slots: Vec<Slot>,
    attachments: Vec<Attachment>,
    pages: Vec<AtlasPage>,
    animations: Vec<Animation>,
    skins: Vec<Skin>,
    events: Vec<Event>,
    constraints: Vec<Constraint>,
}

impl Model {
    /// The bones.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The drawable places, in the order that draws them when nothing else is said.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// What the slots can show.
    pub fn attachments(&self) -> &[Attachment] {
        &self.attachments
    }

    /// Whether any attachment cuts off what others show: a renderer on the GPU needs a stencil for that.
    pub fn has_clip_masks(&self) -> bool {
        self.attachments.iter().any(|attachment| matches!(attachment, Attachment::ClipMask(_)))
    }

    /// The pictures.
    pub fn pages(&self) -> &[AtlasPage] {
        &self.pages
    }

    /// The animations, in file order.
    pub fn animations(&self) -> &[Animation] {
        &self.animations
    }

    /// The skins, in file order.
    pub fn skins(&self) -> &[Skin] {
        &self.skins
    }

    /// What animations can tell, in file order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What pulls at bones, in the order in which it acts.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// One skin.
    ///
    /// # Panics
    ///
    /// If the id is of another model, and this one has no skin of that number. [`Self::skins`] can be asked instead.
    #[track_caller]
    pub fn skin(&self, id: SkinId) -> &Skin {
        item(&self.skins, id.index(), "skin")
    }

    /// The first skin of that name.
    pub fn find_skin(&self, name: &str) -> Option<SkinId> {
        self.skins.iter().position(|skin| &*skin.name == name).map(SkinId::new)
    }

    /// Every skin's id, in file order.
    pub fn skin_ids(&self) -> impl ExactSizeIterator<Item = SkinId> + use<> {
        (0..self.skins.len()).map(SkinId::new)
    }

    /// Every slot's id, in file order.
    pub fn slot_ids(&self) -> impl ExactSizeIterator<Item = SlotId> + use<> {
        (0..self.slots.len()).map(SlotId::new)
    }

    /// Every attachment's id, in the order of [`Self::attachments`].
    pub fn attachment_ids(&self) -> impl ExactSizeIterator<Item = AttachmentId> + use<> {
        (0..self.attachments.len()).map(AttachmentId::new)
    }

    /// Every picture's id, in the order of [`Self::pages`].
    pub fn page_ids(&self) -> impl ExactSizeIterator<Item = PageId> + use<> {
        (0..self.pages.len()).map(PageId::new)
    }

    /// Every event's id, in file order.
    pub fn event_ids(&self) -> impl ExactSizeIterator<Item = EventId> + use<> {
        (0..self.events.len()).map(EventId::new)
    }

    /// The first slot of that name.
    pub fn find_slot(&self, name: &str) -> Option<SlotId> {
        self.slots.iter().position(|slot| &*slot.name == name).map(SlotId::new)
    }

    /// One of the things that animations can tell.
    ///
    /// # Panics
    ///
    /// If the id is of another model, and this one has no event of that number. [`Self::events`] can be asked instead.
    #[track_caller]
    pub fn event(&self, id: EventId) -> &Event {
        item(&self.events, id.index(), "event")
    }

    /// One slot.
    ///
    /// # Panics
    ///
    /// If the id is of another model, and this one has no slot of that number. [`Self::slots`] can be asked instead.
    #[track_caller]
    pub fn slot(&self, id: SlotId) -> &Slot {
        item(&self.slots, id.index(), "slot")
    }

    /// One attachment.
    ///
    /// # Panics
    ///
    /// If the id is of another model, and this one has no attachment of that number. [`Self::attachments`] can be asked instead.
    #[track_caller]
    pub fn attachment(&self, id: AttachmentId) -> &Attachment {
        item(&self.attachments, id.index(), "attachment")
    }

    /// One animation.
    ///
    /// # Panics
    ///
    /// If the id is of another model, and this one has no animation of that number. [`Self::animations`] can be asked instead.
    #[track_caller]
    pub fn animation(&self, id: AnimationId) -> &Animation {
        item(&self.animations, id.index(), "animation")
    }

    /// Every animation's id, in file order.
    pub fn animation_ids(&self) -> impl ExactSizeIterator<Item = AnimationId> + use<> {
        (0..self.animations.len()).map(AnimationId::new)
    }

    /// The first animation of that name.
    pub fn find_animation(&self, name: &str) -> Option<AnimationId> {
        self.animations.iter().position(|animation| animation.name == name).map(AnimationId::new)
    }

    /// The animations that are motion: all but the one that only holds the bind pose.
    pub fn motions(&self) -> impl Iterator<Item = AnimationId> {
        self.animation_ids().filter(|&id| !self.animation(id).is_bind_pose)
    }

    /// What to show when nobody says: the first motion, else the first animation.
    pub fn default_animation(&self) -> Option<AnimationId> {
        self.motions().next().or_else(|| self.animation_ids().next())
    }
}

/// What an id stands for.
#[inline]
#[track_caller]
fn item<'a, T>(list: &'a [T], index: usize, what: &str) -> &'a T {
    match list.get(index) {
        Some(item) => item,
        None => misuse::no_such(what, index, list.len()),
    }
}
