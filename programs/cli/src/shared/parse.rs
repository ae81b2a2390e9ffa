//! Parsers for the values of reading and comparing options.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use pchr::formats::{BindPose, Grid, Missing, MovieClips, PageAlpha};
use pchr::limits::Limits;

/// Parses a rate in frames per second.
pub fn fps(text: &str) -> Result<f64, String> {
    let parsed = text.parse().ok().filter(|fps: &f64| fps.is_finite() && (0.001..=1000.0).contains(fps));
    parsed.ok_or_else(|| "expected a number from 0.001 to 1000".to_owned())
}

/// Parses a tolerance: finite and not negative.
pub fn tolerance(text: &str) -> Result<f32, String> {
    let parsed = text.parse().ok().filter(|tolerance: &f32| tolerance.is_finite() && *tolerance >= 0.0);
    // Adding 0 turns -0 into 0.
    parsed.map(|tolerance| tolerance + 0.0).ok_or_else(|| "expected 0 or a positive number".to_owned())
}

/// Parses `auto` or `NAME[:FRAME]`.
pub fn bind_pose(text: &str) -> Result<BindPose, String> {
    if text == "auto" {
        return Ok(BindPose::Auto);
    }
    let frame = |name: &str, frame| BindPose::Frame { animation: name.to_owned(), frame };
    match text.rsplit_once(':').and_then(|(name, number)| Some((name, number.parse().ok()?))) {
        Some((name, number)) => Ok(frame(name, number)),
        None => Ok(frame(text, 0)),
    }
}

/// Parses what pictures show of missing images.
pub fn missing() -> impl TypedValueParser<Value = Missing> {
    word(Missing::ALL, |missing| (missing.name(), missing.about()))
}

/// Parses whether the colours of images are premultiplied.
pub fn page_alpha() -> impl TypedValueParser<Value = PageAlpha> {
    word(PageAlpha::ALL, |alpha| (alpha.name(), alpha.about()))
}

/// Parses which frame movie clips show.
pub fn movie_clips() -> impl TypedValueParser<Value = MovieClips> {
    word(MovieClips::ALL, |clips| (clips.name(), clips.about()))
}

/// Parses one of `values`, whose names and descriptions `row` returns.
fn word<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [T; N],
    row: fn(T) -> (&'static str, &'static str),
) -> impl TypedValueParser<Value = T> {
    let words = values.map(|value| PossibleValue::new(row(value).0).help(row(value).1));
    let named = move |name: String| values.into_iter().find(|value| row(*value).0 == name).ok_or("unknown name");
    PossibleValuesParser::new(words).try_map(named)
}

/// Parses `WxH[+MARGIN[+SPACING]][:COUNT]`.
pub fn grid(text: &str) -> Result<Grid, String> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|&number| number > 0);
    let parsed = || {
        let (size, count) = match text.split_once(':') {
            Some((size, count)) => (size, Some(number(count)?)),
            None => (text, None),
        };
        let (size, gaps) = size.split_once('+').unwrap_or((size, "0"));
        let (margin, spacing) = gaps.split_once('+').unwrap_or((gaps, "0"));
        let (margin, spacing) = (margin.parse().ok()?, spacing.parse().ok()?);
        let (width, height) = size.split_once('x')?;
        Some(Grid { width: number(width)?, height: number(height)?, count, margin, spacing })
    };
    parsed().ok_or_else(|| {
        "expected a frame size such as 64x48, with the margin and the spacing in pixels, such as 64x48+1+2, or with a \
         count, such as 64x48:14"
            .to_owned()
    })
}

/// Parses `NAME=VALUE`; the value may end in `k`, `M` or `G`, powers of 1024.
pub fn limit(text: &str) -> Result<(String, u64), String> {
    let names = Limits::NAMES.join(", ");
    let (name, value) =
        text.split_once('=').ok_or_else(|| format!("expected NAME=VALUE; the names are {names}"))?;
    if !Limits::NAMES.contains(&name) {
        return Err(format!("unknown limit `{name}`; the names are {names}"));
    }
    let (digits, shift) = match value.as_bytes().last() {
        Some(b'k') => (&value[..value.len() - 1], 10),
        Some(b'M') => (&value[..value.len() - 1], 20),
        Some(b'G') => (&value[..value.len() - 1], 30),
        _ => (value, 0),
    };
    let value = digits.parse::<u64>().ok().and_then(|value| value.checked_mul(1 << shift));
    value
        .map(|value| (name.to_owned(), value))
        .ok_or_else(|| "expected a whole number such as 1000000 or 512M".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids() {
        let of = |count| Grid { width: 64, height: 48, count, ..Grid::default() };
        assert_eq!(grid("64x48"), Ok(of(None)));
        assert_eq!(grid("64x48:14"), Ok(of(Some(14))));
        assert_eq!(grid("64x48+1"), Ok(Grid { margin: 1, ..of(None) }));
        assert_eq!(grid("64x48+0+2:3"), Ok(Grid { spacing: 2, ..of(Some(3)) }));
        assert!(["64x48+", "64x48+-1", "64x48+1+", "64x48+1+2+3"].iter().all(|text| grid(text).is_err()));
        assert!(["", "64", "0x4", "4x", "4x4:", "4x4:0", "-4x4", "4x4x4"].iter().all(|text| grid(text).is_err()));
    }

    #[test]
    fn tolerances() {
        assert_eq!(tolerance("-0").map(f32::to_bits), Ok(0));
        assert_eq!(tolerance("0.01"), Ok(0.01));
        assert!(["", "-1", "nan", "inf", "1px", "1e99"].iter().all(|text| tolerance(text).is_err()));
    }

    #[test]
    fn limits() {
        assert_eq!(limit("pixels=2M"), Ok(("pixels".to_owned(), 2 << 20)));
        assert!(
            ["pixels", "pixel=1", "pixels=", "pixels=99999999999G", "pixels=-1"].iter().all(|t| limit(t).is_err())
        );
    }
}
