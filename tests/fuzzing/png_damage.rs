//! Structural damage to PNGs: chunks are changed, dropped, duplicated and moved with correct checksums, so that
//! the damage is not already detected by the checksum.
//!
//! Input is any bytes; a new PNG is made if they are not a PNG.

use super::deflate;
use super::mutators::AsBytes;
use super::pngs::{Chunk, Header, any, chunks, extra, palette, png, transparency};
use crate::common::random::Random;

/// Header values that are invalid, large, or inconsistent with the pixels.
const NUMBERS: [u8; 8] = [0, 1, 2, 3, 4, 8, 16, 255];

/// Returns a changed PNG.
pub fn damage_png(bytes: &[u8], random: &mut Random, as_bytes: &mut AsBytes<'_>) -> Vec<u8> {
    let Some(mut chunks) = chunks(bytes).filter(|chunks| !chunks.is_empty() && random.below(24) > 0) else {
        return any(random);
    };
    damage_chunks(&mut chunks, random, as_bytes);
    let mut bytes = png(&chunks);
    match random.below(24) {
        0 => bytes.truncate(random.below(bytes.len())),
        // This can change checksums and lengths too.
        1 => {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        _ => {}
    }
    bytes
}

fn damage_chunks(chunks: &mut Vec<Chunk>, random: &mut Random, as_bytes: &mut AsBytes<'_>) {
    let (at, other) = (random.below(chunks.len()), random.below(chunks.len()));
    match random.below(12) {
        0 => header(&mut chunks[0], random),
        1 => put(chunks, *b"PLTE", palette(None, random)),
        2 => put(chunks, *b"tRNS", transparency(&Header::any(random), false, random)),
        3 => drop(chunks.remove(at)),
        4 => chunks.insert(at, chunks[other].clone()),
        5 => chunks.swap(at, other),
        6 => chunks.insert(at + 1, extra(random)),
        7 => split(chunks, at, random),
        8 => pixels(chunks, random, as_bytes),
        9 => behind_the_pixels(chunks, random),
        10 => chunks[at].kind = chunks[other].kind,
        _ => {
            let most = chunks[at].data.len() + 64;
            as_bytes(&mut chunks[at].data, most);
        }
    }
}

fn header(chunk: &mut Chunk, random: &mut Random) {
    if random.below(2) == 0 {
        *chunk = Header::any(random).chunk();
    } else if let Some(byte) = chunk.data.get_mut([2, 3, 6, 7, 8, 9, 10, 11, 12][random.below(9)]) {
        *byte = NUMBERS[random.below(NUMBERS.len())];
    }
}

/// Replaces a chunk, or inserts it at its usual place.
fn put(chunks: &mut Vec<Chunk>, kind: [u8; 4], chunk: Chunk) {
    match chunks.iter().position(|chunk| chunk.kind == kind) {
        Some(at) => chunks[at] = chunk,
        None => chunks.insert(1, chunk),
    }
}

/// Splits a chunk into two of the same type.
fn split(chunks: &mut Vec<Chunk>, at: usize, random: &mut Random) {
    let Chunk { kind, data } = &mut chunks[at];
    let (kind, rest) = (*kind, data.split_off(random.below(data.len() + 1)));
    chunks.insert(at + 1, Chunk { kind, data: rest });
}

/// Changes the decompressed rows.
fn pixels(chunks: &mut [Chunk], random: &mut Random, as_bytes: &mut AsBytes<'_>) {
    let Some(chunk) = chunks.iter_mut().find(|chunk| &chunk.kind == b"IDAT") else { return };
    let Some(mut rows) = deflate::unstored(&chunk.data) else { return };
    match random.below(4) {
        0 => rows.truncate(random.below(rows.len() + 1)),
        1 => rows.resize(rows.len() + random.below(4096), 0),
        _ => {
            let most = rows.len() + 64;
            as_bytes(&mut rows, most);
        }
    }
    chunk.data = deflate::stored(&rows);
}

/// Adds more data than there are pixels: after the stream, or compressed a thousandfold.
fn behind_the_pixels(chunks: &mut [Chunk], random: &mut Random) {
    let Some(chunk) = chunks.iter_mut().rev().find(|chunk| &chunk.kind == b"IDAT") else { return };
    match random.below(2) {
        0 => chunk.data.extend((0..random.below(40)).map(|_| random.next() as u8)),
        _ => chunk.data = deflate::bomb([5_000, 4 << 20][random.below(2)]),
    }
}
