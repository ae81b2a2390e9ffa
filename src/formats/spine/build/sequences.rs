//! Attachments with several pictures: their names and numbers.
//!
//! The pictures are named by the path of the attachment and a number. Counts are charged before names are made.

use std::fmt::Display;

use super::attachments::{picture_name, skin_pointer};
use super::{RECORD_BYTES, at, escaped_key};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::formats::spine::schema;
use crate::limits::Budget;

/// Maximum number of pictures of an attachment. A few bytes of a file can claim any number.
const MAX_PICTURES: u32 = 10_000;

/// Maximum number of digits that numbers are padded to. Numbers have at most 10.
const MAX_DIGITS: u32 = 32;

/// The numbered pictures of an attachment, at least one.
#[derive(Debug, Clone, Copy)]
pub struct Numbered {
    pub count: usize,
    /// Index of the picture at rest.
    pub rest: usize,
    /// The number of the first picture.
    first: u64,
    digits: usize,
}

impl Numbered {
    /// The pictures of an attachment; `None` if it has only one, without a number.
    pub fn of(json: &schema::Attachment<'_>) -> Option<Self> {
        let sequence = json.sequence.filter(|it| it.count > 0 && json.kind.is_drawn())?;
        Some(Self {
            count: sequence.count as usize,
            rest: sequence.setup.min(sequence.count - 1) as usize,
            first: sequence.start.into(),
            digits: sequence.digits.min(MAX_DIGITS) as usize,
        })
    }

    /// The names of the pictures, which begin with `path`.
    pub fn names<'p>(self, path: &'p str) -> impl ExactSizeIterator<Item = String> + use<'p> {
        (0..self.count).map(move |index| self.name(path, index))
    }

    /// The name of one picture.
    pub fn name(self, path: &str, index: usize) -> String {
        let Self { first, digits, .. } = self;
        format!("{path}{:0digits$}", first + index as u64)
    }
}

/// Charges the pictures of all sequences.
pub fn charge(root: &schema::Root<'_>, budget: &mut Budget<'_>) -> Result<()> {
    for (skin, json) in (0..).zip(&root.skins.list) {
        for (slot, attachments) in &json.attachments.0 {
            for (key, json) in &attachments.0 {
                let Some(numbered) = Numbered::of(json) else { continue };
                let count = numbered.count as u64;
                let place = || {
                    let (slot, key) = (escaped_key(slot.as_str()), escaped_key(key.as_str()));
                    at(format!("{}/{slot}/{key}/sequence/count", skin_pointer(root, skin)))
                };
                if count > MAX_PICTURES.into() {
                    let message = format!("{count} pictures are too many; an attachment may have {MAX_PICTURES}");
                    return Err(Error::unsupported("too-many", place(), message));
                }
                // Its name is made twice: to find the atlas, and to find the picture in it.
                let name = picture_name(key.as_str(), json).len() + MAX_DIGITS as usize;
                budget.charge_records(count, place)?;
                budget.charge_memory(count, RECORD_BYTES + 2 * name, place)?;
            }
        }
    }
    Ok(())
}

/// Reports invalid numbers of an attachment.
pub fn check(json: &schema::Attachment<'_>, pointer: &dyn Display, diagnostics: &mut Diagnostics) {
    let Some(sequence) = json.sequence.filter(|_| json.kind.is_drawn()) else { return };
    let schema::Sequence { count, setup, digits, .. } = sequence;
    let mut warn = |field: &str, message: String| {
        diagnostics.warn("bad-sequence", at(format!("{pointer}/sequence/{field}")), message);
    };
    if count == 0 {
        return warn("count", "a sequence without pictures is ignored".to_owned());
    }
    if setup >= count {
        let message = format!("picture {setup} does not exist, the sequence has {count}; the last one is shown");
        warn("setup", message);
    }
    if digits > MAX_DIGITS {
        let message = format!("numbers have at most {MAX_DIGITS} digits, not {digits}; {MAX_DIGITS} are used");
        warn("digits", message);
    }
}
