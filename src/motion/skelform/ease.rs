//! Interpolation between keys.

use crate::math::{DVec2, dvec2};

/// The y of both handles if the value stays constant until the next key.
const SNAP: f64 = 999.0;
/// The same number of iterations as in the format's own programs: the remaining error is visible.
const STEPS: usize = 5;

/// Interpolation to the next key: two handles of a curve from (0, 0) to (1, 1), with time as x and value as y.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Handles {
    pub start: DVec2,
    pub end: DVec2,
}

impl Handles {
    /// Linear. Rounded to 32 bits like the values in files.
    pub const LINEAR: Self =
        Self { start: DVec2::splat((1.0_f32 / 3.0) as f64), end: DVec2::splat((2.0_f32 / 3.0) as f64) };
    /// Slow at both ends; used for smoothing.
    pub const SMOOTH: Self = Self { start: DVec2::ZERO, end: DVec2::ZERO };
    /// Used for physics.
    pub const PHYSICS: Self = Self { start: dvec2(0.3, 0.3), end: dvec2(0.6, 0.6) };
}

/// Returns the value `now` frames after `from`, on the way to `to`, which is reached after `span` frames.
#[inline]
pub(super) fn ease(now: f64, span: f64, from: f64, to: f64, handles: Handles) -> f64 {
    Easing::default().ease(now, span, from, to, handles)
}

/// Eases values one after the other and caches the last share: keys of many values are at the same frames. The cache
/// starts empty, because no real span is 0.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Easing {
    now: f64,
    span: f64,
    handles: Handles,
    share: f64,
}

impl Easing {
    /// Like [`ease`].
    #[inline]
    pub fn ease(&mut self, now: f64, span: f64, from: f64, to: f64, handles: Handles) -> f64 {
        if handles.start.y == SNAP && handles.end.y == SNAP {
            return from;
        }
        if span == 0.0 || now >= span {
            return to;
        }
        // Equal values need no interpolation; NaN is not equal to itself.
        if from == to {
            return from;
        }
        if now != self.now || span != self.span || handles != self.handles {
            *self = Self { now, span, handles, share: share(now / span, handles) };
        }
        from + (to - from) * self.share
    }
}

/// Returns the share of the change that is done after share `x` of the time.
fn share(x: f64, Handles { start, end }: Handles) -> f64 {
    let mut t = x;
    for _ in 0..STEPS {
        let slope = slope(t, start.x, end.x);
        if slope.abs() < 1e-5 {
            break;
        }
        t = (t - (bezier(t, start.x, end.x) - x) / slope).clamp(0.0, 1.0);
    }
    bezier(t, start.y, end.y)
}

/// Evaluates the cubic Bézier curve with control values 0, `p`, `q` and 1.
#[inline]
fn bezier(t: f64, p: f64, q: f64) -> f64 {
    let rest = 1.0 - t;
    3.0 * rest * rest * t * p + 3.0 * rest * t * t * q + t * t * t
}

#[inline]
fn slope(t: f64, p: f64, q: f64) -> f64 {
    let rest = 1.0 - t;
    3.0 * rest * rest * p + 6.0 * rest * t * (q - p) + 3.0 * t * t * (1.0 - q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_easing_is_exact() {
        for step in 0..=10 {
            let now = f64::from(step);
            assert!((ease(now, 10.0, 5.0, 25.0, Handles::LINEAR) - (5.0 + 2.0 * now)).abs() < 1e-12, "{step}");
        }
    }

    #[test]
    fn five_steps_leave_an_error() {
        // The exact solution for these handles is a straight line.
        let found = ease(1.0, 49.0, 0.0, 1.0, Handles::SMOOTH);
        assert!((found - 1.0 / 49.0).abs() > 1e-3 && (found - 1.0 / 49.0).abs() < 3e-3, "{found}");
    }

    #[test]
    fn snapping_keeps_the_value_and_ends_are_exact() {
        let snap = Handles { start: dvec2(999.0, 999.0), end: dvec2(999.0, 999.0) };
        assert_eq!(ease(9.9, 10.0, 1.0, 2.0, snap), 1.0);
        assert_eq!(ease(0.0, 0.0, 1.0, 2.0, Handles::LINEAR), 2.0);
        assert_eq!(ease(12.0, 10.0, 1.0, 2.0, Handles::LINEAR), 2.0);
    }
}
