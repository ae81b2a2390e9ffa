//! Sprite sheets: the frames of animations on one or several pages, and the file that describes them.

mod describe;
mod files;
mod layout;
mod pack;
pub mod page;
mod pixels;
mod positions;
mod preview;

/// What sheets are packed with.
#[cfg(feature = "convert")]
pub mod packing {
    pub use super::layout::{Room, Spot, arrange};
    pub use super::pixels::{Contents, block};
}

#[cfg(test)]
pub use describe::{SheetClip, SheetFiles, describe};
pub use files::{PlannedSheet, SEVERAL_PAGES, SheetJob};
pub use pixels::bleed;
pub use positions::SheetPlan;
