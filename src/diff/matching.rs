//! Which items of two lists belong together: those with the same name; several with one name in their order.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use super::differences::{FoundIn, Named};

/// Two lists of names and which of them belong together.
#[derive(Debug)]
pub struct Matching<'a> {
    a: List<'a>,
    b: List<'a>,
    /// The index in `b` of every item in `a`.
    partner: Vec<Option<usize>>,
    /// One number an item of `b`: the index of its partner in `a`, or one beyond all of them.
    key_of_b: Vec<usize>,
}

#[derive(Debug)]
struct List<'a> {
    names: Vec<&'a str>,
    /// How many before it have the same name.
    occurrences: Vec<u32>,
}

impl<'a> List<'a> {
    fn new(names: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.collect();
        let mut seen: HashMap<&str, u32> = HashMap::with_capacity(names.len());
        let occurrences = names.iter().map(|&name| {
            let count = seen.entry(name).or_default();
            *count += 1;
            *count - 1
        });
        Self { occurrences: occurrences.collect(), names }
    }

    fn keys(&self) -> impl Iterator<Item = (&'a str, u32)> {
        self.names.iter().copied().zip(self.occurrences.iter().copied())
    }

    fn named(&self, index: usize) -> Named {
        Named { name: self.names[index].to_owned(), occurrence: self.occurrences[index] }
    }
}

/// One item, or two that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    A(usize),
    B(usize),
    Both(usize, usize),
}

impl<'a> Matching<'a> {
    pub fn new(a: impl Iterator<Item = &'a str>, b: impl Iterator<Item = &'a str>) -> Self {
        let (a, b) = (List::new(a), List::new(b));
        let in_b: HashMap<(&str, u32), usize> = b.keys().enumerate().map(|(index, key)| (key, index)).collect();
        let partner: Vec<Option<usize>> = a.keys().map(|key| in_b.get(&key).copied()).collect();
        let mut key_of_b: Vec<usize> = (0..b.names.len()).map(|index| a.names.len() + index).collect();
        for (index, partner) in partner.iter().enumerate() {
            if let Some(partner) = *partner {
                key_of_b[partner] = index;
            }
        }
        Self { a, b, partner, key_of_b }
    }

    /// Lets every item without a partner belong to the first one of the other list that has the same key.
    pub fn pair_others<K: Eq + Hash>(&mut self, key_of_a: impl Fn(usize) -> K, key_of_b: impl Fn(usize) -> K) {
        let [alone_a, alone_b] = self.alone();
        let mut by_key: HashMap<K, VecDeque<usize>> = HashMap::with_capacity(alone_b.len());
        for b in alone_b {
            by_key.entry(key_of_b(b)).or_default().push_back(b);
        }
        for a in alone_a {
            if let Some(b) = by_key.get_mut(&key_of_a(a)).and_then(VecDeque::pop_front) {
                self.pair(a, b);
            }
        }
    }

    /// Lets the items without a partner belong together in their order, where there are as many in both lists and
    /// `is_same` says so of each two.
    pub fn pair_in_order(&mut self, is_same: impl Fn(usize, usize) -> bool) {
        let [alone_a, alone_b] = self.alone();
        let pairs = || alone_a.iter().copied().zip(alone_b.iter().copied());
        if alone_a.len() == alone_b.len() && pairs().all(|(a, b)| is_same(a, b)) {
            pairs().for_each(|(a, b)| self.pair(a, b));
        }
    }

    fn pair(&mut self, a: usize, b: usize) {
        self.partner[a] = Some(b);
        self.key_of_b[b] = a;
    }

    /// The items of both lists that have no partner.
    fn alone(&self) -> [Vec<usize>; 2] {
        let count = self.a.names.len();
        [
            (0..count).filter(|&a| self.partner[a].is_none()).collect(),
            (0..self.key_of_b.len()).filter(|&b| self.key_of_b[b] >= count).collect(),
        ]
    }

