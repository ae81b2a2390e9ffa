//! The files of the list: opening, reading, watching, leaving and closing them.

pub mod document;
pub mod documents;
pub mod list;
pub mod load;
pub mod loading;
pub mod opening;
pub mod panel;
pub mod pasted;
pub mod place;
pub mod recent;

#[cfg(test)]
pub mod tests;
