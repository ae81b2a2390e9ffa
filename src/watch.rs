//! Tells when files change, however they are saved: in place, by a rename over them, or behind a link.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify_debouncer_full::notify::event::{AccessKind, AccessMode, ModifyKind};
use notify_debouncer_full::notify::{self, EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, DebouncedEvent, Debouncer, RecommendedCache, new_debouncer};

/// An editor writes several times when it saves once.
const SETTLES: Duration = Duration::from_millis(200);

/// Watches the folders that files are in: a file that is replaced is another file.
pub struct Watcher {
    debouncer: Debouncer<RecommendedWatcher, RecommendedCache>,
    folders: HashSet<PathBuf>,
    /// What the system calls each file, as it was when it was last followed: a link that was put in its place since
    /// then may lead anywhere.
    names: HashMap<PathBuf, Vec<PathBuf>>,
}

/// The files that have changed, as the system names them.
#[derive(Debug, Clone, Default)]
pub struct Changes(HashSet<PathBuf>);

impl Watcher {
    /// Calls `changed` from another thread, some time after each change.
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
            debouncer: new_debouncer(SETTLES, Some(SETTLES / 2), handler)?,
            folders: HashSet::new(),
            names: HashMap::new(),
        })
    }

    /// Whether `file`, which is followed, is among the `changes`.
    pub fn has_changed(&self, file: &Path, changes: &Changes) -> bool {
        self.names.get(file).is_some_and(|names| names.iter().any(|name| changes.0.contains(name)))
    }

    /// A folder that was removed is watched no more, and one that takes its place not yet. True when
    /// there was one: files in it have to be followed again.
    pub fn forget(&mut self, changes: &Changes) -> bool {
        let before = self.folders.len();
        self.folders.retain(|folder| !changes.0.contains(folder));
        self.folders.len() < before
    }

    /// Watches only those files any more for which `is_wanted` is true, and no folder without one of them.
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

    /// Watches `file`, too. The error says why its folder cannot be watched; it is then only read again when asked.
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

/// What an event is about. A folder in which something was written is the same folder.
fn changed_paths(event: DebouncedEvent) -> impl Iterator<Item = PathBuf> {
    let is_content = matches!(event.kind, EventKind::Modify(kind) if !matches!(kind, ModifyKind::Name(_)));
    event.event.paths.into_iter().filter(move |path| !is_content || !path.is_dir())
}

/// Reading a file is an event too: our own reading must not make us read again.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Other => {
            true
        }
    }
}

/// Where `file` is, and where it leads when it is a link.
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
        // Generous, because other tests keep the machine busy.
        let mut all = std::iter::from_fn(|| changes.recv_timeout(Duration::from_secs(10)).ok());
        all.any(|changes| watcher.has_changed(file, &changes))
    }

    #[test]
    fn writing_replacing_and_removing_are_told_and_reading_is_not() {
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
        std::thread::sleep(SETTLES * 4);
        while changes.try_recv().is_ok() {}

        fs::read(&file).unwrap();
        let told = changes.recv_timeout(SETTLES * 4).is_ok_and(|changes| watcher.has_changed(&file, &changes));
        assert!(!told, "reading is no change");
        fs::remove_file(&file).unwrap();
        assert!(next(&watcher, &changes, &file), "removed");
    }

    #[test]
    fn what_is_closed_is_watched_no_more() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let files = [here.path().join("a.pchr"), here.path().join("b.pchr"), there.path().join("c.pchr")];
        files.iter().for_each(|file| fs::write(file, "one").unwrap());
        let (send, changes) = mpsc::channel();
        let mut watcher = Watcher::new(move |changes| send.send(changes).unwrap_or_default()).unwrap();
        files.iter().for_each(|file| watcher.follow(file).unwrap());
        watcher.retain(|file| file == files[1]);
        assert_eq!(watcher.folders.len(), 1, "the folder of the other file is not watched");

        for file in &files {
            fs::write(file, "two").unwrap();
        }
        let mut all = Vec::new();
        while let Ok(changes) = changes.recv_timeout(SETTLES * 4) {
            all.extend(changes.0);
        }
        assert!(all.iter().any(|file| file.ends_with("b.pchr")), "{all:?}");
        assert!(!all.iter().any(|file| file.ends_with("c.pchr")), "{all:?}");
        let all = Changes(all.into_iter().collect());
        assert!(watcher.has_changed(&files[1], &all) && !watcher.has_changed(&files[0], &all));
    }

    #[test]
    #[cfg(unix)]
    fn a_link_changes_with_what_it_leads_to() {
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
