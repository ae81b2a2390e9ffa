//! Working memory of overlays and of text.

use crate::draw::text::Dots;
use crate::math::Vec2;

/// Memory that overlays and text use while they are drawn, and reuse in the next frame. It has no effect on what is
/// drawn.
#[derive(Debug, Clone, Default)]
pub struct OverlayScratch {
    pub(super) marks: MarkScratch,
    pub(super) labels: LabelScratch,
    pub(super) layout: LayoutScratch,
    /// Scratch of text.
    pub(in crate::draw) dots: Dots,
}

/// The memory of marks.
#[derive(Debug, Clone, Default)]
pub struct MarkScratch {
    /// Corners, joints or vertices in world pixels.
    pub points: Vec<Vec2>,
    /// Points of a curve in world pixels.
    pub curve: Vec<Vec2>,
    /// Pairs of vertices.
    pub edges: Vec<[u16; 2]>,
    /// One for each vertex.
    pub weights: Vec<f32>,
}

/// The memory of labels.
#[derive(Debug, Clone, Default)]
pub struct LabelScratch {
    /// A text that is not in the file.
    pub text: String,
    /// Corners in world pixels.
    pub points: Vec<Vec2>,
}

/// The memory of drawing labels in our font.
#[derive(Debug, Clone, Default)]
pub struct LayoutScratch {
    /// The areas of earlier labels, from their upper-left to their lower-right corner.
    pub taken: Vec<[i32; 4]>,
    /// The label as drawn.
    pub text: String,
}
