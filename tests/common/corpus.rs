//! The conformance data: ours in `tests/fixtures/conformance`, and what the corpus beside the project adds to it.
//!
//! The corpus has the same folders. It is looked for in `../shared/conformance`, or in the folder that
//! `PCHR_CONFORMANCE` names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::say;

/// What is part of the repository.
pub fn ours(part: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/conformance").join(part)
}

/// The corpus beside the project, if it is there.
fn beside() -> Option<PathBuf> {
    let root = match std::env::var_os("PCHR_CONFORMANCE") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"),
    };
    root.is_dir().then_some(root)
}

/// Every file below the folder `part` whose name ends in `suffix`, sorted by its path in the data. A file of the corpus
/// that the repository has a copy of is left out.
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
                // Behind ours of the same name, if that is another file.
                found.insert(if found.contains_key(&name) { name.join("other") } else { name }, path);
            }
        }
    }
    if found.is_empty() {
        say(&format!("SKIPPED: there is no conformance data for {part}"));
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

/// One file or folder of the data: ours, or that of the corpus. Says loudly when neither is there.
pub fn conformance(part: &str) -> Option<PathBuf> {
    let places = std::iter::once(ours(part)).chain(beside().map(|root| root.join(part)));
    let found = places.into_iter().find(|place| place.exists());
    if found.is_none() {
        say(&format!("SKIPPED: there is no conformance data for {part}"));
    }
    found
}
