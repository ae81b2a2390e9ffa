//! `--shard I/N`: which characters of a run belong to one of several machines.

use std::collections::BinaryHeap;

/// One of `count` equal parts of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// This part, from 1.
    pub number: u32,
    /// The number of parts.
    pub count: u32,
}

/// Maximum number of shards.
pub const MAX_COUNT: u32 = 100_000;

/// Parses `I/N`.
pub fn parse(text: &str) -> Result<Shard, String> {
    let parsed = || {
        let (number, count) = text.split_once('/')?;
        let digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit()).then(|| text.parse().ok())?;
        let shard = Shard { number: digits(number)?, count: digits(count)? };
        ((1..=shard.count).contains(&shard.number) && shard.count <= MAX_COUNT).then_some(shard)
    };
    parsed().ok_or_else(|| format!("expected I/N, from 1/N to N/N, with N up to {MAX_COUNT}, such as 2/4"))
}

impl Shard {
    /// Returns whether each of the characters with these amounts of work belongs to this shard. All shards compute the
    /// same: the largest come first, each to the shard that has the least.
    pub fn share(self, work: &[u64]) -> Vec<bool> {
        let mut order: Vec<usize> = (0..work.len()).collect();
        order.sort_by_key(|&index| (std::cmp::Reverse(work[index]), index));
        // The shard with the least work, then with the lowest number.
        let mut shards: BinaryHeap<_> =
            (1..=self.count).map(|number| std::cmp::Reverse((0_u64, number))).collect();
        let mut is_own = vec![false; work.len()];
        for index in order {
            let Some(std::cmp::Reverse((done, number))) = shards.pop() else { break };
            is_own[index] = number == self.number;
            shards.push(std::cmp::Reverse((done.saturating_add(work[index]), number)));
        }
        is_own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_belongs_to_one_shard_and_all_have_about_as_much_work() {
        let work: Vec<u64> = (0..50).map(|index| 1 + index * 7919 % 13).collect();
        let shares: Vec<Vec<bool>> =
            (1..=7).map(|number| parse(&format!("{number}/7")).unwrap().share(&work)).collect();
        assert!((0..50).all(|index| shares.iter().filter(|share| share[index]).count() == 1));
        let total =
            |share: &Vec<bool>| work.iter().zip(share).filter(|(_, own)| **own).map(|(work, _)| work).sum::<u64>();
        let totals: Vec<u64> = shares.iter().map(total).collect();
        assert!(totals.iter().max().unwrap() - totals.iter().min().unwrap() <= 13, "{totals:?}");
        assert_eq!(parse("1/1").unwrap().share(&work), [true; 50]);
        assert_eq!(parse("3/7").unwrap().share(&[5]), [false]);
    }

    #[test]
    fn parts_that_do_not_exist_are_rejected() {
        for text in
            ["", "1", "/", "0/2", "3/2", "1/0", "-1/2", "+1/2", "1/2/3", "1/ 2", "1/100001", "1/4294967296"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
