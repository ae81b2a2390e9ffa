//! Bytes → [`File`]: the header, then the frames with their chunks.
//!
//! Rejects files that are truncated, have contradictory lengths or an invalid header. Invalid layers, cels and
//! tags are left out with a warning. Unknown chunks are skipped.

mod cels;
mod layers;
mod palettes;
mod tags;
mod tilesets;

use std::collections::HashMap;

use ::bytes::Bytes;

use super::schema::{Depth, File, Frame, Header, Layer, LayerKind, Palette};
use crate::bytes::{Block, Reader};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::limits::Budget;
use layers::Groups;

use crate::formats::detect::ASEPRITE_MAGIC as MAGIC;
/// The magic number at byte 4 of each frame.
const FRAME_MAGIC: u16 = 0xf1fa;
/// Number of reserved bytes in the header.
const RESERVED: u64 = 84;
/// Size of a frame header in bytes.
const FRAME_HEADER: usize = 16;
/// Size of a chunk header in bytes.
const CHUNK_HEADER: usize = 6;

/// The state while a file is read.
pub struct Reading<'a, 'b> {
    pub file: File,
    pub budget: &'a mut Budget<'b>,
    pub diagnostics: &'a mut Diagnostics,
    /// The groups that may contain the next layer.
    pub groups: Groups,
    /// Index of the content of each cel, by layer and frame.
    pub known: HashMap<(u16, u16), u32>,
    /// True after a palette chunk of the newer type; chunks of the older types only repeat it.
    pub has_new_palette: bool,
    /// True after a palette chunk of any type.
    pub has_palette: bool,
    /// Place and type of the first chunk of an unknown type, and the number of such chunks.
    unknown: Option<(Place, u16, usize)>,
}

/// Reads everything that is drawn or played.
pub fn read(bytes: &Bytes, budget: &mut Budget<'_>, diagnostics: &mut Diagnostics) -> Result<File> {
    let mut reader = Reader::new(bytes.clone());
    let header = header(&mut reader)?;
    let file = File {
        header,
        layers: Vec::new(),
        tilesets: HashMap::new(),
        palettes: vec![Palette::new(header.colors.into())],
        contents: Vec::new(),
        frames: Vec::new(),
        tags: Vec::new(),
    };
    let mut reading = Reading {
        file,
        budget,
        diagnostics,
        groups: Groups::default(),
        known: HashMap::new(),
        has_new_palette: false,
        has_palette: false,
        unknown: None,
    };
    let mut number = 0;
    reader.list("frames", header.frames.into(), FRAME_HEADER, |reader| {
        number += 1;
        reading.frame(reader, number - 1)
    })?;
    reading.finish(&reader);
    Ok(reading.file)
}

fn header(reader: &mut Reader<Bytes>) -> Result<Header> {
    reader.u32("fileSize")?;
    let (place, magic) = reader.placed("magic", Reader::u16)?;
    if magic != MAGIC {
        let message = format!("expected {MAGIC:#06x}, found {magic:#06x}");
        return Err(Error::malformed("bad-magic", place, message));
    }
    let (place, frames) = reader.placed("frames", Reader::u16)?;
    if frames == 0 {
        return Err(Error::malformed("no-frames", place, "the sprite has no frames; there is nothing to show"));
    }
    let place = reader.place("width");
    let size = [reader.u16("width")?, reader.u16("height")?];
    if size.contains(&0) {
        let message = format!("a canvas of {}×{} has no pixels", size[0], size[1]);
        return Err(Error::malformed("empty-image", place, message));
    }
    let place = reader.place("colorDepth");
    let depth = match reader.u16("colorDepth")? {
        32 => Depth::Rgba,
        16 => Depth::Grey,
        8 => Depth::Indexed,
        bits => {
            let message =
                format!("unknown colour depth of {bits} bits, expected 32 (RGBA), 16 (greyscale) or 8 (indexed)");
            return Err(Error::unsupported("color-depth", place, message));
        }
    };
    let flags = reader.u32("flags")?;
    let speed = reader.u16("speed")?;
    reader.array::<8>("reserved")?;
    let [transparent, ..] = reader.array::<4>("transparentColor")?;
    // Old files store 256 as 0.
    let colors = match reader.u16("colorCount")? {
        0 => 256,
        colors => colors,
    };
    let pixel = match reader.array::<2>("pixelRatio")? {
        [0, _] | [_, 0] => [1, 1],
        pixel => pixel,
    };
    reader.array::<8>("grid")?;
    reader.skip("reserved", RESERVED)?;
    Ok(Header { frames, size, depth, flags, speed, transparent, colors, pixel })
}

