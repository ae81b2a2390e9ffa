//! Batches whose vertices are skinned by the renderer that draws them.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::collect::{MOST, Sink, collect};
use super::color::VertexColor;
use super::spans::{Batch, ClipSpan, Spans, part, readable};
use crate::draw::{DrawList, Mask, OverlayVertex};
use crate::math::Vec2;
use crate::model::{ClipMask, Influence, Model, Skin4Vertex, SkinNVertices, Vertices};

const _: [(); 24] = [(); size_of::<UnskinnedVertex>()];
const _: [(); 8] = [(); size_of::<InfluenceSpan>()];
const _: [(); 16] = [(); size_of::<Influence>()];

/// A vertex with a list of influences instead of a position: 24 bytes without padding, for a vertex buffer.
///
/// | offset | field | format |
/// |---|---|---|
/// | 0 | `uv` | two 32-bit floats |
/// | 8 | `light` | four bytes, normalised |
/// | 12 | `dark` | four bytes, normalised |
/// | 16 | `influences` | two 32-bit integers: the first influence and the count |
///
/// Numbers are in native byte order.
///
/// ```
/// use pchr::draw::UnskinnedVertex;
///
/// let corner: UnskinnedVertex = bytemuck::Zeroable::zeroed();
/// assert_eq!(bytemuck::bytes_of(&corner).len(), 24);
/// ```
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct UnskinnedVertex {
    /// As [`BatchVertex::uv`](super::BatchVertex::uv).
    pub uv: Vec2,
    /// As [`BatchVertex::light`](super::BatchVertex::light).
    pub light: [u8; 4],
    /// As [`BatchVertex::dark`](super::BatchVertex::dark).
    pub dark: [u8; 4],
    /// The bones that move the vertex.
    pub influences: InfluenceSpan,
}

/// A range of [`UnskinnedBatches::influences`], never empty: 8 bytes.
///
/// ```
/// use pchr::draw::InfluenceSpan;
///
/// assert_eq!(InfluenceSpan { first: 4, count: 2 }.range(), 4..6);
/// ```
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable, PartialEq)]
pub struct InfluenceSpan {
    /// Index of the first influence.
    pub first: u32,
    /// Number of influences, at least 1.
    pub count: u32,
}

impl InfluenceSpan {
    /// Returns the span as a range of indices.
    pub fn range(self) -> Range<usize> {
        let first = self.first as usize;
        first..first.saturating_add(self.count as usize)
    }
}

/// A draw list as flat arrays of vertices with influences and of indices, for renderers that skin vertices on
/// the GPU. Reuse it: memory is only allocated by the first build and by builds that draw more than any before.
///
/// The position of a vertex in world pixels, y up, is
///
/// ```text
/// Σ influence.weight * (palette[influence.bone] * influence.position)
/// ```
///
/// over its influences, in their order, with the matrices of [`DrawList::palette`]: three columns of two floats
/// each, see [`SkinMatrix`](crate::pose::SkinMatrix). The position of an influence whose bone is
/// [`Influence::NO_BONE`] is in world space, and no matrix is applied to it. Other positions are in pixels, in the
/// space that the bone's matrix maps from. They may differ between the influences of a vertex, and already include
/// the deformation. Weights are not normalised and may be negative; influences with weight 0 have no bone and can
/// be skipped.
///
/// Indices, batches and clip spans are the same as in [`Batches`](super::Batches), which explains [how to
/// draw them](super::Batches#drawing).
///
/// The arrays depend on the commands, the deformation and the overlay of the draw list, but not on its palette. If
/// only the palette changes, only the palette has to be uploaded, unless the model has [convex](ClipMask::is_convex)
/// clip masks, whose corners depend on the pose.
///
/// ```
/// use pchr::draw::{DrawList, UnskinnedBatches, View};
/// use pchr::math::vec2;
/// use pchr::motion::{Cue, evaluate};
/// use pchr::{Character, pose::Pose};
///
/// let character = Character::open("assets/paper-knight.pchr")?;
/// let (mut pose, mut list) = (Pose::default(), DrawList::default());
/// let mut batches = UnskinnedBatches::default();
/// evaluate(&character, &Cue::default(), &mut pose);
/// list.build(character.model(), &pose, &View::new(300, 450, vec2(-150.0, 440.0), 1.0));
/// batches.build(character.model(), &list);
///
/// let vertex_buffer: &[u8] = bytemuck::cast_slice(batches.vertices());
/// let influence_buffer: &[u8] = bytemuck::cast_slice(batches.influences());
/// let palette_buffer: &[u8] = bytemuck::cast_slice(&list.palette);
/// # assert_eq!(vertex_buffer.len(), 24 * batches.vertices().len());
/// # assert_eq!(influence_buffer.len(), 16 * batches.influences().len());
/// # assert_eq!(palette_buffer.len(), 24 * character.model().skeleton().bones().len());
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct UnskinnedBatches {
    vertices: Vec<UnskinnedVertex>,
    influences: Vec<Influence>,
    clip_points: Vec<InfluenceSpan>,
    spans: Spans,
}

