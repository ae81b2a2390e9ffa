//! PNGs for tests: any colour type and depth, valid and invalid palettes, and other chunks. A PNG can be split
//! into chunks and assembled again with correct checksums.

use super::deflate;
use crate::common::random::Random;
use crate::common::zip::crc32;

/// The first bytes of every PNG.
pub const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// A chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// The type.
    pub kind: [u8; 4],
    pub data: Vec<u8>,
}

impl Chunk {
    pub fn new(kind: &[u8; 4], data: impl Into<Vec<u8>>) -> Self {
        Self { kind: *kind, data: data.into() }
    }
}

/// Returns the chunks of a PNG up to the first truncated one; `None` for other files.
pub fn chunks(bytes: &[u8]) -> Option<Vec<Chunk>> {
    let (mut chunks, mut rest) = (Vec::new(), bytes.strip_prefix(&SIGNATURE)?);
    while let Some(length) = rest.first_chunk() {
        let length = u32::from_be_bytes(*length) as usize;
        let Some(data) = length.checked_add(8).and_then(|end| rest.get(8..end)) else { break };
        chunks.push(Chunk { kind: [rest[4], rest[5], rest[6], rest[7]], data: data.to_vec() });
        rest = rest.get(length + 12..).unwrap_or_default();
    }
    Some(chunks)
}

/// Assembles a PNG from chunks.
pub fn png(chunks: &[Chunk]) -> Vec<u8> {
    let mut bytes = SIGNATURE.to_vec();
    for Chunk { kind, data } in chunks {
        let named = [&kind[..], data].concat();
        bytes.extend((data.len() as u32).to_be_bytes());
        bytes.extend(&named);
        bytes.extend(crc32(&named).to_be_bytes());
    }
    bytes
}

/// The header.
#[derive(Debug, Clone, Copy)]
pub struct Header {
    pub width: u32,
    pub height: u32,
    pub depth: u8,
    pub color: u8,
    pub is_interlaced: bool,
}

/// Greyscale, RGB, indexed, greyscale with alpha, RGBA.
const COLORS: [u8; 5] = [0, 2, 3, 4, 6];

/// First column and row of each pass of an interlaced image, and the steps.
const PASSES: [[u32; 4]; 7] =
    [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];

impl Header {
    /// Returns a valid header of an image with sides of up to nine pixels.
    pub fn any(random: &mut Random) -> Self {
        let color = COLORS[random.below(5)];
        let depths: &[u8] = match color {
            0 => &[1, 2, 4, 8, 16],
            3 => &[1, 2, 4, 8],
            _ => &[8, 16],
        };
        Self {
            width: 1 + random.below(9) as u32,
            height: 1 + random.below(9) as u32,
            depth: depths[random.below(depths.len())],
            color,
            is_interlaced: random.below(2) == 0,
        }
    }

    pub fn chunk(&self) -> Chunk {
        let Self { width, height, depth, color, is_interlaced } = *self;
        let sides = [width.to_be_bytes(), height.to_be_bytes()];
        Chunk::new(b"IHDR", [sides.as_flattened(), &[depth, color, 0, 0, u8::from(is_interlaced)]].concat())
    }

    /// Returns the sizes of the rows in bytes, including the filter byte.
    fn rows(&self) -> Vec<usize> {
        let channels = [1, 0, 3, 1, 2, 0, 4][usize::from(self.color)];
        let row = |width: u32| 1 + (width as usize * channels * usize::from(self.depth)).div_ceil(8);
        if !self.is_interlaced {
            return vec![row(self.width); self.height as usize];
        }
        let left = |size: u32, first: u32, step: u32| size.saturating_sub(first).div_ceil(step);
        let pass = |&[x, y, across, down]: &[u32; 4]| {
            let (width, height) = (left(self.width, x, across), left(self.height, y, down));
            vec![row(width); if width == 0 { 0 } else { height as usize }]
        };
        PASSES.iter().flat_map(pass).collect()
    }

