//! Files → a ZIP archive. JSON is deflated; pictures are stored, since they are compressed already.
//!
//! Lengths and checksums are in the local headers, where every reader finds them. Dates are constant, so that the
//! same character gives the same bytes.

use std::borrow::Cow;
use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use crate::bytes::Writer;
use crate::error::{Error, Place, Result};
#[cfg(feature = "convert")]
use crate::formats::skelform::container::Packed;

/// Version of the ZIP format needed to read the archive, times ten.
const VERSION: u16 = 20;
/// Compression methods.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// Flag for UTF-8 names.
const UTF8: u16 = 1 << 11;
/// 1 January 1980, the earliest date.
const NO_DATE: u16 = 1 << 5 | 1;

/// A file as stored in the archive.
pub struct Entry<'a> {
    name: &'a str,
    is_deflated: bool,
    checksum: u32,
    size: u64,
    packed: Cow<'a, [u8]>,
}

impl<'a> Entry<'a> {
    /// A new file.
    pub fn whole(name: &'a str, bytes: &'a [u8]) -> Result<Self> {
        let packed = packed(name, bytes)?;
        let is_deflated = matches!(packed, Cow::Owned(_));
        Ok(Self { name, is_deflated, checksum: rawzip::crc32(bytes), size: bytes.len() as u64, packed })
    }

    /// A file of another archive, as stored there.
    #[cfg(feature = "convert")]
    pub fn copied(name: &'a str, packed: &'a Packed) -> Self {
        let Packed { is_deflated, checksum, size, ref data } = *packed;
        Self { name, is_deflated, checksum, size, packed: Cow::Borrowed(data) }
    }
}

/// Returns the archive. Refuses more than 4 GiB or 65,535 files.
pub fn archive(files: &[Entry<'_>]) -> Result<Vec<u8>> {
    let (mut out, mut directory) = (Writer::default(), Writer::default());
    let mut at = 0_usize;
    out.reserve(files.iter().map(|file| file.packed.len()).sum());
    for Entry { name, is_deflated, checksum, size, packed } in files {
        let method = if *is_deflated { DEFLATED } else { STORED };
        let mut common = Writer::default();
        for field in [VERSION, UTF8, method, 0, NO_DATE] {
            common.u16(field);
        }
        common.u32(*checksum);
        common.count_u32(name, packed.len())?;
        common.count_u32(name, usize::try_from(*size).unwrap_or(usize::MAX))?;
        common.count_u16(name, name.len())?;
        common.u16(0);
        let common = common.into_bytes()?;
        out.bytes(b"PK\x03\x04");
        out.bytes(&common);
        out.bytes(name.as_bytes());
        out.bytes(packed);
        directory.bytes(b"PK\x01\x02");
        directory.u16(VERSION);
        directory.bytes(&common);
        // No comment, first volume, no attributes.
        for field in [0, 0, 0, 0, 0] {
            directory.u16(field);
        }
        directory.count_u32(name, at)?;
        directory.bytes(name.as_bytes());
        at += 4 + common.len() + name.len() + packed.len();
    }
    let directory = directory.into_bytes()?;
    let count = u16::try_from(files.len()).map_err(|_| {
        Error::unsupported(
            "too-many",
            Place::default(),
            format!("{} files do not fit into an archive", files.len()),
        )
    })?;
    out.bytes(&directory);
    out.bytes(b"PK\x05\x06");
    for field in [0, 0, count, count] {
        out.u16(field);
    }
    out.count_u32("directory", directory.len())?;
    out.count_u32("directory", at)?;
    out.u16(0);
    out.into_bytes()
}

/// Deflates JSON.
fn packed<'a>(name: &str, bytes: &'a [u8]) -> Result<Cow<'a, [u8]>> {
    if !name.ends_with(".json") {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.map(Cow::Owned).map_err(|error| Error::io(name, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_where_the_directory_says() {
        let bytes = archive(&[Entry::whole("a.txt", b"one").unwrap(), Entry::whole("b", b"").unwrap()]).unwrap();
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let end = bytes.len() - 22;
        assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
        let directory = number(end + 16);
        assert_eq!(directory + number(end + 12), end);
        assert_eq!(&bytes[directory..directory + 4], b"PK\x01\x02");
        let second = directory + 46 + 5;
        assert_eq!(&bytes[second..second + 4], b"PK\x01\x02");
        let header = number(second + 42);
        assert_eq!(&bytes[header..header + 4], b"PK\x03\x04");
        assert_eq!(&bytes[header + 30..header + 31], b"b");
        assert_eq!(&bytes[35..38], b"one");
    }
}
