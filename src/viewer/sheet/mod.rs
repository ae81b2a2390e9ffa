//! Sprite sheets: the positions of the frames on the pages, and the panel that shows the pages.

pub mod panel;
pub mod sheet_layout;

#[cfg(test)]
pub mod tests;
