//! Inputs of the commands, files or standard input: read, checked, and told about.

use std::io;
use std::path::Path;

use ::bytes::Bytes;

use super::failure::Failure;
use super::stdio::{STDIN, is_stdio, shown_name, tell_warnings};
use super::view::ReadArgs;
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place};
use crate::formats::pchr::{self, Bind, Document};
use crate::formats::{self, Folder, Input, NoSidecars, ReadOptions, Sidecars};
use crate::limits::{Budget, Limits};

/// A document without errors.
pub struct Loaded {
    pub document: Document,
    pub bind: Bind,
}

/// Reads the character in a file or standard input.
pub fn load_character(
    file: &Path,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character, Error> {
    if !is_stdio(file) {
        return formats::open(file, options, diagnostics);
    }
    formats::from_reader(io::stdin().lock(), 0, options, diagnostics).map_err(|error| error.in_file(STDIN))
}

/// Reads the document in a file or standard input, and checks all of it. What is odd about it is told on stderr.
pub fn load(file: &Path, options: &ReadOptions, quiet: bool) -> Result<Loaded, Failure> {
    let mut diagnostics = Diagnostics::default();
    let loaded = read(file, options, &mut diagnostics);
    let loaded = loaded.map_err(|error| Failure::reading(error.in_file(shown_name(file))))?;
    if !quiet {
        tell_warnings(&diagnostics, file);
    }
    Ok(loaded)
}

fn read(file: &Path, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Loaded, Error> {
    let (bytes, sidecars) = (bytes_of(file, &options.limits)?, sidecars_of(file));
    if let Some(kind) = formats::spine::kind(&bytes) {
        let message = format!("this is a {kind}; what is packed and unpacked is called PCHR");
        return Err(Error::unsupported("unknown-format", Place::default(), message));
    }
    let mut budget = Budget::new(&options.limits);
    let document = pchr::read_document(&Input { bytes, sidecars: &*sidecars }, &mut budget, diagnostics)?;
    let bind = pchr::verify(&document, options, &mut budget, diagnostics)?;
    Ok(Loaded { document, bind })
}

/// The bytes of a file or of standard input.
pub fn bytes_of(file: &Path, limits: &Limits) -> Result<Bytes, Error> {
    if is_stdio(file) { formats::load_from(io::stdin().lock(), 0, limits) } else { formats::load(file, limits) }
}

/// Where the pictures of a file are; those of standard input are nowhere.
pub fn sidecars_of(file: &Path) -> Box<dyn Sidecars> {
    if is_stdio(file) { Box::new(NoSidecars) } else { Box::new(Folder::of(file)) }
}

/// Refuses options that mirror, for a `command` that keeps every number as it is.
pub fn refuse_mirroring(read: &ReadArgs, command: &str) -> Result<(), Failure> {
    if read.flip_v || read.y_down {
        let message = format!("{command} keeps every number as it is");
        return Err(Failure::usage_with_help(message, "pchr convert takes --flip-v and --y-down"));
    }
    Ok(())
}
