//! The pages of sprite sheets, and the grid of a picture.

pub mod grid;
pub mod pages;
