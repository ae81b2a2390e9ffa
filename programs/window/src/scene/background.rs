//! The background of the canvas.

use pchr::export;

/// The background of the canvas.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Background {
    /// Transparent: shown as a checkerboard, and left transparent in screenshots.
    #[default]
    Checker,
    /// An RGB colour.
    Color([u8; 3]),
}

impl From<&export::Background> for Background {
    /// Transparent backgrounds of files are shown as a checkerboard; a picture is shown over it.
    fn from(background: &export::Background) -> Self {
        match *background {
            export::Background::Transparent | export::Background::Checker(_) | export::Background::Picture(_) => {
                Self::Checker
            }
            export::Background::Color([r, g, b, _]) => Self::Color([r, g, b]),
        }
    }
}

impl Background {
    /// Returns the colour, if it is one.
    pub fn color(self) -> Option<[u8; 3]> {
        match self {
            Self::Checker => None,
            Self::Color(color) => Some(color),
        }
    }
}

/// Returns a colour as `#rrggbb`.
pub fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Returns the colour that `text` gives as `#rrggbb`.
pub fn color(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let [_, r, g, b] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([r, g, b])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_written_and_read_as_hexadecimal_digits() {
        assert_eq!(hex([1, 0xab, 255]), "#01abff");
        assert_eq!(color("#01abff"), Some([1, 0xab, 255]));
        for invalid in ["", "checker", "#", "#01abf", "01abff0", "#+1abff0", "#ééé", "#01abfg"] {
            assert_eq!(color(invalid), None, "{invalid}");
        }
    }
}
