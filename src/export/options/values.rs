//! Option values as text: sizes, rectangles, colours. Errors of the parsers list the accepted forms.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::area::{Fit, Padding, Size};
use super::background::{Background, BackgroundFit, BackgroundPicture};
use super::contact_grid::ContactGrid;
use super::sheet::SheetOptions;
use super::template::Template;
use crate::formats::image;
use crate::math::color::hex;
use crate::math::{Rect, Vec2, vec2};

/// Parses `WxH`, `Wx`, `xH`, `N` or `native`.
pub(crate) fn size(text: &str) -> Result<Size, String> {
    let side = |text: &str| text.parse::<u32>().ok().filter(|&side| side > 0);
    let parsed = match text.split_once('x') {
        _ if text == "native" => Some(Size::Native),
        Some((width, "")) => side(width).map(Size::Width),
        Some(("", height)) => side(height).map(Size::Height),
        Some((width, height)) => side(width).zip(side(height)).map(|(width, height)| Size::Exact(width, height)),
        None => side(text).map(|side| Size::Exact(side, side)),
    };
    parsed.ok_or_else(|| "expected 640x480, 640x, x480, 512 or native".to_owned())
}

/// Parses `N` pixels or `N%`.
pub(crate) fn padding(text: &str) -> Result<Padding, String> {
    let parsed = match text.strip_suffix('%') {
        Some(percent) => {
            percent.parse().ok().filter(|percent| (0.0..=1000.0).contains(percent)).map(Padding::Percent)
        }
        None => text.parse().ok().map(Padding::Pixels),
    };
    parsed.ok_or_else(|| {
        "expected a number of pixels such as 8, or a percentage of the longer side such as 5%".to_owned()
    })
}

/// Parses `animation`, `frame`, `all` or `X,Y,W,H`.
pub(crate) fn fit(text: &str) -> Result<Fit, String> {
    match text {
        "animation" => Ok(Fit::Animation),
        "frame" => Ok(Fit::Frame),
        "all" => Ok(Fit::All),
        _ => rectangle(text).map(Fit::Rect).ok_or_else(|| {
            "expected animation, frame, all, or X,Y,W,H: the lower-left corner and the size in world pixels"
                .to_owned()
        }),
    }
}

fn rectangle(text: &str) -> Option<Rect> {
    let numbers: Option<Vec<f32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers?[..] {
        [x, y, width, height] => {
            let rect = Rect::from_min_size(vec2(x, y), vec2(width, height));
            (!rect.is_empty() && rect.min.is_finite() && rect.max.is_finite()).then_some(rect)
        }
        _ => None,
    }
}

/// Parses `X,Y`.
pub(crate) fn direction(text: &str) -> Result<Vec2, String> {
    pair(text).ok_or_else(|| "expected a direction such as 3,0 or -1,0.5".to_owned())
}

/// Parses a value for which `is_valid` is true.
fn value<T: FromStr>(text: &str, is_valid: impl Fn(&T) -> bool, expected: &str) -> Result<T, String> {
    text.parse().ok().filter(is_valid).ok_or_else(|| format!("expected {expected}"))
}

/// Parses a finite number.
pub(crate) fn number(text: &str) -> Result<f32, String> {
    value(text, |number: &f32| number.is_finite(), "a number such as -1 or 0.5")
}

/// Parses a positive factor.
pub fn factor(text: &str) -> Result<f32, String> {
    value(text, |factor: &f32| factor.is_finite() && *factor > 0.0, "a number above 0")
}

/// Maximum number of threads. No machine has more cores, and the system may refuse to start more.
const MAX_JOBS: usize = 1024;

/// Parses a number of jobs.
pub fn jobs(text: &str) -> Result<usize, String> {
    value(text, |jobs| *jobs <= MAX_JOBS, &format!("a number up to {MAX_JOBS}, or 0 for one per core"))
}

/// Parses a number of plays.
pub(crate) fn loops(text: &str) -> Result<u16, String> {
    value(text, |_| true, &format!("the number of plays, up to {}, or 0 to loop forever", u16::MAX))
}

/// Parses a positive count.
pub(crate) fn count(text: &str) -> Result<u32, String> {
    value(text, |count| *count > 0, "a whole number above 0")
}

/// Parses a small distance in pixels.
pub(crate) fn few_pixels(text: &str) -> Result<u32, String> {
    pixels(text, 0, SheetOptions::FEW_PIXELS)
}

/// Parses the maximum side of a sheet.
pub(crate) fn sheet_size(text: &str) -> Result<u32, String> {
    pixels(text, 1, SheetOptions::LARGEST)
}

