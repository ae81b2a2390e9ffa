//! Standard input and output: the path `-`, displayed file names, and output to stdout.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use super::failure::Failure;
use crate::Error;

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

/// Prints to stdout what `write` writes. A broken pipe is not an error.
pub fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    match with_stdout(|stdout| write(stdout).and_then(|()| stdout.flush())) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Output(Error::io("stdout", error)))
        }
        _ => Ok(()),
    }
}

/// Calls `write` with stdout, or with what [`captured`] collects.
pub fn with_stdout<T>(write: impl FnOnce(&mut dyn Write) -> T) -> T {
    #[cfg(feature = "mcp")]
    if let Some(mut text) = CAPTURED.take() {
        let written = write(&mut text);
        CAPTURED.set(Some(text));
        return written;
    }
    write(&mut io::stdout().lock())
}

#[cfg(feature = "mcp")]
thread_local! {
    /// What is printed on this thread instead of on stdout.
    static CAPTURED: std::cell::RefCell<Option<Captured>> = const { std::cell::RefCell::new(None) };
}

/// Printed text of limited length.
#[cfg(feature = "mcp")]
#[derive(Default)]
struct Captured(Vec<u8>);

#[cfg(feature = "mcp")]
impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        /// Larger documents would only fill the memory of the client.
        const MAX_BYTES: usize = 16 << 20;
        if self.0.len() + bytes.len() > MAX_BYTES {
            return Err(io::Error::other("the answer is larger than 16 MiB; ask for less of it"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Does `work`, which is part of another command, and returns what it prints to stdout.
#[cfg(feature = "mcp")]
pub fn captured<T>(work: impl FnOnce() -> T) -> (T, String) {
    CAPTURED.set(Some(Captured::default()));
    let done = work();
    let text = CAPTURED.take().map(|captured| captured.0).unwrap_or_default();
    (done, String::from_utf8_lossy(&text).into_owned())
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
