//! Trigonometry with results that are identical on every machine, and exact at multiples of 90°.

use std::f64::consts::PI;

/// Returns the sine and cosine of an angle in degrees, to within one unit in the last place.
///
/// `sin` differs between platforms; this uses only arithmetic that IEEE 754 defines exactly.
#[inline]
pub fn sin_cos_degrees(degrees: f32) -> (f32, f32) {
    let (sin, cos) = sin_cos_degrees_f64(degrees.into());
    (sin as f32, cos as f32)
}

/// Returns the sine and cosine of an angle in degrees, to within 1e-11.
///
/// The angle must be finite. Beyond a billion degrees it is first reduced modulo 360°, exactly.
#[inline]
pub fn sin_cos_degrees_f64(mut degrees: f64) -> (f64, f64) {
    if degrees.abs() > 1e9 {
        degrees %= 360.0;
    }
    // Adding and subtracting 1.5 · 2⁵² rounds to the nearest integer without a library call.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let rounded = degrees * (1.0 / 90.0) + ROUND;
    let (sin, cos) = sin_cos_eighth((degrees - (rounded - ROUND) * 90.0) * (PI / 180.0));
    // Rotate by the quarter turns: exact, and without an unpredictable branch.
    const SIN_COS: [(f64, f64); 4] = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)];
    let (quarter_sin, quarter_cos) = SIN_COS[(rounded.to_bits() & 3) as usize];
    (sin * quarter_cos + cos * quarter_sin, cos * quarter_cos - sin * quarter_sin)
}

/// Returns the sine and cosine of an angle in radians, to within 1e-11. The angle must be finite.
#[inline]
pub fn sin_cos_radians(radians: f64) -> (f64, f64) {
    sin_cos_degrees_f64(radians * (180.0 / PI))
}

/// Returns the sine and cosine for |x| ≤ π/4, by Taylor series to x¹¹ and x¹⁰: the error is below 1e-11.
///
/// Terms are summed in pairs for a shorter dependency chain.
#[inline]
fn sin_cos_eighth(x: f64) -> (f64, f64) {
    let x2 = x * x;
    let x4 = x2 * x2;
    let sin = (1.0 / 120.0 + x2 * (-1.0 / 5040.0)) + x4 * (1.0 / 362_880.0 + x2 * (-1.0 / 39_916_800.0));
    let cos = (1.0 / 24.0 + x2 * (-1.0 / 720.0)) + x4 * (1.0 / 40_320.0 + x2 * (-1.0 / 3_628_800.0));
    let x3 = x * x2;
    ((x + x3 * (-1.0 / 6.0)) + x3 * x2 * sin, (1.0 + x2 * -0.5) + x4 * cos)
}

/// Returns the direction of (`x`, `y`) in degrees, -180 to 180, to within 1e-13; 0 for the origin.
#[inline]
pub fn atan2_degrees(y: f64, x: f64) -> f64 {
    let (wide, high) = (x.abs(), y.abs());
    if high == 0.0 && x >= 0.0 {
        return 0.0;
    }
    let steep = high > wide;
    let ratio = if steep { wide / high } else { high / wide };
    let eighth = atan_of_ratio(ratio) * (180.0 / PI);
    let quarter = if steep { 90.0 - eighth } else { eighth };
    let half = if x < 0.0 { 180.0 - quarter } else { quarter };
    if y < 0.0 { -half } else { half }
}

/// Returns the direction of (`x`, `y`) in radians, -π to π, to within 1e-15; 0 for the origin.
#[inline]
pub(crate) fn atan2_radians(y: f64, x: f64) -> f64 {
    atan2_degrees(y, x) * (PI / 180.0)
}

/// Wraps an angle in radians to -π to π. Half a turn keeps its sign.
#[inline]
pub(crate) fn wrap_radians(radians: f64) -> f64 {
    if radians.abs() <= PI {
        return radians;
    }
    let turns = (radians * (0.5 / PI) + 0.5).floor();
    radians - turns * (2.0 * PI)
}

/// Returns the angle in degrees, 0 to 180, whose cosine is `cos`; `cos` is between -1 and 1.
#[inline]
pub(crate) fn acos_degrees(cos: f64) -> f64 {
    atan2_degrees(((1.0 - cos) * (1.0 + cos)).max(0.0).sqrt(), cos)
}

