//! The offsets of all keys of animations, by the lists that contain them.

use super::trace::{Step, Trace};
use crate::formats::keys::{KeyOffsets, hash_step};

/// Collects the offsets of all keys of animations.
pub struct Offsets<'a, 'o> {
    steps: Vec<Lists<'a>>,
    found: &'o mut KeyOffsets,
}

struct Lists<'a> {
    step: Step<'a>,
    hash: u64,
    /// True if its items are keys, not what a key consists of.
    has_keys: bool,
    items: Vec<u64>,
}

impl<'o> Offsets<'_, 'o> {
    pub fn new(found: &'o mut KeyOffsets) -> Self {
        Self { steps: Vec::new(), found }
    }
}

impl<'a> Trace<'a> for Offsets<'a, '_> {
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

    fn keeps_replaced(&self) -> bool {
        true
    }
}
