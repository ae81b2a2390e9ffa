//! Eight-bit colours, straight and premultiplied.

/// Red, green, blue and straight alpha, gamma-encoded, 0–255.
pub type Rgba = [u8; 4];

/// `a · b / 255`, rounded to nearest.
#[inline]
pub fn mul_255(a: u8, b: u8) -> u8 {
    let product = u32::from(a) * u32::from(b) + 128;
    ((product + (product >> 8)) >> 8) as u8
}

/// Straight to premultiplied alpha.
#[inline]
pub fn premultiply([r, g, b, a]: Rgba) -> [u8; 4] {
    match a {
        255 => [r, g, b, a],
        0 => [0; 4],
        _ => [mul_255(r, a), mul_255(g, a), mul_255(b, a), a],
    }
}

/// Premultiplied to straight alpha. Transparent black where nothing is left to divide.
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

/// The same for the RGBA `pixels` of a picture.
pub fn unpremultiply_all(pixels: &mut [u8]) {
    pixels.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| *pixel = unpremultiply(*pixel));
}

/// A premultiplied colour over another.
#[inline]
pub fn over(top: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    let left = 255 - top[3];
    std::array::from_fn(|i| top[i].saturating_add(mul_255(below[i], left)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn opaque_colours_survive_both_ways() {
        assert_eq!(unpremultiply(premultiply([1, 127, 255, 255])), [1, 127, 255, 255]);
        assert_eq!(premultiply([9, 9, 9, 0]), [0; 4]);
    }
}
