//! Texture sampling and antialiasing.

use super::View;
use crate::rows::words;

/// The colour of a mesh without a texture. Opaque, so straight and premultiplied alpha are the same.
pub const NEUTRAL_COLOR: [u8; 4] = [168, 168, 176, 255];

/// How to render a draw list.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Settings {
    /// How textures are sampled.
    pub filter: Filter,
    /// How edges are smoothed.
    pub antialias: Antialias,
}

words! {
    /// How textures are sampled. Texture coordinates are clamped to the edge.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum Filter {
        /// Nearest if pixel art is magnified by an integer factor ([`Model::is_pixel_art`](crate::model::Model::is_pixel_art)),
        /// otherwise linear. Sprites drawn at half their size on the page or smaller use mipmap levels.
        #[default]
        Auto => ("auto", "Nearest if pixel art is magnified by an integer factor, otherwise linear"),
        /// The nearest texel, without mipmaps.
        Nearest => ("nearest", "The nearest texel"),
        /// Bilinear interpolation, without mipmaps.
        Linear => ("linear", "Interpolation of the four nearest texels"),
    }
}

/// The sampling that a [`Filter`] selects for one page at one magnification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sampling {
    /// The nearest texel.
    Nearest,
    /// Bilinear interpolation.
    Linear,
}

impl Filter {
    /// Returns how to sample a page in a picture with this `view`.
    pub(crate) fn sampling(self, is_pixel_art: bool, view: &View) -> Sampling {
        match self {
            Self::Nearest => Sampling::Nearest,
            Self::Linear => Sampling::Linear,
            Self::Auto if is_pixel_art && view.magnifies_in_whole_steps() => Sampling::Nearest,
            Self::Auto => Sampling::Linear,
        }
    }
}

words! {
    /// How edges are smoothed.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum Antialias {
        /// No smoothing.
        #[default]
        None => ("none", "No antialiasing"),
        /// Four coverage samples per pixel, shaded once.
        Msaa4 => ("msaa4", "Four coverage samples per pixel"),
        /// Rendered at twice the size and averaged.
        Ssaa2 => ("ssaa2", "Rendered at twice the size and averaged"),
        /// Rendered at four times the size and averaged.
        Ssaa4 => ("ssaa4", "Rendered at four times the size and averaged"),
    }
}

impl Antialias {
    /// Returns the mode for a picture with `scale` pixels per world pixel: [`Self::Ssaa2`] if the picture is
    /// smaller than the character, as it then has more detail than pixels; otherwise none.
    pub fn for_scale(scale: f32) -> Self {
        if scale < 1.0 { Self::Ssaa2 } else { Self::None }
    }

    /// Returns the factor by which pictures are rendered larger before averaging.
    pub fn supersampling(self) -> u32 {
        match self {
            Self::None | Self::Msaa4 => 1,
            Self::Ssaa2 => 2,
            Self::Ssaa4 => 4,
        }
    }

    /// Returns the number of coverage samples per pixel.
    pub fn samples(self) -> u32 {
        match self {
            Self::Msaa4 => 4,
            Self::None | Self::Ssaa2 | Self::Ssaa4 => 1,
        }
    }
}
