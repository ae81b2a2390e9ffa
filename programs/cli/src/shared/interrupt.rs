//! Ctrl+C and termination signals: every command ends promptly and leaves no partial files.

use std::fs;
#[cfg(feature = "mcp")]
use std::path::Path;
use std::path::PathBuf;
use std::process;
#[cfg(unix)]
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::failure::Failure;
use super::{call, progress};
use pchr::export::abandon_all;

/// Termination was requested.
static REQUESTED: AtomicBool = AtomicBool::new(false);
/// The command polls [`REQUESTED`] and may end by itself.
static IS_POLLED: AtomicBool = AtomicBool::new(false);
/// A folder of temporary files.
static TEMPORARY: OnceLock<PathBuf> = OnceLock::new();

/// Time for a command that polls the flag to end by itself. Most pictures take less.
const POLL_GRACE: Duration = Duration::from_millis(40);
/// Time limit for removing partial files, in case a file system does not respond.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(5);
/// Time limit for the terminal to take a line.
const TERMINAL_TIMEOUT: Duration = Duration::from_millis(20);

/// Installs the handler: on Ctrl+C or a termination signal the program cleans up and calls `exit`, whatever it is
/// doing.
pub fn watch(exit: fn() -> !) {
    // Without a handler, Ctrl+C still ends the program, but without cleaning up.
    let _ = ctrlc::set_handler(move || end(exit));
    // With any handler, writing beyond a limit on the size of files is an error, like a full disk. Without one, it
    // kills the process, which then leaves its temporary files behind.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Ends the process.
pub fn exit() -> ! {
    process::exit(Failure::INTERRUPTED.into())
}

/// Ends the process without running the exit handlers of graphics drivers: they free resources that other threads
/// are still using, which crashes. Replacing the process is the only safe way that the standard library offers.
pub fn exit_past_drivers() -> ! {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // Returns only if there is no shell.
        let end = format!("exit {}", Failure::INTERRUPTED);
        let _ = process::Command::new("/bin/sh").arg("-c").arg(end).env_clear().exec();
    }
    exit()
}

/// Returns the flag that is set on request. A command that polls it gets [`POLL_GRACE`] to end by itself.
pub fn flag() -> &'static AtomicBool {
    IS_POLLED.store(true, Ordering::SeqCst);
    &REQUESTED
}

/// Also removes `folder` on request. Only the first call has an effect.
#[cfg(feature = "mcp")]
pub fn remove_on_request(folder: &Path) {
    let _ = TEMPORARY.set(folder.to_owned());
}

/// Returns true if termination was requested, of the program or of the call that this thread runs.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::SeqCst) || call::is_cancelled()
}

/// Replaces any failure by [`Failure::Interrupted`] if termination was requested.
pub fn or_interrupted(result: Result<(), Failure>) -> Result<(), Failure> {
    match result {
        Err(_) if is_requested() => Err(Failure::Interrupted),
        result => result,
    }
}

/// Runs on its own thread, so that blocked threads do not delay it.
fn end(exit: fn() -> !) {
    REQUESTED.store(true, Ordering::SeqCst);
    if IS_POLLED.load(Ordering::SeqCst) {
        // If the command ends by itself, so does this thread.
        thread::sleep(POLL_GRACE);
    }
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        abandon_all();
        if let Some(folder) = TEMPORARY.get() {
            let _ = fs::remove_dir_all(folder);
        }
        let _ = sender.send(());
        progress::clear();
        let _ = sender.send(());
    });
    if receiver.recv_timeout(CLEANUP_TIMEOUT).is_ok() {
        let _ = receiver.recv_timeout(TERMINAL_TIMEOUT);
    }
    exit();
}
