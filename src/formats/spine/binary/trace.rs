//! The position of a reader in the document, as a pointer into the JSON form of the same skeleton.
//!
//! Reading does not need it, so [`Untraced`] costs nothing. Errors and findings do: the file is then read again
//! with [`Path`].

#[cfg(feature = "convert")]
use std::collections::HashMap;

use crate::formats::json::locate::Tree;
use crate::formats::json::text::escaped_key;
#[cfg(feature = "convert")]
use crate::formats::keys::hash_step;

/// A step from a value to one inside it.
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// A field, or an entry by name.
    Name(&'a str),
    /// An item of a list.
    Index(usize),
}

/// Follows a reader through the document.
pub trait Trace<'a> {
    /// False if calls have no effect.
    const IS_ON: bool;

    /// True to keep timelines that are replaced by a later one of the same type.
    const KEEPS_REPLACED: bool = false;

    /// The reader is at the value at `offset`.
    fn enter(&mut self, step: Step<'a>, offset: usize);

    /// The reader is past that value.
    fn leave(&mut self);

    /// The JSON pointer to the current value; empty if unknown.
    fn pointer(&self) -> String;
}

/// Follows nothing.
pub struct Untraced;

impl<'a> Trace<'a> for Untraced {
    const IS_ON: bool = false;

    #[inline(always)]
    fn enter(&mut self, _step: Step<'a>, _offset: usize) {}

    #[inline(always)]
    fn leave(&mut self) {}

    fn pointer(&self) -> String {
        String::new()
    }
}

/// The steps to the current value, each with its node in a tree of the pointers to locate.
pub struct Path<'a, 't> {
    steps: Vec<(Step<'a>, Option<usize>)>,
    tree: &'t mut Tree,
}

/// Maximum length of a name that is looked up. Entries refer to names by index, so a long name could be looked up
/// many times at little cost to the file.
const MAX_NAME: usize = 1 << 12;

impl<'t> Path<'_, 't> {
    /// Creates a trace that enters the offsets of values in `tree`.
    pub fn new(tree: &'t mut Tree) -> Self {
        tree.found(0, 0..0);
        Self { steps: Vec::new(), tree }
    }
}

impl<'a> Trace<'a> for Path<'a, '_> {
    const IS_ON: bool = true;

    fn enter(&mut self, step: Step<'a>, offset: usize) {
        // The value itself.
        if let Step::Name("") = step {
            let node = self.steps.last().map_or(Some(0), |(_, node)| *node);
            self.steps.push((step, node));
            return;
        }
        let around = self.steps.last().map_or(Some(0), |(_, node)| *node);
        let node = around.and_then(|around| match step {
            Step::Name(name) if name.len() > MAX_NAME => None,
            Step::Name(name) => self.tree.child_by_key(around, name),
            Step::Index(index) => self.tree.child_by_index(around, index),
        });
        if let Some(node) = node {
            self.tree.found(node, offset..offset);
        }
        self.steps.push((step, node));
    }

    fn leave(&mut self) {
        self.steps.pop();
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for (step, _) in self.steps.iter().filter(|(step, _)| !matches!(step, Step::Name(""))) {
            pointer.push('/');
            match step {
                Step::Name(name) => pointer.push_str(&escaped_key(name)),
                Step::Index(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }
}

/// Collects the offsets of all keys of animations.
#[cfg(feature = "convert")]
pub struct Offsets<'a, 'o> {
    steps: Vec<Lists<'a>>,
    /// By the hash of the path of the list, whose empty names are left out: they may stand for the list itself.
    found: &'o mut HashMap<u64, Vec<u64>>,
}

#[cfg(feature = "convert")]
struct Lists<'a> {
    step: Step<'a>,
    hash: u64,
    /// True if its items are keys, not what a key consists of.
    has_keys: bool,
    items: Vec<u64>,
}

#[cfg(feature = "convert")]
impl<'o> Offsets<'_, 'o> {
    pub fn new(found: &'o mut HashMap<u64, Vec<u64>>) -> Self {
        Self { steps: Vec::new(), found }
    }
}

#[cfg(feature = "convert")]
impl<'a> Trace<'a> for Offsets<'a, '_> {
    const IS_ON: bool = true;
    const KEEPS_REPLACED: bool = true;

    fn enter(&mut self, step: Step<'a>, offset: usize) {
        let is_inside = match self.steps.first() {
            Some(first) => matches!(first.step, Step::Name("animations")),
            None => true,
        };
        let around = self.steps.last_mut();
        let (hash, around_has_keys) = around.as_ref().map_or((0, true), |around| (around.hash, around.has_keys));
        let (hash, has_keys) = match step {
            _ if !is_inside => (0, false),
            Step::Name("") => (hash, around_has_keys),
            // The keys of a folder of the draw order.
            Step::Name(name) if around_has_keys || name == "keys" => (hash_step(hash, name), true),
            Step::Index(index) if around_has_keys => {
                if let Some(around) = around.filter(|around| around.items.len() == index) {
                    around.items.push(offset as u64);
                }
                (hash_step(hash, &index.to_string()), false)
            }
            Step::Name(_) | Step::Index(_) => (0, false),
        };
        self.steps.push(Lists { step, hash, has_keys, items: Vec::new() });
    }

    fn leave(&mut self) {
        if let Some(Lists { hash, items, .. }) = self.steps.pop()
            && !items.is_empty()
        {
            self.found.entry(hash).or_default().extend(items);
        }
    }

    fn pointer(&self) -> String {
        String::new()
    }
}
