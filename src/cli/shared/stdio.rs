//! Standard input and output: what `-` means, what files are called, what is printed, and what is told on stderr.

use std::io::{self, Write};
use std::path::Path;

use super::failure::{Failure, note, warn};
use crate::diagnostics::Diagnostics;
use crate::error::Error;

/// What standard input is called.
pub const STDIN: &str = "stdin";

/// Whether a path is `-`: standard input, or standard output.
pub fn is_stdio(path: &Path) -> bool {
    path == Path::new("-")
}

/// An input as people are told of it: as they named it.
pub fn shown_name(file: &Path) -> String {
    if is_stdio(file) { STDIN.to_owned() } else { file.display().to_string() }
}

/// A path as it was given, with `/` on every system: relative paths give the same answer on every machine.
pub fn portable(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

/// Refuses to read standard input more than once.
pub fn refuse_stdin_twice<'a>(files: impl IntoIterator<Item = &'a std::path::PathBuf>) -> Result<(), Failure> {
    match files.into_iter().filter(|file| is_stdio(file)).count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::usage("standard input can be read only once")),
    }
}

/// Prints text to stdout. A reader who has heard enough is no error.
pub fn print_stdout(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// Prints bytes to stdout. A reader who has heard enough is no error.
pub fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Output(Error::io("stdout", error)))
        }
        _ => Ok(()),
    }
}

/// Standard output of which nothing is kept in memory: what is would be written when the program ends, and could wait
/// forever for a reader who does not read.
pub struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut stdout = io::stdout().lock();
        let written = stdout.write(bytes)?;
        stdout.flush()?;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// Of one file no more warnings than this are told where something else was asked for.
const MAX_TOLD: usize = 100;

/// Tells the warnings about one file on stderr, and what was chosen where it does not say.
pub fn tell_warnings(diagnostics: &Diagnostics, file: &Path) {
    let file = shown_name(file);
    for choice in diagnostics.choices().take(MAX_TOLD) {
        let mut place = choice.place.clone();
        place.file.get_or_insert_with(|| file.clone());
        note(&format!("{place}{}", choice.message));
    }
    let all = diagnostics.warnings().count() + diagnostics.suppressed();
    for warning in diagnostics.warnings().take(MAX_TOLD) {
        let mut warning = warning.clone();
        warning.place.file.get_or_insert_with(|| file.clone());
        warn(&warning);
    }
    if all > MAX_TOLD {
        note(&format!("{file}: {} more warnings; `pchr validate` lists them", all - MAX_TOLD));
    }
}
