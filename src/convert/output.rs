//! Writes the files of a conversion to a folder: all of them or none, and never over an input.

use std::path::PathBuf;

use super::{Files, OutFile};
use crate::error::Error;
use crate::export::{OutputFiles, OutputPath, source_among};

/// The target of a set of files.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The folder; created if missing.
    pub folder: &'a OutputPath,
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
        let path_of = |name: &String| place.folder.join(name);
        self.must_not_exist.iter().try_for_each(|name| path_of(name).check_writable(false))?;
        // Next to the input, its images already exist.
        let exists = |picture: &&OutFile| picture.bytes().is_some_and(|png| path_of(&picture.name).holds(png));
        let pictures = self.pictures.iter().filter(|picture| !exists(picture));
        let outputs: Vec<_> = pictures.chain(&self.files).map(|file| (path_of(&file.name), file)).collect();
        let checks = outputs.iter().map(|(path, _)| (path, path.check_writable(place.force)));
        let mut taken = checks.filter_map(|(path, check)| Some((path.to_path_buf(), check.err()?)));
        if let Some((first, error)) = taken.next() {
            return Err(WriteError::Exists { first, count: 1 + taken.count(), error });
        }
        if let Some(path) = source_among(outputs.iter().map(|(path, _)| path), place.sources) {
            return Err(WriteError::IsSource(path.to_owned()));
        }
        let out = OutputFiles::default();
        for (path, file) in outputs {
            out.write(&path, place.force, |out| file.write_to(out))?;
        }
        let mut paths = out.finish()?;
        paths.reverse();
        Ok(paths)
    }
}
