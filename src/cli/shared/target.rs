//! Output targets: checked before anything is read, and never one of the inputs.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::stdio::{is_stdio, print_with};
use crate::error::Error;
use crate::export::{OutputFile, OutputPath, check_not_existing, source_among};

/// The output target of a command.
pub enum Target {
    /// `-`
    Stdout,
    /// A file.
    File { path: PathBuf, force: bool },
}

impl Target {
    /// A target for binary data: like [`Self::text`], but also rejects a terminal.
    pub fn binary(path: &Path, input: &Path, force: bool) -> Result<Self, Failure> {
        if is_stdio(path) && io::stdout().is_terminal() {
            let message = "refusing to write binary data to a terminal";
            return Err(Failure::usage_with_help(message, "-o - | another program, or -o FILE"));
        }
        Self::text(path, input, force)
    }

    /// A target for text. Rejects the input itself, and existing files without `force`.
    pub fn text(path: &Path, input: &Path, force: bool) -> Result<Self, Failure> {
        if is_stdio(path) {
            return Ok(Self::Stdout);
        }
        reject_sources([path], &[input.to_owned()])?;
        if !force {
            check_not_existing(path).map_err(Failure::Output)?;
        }
        Ok(Self::File { path: path.to_owned(), force })
    }

    /// Writes all of it or nothing. Never overwrites one of `sources`, the files that were read.
    pub fn write(&self, bytes: &[u8], sources: &[PathBuf]) -> Result<(), Failure> {
        self.write_with(sources, |out| out.write_all(bytes))
    }

    /// Like [`Self::write`], for contents that are not in memory.
    pub fn write_with(
        &self,
        sources: &[PathBuf],
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match self {
            Self::Stdout => print_with(write),
            Self::File { path, force } => {
                reject_sources([path], sources)?;
                let mut file = OutputFile::create(&OutputPath::named(path), *force).map_err(Failure::Output)?;
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
    match source_among(paths, sources) {
        Some(path) => {
            let message = format!("`{}` is an input file and cannot be overwritten", path.display());
            Err(Failure::usage(message))
        }
        None => Ok(()),
    }
}

/// Returns true if two output paths name the same file, which need not exist yet.
pub fn is_same_place(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().or_else(|_| std::path::absolute(folder));
        folder.unwrap_or_default().join(path.file_name().unwrap_or_default())
    };
    place(a) == place(b)
}
