//! Files that are written completely or not at all, one by one or in groups. Enters: paths and bytes. Leaves: files in place.
//!
//! Below the folders that the user named, every file is created, written and renamed in an open folder, so that a link
//! that replaces a folder meanwhile leads nowhere. Other programs that are run are registered here too: they end, and their
//! files are removed, when this program is interrupted.

mod file;
mod group;
mod leftover;
mod path;
mod process;
mod registry;
mod temporary;

pub use file::{OutputFile, write_new};
pub use group::OutputFiles;
pub use path::{OutputPath, check_not_existing};
pub use process::Process;
pub use registry::abandon_all;
pub use temporary::Temporary;
