//! References that no picture uses any more.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::suite::REFERENCES;
use crate::cli::shared::failure::note;
use crate::cli::shared::stdio::portable;
use crate::error::escaped;

/// Most paths that are listed.
const MAX_LISTED: usize = 3;

/// Prints a note about PNGs in the folder of references that are not in `used`. Those of characters that could not be
/// read, at the paths `unplanned`, are not mentioned.
pub fn report(dir: &Path, used: &HashSet<PathBuf>, unplanned: &[PathBuf]) {
    let references = dir.join(REFERENCES);
    let entries = WalkDir::new(&references).sort_by_file_name().into_iter().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    let is_stale = |path: &PathBuf| {
        let below = path.strip_prefix(&references).unwrap_or(path);
        let is_png = path.extension().is_some_and(|extension| extension == "png");
        is_png && !used.contains(path) && !unplanned.iter().any(|base| below.starts_with(base))
    };
    let stale: Vec<PathBuf> = files.filter(is_stale).collect();
    let listed: Vec<String> =
        stale.iter().take(MAX_LISTED).map(|path| format!("`{}`", escaped(&portable(path)))).collect();
    let more = if stale.len() > MAX_LISTED { ", …" } else { "" };
    let listed = listed.join(", ");
    match stale.len() {
        0 => {}
        1 => note(&format!("no picture uses the reference {listed}; delete it if it is obsolete")),
        count => {
            note(&format!("no picture uses {count} references: {listed}{more}; delete them if they are obsolete"))
        }
    }
}
