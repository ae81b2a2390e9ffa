//! Contact sheets: the selected frames in a grid, with a caption under each.

mod caption;
mod shared;
mod write;

pub use shared::{SharedSheet, SheetPart, SheetParts};
pub use write::ContactSheet;
