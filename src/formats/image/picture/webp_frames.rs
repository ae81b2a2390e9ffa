//! The frames in a WebP: whether they can be what their headers say, and the memory to decode them.
//!
//! A file states its size twice: the canvas, which is charged, and each lossy frame, which the decoder allocates. The
//! decoder compares the two only after it has decoded the frame, and allocates a frame before it reads it.

/// Size of a chunk header: name and length.
const CHUNK: usize = 8;
/// Size of the file header, before the chunks.
const HEAD: usize = 12;
/// Size of the header of an animation frame, before its chunks.
const FRAME: usize = 16;

/// Fails with the reason if a lossy frame is larger than `canvas`, or if its data are too few for its size.
pub fn check(bytes: &[u8], canvas: (u32, u32)) -> Result<(), String> {
    frames(bytes).try_for_each(|Frame { size: (width, height), length }| {
        if width > canvas.0 || height > canvas.1 {
            return Err(format!("a frame of {width}×{height} pixels does not fit into {}×{}", canvas.0, canvas.1));
        }
        let blocks = u64::from(width.div_ceil(16)) * u64::from(height.div_ceil(16));
        if (length as u64).saturating_mul(BLOCKS_PER_BYTE) < blocks {
            return Err(format!("{length} bytes cannot contain a frame of {width}×{height} pixels"));
        }
        Ok(())
    })
}

/// Returns an upper bound on the memory that the decoder needs per pixel besides the decoded image: for planes of
/// samples, tables of transforms, a copy with or without alpha, and the canvas and the frame of an animation.
pub fn working_bytes_per_pixel(bytes: &[u8]) -> u64 {
    let of_chunk = |(_, name)| match &name {
        b"VP8 " => 2,
        b"VP8L" => 5,
        b"ALPH" | b"ANMF" => 9,
        _ => 0,
    };
    chunks(bytes).map(of_chunk).max().unwrap_or(0)
}

/// Maximum number of blocks of 16 × 16 pixels per byte: the modes of a block take more than 2 bits, since their
/// probabilities are fixed.
const BLOCKS_PER_BYTE: u64 = 4;

/// A lossy frame.
struct Frame {
    size: (u32, u32),
    /// Number of bytes.
    length: usize,
}

/// Returns the position and name of each chunk of the file.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = (usize, [u8; 4])> {
    let mut next = Some(HEAD);
    std::iter::from_fn(move || {
        let at = next?;
        let (name, length) = chunk(bytes, at)?;
        next = (at + CHUNK).checked_add(length);
        Some((at, name))
    })
}

/// Returns the lossy frames: one, or several in an animation.
fn frames(bytes: &[u8]) -> impl Iterator<Item = Frame> {
    chunks(bytes).filter_map(|(at, name)| match &name {
        b"VP8 " => frame(bytes, at),
        b"ANMF" => of_animation(bytes, at + CHUNK + FRAME),
        _ => None,
    })
}

/// Returns the lossy frame of an animation frame whose chunks start at `at`. After an alpha chunk, the decoder decodes
/// the next chunk regardless of its name.
fn of_animation(bytes: &[u8], at: usize) -> Option<Frame> {
    match chunk(bytes, at)? {
        (name, length) if &name == b"ALPH" => frame(bytes, at.checked_add(CHUNK + length)?),
        (name, _) if &name == b"VP8 " => frame(bytes, at),
        _ => None,
    }
}

/// Returns the lossy frame in the chunk at `at`, if there is one.
fn frame(bytes: &[u8], at: usize) -> Option<Frame> {
    let (_, length) = chunk(bytes, at)?;
    let data = bytes.get(at.checked_add(CHUNK)?..)?;
    Some(Frame { size: frame_size(data)?, length: length.min(data.len()) })
}

/// Returns the name of a chunk and the size of its data, padded to an even number.
fn chunk(bytes: &[u8], at: usize) -> Option<([u8; 4], usize)> {
    let header = bytes.get(at..)?.first_chunk::<CHUNK>()?;
    let [a, b, c, d, length @ ..] = *header;
    let length = u32::from_le_bytes(length);
    Some(([a, b, c, d], length.saturating_add(length & 1) as usize))
}

/// Returns the size in the header of a lossy frame, if it has one.
fn frame_size(data: &[u8]) -> Option<(u32, u32)> {
    let [_, _, _, 0x9d, 0x01, 0x2a, size @ ..] = *data.first_chunk::<10>()? else { return None };
    let side = |low: u8, high: u8| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
    Some((side(size[0], size[1]), side(size[2], size[3])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk_of(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let padding = &[0][..data.len() % 2];
        [name, &(data.len() as u32).to_le_bytes()[..], data, padding].concat()
    }

    fn header(width: u16, height: u16) -> Vec<u8> {
        [&[0, 0, 0, 0x9d, 0x01, 0x2a][..], &width.to_le_bytes(), &height.to_le_bytes(), &[0]].concat()
    }

    fn webp(chunks: &[Vec<u8>]) -> Vec<u8> {
        [&b"RIFF\0\0\0\0WEBP"[..], &chunk_of(b"VP8X", &[0; 10]), &chunks.concat()].concat()
    }

    #[test]
    fn a_frame_larger_than_the_canvas_is_found() {
        let picture =
            |width, height| webp(&[chunk_of(b"ALPH", &[0; 3]), chunk_of(b"VP8 ", &header(width, height))]);
        assert_eq!(check(&picture(8, 4), (8, 4)), Ok(()));
        assert!(check(&picture(9, 4), (8, 4)).unwrap_err().contains("does not fit"));
        assert!(check(&picture(8, 0x3fff), (8, 4)).unwrap_err().contains("does not fit"));
        let cut = picture(9, 4);
        assert_eq!(check(&cut[..cut.len() - 4], (8, 4)), Ok(()), "the size is missing");
        assert_eq!(check(&webp(&[chunk_of(b"EXIF", &header(9, 4))]), (8, 4)), Ok(()), "no frame");
    }

    #[test]
    fn a_frame_of_an_animation_larger_than_the_canvas_is_found() {
        let animated =
            |chunks: &[Vec<u8>]| webp(&[chunk_of(b"ANMF", &[&[0; FRAME][..], &chunks.concat()].concat())]);
        assert!(
            check(&animated(&[chunk_of(b"VP8 ", &header(9, 4))]), (8, 4)).unwrap_err().contains("does not fit")
        );
        for name in [b"VP8 ", b"VP8L"] {
            let with_alpha = animated(&[chunk_of(b"ALPH", &[0; 3]), chunk_of(name, &header(8, 5))]);
            assert!(check(&with_alpha, (8, 4)).unwrap_err().contains("does not fit"));
            assert_eq!(check(&with_alpha, (8, 5)), Ok(()));
        }
    }

    #[test]
    fn lengths_beyond_the_end_end_the_search() {
        let mut bytes = webp(&[]);
        bytes.extend(b"VP8 \xff\xff\xff\xff");
        assert_eq!(check(&bytes, (8, 4)), Ok(()));
    }
}