/// Returns the arctangent of a ratio between 0 and 1: the nearest of nine angles plus a series for the rest, at
/// most 1/16.
#[inline]
fn atan_of_ratio(ratio: f64) -> f64 {
    /// The arctangents of 0, 1/8, 2/8 and so on.
    #[expect(clippy::approx_constant, reason = "the arctangent of 1 is a quarter of pi")]
    const NEAREST: [f64; 9] = [
        0.0,
        0.124_354_994_546_761_44,
        0.244_978_663_126_864_14,
        0.358_770_670_270_572_2,
        0.463_647_609_000_806_1,
        0.558_599_315_343_562_4,
        0.643_501_108_793_284_4,
        0.718_829_999_621_624_5,
        0.785_398_163_397_448_3,
    ];
    // NaN becomes 0 here but remains NaN in `rest`. Converting to a small type takes fewer instructions.
    let nearest = ((ratio * 8.0 + 0.5) as u8).min(8);
    let tan = f64::from(nearest) / 8.0;
    let rest = (ratio - tan) / (1.0 + ratio * tan);
    let x2 = rest * rest;
    let series = 1.0 / 3.0 - x2 * (1.0 / 5.0 - x2 * (1.0 / 7.0 - x2 * (1.0 / 9.0 - x2 * (1.0 / 11.0))));
    NEAREST[usize::from(nearest)] + (rest - rest * x2 * series)
}

/// Wraps an angle in degrees to -180 (inclusive) to 180 (exclusive).
#[inline]
pub(crate) fn wrap_turn(degrees: f64) -> f64 {
    // The usual case first.
    if (-180.0..180.0).contains(&degrees) {
        return degrees;
    }
    let wrapped = wrap_degrees(degrees);
    if wrapped == 180.0 { -180.0 } else { wrapped }
}

/// Wraps an angle in degrees to -180 to 180. Half a turn keeps its sign.
#[inline]
pub fn wrap_degrees(degrees: f64) -> f64 {
    if degrees.abs() <= 180.0 {
        return degrees;
    }
    let turns = (degrees / 360.0 + 0.5).floor();
    degrees - turns * 360.0
}

/// Returns the shortest turn from `from` to `to`, in degrees.
///
/// Exactly half a turn keeps the sign of `to - from`.
#[inline]
pub(crate) fn shortest_turn_degrees(from: f32, to: f32) -> f32 {
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
    #[expect(clippy::disallowed_methods, reason = "the platform's sine is the reference here")]
    fn sines_are_within_one_unit_of_the_platforms() {
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
    #[expect(clippy::disallowed_methods, reason = "the platform's arctangent is the reference here")]
    fn directions_match_the_platforms() {
        for step in -3600..=3600 {
            let degrees = f64::from(step) * 0.05;
            let (sin, cos) = degrees.to_radians().sin_cos();
            let found = atan2_degrees(sin * 3.0, cos * 3.0);
            assert!((found - (sin * 3.0).atan2(cos * 3.0).to_degrees()).abs() < 1e-12, "{degrees}: {found}");
            assert!((acos_degrees(cos) - cos.acos().to_degrees()).abs() < 1e-6, "{degrees}");
        }
        for (y, x, expected) in [(0.0, 1.0, 0.0), (1.0, 0.0, 90.0), (-1.0, 0.0, -90.0), (0.0, -1.0, 180.0)] {
            assert_eq!(atan2_degrees(y, x), expected);
        }
        assert_eq!((atan2_degrees(0.0, 0.0), atan2_degrees(1.0, 1.0)), (0.0, 45.0));
        assert!(atan2_degrees(f64::NAN, 1.0).is_nan());
    }

    #[test]
    fn angles_wrap() {
        for (degrees, expected) in
            [(181.0, -179.0), (-181.0, 179.0), (180.0, 180.0), (-180.0, -180.0), (725.0, 5.0)]
        {
            assert_eq!(wrap_degrees(degrees), expected);
        }
        assert_eq!([180.0, -180.0, 540.0, 179.0].map(wrap_turn), [-180.0, -180.0, -180.0, 179.0]);
        assert!((wrap_radians(7.0) - (7.0 - 2.0 * PI)).abs() < 1e-15);
        assert_eq!([PI, -PI, -3.0].map(wrap_radians), [PI, -PI, -3.0]);
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
