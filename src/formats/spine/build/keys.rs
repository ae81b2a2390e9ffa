//! Traits and helpers shared by keys of all kinds: their order and their pointers.

use super::escaped_key;
use crate::formats::spine::schema::{self, Number};

/// A path inside an animation, one name per level; only formatted when an error needs it.
#[derive(Clone, Copy)]
pub struct Way<'w>(pub &'w [&'w str]);

impl Way<'_> {
    /// The JSON pointer to this path in `animation`.
    pub fn at(self, animation: &str) -> String {
        let start = format!("/animations/{}", escaped_key(animation));
        self.0.iter().fold(start, |pointer, name| pointer + "/" + &escaped_key(name))
    }
}

/// The order in which keys are read.
pub struct Sorted {
    pub len: usize,
    /// `None` if it is that of the file.
    pub order: Option<Vec<usize>>,
}

impl Sorted {
    /// The order of keys by time. Keys of one time stay in the order of the file.
    pub fn by_time<K: Key>(keys: &[K]) -> Self {
        let mut sorted = Self { len: keys.len(), order: None };
        if !keys.is_sorted_by(|a, b| a.time() <= b.time()) {
            let mut order: Vec<usize> = (0..keys.len()).collect();
            order.sort_by(|&a, &b| keys[a].time().total_cmp(&keys[b].time()));
            sorted.order = Some(order);
        }
        sorted
    }

    pub fn places(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.len).map(|index| self.order.as_ref().map_or(index, |order| order[index]))
    }
}

/// The fields that every key has.
pub trait Key {
    fn time(&self) -> f32;

    /// The curve to the next key.
    fn curve(&self) -> Option<&schema::Curve> {
        None
    }

    /// The numbers `c2` to `c4`, which only files before 4.0 have.
    fn more(&self) -> [Option<Number>; 3] {
        [None; 3]
    }
}

/// The curve of a key that states its numbers one by one, as in 3.8.
pub fn short_curve(c1: f32, more: [Option<Number>; 3]) -> [f32; 4] {
    let [c2, c3, c4] = more;
    let or = |number: Option<Number>, default| number.map_or(default, |number: Number| number.0);
    [c1, or(c2, 0.0), or(c3, 1.0), or(c4, 1.0)]
}

macro_rules! old_keys {
    ($($name:ty),*) => {$(
        impl Key for $name {
            fn time(&self) -> f32 {
                self.time.0
            }

            fn curve(&self) -> Option<&schema::Curve> {
                self.curve.as_ref()
            }

            fn more(&self) -> [Option<Number>; 3] {
                [self.c2, self.c3, self.c4]
            }
        }
    )*};
}

macro_rules! step_keys {
    ($($name:ty),*) => {$(
        impl Key for $name {
            fn time(&self) -> f32 {
                self.time.0
            }
        }
    )*};
}

old_keys!(
    schema::BoneKey,
    schema::ColorKey<'_>,
    schema::IkKey,
    schema::TransformKey,
    schema::PathKey,
    schema::DeformKey
);
step_keys!(
    schema::AttachmentKey<'_>,
    schema::DrawOrderKey<'_>,
    schema::EventKey<'_>,
    schema::InheritKey,
    schema::ResetKey,
    schema::SequenceKey
);

impl Key for schema::ValueKey {
    fn time(&self) -> f32 {
        self.time.0
    }

    fn curve(&self) -> Option<&schema::Curve> {
        self.curve.as_ref()
    }
}
