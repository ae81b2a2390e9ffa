//! Frame rate → duration of each picture in whole units of the file, with rounding errors carried over.

/// Pictures per second. Always finite and positive.
#[derive(Debug, Clone, Copy)]
pub struct Rate(f64);

impl Rate {
    /// The rate of still pictures.
    const STILL: f64 = 10.0;

    /// Creates a rate of `fps` pictures per second. An animation without a rate shows each picture for 100 ms.
    pub(crate) fn new(fps: f64) -> Self {
        // The range that formats can represent: from a picture in three hours to a million per second.
        Self(if fps > 0.0 { fps.clamp(1e-4, 1e6) } else { Self::STILL })
    }

    /// Returns the duration of picture `index`, in units of 1/`units` second. Rounding errors are carried over:
    /// the sum is never off by more than half a unit.
    pub(crate) fn duration(self, index: usize, units: f64) -> u64 {
        let start = |index: usize| (index as f64 * units / self.0 + 0.5).floor() as u64;
        start(index.saturating_add(1)).saturating_sub(start(index))
    }

    /// Returns true if the rate exceeds `units` per second.
    pub(crate) fn is_above(self, units: f64) -> bool {
        self.0 > units
    }

    /// Returns the rate as the simplest fraction that is equal in single precision.
    pub(crate) fn fraction(self) -> (u64, u64) {
        let (mut before, mut last) = ((0, 1), (1, 0));
        let mut rest = self.0;
        loop {
            let whole = rest.floor();
            let next = (whole as u64 * last.0 + before.0, whole as u64 * last.1 + before.1);
            let off = (next.0 as f64 / next.1 as f64 - self.0).abs();
            if next.1 > 1_000_000 {
                return last;
            }
            if off <= self.0 * 6e-8 {
                return next;
            }
            (before, last) = (last, next);
            rest = 1.0 / (rest - whole);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_errors_are_carried_over() {
        let of = |fps, units, count| (0..count).map(|i| Rate::new(fps).duration(i, units)).collect::<Vec<_>>();
        assert_eq!(of(30.0, 100.0, 6), [3, 4, 3, 3, 4, 3]);
        assert_eq!(of(24.0, 100.0, 24).iter().sum::<u64>(), 100);
        assert_eq!(of(24.0, 1000.0, 3), [42, 41, 42]);
        assert_eq!(of(60.0, 1000.0, 3600).iter().sum::<u64>(), 60_000);
        assert_eq!(of(0.0, 100.0, 2), [10, 10]);
    }

    #[test]
    fn rates_are_simple_fractions() {
        for (fps, fraction) in [
            (24.0, (24, 1)),
            (12.5, (25, 2)),
            (30_000.0 / 1001.0, (30_000, 1001)),
            (f64::from(29.97f32), (2997, 100)),
            (1.0 / 3.0, (1, 3)),
            (0.0, (10, 1)),
            (f64::NAN, (10, 1)),
            (f64::INFINITY, (1_000_000, 1)),
            (1e-300, (1, 10_000)),
        ] {
            assert_eq!(Rate::new(fps).fraction(), fraction, "{fps}");
        }
    }
}
