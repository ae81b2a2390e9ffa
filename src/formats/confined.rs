//! Confines a process that serves others to the files in some folders.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

static FOLDERS: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// From now on, this process only reads regular files in these folders, whichever names its callers and other files state.
/// The folders must be absolute paths without symbolic links; links are resolved before a file is compared with them. Only
/// the first call has an effect.
pub fn confine_reading(folders: Vec<PathBuf>) {
    let _ = FOLDERS.set(folders);
}

/// Returns true if this process is confined.
pub(super) fn is_confined() -> bool {
    FOLDERS.get().is_some()
}

/// Fails if a file or a folder must not be read.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    let Some(folders) = FOLDERS.get() else { return Ok(()) };
    check_real(&fs::canonicalize(path)?, folders)
}

/// Fails if an opened file must not be read, since a link may have been replaced after [`check`].
pub(super) fn check_opened(file: &File) -> io::Result<()> {
    let Some(folders) = FOLDERS.get() else { return Ok(()) };
    opened_path(file).map_or(Ok(()), |real| check_real(&real, folders))
}

fn check_real(path: &Path, folders: &[PathBuf]) -> io::Result<()> {
    if folders.iter().any(|folder| path.starts_with(folder)) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "this is outside of the folders that may be read"))
}

/// Returns the path of an opened file without links, where the system tells.
#[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "only Linux tells"))]
fn opened_path(file: &File) -> Option<PathBuf> {
    #[cfg(target_os = "linux")]
    let path = fs::read_link(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file))).ok();
    #[cfg(not(target_os = "linux"))]
    let path = None;
    path
}

#[cfg(test)]
mod tests {
    /// Other systems do not tell.
    #[test]
    #[cfg(target_os = "linux")]
    fn an_opened_file_is_where_its_link_leads() {
        use super::*;
        let folder = tempfile::tempdir().expect("a folder");
        let root = fs::canonicalize(folder.path()).expect("exists");
        let [inside, outside] = ["inside", "outside"].map(|name| root.join(name));
        fs::create_dir(&inside).expect("a folder");
        fs::write(&outside, "text").expect("written");
        let link = inside.join("link");
        std::os::unix::fs::symlink(&outside, &link).expect("a link");
        let opened = opened_path(&File::open(&link).expect("opens")).expect("a path");
        assert_eq!(opened, outside);
        assert!(check_real(&opened, &[inside]).is_err());
        assert!(check_real(&opened, &[root]).is_ok());
    }
}
