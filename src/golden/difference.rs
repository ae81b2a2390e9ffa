//! Two pictures of one size → where and how much they differ.

use crate::draw::Picture;
use crate::export::Alpha;

/// How two pictures of one size differ.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(
    feature = "schemas",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(deny_unknown_fields),
    schemars(rename = "DifferenceRecord")
)]
pub struct Difference {
    /// Number of pixels that differ by more than the tolerance.
    pub pixels: u64,
    /// Smallest rectangle that contains these pixels: left, top, width and height, from the upper-left corner;
    /// absent if there are none.
    #[cfg_attr(feature = "schemas", serde(default, skip_serializing_if = "Option::is_none"))]
    pub rect: Option<[u32; 4]>,
    /// Largest difference of a channel over all pixels, 0 to 255, including differences within the tolerance.
    pub worst: u8,
}

/// How much two pictures may differ and still count as the same.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    /// Difference per channel up to which two pixels count as the same.
    pub tolerance: u8,
    /// Number of pixels that may differ by more.
    pub max_pixels: MaxPixels,
}

/// How many pixels of a picture may differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MaxPixels {
    /// This many.
    Count(u64),
    /// This percentage of the pixels of the picture.
    Percent(f64),
}

impl Default for MaxPixels {
    fn default() -> Self {
        Self::Count(0)
    }
}

impl Allowance {
    /// Returns true if a picture with this many `pixels` may differ like this.
    pub fn accepts(&self, difference: &Difference, pixels: u64) -> bool {
        match self.max_pixels {
            MaxPixels::Count(count) => difference.pixels <= count,
            MaxPixels::Percent(percent) => difference.pixels as f64 <= pixels as f64 * percent / 100.0,
        }
    }
}

/// Compares two pictures. Two pixels differ by their largest difference in a channel. With straight alpha, the difference of a
/// colour is weighted by the larger alpha and rounded up: the colour of fully transparent pixels does not matter, and
/// every visible difference is at least 1.
///
/// Returns `None` if the sizes differ.
pub fn difference(reference: &Picture, now: &Picture, tolerance: u8, alpha: Alpha) -> Option<Difference> {
    if size(reference) != size(now) {
        return None;
    }
    let mut found = Difference::default();
    let stride = now.width() as usize * 4;
    // Left, top, right and bottom, the last two exclusive.
    let mut edges: Option<[u32; 4]> = None;
    if stride == 0 || reference.pixels() == now.pixels() {
        return Some(found);
    }
    let rows = reference.pixels().chunks_exact(stride).zip(now.pixels().chunks_exact(stride));
    for (y, (reference, now)) in (0u32..).zip(rows) {
        // Most rows of most pictures are equal.
        if reference == now {
            continue;
        }
        for (x, (reference, now)) in (0u32..).zip(pixels(reference).zip(pixels(now))) {
            let distance = distance(reference, now, alpha);
            found.worst = found.worst.max(distance);
            if distance > tolerance {
                found.pixels += 1;
                let [left, top, right, _] = edges.unwrap_or([x, y, 0, 0]);
                edges = Some([left.min(x), top, right.max(x + 1), y + 1]);
            }
        }
    }
    found.rect = edges.map(|[left, top, right, bottom]| [left, top, right - left, bottom - top]);
    Some(found)
}

pub(super) fn size(picture: &Picture) -> (u32, u32) {
    (picture.width(), picture.height())
}

/// Returns the pixels of a row or picture.
pub(super) fn pixels(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> + '_ {
    bytes.as_chunks::<4>().0.iter().copied()
}

/// Returns how much two pixels differ.
pub(super) fn distance(a: [u8; 4], b: [u8; 4], alpha: Alpha) -> u8 {
    if a == b {
        return 0;
    }
    let color = (0..3).map(|channel| a[channel].abs_diff(b[channel])).max().unwrap_or(0);
    let visible = match alpha {
        // At most 255, since both factors are.
        Alpha::Straight => (u16::from(color) * u16::from(a[3].max(b[3]))).div_ceil(255) as u8,
        // Light without alpha is visible.
        Alpha::Premultiplied => color,
    };
    visible.max(a[3].abs_diff(b[3]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, pixels: &[[u8; 4]]) -> Picture {
        let mut picture = Picture::default();
        picture.reset(width, pixels.len() as u32 / width);
        picture.pixels_mut().copy_from_slice(pixels.as_flattened());
        picture
    }

    #[test]
    fn a_pixel_differs_by_its_largest_visible_difference() {
        for (a, b, expected) in [
            ([1, 2, 3, 255], [1, 2, 3, 255], 0),
            ([10, 20, 30, 255], [13, 15, 30, 255], 5),
            ([0, 0, 0, 255], [255, 0, 0, 255], 255),
            // Invisible colours do not matter.
            ([9, 9, 9, 0], [200, 0, 0, 0], 0),
            // A barely visible pixel differs barely.
            ([0, 0, 0, 1], [255, 0, 0, 1], 1),
            // Rounded up: everything that is visible counts.
            ([100, 0, 0, 1], [101, 0, 0, 1], 1),
            ([0, 0, 0, 0], [255, 255, 255, 255], 255),
            ([50, 50, 50, 100], [50, 50, 50, 110], 10),
        ] {
            assert_eq!(distance(a, b, Alpha::Straight), expected, "{a:?} {b:?}");
            assert_eq!(distance(b, a, Alpha::Straight), expected);
        }
        assert_eq!(distance([9, 9, 9, 0], [200, 0, 0, 0], Alpha::Premultiplied), 191);
    }

    #[test]
    fn the_rectangle_contains_exactly_the_pixels_beyond_the_tolerance() {
        let plain = [[7, 7, 7, 255]; 12];
        let mut changed = plain;
        changed[5] = [9, 7, 7, 255];
        changed[10] = [7, 17, 7, 255];
        let (plain, changed) = (picture(4, &plain), picture(4, &changed));
        let of = |tolerance| difference(&plain, &changed, tolerance, Alpha::Straight).unwrap();
        assert_eq!(of(0), Difference { pixels: 2, rect: Some([1, 1, 2, 2]), worst: 10 });
        assert_eq!(of(2), Difference { pixels: 1, rect: Some([2, 2, 1, 1]), worst: 10 });
        assert_eq!(of(10), Difference { pixels: 0, rect: None, worst: 10 });
        assert_eq!(difference(&plain, &plain, 0, Alpha::Straight), Some(Difference::default()));
        assert_eq!(difference(&plain, &picture(3, &[[7, 7, 7, 255]; 12]), 0, Alpha::Straight), None);
    }

    #[test]
    fn pixels_are_allowed_by_number_or_share() {
        let found = Difference { pixels: 5, rect: None, worst: 9 };
        let accepts = |max_pixels| Allowance { tolerance: 0, max_pixels }.accepts(&found, 1000);
        assert!(accepts(MaxPixels::Count(5)) && !accepts(MaxPixels::Count(4)));
        assert!(accepts(MaxPixels::Percent(0.5)) && !accepts(MaxPixels::Percent(0.49)));
    }
}
