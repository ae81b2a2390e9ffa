//! The files of compared pictures: their references, and where pictures are written that differ.

use std::path::{Path, PathBuf};

use pchr::export::{OutputPath, source_among};
use pchr::{Error, Result};

/// The files of one picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureFiles {
    /// Position of the picture in the run.
    pub index: usize,
    /// The reference. Several pictures of an animated picture or a sheet share it.
    pub reference: OutputPath,
    /// The new picture, if it differs.
    pub now: NewFile,
    /// The picture that shows the difference.
    pub diff: NewFile,
}

impl PictureFiles {
    /// Where the new picture is written if there is no reference: a file that would be next to the reference takes its
    /// place.
    pub fn missing(&self) -> &OutputPath {
        match self.now.earlier {
            Earlier::Replaced => &self.reference,
            Earlier::Kept | Earlier::Removed => &self.now.path,
        }
    }
}

/// A file that is written only if pictures differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// Where it is written.
    pub path: OutputPath,
    /// What happens to the file that an earlier run left there.
    pub earlier: Earlier,
}

/// What happens to an earlier file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// It is only replaced with `--force`: the user chose its path.
    Kept,
    /// It is replaced: its name says that it belongs to the reference next to it.
    Replaced,
    /// It is replaced, and removed if pictures no longer differ: it is in a folder of results.
    Removed,
}

impl NewFile {
    /// A file next to a reference, with `word` before the extension, as in `walk.now.png`.
    pub fn beside(reference: &OutputPath, word: &str, extension: Option<&str>) -> Self {
        let mut name = reference.file_stem().unwrap_or_default().to_owned();
        let extension = extension.map(AsRef::as_ref).or_else(|| reference.extension());
        for part in [Some(word.as_ref()), extension].into_iter().flatten() {
            name.push(".");
            name.push(part);
        }
        Self { path: reference.with_file_name(name), earlier: Earlier::Replaced }
    }

    /// Returns true if an earlier file may be replaced.
    pub fn may_replace(&self, force: bool) -> bool {
        force || self.earlier != Earlier::Kept
    }

    /// Removes a file of an earlier run from a folder of results. Failing to do so is harmless.
    pub fn remove_stale(&self) {
        if self.earlier == Earlier::Removed {
            let _ = self.path.remove();
        }
    }
}

/// Fails if one of the paths is a file that the characters were read from.
pub fn check_sources<'a>(
    paths: impl IntoIterator<Item = &'a (impl AsRef<Path> + ?Sized + 'a)>,
    sources: &[PathBuf],
) -> Result<()> {
    let Some(source) = source_among(paths, sources) else { return Ok(()) };
    let message = format!("`{}` is an input file and cannot be a reference or be overwritten", source.display());
    Err(Error::misuse("source", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_next_to_the_reference() {
        let beside =
            |path, word, extension| NewFile::beside(&OutputPath::named(path), word, extension).path.to_path_buf();
        assert_eq!(beside("refs/walk-003.png", "now", None), Path::new("refs/walk-003.now.png"));
        assert_eq!(beside("walk.apng", "diff", Some("png")), Path::new("walk.diff.png"));
        assert_eq!(beside("a.b.json", "now", None), Path::new("a.b.now.json"));
    }
}
