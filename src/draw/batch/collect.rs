//! One pass over the commands of a draw list, for both kinds of batches.

use std::ops::Range;

use super::color::VertexColor;
use super::spans::Spans;
use crate::draw::{BlendClass, Command, DrawList, Mask, OverlayVertex, Sprite};
use crate::math::Vec2;
use crate::model::{Attachment, Blend, ClipMask, Model, Vertices};

/// The largest number of elements in an array: 32 bits do not count more.
pub const MOST: usize = u32::MAX as usize;

/// The arrays of vertices that are filled.
pub trait Sink {
    /// Number of vertices so far.
    fn len(&self) -> usize;

    /// How many more vertices and influences there is room for.
    fn room(&self) -> usize;

    /// Adds the vertices of a sprite.
    fn sprite(&mut self, vertices: &Vertices, deform: &[Vec2], color: VertexColor);

    /// Adds a vertex of the overlay.
    fn plain(&mut self, vertex: &OverlayVertex);

    /// Adds the corners of a clip polygon and returns their range. What is covered twice is outside of it, so an inverse
    /// one continues, from its first corner, around everything.
    fn polygon(&mut self, mask: &Mask, clip: &ClipMask) -> Range<u32>;
}

/// Fills `sink` and `spans`, which are empty, from `list`.
///
/// Panics where the list names attachments that the model does not have.
#[track_caller]
pub fn collect(model: &Model, list: &DrawList, spans: &mut Spans, sink: &mut impl Sink) {
    for command in &list.commands {
        match command {
            Command::Sprite(sprite) => collect_sprite(model, list, sprite, spans, sink),
            Command::ClipBegin(_) if spans.is_clipped() => {}
            Command::ClipBegin(mask) => {
                let points = if let Attachment::ClipMask(clip) = model.attachment(mask.attachment)
                    && clip.polygon.vertices.influences().len() <= sink.room()
                {
                    sink.polygon(mask, clip)
                } else {
                    // Without a polygon nothing is inside.
                    0..0
                };
                spans.begin_clip(points);
            }
            Command::ClipEnd => spans.end_clip(),
            Command::Overlay(range) => {
                let range = range.start as usize..range.end as usize;
                let vertices = list.overlay.get(range).unwrap_or_default();
                collect_overlay(vertices.as_chunks::<3>().0.as_flattened(), spans, sink);
            }
        }
    }
    spans.end_clip();
}

#[track_caller]
fn collect_sprite(model: &Model, list: &DrawList, sprite: &Sprite, spans: &mut Spans, sink: &mut impl Sink) {
    let Some(mesh) = model.attachment(sprite.attachment).mesh() else { return };
    let influences = match &mesh.vertices {
        Vertices::Skin4(vertices) => 4 * vertices.len(),
        Vertices::SkinN(vertices) => vertices.influences().len(),
    };
    let has_room = spans.indices.len() + mesh.indices.len() <= MOST && influences <= sink.room();
    if mesh.indices.is_empty() || !has_room {
        return;
    }
    let color = match mesh.page {
        Some(_) => VertexColor::textured(&sprite.color),
        None => VertexColor::neutral(&sprite.color),
    };
    let first = sink.len() as u32;
    sink.sprite(&mesh.vertices, list.deform_of(sprite.deform), color);
    let triangles = mesh.indices.triangles().flatten().map(u32::from);
    spans.draw(mesh.page, blend_of(sprite), first..sink.len() as u32, triangles);
}

fn collect_overlay(vertices: &[OverlayVertex], spans: &mut Spans, sink: &mut impl Sink) {
    let count = vertices.len();
    if count == 0 || spans.indices.len() + count > MOST || count > sink.room() {
        return;
    }
    let first = sink.len() as u32;
    vertices.iter().for_each(|vertex| sink.plain(vertex));
    spans.draw(None, Blend::Normal, first..sink.len() as u32, 0..count as u32);
}

/// The blend mode of the slot that a sprite was made from.
fn blend_of(sprite: &Sprite) -> Blend {
    match sprite.blend {
        // Of the sprites that are drawn, only additive ones have no alpha.
        BlendClass::Over if sprite.color.light[3] == 0.0 => Blend::Additive,
        BlendClass::Over => Blend::Normal,
        BlendClass::Multiply => Blend::Multiply,
        BlendClass::Screen => Blend::Screen,
    }
}
