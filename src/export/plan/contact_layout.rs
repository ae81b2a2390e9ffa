//! Sizes and positions on a contact sheet, in pixels.

use crate::draw::text::{ADVANCE, HEIGHT};
use crate::export::options::ContactGrid;

/// Lines of a caption: the animation, and the frame and time.
pub const CAPTION_LINES: u32 = 2;
/// A cell is at least this many columns of text wide, however small the frames are.
const MIN_COLUMNS: u32 = 20;
/// Dots above and below the lines of a caption.
const MARGIN: u32 = 2;
/// Dots between cells and around them.
const GAP: u32 = 4;
/// A dot has one pixel for this many pixels of a cell's width …
const WIDTH_PER_DOT: u32 = 128;
/// … or of a frame's height, whichever gives smaller text.
const HEIGHT_PER_DOT: u32 = 64;

/// The layout of a sheet: cells with a frame above its caption, separated by gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Width and height of the room for a frame.
    pub frame: [u32; 2],
    /// Width of a cell. A narrower frame is centred in it.
    pub cell_width: u32,
    /// Height of a caption.
    pub caption_height: u32,
    /// Distance between cells and to the edges.
    pub gap: u32,
    /// Pixels per dot of text.
    pub dot: u32,
    columns: usize,
    rows: usize,
    /// The number of the cell of each frame, row by row.
    cells: Vec<usize>,
}

impl Layout {
    /// Creates the layout for frames of up to this size with captions of this many lines. `groups` are numbers of frames
    /// that begin a row, if there are enough rows.
    pub fn new(frame: [u32; 2], lines: u32, grid: ContactGrid, groups: &[usize]) -> Self {
        let ([columns, rows], begins_rows) = grid.shape(groups);
        let mut cells = Vec::new();
        let mut next = 0;
        for frames in groups {
            cells.extend(next..next + frames);
            next += frames;
            if begins_rows {
                next = next.next_multiple_of(columns);
            }
        }
        let cell_width = frame[0].max(MIN_COLUMNS * ADVANCE);
        let dot = (cell_width / WIDTH_PER_DOT).min(frame[1] / HEIGHT_PER_DOT).max(1);
        let caption_height = (lines * HEIGHT + 2 * MARGIN).saturating_mul(dot);
        Self { frame, cell_width, caption_height, gap: GAP.saturating_mul(dot), dot, columns, rows, cells }
    }

    /// Returns the width and height of the sheet.
    pub fn size(&self) -> [u64; 2] {
        let side = |count: usize, cell: u64| {
            let gap = u64::from(self.gap);
            (count as u64).saturating_mul(cell + gap).saturating_add(gap)
        };
        let height = u64::from(self.frame[1]) + u64::from(self.caption_height);
        [side(self.columns, self.cell_width.into()), side(self.rows, height)]
    }

    /// Returns the column and row of a frame; `None` after the last one.
    pub fn cell(&self, index: usize) -> Option<[usize; 2]> {
        self.cells.get(index).map(|cell| [cell % self.columns, cell / self.columns])
    }

    /// Returns the number of rows that have frames.
    pub fn used_rows(&self) -> usize {
        self.cells.last().map_or(0, |cell| cell / self.columns + 1)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the left edge of a column.
    pub fn left(&self, column: usize) -> u32 {
        self.gap + column as u32 * (self.cell_width + self.gap)
    }

    /// Returns the upper edge of a row, where its frames begin.
    pub fn top(&self, row: usize) -> u32 {
        self.gap + row as u32 * (self.frame[1] + self.caption_height + self.gap)
    }

    /// Returns the upper-left corner of the `line`th line of text that takes `columns` columns, relative to the caption, or
    /// to the room for a frame in a cell that is not wider.
    pub fn line(&self, line: usize, columns: usize) -> [i32; 2] {
        // The last column needs no gap.
        let width = (columns as u32 * ADVANCE).saturating_sub(1) * self.dot;
        let y = (MARGIN + line as u32 * HEIGHT) * self.dot;
        [(self.cell_width.saturating_sub(width) / 2) as i32, y as i32]
    }

    /// Returns the height of a line of text.
    pub fn line_height(&self) -> u32 {
        HEIGHT * self.dot
    }

    /// Returns the number of columns of text that fit into a cell.
    pub fn text_columns(&self) -> usize {
        ((self.cell_width / self.dot + 1) / ADVANCE) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(width: u32, height: u32) -> Layout {
        Layout::new([width, height], 2, ContactGrid::new(4, Some(3)), &[5, 2])
    }

    #[test]
    fn text_grows_with_the_cells() {
        for (width, height, dot) in
            [(16, 16, 1), (128, 128, 1), (256, 256, 2), (512, 512, 4), (1024, 100, 1), (90, 900, 1)]
        {
            let layout = layout(width, height);
            assert_eq!(layout.dot, dot, "{width}×{height}");
            assert!(layout.text_columns() >= 20);
        }
    }

    #[test]
    fn cells_tile_the_sheet() {
        let layout = layout(256, 200);
        let [width, height] = layout.size();
        assert_eq!(u64::from(layout.left(3) + layout.cell_width + layout.gap), width);
        assert_eq!(u64::from(layout.top(2) + 200 + layout.caption_height + layout.gap), height);
        // The second animation begins a row.
        assert_eq!([0, 4, 5, 6].map(|index| layout.cell(index)), [[0, 0], [0, 1], [0, 2], [1, 2]].map(Some));
        assert_eq!((layout.cell(7), layout.used_rows(), layout.rows()), (None, 3, 3));
    }

    #[test]
    fn lines_stay_inside_their_caption() {
        for (width, height) in [(16, 16), (129, 128), (640, 480)] {
            let layout = layout(width, height);
            let columns = layout.text_columns();
            let [x, _] = layout.line(0, columns);
            assert!(x >= 0 && x as u32 + (columns as u32 * ADVANCE - 1) * layout.dot <= layout.cell_width);
            let [_, y] = layout.line(1, 1);
            assert!(y as u32 + HEIGHT * layout.dot <= layout.caption_height);
        }
    }
}
