//! The output file of a command, or stdout. It is never one of the inputs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::stdio::{is_stdio, print_with};
use crate::Error;
use crate::export::{OutputFile, OutputPath, source_among};

/// The output target of a command.
pub enum Target<'a> {
    /// `-`
    Stdout,
    /// A file.
    File { path: &'a OutputPath, force: bool },
}

impl<'a> Target<'a> {
    pub fn new(path: &'a OutputPath, force: bool) -> Self {
        if is_stdio(path) { Self::Stdout } else { Self::File { path, force } }
    }

    /// Writes all of it or nothing. Never overwrites one of `sources`, the files that were read.
    pub fn write(
        &self,
        sources: &[PathBuf],
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match self {
            Self::Stdout => print_with(write),
            Self::File { path, force } => {
                reject_sources([path], sources)?;
                let mut file = OutputFile::create(path, *force).map_err(Failure::Output)?;
                write(&mut file).map_err(|error| Failure::Output(Error::io(path.display(), error)))?;
                file.finish().map_err(Failure::Output)
            }
        }
    }
}

/// Rejects overwriting files that the characters are read from.
pub fn reject_sources<'a>(
    paths: impl IntoIterator<Item = &'a (impl AsRef<Path> + ?Sized + 'a)>,
    sources: &[PathBuf],
) -> Result<(), Failure> {
    source_among(paths, sources).map_or(Ok(()), |path| Err(is_source(path)))
}

/// The failure of an output that is an input.
pub fn is_source(path: &Path) -> Failure {
    Failure::usage(format!("`{}` is an input file and cannot be overwritten", path.display()))
}

/// Returns a text that is equal for two output paths that name the same file, on file systems that ignore case too. The
/// file need not exist yet.
pub fn place(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().or_else(|_| std::path::absolute(folder)).unwrap_or_default();
    folder.join(path.file_name().unwrap_or_default()).to_string_lossy().to_lowercase()
}
