//! Batches whose vertices are skinned on the CPU.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::collect::{MOST, Sink, collect};
use super::color::VertexColor;
use super::spans::{Batch, ClipSpan, Spans, part, readable};
use crate::draw::{DrawList, Mask, OverlayVertex};
use crate::math::Vec2;
use crate::model::{ClipMask, Model, Vertices};
use crate::pose::for_each_deformed_vertex;

const _: [(); 24] = [(); size_of::<BatchVertex>()];

/// A vertex with a world position: 24 bytes without padding, for a vertex buffer.
///
/// | offset | field | format |
/// |---|---|---|
/// | 0 | `position` | two 32-bit floats |
/// | 8 | `uv` | two 32-bit floats |
/// | 16 | `light` | four bytes, normalised |
/// | 20 | `dark` | four bytes, normalised |
///
/// Floats are in native byte order. [`Batches`](Batches#drawing) explains how `light` and `dark` colour a texel.
///
/// ```
/// use pchr::draw::BatchVertex;
/// use pchr::math::vec2;
///
/// let corner = BatchVertex { position: vec2(10.0, 20.0), uv: vec2(0.5, 1.0), light: [255; 4], dark: [0; 4] };
/// let bytes: &[u8] = bytemuck::bytes_of(&corner);
/// assert_eq!(bytes.len(), 24);
/// ```
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct BatchVertex {
    /// World pixels, y up.
    pub position: Vec2,
    /// Texture coordinates, 0 to 1 from the upper-left corner of the page, v down. Values outside that range are
    /// clamped to the edge. Unused if the batch has no page.
    pub uv: Vec2,
    /// The light colour multiplied by alpha, gamma-encoded, followed by alpha, which is 0 if the batch is
    /// additive.
    pub light: [u8; 4],
    /// The dark colour multiplied by alpha, gamma-encoded. The fourth byte is unused and 0.
    pub dark: [u8; 4],
}

/// A draw list as flat arrays of skinned vertices and indices, for any renderer that draws textured triangles.
/// Reuse it: memory is only allocated by the first build and by builds that draw more than any before.
///
/// [`UnskinnedBatches`](super::UnskinnedBatches) is the same for renderers that skin vertices on the GPU. The
/// example `draw_with_tiny_skia` is a complete renderer.
///
/// # Drawing
///
/// 1. Once, upload the [pages](Model::pages) with premultiplied alpha: apply
///    [`premultiply`](crate::math::color::premultiply) to the pixels of those that are not
///    [premultiplied](crate::model::AtlasPage::is_premultiplied) yet. Clamp texture coordinates to the edge. Do
///    not use sRGB formats for textures and targets: colours are gamma-encoded and blended without conversion.
/// 2. Each frame, draw the batches in order. Positions are world pixels, y up. Triangles have either winding, so
///    disable culling.
/// 3. In the fragment shader, compute the premultiplied `source` from the `texel` of the page and the colours of
///    the vertex, with all channels from 0 to 1. In batches without a page, the texel is white: `vec4(1.0)`.
///
///    ```text
///    source.rgb = texel.rgb * light.rgb + (texel.a - texel.rgb) * dark.rgb
///    source.a   = texel.a * light.a
///    ```
///
///    A white texel takes the light colour and a black one the dark colour. Without a dark colour, this is
///    `texel * light`.
/// 4. Blend `source` with the premultiplied `target` by the mode of the batch:
///
///    | mode | colour | factors of source and target |
///    |---|---|---|
///    | normal | `source + target * (1 - source.a)` | one, one minus source alpha |
///    | additive | `source + target`, as `light.a` is 0 | one, one minus source alpha |
///    | multiply | `source * target + target * (1 - source.a)` | target colour, one minus source alpha |
///    | screen | `source + target * (1 - source)` | one, one minus source colour |
///
///    Alpha becomes `source.a + target.a * (1 - source.a)` in every mode: factors one, one minus source alpha.
/// 5. Restrict the batches of a [clip span](ClipSpan) to its polygon.
///
/// Colours have eight bits per channel, so tinted sprites may differ by 1/255 from the built-in
/// renderers. Batches sample the pages only, not the mipmap levels that the built-in renderers use for small
/// sprites.
///
/// # Example
///
/// ```
/// use pchr::draw::{Batches, DrawList, View};
/// use pchr::math::vec2;
/// use pchr::motion::{Cue, evaluate};
/// use pchr::{Character, pose::Pose};
///
/// let character = Character::open("assets/paper-knight.pchr")?;
/// let model = character.model();
/// let (mut pose, mut list, mut batches) = (Pose::default(), DrawList::default(), Batches::default());
/// let view = View::new(300, 450, vec2(-150.0, 440.0), 1.0);
///
/// // Each frame:
/// evaluate(&character, &Cue::default(), &mut pose);
/// list.build(model, &pose, &view);
/// batches.build(model, &list);
/// let vertex_buffer: &[u8] = bytemuck::cast_slice(batches.vertices());
/// let index_buffer: &[u8] = bytemuck::cast_slice(batches.indices());
/// for batch in batches.batches() {
///     let page = batch.page.map(|page| &model.pages()[page.index()]);
///     println!("{:?} of {:?}, {:?}", batch.indices, page.map(|page| &page.name), batch.blend);
/// }
/// # assert_eq!(vertex_buffer.len(), 24 * batches.vertices().len());
/// # assert!(!index_buffer.is_empty());
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Batches {
    vertices: Vec<BatchVertex>,
    clip_points: Vec<Vec2>,
    spans: Spans,
}

