//! The share of the x scale of a physics constraint since 4.3. Its number also states the mode of the y scale.

use crate::formats::spine::schema::{Number, ScaleYMode};

/// Digits after the point that make a difference.
const DIGITS: usize = 9;

/// The number that is stored for a share and a mode.
pub fn stored(Number(scale_x): Number, mode: ScaleYMode) -> Number {
    Number(match mode {
        ScaleYMode::None => scale_x,
        ScaleYMode::Uniform => -1.0 - scale_x,
        ScaleYMode::Volume => -2.0 - scale_x,
    })
}

/// The share and the mode of a stored number. If several shares have it, the one with the fewest digits, so that 0.7
/// stays 0.7.
pub fn of_stored(number: Number) -> (Number, ScaleYMode) {
    let mode = match number.0 {
        -2.0..0.0 => ScaleYMode::Uniform,
        ..-2.0 => ScaleYMode::Volume,
        _ => return (number, ScaleYMode::None),
    };
    // Subtracting twice gives the share again.
    let share = stored(number, mode);
    let mut rounded = (0..=DIGITS).filter_map(|digits| format!("{:.digits$}", share.0).parse().ok().map(Number));
    (rounded.find(|it| stored(*it, mode) == number).unwrap_or(share), mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_keeps_its_digits_and_its_mode() {
        for share in [0.7, 1.0, 0.1, 0.33, 0.123_456_7, 0.9] {
            for mode in [ScaleYMode::None, ScaleYMode::Uniform, ScaleYMode::Volume] {
                assert_eq!(of_stored(stored(Number(share), mode)), (Number(share), mode));
            }
        }
        assert_eq!(of_stored(Number(-1.0)), (Number(0.0), ScaleYMode::Uniform));
        assert_eq!(of_stored(Number(-2.0)), (Number(1.0), ScaleYMode::Uniform));
        assert_eq!(of_stored(Number(0.0)), (Number(0.0), ScaleYMode::None));
    }
}