    /// Returns random rows with filters.
    pub fn pixels(&self, random: &mut Random) -> Vec<u8> {
        let mut bytes = Vec::new();
        for row in self.rows() {
            bytes.push(random.below(5) as u8);
            bytes.extend((1..row).map(|_| random.next() as u8));
        }
        bytes
    }
}

/// Returns a random PNG. Half of them are valid.
pub fn any(random: &mut Random) -> Vec<u8> {
    let header = Header::any(random);
    let is_fine = random.below(2) == 0;
    let mut chunks = vec![header.chunk()];
    if header.color == 3 {
        chunks.push(palette(is_fine.then_some(1 << header.depth), random));
    }
    if random.below(3) == 0 {
        chunks.push(transparency(&header, is_fine, random));
    }
    if !is_fine {
        (0..random.below(3)).for_each(|_| chunks.push(extra(random)));
    }
    let mut pixels = header.pixels(random);
    if !is_fine && random.below(4) == 0 {
        pixels.resize(random.below(2 * pixels.len() + 1), 0);
    }
    chunks.push(Chunk::new(b"IDAT", deflate::stored(&pixels)));
    if !is_fine {
        (0..random.below(2)).for_each(|_| chunks.push(extra(random)));
    }
    chunks.push(Chunk::new(b"IEND", []));
    png(&chunks)
}

/// Returns a palette of up to `colors`, or of any length: not a multiple of 3, empty, too long.
pub fn palette(colors: Option<usize>, random: &mut Random) -> Chunk {
    const ODD: [usize; 10] = [0, 1, 2, 4, 5, 767, 768, 769, 771, 1000];
    let length = match colors {
        Some(colors) => 3 * (1 + random.below(colors)),
        None if random.below(2) == 0 => ODD[random.below(ODD.len())],
        None => random.below(24),
    };
    Chunk::new(b"PLTE", any_bytes(length, random))
}

/// Returns a transparency chunk with the length required by the header, or with any length.
pub fn transparency(header: &Header, is_fine: bool, random: &mut Random) -> Chunk {
    let fitting = match header.color {
        0 => 2,
        2 => 6,
        _ => 1,
    };
    Chunk::new(b"tRNS", any_bytes(if is_fine { fitting } else { random.below(12) }, random))
}

/// Returns an ancillary chunk: profiles and texts that are bombs, animations, numbers of the wrong length.
pub fn extra(random: &mut Random) -> Chunk {
    let bomb = |random: &mut Random| deflate::bomb([100, 5_000, 4 << 20][random.below(3)]);
    match random.below(9) {
        0 => Chunk::new(b"iCCP", [&b"profile\0\0"[..], &bomb(random)].concat()),
        1 => Chunk::new(b"iCCP", any_bytes_below(24, random)),
        2 => Chunk::new(b"zTXt", [&b"Comment\0\0"[..], &bomb(random)].concat()),
        3 => Chunk::new(b"iTXt", [&b"pchr:sheet\0\x01\0\0\0"[..], &bomb(random)].concat()),
        4 => Chunk::new(b"acTL", [0, 0, 0, random.below(4) as u8, 0, 0, 0, 0]),
        5 => {
            let sides = [random.below(10) as u32, 1, 1, 0, 0].map(u32::to_be_bytes);
            Chunk::new(b"fcTL", [sides.as_flattened(), &[0, 0, 0, 1, random.below(4) as u8, 1]].concat())
        }
        6 => Chunk::new(b"fdAT", [&[0, 0, 0, 1][..], &deflate::stored(&any_bytes_below(40, random))].concat()),
        7 => Chunk::new(b"PLTE", any_bytes_below(12, random)),
        _ => {
            const KINDS: [&[u8; 4]; 9] =
                [b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"bKGD", b"pHYs", b"tIME", b"tEXt", b"eXIf"];
            Chunk::new(KINDS[random.below(KINDS.len())], any_bytes_below(36, random))
        }
    }
}

fn any_bytes(length: usize, random: &mut Random) -> Vec<u8> {
    (0..length).map(|_| random.next() as u8).collect()
}

fn any_bytes_below(length: usize, random: &mut Random) -> Vec<u8> {
    let length = random.below(length);
    any_bytes(length, random)
}
