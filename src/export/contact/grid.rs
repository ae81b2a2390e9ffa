//! The cells of a contact sheet: `COLSxROWS`, `COLSx` or `xROWS`.

use std::fmt;
use std::str::FromStr;

use crate::error::escaped;
use crate::export::ParseError;

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

    /// Creates a grid of `columns` × `rows` cells, each clamped to 1 to [`Self::LARGEST`].
    pub(crate) fn new(columns: u32, rows: u32) -> Self {
        let side = |count: u32| Some(count.clamp(1, Self::LARGEST));
        Self { columns: side(columns), rows: side(rows) }
    }

    /// Returns the number of cells, or `None` if it follows from the number of frames.
    pub(crate) fn cells(self) -> Option<usize> {
        self.columns.zip(self.rows).map(|(columns, rows)| columns as usize * rows as usize)
    }

    /// Returns the columns and rows of a sheet of `frames` frames.
    pub(super) fn shape(self, frames: usize) -> [usize; 2] {
        let other = |side: u32| frames.div_ceil(side as usize).max(1);
        match (self.columns, self.rows) {
            (Some(columns), Some(rows)) => [columns as usize, rows as usize],
            (Some(columns), None) => [columns as usize, other(columns)],
            (None, Some(rows)) => [other(rows), rows as usize],
            (None, None) => [frames.max(1), 1],
        }
    }

    /// Returns a grid with the same columns and at least `cells` cells.
    #[must_use]
    pub fn with_cells(self, cells: usize) -> Self {
        let columns = self.columns.unwrap_or(1);
        Self::new(columns, u32::try_from(cells.div_ceil(columns as usize)).unwrap_or(u32::MAX))
    }

    /// Returns the same grid with as many rows as the frames need.
    #[must_use]
    pub fn with_any_rows(self) -> Self {
        Self { columns: self.columns.or(Some(1)), rows: None }
    }
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
            _ => Err(ParseError(format!(
                "`{}` is not a grid, expected 4x3, 4x or x3, with up to {} columns and rows",
                escaped(text),
                Self::LARGEST
            ))),
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
            assert_eq!(grid.shape(13), shape, "{text}");
        }
        assert_eq!("4x".parse::<ContactGrid>().unwrap().shape(0), [4, 1]);
        assert_eq!(ContactGrid::new(4, 3).with_any_rows().to_string(), "4x");
        assert_eq!(ContactGrid::new(4, 3).with_cells(30).to_string(), "4x8");
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
