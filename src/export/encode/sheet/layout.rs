//! Frame sizes → positions on pages of limited size.
//!
//! The unit of layout is a block: a frame with its extruded edges. Blocks are at least `padding` pixels apart, and
//! at least `border` pixels from the edge of the page.

use super::pack::pack;
use crate::export::options::SheetLayout;
use crate::{Error, Result};

/// Constraints of the layout, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Distance to the edges of the page.
    pub border: u32,
    /// Distance between blocks.
    pub padding: u32,
    /// Maximum side of a page.
    pub max_size: u32,
    /// Sides must be powers of two.
    pub is_pot: bool,
    /// Packed blocks may be turned by 90°.
    pub may_turn: bool,
}

/// Result of the layout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// Width and height of each page.
    pub pages: Vec<[u32; 2]>,
    /// By block.
    pub places: Vec<Spot>,
}

/// The place of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spot {
    pub page: usize,
    /// Its upper-left corner on the page.
    pub corner: [u32; 2],
    /// Whether its width and height are swapped there.
    pub is_turned: bool,
}

impl Room {
    /// Returns the usable size of a page per axis, counting `padding` after each block.
    fn inner(self) -> u32 {
        let longest = match self.is_pot {
            // The largest power of two that does not exceed it.
            true => 1 << self.max_size.max(1).ilog2(),
            false => self.max_size,
        };
        (longest + self.padding).saturating_sub(2 * self.border)
    }

    /// Returns the side of a page whose blocks use `used` pixels, including a padding after each.
    pub fn side(self, used: u32) -> u32 {
        let side = used.saturating_sub(self.padding) + 2 * self.border;
        if self.is_pot { side.next_power_of_two() } else { side }
    }
}

