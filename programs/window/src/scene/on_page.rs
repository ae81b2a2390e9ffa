//! The part of a page that an attachment shows.

use pchr::math::{Rect, Vec2, vec2};
use pchr::model::{Attachment, Mesh, Model, PageId, Vertices};

/// The position of an attachment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnPage {
    /// The page.
    pub page: PageId,
    /// Rectangle in page pixels, y down from the upper-left corner.
    pub rect: Rect,
}

/// Returns the part of a page that an attachment shows, or `None` if it has no page.
pub fn on_page(model: &Model, attachment: &Attachment) -> Option<OnPage> {
    let mesh = attachment.mesh()?;
    let page = mesh.page?;
    let size = model.pages().get(page.index()).map(|page| vec2(page.width as f32, page.height as f32))?;
    Some(OnPage { page, rect: corners(mesh, size)? })
}

/// Returns the page rectangle that a mesh shows, in whole pixels.
fn corners(mesh: &Mesh, size: Vec2) -> Option<Rect> {
    let mut rect = Rect::NOTHING;
    let mut add = |uv: Vec2| {
        // Texture coordinates are inset by less than a hundredth of a pixel.
        rect = rect.include((uv * size + 0.5).floor());
    };
    match &mesh.vertices {
        Vertices::Skin4(vertices) => vertices.iter().for_each(|vertex| add(vertex.uv)),
        Vertices::SkinN(vertices) => vertices.iter().for_each(|vertex| add(vertex.uv)),
    }
    (!rect.is_empty()).then_some(rect)
}
