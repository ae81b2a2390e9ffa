//! Registry of the temporary files that this process is writing, of the folders created for them, and of the programs
//! that write them.
//!
//! A file is registered from before it is created until it is moved into place or removed. The registry itself is
//! passive; a program that has to exit immediately calls [`abandon_all`].

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

use super::leftover::{self, Presence};
use super::process::Running;

static LIST: Mutex<List> = Mutex::new(List {
    files: BTreeSet::new(),
    made: BTreeMap::new(),
    occupied: BTreeMap::new(),
    visited: BTreeSet::new(),
    processes: Vec::new(),
    is_abandoned: false,
});

struct List {
    files: BTreeSet<PathBuf>,
    /// Folders that were created, with the number of files that need each.
    made: BTreeMap<PathBuf, usize>,
    /// Folders that contain registered files, with their number.
    occupied: BTreeMap<PathBuf, (usize, Presence)>,
    /// Folders already searched for leftovers; once per process is enough.
    visited: BTreeSet<PathBuf>,
    /// Programs that write registered files.
    processes: Vec<Arc<Running>>,
    is_abandoned: bool,
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
    for file in std::mem::take(&mut list.files) {
        let _ = fs::remove_file(file);
    }
    // A folder sorts before its contents. A folder that is not empty stays.
    for (folder, _) in std::mem::take(&mut list.made).into_iter().rev() {
        let _ = fs::remove_dir(folder);
    }
}

fn lock() -> MutexGuard<'static, List> {
    LIST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns an error after [`abandon_all`].
fn lock_to_write() -> io::Result<MutexGuard<'static, List>> {
    let list = lock();
    if list.is_abandoned { Err(io::Error::other("the program is exiting")) } else { Ok(list) }
}

impl List {
    /// Registers a temporary file that is about to be created in `folder`.
    fn enter(&mut self, folder: &Path) {
        if let Some((count, _)) = self.occupied.get_mut(folder) {
            *count += 1;
            return;
        }
        let is_first_visit = self.visited.insert(folder.to_owned());
        self.occupied.insert(folder.to_owned(), (1, Presence::announce(folder, is_first_visit)));
    }

    /// Unregisters a temporary file in `folder` that was removed or placed.
    fn leave(&mut self, folder: &Path) {
        if let Some((count, _)) = self.occupied.get_mut(folder) {
            *count -= 1;
            if *count == 0 {
                self.occupied.remove(folder);
            }
        }
    }
}

