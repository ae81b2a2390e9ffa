//! Watches files for changes, whether they are saved in place, replaced by a rename, or reached through a link.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify_debouncer_full::notify::event::{AccessKind, AccessMode, ModifyKind};
use notify_debouncer_full::notify::{self, EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, DebouncedEvent, Debouncer, RecommendedCache, new_debouncer};

/// Debounce time: an editor may write several times per save.
const DEBOUNCE: Duration = Duration::from_millis(200);

/// Watches files through their folders, because a replaced file is a different file to the system.
pub struct Watcher {
    debouncer: Debouncer<RecommendedWatcher, RecommendedCache>,
    folders: HashSet<PathBuf>,
    /// Resolved names of each file at the time it was last followed; a link that replaced the file since may lead
    /// anywhere.
    names: HashMap<PathBuf, Vec<PathBuf>>,
}

/// The changed files, under the names that the system reports.
#[derive(Debug, Clone)]
pub struct Changes(HashSet<PathBuf>);

impl Changes {
    /// Returns the changed paths.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(PathBuf::as_path)
    }
}

impl Watcher {
    /// Calls `changed` from another thread, shortly after each change.
    pub fn new(changed: impl Fn(Changes) + Send + 'static) -> notify::Result<Self> {
        let handler = move |result: DebounceEventResult| {
            let events = result.unwrap_or_default();
            let written = events.into_iter().filter(|event| is_change(event.kind));
            let paths: HashSet<PathBuf> = written.flat_map(changed_paths).collect();
            if !paths.is_empty() {
                changed(Changes(paths));
            }
        };
        Ok(Self {
            debouncer: new_debouncer(DEBOUNCE, Some(DEBOUNCE / 2), handler)?,
            folders: HashSet::new(),
            names: HashMap::new(),
        })
    }

    /// Returns true if the followed `file` is among `changes`.
    pub fn has_changed(&self, file: &Path, changes: &Changes) -> bool {
        self.names.get(file).is_some_and(|names| names.iter().any(|name| changes.0.contains(name)))
    }

    /// Forgets removed folders. A folder that takes the place of a removed one is not watched yet: if this returns
    /// true, files in it must be followed again.
    pub fn forget(&mut self, changes: &Changes) -> bool {
        let before = self.folders.len();
        self.folders.retain(|folder| !changes.0.contains(folder));
        self.folders.len() < before
    }

    /// Stops watching files for which `is_wanted` returns false, and folders without any watched file.
    pub fn retain(&mut self, is_wanted: impl Fn(&Path) -> bool) {
        self.names.retain(|file, _| is_wanted(file));
        let Self { debouncer, folders, names } = self;
        folders.retain(|folder| {
            let is_used = names.values().flatten().any(|name| name.parent() == Some(folder));
            if !is_used {
                // It may be gone already.
                debouncer.unwatch(folder).unwrap_or_default();
            }
            is_used
        });
    }

    /// Starts watching `file`. On error its folder cannot be watched, and the file is only read again on request.
    pub fn follow(&mut self, file: &Path) -> notify::Result<()> {
        let names = real_names(file);
        let mut watched = Ok(());
        for folder in names.iter().filter_map(|name| name.parent()) {
            if self.folders.contains(folder) {
                continue;
            }
            match self.debouncer.watch(folder, RecursiveMode::NonRecursive) {
                Ok(()) => _ = self.folders.insert(folder.to_owned()),
                Err(error) => watched = Err(error),
            }
        }
        self.names.insert(file.to_owned(), names);
        watched
    }
}

/// Returns the paths that an event changes. Content changes of a folder are skipped: the folder itself did not
/// change.
fn changed_paths(event: DebouncedEvent) -> impl Iterator<Item = PathBuf> {
    let is_content = matches!(event.kind, EventKind::Modify(kind) if !matches!(kind, ModifyKind::Name(_)));
    event.event.paths.into_iter().filter(move |path| !is_content || !path.is_dir())
}

/// Returns true if an event changes a file. Reads are events too, and our own reads must not trigger another one.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Other => {
            true
        }
    }
}

/// Returns the absolute path of `file` and, if it is a link, the path of its target.
fn real_names(file: &Path) -> Vec<PathBuf> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut names = Vec::new();
    if let (Ok(folder), Some(name)) = (folder.canonicalize(), file.file_name()) {
        names.push(folder.join(name));
    }
    if let Ok(target) = file.canonicalize()
        && !names.contains(&target)
    {
        names.push(target);
    }
    names
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc;

    use super::*;

    fn next(watcher: &Watcher, changes: &mpsc::Receiver<Changes>, file: &Path) -> bool {
        // Long timeout, because other tests keep the machine busy.
        let mut all = std::iter::from_fn(|| changes.recv_timeout(Duration::from_secs(10)).ok());
        all.any(|changes| watcher.has_changed(file, &changes))
    }

    #[test]
    fn writing_replacing_and_removing_are_reported_and_reading_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("hero.pchr");
        fs::write(&file, "one").unwrap();
        let (send, changes) = mpsc::channel();
        let mut watcher = Watcher::new(move |changes| send.send(changes).unwrap_or_default()).unwrap();
        watcher.follow(&file).unwrap();

        fs::write(&file, "two").unwrap();
        assert!(next(&watcher, &changes, &file), "written");
        let other = folder.path().join("hero.tmp");
        fs::write(&other, "three").unwrap();
        fs::rename(&other, &file).unwrap();
        assert!(next(&watcher, &changes, &file), "replaced");
        std::thread::sleep(DEBOUNCE * 4);
        while changes.try_recv().is_ok() {}

        fs::read(&file).unwrap();
        let reported =
            changes.recv_timeout(DEBOUNCE * 4).is_ok_and(|changes| watcher.has_changed(&file, &changes));
        assert!(!reported, "reading is not a change");
        fs::remove_file(&file).unwrap();
        assert!(next(&watcher, &changes, &file), "removed");
    }

    #[test]
    fn closed_files_are_no_longer_watched() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let files = [here.path().join("a.pchr"), here.path().join("b.pchr"), there.path().join("c.pchr")];
        files.iter().for_each(|file| fs::write(file, "one").unwrap());
        let (send, changes) = mpsc::channel();
        let mut watcher = Watcher::new(move |changes| send.send(changes).unwrap_or_default()).unwrap();
        files.iter().for_each(|file| watcher.follow(file).unwrap());
        watcher.retain(|file| file == files[1]);
        assert_eq!(watcher.folders.len(), 1, "the folder of a closed file is not watched");

        for file in &files {
            fs::write(file, "two").unwrap();
        }
        let mut all = Vec::new();
        while let Ok(changes) = changes.recv_timeout(DEBOUNCE * 4) {
            all.extend(changes.0);
        }
        assert!(all.iter().any(|file| file.ends_with("b.pchr")), "{all:?}");
        assert!(!all.iter().any(|file| file.ends_with("c.pchr")), "{all:?}");
        let all = Changes(all.into_iter().collect());
        assert!(watcher.has_changed(&files[1], &all) && !watcher.has_changed(&files[0], &all));
    }

    #[test]
    #[cfg(unix)]
    fn a_link_changes_with_its_target() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (link, file) = (here.path().join("link.pchr"), there.path().join("hero.pchr"));
        fs::write(&file, "one").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let (send, changes) = mpsc::channel();
        let mut watcher = Watcher::new(move |changes| send.send(changes).unwrap_or_default()).unwrap();
        watcher.follow(&link).unwrap();
        fs::write(&file, "two").unwrap();
        assert!(next(&watcher, &changes, &link));
    }
}
