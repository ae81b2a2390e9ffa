//! What drawing a picture of the character costs.

use std::time::Duration;

/// The cost of one picture of the character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PictureCost {
    /// Number of pictures drawn so far.
    pub number: u64,
    /// Draw calls on a GPU, sprites and overlays on the CPU.
    pub draws: u64,
    /// Vertices of everything drawn.
    pub vertices: u64,
    /// Triangles of everything drawn.
    pub triangles: u64,
    /// Bytes sent to the GPU for this picture.
    pub uploaded_bytes: u64,
    /// Bytes of the character's textures, on the CPU of its pages.
    pub texture_bytes: u64,
    /// Time to evaluate the pose.
    pub evaluating: Duration,
    /// Time to build the draw list.
    pub listing: Duration,
}
