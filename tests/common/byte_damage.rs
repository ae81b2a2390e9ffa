//! Bytes damaged as bytes: flipped, dropped, doubled, cut, mixed with others, and exchanged for numbers that break
//! programs.

use super::random::Random;

/// What breaks programs: nothing, the largest, the smallest, and numbers that are none.
const INTERESTING: [u32; 16] = [
    0,
    1,
    0xff,
    0x7f,
    0x80,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    f32::NAN.to_bits(),
    f32::INFINITY.to_bits(),
    f32::MAX.to_bits(),
    f32::MIN_POSITIVE.to_bits(),
    (-1.0_f32).to_bits(),
];

/// Does one thing to `bytes`; `other` gives another file, whose end may follow.
pub fn damage_bytes<'a>(bytes: &mut Vec<u8>, random: &mut Random, other: impl FnOnce(&mut Random) -> &'a [u8]) {
    let at = random.below(bytes.len() + 1);
    let some = |random: &mut Random| 1 + random.below(16);
    match random.below(9) {
        // A bit, or a byte.
        0 | 1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        2 if at < bytes.len() => bytes[at] = random.next() as u8,
        3 => bytes.truncate(at),
        // New bytes, and ones that were there already.
        4 => {
            let new: Vec<u8> = (0..some(random)).map(|_| random.next() as u8).collect();
            bytes.splice(at..at, new);
        }
        5 => {
            let again = bytes[at..bytes.len().min(at + 4 * some(random))].to_vec();
            bytes.splice(at..at, again);
        }
        6 => drop(bytes.drain(at..bytes.len().min(at + some(random)))),
        // The end of another file, from the same place or any.
        7 => {
            let other = other(random);
            let from = if random.below(2) == 0 { at } else { random.below(other.len() + 1) };
            bytes.truncate(at);
            bytes.extend_from_slice(other.get(from..).unwrap_or_default());
        }
        // A number of one, two or four bytes.
        _ => {
            let number = INTERESTING[random.below(INTERESTING.len())].to_le_bytes();
            let len = (1 << random.below(3)).min(bytes.len() - at);
            bytes[at..at + len].copy_from_slice(&number[..len]);
        }
    }
}
