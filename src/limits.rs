//! How much a file may ask for, charged before anything is allocated.

use crate::error::{Error, Excess, Place, Result};

/// What a file may ask for. The defaults open anything sensible on a machine of today.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one input file.
    pub file_bytes: u64,
    /// Decoded pixels of all images of a character together.
    pub pixels: u64,
    /// Bytes of everything that a reader builds beside the file's own bytes and the pixels.
    pub memory_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 4 << 30, pixels: 1 << 28, memory_bytes: 4 << 30 }
    }
}

impl Limits {
    /// The names that [`Self::set`] takes.
    pub const NAMES: [&str; 3] = ["file-bytes", "pixels", "memory-bytes"];

    /// Sets a limit by its name. Returns false for a name not in [`Self::NAMES`].
    pub fn set(&mut self, name: &str, value: u64) -> bool {
        let limit = match name {
            "file-bytes" => &mut self.file_bytes,
            "pixels" => &mut self.pixels,
            "memory-bytes" => &mut self.memory_bytes,
            _ => return false,
        };
        *limit = value;
        true
    }
}

/// What one file has used of its [`Limits`].
#[derive(Debug)]
pub struct Budget<'a> {
    limits: &'a Limits,
    pixels: u64,
    memory_bytes: u64,
}

impl<'a> Budget<'a> {
    /// A fresh budget.
    pub fn new(limits: &'a Limits) -> Self {
        Self { limits, pixels: 0, memory_bytes: 0 }
    }

    /// Refuses a file that is larger than allowed.
    pub fn check_file(&self, bytes: u64) -> Result<()> {
        within("file-bytes", bytes, self.limits.file_bytes, Place::default)
    }

    /// Takes `width` × `height` pixels.
    pub fn charge_pixels(&mut self, width: u32, height: u32, place: impl FnOnce() -> Place) -> Result<()> {
        self.pixels = self.pixels.saturating_add(u64::from(width) * u64::from(height));
        within("pixels", self.pixels, self.limits.pixels, place)
    }

    /// Takes `count` values of `size` bytes.
    pub fn charge_memory(&mut self, count: u64, size: usize, place: impl FnOnce() -> Place) -> Result<()> {
        self.memory_bytes = self.memory_bytes.saturating_add(count.saturating_mul(size as u64));
        within("memory-bytes", self.memory_bytes, self.limits.memory_bytes, place)
    }
}

fn within(limit: &'static str, asked: u64, allowed: u64, place: impl FnOnce() -> Place) -> Result<()> {
    if asked <= allowed {
        return Ok(());
    }
    Err(Error::LimitExceeded(Box::new(Excess { place: place(), limit, asked, allowed })))
}
