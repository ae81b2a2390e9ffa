//! Where one file goes: a path, or stdout.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::stdio::{is_stdio, print_bytes};
use crate::error::Error;
use crate::export::{OutputFile, check_free};

/// Where the output of a command goes. What is wrong with it is known before anything is read.
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
        refuse_input(path, input)?;
        if !force {
            check_free(path).map_err(Failure::Output)?;
        }
        Ok(Self::File { path: path.to_owned(), force })
    }

    /// Writes all of it, or nothing.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Stdout => print_bytes(bytes),
            Self::File { path, force } => {
                let mut file = OutputFile::create(path, *force).map_err(Failure::Output)?;
                file.write_all(bytes).map_err(|error| Failure::Output(Error::io(path.display(), error)))?;
                file.finish().map_err(Failure::Output)
            }
        }
    }
}

/// Refuses to write over what is being read, `--force` or not.
pub fn refuse_input(output: &Path, input: &Path) -> Result<(), Failure> {
    match (output.canonicalize(), input.canonicalize()) {
        (Ok(output), Ok(input)) if output == input => {
            Err(Failure::usage(format!("`{}` is the input itself", output.display())))
        }
        _ => Ok(()),
    }
}
