//! The conformance data: the project's own in `tests/fixtures/conformance`, and an optional corpus beside the
//! project.
//!
//! The corpus has the same folders. It is looked up in the folder named by `PCHR_CONFORMANCE`, or in
//! `../shared/conformance`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::say;

/// Returns a path of the data in the repository.
pub fn ours(part: &str) -> PathBuf {
    super::root().join("tests/fixtures/conformance").join(part)
}

/// Returns the corpus beside the project, if present.
fn beside() -> Option<PathBuf> {
    let root = match std::env::var_os("PCHR_CONFORMANCE") {
        Some(root) => PathBuf::from(root),
        None => super::root().join("../shared/conformance"),
    };
    root.is_dir().then_some(root)
}

/// Returns the files below the folder `part` whose names end in `suffix`, sorted by their path in the data. Files
/// of the corpus that the repository has a copy of are left out.
pub fn conformance_files(part: &str, suffix: &str) -> Vec<PathBuf> {
    let mut found = BTreeMap::new();
    let ours = ours("");
    collect(&ours, &ours.join(part), suffix, &mut found);
    if let Some(root) = beside() {
        let mut others = BTreeMap::new();
        collect(&root, &root.join(part), suffix, &mut others);
        for (name, path) in others {
            let is_copied = found.get(&name).is_some_and(|copy| fs::read(copy).ok() == fs::read(&path).ok());
            if !is_copied {
                // A different file of the same name comes after the project's own.
                found.insert(if found.contains_key(&name) { name.join("other") } else { name }, path);
            }
        }
    }
    if found.is_empty() {
        say(&format!("SKIPPED: no conformance data for {part}"));
    }
    found.into_values().collect()
}

fn collect(root: &Path, folder: &Path, suffix: &str, found: &mut BTreeMap<PathBuf, PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            collect(root, &path, suffix, found);
        } else if path.to_string_lossy().ends_with(suffix) {
            found.insert(path.strip_prefix(root).expect("below it").to_owned(), path);
        }
    }
}

/// Returns a file or folder of the data, preferring the project's own. Prints a message if there is neither.
pub fn conformance(part: &str) -> Option<PathBuf> {
    let places = std::iter::once(ours(part)).chain(beside().map(|root| root.join(part)));
    let found = places.into_iter().find(|place| place.exists());
    if found.is_none() {
        say(&format!("SKIPPED: no conformance data for {part}"));
    }
    found
}
