//! Images: name, size, pixels.

use super::differences::{Change, ImageDifference, PixelDifference};
use super::matching::{Entry, Matching};
use crate::math::color::unpremultiply;
use crate::model::{AtlasPage, Model};

/// Matches the images of two models by name. If an image name begins with the name of its file (in `files`), only
/// the rest is compared; the extension is ignored.
pub fn matched<'a>(a: &'a Model, b: &'a Model, files: [&str; 2]) -> Matching<'a> {
    let names = |model: &'a Model| model.pages().iter().map(|page| &*page.name);
    let mut matching = Matching::new(names(a), names(b));
    let [of_a, of_b] = [(a, files[0]), (b, files[1])]
        .map(|(model, file)| names(model).map(|name| Kept::of(name, file)).collect::<Vec<_>>());
    matching.pair_others(|a| of_a[a], |b| of_b[b]);
    // Pair the remaining images in order if in each pair at least one name is derived from its file's.
    matching.pair_in_order(|a, b| of_a[a].follows_file || of_b[b].follows_file);
    matching
}

/// An image name without the part that is derived from its file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Kept<'a> {
    /// Whether the name began with the name of the file, which was removed.
    follows_file: bool,
    name: &'a str,
}

impl<'a> Kept<'a> {
    /// For the image `name` in the file at `path`.
    fn of(name: &'a str, path: &str) -> Self {
        let name = without_extension(name, &["png", "jpg", "jpeg", "webp", "sprsh"]);
        let file = path.rsplit('/').next().unwrap_or(path);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let rest = name.strip_prefix(stem).filter(|_| !stem.is_empty());
        // `knight` is not a prefix of `knightly` in this sense.
        match rest.filter(|rest| !rest.starts_with(char::is_alphabetic)) {
            Some(rest) => Self { follows_file: true, name: rest },
            None => Self { follows_file: false, name },
        }
    }
}

fn without_extension<'a>(name: &'a str, extensions: &[&str]) -> &'a str {
    match name.rsplit_once('.') {
        Some((stem, end)) if extensions.iter().any(|extension| end.eq_ignore_ascii_case(extension)) => stem,
        _ => name,
    }
}

/// Returns the images that differ.
pub fn compare(a: &Model, b: &Model, images: &Matching<'_>) -> Vec<ImageDifference> {
    let difference = |entry| {
        let (named, found_in) = images.named(entry);
        let mut difference = ImageDifference { found_in, named, ..ImageDifference::default() };
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

/// Compares the pixels of two pages of the same size, except those that are transparent in both.
fn pixels(a: &AtlasPage, b: &AtlasPage) -> Option<PixelDifference> {
    // Most pages are equal, and comparing memory is much faster.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_name_is_removed_from_image_names() {
        let kept = |name, path| {
            let Kept { follows_file, name } = Kept::of(name, path);
            (follows_file, name)
        };
        assert_eq!(kept("knight.png", "a/knight.json"), (true, ""));
        assert_eq!(kept("knight-1.PNG", "knight.pchr"), (true, "-1"));
        assert_eq!(kept("knightly.png", "knight.pchr"), (false, "knightly"));
        assert_eq!(kept("atlas0.png", "knight.skf"), (false, "atlas0"));
        assert_eq!(kept("v1.2", "knight.pchr"), (false, "v1.2"));
        assert_eq!(kept("it", ""), (false, "it"));
    }
}
