//! Lists, tree, selection, inspector and hiding.

pub mod computed_once;
pub mod hiding;
pub mod initial_skins;
pub mod lists;
pub mod pick;
pub mod select;
pub mod side;
pub mod symbols;