    /// Every item once: in the order of `a`, then what only `b` has.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        let of_a =
            self.partner.iter().enumerate().map(|(a, partner)| partner.map_or(Entry::A(a), |b| Entry::Both(a, b)));
        let count = self.a.names.len();
        let of_b = self.key_of_b.iter().enumerate().filter(move |(_, key)| **key >= count);
        of_a.chain(of_b.map(|(b, _)| Entry::B(b)))
    }

    /// Those that belong together, in the order of `a`.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.partner.iter().enumerate().filter_map(|(a, b)| Some((a, (*b)?)))
    }

    /// What belongs to an item of `a`.
    pub fn partner(&self, a: usize) -> Option<usize> {
        self.partner[a]
    }

    /// The same number for both of a pair, and for no other. What comes after the list has no name, as bones that are
    /// nobody's but the model's: two of them are a pair where as many are between them and their lists.
    pub fn key_of_a(&self, a: usize) -> usize {
        a.checked_sub(self.a.names.len()).map_or(a, |after| self.first_unnamed() + after)
    }

    /// [`Self::key_of_a`] of an item of `b`.
    pub fn key_of_b(&self, b: usize) -> usize {
        let after = || self.first_unnamed() + b - self.key_of_b.len();
        self.key_of_b.get(b).copied().unwrap_or_else(after)
    }

    /// A key that nothing with a name has.
    fn first_unnamed(&self) -> usize {
        self.a.names.len() + self.b.names.len()
    }

    /// Whether both are nothing, or belong together.
    pub fn is_pair(&self, a: Option<usize>, b: Option<usize>) -> bool {
        a.map(|a| self.key_of_a(a)) == b.map(|b| self.key_of_b(b))
    }

    pub fn named_a(&self, a: usize) -> Named {
        self.a.named(a)
    }

    pub fn named_b(&self, b: usize) -> Named {
        self.b.named(b)
    }

    /// What an entry is called and which of the two has it.
    pub fn named(&self, entry: Entry) -> (Named, FoundIn) {
        match entry {
            Entry::A(a) => (self.named_a(a), FoundIn::A),
            Entry::B(b) => (self.named_b(b), FoundIn::B),
            Entry::Both(a, _) => (self.named_a(a), FoundIn::Both),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_name_belongs_together_by_number() {
        let matching = Matching::new(["a", "b"].into_iter(), ["b", "c", "d"].into_iter());
        assert_eq!([2, 3].map(|a| matching.key_of_a(a)), [3, 4].map(|b| matching.key_of_b(b)));
        let named: Vec<usize> =
            (0..2).map(|a| matching.key_of_a(a)).chain((0..3).map(|b| matching.key_of_b(b))).collect();
        assert!(!named.contains(&matching.key_of_a(2)), "{named:?}");
    }

    #[test]
    fn items_without_a_partner_are_paired_by_key_or_order() {
        let lists = || Matching::new(["x", "a1", "a2"].into_iter(), ["b2", "x", "b1"].into_iter());
        let (a, b) = (["x", "a1", "a2"], ["b2", "x", "b1"]);
        let mut by_end = lists();
        by_end.pair_others(|in_a| &a[in_a][1..], |in_b| &b[in_b][1..]);
        assert_eq!(by_end.pairs().collect::<Vec<_>>(), [(0, 1), (1, 2), (2, 0)]);
        let mut in_order = lists();
        in_order.pair_in_order(|_, _| true);
        assert_eq!(in_order.pairs().collect::<Vec<_>>(), [(0, 1), (1, 0), (2, 2)]);
        in_order.pair_in_order(|_, _| true);
        let mut never = lists();
        never.pair_in_order(|in_a, _| in_a == 1);
        assert_eq!(never.pairs().count(), 1);
        assert!(in_order.is_pair(Some(2), Some(2)) && !never.is_pair(Some(1), Some(0)));
    }

    #[test]
    fn names_belong_together_turn_by_turn() {
        let matching = Matching::new(["x", "y", "x", "z"].into_iter(), ["x", "w", "x", "x", "y"].into_iter());
        let entries: Vec<Entry> = matching.entries().collect();
        assert_eq!(
            entries,
            [Entry::Both(0, 0), Entry::Both(1, 4), Entry::Both(2, 2), Entry::A(3), Entry::B(1), Entry::B(3)]
        );
        assert_eq!(matching.named_b(3), Named { name: "x".to_owned(), occurrence: 2 });
        assert!(matching.is_pair(Some(1), Some(4)) && matching.is_pair(None, None));
        // The key of what only `b` has is not that of what only `a` has.
        assert!(!matching.is_pair(Some(3), Some(1)) && !matching.is_pair(Some(3), Some(3)));
        assert!(!matching.is_pair(Some(1), None));
    }
}