impl UnskinnedBatches {
    /// Rebuilds all arrays from `list`, without its ghosts, which have matrices of their own: build those one by one.
    ///
    /// Every array has fewer than 2³² elements; sprites that do not fit are left out.
    ///
    /// # Panics
    ///
    /// If `list` belongs to another model.
    #[track_caller]
    pub fn build(&mut self, model: &Model, list: &DrawList) {
        list.expect_of(model);
        self.spans.clear();
        self.vertices.clear();
        self.influences.clear();
        self.clip_points.clear();
        let Self { vertices, influences, clip_points, spans } = self;
        collect(model, list, spans, &mut Unskinned { vertices, influences, clip_points, list });
    }

    /// Returns the influences of all vertices and of the corners of clip polygons, for a storage buffer or a
    /// texture.
    pub fn influences(&self) -> &[Influence] {
        &self.influences
    }
}

readable!(UnskinnedBatches, UnskinnedVertex, InfluenceSpan, "which are skinned like vertices");

/// Fills [`UnskinnedBatches`].
struct Unskinned<'a> {
    vertices: &'a mut Vec<UnskinnedVertex>,
    influences: &'a mut Vec<Influence>,
    clip_points: &'a mut Vec<InfluenceSpan>,
    list: &'a DrawList,
}

impl Unskinned<'_> {
    /// Returns the span of all influences from index `first` on.
    fn span(&self, first: usize) -> InfluenceSpan {
        InfluenceSpan { first: first as u32, count: (self.influences.len() - first) as u32 }
    }

    /// Adds the influences of a vertex with positive weights; others are ignored. A vertex without any does not
    /// move.
    fn skin4(&mut self, vertex: &Skin4Vertex) -> InfluenceSpan {
        let (first, position) = (self.influences.len(), vertex.position);
        let all = vertex.bone_ids.iter().zip(vertex.bone_weights);
        let used = all.filter(|(_, weight)| *weight > 0.0);
        self.influences.extend(used.map(|(&bone, weight)| Influence { position, bone: bone.into(), weight }));
        if self.influences.len() == first {
            self.still(position);
        }
        self.span(first)
    }

    /// Adds the influences of all vertices, offset by `deform`, and calls `visit` with the uv and the influences
    /// of each vertex.
    fn skin_n(
        &mut self,
        vertices: &SkinNVertices,
        deform: &[Vec2],
        mut visit: impl FnMut(&mut Self, Vec2, InfluenceSpan),
    ) {
        let base = self.influences.len();
        self.influences.extend_from_slice(vertices.influences());
        if deform.len() == vertices.influences().len() {
            for (influence, offset) in self.influences[base..].iter_mut().zip(deform) {
                influence.position += offset;
            }
        }
        for record in vertices.records() {
            let first = base as u32 + record.first_influence;
            visit(self, record.uv, InfluenceSpan { first, count: record.influence_count });
        }
    }

    /// Adds an influence with a fixed position in the world.
    fn still(&mut self, position: Vec2) {
        self.influences.push(Influence { position, bone: Influence::NO_BONE, weight: 1.0 });
    }
}

impl Sink for Unskinned<'_> {
    fn len(&self) -> usize {
        self.vertices.len()
    }

    fn room(&self) -> usize {
        // Each vertex has at least one influence.
        MOST.saturating_sub(self.influences.len())
    }

    fn sprite(&mut self, vertices: &Vertices, deform: &[Vec2], VertexColor { light, dark }: VertexColor) {
        match vertices {
            Vertices::Skin4(vertices) => {
                for vertex in vertices.iter() {
                    let influences = self.skin4(&vertex);
                    self.vertices.push(UnskinnedVertex { uv: vertex.uv, light, dark, influences });
                }
            }
            Vertices::SkinN(vertices) => self.skin_n(vertices, deform, |to, uv, influences| {
                to.vertices.push(UnskinnedVertex { uv, light, dark, influences });
            }),
        }
    }

    fn plain(&mut self, vertex: &OverlayVertex) {
        let first = self.influences.len();
        self.still(vertex.position);
        let (VertexColor { light, dark }, influences) = (VertexColor::plain(vertex.color), self.span(first));
        self.vertices.push(UnskinnedVertex { uv: Vec2::ZERO, light, dark, influences });
    }

    fn polygon(&mut self, mask: &Mask, clip: &ClipMask) -> Range<u32> {
        let (first, base) = (self.clip_points.len() as u32, self.influences.len() as u32);
        let vertices = &clip.polygon.vertices;
        self.skin_n(vertices, self.list.deform_of(mask.deform), |to, _uv, influences| {
            if !clip.is_convex {
                to.clip_points.push(influences);
            }
        });
        let on_hull =
            self.list.hulls.of(mask.hull).iter().filter_map(|&vertex| vertices.records().get(usize::from(vertex)));
        self.clip_points.extend(
            on_hull.map(|record| InfluenceSpan {
                first: base + record.first_influence,
                count: record.influence_count,
            }),
        );
        if let Some(&start) = self.clip_points.get(first as usize).filter(|_| clip.is_inverse) {
            self.clip_points.push(start);
            let [corner, ..] = ClipMask::AROUND;
            for at in ClipMask::AROUND.into_iter().chain([corner]) {
                let first = self.influences.len();
                self.still(at);
                let span = self.span(first);
                self.clip_points.push(span);
            }
        }
        first..self.clip_points.len() as u32
    }
}
