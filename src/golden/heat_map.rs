//! Two pictures → a picture that shows where they differ.

use super::difference::{distance, pixels, size};
use crate::draw::Picture;
use crate::export::Alpha;

/// Differences within the tolerance.
const WITHIN: [u8; 4] = [0x3b, 0x82, 0xf6, 255];
/// The smallest difference beyond the tolerance.
const SMALL: [u8; 4] = [0xfd, 0xe0, 0x47, 255];
/// Differences of [`FULL`] and more.
const LARGE: [u8; 4] = [0xdc, 0x26, 0x26, 255];
/// From this difference on a pixel has the colour [`LARGE`]. A change of a few levels is hard to see otherwise.
const FULL: u8 = 64;

/// Shows how two pictures differ, as [`difference`](super::difference) measures it: equal pixels show the reference
/// in pale grey, differences within the tolerance are blue, and larger ones go from yellow to red, which stands for a
/// difference of 64 and more.
///
/// Returns `None` if the sizes differ.
pub fn heat_map(reference: &Picture, now: &Picture, tolerance: u8, alpha: Alpha) -> Option<Picture> {
    if size(reference) != size(now) {
        return None;
    }
    let mut map = Picture::default();
    map.reset(now.width(), now.height());
    let both = pixels(reference.pixels()).zip(pixels(now.pixels()));
    for (shown, (reference, now)) in map.pixels_mut().as_chunks_mut::<4>().0.iter_mut().zip(both) {
        *shown = match distance(reference, now, alpha) {
            0 => pale(reference),
            small if small <= tolerance => WITHIN,
            large => mix(SMALL, LARGE, large.min(FULL), FULL),
        };
    }
    Some(map)
}

/// Returns a pixel on white as a pale grey.
fn pale([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    let brightness = (u32::from(r) * 3 + u32::from(g) * 6 + u32::from(b)) / 10;
    let darkness = (255 - brightness) * u32::from(a) / 255;
    let grey = 255 - (darkness / 3) as u8;
    [grey, grey, grey, 255]
}

/// Returns the colour `part`/`whole` of the way between two colours.
fn mix(from: [u8; 4], to: [u8; 4], part: u8, whole: u8) -> [u8; 4] {
    let (part, whole) = (u32::from(part), u32::from(whole));
    std::array::from_fn(|i| ((u32::from(from[i]) * (whole - part) + u32::from(to[i]) * part) / whole) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_difference_has_its_colour() {
        let row = |reds: [u8; 4]| {
            let mut picture = Picture::default();
            picture.reset(4, 1);
            picture.pixels_mut().copy_from_slice(reds.map(|red| [red, 0, 0, 255]).as_flattened());
            picture
        };
        let map = heat_map(&row([0; 4]), &row([0, 2, 3, 200]), 2, Alpha::Straight).unwrap();
        let [same, within, small, large] = [0, 1, 2, 3].map(|x| map.pixel(x, 0));
        assert!(same[0] == same[1] && same[1] == same[2] && same[0] > 128, "{same:?}");
        assert_eq!((within, large), (WITHIN, LARGE));
        assert!(small[0] > 240 && small[1] > 200, "nearly yellow: {small:?}");
        let mut smaller = Picture::default();
        smaller.reset(3, 1);
        assert_eq!(heat_map(&row([0; 4]), &smaller, 0, Alpha::Straight), None);
    }
}
