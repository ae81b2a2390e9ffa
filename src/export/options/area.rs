//! Visible area and size of pictures.

use crate::math::Rect;

/// The visible area of the world.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Fit {
    /// Everything visible in any frame of the chosen animations.
    #[default]
    Animation,
    /// Everything visible in the rendered frames.
    Frame,
    /// Everything visible in any frame of any animation.
    All,
    /// This rectangle.
    Rect(Rect),
}

/// The size of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Size {
    /// One picture pixel per world pixel, times the scale.
    #[default]
    Native,
    /// Exactly this width and height; the rectangle is letterboxed.
    Exact(u32, u32),
    /// This width; the height follows from the aspect ratio.
    Width(u32),
    /// This height; the width follows from the aspect ratio.
    Height(u32),
}

/// Padding around the visible area.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Padding {
    /// Picture pixels.
    Pixels(u32),
    /// Percent of the longer side of the visible area, independent of the picture size.
    Percent(f32),
}

impl Default for Padding {
    fn default() -> Self {
        Self::Pixels(0)
    }
}
