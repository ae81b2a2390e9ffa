//! What counts as a difference.

use crate::math::Vec2;

/// How far apart two values may be that count as equal.
#[derive(Debug, Clone, Copy)]
pub struct Tolerance {
    epsilon: f32,
}

/// Eight steps of an `f32`, of its own size: what a chain of a dozen bones leaves of a coordinate.
const STEPS: f64 = 1.0 / (1 << 20) as f64;

impl Tolerance {
    /// In world units. 0 and what is no positive number is exact.
    pub fn new(epsilon: f32) -> Self {
        Self { epsilon: epsilon.max(0.0) }
    }

    /// How far apart two points are, where that is too far. Finite, whatever they are; what is not a number
    /// is the same as itself.
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

    /// How far apart coordinates of that size may be.
    fn allowed(self, size: f32) -> f64 {
        // Exact is exact.
        if self.epsilon == 0.0 { 0.0 } else { f64::from(self.epsilon).max(f64::from(size) * STEPS) }
    }

    /// What weights may differ by in a mesh of that size: it moves a vertex by epsilon when the bones that pull
    /// it are that far apart.
    pub fn of_weights(self, mesh_size: f32) -> f32 {
        if self.epsilon == 0.0 { 0.0 } else { (self.epsilon / mesh_size.max(1.0)).max(STEPS as f32) }
    }

    /// Whether two rates count as the same: within a millisecond after 1,000 seconds.
    pub fn is_same_rate(self, a: f64, b: f64) -> bool {
        a == b || (self.epsilon > 0.0 && (a - b).abs() <= 1e-6 * a.abs().max(b.abs()))
    }
}

/// How far apart two coordinates are: 0 for the same infinity and for two that are not numbers.
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
    fn what_is_too_far_depends_on_the_size() {
        let tolerance = Tolerance::new(0.001);
        assert_eq!(tolerance.apart(vec2(1.0, 2.0), vec2(1.0005, 2.0)), None);
        assert_eq!(tolerance.apart(vec2(0.0, 0.0), vec2(3.0, 4.0)), Some(5.0));
        assert!(tolerance.apart(vec2(1.0, 2.0), vec2(1.002, 2.0)).is_some());
        // One step is 1/128 there.
        assert_eq!(tolerance.apart(vec2(1e5, 0.0), vec2(1e5 + 0.05, 0.0)), None);
        assert!(tolerance.apart(vec2(1e5, 0.0), vec2(1e5 + 0.5, 0.0)).is_some());
        assert!(
            Tolerance::new(0.0).apart(vec2(1e5, 0.0), vec2(f32::from_bits(1e5f32.to_bits() + 1), 0.0)).is_some()
        );
    }

    #[test]
    fn what_is_no_number_has_a_distance_all_the_same() {
        let tolerance = Tolerance::new(0.001);
        let (nan, endless) = (vec2(f32::NAN, 0.0), vec2(f32::INFINITY, 0.0));
        assert_eq!(tolerance.apart(nan, nan), None);
        assert_eq!(tolerance.apart(endless, endless), None);
        assert_eq!(tolerance.apart(nan, vec2(0.0, 0.0)), Some(f32::MAX));
        assert_eq!(tolerance.apart(endless, -endless), Some(f32::MAX));
        assert_eq!(tolerance.apart(vec2(f32::MAX, 0.0), vec2(f32::MIN, 0.0)), Some(f32::MAX));
    }
}
