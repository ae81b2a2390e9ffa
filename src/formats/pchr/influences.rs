//! Any number of influences → the four of v1.

/// Returns the four largest positive weights in their order, scaled to the sum of all. Up to four influences are
/// unchanged. Shorter lists are padded with weights of 0.
pub(crate) fn largest_four(influences: &[(u16, f32)]) -> ([u16; 4], [f32; 4]) {
    if influences.len() <= 4 {
        return padded(influences);
    }
    let positive: Vec<(u16, f32)> = influences.iter().copied().filter(|&(_, weight)| weight > 0.0).collect();
    let sum = |list: &[(u16, f32)]| list.iter().map(|&(_, weight)| f64::from(weight)).sum::<f64>();
    // Of equal weights, the first ones are kept.
    let mut by_weight: Vec<usize> = (0..positive.len()).collect();
    by_weight.sort_by(|&a, &b| positive[b].1.total_cmp(&positive[a].1));
    by_weight.truncate(4);
    by_weight.sort_unstable();
    let mut chosen: Vec<(u16, f32)> = by_weight.into_iter().map(|at| positive[at]).collect();
    let factor = sum(&positive) / sum(&chosen);
    if factor.is_finite() && factor != 1.0 {
        // Weights beyond the range of v1 are clamped.
        let scaled = |weight: f32| (f64::from(weight) * factor).min(f32::MAX.into()) as f32;
        chosen.iter_mut().for_each(|(_, weight)| *weight = scaled(*weight));
    }
    padded(&chosen)
}

/// Pads up to four influences with weights of 0.
fn padded(influences: &[(u16, f32)]) -> ([u16; 4], [f32; 4]) {
    let get = |at: usize| influences.get(at).copied().unwrap_or_default();
    (std::array::from_fn(|at| get(at).0), std::array::from_fn(|at| get(at).1))
}
