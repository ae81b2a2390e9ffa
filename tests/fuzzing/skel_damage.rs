//! Damage to binary skeletons that changes values and not their lengths, so that the reader stays in step.

use crate::common::random::Random;

/// Big-endian, as all numbers of the format.
const FLOATS: [f32; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    360.0,
    1e-45,
    1e9,
    16_777_217.0,
    1e38,
    f32::MAX,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// Makes one change.
pub fn damage_skel(bytes: &mut [u8], random: &mut Random) {
    let length = [1, 1, 1, 4, 4, 8][random.below(6)];
    let Some(last) = bytes.len().checked_sub(length) else { return };
    let (at, other) = (random.below(last + 1), random.below(last + 1));
    match random.below(6) {
        // Not the bit with which a number of variable length continues.
        0 => bytes[at] ^= 1 << random.below(7),
        // Kinds, flags and counts.
        1 => bytes[at] = random.below(16) as u8,
        2 => bytes[at] = bytes[at].wrapping_add([1, 255][random.below(2)]),
        3 => bytes.copy_within(other..other + length, at),
        4 if length == 4 => {
            bytes[at..at + length].copy_from_slice(&FLOATS[random.below(FLOATS.len())].to_be_bytes());
        }
        _ => bytes[at] = random.next() as u8 & 0x7f,
    }
}
