//! Folders that are held open: names in them lead nowhere else, even if a folder is replaced by a link meanwhile.

// Browsers have no files.
#[cfg_attr(not(all(feature = "export", not(target_family = "wasm"))), path = "absent.rs")]
mod dir;
mod roots;
#[cfg(feature = "export")]
mod writing;

#[cfg(feature = "export")]
pub(crate) use dir::{Dir, Metadata, Permissions, create, enter, id, open, read, rename_new};
pub(crate) use dir::{entries_below, read_below};
#[cfg(feature = "find")]
pub(crate) use roots::is_outside;
pub use roots::{confine_reading, is_inside};
pub(crate) use roots::{is_confined, readable};
#[cfg(feature = "export")]
pub use writing::confine_writing;
#[cfg(feature = "export")]
pub(crate) use writing::{open_named, writable};
