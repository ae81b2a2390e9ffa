//! Bones.

use std::fmt;

use serde::Serialize;

use super::color::hex;
use super::{Fact, HIDDEN, Part, Value};
use crate::character::Character;
use crate::error::escaped;
use crate::model::{BoneId, Model};
use crate::motion::{Motion, bone_length, inheritance};

/// A bone.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Bone {
    /// Colour in the editor, as eight hexadecimal digits: red, green, blue and alpha; absent if the file has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Whether the bone is hidden in the editor; absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Icon in the editor; absent if the file has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// Name.
    pub name: String,
    /// Index of the parent bone; null for a root.
    pub parent: Option<u32>,
    /// Name of the parent bone; `None` for a root, and if the parent does not exist.
    #[serde(skip)]
    pub parent_name: Option<String>,
}

impl Bone {
    /// Describes all authored bones, in file order.
    pub fn all(model: &Model) -> Vec<Self> {
        let of = |bone: &crate::model::Bone| Self {
            color: bone.marker.color.map(|color| hex(&color)),
            hidden: bone.marker.is_hidden,
            icon: bone.marker.icon.as_deref().map(str::to_owned),
            name: bone.name.to_string(),
            parent: bone.parent.and_then(|parent| u32::try_from(parent.index()).ok()),
            parent_name: bone.parent.map(|parent| Part::Bone(parent).name(model).to_owned()),
        };
        model.skeleton().authored_bones().iter().map(of).collect()
    }

    /// Returns the facts about a bone.
    pub fn facts(character: &Character, id: BoneId) -> Vec<Fact> {
        let model = character.model();
        let parent = model.skeleton().bones().get(id.index()).and_then(|bone| bone.parent);
        let length = bone_length(character, id).map(|length| format!("{length} px"));
        let mut facts = vec![
            Fact::new("parent", "Parent", Value::part_or(parent.map(Part::Bone), "none", model)),
            Fact::new("length", "Length", length.map_or(Value::Nothing("none"), Value::Note)),
            Fact::new(
                "inherits",
                "Inherits",
                inheritance(character, id).map_or(Value::Nothing("none"), Value::from),
            ),
        ];
        if let Motion::Animate(animate) = character.motion() {
            let (symbol, layer) = (animate.symbol_of(id), animate.layer_of(id));
            let text = |name: Option<&str>| name.map_or(Value::Nothing("none"), Value::from);
            facts.extend([
                Fact::new("symbol", "Symbol", text(symbol.map(|(name, _)| name))),
                Fact::new(
                    "frames",
                    "Frames",
                    symbol.map_or(Value::Nothing("none"), |(_, frames)| (frames as usize).into()),
                ),
                Fact::new("layer", "Layer", text(layer.map(|(_, name, _)| name))),
                Fact::new("mask", "Mask layer", layer.is_some_and(|(layer, ..)| layer.is_mask)),
                Fact::new("clipped by", "Clipped by", text(layer.and_then(|(.., mask)| mask))),
            ]);
        }
        facts
    }
}

impl fmt::Display for Bone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.parent.zip(self.parent_name.as_ref()).map(|(at, name)| format!("on {at} {}", escaped(name))),
            self.color.as_ref().map(|color| format!("colour {color}")),
            self.icon.as_ref().map(|icon| format!("icon {}", escaped(icon))),
            self.hidden.then(|| HIDDEN.to_owned()),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}
