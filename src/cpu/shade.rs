//! Tints and blends texels in integer arithmetic.

use super::blend;
use crate::draw::{BlendClass, SpriteColor};

/// Fractional bits of a colour factor: 1 is 2¹⁶.
const FRACTION: u32 = 16;
const ONE: i32 = 1 << FRACTION;

/// The tint and the blend class of a sprite.
#[derive(Debug, Clone, Copy)]
pub struct Shade {
    /// `None` if texels are not changed.
    pub tint: Option<FixedColor>,
    pub blend: BlendClass,
}

/// [`SpriteColor`] in 1/65536.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedColor {
    light: [i32; 4],
    dark: [i32; 3],
}

impl Shade {
    /// No tint, blended over.
    pub const PLAIN: Self = Self { tint: None, blend: BlendClass::Over };

    pub fn new(color: &SpriteColor, blend: BlendClass) -> Self {
        // A draw list that was not built from a pose may contain any number.
        let fixed = |share: f32| ((share * ONE as f32 + 0.5) as i32).clamp(0, ONE);
        let tint = FixedColor { light: color.light.map(fixed), dark: color.dark.map(fixed) };
        let changes = tint != FixedColor { light: [ONE; 4], dark: [0; 3] };
        Self { tint: changes.then_some(tint), blend }
    }

    /// Returns true if texels are neither tinted nor blended in a special way, which is the common case.
    pub fn is_plain(&self) -> bool {
        self.tint.is_none() && self.blend == BlendClass::Over
    }

    /// Tints a premultiplied texel.
    #[inline]
    pub fn color(&self, texel: u32) -> u32 {
        self.tint.map_or(texel, |tint| tint.apply(texel))
    }

    /// Blends a colour with a pixel.
    #[inline]
    pub fn blend(&self, color: u32, pixel: u32) -> u32 {
        match self.blend {
            BlendClass::Over => blend::over(color, pixel),
            BlendClass::Multiply => blend::multiply(color, pixel),
            BlendClass::Screen => blend::screen(color, pixel),
        }
    }
}

impl FixedColor {
    /// Exact, with one rounding to nearest.
    #[inline]
    fn apply(&self, texel: u32) -> u32 {
        let [r, g, b, a] = texel.to_le_bytes().map(i32::from);
        // If the colours of a page are brighter than their alpha, the dark part is negative.
        let rounded = |sum: i32| ((sum + ONE / 2) >> FRACTION).clamp(0, 255) as u8;
        let channel =
            |index: usize, value: i32| rounded(value * self.light[index] + (a - value) * self.dark[index]);
        u32::from_le_bytes([channel(0, r), channel(1, g), channel(2, b), rounded(a * self.light[3])])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::color::mul_255;

    fn shade(light: [f32; 4], dark: [f32; 3]) -> Shade {
        Shade::new(&SpriteColor { light, dark }, BlendClass::Over)
    }

    #[test]
    fn white_becomes_light_and_black_becomes_dark() {
        let shade = shade([1.0, 0.5, 0.0, 1.0], [0.0, 0.25, 1.0]);
        let of = |texel: [u8; 4]| shade.color(u32::from_le_bytes(texel)).to_le_bytes();
        assert_eq!(of([255; 4]), [255, 128, 0, 255]);
        assert_eq!(of([0, 0, 0, 255]), [0, 64, 255, 255]);
        assert_eq!(of([128, 128, 128, 255]), [128, 96, 127, 255]);
        // Half transparent.
        assert_eq!(of([128; 4]), [128, 64, 0, 128]);
        assert_eq!(of([0; 4]), [0; 4]);
        assert_eq!(of([255, 0, 0, 0]), [255, 0, 0, 0]);
    }

    #[test]
    fn grey_light_is_a_product() {
        for light in 0..=255u8 {
            let share = f32::from(light) / 255.0;
            let shade = shade([share, share, share, 1.0], [0.0; 3]);
            for value in 0..=255u8 {
                let found = shade.color(u32::from_le_bytes([value, 0, 0, 255])).to_le_bytes();
                // A product halfway between two steps may round either way: a light in 255ths is no whole 65536th.
                assert!(
                    found[0].abs_diff(mul_255(value, light)) <= u8::from(light % 255 != 0),
                    "{value} · {light}"
                );
            }
        }
    }

    #[test]
    fn nothing_is_plain() {
        assert!(Shade::new(&SpriteColor::NONE, BlendClass::Over).is_plain());
        assert!(!Shade::new(&SpriteColor::NONE, BlendClass::Screen).is_plain());
        assert!(!shade([1.0, 1.0, 1.0, 0.5], [0.0; 3]).is_plain());
        assert!(!shade([1.0; 4], [0.0, 0.1, 0.0]).is_plain());
    }
}
