//! `.atlas` text, in the older libGDX form or that of Spine 4 → pages and regions.
//!
//! A page starts after an empty line or at the start of the file; a line without `key: value` starts a region.

use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::formats::foreign::{LFS_REMEDY, is_lfs_pointer};

/// Pages and regions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Atlas {
    pub pages: Vec<Page>,
    pub regions: Vec<Region>,
}

/// An atlas page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// Path of the image, relative to the atlas.
    pub file: String,
    /// Size in pixels that regions are relative to; `None`: the size of the image.
    pub size: Option<[f32; 2]>,
    /// Whether colours are multiplied with alpha, if declared.
    pub is_premultiplied: Option<bool>,
}

/// A named rectangle of a page. Pixels, y down.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Region {
    pub name: String,
    /// Index into the pages.
    pub page: usize,
    /// Position on the page.
    pub at: [f32; 2],
    /// Size before rotation, after trimming.
    pub size: [f32; 2],
    /// Distance of the trimmed rectangle from the left and bottom edges of the original.
    pub offset: [f32; 2],
    /// Size before trimming; 0 if it was not trimmed.
    pub original: [f32; 2],
    /// Rotation on the page, counter-clockwise: 0, 90, 180 or 270.
    pub degrees: u16,
    /// Index among the regions of the same name, which are frames of an animation; `None` for a single region.
    pub index: Option<u32>,
    /// Line number of its name, from 1.
    pub line: u64,
    /// Error message for its first invalid value, with [`Atlas::parse_regions`].
    pub fault: Option<String>,
}

impl Region {
    /// Returns the size before trimming.
    pub fn whole(&self) -> [f32; 2] {
        let [width, height] = self.original;
        if width > 0.0 && height > 0.0 { [width, height] } else { self.size }
    }

    /// Maps a point of the untrimmed image, 0 to 1 from the left and the top, to pixels of the page.
    pub fn on_page(&self, [u, v]: [f32; 2]) -> [f32; 2] {
        let ([width, height], [whole_width, whole_height]) = (self.size, self.whole());
        let x = u * whole_width - self.offset[0];
        let y = v * whole_height - (whole_height - self.offset[1] - height);
        let [left, top] = self.at;
        match self.degrees {
            90 => [left + y, top + width - x],
            180 => [left + width - x, top + height - y],
            270 => [left + height - y, top + x],
            _ => [left + x, top + y],
        }
    }

    /// Returns the corners of the trimmed rectangle on the page, in pixels: lower left, upper left, upper right
    /// and lower right.
    pub fn corners(&self) -> [[f32; 2]; 4] {
        let [width, height] = self.whole();
        let (left, right) = (self.offset[0] / width, (self.offset[0] + self.size[0]) / width);
        let (low, high) = (1.0 - self.offset[1] / height, 1.0 - (self.offset[1] + self.size[1]) / height);
        [[left, low], [left, high], [right, high], [right, low]].map(|corner| self.on_page(corner))
    }
}

impl Atlas {
    /// Parses the text of `file`. Unknown keys are reported as findings.
    pub fn parse(text: &str, file: &str, diagnostics: &mut Diagnostics) -> Result<Self> {
        Self::read(text, Some(file), diagnostics)
    }

    /// Parses a standalone atlas. Invalid values of a region are stored in [`Region::fault`] instead of failing.
    pub fn parse_regions(text: &str, diagnostics: &mut Diagnostics) -> Result<Self> {
        Self::read(text, None, diagnostics)
    }

