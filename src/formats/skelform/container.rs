//! ZIP archive → its entries, verified and within the limits.
//!
//! Refuses archives that are damaged, encrypted, or compressed with anything but deflate; entry names that lead
//! out of the archive; duplicate names; and entries whose data overlap.

use std::collections::HashMap;
use std::io::Read;

use ::bytes::Bytes;
use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipSliceArchive};

use crate::error::{Error, Place, Result, escaped};
use crate::limits::Budget;

/// Maximum compression ratio of deflate.
const MAX_RATIO: u64 = 1032;

/// An archive in memory.
pub struct Container {
    archive: ZipSliceArchive<Bytes>,
    entries: HashMap<Box<str>, Entry>,
}

struct Entry {
    wayfinder: rawzip::ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    /// Offset of its directory record.
    offset: u64,
}

/// An entry as stored in an archive.
#[cfg(feature = "convert")]
pub struct Packed {
    /// Otherwise stored uncompressed.
    pub is_deflated: bool,
    /// CRC-32 of the uncompressed data.
    pub checksum: u32,
    /// Uncompressed size in bytes.
    pub size: u64,
    pub data: Bytes,
}

impl Container {
    /// Lists the entries without unpacking them.
    pub fn open(bytes: &Bytes, budget: &mut Budget<'_>) -> Result<Self> {
        budget.check_file(bytes.len() as u64)?;
        let archive = ZipArchive::from_slice(bytes.clone()).map_err(|error| broken(Place::at("", 0), &error))?;
        let (mut entries, mut ranges) = (HashMap::new(), Vec::new());
        let directory = archive.directory_offset().min(bytes.len() as u64);
        let mut listed = archive.entries();
        while let Some(entry) = listed.next_entry().map_err(|error| broken(Place::at("", directory), &error))? {
            let offset = entry.central_directory_offset();
            budget.charge_records(1, || Place::at("", offset))?;
            budget.charge_memory(1, ENTRY_BYTES + entry.file_path().len(), || Place::at("", offset))?;
            let name = checked_name(&entry, offset)?;
            if entry.is_dir() {
                continue;
            }
            let place = || Place::at(name, offset);
            if entry.flags().is_encrypted() || entry.flags().has_strong_encryption() {
                let message = "this entry is encrypted; save the character without a password";
                return Err(Error::unsupported("packed-otherwise", place(), message));
            }
            let method = entry.compression_method();
            if ![CompressionMethod::STORE, CompressionMethod::DEFLATE].contains(&method) {
                let message = format!(
                    "this entry is compressed with {method}; only stored and deflated entries are supported"
                );
                return Err(Error::unsupported("packed-otherwise", place(), message));
            }
            let wayfinder = entry.wayfinder();
            let found = archive.get_entry(wayfinder).map_err(|error| broken(place(), &error))?;
            ranges.push((found.compressed_data_range(), offset));
            if entries.insert(name.into(), Entry { wayfinder, method, offset }).is_some() {
                let message = "there are two entries with this name, which is ambiguous";
                return Err(Error::malformed("duplicate-entry", place(), message));
            }
        }
        ranges.sort_unstable();
        if let Some([.., (_, offset)]) = ranges.array_windows().find(|[(first, _), (next, _)]| first.1 > next.0) {
            let message = "the data of two entries overlap; entries must not share bytes";
            return Err(Error::malformed("bad-zip", Place::at("", *offset), message));
        }
        Ok(Self { archive, entries })
    }

    /// Returns true if there is an entry called `name`.
    pub fn contains(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// Offset of the data of the entry `name` in the file; `None` if it is compressed.
    pub fn data_offset(&self, name: &str) -> Option<u64> {
        let entry = self.entries.get(name).filter(|entry| entry.method == CompressionMethod::STORE)?;
        Some(self.archive.get_entry(entry.wayfinder).ok()?.compressed_data_range().0)
    }

    /// The names of all entries, in the order of the directory.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<(u64, &str)> =
            self.entries.iter().map(|(name, entry)| (entry.offset, &**name)).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }

    /// Returns the entry `name` as stored, without verifying it.
    #[cfg(feature = "convert")]
    pub fn packed(&self, name: &str) -> Option<Packed> {
        let Entry { wayfinder, method, .. } = self.entries.get(name)?;
        let entry = self.archive.get_entry(*wayfinder).ok()?;
        let data = self.archive.get_ref().slice_ref(entry.data());
        Some(Packed {
            is_deflated: *method == CompressionMethod::DEFLATE,
            checksum: entry.claim_verifier().crc,
            size: entry.claim_verifier().uncompressed_size,
            data,
        })
    }

    /// Unpacks the entry `name`; `None` if there is no such entry.
    pub fn load(&self, name: &str, budget: &mut Budget<'_>) -> Result<Option<Bytes>> {
        let Some(Entry { wayfinder, method, offset }) = self.entries.get(name) else { return Ok(None) };
        let place = || Place::at(escaped(name), *offset);
        let entry = self.archive.get_entry(*wayfinder).map_err(|error| broken(place(), &error))?;
        let whole = self.archive.get_ref();
        let packed = whole.slice_ref(entry.data());
        let verifier = entry.claim_verifier();
        let data = if *method == CompressionMethod::STORE {
            packed
        } else {
            let size = wayfinder.uncompressed_size_hint();
            budget.check_file(size)?;
            if size > (packed.len() as u64).saturating_mul(MAX_RATIO) {
                let message = format!("{} bytes cannot unpack to {size}", packed.len());
                return Err(Error::malformed("bad-zip", place(), message));
            }
            budget.charge_memory(size, 1, place)?;
            let mut data = Vec::new();
            let mut unpacking = DeflateDecoder::new(&packed[..]).take(size.saturating_add(1));
            unpacking.read_to_end(&mut data).map_err(|error| {
                Error::malformed("bad-zip", place(), format!("the entry cannot be unpacked: {error}"))
            })?;
            data.into()
        };
        let found = rawzip::ZipVerification { crc: rawzip::crc32(&data), uncompressed_size: data.len() as u64 };
        verifier.valid(found).map_err(|error| broken(place(), &error))?;
        Ok(Some(data))
    }
}

/// Upper bound on the memory for an entry in bytes, without its name.
const ENTRY_BYTES: usize = 128;

/// Refuses names that are dangerous as paths; no honest program writes them.
fn checked_name<'a>(entry: &ZipFileHeaderRecord<'a>, offset: u64) -> Result<&'a str> {
    let path = entry.file_path();
    let place = || Place::at("", offset);
    let name = std::str::from_utf8(path.as_bytes())
        .map_err(|_| Error::malformed("bad-utf8", place(), "the name of this entry is not valid UTF-8"))?;
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    let leads_out = name.starts_with(['/', '\\']) || name.split(['/', '\\']).any(|part| part == "..");
    if has_drive || leads_out || name.contains('\0') {
        let message = format!(
            "the entry `{}` leads outside the archive; entry names must be relative paths inside it",
            escaped(name)
        );
        return Err(Error::malformed("entry-leads-out", place(), message));
    }
    Ok(name)
}

fn broken(place: Place, error: &rawzip::Error) -> Error {
    Error::malformed("bad-zip", place, format!("the archive is damaged: {error}"))
}
