//! The canvas and the bar above it, which show parts of several features.

pub mod canvas;
pub mod stage;
pub mod stage_bar;
pub mod toast;
pub mod top;
pub mod view;
pub mod zoom;
