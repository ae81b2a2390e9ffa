//! Image files of any size, all of one colour, written byte by byte.

use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// A PNG of zeros. `color` and `depth` are as in its header.
pub fn png([width, height]: [u32; 2], color: u8, depth: u8, interlaced: bool) -> Vec<u8> {
    let samples = match color {
        0 | 3 => 1,
        4 => 2,
        2 => 3,
        _ => 4,
    };
    let rows = |width: u32, height: u32| {
        let row = (width as usize * samples * usize::from(depth)).div_ceil(8) + 1;
        if width == 0 { 0 } else { row * height as usize }
    };
    // Left, top, distance of columns and of rows of each pass.
    let passes =
        [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];
    let of_pass = |[left, top, across, down]: [u32; 4]| {
        rows(width.saturating_sub(left).div_ceil(across), height.saturating_sub(top).div_ceil(down))
    };
    let length = if interlaced { passes.into_iter().map(of_pass).sum() } else { rows(width, height) };
    let mut data = ZlibEncoder::new(Vec::new(), Compression::fast());
    data.write_all(&vec![0; length]).expect("memory");
    png_of([width, height], color, depth, interlaced, &data.finish().expect("memory"))
}

/// A PNG with this data.
pub fn png_of([width, height]: [u32; 2], color: u8, depth: u8, interlaced: bool, data: &[u8]) -> Vec<u8> {
    let header =
        [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, color, 0, 0, interlaced.into()]].concat();
    let palette = if color == 3 { png_chunk(b"PLTE", &[1, 2, 3]) } else { Vec::new() };
    let [header, data, end] = [(b"IHDR", &header[..]), (b"IDAT", data), (b"IEND", &[])]
        .map(|(name, data): (&[u8; 4], _)| png_chunk(name, data));
    [&b"\x89PNG\r\n\x1a\n"[..], &header, &palette, &data, &end].concat()
}

pub fn png_chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(name);
    crc.update(data);
    [&(data.len() as u32).to_be_bytes()[..], name, data, &crc.sum().to_be_bytes()].concat()
}

/// A grey JPEG. `factors` are the sampling factors of the components. The first scan contains `first` components, and
/// each other component has its own.
pub fn jpeg([width, height]: [u16; 2], factors: &[[u8; 2]], first: usize, is_progressive: bool) -> Vec<u8> {
    let segment =
        |kind: u8, data: &[u8]| [&[0xff, kind][..], &(data.len() as u16 + 2).to_be_bytes(), data].concat();
    // A code of one bit: no difference to the last block, or the end of a block.
    let code = |table: u8| [&[table, 1][..], &[0; 15], &[0]].concat();
    let components: Vec<u8> = (1..).zip(factors).flat_map(|(id, [h, v])| [id, h << 4 | v, 0]).collect();
    let size = [height.to_be_bytes(), width.to_be_bytes()].concat();
    let header = [&[8], &size[..], &[factors.len() as u8], &components].concat();
    let mut file = vec![0xff, 0xd8];
    file.extend(segment(0xdb, &[&[0][..], &[1; 64]].concat()));
    file.extend(segment(if is_progressive { 0xc2 } else { 0xc0 }, &header));
    file.extend(segment(0xc4, &[code(0), code(0x10)].concat()));
    let most = |at: usize| usize::from(factors.iter().map(|factors| factors[at]).max().expect("a component"));
    let units = |side: u16, most: usize| usize::from(side).div_ceil(8 * most);
    let blocks = units(width, most(0)) * units(height, most(1));
    let others = (first..factors.len()).map(|at| at..at + 1);
    for scan in std::iter::once(0..first).chain(others) {
        let parts: Vec<u8> = scan.clone().flat_map(|at| [at as u8 + 1, 0]).collect();
        let end = if is_progressive { 0 } else { 63 };
        file.extend(segment(0xda, &[&[scan.len() as u8][..], &parts, &[0, end, 0]].concat()));
        let in_unit = |[h, v]: &[u8; 2]| usize::from(*h) * usize::from(*v);
        let count: usize = blocks * factors[scan].iter().map(in_unit).sum::<usize>();
        file.resize(file.len() + (2 * count).div_ceil(8), 0);
    }
    file.extend([0xff, 0xd9]);
    file
}

