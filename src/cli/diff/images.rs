//! Images: name, size, pixels.

use super::matching::{Entry, Matching};
use super::report::{Change, ImageDifference, PixelDifference};
use crate::math::color::unpremultiply;
use crate::model::{AtlasPage, Model};

/// Matches the images of two models by name.
pub fn matched<'a>(a: &'a Model, b: &'a Model) -> Matching<'a> {
    let names = |model: &'a Model| model.pages().iter().map(|page| &*page.name);
    Matching::new(names(a), names(b))
}

/// The images that differ.
pub fn compare(a: &Model, b: &Model, images: &Matching<'_>) -> Vec<ImageDifference> {
    let difference = |entry| {
        let (named, found_in) = images.tell(entry);
        let mut difference = ImageDifference {
            found_in,
            name: named.name,
            occurrence: named.occurrence,
            ..ImageDifference::default()
        };
        if let Entry::Both(in_a, in_b) = entry {
            let (a, b) = (&a.pages()[in_a], &b.pages()[in_b]);
            difference.size = Change::of([a.width, a.height], [b.width, b.height]);
            if difference.size.is_none() {
                difference.pixels = pixels(a, b);
            }
            if difference.size.is_none() && difference.pixels.is_none() {
                return None;
            }
        }
        Some(difference)
    };
    images.entries().filter_map(difference).collect()
}

/// Pixels that differ in two pages of the same size. What is transparent in both cannot be seen.
fn pixels(a: &AtlasPage, b: &AtlasPage) -> Option<PixelDifference> {
    // Comparing memory is much faster, and most pages are the same.
    if a.pixels == b.pixels && a.is_premultiplied == b.is_premultiplied {
        return None;
    }
    let straight = |page: &AtlasPage, pixel| if page.is_premultiplied { unpremultiply(pixel) } else { pixel };
    let (page_a, page_b) = (a, b);
    let (of_a, of_b) = (a.pixels.as_chunks::<4>().0, b.pixels.as_chunks::<4>().0);
    let (mut count, mut largest) = (0, 0);
    for (a, b) in of_a.iter().zip(of_b) {
        let (a, b) = (straight(page_a, *a), straight(page_b, *b));
        if a != b && (a[3] > 0 || b[3] > 0) {
            count += 1;
            largest = a.into_iter().zip(b).fold(largest, |largest: u8, (a, b)| largest.max(a.abs_diff(b)));
        }
    }
    (count > 0).then_some(PixelDifference { count, largest })
}
