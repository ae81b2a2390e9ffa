//! Refuses symbolic links where a run writes: a link in a folder that somebody else made could lead anywhere.

use walkdir::WalkDir;

use super::suite::Suite;
use crate::shared::failure::Failure;
use pchr::Result;
use pchr::export::OutputPath;

/// Fails if the folder of results is a link or contains one; with `update`, also checks the folder of references.
/// Checked before anything is drawn, so that nothing is written.
pub fn check(suite: &Suite, update: bool) -> std::result::Result<(), Failure> {
    let folders = [Some(&suite.folders.results), update.then_some(&suite.folders.references)];
    folders.into_iter().flatten().try_for_each(check_folder).map_err(Failure::Output)
}

fn check_folder(folder: &OutputPath) -> Result<()> {
    folder.join("").check()?;
    let entries = WalkDir::new(folder).into_iter().filter_map(std::result::Result::ok);
    for link in entries.filter(|entry| entry.path_is_symlink()) {
        folder.join(link.path().strip_prefix(folder).unwrap_or(link.path())).check()?;
    }
    Ok(())
}
