//! Registry of the folders that this process is writing to, of the temporary files in them, and of the programs that
//! write these files.
//!
//! A file is registered from before it is created until it is moved into place or removed. The registry itself is
//! passive; a program that has to exit immediately calls [`abandon_all`].

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::leftover;
use super::path::{OutputPath, is_folder, is_link};
use super::process::Running;
use crate::held::{Dir, enter, id, open_named};
use crate::{Error, Result};

static LIST: Mutex<List> = Mutex::new(List {
    folders: BTreeMap::new(),
    files: BTreeSet::new(),
    visited: BTreeSet::new(),
    processes: Vec::new(),
    is_abandoned: false,
});

/// Identifies an open folder.
pub(super) type Key = (u64, u64);

pub(super) struct List {
    folders: BTreeMap<Key, Folder>,
    /// The temporary files.
    files: BTreeSet<(Key, OsString)>,
    /// Folders already searched for leftovers; once per process is enough.
    visited: BTreeSet<Key>,
    /// Programs that write registered files.
    processes: Vec<Arc<Running>>,
    is_abandoned: bool,
}

/// A folder that is held open.
struct Folder {
    dir: Dir,
    /// The number of files, and of folders created in it, that need it.
    users: usize,
    /// Where it was created, if it was. It is removed if it is empty at the end.
    made_in: Option<(Key, OsString)>,
    /// Marks its temporary files as in use for other processes.
    lock: Option<File>,
}

/// Ends all programs that write temporary files, and removes these files, and the folders created for them if they are
/// empty. Afterwards every attempt of this process to create or place a file fails: call it right before the process
/// exits.
///
/// Files that belong together are placed while the registry is locked, so this waits for them.
pub fn abandon_all() {
    let mut list = lock();
    list.is_abandoned = true;
    // A program that still ran could create its file again.
    for child in std::mem::take(&mut list.processes) {
        child.end();
    }
    for (folder, name) in std::mem::take(&mut list.files) {
        let _ = list.dir(folder).and_then(|dir| dir.remove_file(&name));
        list.release(folder);
    }
}

fn lock() -> MutexGuard<'static, List> {
    LIST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns an error after [`abandon_all`], which waits while the list is locked.
pub(super) fn lock_to_write() -> io::Result<MutexGuard<'static, List>> {
    let list = lock();
    if list.is_abandoned { Err(is_exiting()) } else { Ok(list) }
}

fn is_exiting() -> io::Error {
    io::Error::other("the program is exiting")
}

/// Calls `work` with the folder of `path`, which is not created, and the name in it.
pub(super) fn with_name<T>(path: &OutputPath, work: impl FnOnce(&Dir, &OsStr) -> io::Result<T>) -> Result<T> {
    let mut list = lock();
    let (folder, name) = list.hold_folder(path, false)?;
    let done = list.dir(folder).and_then(|dir| work(dir, &name));
    list.release(folder);
    done.map_err(|error| path.error(error))
}

impl List {
    /// Opens the folder of `path` until it is released, and returns it with the name in it. Missing folders are created
    /// if they `may_create`d.
    pub fn hold_folder(&mut self, path: &OutputPath, may_create: bool) -> Result<(Key, OsString)> {
        let named = path.named_part().map_err(|error| path.error(error))?;
        let name = path.file_name().ok_or_else(|| path.error(is_folder()))?;
        let key = self.hold(path.parent().unwrap_or(Path::new("")), named, may_create)?;
        Ok((key, name.to_owned()))
    }

    /// Opens `folder` until it is released. Links are followed in the part that the user `named`.
    fn hold(&mut self, folder: &Path, named: &Path, may_create: bool) -> Result<Key> {
        let (parent, name) = (folder.parent(), folder.file_name());
        let failed = |error: io::Error| Error::io(folder.display(), error);
        if named.starts_with(folder) {
            match open_named(folder) {
                Ok(dir) => return self.insert(dir, None).map_err(failed),
                Err(error) if error.kind() == ErrorKind::NotFound && may_create && name.is_some() => {}
                Err(error) if error.kind() == ErrorKind::NotADirectory => return Err(failed(not_a_folder())),
                Err(error) => return Err(failed(error)),
            }
        }
        let (Some(parent), Some(name)) = (parent, name) else { return Err(failed(is_link())) };
        let parent = self.hold(parent, named, may_create)?;
        let entered = self.enter(parent, name, may_create);
        self.release(parent);
        entered.map_err(failed)
    }

