//! Where the bytes of files come from. The only place in `formats` that touches the file system.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use ::bytes::Bytes;

use crate::error::{Error, Result};
use crate::limits::{Budget, Limits};

/// The file at `path`, not read yet, and how long it says it is.
pub fn open_file(path: &Path) -> Result<(File, u64)> {
    let io = |error| Error::io(path.display(), error);
    let file = File::open(path).map_err(io)?;
    let metadata = file.metadata().map_err(io)?;
    if metadata.is_dir() {
        return Err(io(std::io::Error::new(std::io::ErrorKind::IsADirectory, "this is a folder, not a file")));
    }
    Ok((file, metadata.len()))
}

/// Everything that `input` gives, `expected` bytes or so; a pipe or a device says 0 and gives more.
pub fn read_limited(input: impl Read, expected: u64, limits: &Limits) -> Result<Bytes> {
    let budget = Budget::new(limits);
    budget.check_file(expected)?;
    let mut bytes = Vec::new();
    let io = |source| Error::Io { place: Box::default(), source };
    bytes.try_reserve_exact(expected as usize).map_err(|error| io(std::io::Error::other(error)))?;
    input.take(limits.file_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
    budget.check_file(bytes.len() as u64)?;
    Ok(bytes.into())
}
