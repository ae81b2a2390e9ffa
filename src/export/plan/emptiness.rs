//! Why nothing is visible in pictures.

use super::pictures::Planned;
use crate::Character;
use crate::draw::{Hidden, SpriteColor, View};
use crate::math::Rect;
use crate::model::{Attachment, AttachmentId, Model, SlotId};
use crate::motion::Evaluator;
use crate::pose::{Pose, SkinMatrix, clip_polygon, palette, slot_bounds};

/// The reason why nothing is visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error(transparent)]
pub struct Emptiness(Why);

/// The reasons, ordered by how close the best slot is to being visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
enum Why {
    /// No slot shows an attachment.
    #[error("no slot shows an attachment")]
    NoAttachment,
    /// Slots show only attachments that are not drawn.
    #[error("all attachments that are shown are of kinds that are not drawn, such as bounding boxes")]
    NotDrawn,
    /// The options hide everything.
    #[error("--mesh or --hide-mesh hides everything")]
    Hidden,
    /// Everything lacks its image, and is hidden.
    #[error("the images are missing (see --missing)")]
    NotFound,
    /// The colours of slots and attachments are transparent, or add nothing.
    #[error("everything has alpha 0, or is black and additive")]
    Transparent,
    /// Everything is a point or a line.
    #[error("everything is scaled to nothing")]
    Flat,
    /// Everything is outside of the clip masks.
    #[error("everything is clipped")]
    Clipped,
    /// Everything is outside of the picture.
    #[error("everything is outside of the picture (see --fit)")]
    Outside,
    /// Everything needs an image that was not found.
    #[error("the images are missing")]
    NoImage,
    /// The parts of images that are shown have no visible pixel.
    #[error("the images are transparent there")]
    Blank,
    /// Everything is drawn, without any effect.
    #[error("everything is clipped, or too small")]
    Unseen,
}

impl Emptiness {
    /// Returns the reason why nothing is visible in `pictures`. Without `view`, their area is not considered.
    ///
    /// # Panics
    ///
    /// Panics if `pictures` belong to another character.
    #[track_caller]
    pub fn of<'a>(
        character: &Character,
        hidden: &Hidden,
        view: Option<&View>,
        pictures: impl IntoIterator<Item = &'a Planned>,
    ) -> Self {
        let model = character.model();
        let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(model));
        let of_picture = |picture: &Planned| {
            evaluator.evaluate(character, &picture.cue, &mut pose);
            Self::of_pose(model, &pose, hidden, view)
        };
        pictures.into_iter().map(of_picture).max().unwrap_or(Self(Why::NoAttachment))
    }

    /// Returns the reason why nothing is visible in `pose`.
    ///
    /// # Panics
    ///
    /// Panics if `pose` belongs to another model.
    #[track_caller]
    pub fn of_pose(model: &Model, pose: &Pose, hidden: &Hidden, view: Option<&View>) -> Self {
        let mut unlimited = u64::MAX;
        Self::searching(model, pose, hidden, view, &mut unlimited)
    }

    /// Like [`Self::of_pose`], but searches at most `pixels` of the images, and subtracts them. The others count as
    /// visible.
    #[track_caller]
    pub(crate) fn searching(
        model: &Model,
        pose: &Pose,
        hidden: &Hidden,
        view: Option<&View>,
        pixels: &mut u64,
    ) -> Self {
        let mut matrices = Vec::new();
        palette(model, pose, &mut matrices);
        let mut look = Look { model, pose, hidden, view, pixels, matrices, clip: None };
        let reasons = pose.draw_order.iter().filter_map(|&slot| look.at(slot));
        Self(reasons.max().unwrap_or(Why::NoAttachment))
    }

    /// Returns true if no slot shows an attachment that could be drawn.
    pub fn is_without_attachments(self) -> bool {
        self.0 <= Why::NotDrawn
    }

    /// Returns true if something should be visible, according to the poses: also the shape of an attachment
    /// without an image, unless it is hidden.
    pub fn is_drawn(self) -> bool {
        matches!(self.0, Why::NoImage | Why::Unseen)
    }
}

/// Looks at the slots of a pose, back to front.
struct Look<'a> {
    model: &'a Model,
    pose: &'a Pose,
    hidden: &'a Hidden,
    view: Option<&'a View>,
    /// The number of pixels of images that may still be searched.
    pixels: &'a mut u64,
    matrices: Vec<SkinMatrix>,
    clip: Option<Clip>,
}

/// The active clip mask.
struct Clip {
    /// A rectangle around everything that it shows; `None` for an inverse mask.
    area: Option<Rect>,
    end: Option<SlotId>,
}

impl Look<'_> {
    /// Returns why the attachment of a slot is not visible; `None` if it shows none.
    fn at(&mut self, slot: SlotId) -> Option<Why> {
        let Self { model, pose, .. } = *self;
        let shown = pose.slot(slot).attachment.filter(|_| pose.is_slot_active(model, slot));
        if let Some(Attachment::ClipMask(mask)) = shown.map(|shown| model.attachment(shown))
            && self.clip.is_none()
        {
            let mut corners = Vec::new();
            clip_polygon(model, pose, slot, &self.matrices, &mut corners);
            let area = corners.into_iter().fold(Rect::NOTHING, Rect::include);
            self.clip = Some(Clip { area: (!mask.is_inverse).then_some(area), end: mask.end });
            // As in a draw list, a mask that ends with its own slot applies until the end.
            return Some(Why::NotDrawn);
        }
        let why = shown.map(|shown| self.of_attachment(slot, shown));
        self.clip.take_if(|clip| model.ends_mask(clip.end, slot));
        why
    }

    fn of_attachment(&mut self, slot: SlotId, shown: AttachmentId) -> Why {
        let Self { model, pose, hidden, view, .. } = *self;
        let Some(mesh) = model.attachment(shown).mesh().filter(|mesh| !mesh.indices.is_empty()) else {
            return Why::NotDrawn;
        };
        let bounds = slot_bounds(model, pose, slot, &self.matrices);
        let is_outside = |area: Rect| bounds.intersection(area).is_empty();
        let color = SpriteColor::new(&pose.slot(slot).tint, mesh.tint, model.slot(slot).blend);
        if hidden.hides(model, slot, shown) {
            Why::Hidden
        } else if !model.is_drawn(mesh) {
            Why::NotFound
        } else if !color.is_some_and(|color| color.is_visible()) {
            Why::Transparent
        } else if bounds.is_empty() {
            Why::Flat
        } else if self.clip.as_ref().and_then(|clip| clip.area).is_some_and(is_outside) {
            Why::Clipped
        } else if view.is_some_and(|view| is_outside(view.world())) {
            Why::Outside
        } else {
            match mesh.page.and_then(|page| model.pages().get(page.index())) {
                None => Why::NoImage,
                Some(page) if !page.shows(mesh, self.pixels) => Why::Blank,
                Some(_) => Why::Unseen,
            }
        }
    }
}
