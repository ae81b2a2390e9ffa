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
        for (word, mask) in words(numbers) {
            if self.0.len() <= word {
                self.0.resize(word + 1, 0);
            }
            self.0[word] |= mask;
        }
    }

    pub fn insert(&mut self, number: u32) {
        self.insert_all(number..number + 1);
    }

    /// Copies `others` into this set, reusing its memory.
    pub fn set(&mut self, others: &Self) {
        self.0.clone_from(&others.0);
    }

    pub fn contains_any(&self, numbers: Range<u32>) -> bool {
        words(numbers).any(|(word, mask)| self.0.get(word).is_some_and(|word| word & mask != 0))
    }

    pub fn contains_all(&self, numbers: Range<u32>) -> bool {
        words(numbers).all(|(word, mask)| self.0.get(word).is_some_and(|word| word & mask == mask))
    }

    pub fn contains(&self, number: u32) -> bool {
        self.contains_all(number..number + 1)
    }
}

/// Returns the words of a set in which these numbers are, and their bits in each.
#[inline]
fn words(numbers: Range<u32>) -> impl Iterator<Item = (usize, u64)> {
    let Range { start, end } = numbers;
    (start / 64..end.div_ceil(64)).map(move |word| {
        let (first, after) = (start.max(word * 64), end.min(word * 64 + 64));
        let mask = u64::MAX.checked_shr(64 - after.saturating_sub(first)).unwrap_or(0) << (first % 64);
        (word as usize, mask)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_in_several_words() {
        let mut bits = Bits::default();
        bits.insert_all(62..66);
        bits.insert_all(128..192);
        let found = (0..200).filter(|number| bits.contains(*number)).collect::<Vec<_>>();
        assert_eq!(found, (62..66).chain(128..192).collect::<Vec<_>>());
        assert!(bits.contains_any(65..70) && bits.contains_any(60..63) && !bits.contains_any(66..128));
        assert!(bits.contains_all(62..66) && !bits.contains_all(62..67) && !bits.contains_all(190..300));
    }
}
