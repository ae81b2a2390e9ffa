//! What the user has hidden in a file, by name, so that it stays hidden when the file is read again.

use crate::draw::{Hidden, Hideable};
use crate::export::NamePattern;
use crate::model::Model;

/// Hidden slots and attachments by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HiddenNames {
    hidden: Vec<Named>,
    solo: Vec<Named>,
}

/// The name of a slot or an attachment.
#[derive(Debug, Clone, PartialEq)]
enum Named {
    Slot(String),
    Attachment(String),
}

impl HiddenNames {
    /// Returns the names of what is hidden in `model`.
    pub fn of(hidden: &Hidden, model: &Model) -> Self {
        let named = |item: Hideable| match item {
            Hideable::Slot(id) => Named::Slot(model.slot(id).name.to_string()),
            Hideable::Attachment(id) => Named::Attachment(model.attachment(id).name().to_owned()),
        };
        Self { hidden: hidden.hidden().map(named).collect(), solo: hidden.solo().map(named).collect() }
    }

    /// Returns what has these names in `model`. Attachments of the same name are hidden together.
    pub fn find(&self, model: &Model) -> Hidden {
        let mut found = Hidden::default();
        let items = |named: &Named| -> Vec<Hideable> {
            match named {
                Named::Slot(name) => model.find_slot(name).map(Hideable::from).into_iter().collect(),
                Named::Attachment(name) => {
                    let attachments = model.attachment_ids().zip(model.authored_attachments());
                    attachments.filter(|(_, known)| known.name() == name).map(|(id, _)| id.into()).collect()
                }
            }
        };
        self.hidden.iter().flat_map(items).for_each(|item| found.set_hidden(item, true));
        self.solo.iter().flat_map(items).for_each(|item| found.set_solo(item, true));
        found
    }
}

/// Returns the patterns of `--mesh` and of `--hide-mesh` that stand for `hidden`.
pub fn patterns(hidden: &Hidden, model: &Model) -> [Vec<NamePattern>; 2] {
    let exact = |item: Hideable| match item {
        Hideable::Slot(id) => NamePattern::exact(&model.slot(id).name),
        Hideable::Attachment(id) => NamePattern::exact(model.attachment(id).name()),
    };
    [hidden.solo().map(exact).collect(), hidden.hidden().map(exact).collect()]
}
