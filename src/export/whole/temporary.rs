//! The temporary file that becomes an output file.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

use super::leftover;
use super::path::{OutputPath, exists, is_folder, is_link, not_regular};
use super::registry::{Key, List, lock, lock_to_write};
use crate::held::{Dir, Found, Permissions};
use crate::{Error, Result};

/// Number of attempts to create a file in a folder that other processes remove, since they made it and no longer need
/// it.
const ATTEMPTS: usize = 100;

/// A registered file next to the one that it becomes. It is removed on drop unless it is in place.
#[derive(Debug)]
pub(in crate::export) struct Temporary {
    folder: Key,
    name: OsString,
    target: OsString,
    /// True if an existing file is replaced.
    pub replaces: bool,
    overwrite: bool,
    stage: Stage,
}

/// How far a file has come.
#[derive(Debug)]
enum Stage {
    /// It is not yet in place.
    Written,
    /// It is in place, where no file was before.
    New,
    /// It is in place of a file that has this name now.
    Replaced(OsString),
    /// It stays in place.
    Done,
}

impl Temporary {
    /// Creates the file for `path` and its missing folders. Without `overwrite` an existing file is an error; with it, the
    /// new file gets its permissions.
    pub fn create(path: &OutputPath, overwrite: bool) -> Result<(File, Self)> {
        let mut attempts = 0..ATTEMPTS;
        loop {
            match Self::attempt(path, overwrite) {
                Err(Error::Io { source, .. })
                    if source.kind() == ErrorKind::NotFound && attempts.next().is_some() => {}
                created => return created,
            }
        }
    }

    fn attempt(path: &OutputPath, overwrite: bool) -> Result<(File, Self)> {
        let mut list = lock_to_write().map_err(|error| path.error(error))?;
        let (folder, target) = list.hold_folder(path, true)?;
        let replaced = list.dir(folder).and_then(|dir| replaced(dir, &target, overwrite));
        let created = replaced.and_then(|rights| Self::new_in(&mut list, folder, rights));
        let created = created.inspect_err(|_| list.release(folder)).map_err(|error| path.error(error));
        created.map(|(file, temporary)| (file, temporary.becoming(target, overwrite)))
    }

    /// Creates a file in the system's folder for temporary files, and returns its path, too.
    pub fn of_system() -> io::Result<(File, PathBuf, Self)> {
        let place = std::env::temp_dir();
        let mut list = lock_to_write()?;
        let folder = list.insert(Dir::open(&place)?, None)?;
        let created = Self::new_in(&mut list, folder, None).inspect_err(|_| list.release(folder));
        created.map(|(file, temporary)| (file, place.join(&temporary.name), temporary))
    }

    fn new_in(list: &mut List, folder: Key, rights: Option<Permissions>) -> io::Result<(File, Self)> {
        let replaces = rights.is_some();
        loop {
            let name = leftover::new_name();
            list.add_file(folder, &name);
            match list.dir(folder)?.create(&name, rights.clone()) {
                Ok(file) => {
                    let (target, stage) = (OsString::new(), Stage::Written);
                    return Ok((file, Self { folder, name, target, replaces, overwrite: false, stage }));
                }
                Err(error) => {
                    list.remove_file(folder, &name);
                    if error.kind() != ErrorKind::AlreadyExists {
                        return Err(error);
                    }
                }
            }
        }
    }

    fn becoming(mut self, target: OsString, overwrite: bool) -> Self {
        (self.target, self.overwrite) = (target, overwrite);
        self
    }

    /// Renames the file to its target. After an error it is still temporary. Of `several` files, each can be
    /// [taken back](Self::settle).
    fn put(&mut self, list: &mut List, several: bool) -> io::Result<()> {
        let dir = list.dir(self.folder)?;
        let mut before = Stage::New;
        if self.overwrite && dir.find(&self.target).is_ok() {
            let kept = leftover::new_name();
            let is_kept = several && dir.link(&self.target, &kept).is_ok();
            before = if is_kept { Stage::Replaced(kept) } else { Stage::Done };
        }
        let put = match self.overwrite {
            true => dir.rename(&self.name, &self.target),
            false => dir.rename_new(&self.name, &self.target),
        };
        if let (Err(_), Stage::Replaced(kept)) = (&put, &before) {
            let _ = dir.remove(kept);
        }
        put?;
        list.remove_file(self.folder, &self.name);
        self.stage = before;
        Ok(())
    }

    /// Keeps a file that was put in place, or takes it back.
    fn settle(&mut self, list: &List, keeps: bool) {
        let Ok(dir) = list.dir(self.folder) else { return };
        let _ = match (&self.stage, keeps) {
            (Stage::New, false) => dir.remove(&self.target),
            (Stage::Replaced(kept), false) => dir.rename(kept, &self.target),
            (Stage::Replaced(kept), true) => dir.remove(kept),
            (Stage::New | Stage::Done, _) => Ok(()),
            (Stage::Written, _) => return,
        };
        self.stage = Stage::Done;
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut list = lock();
        if list.remove_file(self.folder, &self.name) {
            // Removed before the folder is released to other processes.
            let _ = list.dir(self.folder).and_then(|dir| dir.remove(&self.name));
        }
        list.release(self.folder);
    }
}

/// Moves files into place, in this order. After an error, those that are in place already are taken back. If the process is
/// asked to exit meanwhile, it exits after the last file is in place.
pub(super) fn put_all(files: &mut [(PathBuf, Option<Temporary>)]) -> Result<()> {
    let Some((first, _)) = files.first() else { return Ok(()) };
    let mut list = lock_to_write().map_err(|error| Error::io(first.display(), error))?;
    let several = files.len() > 1;
    let put = files.iter_mut().try_for_each(|(path, file)| {
        let put = file.as_mut().map_or(Ok(()), |file| file.put(&mut list, several));
        put.map_err(|error| Error::io(path.display(), error))
    });
    for file in files.iter_mut().rev().filter_map(|(_, file)| file.as_mut()) {
        file.settle(&list, put.is_ok());
    }
    put
}

/// Returns the permissions of the file `name` if it exists and may be replaced.
fn replaced(dir: &Dir, name: &OsStr, may_replace: bool) -> io::Result<Option<Permissions>> {
    match dir.find(name) {
        Ok(Found::File(rights)) if may_replace => Ok(Some(rights)),
        Ok(Found::File(_)) => Err(exists()),
        Ok(Found::Folder) => Err(is_folder()),
        Ok(Found::Link) => Err(is_link()),
        Ok(Found::Other) => Err(not_regular()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
