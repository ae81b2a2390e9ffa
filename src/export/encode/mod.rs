//! Pictures → the bytes of files. Enters: a sequence of pictures. Leaves: PNGs, animated files, sprite sheets, contact
//! sheets and PSDs, written to any stream. Each encoder implements one format.

mod animated;
mod area;
mod contact;
mod destination;
mod ffmpeg;
mod png;
mod psd;
mod sheet;
mod spool;
mod stills;

pub use animated::{Outcome, preview_on_matte};
pub use contact::{ContactSheet, SharedSheet, SheetPart, SheetParts};
pub use destination::Destination;
pub use png::write_png;
#[cfg(feature = "convert")]
pub use sheet::packing;
pub use sheet::{PlannedSheet, SEVERAL_PAGES, SheetJob, SheetPlan};
pub use stills::Shot;
#[cfg(test)]
pub use {
    animated::{Clip, Rate},
    sheet::{SheetClip, SheetFiles, describe},
};
