//! Stands in for open folders in a browser, and in a library without the feature `export`: there are none.

use std::ffi::{OsStr, OsString};
use std::fs::File;
pub(crate) use std::fs::Permissions;
use std::io;
use std::path::Path;

use super::Found;

/// No folder.
#[derive(Debug)]
pub(crate) enum Dir {}

macro_rules! absent {
    ($($name:ident($($argument:ty),*) -> $result:ty;)*) => {
        #[allow(dead_code, reason = "only files that are written need all of them")]
        impl Dir {
            pub fn open(_path: &Path) -> io::Result<Self> {
                Err(io::ErrorKind::Unsupported.into())
            }

            $(pub fn $name(&self, $(_: $argument),*) -> io::Result<$result> {
                match *self {}
            })*
        }
    };
}

absent! {
    again() -> Self;
    id() -> (u64, u64);
    lockable() -> File;
    enter(&OsStr) -> Self;
    create_folder(&OsStr) -> ();
    remove_folder(&OsStr) -> ();
    find(&OsStr) -> Found;
    names() -> Vec<OsString>;
    create(&OsStr, Option<Permissions>) -> File;
    remove(&OsStr) -> ();
    rename(&OsStr, &OsStr) -> ();
    link(&OsStr, &OsStr) -> ();
    rename_new(&OsStr, &OsStr) -> ();
    read(&OsStr) -> File;
    read_below(&Path) -> File;
    entries_below(&Path) -> Vec<(OsString, bool)>;
}
