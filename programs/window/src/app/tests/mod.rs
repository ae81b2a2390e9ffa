//! The contents of the window, driven as a user would, and what the tests of all features need for that.

pub mod clipboard;
pub mod contents;
pub mod controls;
pub mod dialog_layout;
pub mod harness;
pub mod low_window;
pub mod painting;
pub mod picture;
pub mod pictures;
pub mod places;
pub mod quitting;
pub mod rigs;
pub mod shortcuts;
pub mod stage;
pub mod wild;