    /// Opens or creates a folder in an open one.
    fn enter(&mut self, parent: Key, name: &OsStr, may_create: bool) -> io::Result<Key> {
        let dir = self.dir(parent)?;
        let mut made_in = None;
        let opened = match enter(dir, name) {
            Err(error) if error.kind() == ErrorKind::NotFound && may_create => {
                match dir.create_dir(name) {
                    Ok(()) => made_in = Some((parent, name.to_owned())),
                    // By another process.
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(error),
                }
                enter(dir, name)
            }
            opened => opened,
        };
        let why = |error| match dir.symlink_metadata(name) {
            Ok(found) if found.is_symlink() => is_link(),
            Ok(found) if !found.is_dir() => not_a_folder(),
            Ok(_) | Err(_) => error,
        };
        let opened = opened.map_err(why)?;
        self.insert(opened, made_in)
    }

    /// Adds an open folder, or another user of it.
    pub fn insert(&mut self, dir: Dir, made_in: Option<(Key, OsString)>) -> io::Result<Key> {
        let key = id(&dir)?;
        if let Some(folder) = self.folders.get_mut(&key) {
            folder.users += 1;
            return Ok(key);
        }
        // Stays open, since this folder may have to be removed from it.
        if let Some(parent) = made_in.as_ref().and_then(|(parent, _)| self.folders.get_mut(parent)) {
            parent.users += 1;
        }
        self.folders.insert(key, Folder { dir, users: 1, made_in, lock: None });
        Ok(key)
    }

    /// Ends a use of a folder. It is closed after the last one, and removed if it was created and is empty.
    pub fn release(&mut self, key: Key) {
        let Some(folder) = self.folders.get_mut(&key) else { return };
        folder.users -= 1;
        if folder.users > 0 {
            return;
        }
        let made_in = self.folders.remove(&key).and_then(|folder| folder.made_in);
        let Some((parent, name)) = made_in else { return };
        let _ = self.dir(parent).and_then(|dir| dir.remove_dir(&name));
        self.release(parent);
    }

    /// Returns an open folder; after [`abandon_all`] there is none.
    pub fn dir(&self, key: Key) -> io::Result<&Dir> {
        self.folders.get(&key).map(|folder| &folder.dir).ok_or_else(is_exiting)
    }

    /// Registers a temporary file that is about to be created. Before the first one in a folder, leftovers are removed.
    pub fn add_file(&mut self, folder: Key, name: &OsStr) {
        let is_first_visit = self.visited.insert(folder);
        if let Some(Folder { dir, lock: lock @ None, .. }) = self.folders.get_mut(&folder) {
            *lock = leftover::announce(dir, is_first_visit);
        }
        self.files.insert((folder, name.to_owned()));
    }

    /// Returns true if the file was registered.
    pub fn remove_file(&mut self, folder: Key, name: &OsStr) -> bool {
        self.files.remove(&(folder, name.to_owned()))
    }
}

fn not_a_folder() -> io::Error {
    io::Error::new(ErrorKind::NotADirectory, "this is a file, not a folder")
}

/// Starts and registers a program that writes a temporary file.
pub(in crate::export) fn register_process(
    start: &mut dyn FnMut() -> io::Result<Arc<Running>>,
) -> io::Result<Arc<Running>> {
    // Locked meanwhile: a program that is not registered yet could not be ended.
    let mut list = lock_to_write()?;
    let child = start()?;
    list.processes.push(Arc::clone(&child));
    Ok(child)
}

/// Removes a program from the registry.
pub(in crate::export) fn forget_process(child: &Arc<Running>) {
    lock().processes.retain(|known| !Arc::ptr_eq(known, child));
}
