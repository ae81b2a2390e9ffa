//! The tolerance of the comparison.

use crate::math::Vec2;

/// Decides which values are equal.
#[derive(Debug, Clone, Copy)]
pub struct Tolerance {
    epsilon: f32,
}

/// Eight steps of an `f32`, relative to its value: the rounding error after a chain of a dozen bones.
const STEPS: f64 = 1.0 / (1 << 20) as f64;

impl Tolerance {
    /// Creates a tolerance in world units. 0, negative values and NaN compare exactly.
    pub fn new(epsilon: f32) -> Self {
        Self { epsilon: epsilon.max(0.0) }
    }

    /// Returns the distance of two points if it exceeds the tolerance. The distance is always finite. NaN equals
    /// NaN.
    #[inline]
    pub fn apart(self, a: Vec2, b: Vec2) -> Option<f32> {
        if a == b {
            return None;
        }
        let (x, y) = (gap(a.x, b.x), gap(a.y, b.y));
        let distance = (x * x + y * y).sqrt();
        let size =
            [a.x, a.y, b.x, b.y].into_iter().filter(|c| c.is_finite()).fold(0.0, |size: f32, c| size.max(c.abs()));
        (distance > self.allowed(size)).then(|| (distance as f32).min(f32::MAX))
    }

    /// Returns the tolerance for coordinates of this magnitude.
    fn allowed(self, size: f32) -> f64 {
        // No minimum in exact mode.
        if self.epsilon == 0.0 { 0.0 } else { f64::from(self.epsilon).max(f64::from(size) * STEPS) }
    }

    /// Returns the tolerance of weights in a mesh of this size: a difference that moves a vertex by epsilon if its
    /// bones are one mesh size apart.
    pub fn of_weights(self, mesh_size: f32) -> f32 {
        if self.epsilon == 0.0 { 0.0 } else { (self.epsilon / mesh_size.max(1.0)).max(STEPS as f32) }
    }

    /// Returns true if two rates are equal: they deviate by less than a millisecond in 1,000 seconds.
    pub fn is_same_rate(self, a: f64, b: f64) -> bool {
        a == b || (self.epsilon > 0.0 && (a - b).abs() <= 1e-6 * a.abs().max(b.abs()))
    }
}

/// Returns the distance of two coordinates: 0 for equal infinities and for two NaN.
#[inline]
fn gap(a: f32, b: f32) -> f64 {
    if a == b || (a.is_nan() && b.is_nan()) {
        return 0.0;
    }
    let gap = (f64::from(a) - f64::from(b)).abs();
    if gap.is_nan() { f64::INFINITY } else { gap }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec2;

    #[test]
    fn the_tolerance_depends_on_the_magnitude() {
        let tolerance = Tolerance::new(0.001);
        assert_eq!(tolerance.apart(vec2(1.0, 2.0), vec2(1.0005, 2.0)), None);
        assert_eq!(tolerance.apart(vec2(0.0, 0.0), vec2(3.0, 4.0)), Some(5.0));
        assert!(tolerance.apart(vec2(1.0, 2.0), vec2(1.002, 2.0)).is_some());
        // A step of an `f32` is 1/128 here.
        assert_eq!(tolerance.apart(vec2(1e5, 0.0), vec2(1e5 + 0.05, 0.0)), None);
        assert!(tolerance.apart(vec2(1e5, 0.0), vec2(1e5 + 0.5, 0.0)).is_some());
        assert!(
            Tolerance::new(0.0).apart(vec2(1e5, 0.0), vec2(f32::from_bits(1e5f32.to_bits() + 1), 0.0)).is_some()
        );
    }

    #[test]
    fn the_distance_of_nan_and_infinity_is_finite() {
        let tolerance = Tolerance::new(0.001);
        let (nan, endless) = (vec2(f32::NAN, 0.0), vec2(f32::INFINITY, 0.0));
        assert_eq!(tolerance.apart(nan, nan), None);
        assert_eq!(tolerance.apart(endless, endless), None);
        assert_eq!(tolerance.apart(nan, vec2(0.0, 0.0)), Some(f32::MAX));
        assert_eq!(tolerance.apart(endless, -endless), Some(f32::MAX));
        assert_eq!(tolerance.apart(vec2(f32::MAX, 0.0), vec2(f32::MIN, 0.0)), Some(f32::MAX));
    }
}
