//! Writes Aseprite files for tests, chunk by chunk. Shares no code with the reader, and writes invalid files on
//! request.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{DrawList, Filter, Picture, Settings, View};
use pchr::math::vec2;
use pchr::model::AnimationId;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

/// Header flag: layers have an opacity.
pub const LAYER_OPACITY: u32 = 1;
/// Header flag: groups are composited separately.
pub const COMPOSES_GROUPS: u32 = 2;

/// Layer flag: visible.
pub const VISIBLE: u16 = 1;
/// Layer flag: background.
pub const BACKGROUND: u16 = 8;
/// Layer flag: reference layer, only shown while drawing.
pub const REFERENCE: u16 = 64;

/// A file.
#[derive(Debug, Clone)]
pub struct Sprite {
    pub size: [u16; 2],
    /// Bits per pixel: 32, 16 or 8.
    pub depth: u16,
    pub flags: u32,
    pub speed: u16,
    pub transparent: u8,
    pub colors: u16,
    pub pixel: [u8; 2],
    pub frames: Vec<Frame>,
}

/// A frame.
#[derive(Debug, Clone)]
pub struct Frame {
    pub ms: u16,
    pub chunks: Vec<Chunk>,
}

/// A chunk of any kind.
#[derive(Debug, Clone)]
pub struct Chunk {
    pub kind: u16,
    pub data: Vec<u8>,
}

/// The fields of a layer chunk.
#[derive(Debug, Clone, Copy)]
pub struct Layer {
    pub flags: u16,
    /// 0 image, 1 group, 2 tilemap.
    pub kind: u16,
    pub level: u16,
    pub blend: u16,
    pub opacity: u8,
    /// Index of the tileset of a tilemap.
    pub tileset: u32,
}

/// A visible image layer.
pub const LAYER: Layer = Layer { flags: VISIBLE, kind: 0, level: 0, blend: 0, opacity: 255, tileset: 0 };

/// The fields common to all cel chunks.
#[derive(Debug, Clone, Copy)]
pub struct Cel {
    pub layer: u16,
    pub at: [i16; 2],
    pub opacity: u8,
    pub z: i16,
}

/// Returns a cel of `layer` at the upper-left corner.
pub fn on(layer: u16) -> Cel {
    Cel { layer, at: [0, 0], opacity: 255, z: 0 }
}

/// The fields of a tag.
#[derive(Debug, Clone, Copy)]
pub struct Tag<'a> {
    pub name: &'a str,
    pub from: u16,
    pub to: u16,
    pub direction: u8,
    pub repeat: u16,
}

impl Sprite {
    /// Returns an RGBA sprite without frames, as written by Aseprite 1.3.
    pub fn new(width: u16, height: u16) -> Self {
        Self {
            size: [width, height],
            depth: 32,
            flags: LAYER_OPACITY,
            speed: 100,
            transparent: 0,
            colors: 0,
            pixel: [1, 1],
            frames: Vec::new(),
        }
    }

    /// Adds a frame.
    #[must_use]
    pub fn frame(mut self, ms: u16, chunks: impl IntoIterator<Item = Chunk>) -> Self {
        self.frames.push(Frame { ms, chunks: chunks.into_iter().collect() });
        self
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        for frame in &self.frames {
            let mut chunks = Vec::new();
            for Chunk { kind, data } in &frame.chunks {
                chunks.extend((data.len() as u32 + 6).to_le_bytes());
                chunks.extend(kind.to_le_bytes());
                chunks.extend(data);
            }
            body.extend((chunks.len() as u32 + 16).to_le_bytes());
            words(&mut body, &[0xf1fa, frame.chunks.len().min(0xffff) as u16, frame.ms, 0]);
            body.extend((frame.chunks.len() as u32).to_le_bytes());
            body.extend(chunks);
        }
        let mut out = Vec::new();
        out.extend((body.len() as u32 + 128).to_le_bytes());
        words(&mut out, &[0xa5e0, self.frames.len() as u16, self.size[0], self.size[1], self.depth]);
        out.extend(self.flags.to_le_bytes());
        words(&mut out, &[self.speed, 0, 0, 0, 0]);
        out.extend([self.transparent, 0, 0, 0]);
        words(&mut out, &[self.colors]);
        out.extend(self.pixel);
        words(&mut out, &[0, 0, 16, 16]);
        out.resize(128, 0);
        out.extend(body);
        out
    }
}

