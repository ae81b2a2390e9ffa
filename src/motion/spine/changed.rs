//! The values that fading animations change, kept in memory that evaluations reuse.

use std::ops::Range;

/// The values that fading animations have changed so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fade {
    /// By any animation.
    pub changed: Bits,
    /// By tracks below the current one.
    pub below: Bits,
    /// By animations that are not being replaced.
    pub kept: Bits,
    /// Slots whose attachment was set by an animation that is being replaced.
    pub loose: Vec<Loose>,
}

/// A slot whose attachment was set by an animation that is being replaced, and the number of that value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loose {
    pub slot: u32,
    pub number: u32,
}

impl Fade {
    pub fn clear(&mut self) {
        self.changed.0.clear();
        self.below.0.clear();
        self.kept.0.clear();
        self.loose.clear();
    }
}

/// A set of numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// Returns false if the set already contains all `numbers`.
    pub fn insert_all(&mut self, numbers: Range<u32>) -> bool {
        let mut is_new = false;
        for number in numbers {
            is_new |= self.insert(number);
        }
        is_new
    }

    /// Returns false if the set already contains `number`.
    pub fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Copies `others` into this set, reusing its memory.
    pub fn set(&mut self, others: &Self) {
        self.0.clone_from(&others.0);
    }

    pub fn contains_any(&self, mut numbers: Range<u32>) -> bool {
        numbers.any(|number| self.contains(number))
    }

    pub fn contains(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }
}
