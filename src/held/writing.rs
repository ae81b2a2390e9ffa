//! Confines the writing of a process that serves others to some folders, which it holds open.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::dir::{Dir, open};
use super::roots::{Root, opened, root_of};

static WRITABLE: OnceLock<Vec<Root>> = OnceLock::new();

/// From now on, this process only writes files in these folders, as [`confine_reading`](super::confine_reading) does for reading. Links in them
/// are not followed.
pub fn confine_writing(folders: Vec<PathBuf>) {
    let _ = WRITABLE.set(opened(folders));
}

/// Returns the folder that `path` may be written in; `None` if this process writes anywhere.
pub(crate) fn writable(path: &Path) -> io::Result<Option<&'static Path>> {
    let Some(roots) = WRITABLE.get() else { return Ok(None) };
    root_of(roots, path, "written").map(|Root(root, _)| Some(&**root))
}

/// Opens a folder that the user named, or that is a part of such a path.
pub(crate) fn open_named(path: &Path) -> io::Result<Dir> {
    let root = WRITABLE.get().and_then(|roots| roots.iter().find(|Root(root, _)| root == path));
    root.map_or_else(|| open(path), |Root(_, dir)| dir.try_clone())
}
