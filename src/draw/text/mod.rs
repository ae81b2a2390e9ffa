//! Text in pictures: a bitmap font of our own, drawn as solid rectangles, so that both renderers draw the same
//! bytes.
//!
//! Every character takes one column of [`ADVANCE`] × [`HEIGHT`] dots. A character without a glyph is written as its
//! code point: `<U+4E2D>`.

mod font;
mod glyphs;
mod shorten;

use super::{OverlayVertex, View};
use crate::math::vec2;

pub use shorten::shortened;

/// Width of a column in dots, including the gap to the next one.
pub const ADVANCE: u32 = font::COLUMNS as u32 + 1;
/// Height of a line in dots.
pub const HEIGHT: u32 = font::ROWS as u32;

/// A line of text in a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label<'a> {
    /// The text. Characters without a glyph, among them line feeds, are drawn as code points.
    pub text: &'a str,
    /// The pixel of the picture at the upper-left corner of the first character.
    pub corner: [i32; 2],
    /// Pixels per dot; 0 draws nothing.
    pub dot: u32,
    /// Premultiplied RGBA.
    pub color: [u8; 4],
    /// Premultiplied RGBA of an outline one dot wide, which keeps the text legible on any picture.
    pub outline: Option<[u8; 4]>,
}

/// Returns the characters as drawn: those without a glyph are replaced by their code points.
fn drawable(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(|c| {
        let code_point = font::glyph(c).is_none().then(|| format!("<U+{:04X}>", u32::from(c)));
        let plain = code_point.is_none().then_some(c);
        plain.into_iter().chain(code_point.unwrap_or_default().chars().collect::<Vec<_>>())
    })
}

/// Returns the number of columns that `text` takes.
pub fn columns(text: &str) -> usize {
    drawable(text).count()
}

/// Appends a rectangle of the picture: left, top, width and height in pixels.
pub(super) fn rectangle(
    [x, y, width, height]: [i64; 4],
    color: [u8; 4],
    view: &View,
    out: &mut Vec<OverlayVertex>,
) {
    let corner =
        |x: i64, y: i64| OverlayVertex { position: view.world_from_pixel(vec2(x as f32, y as f32)), color };
    let (right, bottom) = (x + width, y + height);
    let [a, b, c, d] = [corner(x, y), corner(right, y), corner(right, bottom), corner(x, bottom)];
    out.extend([a, b, c, c, d, a]);
}

/// Appends the visible part of `label`.
pub(super) fn append(label: &Label<'_>, view: &View, out: &mut Vec<OverlayVertex>) {
    let Some(dots) = Dots::new(label, view) else { return };
    if let Some(outline) = label.outline {
        dots.outlined().append(label, outline, view, out);
    }
    dots.append(label, label.color, view, out);
}

/// The dots of the visible columns of a label, with a margin of one dot on every side.
struct Dots {
    /// The leftmost column of dots, counted from the first character.
    left: i64,
    width: usize,
    is_set: Vec<bool>,
}

impl Dots {
    /// Returns `None` if the label is outside of the picture.
    fn new(label: &Label<'_>, view: &View) -> Option<Self> {
        let (dot, [x, y]) = (i64::from(label.dot), label.corner.map(i64::from));
        let is_above = y.saturating_add((i64::from(HEIGHT) + 1).saturating_mul(dot)) <= 0;
        if dot == 0 || is_above || y - dot >= i64::from(view.height()) {
            return None;
        }
        let advance = i64::from(ADVANCE).saturating_mul(dot);
        let first = ((-x - dot) / advance).max(0);
        let count = ((i64::from(view.width()) - x + dot) / advance + 1 - first).max(0);
        let visible = drawable(label.text).skip(usize::try_from(first).ok()?);
        let glyphs: Vec<_> = visible.take(usize::try_from(count).ok()?).filter_map(font::glyph).collect();
        if glyphs.is_empty() {
            return None;
        }
        let width = glyphs.len() * ADVANCE as usize + 2;
        let mut is_set = vec![false; width * (font::ROWS + 2)];
        for (index, glyph) in glyphs.iter().enumerate() {
            for (row, bits) in glyph.iter().enumerate() {
                let start = (row + 1) * width + index * ADVANCE as usize + 1;
                for (column, is_set) in is_set.iter_mut().skip(start).take(font::COLUMNS).enumerate() {
                    *is_set = bits >> (font::COLUMNS - 1 - column) & 1 == 1;
                }
            }
        }
        Some(Self { left: first * i64::from(ADVANCE) - 1, width, is_set })
    }

