//! Reduction of per-frame values to keys with linear interpolation.

/// Returns the frames to keep as keys: the first, the last and as few others as keep all values within `tolerance`
/// of linear interpolation. Between two keys no value changes by `reach` or more, unless the keys are adjacent
/// frames.
///
/// The last key is omitted if the value does not change after the one before it.
pub fn kept<const N: usize>(values: &[[f64; N]], tolerance: [f64; N], reach: [f64; N]) -> Vec<usize> {
    let mut kept = Vec::new();
    if values.is_empty() {
        return kept;
    }
    let mut from = 0;
    kept.push(from);
    while from + 1 < values.len() {
        from = end_of_line(values, from, tolerance, reach);
        kept.push(from);
    }
    if let [.., before, last] = kept[..]
        && (0..N).all(|i| (values[last][i] - values[before][i]).abs() <= tolerance[i])
    {
        kept.pop();
    }
    kept
}

/// Returns the last frame that a line from `from` can reach while it passes all values between within `tolerance`.
fn end_of_line<const N: usize>(values: &[[f64; N]], from: usize, tolerance: [f64; N], reach: [f64; N]) -> usize {
    // The range of slopes for which the line passes all values so far within the tolerance.
    let (mut least, mut most) = ([f64::NEG_INFINITY; N], [f64::INFINITY; N]);
    let mut end = from + 1;
    for (at, value) in values.iter().enumerate().skip(from + 1) {
        let run = (at - from) as f64;
        let rise: [f64; N] = std::array::from_fn(|i| value[i] - values[from][i]);
        let fits = |i: usize| least[i] <= rise[i] / run && rise[i] / run <= most[i] && rise[i].abs() < reach[i];
        if (0..N).all(fits) {
            end = at;
        } else if at > from + 1 {
            break;
        }
        for i in 0..N {
            least[i] = least[i].max((rise[i] - tolerance[i]) / run);
            most[i] = most[i].min((rise[i] + tolerance[i]) / run);
        }
    }
    end
}

/// Returns the frames at which `values` change, including the first; empty if all are equal to `rest`.
pub fn steps<T: PartialEq>(values: &[T], rest: &T) -> Vec<usize> {
    if values.iter().all(|value| value == rest) {
        return Vec::new();
    }
    (0..values.len()).filter(|&at| at == 0 || values[at] != values[at - 1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAR: [f64; 1] = [f64::INFINITY];

    /// Returns the largest deviation of linear interpolation between the kept values.
    fn worst(values: &[[f64; 1]], kept: &[usize]) -> f64 {
        let error = |at: usize| {
            let before = *kept.iter().rfind(|&&key| key <= at).unwrap();
            let line = match kept.iter().find(|&&key| key > at) {
                Some(&after) => {
                    let share = (at - before) as f64 / (after - before) as f64;
                    values[before][0] + (values[after][0] - values[before][0]) * share
                }
                None => values[before][0],
            };
            (line - values[at][0]).abs()
        };
        (0..values.len()).map(error).fold(0.0, f64::max)
    }

    #[test]
    fn straight_lines_only_need_their_ends() {
        let values: Vec<[f64; 1]> = (0..100).map(|at| [f64::from(if at < 40 { at } else { 80 - at })]).collect();
        assert_eq!(kept(&values, [1e-9], FAR), [0, 40, 99]);
        assert_eq!(kept(&[[1.0]; 9], [1e-9], FAR), [0]);
        assert_eq!(kept(&[[1.0]], [1e-9], FAR), [0]);
        assert!(kept::<1>(&[], [1e-9], FAR).is_empty());
        assert_eq!(kept(&[[0.0], [0.0], [5.0], [5.0], [5.0]], [1e-9], FAR), [0, 1, 2]);
        // A turn of 180° or more would be interpolated the other way.
        let turning: Vec<[f64; 1]> = (0..=36).map(|at| [f64::from(at) * 10.0]).collect();
        assert_eq!(kept(&turning, [1e-9], [180.0]), [0, 17, 34, 36]);
    }

    #[test]
    fn deviations_are_within_the_tolerance() {
        let mut random = 7u32;
        let mut next = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(random >> 8) / f64::from(1u32 << 24)
        };
        for round in 0..200 {
            let mut value = 0.0;
            let mut slope = 0.0;
            let step = |_| {
                if next() < 0.1 {
                    slope = next() * 4.0 - 2.0;
                }
                value += slope;
                [value + next() * 0.02]
            };
            let values: Vec<[f64; 1]> = (0..60).map(step).collect();
            let kept = kept(&values, [0.02], FAR);
            // Both ends of a line are exact.
            assert!(worst(&values, &kept) <= 0.02 + 1e-12, "round {round}: {kept:?}");
            assert!(kept.len() < values.len(), "round {round}: nothing was left out");
        }
    }

    #[test]
    fn steps_are_where_values_change() {
        assert_eq!(steps(&[1, 1, 2, 2, 1], &1), [0, 2, 4]);
        assert!(steps(&[1, 1], &1).is_empty());
        assert_eq!(steps(&[2, 2], &1), [0]);
    }
}
