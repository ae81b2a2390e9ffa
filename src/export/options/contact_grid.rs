//! The cells of a contact sheet: `COLSxROWS`, `COLSx` or `xROWS`.

use std::fmt;
use std::str::FromStr;

use crate::error::escaped;
use crate::export::error::ParseError;

/// The columns and rows of a contact sheet. At least one of them is given; the other follows from the number of
/// frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactGrid {
    columns: Option<u32>,
    rows: Option<u32>,
}

impl ContactGrid {
    /// The most columns or rows.
    pub(crate) const LARGEST: u32 = 1000;

    /// Creates a grid of `columns` × `rows` cells, each clamped to 1 to 1000. Without rows, there are as many as the frames
    /// need.
    pub fn new(columns: u32, rows: Option<u32>) -> Self {
        let side = |count: u32| count.clamp(1, Self::LARGEST);
        Self { columns: Some(side(columns)), rows: rows.map(side) }
    }

    /// Returns the accepted forms.
    pub(super) fn expected() -> String {
        format!("4x3, 4x or x3, with up to {} columns and rows", Self::LARGEST)
    }

    /// Returns the columns; `None` if they follow from the number of frames.
    pub fn columns(self) -> Option<u32> {
        self.columns
    }

    /// Returns the rows; `None` if they follow from the number of frames.
    pub fn rows(self) -> Option<u32> {
        self.rows
    }

    /// Returns the number of cells, or `None` if it follows from the number of frames.
    pub(crate) fn cells(self) -> Option<usize> {
        self.columns.zip(self.rows).map(|(columns, rows)| columns as usize * rows as usize)
    }

    /// Returns the columns and rows of a sheet with these numbers of frames of consecutive animations, and whether each
    /// animation begins a row. If there are too few rows for that, they follow each other.
    pub(in crate::export) fn shape(self, groups: &[usize]) -> ([usize; 2], bool) {
        let frames: usize = groups.iter().sum();
        let rows_of = |columns: usize| groups.iter().map(|frames| frames.div_ceil(columns)).sum::<usize>();
        match (self.columns, self.rows) {
            (Some(columns), rows) => {
                let (columns, needed) = (columns as usize, rows_of(columns as usize));
                let rows = rows.map_or(needed.max(1), |rows| rows as usize);
                ([columns, rows], needed <= rows)
            }
            (None, Some(rows)) => {
                let rows = rows as usize;
                let fewest = frames.div_ceil(rows).max(1);
                let most = groups.iter().copied().max().unwrap_or(0).max(fewest);
                // The number of rows does not grow with the columns.
                let needed = fewest + partition_point(most - fewest, |more| rows_of(fewest + more) > rows);
                let begins_rows = rows_of(needed) <= rows;
                ([if begins_rows { needed } else { fewest }, rows], begins_rows)
            }
            (None, None) => ([frames.max(1), 1], groups.len() < 2),
        }
    }

    /// Returns a grid with the same columns and at least `cells` cells.
    #[must_use]
    pub fn with_cells(self, cells: usize) -> Self {
        let columns = self.columns.unwrap_or(1);
        Self::new(columns, Some(u32::try_from(cells.div_ceil(columns as usize)).unwrap_or(u32::MAX)))
    }

    /// Returns the same grid with as many rows as the frames need.
    #[must_use]
    pub fn with_any_rows(self) -> Self {
        Self { columns: self.columns.or(Some(1)), rows: None }
    }
}

/// Returns the first of the numbers 0 to `count` for which `is_less` returns false, or `count`.
fn partition_point(count: usize, is_less: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_less(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

impl fmt::Display for ContactGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |side: Option<u32>| side.map(|side| side.to_string()).unwrap_or_default();
        write!(f, "{}x{}", text(self.columns), text(self.rows))
    }
}

impl FromStr for ContactGrid {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let side = |text: &str| match text {
            "" => Some(None),
            // A sign is not allowed.
            _ if !text.bytes().all(|digit| digit.is_ascii_digit()) => None,
            _ => text.parse().ok().filter(|side| (1..=Self::LARGEST).contains(side)).map(Some),
        };
        let sides = text.split_once('x').and_then(|(columns, rows)| side(columns).zip(side(rows)));
        match sides {
            Some((columns, rows)) if columns.or(rows).is_some() => Ok(Self { columns, rows }),
            _ => Err(ParseError(format!("`{}` is not a grid, expected {}", escaped(text), Self::expected()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_round_trip() {
        for (text, cells, shape) in [
            ("4x3", Some(12), [4, 3]),
            ("4x", None, [4, 4]),
            ("x3", None, [5, 3]),
            ("1000x1", Some(1000), [1000, 1]),
        ] {
            let grid: ContactGrid = text.parse().unwrap();
            assert_eq!(grid.to_string(), text);
            assert_eq!(grid.cells(), cells);
            assert_eq!(grid.shape(&[13]).0, shape, "{text}");
        }
        assert_eq!("4x".parse::<ContactGrid>().unwrap().shape(&[]), ([4, 1], true));
        assert_eq!(ContactGrid::new(4, Some(3)).with_any_rows().to_string(), "4x");
        assert_eq!(ContactGrid::new(4, Some(3)).with_cells(30).to_string(), "4x8");
    }

    #[test]
    fn animations_begin_rows_if_there_are_enough() {
        for (text, groups, shape, begins_rows) in [
            ("4x", &[5, 1, 4][..], [4, 4], true),
            ("4x4", &[5, 1, 4], [4, 4], true),
            ("4x3", &[5, 1, 4], [4, 3], false),
            ("x4", &[5, 1, 4], [4, 4], true),
            ("x3", &[5, 1, 4], [5, 3], true),
            ("x2", &[5, 1, 4], [5, 2], false),
            ("x7", &[5, 1, 4], [2, 7], true),
        ] {
            let grid: ContactGrid = text.parse().unwrap();
            assert_eq!(grid.shape(groups), (shape, begins_rows), "{text}");
        }
    }

    #[test]
    fn invalid_grids_are_rejected() {
        for text in
            ["", "x", "4", "0x3", "4x0", "-1x2", "+4x3", "4x3x2", "4 x 3", "1001x1", "99999999999x1", "axb"]
        {
            assert!(text.parse::<ContactGrid>().is_err(), "{text}");
        }
    }
}