impl Chunk {
    /// Returns a layer chunk.
    pub fn layer(name: &str, layer: Layer) -> Self {
        let mut data = Vec::new();
        words(&mut data, &[layer.flags, layer.kind, layer.level, 0, 0, layer.blend]);
        data.extend([layer.opacity, 0, 0, 0]);
        text(&mut data, name);
        if layer.kind == 2 {
            data.extend(layer.tileset.to_le_bytes());
        }
        Self { kind: 0x2004, data }
    }

    fn any_cel(cel: Cel, kind: u16, rest: &[u16], data: &[u8]) -> Self {
        let mut out = Vec::new();
        words(&mut out, &[cel.layer, cel.at[0] as u16, cel.at[1] as u16]);
        out.push(cel.opacity);
        words(&mut out, &[kind, cel.z as u16]);
        out.extend([0; 5]);
        words(&mut out, rest);
        out.extend(data);
        Self { kind: 0x2005, data: out }
    }

    /// Returns a cel with compressed pixels.
    pub fn cel(cel: Cel, size: [u16; 2], pixels: &[u8]) -> Self {
        Self::any_cel(cel, 2, &size, &zlib(pixels))
    }

    /// Returns a cel with `bytes` in place of compressed pixels.
    pub fn broken_cel(cel: Cel, size: [u16; 2], bytes: &[u8]) -> Self {
        Self::any_cel(cel, 2, &size, bytes)
    }

    /// Returns a cel with uncompressed pixels.
    pub fn raw_cel(cel: Cel, size: [u16; 2], pixels: &[u8]) -> Self {
        Self::any_cel(cel, 0, &size, pixels)
    }

    /// Returns a cel linked to that of another frame.
    pub fn link(cel: Cel, frame: u16) -> Self {
        Self::any_cel(cel, 1, &[frame], &[])
    }

    /// Returns a cel of an unknown type.
    pub fn odd_cel(cel: Cel, kind: u16) -> Self {
        Self::any_cel(cel, kind, &[], &[])
    }

    /// Returns a tilemap cel with Aseprite's bit masks.
    pub fn tiles(cel: Cel, size: [u16; 2], tiles: &[u32]) -> Self {
        let mut data = Vec::new();
        for mask in [0x1fff_ffff_u32, 0x8000_0000, 0x4000_0000, 0x2000_0000] {
            data.extend(mask.to_le_bytes());
        }
        data.extend([0; 10]);
        let tiles: Vec<u8> = tiles.iter().flat_map(|tile| tile.to_le_bytes()).collect();
        data.extend(zlib(&tiles));
        Self::any_cel(cel, 3, &[size[0], size[1], 32], &data)
    }

    /// Returns a tileset of `count` tiles stacked vertically.
    pub fn tileset(id: u32, flags: u32, tile: [u16; 2], count: u32, pixels: &[u8]) -> Self {
        let mut data = Vec::new();
        for number in [id, flags, count] {
            data.extend(number.to_le_bytes());
        }
        words(&mut data, &[tile[0], tile[1], 1, 0, 0, 0, 0, 0, 0, 0]);
        text(&mut data, "tiles");
        if flags & 1 != 0 {
            data.extend([0; 8]);
        }
        if flags & 2 != 0 {
            let packed = zlib(pixels);
            data.extend((packed.len() as u32).to_le_bytes());
            data.extend(packed);
        }
        Self { kind: 0x2023, data }
    }

    /// Returns a palette of `size` entries; sets `colors` from the entry `first` on. Every other entry has a name.
    pub fn palette(size: u32, first: u32, colors: &[[u8; 4]]) -> Self {
        let mut data = Vec::new();
        for number in [size, first, first + colors.len() as u32 - 1] {
            data.extend(number.to_le_bytes());
        }
        data.extend([0; 8]);
        for (index, color) in colors.iter().enumerate() {
            words(&mut data, &[(index % 2) as u16]);
            data.extend(color);
            if index % 2 == 1 {
                text(&mut data, "name");
            }
        }
        Self { kind: 0x2019, data }
    }

    /// Returns an old palette chunk: numbers of entries to skip, each followed by colours.
    pub fn old_palette(kind: u16, packets: &[(u8, &[[u8; 3]])]) -> Self {
        let mut data = Vec::new();
        words(&mut data, &[packets.len() as u16]);
        for (skip, colors) in packets {
            data.extend([*skip, colors.len() as u8]);
            data.extend(colors.as_flattened());
        }
        Self { kind, data }
    }