/// A file of these chunks.
pub fn webp(chunks: &[Vec<u8>]) -> Vec<u8> {
    let chunks = chunks.concat();
    [&b"RIFF"[..], &(chunks.len() as u32 + 4).to_le_bytes(), b"WEBP", &chunks].concat()
}

pub fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    [name, &(data.len() as u32).to_le_bytes()[..], data, &[0][..data.len() % 2]].concat()
}

/// The header of a file with several chunks. `flags` are 16 for alpha and 2 for an animation.
pub fn extended(flags: u8, [width, height]: [u16; 2]) -> Vec<u8> {
    let side = |side: u16| [(side - 1).to_le_bytes().to_vec(), vec![0]].concat();
    chunk(b"VP8X", &[vec![flags, 0, 0, 0], side(width), side(height)].concat())
}

/// A lossy frame in which every bit is 0, with `length` bytes or as many as it needs.
pub fn lossy([width, height]: [u16; 2], length: Option<usize>) -> Vec<u8> {
    let blocks = usize::from(width).div_ceil(16) * usize::from(height).div_ceil(16);
    // The modes are in the first part, whose length has 19 bits.
    let parts = length.map_or([16 * blocks + 256, 64 * blocks + 256], |length| [length, 0]);
    let first = ((parts[0] as u32) << 5 | 1 << 4).to_le_bytes();
    let header = [&first[..3], &[0x9d, 0x01, 0x2a], &width.to_le_bytes(), &height.to_le_bytes()].concat();
    chunk(b"VP8 ", &[header, vec![0; parts[0] + parts[1]]].concat())
}

/// A lossless frame.
pub fn lossless([width, height]: [u16; 2], has_alpha: bool) -> Vec<u8> {
    let (color, bytes) =
        if has_alpha { (image_webp::ColorType::Rgba8, 4) } else { (image_webp::ColorType::Rgb8, 3) };
    let pixels = vec![77; usize::from(width) * usize::from(height) * bytes];
    let mut file = Vec::new();
    let encoder = image_webp::WebPEncoder::new(&mut file);
    encoder.encode(&pixels, width.into(), height.into(), color).expect("a small picture");
    // Without the header of the file.
    file.split_off(12)
}

/// Losslessly compressed alpha.
pub fn alpha(size: [u16; 2]) -> Vec<u8> {
    // The chunk's header and the size are not repeated.
    chunk(b"ALPH", &[&[1][..], &lossless(size, false)[8 + 5..]].concat())
}

/// An animation whose frames have these chunks.
pub fn animated(size: [u16; 2], frames: &[Vec<u8>]) -> Vec<u8> {
    let side = |side: u16| [(side - 1).to_le_bytes().to_vec(), vec![0]].concat();
    let head = [vec![0; 6], side(size[0]), side(size[1]), vec![40, 0, 0, 0]].concat();
    let frames = frames.iter().map(|chunks| chunk(b"ANMF", &[&head[..], chunks].concat()));
    let chunks: Vec<_> = [extended(16 | 2, size), chunk(b"ANIM", &[0; 6])].into_iter().chain(frames).collect();
    webp(&chunks)
}

/// An animation of two frames, each of which is cleared before the next one.
pub fn apng([width, height]: [u16; 2]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width.into(), height.into());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_animated(2, 0).expect("two frames");
    encoder.set_dispose_op(png::DisposeOp::Background).expect("an animation");
    let mut writer = encoder.write_header().expect("memory");
    for _ in 0..2 {
        writer.write_image_data(&vec![0; usize::from(width) * usize::from(height) * 4]).expect("memory");
    }
    writer.finish().expect("memory");
    file
}

/// An animation of two frames of another size.
pub fn gif([width, height]: [u16; 2], frame: [u16; 2]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = gif::Encoder::new(&mut file, width, height, &[0, 0, 0, 9, 9, 9]).expect("memory");
    for _ in 0..2 {
        let buffer = vec![0; usize::from(frame[0]) * usize::from(frame[1])].into();
        let frame = gif::Frame { width: frame[0], height: frame[1], buffer, ..gif::Frame::default() };
        encoder.write_frame(&frame).expect("memory");
    }
    drop(encoder);
    file
}
