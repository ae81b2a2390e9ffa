//! Images: name, size, pixels.

use super::differences::{Change, ImageDifference, PixelDifference};
use super::matching::{Entry, Matching};
use crate::math::color::unpremultiply;
use crate::model::{AtlasPage, Model};

/// Matches the images of two models, which were read from `files`, by name. A name that follows that of its file is the
/// same under every name of the file, and whatever kind of file the image is in.
pub fn matched<'a>(a: &'a Model, b: &'a Model, files: [&str; 2]) -> Matching<'a> {
    let names = |model: &'a Model| model.pages().iter().map(|page| &*page.name);
    let mut matching = Matching::new(names(a), names(b));
    let [of_a, of_b] = [(a, files[0]), (b, files[1])]
        .map(|(model, file)| names(model).map(|name| Kept::of(name, file)).collect::<Vec<_>>());
    matching.pair_others(|a| of_a[a], |b| of_b[b]);
    // Two that are left, at the same place among those: if one of the names is its file's, no name is another.
    matching.pair_in_order(|a, b| of_a[a].follows_file || of_b[b].follows_file);
    matching
}

/// What is left of an image's name without what follows from the file that it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Kept<'a> {
    /// The name begins with that of the file, which is left out.
    follows_file: bool,
    name: &'a str,
}

impl<'a> Kept<'a> {
    /// Of the image called `name` in the file at `path`.
    fn of(name: &'a str, path: &str) -> Self {
        let name = without_extension(name, &["png", "jpg", "jpeg", "webp", "sprsh"]);
        let file = path.rsplit('/').next().unwrap_or(path);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let rest = name.strip_prefix(stem).filter(|_| !stem.is_empty());
        // `knight` does not begin the name `knightly`.
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

/// The images that differ.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_their_file_says() {
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
