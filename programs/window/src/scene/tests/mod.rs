//! What is behind the character.

pub mod behind;
pub mod checkerboard;
