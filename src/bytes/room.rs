//! Allocations whose sizes follow from a file.

use std::io;

use crate::error::{Error, Result};

/// Returns an empty list with room for `count` items. A failed allocation is an error
/// instead of the end of the process.
pub fn room<T>(count: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| no_memory())?;
    Ok(list)
}

/// Returns `count` copies of `value`, or an error like [`room`].
#[cfg(feature = "aseprite")]
pub fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>> {
    // Freed immediately: `vec` gets zeros from the system without writing them.
    drop(room::<T>(count)?);
    Ok(vec![value; count])
}

/// The error of a failed allocation.
pub fn no_memory() -> Error {
    Error::Io { place: Box::default(), source: io::ErrorKind::OutOfMemory.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_allocation_is_an_error() {
        assert!(room::<u64>(usize::MAX / 8).is_err());
        #[cfg(feature = "aseprite")]
        assert!(filled(0_u64, usize::MAX / 8).is_err());
    }
}
