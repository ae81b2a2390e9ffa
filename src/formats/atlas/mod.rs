//! `.atlas` text, in the older form of libGDX or the form of Spine 4 → pages and regions.
//!
//! A page starts after an empty line or at the start of the file; a line without `key: value` starts a region.
//! Regions are in pixels of their page. Whether a page was packed at another scale does not matter: attachments state
//! their own size, and only the shape of a region relative to its untrimmed image is used.

mod parse;
#[cfg(feature = "convert")]
mod write;

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
    /// Names of the filters for making it smaller and larger, and the axes on which it repeats, if any.
    pub filter: Option<String>,
    pub repeat: Option<String>,
    /// Line number of its name, from 1.
    pub line: u64,
}

/// A named rectangle of a page. Pixels, y down.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Region {
    /// As it stands, with spaces at its ends; trimmed by [`Atlas::parse_regions`].
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
}

#[cfg(feature = "spine")]
impl Region {
    /// Returns true if it has no area.
    pub fn is_empty(&self) -> bool {
        self.whole().contains(&0.0)
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

    /// Returns how far it reaches on the page to the right and down, in pixels.
    pub fn reach(&self) -> [f32; 2] {
        let [width, height] = self.size;
        let [x, y] = self.at;
        if matches!(self.degrees, 90 | 270) { [x + height, y + width] } else { [x + width, y + height] }
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

#[cfg(test)]
#[cfg(feature = "formats-all")]
mod tests {
    use super::*;
    use crate::diagnostics::Diagnostics;
    use crate::formats::detect::atlas::{Resemblance, resembles_atlas};

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
        let lines = |atlas: &Atlas| atlas.pages.iter().map(|page| page.line).collect::<Vec<_>>();
        assert_eq!((lines(&old), lines(&new)), (vec![2, 22], vec![1, 11]));
        let anywhere = |page: &Page| Page { line: 0, ..page.clone() };
        assert!(old.pages.iter().map(anywhere).eq(new.pages.iter().map(anywhere)), "{old:?} {new:?}");
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

    /// The only region of an atlas with these lines.
    fn region(lines: &str) -> Region {
        let mut atlas = parse(&format!("one.png\nsize: 64, 64\nr\n{lines}"));
        assert_eq!(atlas.regions.len(), 1, "{atlas:?}");
        atlas.regions.remove(0)
    }

    #[test]
    fn names_of_both_forms_can_be_mixed() {
        let expected = Region { line: 0, ..region("bounds: 2, 4, 10, 20\noffsets: 1, 3, 14, 28\nrotate: 90\n") };
        for lines in [
            "  rotate: true\n  xy: 2, 4\n  size: 10, 20\n  offsets: 1, 3, 14, 28\n  index: -1\n",
            "rotate: true\nbounds: 2, 4, 10, 20\norig: 14, 28\noffset: 1, 3\n",
            "\torig: 14, 28\n\tbounds:2,4,10,20\n\toffset:1,3\n\trotate:90\n",
            "bounds: 2, 4, 10, 20\n  offset: 1, 3\nrotate: True\n\torig: 14, 28\nsplit: 1, 2, 3, 4\npad: 0, 0, -1, -1\n",
        ] {
            assert_eq!(Region { line: 0, ..region(lines) }, expected, "{lines}");
        }
    }

    #[test]
    fn spaces_line_ends_and_a_byte_order_mark_do_not_matter() {
        let plain = parse(NEW);
        let spaced = NEW.replace(": ", " :\t ").replace(", ", " ,  ");
        assert_eq!(parse(&spaced), plain);
        assert_eq!(parse(&NEW.replace(", ", ",").replace(": ", ":")), plain);
        assert_eq!(parse(&format!("\u{feff}{}", NEW.replace('\n', "\r\n"))), plain);
        assert_eq!(parse(&format!("{}\n\n", NEW.trim_end())), plain);
    }

    #[test]
    fn regions_need_no_blank_lines_and_pages_do() {
        let text = "a.png\nsize: 8, 8\nscale: 0.5\npma: true\n1\nbounds: 0, 0, 1, 1\n2\nbounds: 1, 0, 1, 1\n\n\n \nb.png\npma: false\n\
                    filter: Nearest, Nearest\n3\nrotate: 90\nbounds: 0, 0, 1, 1\n\nc.png\n";
        let atlas = parse(text);
        let pages: Vec<_> = atlas.pages.iter().map(|page| (&*page.file, page.is_premultiplied)).collect();
        assert_eq!(pages, [("a.png", Some(true)), ("b.png", Some(false)), ("c.png", None)]);
        let regions: Vec<_> =
            atlas.regions.iter().map(|region| (&*region.name, region.page, region.line)).collect();
        assert_eq!(regions, [("1", 0, 5), ("2", 0, 7), ("3", 1, 15)]);
    }

    #[test]
    fn any_multiple_of_90_degrees_is_a_rotation() {
        for (value, degrees) in [
            ("false", 0),
            ("true", 90),
            ("FALSE", 0),
            ("0", 0),
            ("90", 90),
            ("180", 180),
            ("270", 270),
            ("90.0", 90),
            ("360", 0),
            ("-90", 270),
            ("450", 90),
        ] {
            assert_eq!(region(&format!("rotate: {value}\nbounds: 0, 0, 2, 1\n")).degrees, degrees, "{value}");
        }
    }

    #[test]
    fn other_rotations_are_reported_and_ignored() {
        let text = "one.png\nsize: 8, 8\na\n  rotate: 45\n  bounds: 0, 0, 2, 1\nb\n  bounds: 2, 0, 2, 1\n";
        let mut diagnostics = Diagnostics::default();
        let atlas = Atlas::parse(text, "a.atlas", &mut diagnostics).unwrap();
        assert_eq!(atlas.regions.iter().map(|region| region.degrees).collect::<Vec<_>>(), [0, 0]);
        let [finding] = diagnostics.findings() else { panic!("{:?}", diagnostics.findings()) };
        assert_eq!(finding.fault.code, "atlas-rotation");
        assert!(finding.fault.to_string().starts_with("a.atlas: line 4: rotation by `45`"), "{}", finding.fault);
        // A frame of a sheet would be wrong.
        let atlas = Atlas::parse_regions(text, &mut diagnostics).unwrap();
        assert_eq!(atlas.regions[0].fault.as_deref(), Some("invalid value `45` of `rotate`"));
        assert_eq!(atlas.regions[1].fault, None);
        for value in ["sideways", "", "nan", "inf", "90, 90"] {
            let text = text.replace("45", value);
            let error = Atlas::parse(&text, "a.atlas", &mut diagnostics).unwrap_err();
            assert_eq!(error.to_string(), format!("a.atlas: line 4: invalid value `{value}` of `rotate`"));
        }
    }

    #[test]
    fn positions_may_be_negative_and_sizes_may_not() {
        let found = region("bounds: -1, -2, 3, 4\noffsets: -5, -6, 7, 8\n");
        assert_eq!((found.at, found.offset, found.original), ([-1.0, -2.0], [-5.0, -6.0], [7.0, 8.0]));
        for line in [
            "bounds: 0, 0, -1, 1",
            "bounds: 0, 0, 1",
            "bounds: 0, 0, 1, 1, 1",
            "offsets: 0, 0, 1, -1",
            "size: -1, 1",
            "xy: 1, inf",
            "pma: maybe",
        ] {
            let head = if line.starts_with("pma") {
                "one.png\nsize: 1, 1\nfilter: a\n"
            } else {
                "one.png\nsize: 1, 1\nr\n"
            };
            let error =
                Atlas::parse(&format!("{head}{line}\n"), "a.atlas", &mut Diagnostics::default()).unwrap_err();
            assert!(error.to_string().starts_with("a.atlas: line 4: invalid value `"), "{error}");
        }
    }

    #[test]
    fn unknown_keys_are_distinguished_from_names_with_colons() {
        let text = "one.png\nsize: 8, 8\ndpi: 72\nhead: left\nbounds: 0, 0, 1, 1\nmargin: 1, 2\nrotate: 90\nlocked: true\nhead: 2\n\
                    bounds: 1, 0, 1, 1\nweight: 3\nlast\n";
        let mut diagnostics = Diagnostics::default();
        let atlas = Atlas::parse(text, "a.atlas", &mut diagnostics).unwrap();
        let names: Vec<_> =
            atlas.regions.iter().map(|region| (&*region.name, region.at, region.degrees)).collect();
        assert_eq!(names, [("head: left", [0.0, 0.0], 90), ("head: 2", [1.0, 0.0], 0), ("last", [0.0, 0.0], 0)]);
        let unknown: Vec<_> = diagnostics.findings().iter().map(|finding| finding.fault.to_string()).collect();
        let expected = [(3, "dpi"), (6, "margin"), (8, "locked"), (11, "weight")]
            .map(|(line, key)| format!("a.atlas: line {line}: unknown key `{key}` is ignored"));
        assert_eq!(unknown, expected);
    }
}
