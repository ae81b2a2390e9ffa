//! The static part of a character: skeleton, slots, attachments, pages and the list of animations.
//!
//! A [`Model`] is always valid: no index dangles, no parent follows its child, no number is NaN.
//! The readers build it with a [`ModelBuilder`], the only way to create one.

mod animation;
mod atlas;
mod builder;
mod constraint;
mod event;
mod geometry;
mod identity;
mod ids;
mod merge;
pub(crate) mod page_alpha;
mod select;
mod shape;
mod skeleton;
mod skin;
mod slot;
mod strip;

use crate::misuse;

pub use animation::{Animation, AnimationId, Timing};
pub use atlas::{AtlasPage, PageId};
pub use builder::ModelBuilder;
pub use constraint::{Constraint, ConstraintId, ConstraintKind, ConstraintTarget};
pub use event::{Event, EventId};
pub use geometry::{
    Indices, Influence, Mesh, Skin4Vertex, Skin4Vertices, SkinNRecord, SkinNVertex, SkinNVertices, Vertices,
};
pub(crate) use geometry::{WEIGHT_SUM_TOLERANCE, single_edges};
pub(crate) use identity::Identity;
pub use ids::Id;
pub(crate) use merge::Firsts;
pub use page_alpha::AlphaSource;
pub(crate) use page_alpha::Evidence;
pub use select::{Select, UnknownName};
pub use shape::{ClipMask, Path, Point, Polygon};
pub use skeleton::{Bone, BoneId, Marker, Skeleton};
pub use skin::{Skin, SkinEntry, SkinId};
pub use slot::{Attachment, AttachmentId, Blend, Slot, SlotId, Tint};
pub use strip::{FrameTimes, Order, Strip};

/// The static part of a character.
#[derive(Debug, Clone, Default)]
pub struct Model {
    identity: Identity,
    skeleton: Skeleton,
    slots: Vec<Slot>,
    attachments: Vec<Attachment>,
    /// For each of the last attachments, the authored one that it is a further picture of.
    pictures: Vec<AttachmentId>,
    pages: Vec<AtlasPage>,
    /// Whether meshes without a page are hidden.
    hides_missing: bool,
    /// The pages that are assumed to be pixel art.
    sharp: Vec<bool>,
    animations: Vec<Animation>,
    /// Further names of animations.
    aliases: Vec<(Box<str>, AnimationId)>,
    /// The animation to show first, if the file states it.
    first: Option<AnimationId>,
    skins: Vec<Skin>,
    events: Vec<Event>,
    constraints: Vec<Constraint>,
    /// In order, the slots after which no clip mask applies: of each [merged](Self::merge) model the last.
    curtains: Vec<SlotId>,
}

impl Model {
    /// Identifies the model.
    #[cfg(feature = "gpu")]
    pub(crate) fn identity(&self) -> Identity {
        self.identity
    }

    /// Returns the skeleton.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Returns the slots, in the default draw order.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Returns the attachments: the [authored ones](Self::authored_attachments), then one for each further picture of
    /// attachments that have several.
    pub fn attachments(&self) -> &[Attachment] {
        &self.attachments
    }

    /// Returns the attachments of the file, without further pictures of a sequence.
    pub fn authored_attachments(&self) -> &[Attachment] {
        &self.attachments[..self.attachments.len() - self.pictures.len()]
    }

    /// Returns the authored attachment that a picture of a sequence belongs to; for any other attachment, itself.
    ///
    /// A pose shows the picture, a skin contains the authored attachment.
    pub fn authored_attachment(&self, id: AttachmentId) -> AttachmentId {
        let picture = id.index().checked_sub(self.authored_attachments().len());
        picture.and_then(|picture| self.pictures.get(picture)).copied().unwrap_or(id)
    }

    /// Returns true if the model has clip masks, for which a GPU renderer needs a stencil.
    pub fn has_clip_masks(&self) -> bool {
        self.attachments.iter().any(|attachment| matches!(attachment, Attachment::ClipMask(_)))
    }

    /// Returns the atlas pages.
    pub fn pages(&self) -> &[AtlasPage] {
        &self.pages
    }

    /// Returns true if pictures show a mesh. One without a page is shown in a neutral colour, unless the file was read with
    /// [`Missing::Hide`](crate::formats::Missing::Hide), or is a Spine character whose atlas has other regions.
    pub fn is_drawn(&self, mesh: &Mesh) -> bool {
        mesh.page.is_some() || !self.hides_missing
    }

    /// Returns the region or mesh of an attachment, if it has one that [is drawn](Self::is_drawn).
    pub(crate) fn drawn_mesh(&self, id: AttachmentId) -> Option<&Mesh> {
        self.attachment(id).mesh().filter(|mesh| self.is_drawn(mesh))
    }

    /// Hides meshes without a page, or shows them.
    pub(crate) fn hide_missing(&mut self, hides: bool) {
        self.hides_missing = hides;
    }

    /// Returns true if a page is assumed to be pixel art, which [`Filter::Auto`](crate::draw::Filter::Auto) keeps sharp:
    /// it is small, or has few colours and hard edges.
    ///
    /// # Panics
    ///
    /// If the page belongs to another model.
    #[track_caller]
    pub fn is_pixel_art(&self, page: PageId) -> bool {
        *item(&self.sharp, page.index(), "page")
    }

    /// Returns the animations, in file order.
    pub fn animations(&self) -> &[Animation] {
        &self.animations
    }

    /// Returns the skins, in file order.
    pub fn skins(&self) -> &[Skin] {
        &self.skins
    }

