//! The sizes of the lossy frames in a WebP, from their headers.
//!
//! A file states its size twice: the canvas, which is charged, and each frame, which the decoder allocates. The
//! decoder compares the two only after it has decoded the frame.

/// Size of a chunk header: name and length.
const CHUNK: usize = 8;
/// Size of the file header, before the chunks.
const HEAD: usize = 12;
/// Size of the header of an animation frame, before its chunks.
const FRAME: usize = 16;

/// Returns the width and height of the first frame that is larger than `canvas`, if any.
pub fn too_large(bytes: &[u8], canvas: (u32, u32)) -> Option<(u32, u32)> {
    let is_larger = |&(width, height): &(u32, u32)| width > canvas.0 || height > canvas.1;
    let mut at = HEAD;
    while let Some((name, length)) = chunk(bytes, at) {
        let data = at + CHUNK;
        let of_chunk = match &name {
            b"VP8 " => frame_size(bytes, data),
            b"ANMF" => of_animation(bytes, data + FRAME),
            _ => None,
        };
        if let Some(size) = of_chunk.filter(is_larger) {
            return Some(size);
        }
        at = data.checked_add(length)?;
    }
    None
}

/// Returns the size of the animation frame whose chunks start at `at`. After an alpha chunk, the decoder decodes
/// the next chunk regardless of its name.
fn of_animation(bytes: &[u8], at: usize) -> Option<(u32, u32)> {
    match chunk(bytes, at)? {
        (name, length) if &name == b"ALPH" => frame_size(bytes, at.checked_add(2 * CHUNK + length)?),
        (name, _) if &name == b"VP8 " => frame_size(bytes, at + CHUNK),
        _ => None,
    }
}

/// Returns the name of a chunk and the size of its data, padded to an even number.
fn chunk(bytes: &[u8], at: usize) -> Option<([u8; 4], usize)> {
    let header = bytes.get(at..)?.first_chunk::<CHUNK>()?;
    let [a, b, c, d, length @ ..] = *header;
    let length = u32::from_le_bytes(length);
    Some(([a, b, c, d], length.saturating_add(length & 1) as usize))
}

/// Returns the size in the header of the lossy frame at `at`, if there is one.
fn frame_size(bytes: &[u8], at: usize) -> Option<(u32, u32)> {
    let [_, _, _, 0x9d, 0x01, 0x2a, size @ ..] = *bytes.get(at..)?.first_chunk::<10>()? else { return None };
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

    fn frame(width: u16, height: u16) -> Vec<u8> {
        [&[0, 0, 0, 0x9d, 0x01, 0x2a][..], &width.to_le_bytes(), &height.to_le_bytes(), &[0]].concat()
    }

    fn webp(chunks: &[Vec<u8>]) -> Vec<u8> {
        [&b"RIFF\0\0\0\0WEBP"[..], &chunk_of(b"VP8X", &[0; 10]), &chunks.concat()].concat()
    }

    #[test]
    fn a_frame_larger_than_the_canvas_is_found() {
        let picture =
            |width, height| webp(&[chunk_of(b"ALPH", &[0; 3]), chunk_of(b"VP8 ", &frame(width, height))]);
        assert_eq!(too_large(&picture(8, 4), (8, 4)), None);
        assert_eq!(too_large(&picture(9, 4), (8, 4)), Some((9, 4)));
        assert_eq!(too_large(&picture(8, 0x3fff), (8, 4)), Some((8, 0x3fff)));
        let cut = picture(9, 4);
        assert_eq!(too_large(&cut[..cut.len() - 4], (8, 4)), None, "the size is missing");
        assert_eq!(too_large(&webp(&[chunk_of(b"EXIF", &frame(9, 4))]), (8, 4)), None, "no frame");
    }

    #[test]
    fn a_frame_of_an_animation_larger_than_the_canvas_is_found() {
        let animated =
            |chunks: &[Vec<u8>]| webp(&[chunk_of(b"ANMF", &[&[0; FRAME][..], &chunks.concat()].concat())]);
        assert_eq!(too_large(&animated(&[chunk_of(b"VP8 ", &frame(9, 4))]), (8, 4)), Some((9, 4)));
        for name in [b"VP8 ", b"VP8L"] {
            let with_alpha = animated(&[chunk_of(b"ALPH", &[0; 3]), chunk_of(name, &frame(8, 5))]);
            assert_eq!(too_large(&with_alpha, (8, 4)), Some((8, 5)));
            assert_eq!(too_large(&with_alpha, (8, 5)), None);
        }
    }

    #[test]
    fn lengths_beyond_the_end_end_the_search() {
        let mut bytes = webp(&[]);
        bytes.extend(b"VP8 \xff\xff\xff\xff");
        assert_eq!(too_large(&bytes, (8, 4)), None);
    }
}
