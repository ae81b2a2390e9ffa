//! A frame of a sheet → its rectangle on the canvas and its corners on the page.
//!
//! All numbers are pixels with y down: of the canvas shared by all frames, from its upper-left corner, or of the
//! page. The part of a frame outside its page is not shown; the part outside its canvas is, as in other engines.

use super::schema::{Frame, Number, Rect, Turn};

/// A rectangle of a page on the canvas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quad {
    /// Left, top, right and bottom on the canvas.
    pub canvas: [f32; 4],
    /// Upper-left, upper-right, lower-right and lower-left corner on the page.
    pub page: [[f32; 2]; 4],
}

/// A placed frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// The visible part; `None` if nothing is visible.
    pub quad: Option<Quad>,
    /// True if a part of it is outside the page.
    pub is_cut: bool,
}

/// Returns the size of the canvas of a frame.
pub fn canvas_size(frame: &Frame) -> [f32; 2] {
    let own = [frame.frame.w.0, frame.frame.h.0];
    match frame.source_size {
        Some(size) if size.w.0 >= 1.0 && size.h.0 >= 1.0 => [size.w.0, size.h.0],
        _ => own,
    }
}

/// Places a frame. `page` is the size of its page, `None` if the page is missing.
pub fn place(frame: &Frame, page: Option<[f32; 2]>) -> Placed {
    let Rect { w: Number(w), h: Number(h), .. } = frame.frame;
    if frame.is_lost {
        return Placed { quad: None, is_cut: false };
    }
    if !(w > 0.0 && h > 0.0) {
        return Placed { quad: None, is_cut: true };
    }
    let ([left, top], on_page) = (corner(frame), OnPage::of(frame));
    // The columns and rows of the frame that are on the page.
    let (mut columns, mut rows) = ([0.0, w], [0.0, h]);
    if let Some(size) = page {
        on_page.cut(size, &mut columns, &mut rows);
    }
    let is_cut = columns != [0.0, w] || rows != [0.0, h];
    if !(columns[1] > columns[0] && rows[1] > rows[0]) {
        return Placed { quad: None, is_cut };
    }
    let quad = Quad {
        canvas: [left + columns[0], top + rows[0], left + columns[1], top + rows[1]],
        page: [
            on_page.point(columns[0], rows[0]),
            on_page.point(columns[1], rows[0]),
            on_page.point(columns[1], rows[1]),
            on_page.point(columns[0], rows[1]),
        ],
    };
    Placed { quad: Some(quad.flipped(frame)), is_cut }
}

impl Quad {
    /// Mirrors the rectangle within the canvas of `frame`.
    fn flipped(self, frame: &Frame) -> Self {
        let ([width, height], [is_horizontal, is_vertical]) = (canvas_size(frame), frame.flip);
        let Self { canvas: [left, top, right, bottom], page: [a, b, c, d] } = self;
        let ([left, right], [a, b, c, d]) = if is_horizontal {
            ([width - right, width - left], [b, a, d, c])
        } else {
            ([left, right], [a, b, c, d])
        };
        let ([top, bottom], page) = if is_vertical {
            ([height - bottom, height - top], [d, c, b, a])
        } else {
            ([top, bottom], [a, b, c, d])
        };
        Self { canvas: [left, top, right, bottom], page }
    }
}

/// Returns the upper-left corner of a frame on its canvas.
fn corner(frame: &Frame) -> [f32; 2] {
    frame.sprite_source_size.map_or([0.0, 0.0], |inner| [inner.x.0, inner.y.0])
}

/// Maps columns and rows of a frame to its page.
struct OnPage {
    /// Position of column 0 and row 0.
    origin: [f32; 2],
    /// Step to the next column.
    column: [f32; 2],
    /// Step to the next row.
    row: [f32; 2],
}

impl OnPage {
    fn of(frame: &Frame) -> Self {
        let Rect { x: Number(x), y: Number(y), w: Number(w), h: Number(h) } = frame.frame;
        let (origin, column, row) = match frame.turn {
            Turn::None => ([x, y], [1.0, 0.0], [0.0, 1.0]),
            Turn::Clockwise => ([x + h, y], [0.0, 1.0], [-1.0, 0.0]),
            Turn::Half => ([x + w, y + h], [-1.0, 0.0], [0.0, -1.0]),
            Turn::CounterClockwise => ([x, y + w], [0.0, -1.0], [1.0, 0.0]),
        };
        Self { origin, column, row }
    }

    fn point(&self, column: f32, row: f32) -> [f32; 2] {
        [0, 1].map(|axis| self.origin[axis] + self.column[axis] * column + self.row[axis] * row)
    }

