//! Text, lists, results and errors passed to and from C. Panics are caught here.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice, str};

use pchr::Error;

/// The result of a call.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PchrStatus {
    /// Success.
    Ok,
    /// A file is missing or cannot be read.
    Io,
    /// A file breaks a rule of its format.
    Malformed,
    /// A file may be valid, but pchr cannot read it.
    Unsupported,
    /// A file is too large, or would take too long.
    LimitExceeded,
    /// An argument is wrong: an unknown name, null, an index out of range.
    Misuse,
    /// A bug in pchr. Only free the animator.
    Panic,
}

/// UTF-8 text without a zero at the end.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PchrText {
    /// The first byte.
    pub data: *const u8,
    /// Number of bytes.
    pub len: usize,
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub status: PchrStatus,
    pub code: &'static str,
    pub message: String,
}

thread_local! {
    static LAST: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

impl Failure {
    pub fn misuse(code: &'static str, message: &str) -> Self {
        Self { status: PchrStatus::Misuse, code, message: message.to_owned() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::Io { .. } => PchrStatus::Io,
            Error::Malformed(_) => PchrStatus::Malformed,
            Error::LimitExceeded(_) => PchrStatus::LimitExceeded,
            Error::Misuse(_) => PchrStatus::Misuse,
            _ => PchrStatus::Unsupported,
        };
        Self { status, code: error.code(), message: error.to_string() }
    }
}

/// Runs a call, and keeps its error for [`pchr_last_error`].
pub(crate) fn guarded(call: impl FnOnce() -> Result<(), Failure>) -> PchrStatus {
    let panicked = |_| {
        let message = "pchr panicked, which is a bug; free the animator".to_owned();
        Err(Failure { status: PchrStatus::Panic, code: "panic", message })
    };
    let Err(failure) = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(panicked) else {
        return PchrStatus::Ok;
    };
    let status = failure.status;
    // The thread is ending: its storage may be gone.
    _ = LAST.try_with(|last| last.replace(Some(failure)));
    status
}

impl From<&str> for PchrText {
    fn from(text: &str) -> Self {
        Self { data: text.as_ptr(), len: text.len() }
    }
}

impl PchrText {
    /// Reads text from C, for as long as the call lasts.
    ///
    /// # Safety
    ///
    /// As for [`list`].
    pub(crate) unsafe fn read<'a>(self) -> Result<&'a str, Failure> {
        // SAFETY: the caller has the same contract.
        let bytes = unsafe { list(self.data, self.len)? };
        str::from_utf8(bytes).map_err(|_| Failure::misuse("bad-text", "the text is not UTF-8"))
    }
}

fn null() -> Failure {
    Failure::misuse("null", "a pointer is null")
}

/// Reads a list from C, for as long as the call lasts.
///
/// # Safety
///
/// `data` is null, or `len` is 0, or it points to `len` initialised values that nobody changes during the call.
pub(crate) unsafe fn list<'a, T>(data: *const T, len: usize) -> Result<&'a [T], Failure> {
    match len {
        0 => Ok(&[]),
        _ if data.is_null() => Err(null()),
        _ if len > isize::MAX as usize / size_of::<T>().max(1) => {
            Err(Failure::misuse("bad-length", "the length is larger than memory"))
        }
        // SAFETY: `data` is not null, and the size is at most `isize::MAX`. The rest is the contract of this function.
        _ => Ok(unsafe { slice::from_raw_parts(data, len) }),
    }
}

/// Borrows what C owns, for as long as the call lasts.
///
/// # Safety
///
/// `data` is null, or comes from [`crate::pchr_open`] and has not been freed, and no other call uses it.
pub(crate) unsafe fn owned<'a, T>(data: *mut T) -> Result<&'a mut T, Failure> {
    // SAFETY: the contract of this function.
    unsafe { data.as_mut() }.ok_or_else(null)
}

/// A place in C's memory for a result.
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// Checks for null.
    pub fn new(place: *mut T) -> Result<Self, Failure> {
        if place.is_null() { Err(null()) } else { Ok(Self(place)) }
    }

    /// Writes the result.
    ///
    /// # Safety
    ///
    /// The place belongs to C, is aligned, and has room for a value.
    pub unsafe fn put(self, value: T) {
        // SAFETY: it is not null, and the rest is the contract of this function.
        unsafe { ptr::write(self.0, value) };
    }
}

/// Returns the code and the message of the last call in this thread that failed, both empty if none has. They are valid
/// until another one fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_last_error(code: *mut PchrText, message: *mut PchrText) -> PchrStatus {
    guarded(|| {
        let outs = (Out::new(code)?, Out::new(message)?);
        let last = |last: &RefCell<Option<Failure>>| match &*last.borrow() {
            Some(failure) => [failure.code, &failure.message].map(PchrText::from),
            None => ["", ""].map(PchrText::from),
        };
        let [code, message] = LAST.try_with(last).unwrap_or([PchrText::from(""); 2]);
        // SAFETY: both places belong to C, by the contract of the header.
        unsafe {
            outs.0.put(code);
            outs.1.put(message);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last() -> (String, String) {
        let [mut code, mut message] = [PchrText::from(""); 2];
        // SAFETY: both are places for text, and the text is valid until the next error.
        unsafe {
            assert_eq!(pchr_last_error(&raw mut code, &raw mut message), PchrStatus::Ok);
            (code.read().unwrap().to_owned(), message.read().unwrap().to_owned())
        }
    }

    #[test]
    fn a_panic_stops_at_the_border() {
        assert_eq!(guarded(|| panic!("on purpose")), PchrStatus::Panic);
        assert_eq!(last().0, "panic");
        assert_eq!(guarded(|| Err(null())), PchrStatus::Misuse);
        assert_eq!(last(), ("null".to_owned(), "a pointer is null".to_owned()));
    }
}
