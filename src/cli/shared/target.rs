//! Where files go: known before anything is read, and never in the place of what is read.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::stdio::{is_stdio, print_bytes};
use crate::error::Error;
use crate::export::{OutputFile, check_free, source_among};

/// Where the output of a command goes.
pub enum Target {
    /// `-`
    Stdout,
    /// A file.
    File { path: PathBuf, force: bool },
}

impl Target {
    /// For bytes that are no text: as [`Self::text`], and refuses a terminal.
    pub fn binary(path: &Path, input: &Path, force: bool) -> Result<Self, Failure> {
        if is_stdio(path) && io::stdout().is_terminal() {
            let message = "a binary file is not for a terminal";
            return Err(Failure::usage_with_help(message, "-o - | another program, or -o FILE"));
        }
        Self::text(path, input, force)
    }

    /// For text. Refuses the input itself, and a file that is there already.
    pub fn text(path: &Path, input: &Path, force: bool) -> Result<Self, Failure> {
        if is_stdio(path) {
            return Ok(Self::Stdout);
        }
        refuse_sources([path], &[input.to_owned()])?;
        if !force {
            check_free(path).map_err(Failure::Output)?;
        }
        Ok(Self::File { path: path.to_owned(), force })
    }

    /// Writes all of it, or nothing; not over one of `sources`, which were read.
    pub fn write(&self, bytes: &[u8], sources: &[PathBuf]) -> Result<(), Failure> {
        if let Self::File { path, .. } = self {
            refuse_sources([path], sources)?;
        }
        self.put(bytes)
    }

    /// Writes all of it, or nothing.
    pub fn put(&self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Stdout => print_bytes(bytes),
            Self::File { path, force } => {
                let mut file = OutputFile::create(path, *force).map_err(Failure::Output)?;
                let written = file.write_all(bytes);
                written.map_err(|error| Failure::Output(Error::io(path.display(), error)))?;
                file.finish().map_err(Failure::Output)
            }
        }
    }
}

/// Refuses to write over what the characters are read from.
pub fn refuse_sources<'a>(
    paths: impl IntoIterator<Item = &'a (impl AsRef<Path> + ?Sized + 'a)>,
    sources: &[PathBuf],
) -> Result<(), Failure> {
    match source_among(paths, sources) {
        Some(path) => {
            let message = format!("`{}` is read by this command, and not written over", path.display());
            Err(Failure::usage(message))
        }
        None => Ok(()),
    }
}

/// Whether two outputs are in the same place, also when nothing is there yet.
pub fn is_same_place(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().or_else(|_| std::path::absolute(folder));
        folder.unwrap_or_default().join(path.file_name().unwrap_or_default())
    };
    place(a) == place(b)
}
