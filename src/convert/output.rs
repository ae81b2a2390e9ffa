//! Writes the files of a conversion to a folder: all of them or none, and never over an input.

use std::path::{Path, PathBuf};

use super::{Files, OutFile};
use crate::error::Error;
use crate::export::{OutputFolder, source_among};

/// The target of a set of files.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The folder; created if missing.
    pub folder: &'a Path,
    /// Overwrite files that exist.
    pub force: bool,
    /// Files that were read; they are never overwritten.
    pub sources: &'a [PathBuf],
}

/// The reason why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// An output file is an input file.
    #[error("`{}` is an input file and cannot be overwritten", .0.display())]
    IsSource(PathBuf),
    /// Output files exist already.
    #[error("{error}")]
    Exists {
        /// The path of the first one.
        first: PathBuf,
        /// Their number.
        count: usize,
        /// The error for the first one.
        error: Error,
    },
    /// The files cannot be written.
    #[error(transparent)]
    Output(#[from] Error),
}

impl Files {
    /// Writes the images, then the files that refer to them. Images that exist with the same content are kept.
    /// Returns the paths, the main file first.
    pub fn write_into(&self, place: &Place<'_>) -> Result<Vec<PathBuf>, WriteError> {
        let mut out = OutputFolder::create(place.folder, place.force)?;
        out.check_not_existing(self.must_not_exist.iter().map(String::as_str))?;
        // Next to the input, its images already exist.
        let exists = |picture: &&OutFile| picture.bytes().is_some_and(|png| out.holds(&picture.name, png));
        let pictures = self.pictures.iter().filter(|picture| !exists(picture));
        let outputs: Vec<_> = pictures.chain(&self.files).collect();
        let path_of = |file: &OutFile| place.folder.join(&file.name);
        let checks = outputs.iter().map(|file| (file, out.check_writable(std::iter::once(file.name.as_str()))));
        let mut taken = checks.filter_map(|(file, check)| Some((path_of(file), check.err()?)));
        if let Some((first, error)) = taken.next() {
            return Err(WriteError::Exists { first, count: 1 + taken.count(), error });
        }
        let mut paths: Vec<PathBuf> = outputs.iter().map(|file| path_of(file)).collect();
        if let Some(path) = source_among(&paths, place.sources) {
            return Err(WriteError::IsSource(path.to_owned()));
        }
        for file in outputs {
            out.write(&file.name, |out| file.write_to(out))?;
        }
        out.finish()?;
        paths.reverse();
        Ok(paths)
    }
}
