//! A program that this one runs and that ends with it: it is registered, so that it is also ended when this program
//! exits immediately.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::unfinished;

/// How often the end of a program is checked.
const PAUSE: Duration = Duration::from_millis(5);

/// A running program. It is ended on drop.
#[derive(Debug)]
pub(super) struct Process(Arc<Mutex<Child>>);

impl Process {
    /// Starts a program without output. Returns what it reads and its messages.
    pub fn start(command: &mut Command) -> io::Result<(Self, ChildStdin, ChildStderr)> {
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        // Ctrl+C in a terminal goes to this program only, which ends the other.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // No console window.
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(command, 0x0800_0000);
        let mut pipes = None;
        let process = Self(unfinished::register_process(&mut || {
            let mut child = command.spawn()?;
            pipes = child.stdin.take().zip(child.stderr.take());
            Ok(Arc::new(Mutex::new(child)))
        })?);
        let (input, messages) = pipes.ok_or_else(|| io::Error::other("the program has no pipes"))?;
        Ok((process, input, messages))
    }

    /// Waits for the end of the program.
    pub fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            // Not locked while waiting, so that it can be ended.
            if let Some(status) = self.0.lock().unwrap_or_else(PoisonError::into_inner).try_wait()? {
                return Ok(status);
            }
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        unfinished::forget_process(&self.0);
        end(&self.0);
    }
}

/// Ends a program and waits until it has ended. Does nothing if it has ended before.
pub(super) fn end(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = child.kill();
    let _ = child.wait();
}
