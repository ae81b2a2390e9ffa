//! Ctrl+C, and being asked to end by the system: any command ends within a moment and leaves nothing half-written.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;

use super::failure::Failure;
use crate::export::abandon_all;

/// Somebody asked the program to end.
static ASKED: AtomicBool = AtomicBool::new(false);
/// The command looks at [`ASKED`] and may end by itself.
static IS_LOOKED_AT: AtomicBool = AtomicBool::new(false);
/// What is shown while pictures are written.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// How long a command that looks at the flag may take to end by itself: most pictures take less.
const GRACE: Duration = Duration::from_millis(40);
/// How long removing what is half-written may take: forever only where a file system does not answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the terminal may take for a line.
const BLINK: Duration = Duration::from_millis(20);

/// From now on the program ends with `exit` when the user presses Ctrl+C or the system asks it to, whatever it is
/// doing.
pub fn watch(exit: fn() -> !) {
    // Without a handler Ctrl+C still ends the program, only less tidily.
    let _ = ctrlc::set_handler(move || end(exit));
}

/// Ends the process.
pub fn exit() -> ! {
    process::exit(Failure::INTERRUPTED.into())
}

/// Ends the process without the exit handlers of graphics drivers: they take away what other threads are drawing with,
/// which then crash. Another program in the place of this one is the only safe way that the standard library has.
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

/// Set when the program is asked to end. A command that looks at it gets a moment to end by itself.
pub fn flag() -> &'static AtomicBool {
    IS_LOOKED_AT.store(true, Ordering::SeqCst);
    &ASKED
}

/// Takes `bar` off the terminal when the program ends early.
pub fn show(bar: &ProgressBar) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
}

/// Whether somebody asked the program to end.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// The result of a command. Why it ended does not matter once it was asked to.
pub fn or_interrupted(result: Result<(), Failure>) -> Result<(), Failure> {
    match result {
        Err(_) if is_asked() => Err(Failure::Interrupted),
        result => result,
    }
}

/// Runs on a thread of its own, so that it does not matter what the others are waiting for.
fn end(exit: fn() -> !) {
    ASKED.store(true, Ordering::SeqCst);
    if IS_LOOKED_AT.load(Ordering::SeqCst) {
        // Where the command ends by itself, this ends with it.
        thread::sleep(GRACE);
    }
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        abandon_all();
        let _ = tell.send(());
        if let Some(bar) = &*BAR.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.finish_and_clear();
        }
        let _ = tell.send(());
    });
    if told.recv_timeout(PATIENCE).is_ok() {
        let _ = told.recv_timeout(BLINK);
    }
    exit();
}
