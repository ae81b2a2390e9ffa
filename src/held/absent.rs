//! Stands in for open folders in a browser, and in a library without the feature `export`: there are none.

#[cfg(feature = "export")]
use std::ffi::OsStr;
use std::ffi::OsString;
use std::fs::File;
#[cfg(feature = "export")]
use std::fs::ReadDir;
#[cfg(feature = "export")]
pub(crate) use std::fs::{Metadata, Permissions};
use std::io;
use std::path::Path;

/// No folder.
#[derive(Debug)]
pub(crate) enum Dir {}

pub(crate) fn open(_path: &Path) -> io::Result<Dir> {
    Err(io::ErrorKind::Unsupported.into())
}

macro_rules! absent {
    (methods $($name:ident($($argument:ty),*) -> $result:ty;)*) => {
        impl Dir {
            $(pub fn $name(&self, $(_: $argument),*) -> io::Result<$result> { match *self {} })*
        }
    };
    (functions $($name:ident($($argument:ty),*) -> $result:ty;)*) => {
        $(pub(crate) fn $name(dir: &Dir, $(_: $argument),*) -> io::Result<$result> { match *dir {} })*
    };
}

#[cfg(feature = "export")]
absent! { methods
    try_clone() -> Dir;
    create_dir(&OsStr) -> ();
    remove_dir(&OsStr) -> ();
    remove_file(&OsStr) -> ();
    rename(&OsStr, &Dir, &OsStr) -> ();
    hard_link(&OsStr, &Dir, &OsStr) -> ();
    symlink_metadata(&OsStr) -> Metadata;
    entries() -> ReadDir;
}

absent! { functions
    read_below(&Path) -> File;
    entries_below(&Path) -> std::vec::IntoIter<(OsString, bool)>;
}

#[cfg(feature = "export")]
absent! { functions
    enter(&OsStr) -> Dir;
    id() -> (u64, u64);
    create(&OsStr, Option<Permissions>) -> File;
    rename_new(&OsStr, &OsStr) -> ();
    read(&OsStr) -> File;
}
