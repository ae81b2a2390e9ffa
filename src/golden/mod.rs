//! Golden pictures: rendered pictures are compared with references that were stored earlier.
//!
//! [`difference`] compares two pictures, [`heat_map`] shows where they differ, and [`read_picture`] and [`Frames`]
//! read references. Colours are compared as stored in files.

mod animated;
mod difference;
mod frames;
mod heat_map;
mod sheet;
mod still;

pub use difference::{Allowance, Difference, MaxPixels, difference};
pub use frames::{Frames, GoldenFrame};
pub use heat_map::heat_map;
pub use still::{decode_reference, read_picture};
