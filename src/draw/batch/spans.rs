//! Ranges of the index buffer that are drawn with one state, and the polygons they are clipped to.

use std::ops::Range;

use crate::model::{Blend, PageId};

/// Triangles that can be drawn with one call: adjacent sprites of the same page, blend mode and clip span.
///
/// Batches are in drawing order, back to front, and contiguous: the indices and the vertices of each batch begin
/// where the previous one ends. Normal and additive batches use the same blend factors, *one, one minus
/// source alpha*, so neighbours that differ only in that can be merged into one draw call.
///
/// ```
/// use pchr::draw::{Batches, DrawList, View};
/// use pchr::math::vec2;
/// use pchr::motion::{Cue, evaluate};
/// use pchr::{Character, pose::Pose};
///
/// let character = Character::open("assets/paper-knight.pchr")?;
/// let (mut pose, mut list, mut batches) = (Pose::default(), DrawList::default(), Batches::default());
/// evaluate(&character, &Cue::default(), &mut pose);
/// list.build(character.model(), &pose, &View::new(300, 450, vec2(-150.0, 440.0), 1.0));
/// batches.build(character.model(), &list);
/// for batch in batches.batches() {
///     // Some engines require a separate mesh with 16-bit indices for each draw call.
///     let vertices = batches.vertices_of(batch);
///     let indices: Vec<u16> =
///         batches.indices_of(batch).iter().map(|index| (index - batch.vertices.start) as u16).collect();
///     assert!(indices.iter().all(|&index| usize::from(index) < vertices.len()));
/// }
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// The page of the model to sample; `None` for plain triangles (overlays and meshes without an image), whose
    /// vertices have their final colour in `light`.
    pub page: Option<PageId>,
    /// How the triangles are blended; [additive](Blend::Additive) ones have a `light` with alpha 0.
    pub blend: Blend,
    /// The range of indices, three for each triangle, relative to the first vertex of all batches.
    pub indices: Range<u32>,
    /// The range of vertices that these indices refer to; no other batch uses them.
    pub vertices: Range<u32>,
    /// The clip span that applies, as an index into the clip spans; `None` if the batch is not clipped.
    pub clip: Option<u32>,
}

/// Batches that are drawn only inside a polygon.
///
/// The even-odd rule applies: a point is inside if a ray from it crosses the outline an odd number of times, so
/// a self-intersecting polygon has holes. The polygon may be concave and have either winding; with fewer than
/// three points, nothing in the batches is visible. With a stencil buffer, draw the points as a triangle fan that
/// inverts one bit, draw the batches where that bit is set, and draw the fan again to reset it.
///
/// Spans never overlap and are in drawing order.
///
/// ```
/// # use pchr::draw::Batches;
/// # let batches = Batches::default();
/// for span in batches.clips() {
///     let outline: &[pchr::math::Vec2] = batches.points_of(span);
///     let clipped = &batches.batches()[span.batches.start as usize..span.batches.end as usize];
///     assert!(outline.len() < 3 || !clipped.is_empty());
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ClipSpan {
    /// The range of points: the corners of the polygon.
    pub points: Range<u32>,
    /// The range of clipped batches, never empty.
    pub batches: Range<u32>,
}

/// Gives both kinds of batches the methods that read them.
macro_rules! readable {
    ($batches:ident, $vertex:ty, $point:ty, $how:literal) => {
        impl $batches {
            /// Returns the vertices of all batches.
            pub fn vertices(&self) -> &[$vertex] {
                &self.vertices
            }

            /// Returns the indices of all batches, three for each triangle.
            pub fn indices(&self) -> &[u32] {
                &self.spans.indices
            }

            /// Returns the batches in drawing order, back to front.
            pub fn batches(&self) -> &[Batch] {
                &self.spans.batches
            }

            /// Returns the clip spans in drawing order.
            pub fn clips(&self) -> &[ClipSpan] {
                &self.spans.clips
            }

            #[doc = concat!("Returns the corners of all clip polygons, ", $how, ".")]
            pub fn clip_points(&self) -> &[$point] {
                &self.clip_points
            }

            /// Returns the vertices of `batch`; empty if `batch` is from another list and out of range.
            pub fn vertices_of(&self, batch: &Batch) -> &[$vertex] {
                part(&self.vertices, &batch.vertices)
            }

            /// Returns the indices of `batch`, which count from the first of [`Self::vertices`]; empty if `batch` is from
            /// another list and out of range.
            pub fn indices_of(&self, batch: &Batch) -> &[u32] {
                part(&self.spans.indices, &batch.indices)
            }

            /// Returns the corners of the polygon of `clip`, as in [`Self::clip_points`]; empty if `clip` is from another list
            /// and out of range.
            pub fn points_of(&self, clip: &ClipSpan) -> &[$point] {
                part(&self.clip_points, &clip.points)
            }
        }
    };
}
pub(super) use readable;

/// Returns a range of an array; empty if it is out of bounds.
pub fn part<'a, T>(all: &'a [T], range: &Range<u32>) -> &'a [T] {
    all.get(range.start as usize..range.end as usize).unwrap_or_default()
}

/// The data that both kinds of batches share.
#[derive(Debug, Clone, Default)]
pub struct Spans {
    pub indices: Vec<u32>,
    pub batches: Vec<Batch>,
    pub clips: Vec<ClipSpan>,
    /// Whether the last clip span still applies.
    is_clipped: bool,
}

impl Spans {
    pub fn clear(&mut self) {
        self.indices.clear();
        self.batches.clear();
        self.clips.clear();
        self.is_clipped = false;
    }

    pub fn is_clipped(&self) -> bool {
        self.is_clipped
    }

    /// Adds triangles to the last batch if it has the same state, otherwise to a new one. The indices in
    /// `triangles` count from the first of `vertices`.
    pub fn draw(
        &mut self,
        page: Option<PageId>,
        blend: Blend,
        vertices: Range<u32>,
        triangles: impl Iterator<Item = u32>,
    ) {
        let first = self.indices.len() as u32;
        self.indices.extend(triangles.map(|index| vertices.start + index));
        let end = self.indices.len() as u32;
        let clip = self.is_clipped.then(|| self.clips.len() as u32 - 1);
        match self.batches.last_mut() {
            Some(last) if (last.page, last.blend, last.clip) == (page, blend, clip) => {
                (last.indices.end, last.vertices.end) = (end, vertices.end);
            }
            _ => self.batches.push(Batch { page, blend, indices: first..end, vertices, clip }),
        }
    }

    /// Clips the following triangles to the polygon with these corners.
    pub fn begin_clip(&mut self, points: Range<u32>) {
        let next = self.batches.len() as u32;
        self.clips.push(ClipSpan { points, batches: next..next });
        self.is_clipped = true;
    }

    /// Ends the clip span, and removes it if nothing was drawn in it.
    pub fn end_clip(&mut self) {
        if !std::mem::take(&mut self.is_clipped) {
            return;
        }
        let end = self.batches.len() as u32;
        self.clips.pop_if(|span| span.batches.start == end);
        if let Some(span) = self.clips.last_mut().filter(|span| span.batches.is_empty()) {
            span.batches.end = end;
        }
    }
}
