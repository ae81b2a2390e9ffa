//! Standard input and output: the path `-`, displayed file names, and output to stdout.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use super::failure::Failure;
use pchr::Error;
use pchr::error::escaped;

pub use super::call::with_stdout;

/// Displayed name of standard input.
pub const STDIN: &str = "stdin";

/// Returns true for `-`, which means standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns the displayed name of an input: the path as given.
pub fn shown_name(file: &Path) -> String {
    if is_stdio(file) { STDIN.to_owned() } else { file.display().to_string() }
}

/// Returns a path as given, with `/` on every system, so that the output does not depend on the machine.
pub fn portable(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

/// Returns the name of an input in JSON: the path as given, with `/`; `stdin` for standard input.
pub fn json_name(file: &Path) -> String {
    if is_stdio(file) { STDIN.to_owned() } else { portable(file) }
}

/// Rejects reading standard input more than once.
pub fn reject_repeated_stdin<'a>(files: impl IntoIterator<Item = &'a std::path::PathBuf>) -> Result<(), Failure> {
    match files.into_iter().filter(|file| is_stdio(file)).count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::usage("standard input can be read only once")),
    }
}

/// Prints text to stdout. A broken pipe is not an error.
pub fn print_stdout(text: &str) -> Result<(), Failure> {
    print_with(|stdout| stdout.write_all(without_commands(text).as_bytes()))
}

/// Makes text harmless for runners of continuous integration, which obey `##vso[…]` and `##[…]` in any line. Names and
/// excerpts of files may contain them. JSON text contains the other escape, see [`escape_controls`].
///
/// [`escape_controls`]: super::json_output::escape_controls
pub fn without_commands(text: &str) -> Cow<'_, str> {
    if text.contains("##") { text.replace("##", r"#\u{23}").into() } else { text.into() }
}

/// Returns a value of CSV. Control characters in names are escaped, as anywhere else.
pub fn csv(text: &str) -> String {
    let text = escaped(text).to_string();
    let text = without_commands(&text);
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into_owned() }
}

/// Prints to stdout what `write` writes. A broken pipe is not an error.
pub fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    is_read(with_stdout(|stdout| write(stdout).and_then(|()| stdout.flush()))).map(drop)
}

/// Returns false if writing to stdout failed because it has been closed, which is not an error.
pub fn is_read(written: io::Result<()>) -> Result<bool, Failure> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::Output(Error::io("stdout", error))),
    }
}

/// Unbuffered standard output. Buffered data would be written at exit, which could block forever if nobody reads
/// it.
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
