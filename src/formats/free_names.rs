//! Makes names unique by adding a number.

use std::collections::{HashMap, HashSet};

/// The names in use, and the last number appended to each.
#[derive(Debug, Default)]
pub struct FreeNames {
    taken: HashSet<String>,
    numbers: HashMap<String, u32>,
}

impl FreeNames {
    /// Returns `name` if it is unused, or else `name 2`, `name 3` and so on, and marks it as used. Takes amortised
    /// constant time.
    pub fn unique(&mut self, name: &str) -> String {
        self.unique_with(name, ' ')
    }

    /// Like [`Self::unique`], with another separator.
    pub fn unique_with(&mut self, name: &str, separator: char) -> String {
        let mut unique = name.to_owned();
        while self.taken.contains(&unique) {
            let number = self.numbers.entry(name.to_owned()).or_insert(1);
            *number += 1;
            unique = format!("{name}{separator}{number}");
        }
        self.taken.insert(unique.clone());
        unique
    }
}

#[cfg(feature = "bake")]
impl FreeNames {
    /// Marks a name as used.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Returns the first of two names if it is unused, or else the second, with a number if necessary, and marks
    /// it as
    /// used.
    pub fn unique_of(&mut self, [first, second]: [&str; 2]) -> String {
        self.unique(if self.taken.contains(first) { second } else { first })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names = FreeNames::default();
        let found: Vec<String> = ["b 2", "a", "a", "b", "b", "a", "b 2", ""].map(|name| names.unique(name)).into();
        assert_eq!(found, ["b 2", "a", "a 2", "b", "b 3", "a 3", "b 2 2", ""]);
        let many: HashSet<String> = (0..100_000).map(|_| names.unique("t")).collect();
        assert_eq!(many.len(), 100_000);
    }

    #[cfg(feature = "bake")]
    #[test]
    fn the_first_name_is_preferred() {
        let mut names = FreeNames::default();
        names.reserve("a");
        let found: Vec<String> = (0..3).map(|_| names.unique_of(["a", "c"])).collect();
        assert_eq!(found, ["c", "c 2", "c 3"]);
    }
}