/// Permission to move files into place. [`abandon_all`] waits while it is held.
pub(super) struct Placing(MutexGuard<'static, List>);

impl Placing {
    /// Do not drop temporary files or [`MadeFolders`] while holding this: that deadlocks.
    pub fn begin() -> io::Result<Self> {
        lock_to_write().map(Self)
    }
}

/// Starts and registers a program that writes a temporary file.
pub(super) fn register_process(start: &mut dyn FnMut() -> io::Result<Arc<Running>>) -> io::Result<Arc<Running>> {
    // Locked meanwhile: a program that is not registered yet could not be ended.
    let mut list = lock_to_write()?;
    let child = start()?;
    list.processes.push(Arc::clone(&child));
    Ok(child)
}

/// Removes a program from the registry.
pub(super) fn forget_process(child: &Arc<Running>) {
    lock().processes.retain(|known| !Arc::ptr_eq(known, child));
}

/// A registered temporary file. It is removed on drop.
#[derive(Debug)]
pub(super) struct Temporary {
    folder: PathBuf,
    /// `None` once the file is in place.
    path: Option<TempPath>,
}

impl Temporary {
    /// Creates a temporary file with the permissions of a regular new file.
    pub fn create(folder: &Path) -> io::Result<(File, Self)> {
        let mut list = lock_to_write()?;
        list.enter(folder);
        match leftover::create(folder) {
            Ok((file, path)) => {
                list.files.insert(path.to_path_buf());
                Ok((file, Self { folder: folder.to_owned(), path: Some(path) }))
            }
            Err(error) => {
                list.leave(folder);
                // The user did not choose the temporary name, so the error is reported for the requested file.
                Err(error.kind().into())
            }
        }
    }

    /// Returns its path; `None` once it is in place.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Renames the file to `target`, which must not exist unless `overwrite`. After an error it is still
    /// temporary.
    pub(super) fn put(&mut self, target: &Path, overwrite: bool, placing: &mut Placing) -> io::Result<()> {
        let Some(path) = self.path.take() else { return Ok(()) };
        let listed = path.to_path_buf();
        let put = if overwrite { path.persist(target) } else { path.persist_noclobber(target) };
        if let Err(error) = put {
            self.path = Some(error.path);
            return Err(error.error);
        }
        placing.0.files.remove(&listed);
        placing.0.leave(&self.folder);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let Some(path) = self.path.take() else { return };
        let mut list = lock();
        list.files.remove(&*path as &Path);
        // Removed before the folder is released to other processes.
        drop(path);
        list.leave(&self.folder);
    }
}

/// Folders created for a file. Empty ones are removed when the last such file is dropped.
#[derive(Debug, Default)]
pub(super) struct MadeFolders(Vec<PathBuf>);

impl MadeFolders {
    /// Creates `folder` and its missing parents.
    pub fn make(folder: &Path) -> io::Result<Self> {
        let mut list = lock_to_write()?;
        // A folder created for another file must outlive this one too.
        let is_made = |list: &List, folder: &Path| list.made.contains_key(folder) || !folder.exists();
        let ours =
            folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && is_made(&list, folder));
        let ours: Vec<PathBuf> = ours.map(Path::to_owned).collect();
        for folder in &ours {
            *list.made.entry(folder.clone()).or_default() += 1;
        }
        let result = fs::create_dir_all(folder);
        drop(list);
        // Created before the error check, so that a partial result is cleaned up.
        let made = Self(ours);
        match result {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(io::Error::new(io::ErrorKind::NotADirectory, "this is a file, not a folder"))
            }
            result => result.map(|()| made),
        }
    }
}

impl Drop for MadeFolders {
    fn drop(&mut self) {
        if self.0.is_empty() {
            return;
        }
        let mut list = lock();
        // Innermost first; a folder that is not empty stays.
        for folder in &self.0 {
            let Some(files) = list.made.get_mut(folder) else { continue };
            *files -= 1;
            if *files == 0 {
                list.made.remove(folder);
                let _ = fs::remove_dir(folder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_stay_until_the_last_file_that_needs_them_is_gone() {
        let place = tempfile::tempdir().unwrap();
        let inner = place.path().join("a/b");
        let first = MadeFolders::make(&inner).unwrap();
        let second = MadeFolders::make(&inner).unwrap();
        drop(first);
        assert!(inner.is_dir());
        drop(second);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_temporary_file_is_registered_until_it_is_placed_or_removed() {
        let place = tempfile::tempdir().unwrap();
        let listed = || lock().files.iter().filter(|file| file.starts_with(place.path())).count();
        let occupied = || lock().occupied.contains_key(place.path());
        let (_, mut first) = Temporary::create(place.path()).unwrap();
        let (_, second) = Temporary::create(place.path()).unwrap();
        assert_eq!((listed(), occupied()), (2, true));
        let target = place.path().join("a.png");
        first.put(&target, false, &mut Placing::begin().unwrap()).unwrap();
        assert_eq!((listed(), occupied()), (1, true));
        drop(second);
        assert_eq!((listed(), occupied()), (0, false));
        drop(first);
        assert!(target.is_file());
        let (_, mut third) = Temporary::create(place.path()).unwrap();
        third.put(&target, false, &mut Placing::begin().unwrap()).unwrap_err();
        assert_eq!((listed(), occupied()), (1, true));
    }
}