    /// `file` is the name of the atlas for errors; `None` for a standalone atlas.
    fn read(text: &str, file: Option<&str>, diagnostics: &mut Diagnostics) -> Result<Self> {
        if is_lfs_pointer(text.as_bytes()) {
            let message = format!("this is a Git LFS pointer, not an atlas: {LFS_REMEDY}");
            return Err(Error::unsupported(
                "git-lfs-pointer",
                file.map_or_else(Place::default, Place::file),
                message,
            ));
        }
        let mut atlas = Self::default();
        let mut begins_page = true;
        let mut in_region = false;
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let is_indented = line.starts_with([' ', '\t']);
            let line = line.trim();
            if line.is_empty() {
                begins_page = true;
                continue;
            }
            let place =
                || Place { file: file.map(str::to_owned), path: format!("line {number}"), ..Place::default() };
            let entry = line.split_once(':').filter(|(key, _)| is_indented || is_key(key.trim()));
            match entry {
                Some((key, value)) if !begins_page => {
                    let mut target = if in_region { atlas.regions.last_mut() } else { None };
                    let is_known = match (&mut target, atlas.pages.last_mut()) {
                        (Some(region), _) => region.set(key.trim(), value.trim()),
                        (None, Some(page)) => page.set(key.trim(), value.trim()),
                        (None, None) => Some(false),
                    };
                    match is_known {
                        Some(true) => {}
                        Some(false) => {
                            let message = format!("unknown key `{}` is ignored", escaped(key.trim()));
                            diagnostics.warn("unknown-key", place(), message);
                        }
                        None => {
                            let message = format!("invalid value `{}` of `{}`", escaped(value.trim()), key.trim());
                            if let (None, Some(region)) = (file, target) {
                                region.fault.get_or_insert(message);
                                continue;
                            }
                            return Err(Error::malformed("atlas-value", place(), message));
                        }
                    }
                }
                _ if begins_page => {
                    atlas.pages.push(Page { file: line.to_owned(), ..Page::default() });
                    (begins_page, in_region) = (false, false);
                }
                _ => {
                    let page = atlas.pages.len() - 1;
                    atlas.regions.push(Region { name: line.to_owned(), page, line: number, ..Region::default() });
                    in_region = true;
                }
            }
        }
        Ok(atlas)
    }
}

/// Returns true if an unindented line with this key is a property. Names may contain colons too.
fn is_key(key: &str) -> bool {
    const KEYS: [&str; 9] = ["rotate", "xy", "orig", "offset", "index", "split", "pad", "bounds", "offsets"];
    PAGE_KEYS.contains(&key) || KEYS.contains(&key)
}

/// The properties of a page.
const PAGE_KEYS: [&str; 6] = ["size", "format", "filter", "repeat", "pma", "scale"];

/// Checks whether `bytes`, the start of a file or all of it, is an atlas: the name of a page and a property of it.
pub fn resembles_atlas(bytes: &[u8]) -> Resemblance {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let (name, next) = match text.iter().position(|byte| *byte == b'\n') {
        Some(end) => (text[..end].trim_ascii_end(), Some(&text[end + 1..])),
        None => (text.trim_ascii_end(), None),
    };
    if name.is_empty() || matches!(name[0], b'{' | b'<' | b'[') || name.iter().any(u8::is_ascii_control) {
        return Resemblance::None;
    }
    let Some(next) = next else {
        let name = name.to_ascii_lowercase();
        let has_extension = [&b".png"[..], b".jpg", b".jpeg", b".webp"].iter().any(|end| name.ends_with(end));
        return if has_extension { Resemblance::Possible } else { Resemblance::None };
    };
    let line = &next[..next.iter().position(|byte| *byte == b'\n').unwrap_or(next.len())];
    let key = line.split(|byte| *byte == b':').next().unwrap_or_default().trim_ascii();
    if line.contains(&b':') {
        let is_known = PAGE_KEYS.iter().any(|known| known.as_bytes() == key);
        return if is_known { Resemblance::Sure } else { Resemblance::None };
    }
    // The line is truncated.
    let may_be_known = PAGE_KEYS.iter().any(|known| known.as_bytes().starts_with(key));
    if line.len() == next.len() && may_be_known { Resemblance::Possible } else { Resemblance::None }
}

