//! Arithmetic on four bytes at once: a pixel's channels spread over the 16-bit lanes of a `u64`.

const LOW_BYTES: u64 = 0x00ff_00ff_00ff_00ff;
const HALVES: u64 = 0x0080_0080_0080_0080;
const CARRIES: u64 = 0x0100_0100_0100_0100;
const WIDE: u64 = 0x0000_ffff_0000_ffff;
const WIDE_LOW_BYTES: u64 = 0x0000_00ff_0000_00ff;
const WIDE_HALVES: u64 = 0x0000_8000_0000_8000;

/// Spreads a pixel's bytes over four lanes in the order 0, 2, 1, 3; alpha is in the highest lane.
#[inline]
pub fn spread(pixel: u32) -> u64 {
    let pixel = u64::from(pixel);
    (pixel | pixel << 24) & LOW_BYTES
}

/// Packs four lanes into a pixel; the inverse of [`spread`].
#[inline]
pub fn pack(lanes: u64) -> u32 {
    (lanes | lanes >> 24) as u32
}

/// Interpolates four texels (upper left, upper right, lower left, lower right) at `x`/256 and `y`/256 from the
/// first. Exact, with one rounding to nearest.
#[inline]
pub fn mix([a, b, c, d]: [u32; 4], x: u64, y: u64) -> u32 {
    // Horizontal sums fill the 16-bit lanes. Vertical sums need 32-bit lanes, two channels per word.
    let top = spread(a) * (256 - x) + spread(b) * x;
    let bottom = spread(c) * (256 - x) + spread(d) * x;
    let down = |shift: u32| (top >> shift & WIDE) * (256 - y) + (bottom >> shift & WIDE) * y + WIDE_HALVES;
    pack(down(0) >> 16 & WIDE_LOW_BYTES | down(16) & WIDE_LOW_BYTES << 16)
}

/// Blends a premultiplied pixel over another: `source + target · (1 - alpha)`, rounded to eight bits.
#[inline]
pub fn over(source: u32, target: u32) -> u32 {
    let left = 255 - u64::from(source >> 24);
    let product = spread(target) * left + HALVES;
    let faded = (product + (product >> 8 & LOW_BYTES)) >> 8 & LOW_BYTES;
    // Additive light covers nothing, so sums may exceed 255 and are clamped.
    let sum = spread(source) + faded;
    let carries = sum & CARRIES;
    pack((sum | (carries - (carries >> 8))) & LOW_BYTES)
}

/// Multiplies two premultiplied pixels: `source · target + target · (1 - alpha)`.
#[inline]
pub fn multiply(source: u32, target: u32) -> u32 {
    let alpha = source >> 24;
    // The sum exceeds 255 if a page is brighter than its alpha.
    channels(source, target, |source, target| by_255((source + 255 - alpha) * target).min(255))
}

/// Screens a pixel: `source + target · (1 - source)`.
#[inline]
pub fn screen(source: u32, target: u32) -> u32 {
    channels(source, target, |source, target| source + by_255((255 - source) * target))
}

/// Blends the colour channels with `of`, and alpha as every blend class does.
#[inline]
fn channels(source: u32, target: u32, of: impl Fn(u32, u32) -> u32) -> u32 {
    let (source, target) = (source.to_le_bytes().map(u32::from), target.to_le_bytes().map(u32::from));
    let color = |index: usize| of(source[index], target[index]) as u8;
    let alpha = source[3] + by_255((255 - source[3]) * target[3]);
    u32::from_le_bytes([color(0), color(1), color(2), alpha as u8])
}

/// Divides by 255, rounded to nearest. Exact up to 510 · 255.
#[inline]
fn by_255(product: u32) -> u32 {
    (product * 2 + 255) / 510
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::color;

    #[test]
    fn over_is_the_same_as_one_channel_at_a_time() {
        for alpha in 0..=255u8 {
            for target in 0..=255u8 {
                // Within its alpha, and brighter than it.
                for top in [[alpha, alpha / 2, 0, alpha], [255, 3, alpha, alpha / 2], [alpha, 200, 90, 0]] {
                    let below = [target, 255, target / 3, target];
                    let expected = color::over(top, below);
                    assert_eq!(over(u32::from_le_bytes(top), u32::from_le_bytes(below)).to_le_bytes(), expected);
                }
            }
        }
    }

    #[test]
    fn multiplying_and_screening_round_once() {
        for source in (0..=255u8).step_by(3) {
            for alpha in [0, source, 255] {
                for target in 0..=255u8 {
                    let (s, a, t) = (f64::from(source), f64::from(alpha), f64::from(target));
                    let top = u32::from_le_bytes([source, source, source, alpha]);
                    let below = u32::from_le_bytes([target; 4]);
                    let covered = (a + t * (255.0 - a) / 255.0).round() as u8;
                    let multiplied = ((s * t + t * (255.0 - a)) / 255.0).round().min(255.0) as u8;
                    let screened = (s + t * (255.0 - s) / 255.0).round() as u8;
                    let grey = |value| [value, value, value, covered];
                    assert_eq!(multiply(top, below).to_le_bytes(), grey(multiplied), "{source} {alpha} {target}");
                    assert_eq!(screen(top, below).to_le_bytes(), grey(screened), "{source} {alpha} {target}");
                }
            }
        }
    }

    #[test]
    fn no_blending_makes_a_colour_brighter_than_its_alpha() {
        // Otherwise `keep_light` would raise alpha where nothing additive was drawn.
        for alpha in (0..=255u8).step_by(5) {
            for below in (0..=255u8).step_by(3) {
                for value in (0..=alpha).step_by(7) {
                    let top = u32::from_le_bytes([value, alpha, 0, alpha]);
                    let below = u32::from_le_bytes([below, below / 2, below, below]);
                    for blended in [over(top, below), multiply(top, below), screen(top, below)] {
                        let pixel = blended.to_le_bytes();
                        assert_eq!(color::keep_light(pixel), pixel, "{top:08x} over {below:08x}");
                    }
                }
            }
        }
    }

    #[test]
    fn mixing_is_exact() {
        let texels = [0xff00_80ff, 0x0102_0304, 0xfefd_fcfb, 0x8040_2010_u32];
        for x in 0..256 {
            for y in 0..256 {
                let weights = [(256 - x) * (256 - y), x * (256 - y), (256 - x) * y, x * y];
                let channel = |i: usize| {
                    let sum: u64 =
                        texels.iter().zip(weights).map(|(t, w)| u64::from(t.to_le_bytes()[i]) * w).sum();
                    ((sum + 0x8000) >> 16) as u8
                };
                assert_eq!(mix(texels, x, y).to_le_bytes(), std::array::from_fn(channel), "at {x}, {y}");
            }
        }
    }
}