    /// Returns a tags chunk.
    pub fn tags(tags: &[Tag<'_>]) -> Self {
        let mut data = Vec::new();
        words(&mut data, &[tags.len() as u16, 0, 0, 0, 0]);
        for tag in tags {
            words(&mut data, &[tag.from, tag.to]);
            data.push(tag.direction);
            words(&mut data, &[tag.repeat, 0, 0, 0]);
            data.extend([1, 2, 3, 0]);
            text(&mut data, tag.name);
        }
        Self { kind: 0x2018, data }
    }

    /// Returns a chunk of any type.
    pub fn other(kind: u16, data: &[u8]) -> Self {
        Self { kind, data: data.to_vec() }
    }
}

/// Returns `count` pixels of one colour.
pub fn plain(color: [u8; 4], count: usize) -> Vec<u8> {
    [color].repeat(count).into_flattened()
}

/// Compresses bytes as a zlib stream.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn words(out: &mut Vec<u8>, words: &[u16]) {
    words.iter().for_each(|word| out.extend(word.to_le_bytes()));
}

fn text(out: &mut Vec<u8>, text: &str) {
    words(out, &[text.len() as u16]);
    out.extend(text.as_bytes());
}

/// A sprite with some of everything.
pub fn everything() -> Sprite {
    let (red, green) = ([255, 0, 0, 255], [0, 255, 0, 255]);
    let tile = [[[0; 4]; 4], [red, green, [0, 0, 255, 255], [0; 4]]].concat().into_flattened();
    let tags = [Tag { name: "go", from: 0, to: 2, direction: 2, repeat: 2 }];
    let mut sprite = Sprite::new(6, 5)
        .frame(
            100,
            [
                Chunk::other(0x2007, &[1; 16]),
                Chunk::old_palette(4, &[(0, &[[1, 2, 3]])]),
                Chunk::palette(2, 0, &[red, green]),
                Chunk::tileset(0, 6, [2, 2], 2, &tile),
                Chunk::layer("group", Layer { kind: 1, opacity: 200, ..LAYER }),
                Chunk::layer("a", Layer { level: 1, ..LAYER }),
                Chunk::layer("tiles", Layer { kind: 2, level: 1, blend: 12, ..LAYER }),
                Chunk::layer("b", Layer { blend: 9, opacity: 99, ..LAYER }),
                Chunk::tags(&tags),
                Chunk::other(0x2020, &[0; 4]),
                Chunk::cel(Cel { at: [1, 1], ..on(1) }, [3, 3], &plain([9, 200, 77, 128], 9)),
                Chunk::tiles(Cel { z: 1, ..on(2) }, [2, 2], &[1, 0x8000_0001, 0, 0x2000_0001]),
                Chunk::raw_cel(Cel { at: [-1, 0], ..on(3) }, [4, 2], &plain([90, 20, 7, 255], 8)),
                Chunk::other(0x2022, &[0; 14]),
            ],
        )
        .frame(50, [Chunk::link(Cel { at: [2, 2], ..on(1) }, 0), Chunk::link(on(2), 0)])
        .frame(70, [Chunk::cel(on(3), [6, 5], &plain([1, 2, 3, 4], 30))]);
    sprite.flags = LAYER_OPACITY | COMPOSES_GROUPS;
    sprite
}

/// Draws the canvas at one step of an animation, premultiplied.
pub fn paint(
    character: &Character,
    animation: AnimationId,
    step: u32,
    size: [u32; 2],
    filter: Filter,
) -> Vec<[u8; 4]> {
    let model = character.model();
    let (mut pose, mut list, mut picture) = (Pose::default(), DrawList::default(), Picture::default());
    let view = View::new(size[0], size[1], vec2(0.0, 0.0), 1.0);
    let cue = Cue { animation: Some(animation), position: Position::frame(step), ..Cue::default() };
    evaluate(character, &cue, &mut pose);
    list.build(model, &pose, &view);
    let settings = Settings { filter, ..Settings::default() };
    Renderer::new(model).render(model, &list, &view, settings, &mut picture);
    picture.pixels().as_chunks::<4>().0.to_vec()
}
