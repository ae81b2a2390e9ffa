//! One frame of a sheet → the corners of what it shows: where they are, and where in the picture.
//!
//! All numbers are pixels with y down: of the canvas that all frames share, from its upper-left corner, and of the
//! page. A frame that is cut off is only shown as far as there are pixels.

use super::schema;

/// A rectangle of a page on the canvas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quad {
    /// Left, top, right and bottom on the canvas.
    pub canvas: [f32; 4],
    /// Where in the page the upper-left, upper-right, lower-right and lower-left corners are.
    pub page: [[f32; 2]; 4],
}

/// What came of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// `None`: nothing is to be seen.
    pub quad: Option<Quad>,
    /// A part of it is not on the page.
    pub is_cut: bool,
}

/// Width and height of the whole that a frame is a part of.
pub fn canvas_size(frame: &schema::Frame) -> [f32; 2] {
    let own = [frame.frame.w.0, frame.frame.h.0];
    match frame.source_size {
        Some(size) if size.w.0 >= 1.0 && size.h.0 >= 1.0 => [size.w.0, size.h.0],
        _ => own,
    }
}

/// Places a frame of a page that has `page` pixels; `None` where the page is not to be had.
pub fn place(frame: &schema::Frame, page: Option<[f32; 2]>) -> Placed {
    let [x, y, w, h] = [frame.frame.x.0, frame.frame.y.0, frame.frame.w.0, frame.frame.h.0];
    if !(w > 0.0 && h > 0.0) {
        return Placed { quad: None, is_cut: true };
    }
    let is_rotated = frame.rotated == Some(true);
    let canvas = canvas_size(frame);
    let (left, top) = match frame.sprite_source_size {
        None => (0.0, 0.0),
        // With inner padding the frame is larger than what of the sprite is in it, by the same on each side.
        Some(inner) => {
            let padding = |outer: f32, inner: f32| ((outer - inner) / 2.0).max(0.0);
            (inner.x.0 - padding(w, inner.w.0), inner.y.0 - padding(h, inner.h.0))
        }
    };
    // Columns and rows of the frame that are on the canvas.
    let mut columns = [0.0f32.max(-left), w.min(canvas[0] - left)];
    let mut rows = [0.0f32.max(-top), h.min(canvas[1] - top)];
    let (all_columns, all_rows) = (columns, rows);
    if let Some([page_width, page_height]) = page {
        if is_rotated {
            columns = [columns[0].max(-y), columns[1].min(page_height - y)];
            rows = [rows[0].max(x + h - page_width), rows[1].min(x + h)];
        } else {
            columns = [columns[0].max(-x), columns[1].min(page_width - x)];
            rows = [rows[0].max(-y), rows[1].min(page_height - y)];
        }
    }
    let is_cut = columns != all_columns || rows != all_rows;
    if !(columns[1] > columns[0] && rows[1] > rows[0]) {
        return Placed { quad: None, is_cut };
    }
    let on_page = |column: f32, row: f32| {
        // A rotated frame is stored a quarter turn clockwise.
        if is_rotated { [x + h - row, y + column] } else { [x + column, y + row] }
    };
    let quad = Quad {
        canvas: [left + columns[0], top + rows[0], left + columns[1], top + rows[1]],
        page: [
            on_page(columns[0], rows[0]),
            on_page(columns[1], rows[0]),
            on_page(columns[1], rows[1]),
            on_page(columns[0], rows[1]),
        ],
    };
    Placed { quad: Some(quad), is_cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> schema::Frame {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_trimmed_and_rotated_frame_goes_where_it_was() {
        let frame = frame(
            r#"{"frame": {"x": 2, "y": 3, "w": 4, "h": 6}, "rotated": true,
               "spriteSourceSize": {"x": 1, "y": 2, "w": 4, "h": 6}, "sourceSize": {"w": 10, "h": 20}}"#,
        );
        let Placed { quad: Some(quad), is_cut: false } = place(&frame, Some([64.0, 64.0])) else { panic!() };
        assert_eq!(quad.canvas, [1.0, 2.0, 5.0, 8.0]);
        // Six wide and four high on the page; its upper-left corner is on the right there.
        assert_eq!(quad.page, [[8.0, 3.0], [8.0, 7.0], [2.0, 7.0], [2.0, 3.0]]);
    }

    #[test]
    fn inner_padding_is_half_of_what_is_too_much() {
        let frame = frame(
            r#"{"frame": {"x": 0, "y": 0, "w": 28, "h": 32},
               "spriteSourceSize": {"x": 35, "y": 0, "w": 26, "h": 30}, "sourceSize": {"w": 64, "h": 48}}"#,
        );
        let quad = place(&frame, Some([64.0, 64.0])).quad.unwrap();
        // What would be above the canvas is not shown.
        assert_eq!(quad.canvas, [34.0, 0.0, 62.0, 31.0]);
        assert_eq!(quad.page[0], [0.0, 1.0]);
    }

    #[test]
    fn what_is_not_on_the_page_is_cut() {
        let of = |x: i32, w: u32| {
            place(&frame(&format!(r#"{{"frame": {{"x": {x}, "y": 0, "w": {w}, "h": 4}}}}"#)), Some([16.0, 16.0]))
        };
        assert_eq!(of(-5, 8).quad.unwrap().canvas, [5.0, 0.0, 8.0, 4.0]);
        assert!(of(-5, 8).is_cut && of(12, 8).is_cut && !of(12, 4).is_cut);
        assert_eq!(of(1000, 8), Placed { quad: None, is_cut: true });
        assert_eq!(of(0, 0), Placed { quad: None, is_cut: true });
    }
}
