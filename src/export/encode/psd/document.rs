//! Layers and a merged picture → the bytes of a PSD, by Adobe's
//! [Photoshop File Formats Specification](https://www.adobe.com/devnet-apps/photoshop/fileformatashtml/).
//!
//! All layers are described before the pixels of the first one, so pixels are spooled.

use std::io::{self, Write};

use super::packbits::Channels;
use crate::draw::Picture;
use crate::error::Place;
use crate::export::encode::area::{self, Area};
use crate::export::encode::spool::Spool;
use crate::limits::Budget;
use crate::{Error, Result};

/// Maximum side in pixels.
pub const MAX_SIDE: u32 = 30_000;
/// Maximum number of layers, with two for each group.
const MAX_LAYERS: usize = i16::MAX as usize;
/// Maximum number of bytes.
const MAX_BYTES: u64 = i32::MAX as u64;
/// Ids of transparency, red, green and blue, and their place in a pixel.
const CHANNELS: [(i16, usize); 4] = [(-1, 3), (0, 0), (1, 1), (2, 2)];
/// The signature of most parts.
const SIGNATURE: &[u8] = b"8BIM";

/// A layer without pixels that begins or ends a group.
#[derive(Clone, Copy, PartialEq)]
pub enum Mark {
    /// Above the layers of a group: its name.
    Group { is_visible: bool },
    /// Below them.
    End,
}

/// The layers so far, from back to front.
pub struct Document<'a> {
    count: usize,
    records: Vec<u8>,
    pixels: Spool,
    budget: Budget<'a>,
    /// Name of the file in errors.
    place: &'a str,
}

impl<'a> Document<'a> {
    pub fn new(budget: Budget<'a>, place: &'a str) -> Self {
        Self { count: 0, records: Vec::new(), pixels: Spool::default(), budget, place }
    }

    /// Adds a layer with the visible part of a picture with straight alpha.
    pub fn add(&mut self, name: &str, blend: [u8; 4], opacity: u8, picture: &Picture) -> Result<()> {
        let area = area::visible(picture).unwrap_or_default();
        let channels = CHANNELS.map(|(_, at)| {
            let mut channel = Channels::default();
            area::rows(picture, area).for_each(|row| channel.add(row, |pixel| pixel[at]));
            channel.into_bytes()
        });
        /// The other flags are valid.
        const VALID: u8 = 8;
        self.record(area, channels, [opacity, 0, VALID, 0], blend, name, &[])
    }

    /// Begins or ends a group. Its layers are added after its end.
    pub fn mark(&mut self, name: &str, mark: Mark) -> Result<()> {
        /// Valid flags, and no pixels.
        const MARK: u8 = 8 | 16;
        const HIDDEN: u8 = 2;
        let (kind, flags) = match mark {
            Mark::Group { is_visible: true } => (1u32, MARK),
            Mark::Group { is_visible: false } => (2, MARK | HIDDEN),
            Mark::End => (3, MARK),
        };
        // Blend modes of layers in a group apply to what is below the group.
        let section = block(b"lsct", &[&kind.to_be_bytes(), SIGNATURE, b"pass"].concat());
        let channels = [(); 4].map(|()| Channels::default().into_bytes());
        self.record(Area::default(), channels, [255, 0, flags, 0], *b"pass", name, &section)
    }

