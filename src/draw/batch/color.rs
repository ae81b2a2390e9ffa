//! The two colours of a vertex, in eight bits.

use crate::draw::{NEUTRAL_COLOR, SpriteColor};

/// The light and the dark colour of every vertex of a sprite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VertexColor {
    pub light: [u8; 4],
    pub dark: [u8; 4],
}

impl VertexColor {
    /// The colours of a sprite that is drawn from a page.
    pub fn textured(color: &SpriteColor) -> Self {
        let [r, g, b] = color.dark.map(byte);
        Self { light: color.light.map(byte), dark: [r, g, b, 0] }
    }

    /// The colour of a sprite whose mesh has no picture, worked out for a white texel.
    pub fn neutral(color: &SpriteColor) -> Self {
        let channel = |index: usize| {
            let neutral = f32::from(NEUTRAL_COLOR[index]) / 255.0;
            byte(neutral * color.light[index] + (1.0 - neutral) * color.dark[index])
        };
        Self::plain([channel(0), channel(1), channel(2), byte(color.light[3])])
    }

    /// A premultiplied colour that needs no texture.
    pub fn plain(light: [u8; 4]) -> Self {
        Self { light, dark: [0; 4] }
    }
}

/// Rounded to nearest; anything that is not from 0 to 1 becomes the nearer of both, NaN becomes 0.
fn byte(share: f32) -> u8 {
    (share * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_rounded_and_stay_in_range() {
        let color = SpriteColor { light: [1.0, 0.5, 2.0, f32::NAN], dark: [-1.0, 0.25, 0.0] };
        let expected = VertexColor { light: [255, 128, 255, 0], dark: [0, 64, 0, 0] };
        assert_eq!(VertexColor::textured(&color), expected);
    }

    #[test]
    fn a_mesh_without_a_picture_is_tinted_like_a_texel() {
        assert_eq!(VertexColor::neutral(&SpriteColor::NONE), VertexColor::plain(NEUTRAL_COLOR));
        let half = SpriteColor { light: [0.5, 0.5, 0.5, 0.5], dark: [0.0, 0.0, 0.5] };
        // Blue: 176 · 0.5 + (255 - 176) · 0.5.
        assert_eq!(VertexColor::neutral(&half), VertexColor::plain([84, 84, 128, 128]));
    }
}
