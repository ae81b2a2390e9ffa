//! What the user has hidden in a file, by name, so that it stays hidden when the file is read again.

use std::collections::HashSet;

use crate::draw::{Hidden, Hideable};
use crate::export::NamePattern;
use crate::model::Model;
use crate::viewer::base::name::Name;

/// The patterns of `--mesh` and `--hide-mesh`. They also apply to what is added to the file later.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshPatterns {
    /// Unless empty, all regions and meshes are hidden that match none of these.
    pub solo: Vec<NamePattern>,
    /// Regions and meshes that match one of these are hidden.
    pub hidden: Vec<NamePattern>,
}

impl MeshPatterns {
    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.solo.is_empty() && self.hidden.is_empty()
    }
}

/// Hidden slots and attachments by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HiddenNames {
    patterns: MeshPatterns,
    /// The items that the user has hidden, or shown although they match a pattern.
    hidden: HashSet<Named>,
    /// The items that the user has made solo, or no longer solo although they match a pattern.
    solo: HashSet<Named>,
}

/// The name of a slot or an attachment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Named {
    Slot(Name),
    Attachment(Name),
}

impl MeshPatterns {
    /// Returns what the patterns hide in `model`. Patterns that match nothing are ignored.
    pub fn find(&self, model: &Model) -> Hidden {
        let is_in = |patterns: &[NamePattern], name: &str| patterns.iter().any(|pattern| pattern.matches(name));
        Hidden::by_name(model, |name| is_in(&self.hidden, name), Some(&|name| is_in(&self.solo, name)))
    }
}

impl HiddenNames {
    /// Returns the names of what is hidden in `model`, apart from what `patterns` have hidden.
    pub fn of(hidden: &Hidden, patterns: &MeshPatterns, model: &Model) -> Self {
        let mut names = Self { patterns: patterns.clone(), ..Self::default() };
        let matched = patterns.find(model);
        if *hidden == matched {
            return names;
        }
        for (name, item) in items(model) {
            if hidden.is_hidden(item) != matched.is_hidden(item) {
                names.hidden.insert(name.clone());
            }
            if hidden.is_solo(item) != matched.is_solo(item) {
                names.solo.insert(name);
            }
        }
        names
    }

    /// Returns the patterns.
    pub fn patterns(&self) -> &MeshPatterns {
        &self.patterns
    }

    /// Returns what the patterns match in `model`, and what has these names there.
    pub fn find(&self, model: &Model) -> Hidden {
        let mut found = self.patterns.find(model);
        if self.hidden.is_empty() && self.solo.is_empty() {
            return found;
        }
        for (name, item) in items(model) {
            if self.hidden.contains(&name) {
                found.set_hidden(item, !found.is_hidden(item));
            }
            if self.solo.contains(&name) {
                found.set_solo(item, !found.is_solo(item));
            }
        }
        found
    }
}

/// Returns everything in `model` that can be hidden, with its name.
fn items(model: &Model) -> impl Iterator<Item = (Named, Hideable)> {
    let slots = Name::all(model.slots().iter().map(|slot| &*slot.name)).map(Named::Slot);
    let slots = slots.zip(model.slot_ids().map(Hideable::from));
    let attachments = model.authored_attachments().iter().map(|attachment| attachment.name());
    let attachments = Name::all(attachments).map(Named::Attachment);
    slots.chain(attachments.zip(model.attachment_ids().map(Hideable::from)))
}

/// Returns the patterns of `--mesh` and of `--hide-mesh` that stand for `hidden`.
pub fn patterns(hidden: &Hidden, model: &Model) -> [Vec<NamePattern>; 2] {
    let exact = |item: Hideable| match item {
        Hideable::Slot(id) => NamePattern::exact(&model.slot(id).name),
        Hideable::Attachment(id) => NamePattern::exact(model.attachment(id).name()),
    };
    [hidden.solo().map(exact).collect(), hidden.hidden().map(exact).collect()]
}
