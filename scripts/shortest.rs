//! How the programs of `scripts/measure-speed` measure.

use std::time::Instant;

/// Returns the shortest time of a round, in microseconds.
pub fn shortest(batches: usize, rounds: usize, mut work: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        (0..rounds).for_each(|_| work());
        start.elapsed().as_secs_f64() * 1e6 / rounds as f64
    };
    (0..batches).map(time).fold(f64::INFINITY, f64::min)
}
