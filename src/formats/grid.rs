//! The size and number of the frames into which `--grid` cuts a picture.

/// A grid that cuts an image without a description into frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Width of a frame in pixels, not 0.
    pub width: u32,
    /// Height of a frame in pixels, not 0.
    pub height: u32,
    /// Number of frames; `None`: as many as fit.
    pub count: Option<u32>,
}
