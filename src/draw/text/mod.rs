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

pub(super) use shorten::shorten_into;
pub use shorten::shortened;

/// Width of a column in dots, including the gap to the next one.
pub const ADVANCE: u32 = font::COLUMNS as u32 + 1;
/// Height of a line in dots.
pub const HEIGHT: u32 = font::ROWS as u32;

/// A line of text in a picture.
#[derive(Debug, Clone, Copy)]
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
    text.chars().flat_map(spelled)
}

/// Returns the character itself, or the spelling of its code point if it has no glyph.
fn spelled(c: char) -> impl Iterator<Item = char> {
    let (code, has_glyph) = (u32::from(c), font::glyph(c).is_some());
    let digits = (8 - code.leading_zeros() / 4).max(4);
    let digit = move |at: u32| char::from_digit(code >> (4 * at) & 15, 16).map(|digit| digit.to_ascii_uppercase());
    let code_point = "<U+".chars().chain((0..digits).rev().filter_map(digit)).chain(['>']);
    has_glyph.then_some(c).into_iter().chain((!has_glyph).then_some(code_point).into_iter().flatten())
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

/// Appends the visible part of `label`. `dots` is working memory.
pub(super) fn append(label: &Label<'_>, view: &View, dots: &mut Dots, out: &mut Vec<OverlayVertex>) {
    if !dots.set(label, view) {
        return;
    }
    if let Some(outline) = label.outline {
        dots.set_outline();
        dots.append(&dots.outline, label, outline, view, out);
    }
    dots.append(&dots.text, label, label.color, view, out);
}

/// The dots of the visible columns of a label, with a margin of one dot on every side. Its memory is reused.
#[derive(Debug, Clone, Default)]
pub(super) struct Dots {
    glyphs: Vec<font::Glyph>,
    /// The leftmost column of dots, counted from the first character.
    left: i64,
    width: usize,
    /// Whether each dot is part of the text.
    text: Vec<bool>,
    /// Whether each dot is part of the text or next to one that is.
    outline: Vec<bool>,
}

impl Dots {
    /// Sets the dots of `label`. Returns false if it is outside of the picture.
    fn set(&mut self, label: &Label<'_>, view: &View) -> bool {
        self.glyphs.clear();
        self.glyphs.extend(
            visible_columns(label, view)
                .into_iter()
                .flat_map(|(first, count)| drawable(label.text).skip(first).take(count).filter_map(font::glyph)),
        );
        let Some((first, _)) = visible_columns(label, view).filter(|_| !self.glyphs.is_empty()) else {
            return false;
        };
        self.left = first as i64 * i64::from(ADVANCE) - 1;
        self.width = self.glyphs.len() * ADVANCE as usize + 2;
        self.text.clear();
        self.text.resize(self.width * (font::ROWS + 2), false);
        for (index, glyph) in self.glyphs.iter().enumerate() {
            for (row, bits) in glyph.iter().enumerate() {
                let start = (row + 1) * self.width + index * ADVANCE as usize + 1;
                for (column, is_set) in self.text.iter_mut().skip(start).take(font::COLUMNS).enumerate() {
                    *is_set = bits >> (font::COLUMNS - 1 - column) & 1 == 1;
                }
            }
        }
        true
    }

    fn set_outline(&mut self) {
        let width = self.width;
        self.outline.clear();
        self.outline.resize(self.text.len(), false);
        for at in self.text.iter().enumerate().filter_map(|(at, is_set)| is_set.then_some(at)) {
            // The margin ensures that all neighbours exist.
            for row in [at - width, at, at + width] {
                self.outline[row - 1..=row + 1].fill(true);
            }
        }
    }

    /// Appends one rectangle for each run of dots in a row.
    fn append(
        &self,
        is_set: &[bool],
        label: &Label<'_>,
        color: [u8; 4],
        view: &View,
        out: &mut Vec<OverlayVertex>,
    ) {
        let (dot, [x, y]) = (i64::from(label.dot), label.corner.map(i64::from));
        for (row, dots) in is_set.chunks(self.width).enumerate() {
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

/// Returns the first visible column of `label` and the number of columns that fit into the picture from there; `None`
/// if the label is above, below or empty.
fn visible_columns(label: &Label<'_>, view: &View) -> Option<(usize, usize)> {
    let (dot, [x, y]) = (i64::from(label.dot), label.corner.map(i64::from));
    let is_above = y.saturating_add((i64::from(HEIGHT) + 1).saturating_mul(dot)) <= 0;
    if dot == 0 || is_above || y - dot >= i64::from(view.height()) {
        return None;
    }
    let advance = i64::from(ADVANCE).saturating_mul(dot);
    let first = ((-x - dot) / advance).max(0);
    let count = ((i64::from(view.width()) - x + dot - 1).div_euclid(advance) + 1 - first).max(0);
    Some((usize::try_from(first).ok()?, usize::try_from(count).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Rect, Vec2};

    fn vertices(label: &Label<'_>, view: &View) -> Vec<OverlayVertex> {
        let mut out = Vec::new();
        append(label, view, &mut Dots::default(), &mut out);
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
            [[101, 0], [102, 5], [i32::MAX, 0], [i32::MIN, 0], [0, 41], [0, -13], [0, i32::MIN], [0, i32::MAX]]
        {
            assert_eq!(vertices(&label("xyz", corner, 1), &view()), [], "{corner:?}");
        }
        assert_eq!(vertices(&label("xyz", [0, 0], 0), &view()), []);
        // Must not overflow.
        vertices(&label("xyz", [i32::MIN, i32::MIN], u32::MAX), &view());
        vertices(&label("xyz", [5, 5], u32::MAX), &View::new(u32::MAX, u32::MAX, Vec2::ZERO, 1.0));
    }
}
