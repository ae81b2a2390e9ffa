//! The pictures of a report: in memory while they are few, in files otherwise.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::FramePictures;
use pchr::Result;
use pchr::export::{OutputFiles, OutputPath};

/// Folder of the pictures that are not embedded.
pub(super) const PICTURES: &str = "pictures";

/// The pictures of one frame, in this order.
const KINDS: [&str; 3] = ["reference", "now", "difference"];

/// The folder of the report, and its files.
pub(super) type Out<'a> = (&'a OutputPath, &'a OutputFiles);

/// The pictures of all frames added so far.
#[derive(Debug)]
pub(super) struct Pictures {
    frames: BTreeMap<usize, [Option<Stored>; 3]>,
    /// Bytes of all pictures in memory.
    embedded: usize,
    max_embedded: usize,
    /// False as soon as the pictures have exceeded the limit: then all of them are files.
    are_embedded: bool,
}

#[derive(Debug)]
enum Stored {
    /// PNG data.
    Embedded(Vec<u8>),
    /// Name of a file in [`PICTURES`].
    File(String),
}

impl Pictures {
    pub fn new(max_embedded: usize) -> Self {
        Self { frames: BTreeMap::new(), embedded: 0, max_embedded, are_embedded: true }
    }

    /// Adds the pictures of a frame; writes them, and all earlier ones, if they exceed the limit.
    pub fn add(&mut self, index: usize, pictures: FramePictures, out: Out<'_>) -> Result<()> {
        let pictures = [pictures.reference, pictures.now, pictures.difference];
        self.embedded = pictures.iter().flatten().map(Vec::len).fold(self.embedded, usize::saturating_add);
        let mut stored = pictures.map(|picture| picture.map(Stored::Embedded));
        if self.are_embedded && self.embedded > self.max_embedded {
            self.are_embedded = false;
            for (index, stored) in &mut self.frames {
                store_as_files(*index, stored, out)?;
            }
        }
        if !self.are_embedded {
            store_as_files(index, &mut stored, out)?;
        }
        self.frames.insert(index, stored);
        Ok(())
    }

    /// Returns true if no picture is a file.
    pub fn are_embedded(&self) -> bool {
        self.are_embedded
    }

    /// Returns the names of all files.
    pub fn file_names(&self) -> HashSet<&str> {
        let names = self.frames.values().flatten().flatten().filter_map(|stored| match stored {
            Stored::File(name) => Some(&**name),
            Stored::Embedded(_) => None,
        });
        names.collect()
    }

    /// Writes the URLs of a frame's pictures as a JSON array. Contains no characters that HTML could interpret.
    pub fn write_urls(&self, index: usize, out: &mut impl Write) -> io::Result<()> {
        let stored = self.frames.get(&index);
        for kind in 0..KINDS.len() {
            out.write_all(if kind == 0 { b"[" } else { b"," })?;
            match stored.and_then(|stored| stored[kind].as_ref()) {
                None => out.write_all(b"null")?,
                Some(Stored::File(name)) => write!(out, "\"{PICTURES}/{name}\"")?,
                Some(Stored::Embedded(bytes)) => {
                    write!(out, "\"data:image/png;base64,{}\"", STANDARD.encode(bytes))?;
                }
            }
        }
        out.write_all(b"]")
    }
}

/// Moves pictures from memory to files.
fn store_as_files(index: usize, pictures: &mut [Option<Stored>; 3], (folder, out): Out<'_>) -> Result<()> {
    for (kind, picture) in KINDS.iter().zip(pictures) {
        let Some(Stored::Embedded(bytes)) = picture else { continue };
        let name = file_name(index, kind, bytes);
        let path = folder.join(PICTURES).join(&name);
        if !path.holds(bytes) {
            out.write(&path, true, |file| file.write_all(bytes))?;
        }
        *picture = Some(Stored::File(name));
    }
    Ok(())
}

/// Returns the name of a picture's file. It contains a checksum, so that the pictures of an earlier report are not
/// replaced while its page still exists.
fn file_name(index: usize, kind: &str, bytes: &[u8]) -> String {
    format!("{index}-{kind}-{:08x}.png", rawzip::crc32(bytes))
}

/// Returns true if this can be a result of [`file_name`].
pub(super) fn is_file_name(name: &str) -> bool {
    let parts: Vec<&str> = name.strip_suffix(".png").unwrap_or_default().split('-').collect();
    let &[index, kind, checksum] = &parts[..] else { return false };
    let is_hex = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    !index.is_empty()
        && index.bytes().all(|byte| byte.is_ascii_digit())
        && KINDS.contains(&kind)
        && checksum.len() == 8
        && checksum.bytes().all(is_hex)
}
