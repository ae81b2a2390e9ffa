//! Bytes that wait until the header before them is known; many of them in a temporary file.

use std::io::{self, BufReader, BufWriter, Seek, Write};

use tempfile::SpooledTempFile;

/// Bytes that are kept in memory; without files, all of them.
const IN_MEMORY: usize = if cfg!(target_family = "wasm") { usize::MAX } else { 1 << 20 };

/// Waiting bytes.
pub struct Spool {
    bytes: BufWriter<SpooledTempFile>,
    /// The number of bytes.
    pub length: u64,
}

impl Default for Spool {
    fn default() -> Self {
        Self { bytes: BufWriter::new(tempfile::spooled_tempfile(IN_MEMORY)), length: 0 }
    }
}

impl Spool {
    /// Appends bytes.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        self.bytes.write_all(bytes)
    }

    /// Writes all of them.
    pub fn copy_to(self, mut out: impl Write) -> io::Result<()> {
        let mut bytes = self.bytes.into_inner().map_err(io::IntoInnerError::into_error)?;
        bytes.rewind()?;
        io::copy(&mut BufReader::new(bytes), &mut out).map(drop)
    }
}
