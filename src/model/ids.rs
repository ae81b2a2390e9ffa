//! Typed indices into a [`Model`](super::Model)'s lists.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// Id of an item in one of the lists of a [`Model`](super::Model).
pub struct Id<Item>(u32, PhantomData<fn() -> Item>);

impl<Item> Id<Item> {
    /// Creates an id from a list index. The readers' budgets keep every list far below 2³² items.
    pub(crate) fn new(index: usize) -> Self {
        debug_assert!(u32::try_from(index).is_ok());
        Self(index as u32, PhantomData)
    }

    /// Returns the list index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

// Derived implementations would require them of the items, too.

impl<Item> Clone for Id<Item> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Item> Copy for Id<Item> {}

impl<Item> PartialEq for Id<Item> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<Item> Eq for Id<Item> {}

impl<Item> PartialOrd for Id<Item> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<Item> Ord for Id<Item> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl<Item> Hash for Id<Item> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<Item> fmt::Debug for Id<Item> {
    /// Writes `BoneId(3)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let item = std::any::type_name::<Item>();
        write!(f, "{}Id({})", item.rsplit("::").next().unwrap_or(item), self.0)
    }
}
