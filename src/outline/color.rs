//! Colours as hexadecimal digits, as editors show them.

use crate::math::color::hex;

/// Returns `#` and two digits for each channel, from 0 to 1.
pub fn hex_of_shares(channels: &[f32]) -> String {
    let bytes: Vec<u8> = channels.iter().map(|share| (share.clamp(0.0, 1.0) * 255.0 + 0.5) as u8).collect();
    format!("#{}", hex(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_rounded_and_clamped() {
        assert_eq!(hex_of_shares(&[1.0, 0.5, -1.0, f32::NAN]), "#ff800000");
    }
}
