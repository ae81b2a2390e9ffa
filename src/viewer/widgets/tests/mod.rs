//! Fonts.

pub mod fonts;