    /// Returns the events, in file order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns the constraints, in the order in which they are applied.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Returns a constraint.
    ///
    /// # Panics
    ///
    /// Panics if the id belongs to another model and is out of range in this one; see [`Self::constraints`].
    #[track_caller]
    pub fn constraint(&self, id: ConstraintId) -> &Constraint {
        item(&self.constraints, id.index(), "constraint")
    }

    /// Returns the first constraint with the given name.
    pub fn find_constraint(&self, name: &str) -> Option<ConstraintId> {
        self.constraints.iter().position(|constraint| &*constraint.name == name).map(ConstraintId::new)
    }

    /// Returns the ids of all constraints, in the order of [`Self::constraints`].
    pub fn constraint_ids(&self) -> impl ExactSizeIterator<Item = ConstraintId> + use<> {
        (0..self.constraints.len()).map(ConstraintId::new)
    }

    /// Returns a skin.
    ///
    /// # Panics
    ///
    /// Panics if the id belongs to another model and is out of range in this one; see [`Self::skins`].
    #[track_caller]
    pub fn skin(&self, id: SkinId) -> &Skin {
        item(&self.skins, id.index(), "skin")
    }

    /// Returns the first skin with the given name.
    pub fn find_skin(&self, name: &str) -> Option<SkinId> {
        self.skins.iter().position(|skin| &*skin.name == name).map(SkinId::new)
    }

    /// Returns the ids of all skins, in file order.
    pub fn skin_ids(&self) -> impl ExactSizeIterator<Item = SkinId> + use<> {
        (0..self.skins.len()).map(SkinId::new)
    }

    /// Returns the ids of all slots, in file order.
    pub fn slot_ids(&self) -> impl ExactSizeIterator<Item = SlotId> + use<> {
        (0..self.slots.len()).map(SlotId::new)
    }

    /// Returns the ids of all attachments, in the order of [`Self::attachments`].
    pub fn attachment_ids(&self) -> impl ExactSizeIterator<Item = AttachmentId> + use<> {
        (0..self.attachments.len()).map(AttachmentId::new)
    }

    /// Returns the ids of all pages, in the order of [`Self::pages`].
    pub fn page_ids(&self) -> impl ExactSizeIterator<Item = PageId> + use<> {
        (0..self.pages.len()).map(PageId::new)
    }

    /// Returns the ids of all events, in file order.
    pub fn event_ids(&self) -> impl ExactSizeIterator<Item = EventId> + use<> {
        (0..self.events.len()).map(EventId::new)
    }

    /// Returns the first slot with the given name.
    pub fn find_slot(&self, name: &str) -> Option<SlotId> {
        self.slots.iter().position(|slot| &*slot.name == name).map(SlotId::new)
    }

    /// Returns an event.
    ///
    /// # Panics
    ///
    /// Panics if the id belongs to another model and is out of range in this one; see [`Self::events`].
    #[track_caller]
    pub fn event(&self, id: EventId) -> &Event {
        item(&self.events, id.index(), "event")
    }

    /// Returns a slot.
    ///
    /// # Panics
    ///
    /// Panics if the id belongs to another model and is out of range in this one; see [`Self::slots`].
    #[track_caller]
    pub fn slot(&self, id: SlotId) -> &Slot {
        item(&self.slots, id.index(), "slot")
    }

    /// Returns an attachment.
    ///
    /// # Panics
    ///
    /// Panics if the id belongs to another model and is out of range in this one; see [`Self::attachments`].
    #[track_caller]
    pub fn attachment(&self, id: AttachmentId) -> &Attachment {
        item(&self.attachments, id.index(), "attachment")
    }

    /// Returns an animation.
    ///
    /// # Panics
    ///
    /// Panics if the id belongs to another model and is out of range in this one; see [`Self::animations`].
    #[track_caller]
    pub fn animation(&self, id: AnimationId) -> &Animation {
        item(&self.animations, id.index(), "animation")
    }

    /// Returns the ids of all animations, in file order.
    pub fn animation_ids(&self) -> impl ExactSizeIterator<Item = AnimationId> + use<> {
        (0..self.animations.len()).map(AnimationId::new)
    }

    /// Returns the first animation with the given name, or else the first with this alias. Sheets have aliases: the prefix
    /// of a clip's frames, and its name without folders.
    pub fn find_animation(&self, name: &str) -> Option<AnimationId> {
        let named = self.animations.iter().position(|animation| animation.name == name).map(AnimationId::new);
        named.or_else(|| Some(self.aliases.iter().find(|(alias, _)| **alias == *name)?.1))
    }

    /// Returns the animation to show first, if the file states it.
    pub(crate) fn stated_first_animation(&self) -> Option<AnimationId> {
        self.first
    }

    /// Returns all animations except the one that only stores the bind pose.
    pub fn motions(&self) -> impl Iterator<Item = AnimationId> {
        self.animation_ids().filter(|&id| !self.animation(id).is_bind_pose)
    }

    /// Returns the first of [`Self::motions`], or else the first animation. To show a character, prefer
    /// [`first_animation`](crate::motion::first_animation).
    pub fn default_animation(&self) -> Option<AnimationId> {
        self.motions().next().or_else(|| self.animation_ids().next())
    }
}

/// Returns the item with the given index, or panics.
#[inline]
#[track_caller]
fn item<'a, T>(list: &'a [T], index: usize, what: &str) -> &'a T {
    match list.get(index) {
        Some(item) => item,
        None => misuse::no_such(what, index, list.len()),
    }
}
