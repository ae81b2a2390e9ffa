//! Folders that are held open: names in them lead nowhere else, even if a folder is replaced by a link meanwhile.

// Browsers have no files.
#[cfg_attr(not(all(feature = "export", not(target_family = "wasm"))), path = "absent.rs")]
mod dir;
mod roots;

#[cfg(feature = "export")]
pub(crate) use dir::{Dir, Metadata, Permissions, create, enter, id, open, read, rename_new};
pub(crate) use dir::{entries_below, read_below};
pub use roots::confine_reading;
#[cfg(feature = "export")]
pub use roots::confine_writing;
pub(crate) use roots::{is_confined, readable};
#[cfg(feature = "export")]
pub(crate) use roots::{open_named, writable};
