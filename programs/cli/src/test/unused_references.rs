//! Unused references: their character or their frame no longer exists. A recorded structure counts as a reference.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::structure::FILE;
use super::suite::{Case, REFERENCES, Suite, Tested};
use crate::shared::failure::note;
use crate::shared::stdio::portable;
use pchr::error::escaped;

/// Maximum number of listed paths.
const MAX_LISTED: usize = 3;

/// What a run knows about references.
#[derive(Debug, Default)]
pub struct Used {
    /// The references of all pictures that were planned.
    pub references: HashSet<PathBuf>,
    /// Paths below the folder of references of the characters that were planned.
    pub planned: HashSet<PathBuf>,
}

/// Returns the unused references, sorted. Leaves out characters that were not planned. With `has_rest`, includes
/// references that belong to no character.
pub fn find(suite: &Suite, used: &Used, has_rest: bool) -> Vec<String> {
    let root = suite.dir.join(REFERENCES);
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
        let folder = path.parent().and_then(|folder| folder.strip_prefix(&root).ok());
        let is_png = path.extension().is_some_and(|extension| extension == "png");
        let is_reference = is_png || path.file_name().is_some_and(|name| name == FILE);
        let is_judged = folder.and_then(|folder| bases.get(folder)).copied().unwrap_or(has_rest);
        is_reference && is_judged && !used.references.contains(path)
    };
    let entries = WalkDir::new(&root).sort_by_file_name().into_iter().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    let mut unused: Vec<PathBuf> = files.filter(is_unused).collect();
    unused.sort();
    unused.iter().map(|path| portable(path)).collect()
}

/// Removes unused references, and the folders that this empties. Keeps those in the list that cannot be removed.
pub fn remove(dir: &Path, unused: &mut Vec<String>) {
    let root = dir.join(REFERENCES);
    let (removed, left): (Vec<_>, Vec<_>) = unused.drain(..).partition(|path| std::fs::remove_file(path).is_ok());
    for folder in removed.iter().filter_map(|path| Path::new(path).parent()) {
        let above = folder.ancestors().take_while(|folder| folder.starts_with(&root) && *folder != root);
        // Fails if it contains anything.
        above.take_while(|folder| std::fs::remove_dir(folder).is_ok()).for_each(|_| ());
    }
    *unused = left;
    if !removed.is_empty() {
        note(&format!("removed {}", described(&removed)));
    }
}

/// Prints a note about unused references.
pub fn report(unused: &[String]) {
    if !unused.is_empty() {
        note(&format!("there {} {}", if unused.len() == 1 { "is" } else { "are" }, described(unused)));
    }
}

fn described(unused: &[String]) -> String {
    let listed: Vec<String> = unused.iter().take(MAX_LISTED).map(|path| format!("`{}`", escaped(path))).collect();
    let more = if unused.len() > MAX_LISTED { ", …" } else { "" };
    let listed = listed.join(", ");
    match unused.len() {
        1 => format!("the reference {listed}, which no picture uses"),
        count => format!("{count} references that no picture uses: {listed}{more}"),
    }
}
