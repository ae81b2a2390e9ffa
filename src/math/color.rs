//! Eight-bit colours, straight and premultiplied.

/// Red, green, blue and straight alpha, gamma-encoded, 0–255.
pub type Rgba = [u8; 4];

/// Returns two hexadecimal digits for each channel.
#[cfg(any(feature = "spine", feature = "export"))]
pub(crate) fn hex(channels: &[u8]) -> String {
    channels.iter().map(|channel| format!("{channel:02x}")).collect()
}

/// `a · b / 255`, rounded to nearest.
#[inline]
pub(crate) fn mul_255(a: u8, b: u8) -> u8 {
    let product = u32::from(a) * u32::from(b) + 128;
    ((product + (product >> 8)) >> 8) as u8
}

/// Converts straight to premultiplied alpha.
#[inline]
pub fn premultiply([r, g, b, a]: Rgba) -> [u8; 4] {
    match a {
        255 => [r, g, b, a],
        0 => [0; 4],
        _ => [mul_255(r, a), mul_255(g, a), mul_255(b, a), a],
    }
}

/// Converts premultiplied to straight alpha. The result is transparent black if alpha is 0.
#[inline]
pub fn unpremultiply([r, g, b, a]: [u8; 4]) -> Rgba {
    match a {
        255 => [r, g, b, a],
        0 => [0; 4],
        _ => {
            let divide = |c: u8| ((u32::from(c) * 255 + u32::from(a) / 2) / u32::from(a)).min(255) as u8;
            [divide(r), divide(g), divide(b), a]
        }
    }
}

/// Returns true unless a pixel is opaque or all of it is 0, as most are.
#[inline]
pub(crate) fn is_mixed(pixel: [u8; 4]) -> bool {
    // One comparison: alpha is the highest byte.
    (1..0xff00_0000).contains(&u32::from_le_bytes(pixel))
}

/// Raises the alpha of a premultiplied colour to its brightest channel, so that [`unpremultiply`] preserves its
/// colour. Only additive light, which covers nothing, is brighter than its alpha.
#[inline]
pub fn keep_light([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    [r, g, b, a.max(r).max(g).max(b)]
}

/// Clamps the channels of a premultiplied colour to its alpha, as [`unpremultiply`] does.
#[inline]
pub(crate) fn drop_light([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    [r.min(a), g.min(a), b.min(a), a]
}

/// Converts premultiplied RGBA `pixels` to straight alpha in place. [`keep_light`] preserves additive light.
pub(crate) fn unpremultiply_all(pixels: &mut [u8]) {
    pixels.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| *pixel = unpremultiply(keep_light(*pixel)));
}

/// Composites the premultiplied colour `top` over `below`.
#[inline]
pub fn over(top: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    let left = 255 - top[3];
    std::array::from_fn(|i| top[i].saturating_add(mul_255(below[i], left)))
}

/// Returns the average of four pixels, each packed into a word; every channel is rounded to nearest.
#[inline]
pub(crate) fn average(pixels: [u32; 4]) -> u32 {
    /// Mask of every second byte of a pixel.
    const BYTES: u32 = 0x00ff_00ff;
    let sum = |shift: u32| pixels.iter().map(|pixel| pixel >> shift & BYTES).sum::<u32>() + 0x0002_0002;
    sum(0) >> 2 & BYTES | (sum(8) >> 2 & BYTES) << 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(any(feature = "spine", feature = "export"))]
    #[test]
    fn every_channel_has_two_digits() {
        assert_eq!(hex(&[0, 15, 255, 128]), "000fff80");
    }

    #[test]
    fn products_round_to_nearest() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let exact = (f64::from(a) * f64::from(b) / 255.0).round();
                assert_eq!(f64::from(mul_255(a, b)), exact, "{a} · {b}");
            }
        }
    }

    #[test]
    fn opaque_colours_survive_a_round_trip() {
        assert_eq!(unpremultiply(premultiply([1, 127, 255, 255])), [1, 127, 255, 255]);
        assert_eq!(premultiply([9, 9, 9, 0]), [0; 4]);
    }

    #[test]
    fn kept_light_survives_straight_alpha_and_dropped_light_does_not() {
        for light in [[200, 100, 3, 0], [255, 7, 0, 0], [1, 0, 0, 0], [90, 60, 30, 50], [90, 60, 30, 255]] {
            let [r, g, b, a] = light;
            let kept = unpremultiply(keep_light(light));
            assert_eq!(premultiply(kept), [r, g, b, a.max(r)], "{light:?}");
            assert_eq!(unpremultiply(drop_light(light)), unpremultiply(light), "{light:?}");
        }
    }

    #[test]
    fn colours_no_brighter_than_their_alpha_are_unchanged() {
        for alpha in 0..=255u8 {
            for value in 0..=alpha {
                let color = [value, alpha, 0, alpha];
                assert_eq!((keep_light(color), drop_light(color)), (color, color));
            }
        }
    }

    #[test]
    fn an_average_rounds_each_channel_once() {
        for (pixels, expected) in [
            ([0; 4], 0),
            ([0xffff_ffff; 4], 0xffff_ffff),
            ([0xffff_ffff, 0, 0, 0], 0x4040_4040),
            ([0x0100_0001, 0x0100_0000, 0, 0x0000_ff00], 0x0100_4000),
        ] {
            assert_eq!(average(pixels), expected, "{pixels:08x?}");
        }
    }
}
