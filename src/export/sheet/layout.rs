//! Sizes of frames → where each lies, on pages that no side of is too long.
//!
//! What is placed is a block: a frame with its extruded edges. Between two blocks are at least `padding` pixels,
//! between a block and the edge of its page at least `border`.

use super::pack::pack;
use crate::error::{Error, Result};

/// How frames are laid out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SheetLayout {
    /// In a grid, row after row.
    #[default]
    Rows,
    /// In a grid, column after column.
    Columns,
    /// Side by side.
    Horizontal,
    /// One below the other.
    Vertical,
    /// As close as they fit.
    Packed,
}

/// What blocks keep to, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// To the edges of the page.
    pub border: u32,
    /// To each other.
    pub padding: u32,
    /// The longest side of a page.
    pub max_size: u32,
    /// Sides are powers of two.
    pub is_pot: bool,
}

/// Where blocks are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// Width and height of each page.
    pub pages: Vec<[u32; 2]>,
    /// By block: its page, and its upper-left corner there.
    pub places: Vec<(usize, [u32; 2])>,
}

impl Room {
    /// How much a page has for blocks on each axis, where each takes `padding` more than it is.
    fn inner(self) -> u32 {
        let longest = match self.is_pot {
            // The largest power of two that is not more.
            true => 1 << self.max_size.max(1).ilog2(),
            false => self.max_size,
        };
        (longest + self.padding).saturating_sub(2 * self.border)
    }

    /// The side of a page of which blocks use `used`, with a padding behind each.
    pub fn side(self, used: u32) -> u32 {
        let side = used.saturating_sub(self.padding) + 2 * self.border;
        if self.is_pot { side.next_power_of_two() } else { side }
    }
}

/// Lays blocks of `sizes` out. `columns` is for grids.
pub fn arrange(sizes: &[[u32; 2]], layout: SheetLayout, columns: Option<u32>, room: Room) -> Result<Layout> {
    let cell = sizes.iter().fold([0, 0], |[w, h], size| [size[0].max(w), size[1].max(h)]);
    let inner = room.inner();
    // With the padding behind them.
    let [width, height] = cell.map(|side| side.saturating_add(room.padding));
    if width > inner || height > inner {
        let message = format!(
            "a frame takes {}×{} pixels with what is around it, a page has {} for each side; choose a smaller --size \
             or a larger --sheet-max-size",
            cell[0],
            cell[1],
            inner.saturating_sub(room.padding)
        );
        return Err(Error::misuse("sheet-too-small", message));
    }
    let fitting = [inner / width.max(1), inner / height.max(1)];
    let count = u32::try_from(sizes.len()).unwrap_or(u32::MAX);
    let grid = match layout {
        SheetLayout::Packed => return Ok(pack(sizes, room, inner)),
        SheetLayout::Horizontal => [fitting[0], 1],
        SheetLayout::Vertical => [1, fitting[1]],
        SheetLayout::Rows | SheetLayout::Columns => {
            let columns = match columns {
                Some(columns) if columns > fitting[0] => {
                    let message = format!(
                        "{columns} columns of {} pixels are wider than a page, which has room for {}",
                        cell[0], fitting[0]
                    );
                    return Err(Error::misuse("too-many-columns", message));
                }
                Some(columns) => columns,
                None => squarest([width, height], fitting, count, room),
            };
            [columns, fitting[1]]
        }
    };
    Ok(in_grid(sizes.len(), [width, height], grid, layout == SheetLayout::Columns, room))
}

/// How many columns make the longer side of the page shortest, then the page smallest.
fn squarest(cell: [u32; 2], fitting: [u32; 2], count: u32, room: Room) -> u32 {
    let of = |columns: u32| {
        let rows = count.div_ceil(columns).min(fitting[1]);
        let [width, height] = [room.side(columns * cell[0]), room.side(rows * cell[1])];
        let pages = count.div_ceil(columns * rows);
        (pages, width.max(height), u64::from(width) * u64::from(height), columns)
    };
    (1..=fitting[0].min(count.max(1))).min_by_key(|&columns| of(columns)).unwrap_or(1)
}

fn in_grid(count: usize, cell: [u32; 2], [columns, rows]: [u32; 2], by_column: bool, room: Room) -> Layout {
    let a_page = columns as usize * rows as usize;
    let mut layout = Layout::default();
    for first in (0..count).step_by(a_page) {
        let here = (count - first).min(a_page) as u32;
        // A page that is not full is only as large as it must be.
        let used = [columns.min(here), here.div_ceil(columns)];
        for index in 0..here {
            let [column, row] =
                if by_column { [index / used[1], index % used[1]] } else { [index % columns, index / columns] };
            let corner = [room.border + column * cell[0], room.border + row * cell[1]];
            layout.places.push((layout.pages.len(), corner));
        }
        layout.pages.push([room.side(used[0] * cell[0]), room.side(used[1] * cell[1])]);
    }
    layout
}
