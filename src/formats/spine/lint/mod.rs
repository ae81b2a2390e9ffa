//! A skeleton without errors → findings: what no reader refuses, but somebody may not have meant.
//!
//! Each check goes over the file once.

mod names;
mod pictures;
mod shapes;
mod unused;

use std::collections::HashMap;

use super::build::{Attached, attachments_of};
use super::schema;
use crate::diagnostics::Diagnostics;
use crate::error::Place;
use crate::model::{Attachment, Model, SlotId};

/// Everything that is looked at.
struct Subject<'a> {
    root: &'a schema::Root<'a>,
    model: &'a Model,
    attached: &'a Attached<'a>,
    /// Of several slots with one name the last counts.
    slots: HashMap<&'a str, usize>,
}

/// One attachment as the file has it and as it was understood.
struct Item<'a> {
    pointer: String,
    slot: SlotId,
    json: &'a schema::Attachment<'a>,
    attachment: &'a Attachment,
}

impl Subject<'_> {
    /// Every attachment, in file order.
    fn items(&self) -> impl Iterator<Item = Item<'_>> {
        let made = self.model.attachments();
        attachments_of(self.root).zip(made).filter_map(|((pointer, slot, json), attachment)| {
            let slot = SlotId::new(*self.slots.get(slot)?);
            Some(Item { pointer, slot, json, attachment })
        })
    }
}

/// Looks at everything. The file has no errors but pictures that are missing.
pub fn lint(root: &schema::Root<'_>, model: &Model, attached: &Attached<'_>, diagnostics: &mut Diagnostics) {
    let slots = model.slots().iter().enumerate().map(|(index, slot)| (&*slot.name, index)).collect();
    let subject = Subject { root, model, attached, slots };
    // Warnings before notes: what comes late may not be kept.
    names::check(&subject, diagnostics);
    shapes::check(&subject, diagnostics);
    pictures::check(&subject, diagnostics);
    unused::check(&subject, diagnostics);
}

/// Where a finding is, and what it says.
type Told = (Place, String);
