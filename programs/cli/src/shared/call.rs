//! A command that runs as part of another one, on a thread of its own: its limits, what it prints, and its notes.
#![cfg_attr(not(feature = "mcp"), allow(dead_code, reason = "only the server runs commands in this way"))]

use std::cell::RefCell;
use std::io::{self, Write};
use std::mem;

use pchr::limits::Limits;

thread_local! {
    /// The command of this thread, if it is part of another one.
    static CALL: RefCell<Option<Call>> = const { RefCell::new(None) };
}

struct Call {
    limits: Limits,
    printed: Printed,
    notes: Vec<String>,
}

/// Printed text of limited length.
#[derive(Default)]
struct Printed(Vec<u8>);

/// Does `work` within `limits`, and returns what it prints to stdout, and its notes.
pub fn captured<T>(limits: Limits, work: impl FnOnce() -> T) -> (T, String, Vec<String>) {
    CALL.set(Some(Call { limits, printed: Printed::default(), notes: Vec::new() }));
    let done = work();
    let (text, notes) = CALL.take().map(|call| (call.printed.0, call.notes)).unwrap_or_default();
    (done, String::from_utf8_lossy(&text).into_owned(), notes)
}

/// Returns the limits of the command.
pub fn limits() -> Limits {
    CALL.with_borrow(|call| call.as_ref().map(|call| call.limits.clone())).unwrap_or_default()
}

/// Returns true once the command was cancelled.
pub fn is_cancelled() -> bool {
    CALL.with_borrow(|call| call.as_ref().is_some_and(|call| call.limits.check_cancelled().is_err()))
}

/// Adds a note to the answer, once, if the command is part of another one.
pub fn note(message: String) {
    CALL.with_borrow_mut(|call| match call {
        Some(Call { notes, .. }) if !notes.contains(&message) => notes.push(message),
        Some(_) | None => {}
    });
}

/// Calls `write` with stdout, or with what [`captured`] collects.
pub fn with_stdout<T>(write: impl FnOnce(&mut dyn Write) -> T) -> T {
    let printed = CALL.with_borrow_mut(|call| call.as_mut().map(|call| mem::take(&mut call.printed)));
    let Some(mut printed) = printed else { return write(&mut io::stdout().lock()) };
    let written = write(&mut printed);
    CALL.with_borrow_mut(|call| call.iter_mut().for_each(|call| call.printed = mem::take(&mut printed)));
    written
}

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        /// Larger documents would only fill the memory of the client.
        const MAX_BYTES: usize = 16 << 20;
        limits().check_cancelled().map_err(io::Error::other)?;
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
