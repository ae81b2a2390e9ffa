//! Reads and checks the inputs of the commands, files or standard input.

use std::io;
use std::path::{Path, PathBuf};

use ::bytes::Bytes;

use super::failure::Failure;
use super::keep_going::KeepGoingArgs;
use super::read_args::ReadArgs;
use super::stdio::{is_stdio, shown_name};
use super::warnings::name_files;
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::formats::{self, Input, PageAlpha, ReadOptions, RecordedSidecars};
use pchr::limits::Limits;
use pchr::{Character, Error};

/// Gives access to the sidecar files of `file` and records which are read. Standard input has none.
pub fn recorded_sidecars(file: &Path, options: &ReadOptions) -> RecordedSidecars {
    if is_stdio(file) { RecordedSidecars::none() } else { RecordedSidecars::of(file).listed_in(&options.listings) }
}

/// Returns every file that was read; none of them may be overwritten.
pub fn sources(file: &Path, sidecars: &RecordedSidecars, options: &ReadOptions) -> Vec<PathBuf> {
    let mut files = sidecars.files(file, options);
    if !is_stdio(file) {
        files.push(file.to_owned());
    }
    files
}

/// Reads the character in a file or standard input. Also returns the files that it was read from.
pub fn load_character(
    file: &Path,
    options: &ReadOptions,
    errors: KeepGoingArgs,
    diagnostics: &mut Diagnostics,
) -> Result<(Character, Vec<PathBuf>), Failure> {
    let mut files = Vec::new();
    let character = load_with_sources(file, options, errors, diagnostics, &mut files)?;
    Ok((character, files))
}

/// Like [`load_character`], but also reports the files on failure: one of them may be the cause.
pub fn load_with_sources(
    file: &Path,
    options: &ReadOptions,
    errors: KeepGoingArgs,
    diagnostics: &mut Diagnostics,
    files: &mut Vec<PathBuf>,
) -> Result<Character, Failure> {
    let sidecars = recorded_sidecars(file, options);
    let loaded = load_with_bytes(file, options, errors, diagnostics, &sidecars);
    *files = sources(file, &sidecars, options);
    Ok(loaded?.0)
}

/// Like [`load_character`], with `sidecars`. Returns the contents of the file, too.
pub fn load_with_bytes(
    file: &Path,
    options: &ReadOptions,
    errors: KeepGoingArgs,
    diagnostics: &mut Diagnostics,
    sidecars: &RecordedSidecars,
) -> Result<(Character, Bytes), Failure> {
    let loaded = bytes_of(file, &options.limits).and_then(|bytes| {
        let input = Input { bytes: bytes.clone(), sidecars: sidecars.access() };
        Ok((formats::from_input(&input, &keeping_going(options), diagnostics)?, bytes))
    });
    let loaded = loaded.map_err(|error| Failure::reading(error.in_file(shown_name(file))))?;
    name_files(diagnostics, file, &sources(file, sidecars, options));
    accept(diagnostics, errors)?;
    Ok(loaded)
}

/// With these options, a file is opened whose errors [`accept`] judges.
pub fn keeping_going(options: &ReadOptions) -> ReadOptions {
    ReadOptions { keep_going: true, ..options.clone() }
}

/// Fails if parts of animations with errors were left out of a character, unless that is wanted.
pub fn accept(diagnostics: &Diagnostics, errors: KeepGoingArgs) -> Result<(), Failure> {
    match diagnostics.with_severity(Severity::Error).next() {
        Some(first) if !errors.keep_going => {
            let error = Error::Malformed(Box::new(first.clone()));
            Err(Failure::Avoidable { error, others: diagnostics.errors().saturating_sub(1) })
        }
        Some(_) | None => Ok(()),
    }
}

/// Reads the bytes of a file or of standard input.
pub fn bytes_of(file: &Path, limits: &Limits) -> Result<Bytes, Error> {
    if is_stdio(file) { formats::load_from(io::stdin().lock(), 0, limits) } else { formats::load(file, limits) }
}

/// Rejects options that mirror or change colours, for a `command` that preserves every number and pixel.
pub fn reject_changes(read: &ReadArgs, command: &str) -> Result<(), Failure> {
    if read.page_alpha == PageAlpha::Premultiplied {
        let message = format!("{command} does not change pixels, and PCHR images have straight alpha");
        return Err(Failure::usage_with_help(message, "use --page-alpha with `pchr convert`"));
    }
    if read.flip_v || read.y_down {
        let message = format!("{command} does not change coordinates");
        return Err(Failure::usage_with_help(message, "use --flip-v and --y-down with `pchr convert`"));
    }
    Ok(())
}
