//! Damages bytes regardless of format: flips, drops, duplicates and truncates them, splices in other files, and
//! inserts extreme numbers.

use super::random::Random;

/// Numbers that break programs: zero, minimum and maximum values, and NaN.
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

/// Applies one damage to `bytes`. `other` returns another file, whose tail may be spliced in.
pub fn damage_bytes<'a>(bytes: &mut Vec<u8>, random: &mut Random, other: impl FnOnce(&mut Random) -> &'a [u8]) {
    let at = random.below(bytes.len() + 1);
    let some = |random: &mut Random| 1 + random.below(16);
    match random.below(9) {
        // Flip a bit, or replace a byte.
        0 | 1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        2 if at < bytes.len() => bytes[at] = random.next() as u8,
        3 => bytes.truncate(at),
        // Insert random bytes, or repeat existing ones.
        4 => {
            let new: Vec<u8> = (0..some(random)).map(|_| random.next() as u8).collect();
            bytes.splice(at..at, new);
        }
        5 => {
            let again = bytes[at..bytes.len().min(at + 4 * some(random))].to_vec();
            bytes.splice(at..at, again);
        }
        6 => drop(bytes.drain(at..bytes.len().min(at + some(random)))),
        // Append the tail of another file, from the same or a random offset.
        7 => {
            let other = other(random);
            let from = if random.below(2) == 0 { at } else { random.below(other.len() + 1) };
            bytes.truncate(at);
            bytes.extend_from_slice(other.get(from..).unwrap_or_default());
        }
        // Overwrite one, two or four bytes with a number.
        _ => {
            let number = INTERESTING[random.below(INTERESTING.len())].to_le_bytes();
            let len = (1 << random.below(3)).min(bytes.len() - at);
            bytes[at..at + len].copy_from_slice(&number[..len]);
        }
    }
}
