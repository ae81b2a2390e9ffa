//! The size and number of the frames into which `--grid` cuts a picture.

use std::fmt;

/// A grid that cuts an image without a description into frames. The default cuts it into pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Width of a frame in pixels, not 0.
    pub width: u32,
    /// Height of a frame in pixels, not 0.
    pub height: u32,
    /// Number of frames; `None`: as many as fit.
    pub count: Option<u32>,
    /// Pixels to the left of the first frame, and above it.
    pub margin: u32,
    /// Pixels between two frames.
    pub spacing: u32,
}

impl Default for Grid {
    fn default() -> Self {
        Self { width: 1, height: 1, count: None, margin: 0, spacing: 0 }
    }
}

impl Grid {
    /// Returns the number of columns and rows of whole frames in an image of `width` and `height` pixels.
    pub fn cells(&self, width: u32, height: u32) -> [u32; 2] {
        let fitting = |side: u32, size: u32| {
            let room = u64::from(side.saturating_sub(self.margin)) + u64::from(self.spacing);
            u32::try_from(room / (u64::from(size.max(1)) + u64::from(self.spacing))).unwrap_or(u32::MAX)
        };
        [fitting(width, self.width), fitting(height, self.height)]
    }

    /// Returns the left and the upper edge of the frame in a column and a row, in pixels.
    pub fn corner(&self, column: u32, row: u32) -> [u64; 2] {
        let at = |place: u32, size: u32| {
            u64::from(self.margin) + u64::from(place) * (u64::from(size) + u64::from(self.spacing))
        };
        [at(column, self.width), at(row, self.height)]
    }
}

impl fmt::Display for Grid {
    /// Writes the value of `--grid`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height, count, margin, spacing } = self;
        write!(f, "{width}x{height}")?;
        match (margin, spacing) {
            (0, 0) => {}
            (margin, 0) => write!(f, "+{margin}")?,
            (margin, spacing) => write!(f, "+{margin}+{spacing}")?,
        }
        count.map_or(Ok(()), |count| write!(f, ":{count}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_and_spacing_leave_room_for_whole_frames_only() {
        let grid = Grid { width: 16, height: 8, ..Grid::default() };
        assert_eq!(grid.cells(64, 17), [4, 2]);
        let spaced = Grid { spacing: 2, ..grid };
        assert_eq!((spaced.cells(52, 8), spaced.cells(51, 7)), ([3, 1], [2, 0]));
        let framed = Grid { margin: 1, ..spaced };
        assert_eq!((framed.cells(53, 9), framed.cells(0, 0)), ([3, 1], [0, 0]));
        assert_eq!((framed.corner(0, 0), framed.corner(2, 1)), ([1, 1], [37, 11]));
        let huge = Grid { width: u32::MAX, height: 1, margin: u32::MAX, spacing: u32::MAX, count: None };
        assert_eq!(huge.cells(u32::MAX, u32::MAX), [0, 0]);
    }

    #[test]
    fn grids_are_written_as_the_option_takes_them() {
        let grid = Grid { width: 64, height: 48, ..Grid::default() };
        assert_eq!(grid.to_string(), "64x48");
        assert_eq!(Grid { count: Some(14), margin: 1, ..grid }.to_string(), "64x48+1:14");
        assert_eq!(Grid { spacing: 2, ..grid }.to_string(), "64x48+0+2");
    }
}
