//! Sets of numbers, in memory that evaluations reuse.

use std::ops::Range;

/// What slots show because of animations on tracks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shown {
    /// Slots whose attachment was set by an animation that acts on it.
    pub kept: Bits,
    /// Slots that return to rest unless they are among the others.
    pub loose: Vec<u32>,
}

impl Shown {
    /// Takes memory for a number of slots, so that no later pose does.
    pub fn reserve(&mut self, slots: usize) {
        self.kept.0.reserve(slots.div_ceil(64));
        self.loose.reserve(slots);
    }

    pub fn clear(&mut self) {
        self.kept.clear();
        self.loose.clear();
    }
}

/// A set of numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn insert_all(&mut self, numbers: Range<u32>) {
        for number in numbers {
            self.insert(number);
        }
    }

    pub fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    /// Copies `others` into this set, reusing its memory.
    pub fn set(&mut self, others: &Self) {
        self.0.clone_from(&others.0);
    }

    pub fn contains_any(&self, mut numbers: Range<u32>) -> bool {
        numbers.any(|number| self.contains(number))
    }

    pub fn contains_all(&self, mut numbers: Range<u32>) -> bool {
        numbers.all(|number| self.contains(number))
    }

    pub fn contains(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }
}
