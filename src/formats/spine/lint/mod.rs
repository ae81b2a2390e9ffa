//! A skeleton without errors → findings: what no reader refuses, but somebody may not have meant.
//!
//! Each check goes over the file once. Of one code no more than [`MAX_TOLD`] findings are told, the rest is counted.

mod names;
mod pictures;
mod shapes;
mod unused;

use std::collections::HashMap;

use super::build::{Attached, attachments_of};
use super::schema;
use crate::diagnostics::{Diagnostics, Severity};
use crate::error::{Fault, Place};
use crate::model::{Attachment, Model, SlotId};

/// Of one code in one file no more findings than this are told.
const MAX_TOLD: usize = 100;

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
    let mut report = Report { diagnostics };
    // Warnings before notes: what comes late may not be kept.
    names::check(&subject, &mut report);
    shapes::check(&subject, &mut report);
    pictures::check(&subject, &mut report);
    unused::check(&subject, &mut report);
}

/// Where a finding is, and what it says.
type Told = (Place, String);

/// Takes the findings of one code after the other.
struct Report<'a> {
    diagnostics: &'a mut Diagnostics,
}

impl Report<'_> {
    /// Every warning of this code.
    fn warn_all(&mut self, code: &'static str, found: impl IntoIterator<Item = Told>) {
        self.tell(Severity::Warning, code, found);
    }

    /// Every note of this code.
    fn note_all(&mut self, code: &'static str, found: impl IntoIterator<Item = Told>) {
        self.tell(Severity::Note, code, found);
    }

    fn tell(&mut self, severity: Severity, code: &'static str, found: impl IntoIterator<Item = Told>) {
        let mut found = found.into_iter();
        for (place, message) in found.by_ref().take(MAX_TOLD) {
            self.diagnostics.add(severity, Fault { code, place, message });
        }
        self.diagnostics.add_more(severity, code, found.count());
    }
}