impl Batches {
    /// Rebuilds all arrays from `list`, and skins the vertices with its palette. Their positions are
    /// bit-identical to what [`cpu::Renderer`](crate::cpu::Renderer) draws.
    ///
    /// Every array has fewer than 2³² elements; sprites that do not fit are left out.
    ///
    /// # Panics
    ///
    /// If `list` belongs to another model.
    #[track_caller]
    pub fn build(&mut self, model: &Model, list: &DrawList) {
        list.expect_of(model);
        let Self { vertices, clip_points, spans } = self;
        vertices.clear();
        clip_points.clear();
        spans.clear();
        for list in list.with_ghosts() {
            collect(
                model,
                list,
                spans,
                &mut Skinned { vertices: &mut *vertices, clip_points: &mut *clip_points, model, list },
            );
        }
    }
}

readable!(Batches, BatchVertex, Vec2, "in world pixels, y up");

/// Fills [`Batches`].
struct Skinned<'a> {
    vertices: &'a mut Vec<BatchVertex>,
    clip_points: &'a mut Vec<Vec2>,
    model: &'a Model,
    list: &'a DrawList,
}

impl Sink for Skinned<'_> {
    fn len(&self) -> usize {
        self.vertices.len()
    }

    fn room(&self) -> usize {
        MOST.saturating_sub(self.vertices.len().max(self.clip_points.len()))
    }

    fn sprite(&mut self, vertices: &Vertices, deform: &[Vec2], VertexColor { light, dark }: VertexColor) {
        self.vertices.reserve(vertices.len());
        for_each_deformed_vertex(vertices, deform, &self.list.palette, |position, uv| {
            self.vertices.push(BatchVertex { position, uv, light, dark });
        });
    }

    fn plain(&mut self, vertex: &OverlayVertex) {
        let VertexColor { light, dark } = VertexColor::plain(vertex.color);
        self.vertices.push(BatchVertex { position: vertex.position, uv: Vec2::ZERO, light, dark });
    }

    fn polygon(&mut self, mask: &Mask, clip: &ClipMask) -> Range<u32> {
        let first = self.clip_points.len() as u32;
        self.list.for_each_corner(self.model, mask, |at| self.clip_points.push(at));
        if let Some(&start) = self.clip_points.get(first as usize).filter(|_| clip.is_inverse) {
            self.clip_points.push(start);
            self.clip_points.extend(ClipMask::AROUND);
            self.clip_points.push(ClipMask::AROUND[0]);
        }
        first..self.clip_points.len() as u32
    }
}
