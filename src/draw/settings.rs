//! How pictures are sampled and edges smoothed.

use super::View;
use crate::model::AtlasPage;

/// The colour of a mesh that has no picture. Opaque, so straight and premultiplied are the same.
pub const NEUTRAL_COLOR: [u8; 4] = [168, 168, 176, 255];

/// How to render a draw list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settings {
    /// How pictures are sampled.
    pub filter: Filter,
    /// How edges are smoothed.
    pub antialias: Antialias,
}

/// How pictures are sampled. Beyond its edge a picture repeats its last pixel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Filter {
    /// Nearest at whole-number magnifications of small pages (pixel art), linear otherwise; from mipmap levels, see
    /// [`Mipmaps`](super::mipmaps::Mipmaps), where a sprite is drawn at half the size of its part of the page or smaller.
    #[default]
    Auto,
    /// The pixel that the point is in, of the picture itself.
    Nearest,
    /// Between the four pixels around the point, of the picture itself.
    Linear,
}

/// What [`Filter`] comes to for one picture at one magnification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sampling {
    /// The pixel that the point is in.
    Nearest,
    /// Between the four pixels around the point.
    Linear,
}

impl Filter {
    /// A picture up to this size on both sides is taken for pixel art when it is magnified in whole steps.
    pub const SMALL_PAGE: u32 = 256;

    /// How to sample `page` in a picture through `view`.
    pub fn sampling(self, page: &AtlasPage, view: &View) -> Sampling {
        let is_small = page.width.max(page.height) <= Self::SMALL_PAGE;
        match self {
            Self::Nearest => Sampling::Nearest,
            Self::Linear => Sampling::Linear,
            Self::Auto if is_small && view.magnifies_in_whole_steps() => Sampling::Nearest,
            Self::Auto => Sampling::Linear,
        }
    }
}

/// How edges are smoothed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Antialias {
    /// Not at all.
    #[default]
    None,
    /// Four coverage samples a pixel, one colour.
    Msaa4,
    /// Rendered at twice the size and averaged.
    Ssaa2,
    /// Rendered at four times the size and averaged.
    Ssaa4,
}

impl Antialias {
    /// What suits a picture of `scale` pixels to a world pixel: [`Self::Ssaa2`] where it is smaller than the character, for
    /// then there is more to be seen than there are pixels; else none.
    pub fn for_scale(scale: f32) -> Self {
        if scale < 1.0 { Self::Ssaa2 } else { Self::None }
    }

    /// How many times larger a picture is rendered before it is averaged.
    pub fn supersampling(self) -> u32 {
        match self {
            Self::None | Self::Msaa4 => 1,
            Self::Ssaa2 => 2,
            Self::Ssaa4 => 4,
        }
    }

    /// Coverage samples a pixel.
    pub fn samples(self) -> u32 {
        match self {
            Self::Msaa4 => 4,
            Self::None | Self::Ssaa2 | Self::Ssaa4 => 1,
        }
    }
}
