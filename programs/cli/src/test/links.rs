//! Refuses symbolic links where a run writes: a link in a folder that somebody else made could lead anywhere.

use std::path::Path;

use walkdir::WalkDir;

use super::suite::{REFERENCES, Suite};
use crate::shared::failure::Failure;
use pchr::export::OutputPath;

/// Fails if the folder of results is a link or contains one; with `update`, also checks the folder of references.
/// Checked before anything is drawn, so that nothing is written.
pub fn check(suite: &Suite, update: bool) -> Result<(), Failure> {
    check_folder(&suite.results.folder(), |below| suite.results.path(below))?;
    if update {
        let references = suite.dir.join(REFERENCES);
        check_folder(&references, |below| OutputPath::below(&suite.dir, Path::new(REFERENCES).join(below)))?;
    }
    Ok(())
}

/// `at` returns the path of a file in the folder.
fn check_folder(folder: &Path, at: impl Fn(&Path) -> OutputPath) -> Result<(), Failure> {
    at(Path::new("")).check().map_err(Failure::Output)?;
    for entry in WalkDir::new(folder).into_iter().filter_map(Result::ok).filter(|entry| entry.path_is_symlink()) {
        at(entry.path().strip_prefix(folder).unwrap_or(entry.path())).check().map_err(Failure::Output)?;
    }
    Ok(())
}
