//! What is behind the character.

pub mod checkerboard;
