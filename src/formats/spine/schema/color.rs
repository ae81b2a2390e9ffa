//! Colours: 6 or 8 hexadecimal digits in JSON.

use std::borrow::Cow;

use serde::de::Deserializer;
use serde::{Deserialize, Serialize, Serializer};

use super::{Text, Value};
use crate::formats::json::parser::{self, Parser};
use crate::formats::json::pull::Pull;
use crate::math::color::hex;

/// A colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Color<'a> {
    /// Red, green, blue and alpha.
    Rgba([u8; 4]),
    /// Red, green and blue: 6 digits.
    Rgb([u8; 3]),
    /// Text that is not a colour.
    Invalid(Text<'a>),
}

impl<'de: 'a, 'a> Deserialize<'de> for Color<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Text::deserialize(deserializer).map(Self::of)
    }
}

impl<'a> Pull<'a> for Color<'a> {
    fn pull(json: &mut Parser<'a>) -> parser::Result<Self> {
        Text::pull(json).map(Self::of)
    }
}

impl<'a> Color<'a> {
    fn of(text: Text<'a>) -> Self {
        let digits = text.as_str().as_bytes();
        let color = channels(digits).map(Self::Rgba).or_else(|| channels(digits).map(Self::Rgb));
        color.unwrap_or(Self::Invalid(text))
    }

    /// Red, green, blue and alpha, which is 255 if it is not stated; otherwise the invalid text.
    pub fn rgba(&self) -> Result<[u8; 4], &str> {
        match self {
            Self::Rgba(rgba) => Ok(*rgba),
            Self::Rgb([r, g, b]) => Ok([*r, *g, *b, u8::MAX]),
            Self::Invalid(text) => Err(text.as_str()),
        }
    }

    /// Like [`Color::rgba`], `None` for invalid text.
    pub fn valid(&self) -> Option<[u8; 4]> {
        self.rgba().ok()
    }

    /// Returns 8 digits, or 6 without alpha; invalid text is unchanged.
    pub fn digits(&self, is_opaque: bool) -> Cow<'_, str> {
        match self.rgba() {
            Ok(rgba) => hex(&rgba[..if is_opaque { 3 } else { 4 }]).into(),
            Err(text) => text.into(),
        }
    }
}

impl Serialize for Color<'_> {
    /// Writes 8 digits.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.digits(false))
    }
}

/// Writes 6 digits, as dark colours have.
pub fn without_alpha<S: Serializer>(color: &Option<Color<'_>>, serializer: S) -> Result<S::Ok, S::Error> {
    color.as_ref().map(|color| color.digits(true)).serialize(serializer)
}

/// The nearest colour to some channels, and how far they are from it.
pub fn rounded(channels: &[f32]) -> (Value, f32) {
    let mut rgba = [u8::MAX; 4];
    let mut off = 0.0_f32;
    for (stored, channel) in rgba.iter_mut().zip(channels) {
        *stored = (channel.clamp(0.0, 1.0) * 255.0).round() as u8;
        off = off.max((f32::from(*stored) / 255.0 - channel).abs());
    }
    (Value::Color(rgba), off)
}

/// Parses two digits for each channel.
fn channels<const N: usize>(digits: &[u8]) -> Option<[u8; N]> {
    let mut channels = [0; N];
    if digits.len() != 2 * N {
        return None;
    }
    for (channel, [high, low]) in channels.iter_mut().zip(digits.as_chunks().0) {
        let digit = |digit: u8| char::from(digit).to_digit(16);
        *channel = (digit(*high)? * 16 + digit(*low)?) as u8;
    }
    Some(channels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_6_or_8_digits() {
        let parsed =
            |text: &str| serde_json::from_str::<Color<'_>>(&format!("{text:?}")).expect("any text").valid();
        assert_eq!(parsed("FF8000"), Some([255, 128, 0, 255]));
        assert_eq!(parsed("0a0B0c7f"), Some([10, 11, 12, 127]));
        for text in ["", "FF80", "FF80000", "FF800080a", "GG8000", "FF8000-1", "ééé"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
