//! Reproducible pseudo-random numbers.

/// Number of ways in which to damage each file: `PCHR_MUTATIONS`, or what takes seconds.
pub fn ways() -> u64 {
    let default = if cfg!(debug_assertions) { 100 } else { 500 };
    std::env::var("PCHR_MUTATIONS").map_or(default, |ways| ways.parse().expect("PCHR_MUTATIONS is a number"))
}

/// A SplitMix64 generator.
pub struct Random(pub u64);

impl Random {
    /// Returns any number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `bound` - 1.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Returns a number from `from` to `to`.
    pub fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }
}

/// Moves the channels of visible pixels by at most `most`, as lossy compression does.
pub fn noisy(pixels: &[[u8; 4]], most: usize) -> Vec<[u8; 4]> {
    let mut random = Random(7);
    let mut moved =
        |value: u8| (usize::from(value) + random.below(2 * most + 1)).saturating_sub(most).min(255) as u8;
    let mut pixel =
        |[r, g, b, alpha]: [u8; 4]| if alpha == 0 { [r, g, b, 0] } else { [moved(r), moved(g), moved(b), alpha] };
    pixels.iter().map(|found| pixel(*found)).collect()
}
