//! The export dialog.

pub mod cast;
pub mod conversion;
pub mod dialog;
pub mod dialog_harness;
pub mod layout;
pub mod scene;
pub mod sheets;
