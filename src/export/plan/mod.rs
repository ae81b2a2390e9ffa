//! What is drawn and where it is written. Enters: [`RenderOptions`](crate::export::RenderOptions) and a character. Leaves: a [`Plan`] of
//! pictures with their common view, and the files of a run. Nothing is drawn yet, so that invalid requests fail early.

pub mod choose;
pub mod contact;
pub mod contact_layout;
mod distinct_names;
mod emptiness;
mod fit;
mod outputs;
mod pictures;
mod scene;
mod stage;

pub use contact::{CONTACT_SHEET_FULL, CONTACT_SHEET_SHARED, CONTACT_SHEET_TOO_LARGE};
pub use distinct_names::distinct_names;
pub use emptiness::Emptiness;
pub use outputs::{
    FRAME_IN_NAME, Naming, OutputsError, PlannedFile, check_outputs, check_paths, first_duplicate, sheet_ranges,
    source_among,
};
pub use pictures::{Plan, Planned, TOO_LARGE_TO_DRAW, TOO_MANY_PICTURES, animation_ranges, input_name};
pub use stage::row;
