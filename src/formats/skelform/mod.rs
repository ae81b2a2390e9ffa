//! SkelForm: a ZIP archive with JSON and pictures in it.

pub mod write;
