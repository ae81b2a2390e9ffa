//! The menus of overlays and of the background, and what is painted on the canvas beside the character.

pub mod background;
pub mod guides;
pub mod labels;
pub mod show;
pub mod statistics;
pub mod targets;
pub mod underlay;
