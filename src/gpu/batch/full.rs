//! A buffer without room for what is to be added.

use crate::gpu::GpuError;

/// What does not fit. It becomes an error if nothing else can be done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Full {
    pub what: &'static str,
    /// The bytes that would be needed.
    pub bytes: u64,
    pub limit: u64,
}

impl Full {
    /// Checks that `count` items of a type fit in `limit` bytes.
    pub fn check<T>(what: &'static str, count: usize, limit: u64) -> Result<(), Self> {
        let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
        if bytes <= limit { Ok(()) } else { Err(Self { what, bytes, limit }) }
    }

    /// The error if the first `fitting` members of a crowd fit.
    pub fn after(self, fitting: usize) -> GpuError {
        let Self { what, bytes, limit } = self;
        match fitting {
            0 => GpuError::BufferTooLarge { what: what.to_owned(), bytes, limit },
            members => GpuError::CrowdTooLarge { what: what.to_owned(), limit, members },
        }
    }
}
