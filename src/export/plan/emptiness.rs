//! Why nothing is visible in pictures.

use super::pictures::Planned;
use crate::Character;
use crate::draw::{Hidden, View};
use crate::math::{Rect, vec2};
use crate::model::{AtlasPage, Mesh, Model, SlotId, Vertices};
use crate::motion::Evaluator;
use crate::pose::{Pose, palette, slot_bounds};

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
    /// The colours of slots and attachments are transparent.
    #[error("everything has alpha 0")]
    Transparent,
    /// Everything is a point or a line.
    #[error("everything is scaled to nothing")]
    Flat,
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
        let mut matrices = Vec::new();
        palette(model, pose, &mut matrices);
        let shown = pose.draw_order.iter().copied().filter(|slot| pose.is_slot_active(model, *slot));
        let of_slot = |slot: SlotId| {
            let state = pose.slots.get(slot.index())?;
            let attachment = state.attachment?;
            let mesh = model.attachment(attachment).mesh().filter(|mesh| !mesh.indices.is_empty());
            let Some(mesh) = mesh else { return Some(Why::NotDrawn) };
            let bounds = slot_bounds(model, pose, slot, &matrices);
            let is_inside = |view: &View| !bounds.intersection(view.world()).is_empty();
            Some(if hidden.hides(model, slot, attachment) {
                Why::Hidden
            } else if !model.is_drawn(mesh) {
                Why::NotFound
            } else if !(state.tint.light[3] > 0.0 && mesh.tint[3] > 0.0) {
                Why::Transparent
            } else if bounds.is_empty() {
                Why::Flat
            } else if !view.is_none_or(is_inside) {
                Why::Outside
            } else {
                match mesh.page.and_then(|page| model.pages().get(page.index())) {
                    None => Why::NoImage,
                    Some(page) if !shows_pixels(page, mesh) => Why::Blank,
                    Some(_) => Why::Unseen,
                }
            })
        };
        Self(shown.filter_map(of_slot).max().unwrap_or(Why::NoAttachment))
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

/// Returns true if the part of `page` around the texture coordinates of `mesh` has any pixel with colour or alpha.
fn shows_pixels(page: &AtlasPage, mesh: &Mesh) -> bool {
    let area = match &mesh.vertices {
        Vertices::Skin4(vertices) => vertices.iter().fold(Rect::NOTHING, |area, vertex| area.include(vertex.uv)),
        Vertices::SkinN(vertices) => vertices.iter().fold(Rect::NOTHING, |area, vertex| area.include(vertex.uv)),
    };
    let size = vec2(page.width as f32, page.height as f32);
    // Bilinear sampling reaches the next pixel.
    let Rect { min, max } = Rect { min: area.min * size, max: area.max * size }.expand(1.0).round_out();
    let [left, top, right, bottom] = [min.x, min.y, max.x, max.y].map(|side| side.max(0.0) as usize);
    let mut rows = page.pixels.chunks_exact(page.width as usize * 4).take(bottom).skip(top);
    let visible = if page.is_premultiplied { 0..4 } else { 3..4 };
    rows.any(|row| {
        let row = row.get(left * 4..(right * 4).min(row.len())).unwrap_or_default();
        row.chunks_exact(4).any(|pixel| pixel[visible.clone()].iter().any(|channel| *channel > 0))
    })
}
