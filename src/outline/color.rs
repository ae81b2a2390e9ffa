//! Colours as hexadecimal digits, as editors show them.

/// Returns two digits for each channel.
pub fn hex(channels: &[u8]) -> String {
    channels.iter().map(|channel| format!("{channel:02x}")).collect()
}

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
        assert_eq!(hex(&[0, 15, 255, 128]), "000fff80");
        assert_eq!(hex_of_shares(&[1.0, 0.5, -1.0, f32::NAN]), "#ff800000");
    }
}
