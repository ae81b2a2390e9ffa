//! Folders that are held open: names in them lead nowhere else, even if a folder is replaced by a link meanwhile.

// Browsers have no files.
#[cfg_attr(not(all(feature = "export", not(target_family = "wasm"))), path = "absent.rs")]
mod dir;
mod roots;

pub(crate) use dir::{
    Dir, Metadata, Permissions, create, enter, entries_below, id, open, read, read_below, rename_new,
};
pub use roots::{confine_reading, confine_writing, is_inside};
pub(crate) use roots::{is_confined, is_outside, open_named, readable, writable};
