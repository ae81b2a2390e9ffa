//! The side panel, the inspector, and the selection on the canvas.

pub mod info;
pub mod inspector;
pub mod lists;
pub mod selection;
pub mod skins;
pub mod slots;
pub mod tree;
