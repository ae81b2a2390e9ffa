//! What is folded in the tree, by name, so that it stays so when the file is read again.

use super::tree::{Group, Item, Tree};
use crate::model::Model;
use crate::viewer::scene::selection::ByName;

/// The items that are folded although they are open by default, or the other way round.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Folding {
    groups: Vec<Group>,
    parts: Vec<ByName>,
}

impl Folding {
    /// Returns what is folded in the tree of `model`.
    pub fn of(tree: &Tree, model: &Model) -> Self {
        let mut folding = Self::default();
        for item in tree.toggled() {
            match item {
                Item::Group(group) => folding.groups.push(group),
                Item::Part(part) => folding.parts.extend(ByName::of(model, part)),
            }
        }
        folding
    }

    /// Returns a tree for `model` in which the same is folded.
    pub fn tree(&self, model: &Model) -> Tree {
        let groups = self.groups.iter().copied().map(Item::Group);
        let parts = self.parts.iter().filter_map(|part| part.find(model));
        Tree::with_toggled(groups.chain(parts.map(Item::Part)))
    }
}
