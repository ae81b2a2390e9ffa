//! A sprite of a draw list: its attachment, colours and blend mode.

use super::HullSpan;
use crate::model::{AttachmentId, Blend, Tint};
use crate::pose::DeformSpan;

/// An attachment with triangles, ready to draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprite {
    /// The attachment, skinned with the palette.
    pub attachment: AttachmentId,
    /// Colour that the texture is multiplied with.
    pub color: SpriteColor,
    /// Range of its deform offsets in the draw list.
    pub deform: DeformSpan,
    /// How it is blended with what is below.
    pub blend: BlendClass,
}

/// A polygon that clips what is outside of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mask {
    /// A clip mask of the model, skinned with the palette.
    pub attachment: AttachmentId,
    /// Range of its deform offsets in the draw list.
    pub deform: DeformSpan,
    /// Its convex hull in the draw list.
    pub(crate) hull: HullSpan,
}

/// How a premultiplied colour `s` is blended over `t`. The alpha is always `s + t · (1 - s)`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum BlendClass {
    /// `s + t · (1 - alpha of s)`. Includes additive blending, for which the source alpha is 0, see
    /// [`SpriteColor::light`].
    #[default]
    Over,
    /// `s · t + t · (1 - alpha of s)`.
    Multiply,
    /// `s + t · (1 - s)`.
    Screen,
}

#[cfg(any(test, feature = "gpu"))]
impl BlendClass {
    /// Every class, indexed by its discriminant.
    pub(crate) const ALL: [Self; 3] = [Self::Over, Self::Multiply, Self::Screen];
}

impl From<Blend> for BlendClass {
    fn from(blend: Blend) -> Self {
        match blend {
            Blend::Normal | Blend::Additive => Self::Over,
            Blend::Multiply => Self::Multiply,
            Blend::Screen => Self::Screen,
        }
    }
}

/// Maps a premultiplied texel to `rgb · light + (alpha - rgb) · dark` and `alpha · light[3]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpriteColor {
    /// The light colour multiplied by alpha, and alpha; for additive slots 0 instead of alpha, so that they add
    /// light without covering anything.
    pub light: [f32; 4],
    /// The dark colour multiplied by alpha.
    pub dark: [f32; 3],
}

impl SpriteColor {
    /// The identity.
    pub const NONE: Self = Self { light: [1.0; 4], dark: [0.0; 3] };

    /// Combines the colours of a slot and its attachment for a blend mode. Returns `None` if nothing would be
    /// visible.
    pub(crate) fn new(slot: &Tint, attachment: [f32; 4], blend: Blend) -> Option<Self> {
        let both = |channel: usize| share(slot.light[channel]) * share(attachment[channel]);
        let alpha = both(3);
        let covering = if blend == Blend::Additive { 0.0 } else { alpha };
        let light = [both(0) * alpha, both(1) * alpha, both(2) * alpha, covering];
        let dark = slot.dark.map_or([0.0; 3], |dark| dark.map(|channel| share(channel) * alpha));
        (alpha > 0.0).then_some(Self { light, dark })
    }

    /// Splits the colours of a slot and its attachment into their opacity, 0 to 1, and colours without it for normal
    /// blending.
    #[cfg(feature = "export")]
    pub(crate) fn split(slot: &Tint, attachment: [f32; 4]) -> (f32, Self) {
        let ([r, g, b, a], [red, green, blue, alpha]) = (slot.light, attachment);
        let tint = Tint { light: [r, g, b, 1.0], ..*slot };
        let opaque = Self::new(&tint, [red, green, blue, 1.0], Blend::Normal);
        (share(a) * share(alpha), opaque.unwrap_or(Self::NONE))
    }

    /// Returns true if white pixels are visible in eight bits.
    #[cfg(feature = "export")]
    pub(crate) fn is_visible(&self) -> bool {
        self.light.iter().chain(&self.dark).any(|share| *share >= 0.5 / 255.0)
    }
}

/// Clamps to 0 to 1; NaN becomes 0.
fn share(value: f32) -> f32 {
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_multiplied_and_premultiplied() {
        let slot = Tint { light: [1.0, 0.5, 2.0, 0.5], dark: Some([0.25, f32::NAN, 1.0]) };
        let normal = SpriteColor::new(&slot, [0.5, 1.0, 1.0, 0.5], Blend::Normal).unwrap();
        assert_eq!(normal, SpriteColor { light: [0.125, 0.125, 0.25, 0.25], dark: [0.0625, 0.0, 0.25] });
        let additive = SpriteColor::new(&slot, [0.5, 1.0, 1.0, 0.5], Blend::Additive).unwrap();
        assert_eq!(additive, SpriteColor { light: [0.125, 0.125, 0.25, 0.0], ..normal });
        assert_eq!(SpriteColor::new(&Tint::NONE, [1.0; 4], Blend::Normal), Some(SpriteColor::NONE));
        assert_eq!(SpriteColor::new(&Tint::NONE, [1.0, 1.0, 1.0, 0.0], Blend::Normal), None);
    }
}
