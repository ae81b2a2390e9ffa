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
    if is_outside(path) { Err(outside()) } else { Ok(()) }
}

/// Returns true if a file or a folder must not be read.
pub(crate) fn is_outside(path: &Path) -> bool {
    FOLDERS.get().is_some_and(|folders| !is_inside(path, folders))
}

/// Returns true if `path` leads into one of the folders, which have no links, whether it exists or not: outside of them, the
/// result must not depend on what exists there.
pub fn is_inside<'a>(path: &Path, folders: impl IntoIterator<Item = &'a PathBuf>) -> bool {
    let nearest = nearest(path, MAX_LINKS);
    folders.into_iter().any(|folder| nearest.starts_with(folder))
}

/// Links that follow one another, as on most systems.
const MAX_LINKS: u32 = 40;

/// Returns the path without links, or that of the nearest folder that exists.
fn nearest(path: &Path, links: u32) -> PathBuf {
    let folder = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    match (fs::canonicalize(path), fs::read_link(path), folder) {
        (Ok(real), ..) => real,
        (_, Ok(target), Some(folder)) if links > 0 => nearest(&folder.join(target), links - 1),
        (.., Some(folder)) => nearest(folder, links),
        (.., None) => path.to_owned(),
    }
}

/// Fails if an opened file must not be read, since a link may have been replaced after [`check`].
pub(super) fn check_opened(file: &File) -> io::Result<()> {
    let Some(folders) = FOLDERS.get() else { return Ok(()) };
    let is_inside = |real: PathBuf| folders.iter().any(|folder| real.starts_with(folder));
    if opened_path(file).is_none_or(is_inside) { Ok(()) } else { Err(outside()) }
}

fn outside() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "this is outside of the folders that may be read")
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
        assert!(!is_inside(&opened, [&inside]) && is_inside(&opened, [&root]));
        for (target, is_in) in
            [("outside", false), ("nothing/file", true), ("../nothing", false), ("inside/nothing", true)]
        {
            let link = inside.join(target.replace('/', "-"));
            std::os::unix::fs::symlink(root.join(target), &link).expect("a link");
            let folder = if is_in { &root } else { &inside };
            for path in [link.clone(), link.join("nothing")] {
                assert_eq!(is_inside(&path, [folder]), is_in, "{}", path.display());
            }
        }
    }
}
