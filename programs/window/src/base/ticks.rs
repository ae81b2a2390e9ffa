//! Round distances between ticks and lines.

/// Returns the smallest number that is 1, 2 or 5 times a power of ten and at least `least`, between 1e-6 and 1e30.
pub fn step(least: f64) -> f64 {
    let mut power = 1.0;
    while power < least && power < 1e30 {
        power *= 10.0;
    }
    while power / 10.0 >= least && power > 1e-6 {
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
        let odd = [0.0, -1.0, f64::NAN, f64::INFINITY].map(step);
        assert!(odd.iter().all(|step| step.is_finite() && *step > 0.0), "{odd:?}");
    }
}
