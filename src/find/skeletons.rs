//! Detects whether an atlas found in a folder belongs to a Spine skeleton and therefore is not a sheet of its own.
//!
//! A skeleton can use an atlas of any name in its own folder, and one of its own name in a neighbouring folder.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::has_extension;
use crate::formats::{format_name, open_regular_file};

/// Maximum number of entries of a neighbouring folder that are examined.
const MAX_ENTRIES: usize = 1000;
/// Bytes of a file needed to detect a skeleton from its first keys.
const HEAD: u64 = 4096;

/// The skeletons in the folders searched so far.
#[derive(Debug, Default)]
pub struct Skeletons {
    known: HashMap<PathBuf, Vec<PathBuf>>,
    /// Whether there is any.
    found: HashMap<PathBuf, bool>,
}

impl Skeletons {
    /// Returns true if `path` is an atlas that belongs to a nearby skeleton.
    pub fn own(&mut self, path: &Path) -> bool {
        let is_atlas = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("atlas"));
        let Some(folder) = path.parent().filter(|_| is_atlas) else { return false };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(folder) = folder.canonicalize() else { return false };
        if self.are_in(&folder) {
            return true;
        }
        let Some(around) = folder.parent() else { return false };
        let neighbours = entries(around).filter(|entry| entry.is_dir());
        let further: Vec<PathBuf> = [around.to_owned()].into_iter().chain(neighbours).collect();
        further.iter().any(|folder| self.of(folder).iter().any(|skeleton| is_named_alike(skeleton, path)))
    }

    fn are_in(&mut self, folder: &Path) -> bool {
        let search = || entries(folder).any(|file| is_skeleton(&file));
        *self.found.entry(folder.to_owned()).or_insert_with(search)
    }

    /// Returns the skeletons in a neighbouring folder.
    fn of(&mut self, folder: &Path) -> &[PathBuf] {
        let found = || entries(folder).take(MAX_ENTRIES).filter(|file| is_skeleton(file)).collect();
        self.known.entry(folder.to_owned()).or_insert_with(found)
    }
}

/// Returns true for a binary skeleton next to its JSON: exports often have both, which are one character.
pub fn has_json(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_binary = has_extension(path, |extension| extension == "skel");
    let stem = name.to_ascii_lowercase().rfind(".skel").and_then(|at| name.get(..at)).filter(|_| is_binary);
    stem.is_some_and(|stem| is_skeleton(&path.with_file_name(format!("{stem}.json"))))
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

/// Returns true if there is an atlas, but no skeleton, whose name begins like the name of `path`, which is no skeleton.
pub fn lacks_skeleton(path: &Path) -> bool {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let atlases = ["", "-pma"].map(|end| folder.join(format!("{}{end}.atlas", stem(path))));
    let belongs = |file: PathBuf| is_named_alike(&file, path) && is_skeleton(&file);
    atlases.iter().any(|atlas| atlas.is_file()) && !entries(folder).any(belongs)
}

/// Returns true if both names begin alike: `hero-pro.json` and `hero.atlas`, `hero.json` and `hero-pma.atlas`.
fn is_named_alike(skeleton: &Path, atlas: &Path) -> bool {
    stem(skeleton) == stem(atlas)
}

fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.split(['.', '-']).next().unwrap_or_default().to_owned()
}

fn is_skeleton(path: &Path) -> bool {
    if !has_extension(path, |extension| ["json", "skel"].contains(&extension)) {
        return false;
    }
    let mut head = Vec::new();
    let Ok((file, _)) = open_regular_file(path) else { return false };
    file.take(HEAD).read_to_end(&mut head).is_ok()
        && format_name(&head).is_some_and(|name| name.starts_with("Spine"))
}
