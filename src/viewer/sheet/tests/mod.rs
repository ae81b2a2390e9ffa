//! The pages of sprite sheets.

pub mod pages;
