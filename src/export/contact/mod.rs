//! Contact sheets: the selected frames in a grid, with a caption under each.

mod caption;
mod fill;
mod grid;
mod layout;
mod shared;
mod write;

pub use grid::ContactGrid;
pub use shared::{SharedSheet, SheetPart, SheetParts};
pub use write::ContactSheet;

pub(super) use fill::{check_fit, check_size, frames_of, sheet_ranges, spread};

/// Error code: more frames are selected than a contact sheet has cells.
pub const CONTACT_SHEET_FULL: &str = "contact-sheet-full";
/// Error code: more animations are selected than a contact sheet has cells.
pub const CONTACT_SHEET_SHARED: &str = "contact-sheet-shared";
/// Error code: the contact sheet has more pixels than allowed.
pub const CONTACT_SHEET_TOO_LARGE: &str = "contact-sheet-too-large";
