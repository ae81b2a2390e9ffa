//! Colours whose bytes lack leading zeros, as a converter writes them.
//!
//! Six digits are read as a colour without alpha. With any other number it is unknown which bytes are short.

use foldhash::HashMap;

use super::build::attachments_of;
use super::schema::{Color, FieldKind, Root, Slot, Value, attachments};
use crate::diagnostics::Diagnostics;
use crate::error::{Place, escaped};
use crate::formats::json::text::escaped_key;

/// Replaces short colours: those of slots and attachments by white, those of keys by the colour of the slot.
pub fn replace(root: &mut Root<'_>, diagnostics: &mut Diagnostics) {
    let mut report = |pointer: String, text: &str, shown: &str| {
        let message = format!("`{}` has too few digits for a colour; {shown} is shown", escaped(text));
        diagnostics.warn("short-color", Place::inside(pointer), message);
    };
    for (index, slot) in root.slots.iter_mut().enumerate() {
        if let Some(color) = slot.color.take_if(|color| is_short(color)) {
            report(format!("/slots/{index}/color"), &color.digits(false), "white");
        }
    }
    for (pointer, _, attachment) in attachments_of(root) {
        if let Some(color) = attachment.color.as_ref().filter(|color| is_short(color)) {
            report(format!("{pointer}/color"), &color.digits(false), "white");
        }
    }
    for attachment in attachments(root) {
        attachment.color.take_if(|color| is_short(color));
    }
    let white = [u8::MAX; 4];
    let color_of = |slot: &Slot<'_>| slot.color.as_ref().and_then(Color::valid).unwrap_or(white);
    // Of several slots with one name, the last counts.
    let of_slots: HashMap<&str, [u8; 4]> =
        root.slots.iter().map(|slot| (slot.name.as_str(), color_of(slot))).collect();
    for (animation, it) in &mut root.animations.0 {
        for (slot, timelines) in &mut it.slots.0 {
            for keys in &mut timelines.list {
                let row = keys.row();
                let fields = row.form.fields.iter().enumerate();
                for (field, it) in fields.filter(|(_, field)| field.kind == FieldKind::Color) {
                    for at in 0..keys.len() {
                        let Some(color) = keys.color(at, field).filter(is_short) else { continue };
                        let [of, name] = [&*animation, &*slot].map(|name| escaped_key(name.as_str()));
                        let pointer = format!("/animations/{of}/slots/{name}/{}/{at}/{}", row.name, it.name);
                        report(pointer, &color.digits(false), "the colour of the slot");
                        keys.fields_mut(at)[field] =
                            Value::Color(of_slots.get(slot.as_str()).copied().unwrap_or(white));
                    }
                }
            }
        }
    }
}

/// Returns true for fewer than eight digits that are no colour.
fn is_short(color: &Color<'_>) -> bool {
    let is_digits = |text: &str| (1..8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    color.rgba().is_err_and(is_digits)
}
