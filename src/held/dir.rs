//! An open folder.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use cap_fs_ext::{
    DirExt as _, FollowSymlinks, MetadataExt as _, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _,
};
pub(crate) use cap_std::fs::Permissions;
use cap_std::fs::{DirEntry, OpenOptions};

use super::Found;

/// An open folder. Every `name` is a single one, and is not followed if it is a link.
#[derive(Debug)]
pub(crate) struct Dir(cap_std::fs::Dir);

impl Dir {
    /// Opens the folder at `path`, following links.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        cap_std::fs::Dir::open_ambient_dir(path, cap_std::ambient_authority()).map(Self)
    }

    /// Opens the same folder again.
    pub fn again(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    /// Returns two numbers that no other open folder has.
    pub fn id(&self) -> io::Result<(u64, u64)> {
        self.0.dir_metadata().map(|found| (found.dev(), found.ino()))
    }

    /// Returns a handle that can be locked. Windows has none.
    pub fn lockable(&self) -> io::Result<File> {
        self.0.open(".").map(cap_std::fs::File::into_std)
    }

    /// Opens a folder in this one.
    pub fn enter(&self, name: &OsStr) -> io::Result<Self> {
        self.0.open_dir_nofollow(name).map(Self)
    }

    /// Creates a folder in this one.
    pub fn create_folder(&self, name: &OsStr) -> io::Result<()> {
        self.0.create_dir(name)
    }

    /// Removes an empty folder.
    pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        self.0.remove_dir(name)
    }

    /// Looks up a name.
    pub fn find(&self, name: &OsStr) -> io::Result<Found> {
        let found = self.0.symlink_metadata(name)?;
        Ok(match found.file_type() {
            kind if kind.is_symlink() => Found::Link,
            kind if kind.is_dir() => Found::Folder,
            kind if kind.is_file() => Found::File(found.permissions()),
            _ => Found::Other,
        })
    }

    /// Returns the names in the folder.
    pub fn names(&self) -> io::Result<impl Iterator<Item = OsString>> {
        Ok(self.0.entries()?.flatten().map(|entry| entry.file_name()))
    }

    /// Creates a file, with the permissions of another if they are given.
    pub fn create(&self, name: &OsStr, rights: Option<Permissions>) -> io::Result<File> {
        let file = self.0.open_with(name, OpenOptions::new().read(true).write(true).create_new(true))?;
        if let Some(Err(error)) = rights.map(|rights| file.set_permissions(rights)) {
            let _ = self.remove(name);
            return Err(error);
        }
        Ok(file.into_std())
    }

    /// Removes a file.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        self.0.remove_file(name)
    }

    /// Renames a file, and replaces what has the other name.
    pub fn rename(&self, name: &OsStr, to: &OsStr) -> io::Result<()> {
        self.0.rename(name, &self.0, to)
    }

    /// Gives a file a second name, which must be free. Not every file system can.
    pub fn link(&self, name: &OsStr, to: &OsStr) -> io::Result<()> {
        self.0.hard_link(name, &self.0, to)
    }

    /// Renames a file. The other name must be free.
    pub fn rename_new(&self, name: &OsStr, to: &OsStr) -> io::Result<()> {
        match self.link(name, to) {
            Ok(()) => self.remove(name),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
            // An empty file reserves the name.
            Err(_) => {
                self.create(to, None)?;
                self.rename(name, to).inspect_err(|_| drop(self.remove(to)))
            }
        }
    }

    /// Opens the file `name` for reading, without waiting for the other end of a pipe.
    pub fn read(&self, name: &OsStr) -> io::Result<File> {
        self.open_to_read(Path::new(name), FollowSymlinks::No)
    }

    /// Opens the file at the relative `path` for reading. Links in the folder are followed as long as they stay in it.
    pub fn read_below(&self, path: &Path) -> io::Result<File> {
        let kind = self.0.metadata(path)?.file_type();
        // Opening a device can have side effects.
        if !kind.is_file() && !kind.is_dir() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "this is a pipe or a device, not a file"));
        }
        self.open_to_read(path, FollowSymlinks::Yes)
    }

    fn open_to_read(&self, path: &Path, follow: FollowSymlinks) -> io::Result<File> {
        let file = self.0.open_with(path, OpenOptions::new().read(true).nonblock(true).follow(follow))?;
        Ok(file.into_std())
    }

    /// Returns the names in the folder at the relative `path`, and whether each is a folder. Links are followed as by
    /// [`Dir::read_below`].
    pub fn entries_below(&self, path: &Path) -> io::Result<impl Iterator<Item = (OsString, bool)> + use<>> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let entry = |entry: DirEntry| (entry.file_name(), entry.file_type().is_ok_and(|kind| kind.is_dir()));
        Ok(self.0.read_dir(path)?.flatten().map(entry))
    }
}
