//! Runs decoders of other crates and turns their panics into errors.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use crate::error::{Error, Place, Result};

thread_local! {
    static IS_DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Makes the panic hook of the process silent about panics of decoders, which are reported as errors of the image. The
/// library does not call this itself.
pub fn silence_decoders() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !is_decoding() {
                usual(panic);
            }
        }));
    });
}

/// Returns true while this thread runs a decoder whose panics are caught.
fn is_decoding() -> bool {
    IS_DECODING.get()
}

/// Runs `decode` and turns a panic into an error with `code`.
pub fn guarded<T>(
    code: &'static str,
    place: impl FnOnce() -> Place,
    decode: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let was_decoding = IS_DECODING.replace(true);
    // State that a decoder leaves inconsistent is dropped with it.
    let outcome = catch_unwind(AssertUnwindSafe(decode));
    IS_DECODING.set(was_decoding);
    outcome.unwrap_or_else(|panic| {
        let message = format!("the image cannot be decoded: the decoder panicked: {}", message_of(&*panic));
        Err(Error::malformed(code, place(), message))
    })
}

/// Fails if the decoded pixels cannot be allocated; otherwise a failed allocation would abort the process.
pub fn check_room(width: u32, height: u32, place: impl FnOnce() -> Place) -> Result<()> {
    let bytes = u128::from(width) * u128::from(height) * 4;
    let reserved = match usize::try_from(bytes) {
        // Freed immediately: the decoder allocates them itself.
        Ok(bytes) => Vec::<u8>::new().try_reserve_exact(bytes).map_err(std::io::Error::from),
        Err(_) => Err(std::io::ErrorKind::OutOfMemory.into()),
    };
    reserved.map_err(|source| Error::Io { place: Box::new(place()), source })
}

fn message_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_of_the_image() {
        silence_decoders();
        let failed = guarded("bad-png", || Place::file("a.png"), || -> Result<()> { panic!("index {}", 3) });
        let error = failed.unwrap_err();
        assert_eq!(error.code(), "bad-png");
        assert_eq!(error.to_string(), "a.png: the image cannot be decoded: the decoder panicked: index 3");
        assert!(!is_decoding(), "the flag is reset");
        assert!(guarded("bad-png", Place::default, || Ok(is_decoding())).unwrap());
    }
}
