//! Lints of a skeleton without errors: valid, but probably unintended.
//!
//! Each check is one pass over the file.

mod animations;
mod colors;
mod constraints;
mod names;
mod pictures;
mod shapes;
mod starts;
mod unused;

use std::collections::HashMap;

use super::build::{Attached, attachments_of};
use super::schema;
use crate::diagnostics::Diagnostics;
use crate::error::Place;
use crate::formats::detect::json::JsonText;
use crate::model::{Attachment, Model, SlotId};

/// The input of every check.
struct Subject<'a> {
    root: &'a schema::Root<'a>,
    model: &'a Model,
    attached: &'a Attached<'a>,
    /// The text, unless the skeleton is binary.
    json: Option<JsonText<'a>>,
    /// Index by name; of several slots with one name, the last one.
    slots: HashMap<&'a str, usize>,
}

/// One attachment, as stored and as built.
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

/// Runs all checks. The file has no errors except for missing pictures.
pub fn lint(
    root: &schema::Root<'_>,
    model: &Model,
    attached: &Attached<'_>,
    json: Option<JsonText<'_>>,
    diagnostics: &mut Diagnostics,
) {
    let slots = model.slots().iter().enumerate().map(|(index, slot)| (&*slot.name, index)).collect();
    let subject = Subject { root, model, attached, json, slots };
    // Warnings before notes: once the limit is reached, findings are only counted.
    names::check(&subject, diagnostics);
    shapes::check(&subject, diagnostics);
    colors::check(&subject, diagnostics);
    animations::check(&subject, diagnostics);
    starts::check(&subject, diagnostics);
    constraints::check(&subject, diagnostics);
    pictures::check(&subject, diagnostics);
    unused::check(&subject, diagnostics);
}

/// Place and message of a finding.
type Remark = (Place, String);
