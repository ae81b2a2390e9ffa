//! The error for a buffer that has no room for the data to be added.

use crate::gpu::error::{Cause, GpuError};

/// What does not fit. It becomes an error if nothing else can be done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BufferFull {
    pub what: &'static str,
    /// The bytes that would be needed.
    pub bytes: u64,
    pub limit: u64,
}

impl BufferFull {
    /// Checks that `count` items of a type fit in `limit` bytes.
    pub fn check<T>(what: &'static str, count: usize, limit: u64) -> Result<(), Self> {
        let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
        if bytes <= limit { Ok(()) } else { Err(Self { what, bytes, limit }) }
    }

    /// The error if a member does not even fit alone.
    pub fn alone(self) -> GpuError {
        Cause::BufferTooLarge { what: self.what.to_owned(), bytes: self.bytes, limit: self.limit }.into()
    }

    /// The error if it is full after the first `fitting` members of a crowd.
    pub fn after(self, fitting: usize) -> GpuError {
        match fitting {
            0 => self.alone(),
            members => Cause::CrowdTooLarge { what: self.what.to_owned(), limit: self.limit, members }.into(),
        }
    }
}