fn pixels(text: &str, least: u32, most: u32) -> Result<u32, String> {
    let expected = format!("a number of pixels from {least} to {most}");
    value(text, |pixels| (least..=most).contains(pixels), &expected)
}

/// Parses `COLSxROWS`, `COLSx` or `xROWS`.
pub(crate) fn contact_grid(text: &str) -> Result<ContactGrid, String> {
    value(text, |_| true, &ContactGrid::expected())
}

/// Parses `on` or `off`.
pub fn switch() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|text| text == "on")
}

/// Parses a finite time in seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    value(text, |seconds: &f64| seconds.is_finite(), "a time in seconds, such as 0.25")
}

/// Parses `transparent`, a colour, `checker[:N]`, or the path of a picture: it has a separator or the extension of an image.
pub(crate) fn background(text: &str) -> Result<Background, String> {
    let checker = |size: &str| size.parse().ok().filter(|&size| size > 0).map(Background::Checker);
    let picture = || is_picture(text).then(|| Background::Picture(BackgroundPicture::new(text)));
    let parsed = match text {
        "transparent" => Some(Background::Transparent),
        "checker" => Some(Background::Checker(8)),
        _ => match text.strip_prefix("checker:") {
            Some(size) => checker(size),
            None => color(text).map(Background::Color),
        },
    };
    parsed.or_else(picture).ok_or_else(|| {
        "expected transparent, checker, checker:16, a colour such as #fff, #3366cc, #3366cc80, white, or a picture such \
        as room.png, ./room"
            .to_owned()
    })
}

/// Returns true for a path rather than a name.
fn is_picture(text: &str) -> bool {
    let extension = Path::new(text).extension().unwrap_or_default();
    text.contains(std::path::is_separator)
        || image::EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Parses `cover`, `contain`, `tile` or `X,Y,W,H`.
pub(crate) fn background_fit(text: &str) -> Result<BackgroundFit, String> {
    match text {
        "cover" => Ok(BackgroundFit::Cover),
        "contain" => Ok(BackgroundFit::Contain),
        "tile" => Ok(BackgroundFit::Tile),
        _ => rectangle(text).map(BackgroundFit::Rect).ok_or_else(|| {
            "expected cover, contain, tile, or X,Y,W,H: the lower-left corner and the size in world pixels"
                .to_owned()
        }),
    }
}

/// Parses a number from 0 to 1.
pub(crate) fn opacity(text: &str) -> Result<f32, String> {
    value(text, |opacity| (0.0..=1.0).contains(opacity), "a number from 0 to 1")
}

/// Parses a whole number of either sign.
pub(crate) fn whole(text: &str) -> Result<i32, String> {
    value(text, |_| true, "a whole number such as -1")
}

/// Parses a place, `X,Y`.
pub(crate) fn point(text: &str) -> Result<Vec2, String> {
    pair(text).ok_or_else(|| "expected X,Y in pixels, y up, such as 120,-40".to_owned())
}

fn pair(text: &str) -> Option<Vec2> {
    let (x, y) = text.split_once(',')?;
    Some(vec2(number(x.trim()).ok()?, number(y.trim()).ok()?))
}

/// Parses a colour that something is multiplied by.
pub(crate) fn tint(text: &str) -> Result<[u8; 4], String> {
    color(text).ok_or_else(|| "expected a colour such as #fff, #3366cc80, white".to_owned())
}

/// Parses an opaque colour.
pub(crate) fn matte(text: &str) -> Result<[u8; 3], String> {
    match color(text) {
        Some([r, g, b, 255]) => Ok([r, g, b]),
        _ => Err("expected an opaque colour such as #fff, #3366cc, white".to_owned()),
    }
}

/// Parses a CSS 1 colour name or a hexadecimal colour.
fn color(text: &str) -> Option<[u8; 4]> {
    let named = match text.to_ascii_lowercase().as_str() {
        "black" => "000000",
        "silver" => "c0c0c0",
        "gray" | "grey" => "808080",
        "white" => "ffffff",
        "maroon" => "800000",
        "red" => "ff0000",
        "purple" => "800080",
        "fuchsia" | "magenta" => "ff00ff",
        "green" => "008000",
        "lime" => "00ff00",
        "olive" => "808000",
        "yellow" => "ffff00",
        "navy" => "000080",
        "blue" => "0000ff",
        "teal" => "008080",
        "aqua" | "cyan" => "00ffff",
        _ => text.strip_prefix('#')?,
    };
    // `from_str_radix` accepts a sign, which a colour must not have.
    if !named.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let number = u32::from_str_radix(named, 16).ok()?;
    let twice = |shift: u32| (number >> shift & 15) as u8 * 17;
    let byte = |shift: u32| (number >> shift) as u8;
    match named.len() {
        3 => Some([twice(8), twice(4), twice(0), 255]),
        4 => Some([twice(12), twice(8), twice(4), twice(0)]),
        6 => Some([byte(16), byte(8), byte(0), 255]),
        8 => Some([byte(24), byte(16), byte(8), byte(0)]),
        _ => None,
    }
}

/// Parses an output path, which may contain placeholders, or `-`.
pub(crate) fn output_path(text: &str) -> Result<String, String> {
    match text {
        "-" => Ok(text.to_owned()),
        "" => Err("the path is empty".to_owned()),
        _ => text.parse::<Template>().map(|_| text.to_owned()).map_err(|error| error.to_string()),
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Native => f.write_str("native"),
            Self::Exact(width, height) if width == height => write!(f, "{width}"),
            Self::Exact(width, height) => write!(f, "{width}x{height}"),
            Self::Width(width) => write!(f, "{width}x"),
            Self::Height(height) => write!(f, "x{height}"),
        }
    }
}

