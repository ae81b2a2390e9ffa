//! The position of a reader in the document, as a pointer into the JSON form of the same skeleton.
//!
//! Reading does not need it, so usually there is no [`Trace`]. Errors and findings do: the file is then read again
//! with [`Path`].

use crate::formats::json::locate::Tree;
use crate::formats::json::text::escaped_key;

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
    /// The reader is at the value at `offset`.
    fn enter(&mut self, step: Step<'a>, offset: usize);

    /// The reader is past that value.
    fn leave(&mut self);

    /// The JSON pointer to the current value; empty if unknown.
    fn pointer(&self) -> String;

    /// True to keep timelines that are replaced by a later one of the same type.
    fn keeps_replaced(&self) -> bool {
        false
    }
}

/// A [`Trace`], or none.
pub trait MaybeTrace<'a> {
    fn get(&mut self) -> Option<&mut (dyn Trace<'a> + '_)>;
}

/// Follows nothing. Reading is compiled separately for it, so that it costs nothing; except for web pages, where the
/// size of the code counts more.
#[cfg(not(target_family = "wasm"))]
pub struct Untraced;

#[cfg(not(target_family = "wasm"))]
impl<'a> MaybeTrace<'a> for Untraced {
    #[inline(always)]
    fn get(&mut self) -> Option<&mut (dyn Trace<'a> + '_)> {
        None
    }
}

impl<'a, 't> MaybeTrace<'a> for Option<&'t mut (dyn Trace<'a> + 't)> {
    #[inline(always)]
    fn get(&mut self) -> Option<&mut (dyn Trace<'a> + '_)> {
        match self {
            Some(trace) => Some(&mut **trace),
            None => None,
        }
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
