//! Folders that are held open: names in them lead nowhere else, even if a folder is replaced by a link meanwhile.

// Browsers have no files.
#[cfg_attr(not(all(feature = "export", not(target_family = "wasm"))), path = "absent.rs")]
mod dir;
mod roots;

pub(crate) use dir::{Dir, Permissions};
pub use roots::{confine_reading, confine_writing, is_inside};
pub(crate) use roots::{is_confined, is_outside, open_named, readable, writable};

/// What a name in a folder stands for. Links are not followed.
#[derive(Debug)]
pub(crate) enum Found {
    File(Permissions),
    Folder,
    Link,
    /// A pipe or a device.
    Other,
}