impl fmt::Display for Padding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pixels(pixels) => write!(f, "{pixels}"),
            Self::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Animation => f.write_str("animation"),
            Self::Frame => f.write_str("frame"),
            Self::All => f.write_str("all"),
            Self::Rect(rect) => f.write_str(&corner_and_size(*rect)),
        }
    }
}

/// Returns the opposite of [`rectangle`].
fn corner_and_size(Rect { min, max }: Rect) -> String {
    format!("{},{},{},{}", min.x, min.y, side(min.x, max.x), side(min.y, max.y))
}

/// Returns a side whose sum with `min` is exactly `max`, if possible.
fn side(min: f32, max: f32) -> f32 {
    let side = max - min;
    let near = [side, side.next_up(), side.next_down(), side.next_up().next_up(), side.next_down().next_down()];
    near.into_iter().find(|side| min + side == max).unwrap_or(side)
}

impl fmt::Display for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transparent => f.write_str("transparent"),
            Self::Checker(8) => f.write_str("checker"),
            Self::Checker(size) => write!(f, "checker:{size}"),
            Self::Color([rgb @ .., 255]) => write!(f, "#{}", hex(rgb)),
            Self::Color(rgba) => write!(f, "#{}", hex(rgba)),
            Self::Picture(picture) => {
                let path = picture.path().to_string_lossy();
                // A file may have the name of a colour, or one without an extension.
                let is_clear = matches!(background(&path), Ok(Self::Picture(_)));
                write!(f, "{}{path}", if is_clear { "" } else { "./" })
            }
        }
    }
}

impl fmt::Display for BackgroundFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cover => f.write_str("cover"),
            Self::Contain => f.write_str("contain"),
            Self::Tile => f.write_str("tile"),
            Self::Rect(rect) => f.write_str(&corner_and_size(*rect)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("640x480"), Ok(Size::Exact(640, 480)));
        assert_eq!(size("640x"), Ok(Size::Width(640)));
        assert_eq!(size("x480"), Ok(Size::Height(480)));
        assert_eq!(size("512"), Ok(Size::Exact(512, 512)));
        assert_eq!(size("native"), Ok(Size::Native));
        assert!(["", "x", "0", "0x5", "-1x5", "axb", "1x2x3"].iter().all(|text| size(text).is_err()));
    }

    #[test]
    fn colours() {
        assert_eq!(background("#f80"), Ok(Background::Color([255, 136, 0, 255])));
        assert_eq!(background("#01020304"), Ok(Background::Color([1, 2, 3, 4])));
        assert_eq!(background("White"), Ok(Background::Color([255; 4])));
        assert_eq!(background("checker:3"), Ok(Background::Checker(3)));
        assert!(
            ["", "#", "#12", "#+12345", "#ggg", "whit", "checker:0"].iter().all(|text| background(text).is_err())
        );
    }

    #[test]
    fn directions() {
        assert_eq!(direction("3,-0.5"), Ok(vec2(3.0, -0.5)));
        assert!(["", "1", "1,2,3", "nan,0", "1,inf"].iter().all(|text| direction(text).is_err()));
    }

    #[test]
    fn rectangles() {
        let rect = Rect { min: vec2(-1.0, 2.0), max: vec2(2.0, 6.0) };
        assert_eq!(fit("-1,2,3,4"), Ok(Fit::Rect(rect)));
        assert!(
            ["", "1,2,3", "1,2,0,4", "1,2,-3,4", "nan,0,1,1", "0,0,inf,1"].iter().all(|text| fit(text).is_err())
        );
    }
}