    fn record(
        &mut self,
        [left, top, width, height]: Area,
        channels: [Vec<u8>; 4],
        look: [u8; 4],
        blend: [u8; 4],
        name: &str,
        blocks: &[u8],
    ) -> Result<()> {
        let mut record: Vec<u8> =
            [top, left, top + height, left + width].into_iter().flat_map(u32::to_be_bytes).collect();
        record.extend((CHANNELS.len() as u16).to_be_bytes());
        for ((id, _), bytes) in CHANNELS.iter().zip(&channels) {
            record.extend(id.to_be_bytes());
            record.extend((bytes.len() as u32).to_be_bytes());
        }
        record.extend([SIGNATURE, &blend, &look].concat());
        // No mask and no blending ranges.
        let extra = [&[0; 8], &*short_name(name), &block(b"luni", &unicode(name)), blocks].concat();
        record.extend((extra.len() as u32).to_be_bytes());
        record.extend(extra);
        self.count += 1;
        if self.count > MAX_LAYERS {
            let message = format!("a PSD can have {MAX_LAYERS} layers, two for each group; write fewer frames");
            return Err(Error::misuse("too-many-layers", message));
        }
        self.budget.charge_memory(record.len() as u64, 1, || Place::inside("the layers"))?;
        self.records.extend(record);
        for bytes in channels {
            self.check_length(bytes.len())?;
            self.pixels.push(&bytes).map_err(|error| Error::io(self.place, error))?;
        }
        Ok(())
    }

    /// Fails if a file with everything so far and `more` bytes would be too long.
    fn check_length(&self, more: usize) -> Result<()> {
        /// More than the headers of all sections.
        const HEADERS: u64 = 64;
        if self.records.len() as u64 + self.pixels.length() + more as u64 + HEADERS <= MAX_BYTES {
            return Ok(());
        }
        let message = "a PSD is limited to 2 GiB; write fewer frames, or a smaller picture";
        Err(Error::misuse("file-too-large", message))
    }

    /// Writes the file, with a merged picture: premultiplied, without added light.
    pub fn write(self, merged: &Picture, out: &mut (dyn Write + Send)) -> Result<()> {
        let mut channels = Channels::default();
        for at in 0..4 {
            // Programs expect colours on white, and take it away again.
            let of = |pixel: &[u8; 4]| if at < 3 { pixel[at].saturating_add(255 - pixel[3]) } else { pixel[3] };
            area::rows(merged, area::whole(merged)).for_each(|row| channels.add(row, of));
        }
        let channels = channels.into_bytes();
        self.check_length(channels.len())?;
        let place = self.place;
        self.write_sections(merged, &channels, out).map_err(|error| Error::io(place, error))
    }

    fn write_sections(self, merged: &Picture, channels: &[u8], out: &mut (dyn Write + Send)) -> io::Result<()> {
        let Self { count, records, pixels, .. } = self;
        // Version, channels, height, width, depth and RGB; no palette and no resources.
        out.write_all(b"8BPS\0\x01\0\0\0\0\0\0\0\x04")?;
        out.write_all(&[merged.height().to_be_bytes(), merged.width().to_be_bytes()].concat())?;
        out.write_all(b"\0\x08\0\x03\0\0\0\0\0\0\0\0")?;
        let length = (2 + records.len() as u64 + pixels.length()).next_multiple_of(4);
        let padding = length - (2 + records.len() as u64 + pixels.length());
        // The layers, and an empty global mask.
        out.write_all(&[length as u32 + 8, length as u32].map(u32::to_be_bytes).concat())?;
        // Negative: the fourth channel of the merged picture is its transparency.
        out.write_all(&(-(count as i16)).to_be_bytes())?;
        out.write_all(&records)?;
        pixels.copy_to(&mut *out)?;
        out.write_all(&[0; 4][..padding as usize])?;
        out.write_all(&[0; 4])?;
        out.write_all(channels)
    }
}

/// Returns additional information about a layer.
fn block(key: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [SIGNATURE, key, &(content.len() as u32).to_be_bytes(), content].concat()
}

/// Returns a name for old programs: its length and at most 31 characters, those that are not ASCII as `?`, padded to
/// a multiple of four.
fn short_name(name: &str) -> Vec<u8> {
    let letters = name.chars().take(31).map(|letter| if letter.is_ascii() { letter as u8 } else { b'?' });
    let mut bytes: Vec<u8> = [0].into_iter().chain(letters).collect();
    bytes[0] = (bytes.len() - 1) as u8;
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// Returns the number of UTF-16 units and the units, padded to a multiple of four.
fn unicode(name: &str) -> Vec<u8> {
    let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut bytes = [&(units.len() as u32 / 2).to_be_bytes(), &*units].concat();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}
