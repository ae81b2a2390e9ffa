//! A program that this one runs and that ends with it: it is registered, so that it is also ended when this program
//! exits immediately.

use std::io::{self, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::registry::{forget_process, register_process};

/// How often the end of a program is checked.
const PAUSE: Duration = Duration::from_millis(5);

/// A running program. It is ended on drop.
#[derive(Debug)]
pub struct Process(Arc<Running>);

/// A registered program that is running.
#[derive(Debug)]
pub(super) struct Running {
    child: Mutex<Child>,
    /// Its input; `None` once that has ended. Locked while it is written to.
    input: Mutex<Option<ChildStdin>>,
}

impl Process {
    /// Starts a program without output. Returns its messages, too.
    pub fn start(command: &mut Command) -> io::Result<(Self, ChildStderr)> {
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        // Ctrl+C in a terminal goes to this program only, which ends the other.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // No console window.
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(command, 0x0800_0000);
        let mut messages = None;
        let process = Self(register_process(&mut || {
            let mut child = command.spawn()?;
            messages = child.stderr.take();
            let input = Mutex::new(child.stdin.take());
            Ok(Arc::new(Running { child: Mutex::new(child), input }))
        })?);
        let messages = messages.ok_or_else(|| io::Error::other("the program has no pipes"))?;
        Ok((process, messages))
    }

    /// Writes to its input.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        lock(&self.0.input).as_mut().map_or(Err(io::ErrorKind::BrokenPipe.into()), |input| input.write_all(bytes))
    }

    /// Ends its input.
    pub fn close_input(&self) {
        lock(&self.0.input).take();
    }

    /// Waits for the end of the program.
    pub fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            // Not locked while waiting, so that it can be ended.
            if let Some(status) = lock(&self.0.child).try_wait()? {
                return Ok(status);
            }
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        forget_process(&self.0);
        self.0.end();
    }
}

impl Running {
    /// Ends the program, and waits until it has ended and nobody writes to it. Does nothing if it has ended before.
    pub fn end(&self) {
        let mut child = lock(&self.child);
        let _ = child.kill();
        let _ = child.wait();
        // Nobody may write to the closed pipe later: while the process is replaced by another, that kills it.
        lock(&self.input).take();
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
