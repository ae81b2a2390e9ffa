//! Names of which none is there twice.

use std::collections::{HashMap, HashSet};

/// The names that are taken, and with which number each goes on.
#[derive(Debug, Default)]
pub struct FreeNames {
    taken: HashSet<String>,
    numbers: HashMap<String, u32>,
}

impl FreeNames {
    /// Takes a name, whoever else has it.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// `name` where it is free, else `name 2`, `name 3` and so on. It is taken then. Many of one name take no longer
    /// each.
    pub fn free(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        while self.taken.contains(&free) {
            let number = self.numbers.entry(name.to_owned()).or_insert(1);
            *number += 1;
            free = format!("{name} {number}");
        }
        self.taken.insert(free.clone());
        free
    }

    /// The first of two names that is free, else the second with a number. It is taken then.
    pub fn free_of(&mut self, [first, second]: [&str; 2]) -> String {
        self.free(if self.taken.contains(first) { second } else { first })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_is_there_twice() {
        let mut names = FreeNames::default();
        let found: Vec<String> = ["b 2", "a", "a", "b", "b", "a", "b 2", ""].map(|name| names.free(name)).into();
        assert_eq!(found, ["b 2", "a", "a 2", "b", "b 3", "a 3", "b 2 2", ""]);
        let many: HashSet<String> = (0..100_000).map(|_| names.free("t")).collect();
        assert_eq!(many.len(), 100_000);
    }

    #[test]
    fn the_first_that_is_free_is_taken() {
        let mut names = FreeNames::default();
        names.take("a");
        let found: Vec<String> = (0..3).map(|_| names.free_of(["a", "c"])).collect();
        assert_eq!(found, ["c", "c 2", "c 3"]);
    }
}
