//! An open folder, and operations on it that `cap-std` lacks.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use cap_fs_ext::{
    DirExt as _, FollowSymlinks, MetadataExt as _, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _,
};
use cap_std::ambient_authority;
pub(crate) use cap_std::fs::{Dir, Metadata, Permissions};
use cap_std::fs::{DirEntry, OpenOptions};

/// Opens the folder at `path`, following links.
pub(crate) fn open(path: &Path) -> io::Result<Dir> {
    Dir::open_ambient_dir(if path.as_os_str().is_empty() { Path::new(".") } else { path }, ambient_authority())
}

/// Opens a folder in another, not through a link.
pub(crate) fn enter(dir: &Dir, name: &OsStr) -> io::Result<Dir> {
    dir.open_dir_nofollow(name)
}

/// Returns two numbers that no other open folder has.
pub(crate) fn id(dir: &Dir) -> io::Result<(u64, u64)> {
    dir.dir_metadata().map(|found| (found.dev(), found.ino()))
}

/// Creates a file, with the permissions of another if they are given.
pub(crate) fn create(dir: &Dir, name: &OsStr, rights: Option<Permissions>) -> io::Result<File> {
    let file = dir.open_with(name, OpenOptions::new().read(true).write(true).create_new(true))?;
    rights.map_or(Ok(()), |rights| file.set_permissions(rights)).inspect_err(|_| drop(dir.remove_file(name)))?;
    Ok(file.into_std())
}

/// Renames a file. The other name must be free.
pub(crate) fn rename_new(dir: &Dir, name: &OsStr, to: &OsStr) -> io::Result<()> {
    match dir.hard_link(name, dir, to) {
        Ok(()) => dir.remove_file(name),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        // Not every file system has a second name for a file: an empty one reserves the name.
        Err(_) => {
            create(dir, to, None)?;
            dir.rename(name, dir, to).inspect_err(|_| drop(dir.remove_file(to)))
        }
    }
}

/// Opens a file or a folder in a folder for reading, not through a link, and without waiting for the other end of a pipe.
pub(crate) fn read(dir: &Dir, name: &OsStr) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true).follow(FollowSymlinks::No);
    dir.open_with(name, &options).map(cap_std::fs::File::into_std)
}

/// Opens the file at the relative `path` for reading. Links in the folder are followed as long as they stay in it.
pub(crate) fn read_below(dir: &Dir, path: &Path) -> io::Result<File> {
    let found = dir.metadata(path)?;
    // Opening a device can have side effects.
    if !found.is_file() && !found.is_dir() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "this is a pipe or a device, not a file"));
    }
    dir.open_with(path, OpenOptions::new().read(true).nonblock(true)).map(cap_std::fs::File::into_std)
}

/// Returns the names in the folder at the relative `path`, and whether each is a folder. Links are followed as by
/// [`read_below`].
pub(crate) fn entries_below(dir: &Dir, path: &Path) -> io::Result<impl Iterator<Item = (OsString, bool)> + use<>> {
    let entry = |entry: DirEntry| (entry.file_name(), entry.file_type().is_ok_and(|kind| kind.is_dir()));
    Ok(dir.read_dir(Path::new(".").join(path))?.flatten().map(entry))
}
