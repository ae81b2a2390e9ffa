//! The temporary file that becomes an output file.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

use super::leftover;
use super::path::{OutputPath, check};
use super::registry::{Key, List, lock_to_write};
use crate::held::{Dir, Permissions, create, open, rename_new};
use crate::{Error, Result};

/// Number of attempts to create a file in a folder that other processes remove, since they made it and no longer need
/// it.
const ATTEMPTS: usize = 100;

/// A registered file next to the one that it becomes. It is removed on drop unless it is in place.
#[derive(Debug)]
pub struct Temporary {
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
        let created = replaced.and_then(|rights| Self::new_in(&mut list, folder, (target, overwrite, rights)));
        created.inspect_err(|_| list.release(folder)).map_err(|error| path.error(error))
    }

    /// Creates a file in the system's folder for temporary files, and returns its path, too.
    pub fn of_system() -> io::Result<(File, PathBuf, Self)> {
        let place = std::env::temp_dir();
        let mut list = lock_to_write()?;
        let folder = list.insert(open(&place)?, None)?;
        let created = Self::new_in(&mut list, folder, (OsString::new(), false, None));
        let (file, temporary) = created.inspect_err(|_| list.release(folder))?;
        Ok((file, place.join(&temporary.name), temporary))
    }

    /// Creates a file in a folder, which becomes `target` and has the permissions of the file that it replaces.
    fn new_in(
        list: &mut List,
        folder: Key,
        (target, overwrite, rights): (OsString, bool, Option<Permissions>),
    ) -> io::Result<(File, Self)> {
        loop {
            let name = leftover::new_name();
            list.add_file(folder, &name);
            match list.dir(folder).and_then(|dir| create(dir, &name, rights.clone())) {
                Ok(file) => {
                    let (replaces, stage) = (rights.is_some(), Stage::Written);
                    return Ok((file, Self { folder, name, target, replaces, overwrite, stage }));
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

    /// Renames the file to its target. After an error it is still temporary. Of `several` files, each can be
    /// [taken back](Self::settle).
    fn put(&mut self, list: &mut List, several: bool) -> io::Result<()> {
        let dir = list.dir(self.folder)?;
        let mut before = Stage::New;
        if self.overwrite && dir.symlink_metadata(&self.target).is_ok() {
            let kept = leftover::new_name();
            let is_kept = several && dir.hard_link(&self.target, dir, &kept).is_ok();
            before = if is_kept { Stage::Replaced(kept) } else { Stage::Done };
        }
        let put = match self.overwrite {
            true => dir.rename(&self.name, dir, &self.target),
            false => rename_new(dir, &self.name, &self.target),
        };
        if let (Err(_), Stage::Replaced(kept)) = (&put, &before) {
            let _ = dir.remove_file(kept);
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
            (Stage::New, false) => dir.remove_file(&self.target),
            (Stage::Replaced(kept), false) => dir.rename(kept, dir, &self.target),
            (Stage::Replaced(kept), true) => dir.remove_file(kept),
            (Stage::New | Stage::Done, _) => Ok(()),
            (Stage::Written, _) => return,
        };
        self.stage = Stage::Done;
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Nothing is left to do while the program exits.
        let Ok(mut list) = lock_to_write() else { return };
        if list.remove_file(self.folder, &self.name) {
            // Removed before the folder is released to other processes.
            let _ = list.dir(self.folder).and_then(|dir| dir.remove_file(&self.name));
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
    match dir.symlink_metadata(name) {
        Ok(found) => check(&found, may_replace).map(|()| Some(found.permissions())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
