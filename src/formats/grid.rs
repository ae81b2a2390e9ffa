//! How a picture without any description is cut into frames.

/// How a picture that says nothing of its frames is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Width of a frame in pixels, not 0.
    pub width: u32,
    /// Height of a frame in pixels, not 0.
    pub height: u32,
    /// How many frames there are; `None`: as many as fit.
    pub count: Option<u32>,
}
