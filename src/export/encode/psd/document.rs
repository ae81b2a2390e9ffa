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
/// Flags of layers: hidden, the next flag is valid, and without pixels.
const HIDDEN: u8 = 2;
const HAS_FLAGS: u8 = 8;
const NO_PIXELS: u8 = 16;

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
        self.record(area, &channels, [&blend, &[opacity, 0, HAS_FLAGS, 0]], [&names(name), &[]])
    }

    /// Begins a group, whose layers follow.
    pub fn begin_group(&mut self) -> Result<()> {
        self.mark("</Layer group>", 3, 0)
    }

    /// Ends the group that began last.
    pub fn end_group(&mut self, name: &str, is_visible: bool) -> Result<()> {
        if is_visible { self.mark(name, 1, 0) } else { self.mark(name, 2, HIDDEN) }
    }

    fn mark(&mut self, name: &str, kind: u32, flags: u8) -> Result<()> {
        // The blend modes of the layers apply to what is below the group.
        let section = block(b"lsct", &[&kind.to_be_bytes(), SIGNATURE, b"pass"].concat());
        let channels = [(); 4].map(|()| Channels::default().into_bytes());
        let look = [255, 0, flags | HAS_FLAGS | NO_PIXELS, 0];
        self.record(Area::default(), &channels, [b"pass", &look], [&names(name), &section])
    }

    /// Adds a layer with its blend mode and look, and its names and other blocks.
    fn record(&mut self, area: Area, channels: &[Vec<u8>; 4], look: [&[u8]; 2], blocks: [&[u8]; 2]) -> Result<()> {
        let [left, top, width, height] = area;
        let corners = [top, left, top + height, left + width];
        let mut record: Vec<u8> = corners.into_iter().flat_map(u32::to_be_bytes).collect();
        record.extend((CHANNELS.len() as u16).to_be_bytes());
        for ((id, _), bytes) in CHANNELS.iter().zip(channels) {
            record.extend([&id.to_be_bytes()[..], &(bytes.len() as u32).to_be_bytes()].concat());
        }
        let blocks = blocks.concat();
        // No mask and no blending ranges.
        let extra = (8 + blocks.len() as u32).to_be_bytes();
        record.extend([SIGNATURE, &look.concat(), &extra, &[0; 8], &blocks].concat());
        self.count += 1;
        if self.count > MAX_LAYERS {
            let message = format!("a PSD can have {MAX_LAYERS} layers, two for each group; write fewer frames");
            return Err(Error::misuse("too-many-layers", message));
        }
        self.budget.charge_memory(record.len() as u64, 1, || Place::inside("the layers"))?;
        self.records.extend(record);
        let pixels = channels.concat();
        self.check_length(pixels.len())?;
        self.pixels.push(&pixels).map_err(|error| Error::io(self.place, error))
    }

    /// Fails if a file with everything so far and `more` bytes would be too long.
    fn check_length(&self, more: usize) -> Result<()> {
        /// More than the headers of all sections.
        const HEADERS: u64 = 64;
        let length = self.records.len() as u64 + self.pixels.length + more as u64 + HEADERS;
        let message = "a PSD is limited to 2 GiB; write fewer frames, or a smaller picture";
        if length > MAX_BYTES { Err(Error::misuse("file-too-large", message)) } else { Ok(()) }
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
        let used = 2 + records.len() as u64 + pixels.length;
        let length = used.next_multiple_of(4);
        // The layers, and an empty global mask.
        out.write_all(&[length as u32 + 8, length as u32].map(u32::to_be_bytes).concat())?;
        // Negative: the fourth channel of the merged picture is its transparency.
        out.write_all(&(-(count as i16)).to_be_bytes())?;
        out.write_all(&records)?;
        pixels.copy_to(&mut *out)?;
        out.write_all(&[0; 8][..4 + (length - used) as usize])?;
        out.write_all(channels)
    }
}

/// Returns additional information about a layer.
fn block(key: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [SIGNATURE, key, &(content.len() as u32).to_be_bytes(), content].concat()
}

/// Returns a name for old programs, at most 31 characters of ASCII, and the name in UTF-16.
fn names(name: &str) -> Vec<u8> {
    let mut short = vec![name.chars().take(31).count() as u8];
    short.extend(name.chars().take(31).map(|letter| if letter.is_ascii() { letter as u8 } else { b'?' }));
    short.resize(short.len().next_multiple_of(4), 0);
    let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut long = [&(units.len() as u32 / 2).to_be_bytes(), &*units].concat();
    long.resize(long.len().next_multiple_of(4), 0);
    [short, block(b"luni", &long)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn limits_of_the_format_are_errors() {
        let code = |result: Result<()>| result.err().map(|error| error.code());
        let limits = Limits::default();
        let mut document = Document::new(Budget::new(&limits), "it.psd");
        for _ in 0..MAX_LAYERS {
            document.begin_group().expect("room");
        }
        assert_eq!(code(document.begin_group()), Some("too-many-layers"));
        assert_eq!(code(document.check_length(1 << 30)), None);
        assert_eq!(code(document.check_length(i32::MAX as usize)), Some("file-too-large"));
        let limits = Limits { memory_bytes: 99, ..Limits::default() };
        let mut document = Document::new(Budget::new(&limits), "it.psd");
        assert!(matches!(document.begin_group(), Err(Error::LimitExceeded(_))));
    }
}