/// The likelihood that a file has a given format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resemblance {
    None,
    /// More bytes are needed to decide.
    Possible,
    Sure,
}

/// Parses numbers separated by commas.
fn numbers<const N: usize>(value: &str) -> Option<[f32; N]> {
    let mut parts = value.split(',').map(|part| part.trim().parse::<f32>().ok().filter(|part| part.is_finite()));
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = parts.next()??;
    }
    parts.next().is_none().then_some(numbers)
}

/// Like [`numbers`], but rejects negative numbers.
fn sizes<const N: usize>(value: &str) -> Option<[f32; N]> {
    numbers(value).filter(|numbers: &[f32; N]| numbers.iter().all(|number| *number >= 0.0))
}

impl Page {
    /// Sets a property. Returns whether the key is known, or `None` if the value is invalid.
    fn set(&mut self, key: &str, value: &str) -> Option<bool> {
        match key {
            "size" => self.size = Some(sizes(value)?),
            "pma" => self.is_premultiplied = Some(value == "true"),
            "format" | "filter" | "repeat" | "scale" => {}
            _ => return Some(false),
        }
        Some(true)
    }
}

impl Region {
    /// Sets a property. Returns whether the key is known, or `None` if the value is invalid.
    fn set(&mut self, key: &str, value: &str) -> Option<bool> {
        match key {
            "xy" => self.at = numbers(value)?,
            "size" => self.size = sizes(value)?,
            "orig" => self.original = sizes(value)?,
            "offset" => self.offset = numbers(value)?,
            "bounds" => {
                let [x, y, width, height] = sizes(value)?;
                (self.at, self.size) = ([x, y], [width, height]);
            }
            "offsets" => {
                let [x, y, width, height] = sizes(value)?;
                (self.offset, self.original) = ([x, y], [width, height]);
            }
            "rotate" => {
                self.degrees = match value {
                    "true" | "90" => 90,
                    "false" | "0" => 0,
                    "180" => 180,
                    "270" => 270,
                    _ => return None,
                }
            }
            // -1 means no index.
            "index" => self.index = value.parse().ok(),
            "split" | "pad" => {}
            _ => return Some(false),
        }
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Atlas {
        let mut diagnostics = Diagnostics::default();
        let atlas = Atlas::parse(text, "a.atlas", &mut diagnostics).unwrap();
        assert!(diagnostics.is_empty(), "{:?}", diagnostics.findings());
        atlas
    }

    const OLD: &str = "\none.png\nsize: 64,32\nformat: RGBA8888\nfilter: Linear,Linear\nrepeat: none\na/b\n  rotate: true\n  \
        xy: 2, 4\n  size: 10, 20\n  orig: 14, 28\n  offset: 1, 3\n  index: -1\nplain\n  rotate: false\n  xy: 30, 4\n  \
        size: 8, 6\n  orig: 8, 6\n  offset: 0, 0\n  index: -1\n\ntwo.png\nsize: 8,8\nformat: RGBA8888\nlast\n  xy: 0, 0\n  \
        size: 8, 8\n";

    const NEW: &str = "one.png\nsize: 64, 32\nfilter: Linear, Linear\na/b\nbounds: 2, 4, 10, 20\noffsets: 1, 3, 14, 28\n\
        rotate: 90\nplain\nbounds: 30, 4, 8, 6\n\ntwo.png\nsize:8,8\nlast\nbounds:0,0,8,8\n";

    #[test]
    fn both_forms_give_the_same_atlas() {
        let (old, new) = (parse(OLD), parse(NEW));
        assert_eq!(old.pages, new.pages);
        assert_eq!(old.regions.len(), 3);
        for (old, new) in old.regions.iter().zip(&new.regions) {
            assert_eq!(
                (&old.name, old.page, old.whole(), old.corners()),
                (&new.name, new.page, new.whole(), new.corners())
            );
        }
        let page = &parse("one.png\npma: true\n").pages[0];
        assert!(page.is_premultiplied == Some(true) && page.size.is_none());
        assert_eq!(parse("one.png\npma: false\n").pages[0].is_premultiplied, Some(false));
        assert!(old.pages.iter().all(|page| page.is_premultiplied.is_none()));
    }

    #[test]
    fn rotated_regions_are_mapped_to_the_page() {
        let region = &parse(OLD).regions[0];
        // The lower left of the image is at the lower right on the page: its top edge runs up the left side.
        let expected = [[22.0, 14.0], [2.0, 14.0], [2.0, 4.0], [22.0, 4.0]];
        // A quarter turn is computed from fractions of the size, which f32 rounds.
        let is_near = |(a, b): (&[f32; 2], &[f32; 2])| (a[0] - b[0]).abs() < 1e-5 && (a[1] - b[1]).abs() < 1e-5;
        let corners = region.corners();
        assert!(corners.iter().zip(&expected).all(is_near), "{corners:?}");
        let plain = &parse(OLD).regions[1];
        assert_eq!(plain.corners(), [[30.0, 10.0], [30.0, 4.0], [38.0, 4.0], [38.0, 10.0]]);
        let turned = |degrees| Region { degrees, ..plain.clone() }.corners()[0];
        assert_eq!((turned(180), turned(270)), ([38.0, 4.0], [30.0, 4.0]));
    }

    #[test]
    fn an_atlas_is_detected_from_its_first_lines() {
        let found = |text: &str| resembles_atlas(text.as_bytes());
        for text in [OLD, NEW, "\u{feff}a b.png\r\n  size: 1,1\r\n", "plain\nfilter: Nearest, Nearest"] {
            assert_eq!(found(text), Resemblance::Sure, "{text}");
            // Truncated anywhere after the name.
            let name_end = text.trim_start().find('\n').unwrap() + text.len() - text.trim_start().len();
            for end in name_end + 1..text.len() {
                assert_ne!(resembles_atlas(&text.as_bytes()[..end]), Resemblance::None, "{:?}", &text[..end]);
            }
        }
        for text in ["one.png", "\none.png\nsi", "one\n"] {
            assert_eq!(found(text), Resemblance::Possible, "{text}");
        }
        for text in
            ["", "\n\n", "one", "one\nmore\n", "{\nsize: 1", "a\0b\nsize: 1", "<a>\nsize:", "one\n\nsize: 1,1"]
        {
            assert_eq!(found(text), Resemblance::None, "{text}");
        }
    }

    #[test]
    fn an_invalid_region_does_not_affect_the_others() {
        let text = "one.png\nsize: 8,8\na\n  index: 3\n  xy: 1\nb\n  index: -1\n  xy: 1, 2\n";
        let mut diagnostics = Diagnostics::default();
        let atlas = Atlas::parse_regions(text, &mut diagnostics).unwrap();
        let [a, b] = &atlas.regions[..] else { panic!() };
        assert_eq!((a.fault.as_deref(), a.index, a.line), (Some("invalid value `1` of `xy`"), Some(3), 3));
        assert_eq!((&b.fault, b.index, b.line, b.at), (&None, None, 6, [1.0, 2.0]));
        assert!(Atlas::parse_regions("one.png\nsize: 8\n", &mut diagnostics).is_err());
    }

    #[test]
    fn errors_name_the_line() {
        let error = Atlas::parse("one.png\nsize: 8\n", "a.atlas", &mut Diagnostics::default()).unwrap_err();
        assert_eq!(error.to_string(), "a.atlas: line 2: invalid value `8` of `size`");
        let mut diagnostics = Diagnostics::default();
        Atlas::parse("one.png\na\n  colour: 1\n", "a.atlas", &mut diagnostics).unwrap();
        assert_eq!(
            diagnostics.findings()[0].fault.to_string(),
            "a.atlas: line 3: unknown key `colour` is ignored"
        );
    }
}
