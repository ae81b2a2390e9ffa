//! Where the reference of each picture is, and where new pictures are written.

use std::path::{Path, PathBuf};

/// The files of one picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Position of the picture in the run.
    pub index: usize,
    /// The reference. Several pictures of an animated picture or a sheet share it.
    pub reference: PathBuf,
    /// The new picture, if it differs.
    pub now: Place,
    /// The new picture, if there is no reference.
    pub missing: PathBuf,
    /// The picture that shows the difference.
    pub diff: Place,
}

/// A path to write to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The path.
    pub path: PathBuf,
    /// True if the program chose the name. Such a file is replaced, and removed once it is no longer true; a path
    /// that the user chose is only replaced with `--force`.
    pub is_ours: bool,
}

impl Place {
    /// A path chosen by the user.
    pub fn given(path: PathBuf) -> Self {
        Self { path, is_ours: false }
    }

    /// A path chosen by the program.
    pub fn own(path: PathBuf) -> Self {
        Self { path, is_ours: true }
    }

    /// The same place with another extension.
    pub fn with_extension(&self, extension: &str) -> Self {
        Self { path: self.path.with_extension(extension), is_ours: self.is_ours }
    }

    /// Removes a file of an earlier run. Failing to do so is harmless.
    pub fn remove_stale(&self) {
        let is_file = std::fs::symlink_metadata(&self.path).is_ok_and(|found| found.is_file());
        if self.is_ours && is_file {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Returns `path` with `word` before the extension, as in `walk.now.png`.
pub fn beside(path: &Path, word: &str, extension: Option<&str>) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".");
    name.push(word);
    if let Some(extension) = extension.map(AsRef::as_ref).or_else(|| path.extension()) {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_next_to_the_reference() {
        assert_eq!(beside(Path::new("refs/walk-003.png"), "now", None), Path::new("refs/walk-003.now.png"));
        assert_eq!(beside(Path::new("walk.apng"), "diff", Some("png")), Path::new("walk.diff.png"));
        assert_eq!(beside(Path::new("a.b.json"), "now", None), Path::new("a.b.now.json"));
    }
}