    /// Returns the dots together with their neighbours.
    fn outlined(&self) -> Self {
        let width = self.width;
        let mut is_set = vec![false; self.is_set.len()];
        for at in self.is_set.iter().enumerate().filter_map(|(at, is_set)| is_set.then_some(at)) {
            // The margin ensures that all neighbours exist.
            for row in [at - width, at, at + width] {
                is_set[row - 1..=row + 1].fill(true);
            }
        }
        Self { is_set, ..*self }
    }

    /// Appends one rectangle for each run of dots in a row.
    fn append(&self, label: &Label<'_>, color: [u8; 4], view: &View, out: &mut Vec<OverlayVertex>) {
        let (dot, [x, y]) = (i64::from(label.dot), label.corner.map(i64::from));
        for (row, dots) in self.is_set.chunks(self.width).enumerate() {
            let mut start = 0;
            for run in dots.chunk_by(|a, b| a == b) {
                if run.first() == Some(&true) {
                    let left = x + (self.left + start as i64) * dot;
                    let top = y + (row as i64 - 1) * dot;
                    rectangle([left, top, run.len() as i64 * dot, dot], color, view, out);
                }
                start += run.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Rect, Vec2};

    fn vertices(label: &Label<'_>, view: &View) -> Vec<OverlayVertex> {
        let mut out = Vec::new();
        append(label, view, &mut out);
        out
    }

    fn label(text: &str, corner: [i32; 2], dot: u32) -> Label<'_> {
        Label { text, corner, dot, color: [255; 4], outline: None }
    }

    fn view() -> View {
        View::new(100, 40, Vec2::ZERO, 1.0)
    }

    #[test]
    fn text_stays_inside_its_cells() {
        let every: String = (' '..='ÿ').filter(|c| font::glyph(*c).is_some()).collect();
        let view = View::new(2000, 40, Vec2::ZERO, 1.0);
        for dot in [1, 2] {
            let found = vertices(&label(&every, [3, 5], dot), &view);
            let bounds = found
                .iter()
                .map(|vertex| view.pixel_from_world(vertex.position))
                .fold(Rect::NOTHING, Rect::include);
            assert!(bounds.min.x >= 3.0 && bounds.min.y >= 5.0, "{bounds:?}");
            let end = 3 + columns(&every) as u32 * ADVANCE * dot;
            assert!(bounds.max.x <= end as f32 && bounds.max.y <= (5 + HEIGHT * dot) as f32, "{bounds:?}");
        }
    }

    #[test]
    fn runs_of_dots_are_one_rectangle() {
        // A hyphen and a dash are one run each.
        assert_eq!(vertices(&label("-", [0, 0], 3), &view()).len(), 6);
        assert_eq!(vertices(&label("—", [0, 0], 1), &view()).len(), 6);
        assert_eq!(vertices(&label(" ", [0, 0], 1), &view()), []);
        let outlined = Label { outline: Some([0, 0, 0, 255]), ..label("-", [0, 0], 1) };
        assert_eq!(vertices(&outlined, &view()).len(), 4 * 6);
    }

    #[test]
    fn characters_without_a_glyph_are_named_by_their_code_point() {
        assert_eq!(drawable("a中😀\n").collect::<String>(), "a<U+4E2D><U+1F600><U+000A>");
        assert_eq!(columns("a中"), 9);
        assert_eq!(vertices(&label("中", [0, 0], 1), &view()), vertices(&label("<U+4E2D>", [0, 0], 1), &view()));
    }

    #[test]
    fn only_the_visible_part_is_drawn() {
        let long = "x".repeat(1 << 20);
        let found = vertices(&label(&long, [-600, 5], 1), &view());
        assert!(!found.is_empty() && found.len() < 20 * 12 * 6, "{}", found.len());
        for corner in
            [[100, 0], [101, 5], [i32::MAX, 0], [i32::MIN, 0], [0, 41], [0, -13], [0, i32::MIN], [0, i32::MAX]]
        {
            assert_eq!(vertices(&label("xyz", corner, 1), &view()), [], "{corner:?}");
        }
        assert_eq!(vertices(&label("xyz", [0, 0], 0), &view()), []);
        // Must not overflow.
        vertices(&label("xyz", [i32::MIN, i32::MIN], u32::MAX), &view());
        vertices(&label("xyz", [5, 5], u32::MAX), &View::new(u32::MAX, u32::MAX, Vec2::ZERO, 1.0));
    }
}