/// Lays out blocks of `sizes`. `columns` applies to grids.
pub fn arrange(sizes: &[[u32; 2]], layout: SheetLayout, columns: Option<u32>, room: Room) -> Result<Layout> {
    let cell = sizes.iter().fold([0, 0], |[w, h], size| [size[0].max(w), size[1].max(h)]);
    let inner = room.inner();
    // Including the padding after each block.
    let [width, height] = cell.map(|side| side.saturating_add(room.padding));
    if width > inner || height > inner {
        let message = format!(
            "a frame needs {}×{} pixels including its borders, a page offers {} per side; choose a larger \
             --sheet-max-size, or a smaller --size if frames are rendered",
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
                        "{columns} columns of {} pixels are wider than the page, which has room for {}",
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

/// Returns the number of columns that minimizes the longer side of the page, then its area.
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
        // A partially filled page is only as large as needed.
        let used = [columns.min(here), here.div_ceil(columns)];
        for index in 0..here {
            let [column, row] =
                if by_column { [index / used[1], index % used[1]] } else { [index % columns, index / columns] };
            let corner = [room.border + column * cell[0], room.border + row * cell[1]];
            layout.places.push(Spot { page: layout.pages.len(), corner, is_turned: false });
        }
        layout.pages.push([room.side(used[0] * cell[0]), room.side(used[1] * cell[1])]);
    }
    layout
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUTS: [SheetLayout; 5] = [
        SheetLayout::Rows,
        SheetLayout::Columns,
        SheetLayout::Horizontal,
        SheetLayout::Vertical,
        SheetLayout::Packed,
    ];

    /// Deterministic pseudo-random numbers (SplitMix64).
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u32) -> u32 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) % u64::from(end)) as u32
        }
    }

    /// Returns the distance between two ranges; negative if they overlap.
    fn gap(a: u32, a_len: u32, b: u32, b_len: u32) -> i64 {
        (i64::from(b) - i64::from(a + a_len)).max(i64::from(a) - i64::from(b + b_len))
    }

    /// Checks that every block occurs once, inside its page, and that none are too close.
    fn check(sizes: &[[u32; 2]], layout: &Layout, room: Room, what: &str) {
        let Layout { pages, places } = layout;
        assert_eq!(places.len(), sizes.len(), "{what}");
        for &[width, height] in pages {
            assert!(width.max(height) <= room.max_size, "{what}: a page of {width}×{height}");
            assert!(!room.is_pot || (width.is_power_of_two() && height.is_power_of_two()), "{what}");
        }
        let placed =
            |(spot, size): (&Spot, &[u32; 2])| (*spot, if spot.is_turned { [size[1], size[0]] } else { *size });
        let placed: Vec<(Spot, [u32; 2])> = places.iter().zip(sizes).map(placed).collect();
        for (index, &(Spot { page, corner: [x, y], .. }, [w, h])) in placed.iter().enumerate() {
            let [width, height] = pages[page];
            let is_inside = x >= room.border
                && y >= room.border
                && x + w + room.border <= width
                && y + h + room.border <= height;
            assert!(is_inside, "{what}: block {index} of {w}×{h} at {x},{y} on {width}×{height}");
            for (other, &(Spot { page: other_page, corner: [ox, oy], .. }, [ow, oh])) in
                placed.iter().enumerate().skip(index + 1)
            {
                let apart = gap(x, w, ox, ow).max(gap(y, h, oy, oh));
                let is_apart = page != other_page || apart >= i64::from(room.padding);
                assert!(is_apart, "{what}: blocks {index} and {other} are {apart} pixels apart");
            }
        }
        let used: std::collections::BTreeSet<usize> = places.iter().map(|spot| spot.page).collect();
        assert_eq!(used.len(), pages.len(), "{what}: some pages are empty");
    }

    #[test]
    fn blocks_of_any_size_keep_their_distance() {
        let mut random = Random(7);
        let mut pages = 0;
        for round in 0..400 {
            let is_even = random.below(3) == 0;
            let first = [1 + random.below(60), 1 + random.below(60)];
            let sizes: Vec<[u32; 2]> = (0..1 + random.below(60))
                .map(|_| if is_even { first } else { [1 + random.below(60), 1 + random.below(60)] })
                .collect();
            let room = Room {
                border: random.below(5),
                padding: random.below(5),
                max_size: 140 + random.below(300),
                is_pot: random.below(4) == 0,
                may_turn: random.below(2) == 0,
            };
            let columns = (random.below(3) == 0).then(|| 1 + random.below(2));
            for layout in LAYOUTS {
                let what = format!("round {round}, {layout:?}, {room:?}, {columns:?}");
                let arranged =
                    arrange(&sizes, layout, columns, room).unwrap_or_else(|error| panic!("{what}: {error}"));
                check(&sizes, &arranged, room, &what);
                pages += arranged.pages.len();
            }
        }
        assert!(pages > 3000, "only {pages} pages");
    }

    #[test]
    fn grids_are_square_unless_columns_are_given() {
        let room = Room { border: 0, padding: 0, max_size: 4096, is_pot: false, may_turn: false };
        let pages =
            |count: usize, layout, columns| arrange(&vec![[10, 10]; count], layout, columns, room).unwrap();
        assert_eq!(pages(9, SheetLayout::Rows, None).pages, [[30, 30]]);
        assert_eq!(pages(14, SheetLayout::Rows, Some(7)).pages, [[70, 20]]);
        assert_eq!(pages(5, SheetLayout::Horizontal, None).pages, [[50, 10]]);
        assert_eq!(pages(5, SheetLayout::Vertical, None).pages, [[10, 50]]);
        let columns = pages(5, SheetLayout::Columns, Some(2));
        assert_eq!((columns.pages[0], columns.places[3].corner), ([20, 30], [10, 0]));
        // A strip that is too long continues on a page that is only as long as needed.
        assert_eq!(pages(500, SheetLayout::Horizontal, None).pages, [[4090, 10], [910, 10]]);
    }

    #[test]
    fn frames_that_do_not_fit_are_reported() {
        let room = Room { border: 2, padding: 1, max_size: 64, is_pot: false, may_turn: false };
        let error = |size, columns| {
            let refused = arrange(&[size; 3], SheetLayout::Rows, columns, room);
            refused.map_err(|error| error.code()).map(|_| ())
        };
        assert_eq!(error([60, 60], None), Ok(()));
        assert_eq!(error([61, 60], None), Err("sheet-too-small"));
        assert_eq!(error([20, 20], Some(3)), Err("too-many-columns"));
        assert_eq!(error([19, 20], Some(3)), Ok(()));
    }

    #[test]
    fn packing_wastes_little() {
        let mut random = Random(11);
        let sizes: Vec<[u32; 2]> = (0..200).map(|_| [20 + random.below(40), 20 + random.below(40)]).collect();
        let room = Room { border: 0, padding: 0, max_size: 4096, is_pot: false, may_turn: false };
        let layout = arrange(&sizes, SheetLayout::Packed, None, room).unwrap();
        let area: u32 = sizes.iter().map(|size| size[0] * size[1]).sum();
        let [width, height] = layout.pages[0];
        assert!(layout.pages.len() == 1 && width * height < area * 5 / 4, "{width}×{height} for {area}");
        assert!(width < 2 * height && height < 2 * width, "{width}×{height}");
    }
}
