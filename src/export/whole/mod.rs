//! Files that are written completely or not at all, one by one or in groups.
//!
//! Below the folders that the user named, every file is created, written and renamed in an open folder, so that a link
//! that replaces a folder meanwhile leads nowhere.

mod file;
mod group;
mod leftover;
mod path;
mod registry;
mod temporary;

pub use file::{OutputFile, write_new};
pub use group::OutputFiles;
pub use path::{OutputPath, check_not_existing};
pub use registry::abandon_all;
pub(super) use registry::{forget_process, register_process};
pub(super) use temporary::Temporary;
