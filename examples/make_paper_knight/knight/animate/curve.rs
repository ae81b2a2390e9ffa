//! Values over time.

use pchr::math::angle::sin_cos_degrees_f64;

/// A sine wave; `t` counts turns.
pub fn wave(t: f64) -> f64 {
    sin_cos_degrees_f64(t * 360.0).0
}

/// A smooth curve through keys of time and value without overshoot; constant beyond both ends.
pub fn keys(t: f64, keys: &[(f64, f64)]) -> f64 {
    let Some(next) = keys.iter().position(|key| key.0 > t) else { return keys[keys.len() - 1].1 };
    if next == 0 {
        return keys[0].1;
    }
    let ((t0, v0), (t1, v1)) = (keys[next - 1], keys[next]);
    let span = t1 - t0;
    let (m0, m1) = (slope(keys, next - 1) * span, slope(keys, next) * span);
    let s = (t - t0) / span;
    let (s2, s3) = (s * s, s * s * s);
    v0 * (2.0 * s3 - 3.0 * s2 + 1.0) + m0 * (s3 - 2.0 * s2 + s) + v1 * (3.0 * s2 - 2.0 * s3) + m1 * (s3 - s2)
}

/// Returns the harmonic mean of both neighbouring slopes; 0 at extremes and at the ends.
fn slope(keys: &[(f64, f64)], i: usize) -> f64 {
    if i == 0 || i + 1 == keys.len() {
        return 0.0;
    }
    let between = |a: (f64, f64), b: (f64, f64)| (b.1 - a.1) / (b.0 - a.0);
    let (before, after) = (between(keys[i - 1], keys[i]), between(keys[i], keys[i + 1]));
    if before * after <= 0.0 { 0.0 } else { 2.0 * before * after / (before + after) }
}

/// Returns the direction of a vector in degrees, from the x axis.
///
/// Uses Newton's method from the nearest quarter turn, since `atan2` differs between platforms.
pub fn direction([x, y]: [f64; 2]) -> f64 {
    let length = (x * x + y * y).sqrt();
    let mut degrees = if x.abs() >= y.abs() {
        if x >= 0.0 { 0.0 } else { 180.0 }
    } else if y >= 0.0 {
        90.0
    } else {
        -90.0
    };
    for _ in 0..6 {
        let (sin, cos) = sin_cos_degrees_f64(degrees);
        degrees += ((cos * y - sin * x) / length).to_degrees();
    }
    degrees
}
