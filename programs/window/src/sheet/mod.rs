//! Sprite sheets: the positions of the frames on the pages, the panel that shows the pages, and the grid of a picture without
//! a description.

pub mod grid;
pub mod panel;
pub mod sheet_layout;

#[cfg(test)]
pub mod tests;
