//! Files that the commands of `pchr` look into: read, checked, and told about.

use std::io;
use std::path::Path;

use super::failure::Failure;
use super::headless::{STDIN, is_stdin, report};
use crate::diagnostics::Diagnostics;
use crate::error::Error;
use crate::formats::pchr::{self, Bind, Document};
use crate::formats::{self, Folder, Input, NoSidecars, ReadOptions, Sidecars};
use crate::limits::Budget;

/// A document without errors.
pub struct Loaded {
    pub document: Document,
    pub bind: Bind,
}

/// Reads a file or standard input, and checks all of it. What is odd about it is told on stderr.
pub fn load(file: &Path, options: &ReadOptions, quiet: bool) -> Result<Loaded, Failure> {
    let mut diagnostics = Diagnostics::default();
    let name = if is_stdin(file) { STDIN.to_owned() } else { file.display().to_string() };
    let loaded = read(file, options, &mut diagnostics).map_err(|error| Failure::reading(error.in_file(name)))?;
    if !quiet {
        report(&diagnostics, file);
    }
    Ok(loaded)
}

fn read(file: &Path, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Loaded, Error> {
    let folder = Folder::of(file);
    let (bytes, sidecars): (_, &dyn Sidecars) = if is_stdin(file) {
        (formats::load_from(io::stdin().lock(), 0, &options.limits)?, &NoSidecars)
    } else {
        (formats::load(file, &options.limits)?, &folder)
    };
    let mut budget = Budget::new(&options.limits);
    let document = pchr::read_document(&Input { bytes, sidecars }, &mut budget, diagnostics)?;
    let bind = pchr::verify(&document, options, &mut budget, diagnostics)?;
    Ok(Loaded { document, bind })
}
