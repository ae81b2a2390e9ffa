//! Values that are computed when something that they depend on changes, and kept until then. What a panel lists is
//! computed in this way, so that a frame costs no more than what it shows.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Weak};

/// A value, and the key that it was computed for.
#[derive(Debug)]
pub struct Cached<K, V> {
    known: Option<(K, V)>,
    computed: u64,
}

impl<K, V> Default for Cached<K, V> {
    fn default() -> Self {
        Self { known: None, computed: 0 }
    }
}

impl<K: PartialEq, V> Cached<K, V> {
    /// Returns the value for `key`, which `compute` computes unless the last one was for the same key.
    pub fn get(&mut self, key: K, compute: impl FnOnce() -> V) -> &mut V {
        let known = self.known.take().filter(|(of, _)| *of == key).unwrap_or_else(|| {
            self.computed += 1;
            (key, compute())
        });
        &mut self.known.insert(known).1
    }

    /// Returns how often a value was computed.
    #[cfg(test)]
    pub fn computed(&self) -> u64 {
        self.computed
    }
}

/// The identity of a shared value, as a key of a cache. It does not keep the value alive, but the address cannot be reused.
/// Use [`Shared`] where the value itself is needed, for example by a thread.
#[derive(Debug)]
pub struct ByAddress<T: ?Sized>(Weak<T>);

impl<T: ?Sized> ByAddress<T> {
    /// Returns the key of a value.
    pub fn of(value: &Arc<T>) -> Self {
        Self(Arc::downgrade(value))
    }
}

impl<T: ?Sized> Clone for ByAddress<T> {
    fn clone(&self) -> Self {
        Self(Weak::clone(&self.0))
    }
}

impl<T: ?Sized> PartialEq for ByAddress<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

/// A shared value that is compared by identity, for requests that contain it. It keeps the value alive, so caches use
/// [`ByAddress`] as a key.
pub struct Shared<T: ?Sized>(Arc<T>);

impl<T: ?Sized> Shared<T> {
    /// Wraps a value.
    pub fn of(value: &Arc<T>) -> Self {
        Self(Arc::clone(value))
    }
}

impl<T: ?Sized> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> Deref for Shared<T> {
    type Target = Arc<T>;

    fn deref(&self) -> &Arc<T> {
        &self.0
    }
}

impl<T: ?Sized> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: ?Sized> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:p}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once_per_key() {
        let mut cached = Cached::default();
        for (key, expected) in [(1, 10), (1, 10), (2, 20), (2, 20), (1, 10)] {
            assert_eq!(*cached.get(key, || key * 10), expected);
        }
        assert_eq!(cached.computed(), 3);
    }

    #[test]
    fn a_shared_value_that_has_changed_is_another_key() {
        let mut value = Arc::new(vec![1]);
        let before = ByAddress::of(&value);
        assert!(before == ByAddress::of(&value));
        Arc::make_mut(&mut value).push(2);
        assert!(before != ByAddress::of(&value));
        drop(value);
        assert!(before.0.upgrade().is_none());
    }
}
