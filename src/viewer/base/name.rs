//! Names that stay valid when a file is read again: the parts of a character may have the same name.

use std::collections::HashMap;

/// A name, and how many earlier items of the list have the same one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    name: String,
    earlier: usize,
}

impl Name {
    /// Returns the name of the item at `index` of a list.
    pub fn of<'a>(mut names: impl ExactSizeIterator<Item = &'a str> + Clone, index: usize) -> Option<Self> {
        let name = names.clone().nth(index)?.to_owned();
        let earlier = names.by_ref().take(index).filter(|other| **other == name).count();
        Some(Self { name, earlier })
    }

    /// Returns the names of all items of a list, in order.
    pub fn all<'a>(names: impl Iterator<Item = &'a str>) -> impl Iterator<Item = Self> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        names.map(move |name| {
            let count = counts.entry(name).or_default();
            *count += 1;
            Self { name: name.to_owned(), earlier: *count - 1 }
        })
    }

    /// Returns the index of the item of a list that has this name.
    pub fn find<'a>(&self, names: impl Iterator<Item = &'a str>) -> Option<usize> {
        let same = names.enumerate().filter(|(_, name)| *name == self.name);
        same.map(|(index, _)| index).nth(self.earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_told_apart() {
        let list = ["arm", "leg", "arm", "", "arm"];
        let names: Vec<Name> = Name::all(list.into_iter()).collect();
        for (index, name) in names.iter().enumerate() {
            assert_eq!(Name::of(list.into_iter(), index).as_ref(), Some(name));
            assert_eq!(name.find(list.into_iter()), Some(index));
        }
        assert_eq!(names[4].find(["arm", "arm"].into_iter()), None);
        assert_eq!(Name::of(list.into_iter(), 5), None);
    }
}