impl Reading<'_, '_> {
    fn frame(&mut self, reader: &mut Reader<Bytes>, number: u16) -> Result<()> {
        let place = reader.place("size");
        let size = reader.u32("size")? as usize;
        let (magic_place, magic) = reader.placed("magic", Reader::u16)?;
        if magic != FRAME_MAGIC {
            let message = format!("expected {FRAME_MAGIC:#06x}, found {magic:#06x}");
            return Err(Error::malformed("bad-chunk", magic_place, message));
        }
        let old_count = reader.u16("oldChunkCount")?;
        let duration = reader.u16("duration")?;
        reader.array::<2>("reserved")?;
        let count = match reader.u32("chunkCount")? {
            0 => old_count.into(),
            count => count as usize,
        };
        let Some(len) = size.checked_sub(FRAME_HEADER) else {
            let message = format!("a frame of {size} bytes is shorter than its header of {FRAME_HEADER}");
            return Err(Error::malformed("bad-chunk", place, message));
        };
        self.budget.charge_memory(1, size_of::<Frame>(), || place.clone())?;
        let palette = self.file.palettes.len() - 1;
        self.file.frames.push(Frame { duration, cels: Vec::new(), palette });
        let block = reader.block("chunks", len as u64)?;
        let mut chunks = reader.within("frame", block);
        chunks.list("chunks", count, CHUNK_HEADER, |reader| self.chunk(reader, number))?;
        if let Some(frame) = self.file.frames.last_mut() {
            frame.palette = self.file.palettes.len() - 1;
        }
        Ok(())
    }

    fn chunk(&mut self, reader: &mut Reader<Bytes>, frame: u16) -> Result<()> {
        let place = reader.place("size");
        let size = reader.u32("size")? as usize;
        let (kind_place, kind) = reader.placed("type", Reader::u16)?;
        let Some(len) = size.checked_sub(CHUNK_HEADER) else {
            let message = format!("a chunk of {size} bytes is shorter than its own header");
            return Err(Error::malformed("bad-chunk", place, message));
        };
        let block: Block = reader.block("data", len as u64)?;
        let mut data = reader.within("chunk", block);
        match kind {
            0x0004 => palettes::old(self, &mut data, false),
            // The specification says 0x11, but the program has always written 11.
            0x000b | 0x0011 => palettes::old(self, &mut data, true),
            0x2019 => palettes::new(self, &mut data),
            0x2004 => layers::read(self, &mut data),
            0x2005 => cels::read(self, &mut data, frame),
            0x2018 => tags::read(self, &mut data),
            0x2023 => tilesets::read(self, &mut data),
            // Cel extra, colour profile, external files, mask, path, user data and slice.
            0x2006 | 0x2007 | 0x2008 | 0x2016 | 0x2017 | 0x2020 | 0x2021 | 0x2022 => Ok(()),
            kind => {
                let unknown = self.unknown.get_or_insert((kind_place, kind, 0));
                unknown.2 += 1;
                Ok(())
            }
        }
    }

    fn finish(&mut self, reader: &Reader<Bytes>) {
        let missing = |layer: &Layer| match layer.kind {
            LayerKind::Tilemap(id) if !self.file.tilesets.contains_key(&id) => Some((layer.offset, id)),
            _ => None,
        };
        for (offset, id) in self.file.layers.iter().filter_map(missing) {
            let message =
                format!("tileset {id} is not in this file, and no other is opened; the layer is not drawn");
            self.diagnostics.warn("bad-layer", Place::at("layer.tileset", offset), message);
        }
        if let Some((place, kind, count)) = self.unknown.take() {
            let message = match count {
                1 => format!("a chunk of type {kind:#06x} is skipped"),
                _ => format!("{count} chunks of unknown types are skipped, the first of type {kind:#06x}"),
            };
            self.diagnostics.note("unknown-chunk", place, message);
        }
        if self.file.header.depth == Depth::Indexed && !self.has_palette {
            let message = "the indexed sprite has no palette; everything is black";
            self.diagnostics.warn("no-palette", Place::at("colorDepth", 12), message);
        }
        if self.file.header.pixel[0] != self.file.header.pixel[1] {
            let [width, height] = self.file.header.pixel;
            let message = format!("the pixel ratio is {width}:{height}; the sprite is stretched accordingly");
            self.diagnostics.note("pixel-ratio", Place::at("pixelRatio", 34), message);
        }
        if reader.remaining() > 0 {
            let message = format!("{} bytes after the last frame are ignored", reader.remaining());
            self.diagnostics.warn("trailing-bytes", reader.place("end"), message);
        }
    }
}
