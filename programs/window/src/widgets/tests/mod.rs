//! Fonts.

mod font;
pub mod fonts;
