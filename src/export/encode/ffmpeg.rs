//! ffmpeg, as found on the PATH: its arguments, its input, and what it says if it fails.

use std::ffi::OsString;
use std::io::{self, Read};
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::export::files::Process;

/// How ffmpeg is installed.
const INSTALL: &str = if cfg!(target_os = "macos") {
    "brew install ffmpeg"
} else if cfg!(windows) {
    "winget install ffmpeg"
} else {
    "sudo apt install ffmpeg, or the package of your system"
};

/// The most bytes, from the end, and lines of its messages that are kept.
const MAX_BYTES: usize = 4096;
const MAX_LINES: usize = 6;

/// How long, and how often, it is waited for its last messages after its end: a program that it has left behind may keep them
/// open.
const LAST_MESSAGES: (u32, Duration) = (40, Duration::from_millis(5));

/// A running ffmpeg, which is ended on drop.
pub(super) struct Ffmpeg {
    process: Process,
    messages: Option<JoinHandle<String>>,
}

impl Ffmpeg {
    /// Starts ffmpeg; it reads from `pipe:0`.
    pub fn start(arguments: &[OsString]) -> io::Result<Self> {
        let started = Process::start(Command::new("ffmpeg").args(arguments));
        let (process, messages) = started.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let message = format!("this format needs ffmpeg, which is not on the PATH; install it: {INSTALL}");
                io::Error::new(io::ErrorKind::NotFound, message)
            }
            kind => io::Error::new(kind, format!("ffmpeg cannot be started: {error}")),
        })?;
        // Read all the time: ffmpeg would wait if nobody did.
        let messages = thread::Builder::new().spawn(move || tail(messages))?;
        Ok(Self { process, messages: Some(messages) })
    }

    /// Writes to its input.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.process.write(bytes)
    }

    /// Ends its input and waits for it. Fails with its last messages.
    pub fn finish(mut self) -> io::Result<()> {
        self.process.close_input();
        let status = self.process.wait()?;
        if status.success() {
            return Ok(());
        }
        let is_open = || self.messages.as_ref().is_some_and(|messages| !messages.is_finished());
        (0..LAST_MESSAGES.0).take_while(|_| is_open()).for_each(|_| thread::sleep(LAST_MESSAGES.1));
        let ended = self.messages.take_if(|messages| messages.is_finished());
        let messages = ended.and_then(|messages| messages.join().ok()).unwrap_or_default();
        Err(io::Error::other(failure(&messages, &status.to_string())))
    }
}

/// Reads to the end and returns the last bytes as text.
fn tail(mut from: impl Read) -> String {
    let (mut end, mut read) = (Vec::new(), [0; 1024]);
    while let Ok(count @ 1..) = from.read(&mut read) {
        end.extend_from_slice(&read[..count]);
        end.drain(..end.len().saturating_sub(MAX_BYTES));
    }
    String::from_utf8_lossy(&end).into_owned()
}

/// Explains why ffmpeg failed.
fn failure(messages: &str, status: &str) -> String {
    if let Some((_, after)) = messages.split_once("Unknown encoder '")
        && let Some((name, _)) = after.split_once('\'')
    {
        return format!("this ffmpeg has no encoder `{name}`; install a complete one: {INSTALL}");
    }
    let lines: Vec<&str> = messages.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(MAX_LINES)..].join("; ");
    if last.is_empty() { format!("ffmpeg failed ({status})") } else { format!("ffmpeg failed ({status}): {last}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_explain_a_failure() {
        assert_eq!(failure("", "exit status: 1"), "ffmpeg failed (exit status: 1)");
        let many: String = (0..9).map(|line| format!("line {line}\n\n")).collect();
        let text = failure(&many, "exit status: 1");
        assert!(text.contains("): line 3; ") && text.ends_with("; line 8") && !text.contains("line 2"), "{text}");
        let text = failure("[vost#0:0] Unknown encoder 'libx264'\nError", "exit status: 8");
        assert!(text.starts_with("this ffmpeg has no encoder `libx264`; install"), "{text}");
    }

    #[test]
    fn only_the_end_of_the_messages_is_kept() {
        let text = [vec![b'a'; 100_000], vec![b'b'; 10]].concat();
        let kept = tail(&text[..]);
        assert!(kept.len() == MAX_BYTES && kept.ends_with("abbbbbbbbbb"), "{}", kept.len());
    }
}
