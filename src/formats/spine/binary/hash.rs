//! The hash of a skeleton: eight bytes in binaries of 4.0 and later, text in JSON. The text is the Base64 form of the
//! bytes, without padding.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Number of digits of eight bytes: ten for 60 bits, and one for the last four.
const LEN: usize = 11;

/// The bits of the last digit that are not used.
const UNUSED: u32 = 2;

/// The text of a hash; `None` if all bytes are zero, which means that there is no hash.
pub fn text(bytes: [u8; 8]) -> Option<String> {
    let bits = u128::from(u64::from_be_bytes(bytes)) << UNUSED;
    let digit = |at: usize| char::from(DIGITS[(bits >> (6 * (LEN - 1 - at)) & 63) as usize]);
    (bits != 0).then(|| (0..LEN).map(digit).collect())
}

/// The bytes of a hash; zeros if the text does not represent eight bytes.
#[cfg(feature = "convert")]
pub fn bytes(text: &str) -> [u8; 8] {
    let value = |digit: u8| DIGITS.iter().position(|it| *it == digit);
    let bits = text.bytes().try_fold(0_u128, |bits, digit| {
        // Longer text is refused below; the highest bits do not matter.
        value(digit).map(|value| bits << 6 | value as u128)
    });
    let bits = bits.filter(|bits| text.len() == LEN && bits.trailing_zeros() >= UNUSED);
    bits.map_or([0; 8], |bits| ((bits >> UNUSED) as u64).to_be_bytes())
}

#[cfg(test)]
#[cfg(feature = "convert")]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_base64_without_padding() {
        for (hash, expected) in [
            ([0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef], "ASNFZ4mrze8"),
            ([0xff; 8], "//////////8"),
            ([0, 0, 0, 0, 0, 0, 0, 1], "AAAAAAAAAAE"),
        ] {
            assert_eq!(text(hash).as_deref(), Some(expected));
            assert_eq!(bytes(expected), hash);
        }
    }

    #[test]
    fn other_text_is_no_hash() {
        assert_eq!(text([0; 8]), None);
        for other in ["", "ASNFZ4mrze", "ASNFZ4mrze8=", "ASNFZ4mrze9", "ASNFZ4mrz e", "é", &"A".repeat(100)] {
            assert_eq!(bytes(other), [0; 8], "{other}");
        }
    }
}
