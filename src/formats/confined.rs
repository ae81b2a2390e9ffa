//! Confines a process that serves others to the files in some folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

static FOLDERS: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// From now on, this process only reads files in these folders, whichever names its callers and other files state. The
/// folders must be absolute paths without symbolic links; links are resolved before a file is compared with them. Only the
/// first call has an effect.
pub fn confine_reading(folders: Vec<PathBuf>) {
    let _ = FOLDERS.set(folders);
}

/// Fails if a file must not be read.
pub(super) fn check(path: &Path) -> io::Result<()> {
    let Some(folders) = FOLDERS.get() else { return Ok(()) };
    let real = fs::canonicalize(path)?;
    if folders.iter().any(|folder| real.starts_with(folder)) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "this is outside of the folders that may be read"))
}
