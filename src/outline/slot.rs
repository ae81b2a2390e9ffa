//! Slots.

use std::fmt;

use serde::Serialize;

use super::{Fact, HIDDEN, Part, Value};
use crate::error::escaped;
use crate::model::{Blend, Model, SlotId};

/// A slot.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Slot {
    /// Attachment in the rest pose with only the default skin; null if none.
    pub attachment: Option<String>,
    /// Blend mode: normal, additive, multiply or screen.
    pub blend: &'static str,
    /// Bone of the slot.
    pub bone: Option<String>,
    /// Whether the slot is hidden in the editor, which does not affect the picture; absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Name.
    pub name: String,
}

impl Slot {
    /// Describes all slots, in their default draw order.
    pub fn all(model: &Model) -> Vec<Self> {
        let of = |slot: &crate::model::Slot| Self {
            attachment: slot.attachment.map(|id| model.attachment(id).name().to_owned()),
            blend: slot.blend.name(),
            bone: slot.bone.map(|id| Part::Bone(id).name(model).to_owned()),
            hidden: slot.is_hidden_in_editor,
            name: slot.name.to_string(),
        };
        model.slots().iter().map(of).collect()
    }

    /// Returns the facts about a slot.
    pub fn facts(model: &Model, id: SlotId) -> Vec<Fact> {
        let slot = model.slot(id);
        let dark = slot.tint.dark.map_or(Value::Nothing("none"), |dark| Value::Color(dark.to_vec()));
        let attachment = slot.attachment.map(|attachment| Part::Attachment(id, attachment));
        vec![
            Fact::new("bone", "", Value::part_or(slot.bone.map(Part::Bone), "none", model)),
            Fact::new("blend", "Blend", slot.blend.name()),
            Fact::new("colour", "Tint", Value::Color(slot.tint.light.to_vec())),
            Fact::new("dark colour", "Dark tint", dark),
            Fact::new("attachment", "", Value::part_or(attachment, "nothing", model)),
        ]
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bone = self.bone.as_deref().map_or("no bone".to_owned(), escaped);
        let shows = self.attachment.as_deref().map_or("nothing".to_owned(), escaped);
        write!(f, "on {bone}, shows {shows}")?;
        if self.blend != Blend::Normal.name() {
            write!(f, ", {}", self.blend)?;
        }
        if self.hidden { write!(f, ", {HIDDEN}") } else { Ok(()) }
    }
}
