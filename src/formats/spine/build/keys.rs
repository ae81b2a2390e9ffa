//! What keys of every kind have, in which order they are taken, and where they are.

use super::escaped;
use crate::formats::spine::schema::{self, Number};

/// Where in an animation something is: names one below the other, written only where they are told.
#[derive(Clone, Copy)]
pub struct Way<'w>(pub &'w [&'w str]);

impl Way<'_> {
    /// The pointer to what is that way in an animation.
    pub fn at(self, animation: &str) -> String {
        let start = format!("/animations/{}", escaped(animation));
        self.0.iter().fold(start, |pointer, name| pointer + "/" + &escaped(name))
    }
}

/// In which order keys are taken.
pub struct Sorted {
    pub len: usize,
    /// Where it is not that of the file.
    pub order: Option<Vec<usize>>,
}

impl Sorted {
    pub fn places(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.len).map(|index| self.order.as_ref().map_or(index, |order| order[index]))
    }
}

/// What every key has.
pub trait Key {
    fn time(&self) -> f32;
    /// How it leads to the next one, and the other three numbers.
    fn curve(&self) -> (Option<schema::Curve>, [Option<Number>; 3]);
}

macro_rules! keys {
    ($($name:ty),*) => {$(
        impl Key for $name {
            fn time(&self) -> f32 {
                self.time.0
            }

            fn curve(&self) -> (Option<schema::Curve>, [Option<Number>; 3]) {
                (self.curve, [self.c2, self.c3, self.c4])
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

            fn curve(&self) -> (Option<schema::Curve>, [Option<Number>; 3]) {
                (None, [None; 3])
            }
        }
    )*};
}

keys!(
    schema::BoneKey,
    schema::ColorKey<'_>,
    schema::IkKey,
    schema::TransformKey,
    schema::PathKey,
    schema::DeformKey
);
step_keys!(schema::AttachmentKey<'_>, schema::EventKey<'_>, schema::DrawOrderKey<'_>);
