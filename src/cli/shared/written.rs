//! Writes a set of files to a folder: all of them or none, and never over an input.

use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::target::reject_sources;
use crate::convert::{Files, OutFile};
use crate::export::OutputFolder;

/// The target of a set of files.
pub struct Place<'a> {
    pub folder: &'a Path,
    /// Overwrite files that exist.
    pub force: bool,
    /// Files that were read; they are never overwritten.
    pub sources: &'a [PathBuf],
}

/// Writes the images, then the files that refer to them.
pub fn write_files(files: &Files, place: &Place<'_>) -> Result<(), Failure> {
    let mut out = OutputFolder::create(place.folder, place.force).map_err(Failure::Output)?;
    out.check_not_existing(files.must_not_exist.iter().map(String::as_str)).map_err(Failure::Output)?;
    // Next to the input, its images already exist.
    let exists = |picture: &&OutFile| picture.bytes().is_some_and(|png| out.holds(&picture.name, png));
    let pictures = files.pictures.iter().filter(|picture| !exists(picture));
    let outputs: Vec<_> = pictures.chain(&files.files).collect();
    out.check_writable(outputs.iter().map(|file| file.name.as_str())).map_err(Failure::Output)?;
    let paths: Vec<PathBuf> = outputs.iter().map(|file| place.folder.join(&file.name)).collect();
    reject_sources(&paths, place.sources)?;
    for file in outputs {
        out.write(&file.name, |out| file.write_to(out)).map_err(Failure::Output)?;
    }
    out.finish().map_err(Failure::Output)
}
