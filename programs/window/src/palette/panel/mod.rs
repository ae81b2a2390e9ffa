//! The command palette, the list of keys and the menu: everything that lists commands.

pub mod help;
pub mod menu;
pub mod palette;
