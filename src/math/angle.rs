//! Sine and cosine that are the same on every machine, and exact at multiples of 90°.

use std::f64::consts::PI;

/// Sine and cosine of an angle in degrees, to within one unit in the last place.
///
/// A platform's `sin` may differ from the next one's; this uses only arithmetic that IEEE 754 fixes.
#[inline]
pub fn sin_cos_degrees(degrees: f32) -> (f32, f32) {
    let (sin, cos) = sin_cos_degrees_f64(degrees.into());
    (sin as f32, cos as f32)
}

/// Sine and cosine of an angle in degrees, to within 1e-11.
///
/// The angle is finite; one beyond a billion degrees is taken modulo 360° first, exactly.
#[inline]
pub fn sin_cos_degrees_f64(mut degrees: f64) -> (f64, f64) {
    if degrees.abs() > 1e9 {
        degrees %= 360.0;
    }
    // Adding and taking away 1.5 · 2⁵² rounds to the nearest whole number without a library call.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let rounded = degrees * (1.0 / 90.0) + ROUND;
    let (sin, cos) = sin_cos_eighth((degrees - (rounded - ROUND) * 90.0) * (PI / 180.0));
    // Turned on by whole quarters: exact, and no branch that no processor could foresee.
    const SIN_COS: [(f64, f64); 4] = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)];
    let (quarter_sin, quarter_cos) = SIN_COS[(rounded.to_bits() & 3) as usize];
    (sin * quarter_cos + cos * quarter_sin, cos * quarter_cos - sin * quarter_sin)
}

/// Sine and cosine for |x| ≤ π/4, by Taylor's series to x¹¹ and x¹⁰: the error is below 1e-11.
///
/// Summed in pairs, which wait for each other less than one after the other.
#[inline]
fn sin_cos_eighth(x: f64) -> (f64, f64) {
    let x2 = x * x;
    let x4 = x2 * x2;
    let sin = (1.0 / 120.0 + x2 * (-1.0 / 5040.0)) + x4 * (1.0 / 362_880.0 + x2 * (-1.0 / 39_916_800.0));
    let cos = (1.0 / 24.0 + x2 * (-1.0 / 720.0)) + x4 * (1.0 / 40_320.0 + x2 * (-1.0 / 3_628_800.0));
    let x3 = x * x2;
    ((x + x3 * (-1.0 / 6.0)) + x3 * x2 * sin, (1.0 + x2 * -0.5) + x4 * cos)
}

/// The angle of `to` nearest to `from`, both in degrees: adding it to `from` turns the short way round.
///
/// Exactly half a turn goes the way that the numbers do.
#[inline]
pub fn shortest_turn_degrees(from: f32, to: f32) -> f32 {
    let turn = to - from;
    if turn.abs() <= 540.0 {
        return turn - if turn.abs() > 180.0 { 360.0_f32.copysign(turn) } else { 0.0 };
    }
    let turn = turn % 360.0;
    if turn > 180.0 {
        turn - 360.0
    } else if turn < -180.0 {
        turn + 360.0
    } else {
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_are_exact() {
        for (degrees, expected) in [
            (0.0, (0.0, 1.0)),
            (90.0, (1.0, 0.0)),
            (-90.0, (-1.0, 0.0)),
            (180.0, (0.0, -1.0)),
            (270.0, (-1.0, 0.0)),
            (360.0e6, (0.0, 1.0)),
            (-630.0, (1.0, 0.0)),
        ] {
            assert_eq!(sin_cos_degrees(degrees), expected, "{degrees}°");
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the platform's own sine is the judge here")]
    fn within_one_unit_of_the_platforms_own() {
        for step in -200_000..200_000 {
            let degrees = step as f32 * 0.0371;
            let (sin, cos) = sin_cos_degrees(degrees);
            let radians = f64::from(degrees).to_radians();
            // One unit in the last place of a number below 1 is at most 6e-8.
            assert!((f64::from(sin) - radians.sin()).abs() < 6e-8, "sin {degrees}°");
            assert!((f64::from(cos) - radians.cos()).abs() < 6e-8, "cos {degrees}°");
        }
    }

    #[test]
    fn huge_angles_stay_finite() {
        let (sin, cos) = sin_cos_degrees(f32::MAX);
        assert!((sin * sin + cos * cos - 1.0).abs() < 1e-6);
    }

    #[test]
    fn turns_take_the_short_way() {
        assert_eq!(shortest_turn_degrees(350.0, 10.0), 20.0);
        assert_eq!(shortest_turn_degrees(10.0, 350.0), -20.0);
        assert_eq!(shortest_turn_degrees(0.0, 180.0), 180.0);
        assert_eq!(shortest_turn_degrees(0.0, -180.0), -180.0);
        assert_eq!(shortest_turn_degrees(0.0, 540.0), 180.0);
        assert_eq!(shortest_turn_degrees(0.0, 541.0), -179.0);
        assert_eq!(shortest_turn_degrees(0.0, -541.0), 179.0);
        assert_eq!(shortest_turn_degrees(-720.0, 720.0), 0.0);
    }
}
