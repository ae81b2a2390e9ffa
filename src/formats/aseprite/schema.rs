//! An Aseprite file in the terms of its published specification: frames, layers, cels, tags, palettes and
//! tilesets.
//!
//! Indices are checked while the file is read: cels refer to existing layers and contents, layers follow their
//! group. Pixels stay compressed.

use std::collections::HashMap;

use super::blend::Blend;
use crate::bytes::Block;
use crate::error::Result;
use crate::model::UnknownName;

/// Straight red, green, blue and alpha.
pub type Pixel = [u8; 4];

/// The content of a file.
pub struct File {
    pub header: Header,
    /// In drawing order.
    pub layers: Vec<Layer>,
    /// By id.
    pub tilesets: HashMap<u32, Tileset>,
    /// Empty unless the sprite is indexed.
    pub palettes: Vec<Palette>,
    /// The pixels of all cels; linked cels share them.
    pub contents: Vec<Content>,
    pub frames: Vec<Frame>,
    pub tags: Vec<Tag>,
}

impl File {
    /// Shows only the layers with these names, even hidden ones, and those in groups with these names. Without names, all
    /// visible layers in visible groups.
    pub fn show(&mut self, names: &[String]) -> Result<()> {
        let known = || self.layers.iter().map(|layer| &layer.name);
        if let Some(unknown) = names.iter().find(|name| !known().any(|known| known == *name)) {
            return Err(
                UnknownName { what: "layer", name: unknown.clone(), known: known().cloned().collect() }.into()
            );
        }
        for index in 0..self.layers.len() {
            let layer = &self.layers[index];
            let group = layer.parent.map_or(names.is_empty(), |group| self.layers[usize::from(group)].is_visible);
            let is_visible = names.contains(&layer.name) || (layer.is_visible && group);
            self.layers[index].is_visible = is_visible;
        }
        Ok(())
    }
}

/// The first 128 bytes.
#[derive(Debug, Clone, Copy)]
pub struct Header {
    pub frames: u16,
    /// Width and height of the canvas, not 0.
    pub size: [u16; 2],
    pub depth: Depth,
    pub flags: u32,
    /// Default duration of frames, in milliseconds.
    pub speed: u16,
    /// The palette entry that is transparent on all layers but the background.
    pub transparent: u8,
    /// Initial number of palette colours.
    pub colors: u16,
    /// Width and height of a pixel, not 0.
    pub pixel: [u8; 2],
}

impl Header {
    /// Flag: layers have an opacity.
    pub const LAYER_OPACITY: u32 = 1;
    /// Flag: groups are composed separately and then blended with their own mode and opacity.
    pub const COMPOSES_GROUPS: u32 = 2;

    pub fn composes_groups(&self) -> bool {
        self.flags & Self::COMPOSES_GROUPS != 0
    }
}

/// The colour depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Four bytes: red, green, blue, alpha.
    Rgba,
    /// Two bytes: value, alpha.
    Grey,
    /// One byte: a palette index.
    Indexed,
}

impl Depth {
    /// Returns the number of bytes per pixel.
    pub fn bytes(self) -> usize {
        match self {
            Self::Rgba => 4,
            Self::Grey => 2,
            Self::Indexed => 1,
        }
    }
}

#[derive(Debug)]
pub struct Layer {
    /// Offset in the file.
    pub offset: u64,
    pub name: String,
    /// True if the layer and all its groups are visible, or if it was [chosen](File::show).
    pub is_visible: bool,
    pub is_background: bool,
    pub kind: LayerKind,
    pub blend: Blend,
    pub opacity: u8,
    /// Its group, an earlier layer.
    pub parent: Option<u16>,
    /// Number of layers before it in its group.
    pub order: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerKind {
    Image,
    Group,
    /// A layer with tiles of this tileset.
    Tilemap(u32),
    /// A reference image, which is never part of the sprite.
    Reference,
    /// Cannot be drawn.
    Unknown,
}

#[derive(Debug)]
pub struct Frame {
    /// Duration in milliseconds; 0 for the default in the header.
    pub duration: u16,
    /// At most one per layer.
    pub cels: Vec<Cel>,
    /// Index of the active palette.
    pub palette: usize,
}

/// Pixels on a layer in a frame.
#[derive(Debug, Clone, Copy)]
pub struct Cel {
    pub layer: u16,
    /// Left and top on the canvas.
    pub at: [i16; 2],
    pub opacity: u8,
    /// Number of layers by which it is moved forward.
    pub z: i16,
    /// Index into the contents.
    pub content: u32,
}

/// The pixels of a cel.
#[derive(Debug)]
pub struct Content {
    /// Width and height in pixels or tiles, not 0.
    pub size: [u16; 2],
    pub form: Form,
    pub data: Block,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Uncompressed pixels.
    Raw,
    /// Pixels in a zlib stream.
    Packed,
    /// 32-bit tiles in a zlib stream.
    Tiles(TileBits),
}

/// The bit masks of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileBits {
    pub id: u32,
    pub flip_x: u32,
    pub flip_y: u32,
    /// Swaps columns and rows.
    pub flip_diagonal: u32,
}

#[derive(Debug)]
pub struct Tileset {
    /// True if tile 0 is empty; otherwise all bits of an empty tile are set.
    pub zero_is_empty: bool,
    pub count: u32,
    /// Width and height of a tile in pixels, not 0.
    pub tile: [u16; 2],
    /// All tiles, one below the other, in a zlib stream.
    pub data: Block,
}

#[derive(Debug)]
pub struct Tag {
    pub from: u16,
    pub to: u16,
    pub direction: u8,
    /// Number of times it is played; 0 loops forever.
    pub repeat: u16,
    pub name: String,
    /// Offset in the file.
    pub offset: u64,
}

/// Colours of indexed pixels. Indices out of range are transparent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    colors: Box<[Pixel; 256]>,
    len: usize,
}

impl Palette {
    /// Creates a palette of `len` opaque black entries.
    pub fn new(len: usize) -> Self {
        let mut palette = Self { colors: Box::new([[0; 4]; 256]), len: 0 };
        palette.resize(len);
        palette
    }

    /// Sets the number of entries. New ones are opaque black.
    pub fn resize(&mut self, len: usize) {
        let len = len.min(256);
        if self.len < len {
            self.colors[self.len..len].fill([0, 0, 0, 255]);
        }
        self.colors[len..].fill([0; 4]);
        self.len = len;
    }

    /// Sets an entry, adding the ones before it if necessary. Indices above 255 are ignored.
    pub fn set(&mut self, index: usize, color: Pixel) {
        if index < 256 {
            self.resize(self.len.max(index + 1));
            self.colors[index] = color;
        }
    }

    pub fn get(&self, index: u8) -> Pixel {
        self.colors[usize::from(index)]
    }
}
