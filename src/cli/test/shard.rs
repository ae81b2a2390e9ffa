//! `--shard I/N`: which pictures of a run belong to one of several machines.

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
    /// Returns true if the picture or character `index` belongs to this shard.
    pub fn contains(self, index: usize) -> bool {
        index % self.count as usize == self.number as usize - 1
    }

    /// Returns the indices below `end` of this shard.
    pub fn indices(self, end: usize) -> impl Iterator<Item = usize> {
        (self.number as usize - 1..end).step_by(self.count as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_belongs_to_one_shard() {
        for index in 0..50 {
            let owners = (1..=7).filter(|number| parse(&format!("{number}/7")).unwrap().contains(index));
            assert_eq!(owners.count(), 1);
        }
        assert!(parse("1/1").unwrap().contains(12345));
        assert!(parse("3/7").unwrap().indices(50).eq((0..50).filter(|index| index % 7 == 2)));
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
