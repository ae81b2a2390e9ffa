//! Texts that are written to memory, within a budget.

use std::io::{self, Write};

use ::bytes::Bytes;

use crate::bytes::Writer;
use crate::error::{Error, Place, Result};
use crate::limits::Budget;

/// Units of work for a byte of JSON written to memory, counted from its length.
const BYTE_WORK: u64 = 4;

/// A text that charges what is written.
struct Charged<'w, 'a, 'l> {
    writer: &'w mut Writer,
    budget: &'a mut Budget<'l>,
    /// The reason why writing failed, which an error of the operating system cannot express.
    failed: Option<Error>,
}

/// Returns the text that `write` writes, in parts that follow each other.
pub fn in_memory(
    budget: &mut Budget<'_>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Vec<Bytes>> {
    let mut writer = Writer::default();
    let mut out = io::BufWriter::new(Charged { writer: &mut writer, budget, failed: None });
    let written = write(&mut out).and_then(|()| out.flush());
    let (charged, _) = out.into_parts();
    match (charged.failed, written) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(Error::io("text", error)),
        (None, Ok(())) => writer.into_parts(),
    }
}

impl Write for Charged<'_, '_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = bytes.len() as u64;
        let place = || Place::inside("text");
        let charged = self.budget.charge_memory(len, 1, place);
        if let Err(error) = charged.and_then(|()| self.budget.charge_work(len, BYTE_WORK, place)) {
            self.failed = Some(error);
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
