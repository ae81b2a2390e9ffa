//! Round distances between ticks and lines.

/// Returns the smallest number that is 1, 2 or 5 times a power of ten and at least `least`, between 1e-6 and 1e22; 1 if
/// `least` is NaN.
pub fn step(least: f64) -> f64 {
    // Larger powers of ten are not exact.
    let least = least.clamp(1e-6, 1e22);
    let mut power = 1.0;
    while power < least {
        power *= 10.0;
    }
    while power / 10.0 >= least {
        power /= 10.0;
    }
    [power / 5.0, power / 2.0].into_iter().find(|&step| step >= least).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_the_next_round_numbers() {
        for (least, expected) in
            [(1.0, 1.0), (1.1, 2.0), (2.0, 2.0), (3.0, 5.0), (7.0, 10.0), (11.0, 20.0), (430.0, 500.0), (0.3, 0.5)]
        {
            assert_eq!(step(least), expected, "{least}");
        }
        for (least, expected) in [(0.07, 0.1), (0.03, 0.05), (0.9, 1.0)] {
            assert!((step(least) - expected).abs() < 1e-12, "{least}");
        }
        for (least, expected) in [(0.0, 1e-6), (-1.0, 1e-6), (f64::INFINITY, 1e22), (f64::NAN, 1.0)] {
            let found = step(least);
            assert!((found / expected - 1.0).abs() < 1e-9, "{least}: {found}");
        }
    }
}
