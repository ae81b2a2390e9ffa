//! Unused references: their character or their frame no longer exists. A recorded structure counts as a reference.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::structure::FILE;
use super::suite::{Case, Suite, Tested};
use crate::shared::counted::few;
use crate::shared::failure::note;
use crate::shared::stdio::portable;
use pchr::error::escaped;
use pchr::export::OutputPath;

/// Maximum number of listed paths.
const MAX_LISTED: usize = 3;

/// What a run knows about references.
#[derive(Debug, Default)]
pub struct Used {
    /// The references of all pictures that were planned.
    pub references: HashSet<PathBuf>,
    /// Paths below the folder of references of the characters that were planned.
    pub planned: HashSet<PathBuf>,
    /// Indices of the entries that suit a character.
    pub entries: HashSet<usize>,
}

/// Returns the unused references, sorted. Leaves out characters that were not planned. With `has_rest`, includes
/// references that belong to no character.
pub fn find(suite: &Suite, used: &Used, has_rest: bool) -> Vec<String> {
    let root = &suite.folders.references;
    // Folders of references of all characters of the suite, tested or not.
    let mut bases: HashMap<&Path, bool> = HashMap::new();
    let is_planned = |case: &Case| used.planned.contains(&case.base);
    for case in suite.characters.iter().flat_map(|character| &character.cases) {
        bases.insert(&case.base, is_planned(case));
    }
    for Tested { cases, fallback, .. } in &suite.characters {
        let is_done = !cases.is_empty() && cases.iter().all(is_planned);
        bases.entry(&fallback.base).or_insert(is_done || is_planned(fallback));
    }
    let is_unused = |path: &PathBuf| {
        let folder = path.parent().and_then(|folder| folder.strip_prefix(root).ok());
        let is_png = path.extension().is_some_and(|extension| extension == "png");
        let is_reference = is_png || path.file_name().is_some_and(|name| name == FILE);
        let is_judged = folder.and_then(|folder| bases.get(folder)).copied().unwrap_or(has_rest);
        is_reference && is_judged && !used.references.contains(path)
    };
    let entries = WalkDir::new(root).sort_by_file_name().into_iter().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    let mut unused: Vec<PathBuf> = files.filter(is_unused).collect();
    unused.sort();
    unused.iter().map(|path| portable(path)).collect()
}

/// Removes unused references, and the folders that this empties. Returns those that cannot be removed.
pub fn remove(suite: &Suite, unused: Vec<String>) -> Vec<String> {
    let references = &suite.folders.references;
    let (removed, left): (Vec<_>, _) = unused.into_iter().partition(|path| std::fs::remove_file(path).is_ok());
    let folders = removed.iter().filter_map(|path| Path::new(path).strip_prefix(references).ok()?.parent());
    // The folder of references itself marks a suite, and stays.
    folders.for_each(|folder| remove_empty(references, folder, |below| !below.as_os_str().is_empty()));
    if !removed.is_empty() {
        note(&format!("removed {}", described(&removed)));
    }
    left
}

/// Removes the folder `below` in `root`, and those that contain it, as long as they are empty and `is_removable`.
pub fn remove_empty(root: &OutputPath, below: &Path, is_removable: fn(&Path) -> bool) {
    for folder in below.ancestors().take_while(|below| is_removable(below)).map(|below| root.join(below)) {
        // Fails if it contains anything.
        if folder.check().is_err() || std::fs::remove_dir(&folder).is_err() && folder.exists() {
            break;
        }
    }
}

/// Prints a note about unused references.
pub fn report(unused: &[String]) {
    if !unused.is_empty() {
        note(&format!("there {} {}", if unused.len() == 1 { "is" } else { "are" }, described(unused)));
    }
}

fn described(unused: &[String]) -> String {
    let listed = few(unused.iter().map(|path| format!("`{}`", escaped(path))), MAX_LISTED);
    match unused.len() {
        1 => format!("the reference {listed}, which no picture uses"),
        count => format!("{count} references that no picture uses: {listed}"),
    }
}
