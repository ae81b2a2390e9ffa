//! Refuses symbolic links where a run writes: a link in a folder that somebody else made could lead anywhere.

use std::path::Path;

use walkdir::WalkDir;

use super::suite::{REFERENCES, RESULTS};
use crate::cli::shared::failure::Failure;
use crate::export::OutputPath;

/// Fails if the folder of results is a link or contains one; with `update`, also checks the folder of references.
/// Checked before
/// anything is drawn, so that nothing is written.
pub fn check(dir: &Path, update: bool) -> Result<(), Failure> {
    let written = [(RESULTS, true), (REFERENCES, update)].into_iter().filter(|(_, is_written)| *is_written);
    for (name, _) in written {
        let below = |path: &Path| OutputPath::below(dir, path).check().map_err(Failure::Output);
        below(Path::new(name))?;
        for entry in WalkDir::new(dir.join(name)).into_iter().filter_map(Result::ok) {
            if entry.path_is_symlink() {
                below(entry.path().strip_prefix(dir).unwrap_or(entry.path()))?;
            }
        }
    }
    Ok(())
}
