//! Confines the reading of a process that serves others to some folders, which it holds open.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::dir::{Dir, open};

/// A folder, and its path.
pub(super) struct Root(pub(super) PathBuf, pub(super) Dir);

static READABLE: OnceLock<Vec<Root>> = OnceLock::new();

/// From now on, this process only reads regular files in these folders, whichever names its callers and other files
/// state, and whatever replaces a file or a folder meanwhile.
///
/// The folders must be absolute paths without symbolic links. Links in them are followed as long as they stay in their
/// folder. Only the first call has an effect. Without the feature `export`, and in a browser, nothing is read afterwards.
pub fn confine_reading(folders: Vec<PathBuf>) {
    let _ = READABLE.set(opened(folders));
}

/// Folders that cannot be opened are left out: nothing in them is read or written.
pub(super) fn opened(folders: Vec<PathBuf>) -> Vec<Root> {
    let open = |path: PathBuf| open(&path).ok().map(|dir| Root(path, dir));
    folders.into_iter().filter_map(open).collect()
}

/// Returns true if reading is confined.
pub(crate) fn is_confined() -> bool {
    READABLE.get().is_some()
}

/// Returns the folder that a file or a folder may be read in, with its path below; `None` if this process reads
/// anything.
pub(crate) fn readable(path: &Path) -> io::Result<Option<(&'static Dir, PathBuf)>> {
    let Some(roots) = READABLE.get() else { return Ok(None) };
    // Outside of them, the error must not depend on what exists there.
    let Root(root, dir) = root_of(roots, &nearest(path, MAX_LINKS), "read")?;
    let real = path.canonicalize()?;
    Ok(Some((dir, real.strip_prefix(root).map(Path::to_owned).unwrap_or_default())))
}

/// Returns true if a file or a folder must not be read.
#[cfg(feature = "find")]
pub(crate) fn is_outside(path: &Path) -> bool {
    READABLE.get().is_some_and(|roots| !is_inside(path, roots.iter().map(|Root(root, _)| root)))
}

/// Returns true if `path` leads into one of the folders, which have no links, whether it exists or not.
pub fn is_inside<'a>(path: &Path, folders: impl IntoIterator<Item = &'a PathBuf>) -> bool {
    let nearest = nearest(path, MAX_LINKS);
    folders.into_iter().any(|folder| nearest.starts_with(folder))
}

/// Links that follow one another, as on most systems.
const MAX_LINKS: u32 = 40;

/// Resolves the links in a path. If it does not exist, returns the nearest existing folder above it.
fn nearest(path: &Path, links: u32) -> PathBuf {
    let folder = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    match (path.canonicalize(), path.read_link(), folder) {
        (Ok(real), ..) => real,
        (_, Ok(target), Some(folder)) if links > 0 => nearest(&folder.join(target), links - 1),
        (.., Some(folder)) => nearest(folder, links),
        (.., None) => path.to_owned(),
    }
}

pub(super) fn root_of<'r>(roots: &'r [Root], path: &Path, verb: &str) -> io::Result<&'r Root> {
    let why = || format!("this is outside of the folders that may be {verb}");
    let outside = || io::Error::new(ErrorKind::PermissionDenied, why());
    roots.iter().find(|Root(root, _)| path.starts_with(root)).ok_or_else(outside)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_path_has_a_place_whether_it_exists_or_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("exists");
        let inside = root.join("inside");
        fs::create_dir(&inside).expect("a folder");
        fs::write(root.join("outside"), "text").expect("written");
        for (target, is_in) in
            [("outside", false), ("nothing", false), ("nothing/file", false), ("inside/absent", true)]
        {
            let link = inside.join(target.replace('/', "-"));
            std::os::unix::fs::symlink(root.join(target), &link).expect("a link");
            for path in [link.clone(), link.join("file"), root.join(target)] {
                assert_eq!(is_inside(&path, [&inside]), is_in, "{}", path.display());
            }
        }
    }
}
