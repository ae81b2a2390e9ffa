//! Conversion of stored pixels and tiles to straight RGBA.

use super::plan::Drawn;
use super::schema::{Depth, File, Form, LayerKind, Pixel, TileBits, Tileset};

/// The context in which stored pixels are converted.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    pub file: &'a File,
    /// Index of the active palette.
    pub palette: usize,
    /// True for the background layer, where the transparent palette entry is visible.
    pub is_background: bool,
}

impl Look<'_> {
    /// Returns the pixel at `index` in `bytes`; transparent if out of range.
    fn pixel(&self, bytes: &[u8], index: usize) -> Pixel {
        let header = &self.file.header;
        let len = header.depth.bytes();
        match (header.depth, bytes.get(index * len..(index + 1) * len)) {
            (Depth::Rgba, Some(&[r, g, b, alpha])) => [r, g, b, alpha],
            (Depth::Grey, Some(&[value, alpha])) => [value, value, value, alpha],
            (Depth::Indexed, Some(&[entry])) if entry != header.transparent || self.is_background => {
                self.file.palettes[self.palette].get(entry)
            }
            _ => [0; 4],
        }
    }
}

/// Decompressed pixels of a cel.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    Image {
        bytes: &'a [u8],
        /// Pixels per row.
        width: usize,
    },
    Tilemap {
        /// Four bytes per tile.
        tiles: &'a [u8],
        /// Tiles per row.
        width: usize,
        bits: TileBits,
        tileset: &'a Tileset,
        /// The pixels of all tiles.
        bytes: &'a [u8],
    },
}

impl Source<'_> {
    /// Returns the pixel at a position in the cel.
    pub fn pixel(&self, look: &Look<'_>, x: usize, y: usize) -> Pixel {
        match *self {
            Self::Image { bytes, width } => look.pixel(bytes, y * width + x),
            Self::Tilemap { tiles, width, bits, tileset, bytes } => {
                let [tile_width, tile_height] = tileset.tile.map(usize::from);
                let index = (y / tile_height) * width + x / tile_width;
                let tile = tiles.get(4 * index..4 * index + 4).and_then(<[u8]>::first_chunk);
                let Some(tile) = tile.map(|tile| u32::from_le_bytes(*tile)) else { return [0; 4] };
                match tileset.place_in(tile, bits, x % tile_width, y % tile_height) {
                    Some(index) => look.pixel(bytes, index),
                    None => [0; 4],
                }
            }
        }
    }
}

impl Tileset {
    /// Returns the index of the pixel that `tile` shows at a position, or `None` if it is empty.
    fn place_in(&self, tile: u32, bits: TileBits, x: usize, y: usize) -> Option<usize> {
        let [width, height] = self.tile.map(usize::from);
        let id = tile & bits.id;
        let id = id.checked_shr(bits.id.trailing_zeros()).unwrap_or(0);
        let is_empty = if self.zero_is_empty { id == 0 } else { tile == u32::MAX };
        if is_empty || id >= self.count {
            return None;
        }
        let is_set = |mask: u32| mask != 0 && tile & mask == mask;
        let x = if is_set(bits.flip_x) { width - 1 - x } else { x };
        let y = if is_set(bits.flip_y) { height - 1 - y } else { y };
        let (x, y) = if is_set(bits.flip_diagonal) { (y, x) } else { (x, y) };
        (x < width && y < height).then(|| (id as usize * height + y) * width + x)
    }

    /// Returns the decompressed size of all tiles in bytes.
    pub fn unpacked_len(&self, depth: Depth) -> u64 {
        let [width, height] = self.tile.map(u64::from);
        (width * height).saturating_mul(u64::from(self.count)).saturating_mul(depth.bytes() as u64)
    }
}

impl File {
    /// Returns the size of a cel in pixels.
    pub fn size_of(&self, cel: Drawn) -> [i64; 2] {
        let content = &self.contents[cel.content as usize];
        let size = content.size.map(i64::from);
        match (content.form, self.layers[usize::from(cel.layer)].kind) {
            (Form::Tiles(_), LayerKind::Tilemap(id)) => match self.tilesets.get(&id) {
                Some(tileset) => [0, 1].map(|side| size[side] * i64::from(tileset.tile[side])),
                None => [0, 0],
            },
            _ => size,
        }
    }
}