    /// Clips columns and rows to a page of `size` pixels.
    fn cut(&self, size: [f32; 2], columns: &mut [f32; 2], rows: &mut [f32; 2]) {
        for axis in [0, 1] {
            // Either columns or rows run along the axis.
            let (along, step) = if self.column[axis] == 0.0 {
                (&mut *rows, self.row[axis])
            } else {
                (&mut *columns, self.column[axis])
            };
            let ends = [(0.0 - self.origin[axis]) * step, (size[axis] - self.origin[axis]) * step];
            along[0] = along[0].max(ends[0].min(ends[1]));
            along[1] = along[1].min(ends[0].max(ends[1]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Frame {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_trimmed_and_rotated_frame_is_placed_on_the_canvas() {
        let frame = frame(
            r#"{"frame": {"x": 2, "y": 3, "w": 4, "h": 6}, "rotated": true,
               "spriteSourceSize": {"x": 1, "y": 2, "w": 4, "h": 6}, "sourceSize": {"w": 10, "h": 20}}"#,
        );
        let Placed { quad: Some(quad), is_cut: false } = place(&frame, Some([64.0, 64.0])) else { panic!() };
        assert_eq!(quad.canvas, [1.0, 2.0, 5.0, 8.0]);
        // Six wide and four high on the page, where its upper-left corner is on the right.
        assert_eq!(quad.page, [[8.0, 3.0], [8.0, 7.0], [2.0, 7.0], [2.0, 3.0]]);
    }

    #[test]
    fn a_flipped_frame_is_mirrored_within_its_canvas() {
        let frame = |flip| Frame {
            flip,
            ..frame(
                r#"{"frame": {"x": 2, "y": 3, "w": 4, "h": 6},
                   "spriteSourceSize": {"x": 1, "y": 2, "w": 4, "h": 6}, "sourceSize": {"w": 10, "h": 20}}"#,
            )
        };
        let quad = |flip| place(&frame(flip), Some([64.0, 64.0])).quad.unwrap();
        let [a, b, c, d] = quad([false; 2]).page;
        assert_eq!(quad([true, false]), Quad { canvas: [5.0, 2.0, 9.0, 8.0], page: [b, a, d, c] });
        assert_eq!(quad([false, true]), Quad { canvas: [1.0, 12.0, 5.0, 18.0], page: [d, c, b, a] });
        assert_eq!(quad([true, true]), Quad { canvas: [5.0, 12.0, 9.0, 18.0], page: [c, d, a, b] });
    }

    #[test]
    fn inner_padding_is_half_of_the_excess_size() {
        let mut frame = frame(
            r#"{"frame": {"x": 0, "y": 0, "w": 28, "h": 32},
               "spriteSourceSize": {"x": 35, "y": 0, "w": 26, "h": 30}, "sourceSize": {"w": 64, "h": 48}}"#,
        );
        frame.include_padding();
        let quad = place(&frame, Some([64.0, 64.0])).quad.unwrap();
        // The padding above the canvas is not clipped: it is empty.
        assert_eq!(quad.canvas, [34.0, -1.0, 62.0, 31.0]);
        assert_eq!(quad.page[0], [0.0, 0.0]);
    }

    #[test]
    fn a_frame_larger_than_its_canvas_is_not_cut() {
        let mut frame = frame(
            r#"{"frame": {"x": 0, "y": 0, "w": 32, "h": 48},
               "spriteSourceSize": {"x": 2, "y": 0, "w": 30, "h": 32}, "sourceSize": {"w": 30, "h": 32}}"#,
        );
        frame.include_padding();
        let placed = place(&frame, Some([64.0, 64.0]));
        // Two extra columns and 16 extra rows are not padding.
        assert_eq!((placed.quad.unwrap().canvas, placed.is_cut), ([2.0, 0.0, 34.0, 48.0], false));
    }

    #[test]
    fn all_rotations_start_at_the_same_corner() {
        let corners = |turn| {
            let rect = Rect::from([2.0, 3.0, 4.0, 6.0].map(Number));
            let frame = Frame { frame: rect, turn, ..Frame::default() };
            place(&frame, Some([64.0, 64.0])).quad.unwrap().page
        };
        assert_eq!(corners(Turn::None), [[2.0, 3.0], [6.0, 3.0], [6.0, 9.0], [2.0, 9.0]]);
        assert_eq!(corners(Turn::Clockwise), [[8.0, 3.0], [8.0, 7.0], [2.0, 7.0], [2.0, 3.0]]);
        assert_eq!(corners(Turn::Half), [[6.0, 9.0], [2.0, 9.0], [2.0, 3.0], [6.0, 3.0]]);
        assert_eq!(corners(Turn::CounterClockwise), [[2.0, 7.0], [2.0, 3.0], [8.0, 3.0], [8.0, 7.0]]);
    }

    #[test]
    fn rotated_frames_are_clipped_to_the_page() {
        // One pixel on the left is outside: in the sprite the last row, first column or first row.
        let canvas = |turn| {
            let rect = Rect::from([-1.0, 0.0, 4.0, 6.0].map(Number));
            place(&Frame { frame: rect, turn, ..Frame::default() }, Some([64.0, 64.0])).quad.unwrap().canvas
        };
        assert_eq!(canvas(Turn::Clockwise), [0.0, 0.0, 4.0, 5.0]);
        assert_eq!(canvas(Turn::Half), [0.0, 0.0, 3.0, 6.0]);
        assert_eq!(canvas(Turn::CounterClockwise), [0.0, 1.0, 4.0, 6.0]);
    }

    #[test]
    fn frames_are_clipped_to_the_page() {
        let of = |x: i32, w: u32| {
            place(&frame(&format!(r#"{{"frame": {{"x": {x}, "y": 0, "w": {w}, "h": 4}}}}"#)), Some([16.0, 16.0]))
        };
        assert_eq!(of(-5, 8).quad.unwrap().canvas, [5.0, 0.0, 8.0, 4.0]);
        assert!(of(-5, 8).is_cut && of(12, 8).is_cut && !of(12, 4).is_cut);
        assert_eq!(of(1000, 8), Placed { quad: None, is_cut: true });
        assert_eq!(of(0, 0), Placed { quad: None, is_cut: true });
    }
}
