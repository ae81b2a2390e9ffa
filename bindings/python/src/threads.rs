//! Threads that survive `fork`, and work that Ctrl+C ends.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::ThreadPool;

use crate::failure::Failure;

/// The pool of a process. A process that was forked, as those of `multiprocessing` may be, has the pool of its parent but
/// none of its threads, so it starts its own.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

fn pool() -> Result<Arc<ThreadPool>, Failure> {
    let process = std::process::id();
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, pool)) = &*pool
        && *owner == process
    {
        return Ok(Arc::clone(pool));
    }
    let started = rayon::ThreadPoolBuilder::new().thread_name(|index| format!("pchr-{index}")).build();
    let started = started.map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))?;
    let started = Arc::new(started);
    // Dropping the pool of a parent would wait for threads that do not exist.
    std::mem::forget(pool.replace((process, Arc::clone(&started))));
    Ok(started)
}

/// Does `work` on all cores, without the interpreter. Errors in `file` name it.
pub fn detached<T: Send>(
    py: Python<'_>,
    file: &Path,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    py.detach(|| pool()?.install(work)).map_err(|failure| failure.in_file(file.display()))
}

/// Like [`detached`], for work that takes long: a signal sets the flag, and is raised as usual.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    file: &Path,
    work: impl FnOnce(&AtomicBool) -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    /// How long a signal waits.
    const INTERVAL: Duration = Duration::from_millis(50);
    let is_cancelled = AtomicBool::new(false);
    py.detach(|| {
        let pool = pool()?;
        thread::scope(|scope| {
            let (working, done) = channel::<()>();
            let is_cancelled = &is_cancelled;
            let worker = scope.spawn(move || {
                // Ends the wait below, even by a panic.
                let _working = working;
                pool.install(|| work(is_cancelled))
            });
            let mut signal = Ok(());
            while let (Ok(()), Err(RecvTimeoutError::Timeout)) = (&signal, done.recv_timeout(INTERVAL)) {
                signal = Python::attach(|py| py.check_signals());
            }
            is_cancelled.store(signal.is_err(), Ordering::Relaxed);
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            signal?;
            result
        })
    })
    .map_err(|failure| failure.in_file(file.display()))
}
