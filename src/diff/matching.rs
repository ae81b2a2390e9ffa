//! Matches the items of two lists by name; duplicate names in order.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use super::differences::{FoundIn, Named};

/// The matching between two lists of names.
#[derive(Debug)]
pub struct Matching<'a> {
    a: List<'a>,
    b: List<'a>,
    /// The index in `b` of every item in `a`.
    partner: Vec<Option<usize>>,
    /// For every item of `b` the index of its partner in `a`, or a unique number beyond all of them.
    key_of_b: Vec<usize>,
}

#[derive(Debug)]
struct List<'a> {
    names: Vec<&'a str>,
    /// Number of earlier items with the same name.
    occurrences: Vec<u32>,
    /// Kind, name, and number of earlier items with the same ones.
    keys: Vec<(&'a str, &'a str, u32)>,
}

impl<'a> List<'a> {
    /// From kinds and names.
    fn new(items: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let items: Vec<(&str, &str)> = items.collect();
        let names: Vec<&str> = items.iter().map(|(_, name)| *name).collect();
        let keys = items.iter().zip(occurrences(&items)).map(|(&(kind, name), number)| (kind, name, number));
        Self { keys: keys.collect(), occurrences: occurrences(&names), names }
    }

    fn named(&self, index: usize) -> Named {
        Named { name: self.names[index].to_owned(), occurrence: self.occurrences[index] }
    }
}

/// Returns the number of earlier equal items of each item.
fn occurrences<T: Copy + Eq + Hash>(items: &[T]) -> Vec<u32> {
    let mut seen: HashMap<T, u32> = HashMap::with_capacity(items.len());
    let number = |item: &T| {
        let count = seen.entry(*item).or_default();
        *count += 1;
        *count - 1
    };
    items.iter().map(number).collect()
}

/// A matched pair or a single item, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    A(usize),
    B(usize),
    Both(usize, usize),
}

impl<'a> Matching<'a> {
    pub fn new(a: impl Iterator<Item = &'a str>, b: impl Iterator<Item = &'a str>) -> Self {
        Self::of_kinds(a.map(|name| ("", name)), b.map(|name| ("", name)))
    }

    /// Only matches items of the same kind, which comes before the name.
    pub fn of_kinds(
        a: impl Iterator<Item = (&'a str, &'a str)>,
        b: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let (a, b) = (List::new(a), List::new(b));
        let in_b: HashMap<_, usize> = b.keys.iter().enumerate().map(|(index, key)| (key, index)).collect();
        let partner: Vec<Option<usize>> = a.keys.iter().map(|key| in_b.get(key).copied()).collect();
        let mut key_of_b: Vec<usize> = (0..b.names.len()).map(|index| a.names.len() + index).collect();
        for (index, partner) in partner.iter().enumerate() {
            if let Some(partner) = *partner {
                key_of_b[partner] = index;
            }
        }
        Self { a, b, partner, key_of_b }
    }

    /// Pairs every item without a partner with the first one of the other list that has the same key.
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

    /// Pairs the items without a partner in order, if both lists have equally many and `is_same` holds for all
    /// pairs.
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

    /// Returns the items of both lists without a partner.
    fn alone(&self) -> [Vec<usize>; 2] {
        let count = self.a.names.len();
        [
            (0..count).filter(|&a| self.partner[a].is_none()).collect(),
            (0..self.key_of_b.len()).filter(|&b| self.key_of_b[b] >= count).collect(),
        ]
    }

    /// Returns every item once: in the order of `a`, then those that only `b` has.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        let of_a =
            self.partner.iter().enumerate().map(|(a, partner)| partner.map_or(Entry::A(a), |b| Entry::Both(a, b)));
        let count = self.a.names.len();
        let of_b = self.key_of_b.iter().enumerate().filter(move |(_, key)| **key >= count);
        of_a.chain(of_b.map(|(b, _)| Entry::B(b)))
    }

    /// Returns the pairs in the order of `a`.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.partner.iter().enumerate().filter_map(|(a, b)| Some((a, (*b)?)))
    }

    /// Returns the partner of an item of `a`.
    pub fn partner(&self, a: usize) -> Option<usize> {
        self.partner[a]
    }

    /// Returns a key that is equal for both items of a pair and otherwise unique. Indices beyond the list stand
    /// for unnamed items, such as bones added by the model; these are paired by their distance from the end of the
    /// list.
    pub fn key_of_a(&self, a: usize) -> usize {
        a.checked_sub(self.a.names.len()).map_or(a, |after| self.first_unnamed() + after)
    }

    /// [`Self::key_of_a`] of an item of `b`.
    pub fn key_of_b(&self, b: usize) -> usize {
        let after = || self.first_unnamed() + b - self.key_of_b.len();
        self.key_of_b.get(b).copied().unwrap_or_else(after)
    }

    /// Returns the first key after the keys of all named items.
    fn first_unnamed(&self) -> usize {
        self.a.names.len() + self.b.names.len()
    }

    /// Returns true if the items are a pair, or both `None`.
    pub fn is_pair(&self, a: Option<usize>, b: Option<usize>) -> bool {
        a.map(|a| self.key_of_a(a)) == b.map(|b| self.key_of_b(b))
    }

    pub fn named_a(&self, a: usize) -> Named {
        self.a.named(a)
    }

    pub fn named_b(&self, b: usize) -> Named {
        self.b.named(b)
    }

    /// Returns the name of an entry and which of the two has it.
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
    fn unnamed_items_are_paired_by_index() {
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
    fn items_of_different_kinds_are_no_pair() {
        let (a, b) = ([("p", "x"), ("t", "x"), ("t", "x")], [("t", "x"), ("p", "y"), ("i", "x")]);
        let matching = Matching::of_kinds(a.into_iter(), b.into_iter());
        let entries: Vec<Entry> = matching.entries().collect();
        assert_eq!(entries, [Entry::A(0), Entry::Both(1, 0), Entry::A(2), Entry::B(1), Entry::B(2)]);
        assert_eq!(matching.named_a(2).occurrence, 2, "counted over all kinds");
    }

    #[test]
    fn duplicate_names_are_paired_in_order() {
        let matching = Matching::new(["x", "y", "x", "z"].into_iter(), ["x", "w", "x", "x", "y"].into_iter());
        let entries: Vec<Entry> = matching.entries().collect();
        assert_eq!(
            entries,
            [Entry::Both(0, 0), Entry::Both(1, 4), Entry::Both(2, 2), Entry::A(3), Entry::B(1), Entry::B(3)]
        );
        assert_eq!(matching.named_b(3), Named { name: "x".to_owned(), occurrence: 2 });
        assert!(matching.is_pair(Some(1), Some(4)) && matching.is_pair(None, None));
        // Items that only `a` or only `b` has have different keys.
        assert!(!matching.is_pair(Some(3), Some(1)) && !matching.is_pair(Some(3), Some(3)));
        assert!(!matching.is_pair(Some(1), None));
    }
}
