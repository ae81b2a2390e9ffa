//! The parts of the character: lists, tree, selection, inspector, and hiding.

pub mod folding;
pub mod hidden;
pub mod hiding;
pub mod inspection;
pub mod listed;
pub mod lists;
pub mod panel;
pub mod pick;
pub mod picking;
pub mod side;
pub mod tree;

#[cfg(test)]
pub mod tests;
