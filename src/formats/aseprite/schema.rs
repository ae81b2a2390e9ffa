//! An Aseprite file in the words of its published description: frames, layers, cels, tags, palettes and tilesets.
//!
//! Indices are checked while the file is read: a cel names an existing layer and existing pixels, a layer comes after
//! its group. Pixels stay packed.

use std::collections::HashMap;

use super::blend::Blend;
use crate::bytes::Block;

/// Straight red, green, blue and alpha.
pub type Pixel = [u8; 4];

/// Everything that is read of a file.
pub struct File {
    pub header: Header,
    /// In the order in which they are drawn.
    pub layers: Vec<Layer>,
    /// By their ids.
    pub tilesets: HashMap<u32, Tileset>,
    /// Empty unless the sprite is indexed.
    pub palettes: Vec<Palette>,
    /// The pixels of all cels; linked cels share them.
    pub contents: Vec<Content>,
    pub frames: Vec<Frame>,
    pub tags: Vec<Tag>,
}

/// The first 128 bytes.
#[derive(Debug, Clone, Copy)]
pub struct Header {
    pub frames: u16,
    /// Width and height of the canvas, not 0.
    pub size: [u16; 2],
    pub depth: Depth,
    pub flags: u32,
    /// Milliseconds for frames that have no duration of their own.
    pub speed: u16,
    /// The palette entry that is transparent on every layer but the background.
    pub transparent: u8,
    /// How many colours the palette has before any chunk changes it.
    pub colors: u16,
    /// Width and height of a pixel, not 0.
    pub pixel: [u8; 2],
}

impl Header {
    /// Layers have an opacity.
    pub const LAYER_OPACITY: u32 = 1;
    /// Groups are composed by themselves and then blended with their own mode and opacity.
    pub const COMPOSES_GROUPS: u32 = 2;

    pub fn composes_groups(&self) -> bool {
        self.flags & Self::COMPOSES_GROUPS != 0
    }
}

/// How a pixel is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Four bytes: red, green, blue, alpha.
    Rgba,
    /// Two bytes: value, alpha.
    Grey,
    /// One byte: an entry of the palette.
    Indexed,
}

impl Depth {
    /// Bytes of a pixel.
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
    /// Where it is in the file.
    pub offset: u64,
    /// Visible, and in visible groups only.
    pub is_visible: bool,
    pub is_background: bool,
    pub kind: LayerKind,
    pub blend: Blend,
    pub opacity: u8,
    /// The group that it is in, an earlier layer.
    pub parent: Option<u16>,
    /// How many layers come before it in its group.
    pub order: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerKind {
    Image,
    Group,
    /// Cels are made of tiles of this tileset.
    Tilemap(u32),
    /// A picture to draw after. It is never part of the sprite.
    Reference,
    /// Nothing can be drawn of it.
    Unknown,
}

#[derive(Debug)]
pub struct Frame {
    /// Milliseconds; 0 where the header's speed counts.
    pub duration: u16,
    /// At most one for each layer.
    pub cels: Vec<Cel>,
    /// Which of the palettes holds in it.
    pub palette: usize,
}

/// Pixels on a layer in a frame.
#[derive(Debug, Clone, Copy)]
pub struct Cel {
    pub layer: u16,
    /// Left and top on the canvas.
    pub at: [i16; 2],
    pub opacity: u8,
    /// By how many layers it is drawn later.
    pub z: i16,
    /// Which of the contents it shows.
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
    /// Pixels as they are.
    Raw,
    /// Pixels in a zlib stream.
    Packed,
    /// Tiles of 32 bits in a zlib stream, with the meaning of their bits.
    Tiles(TileBits),
}

/// Which bits of a tile are what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileBits {
    pub id: u32,
    pub flip_x: u32,
    pub flip_y: u32,
    /// Columns become rows.
    pub flip_diagonal: u32,
}

#[derive(Debug)]
pub struct Tileset {
    /// Tile 0 is empty; where it is not, every bit of an empty tile is set.
    pub zero_is_empty: bool,
    pub count: u32,
    /// Width and height of a tile in pixels, not 0.
    pub tile: [u16; 2],
    /// All tiles below each other in a zlib stream.
    pub data: Block,
}

#[derive(Debug)]
pub struct Tag {
    pub from: u16,
    pub to: u16,
    pub direction: u8,
    /// How often it is played; 0 is for ever.
    pub repeat: u16,
    pub name: String,
    /// Where it is in the file.
    pub offset: u64,
}

/// Colours of indexed pixels. An index beyond them is transparent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    colors: Box<[Pixel; 256]>,
    len: usize,
}

impl Palette {
    /// `len` opaque black entries.
    pub fn new(len: usize) -> Self {
        let mut palette = Self { colors: Box::new([[0; 4]; 256]), len: 0 };
        palette.resize(len);
        palette
    }

    /// Changes how many entries there are. New ones are opaque black.
    pub fn resize(&mut self, len: usize) {
        let len = len.min(256);
        if self.len < len {
            self.colors[self.len..len].fill([0, 0, 0, 255]);
        }
        self.colors[len..].fill([0; 4]);
        self.len = len;
    }

    /// Sets an entry, with those before it; nothing beyond the 256 that pixels can name.
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
