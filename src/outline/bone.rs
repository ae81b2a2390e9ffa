//! Bones.

use std::fmt;

use serde::Serialize;

use super::{Fact, HIDDEN, Part, Value};
use crate::character::Character;
use crate::error::escaped;
use crate::math::color::hex;
use crate::model::BoneId;
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
    /// Layer that shows it; absent if it is in none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Name.
    pub name: String,
    /// Index of the parent bone; null for a root.
    pub parent: Option<u32>,
    /// Name of the parent bone; `None` for a root, and if the parent does not exist.
    #[serde(skip)]
    pub parent_name: Option<String>,
    /// Symbol of which it is an instance; absent if it is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
}

impl Bone {
    /// Describes all authored bones, in file order.
    pub fn all(character: &Character) -> Vec<Self> {
        let model = character.model();
        let animate = match character.motion() {
            Motion::Animate(animate) => Some(animate),
            Motion::Sampled(_)
            | Motion::Flipbook(_)
            | Motion::Spine(_)
            | Motion::SkelForm(_)
            | Motion::Stage(_) => None,
        };
        let of = |(id, bone): (BoneId, &crate::model::Bone)| Self {
            color: bone.marker.color.map(|color| hex(&color)),
            hidden: bone.marker.is_hidden,
            icon: bone.marker.icon.as_deref().map(str::to_owned),
            layer: animate.and_then(|it| it.layer_of(id)).map(|(_, name, _)| name.to_owned()),
            name: bone.name.to_string(),
            parent: bone.parent.and_then(|parent| u32::try_from(parent.index()).ok()),
            parent_name: bone.parent.map(|parent| Part::Bone(parent).name(model).to_owned()),
            symbol: animate.and_then(|it| it.symbol_of(id)).map(|(name, _)| name.to_owned()),
        };
        let bones = model.skeleton().bone_ids().zip(model.skeleton().authored_bones());
        bones.map(of).collect()
    }

    /// Returns the facts about a bone.
    pub fn facts(character: &Character, id: BoneId) -> Vec<Fact> {
        let model = character.model();
        let parent = model.skeleton().bones().get(id.index()).and_then(|bone| bone.parent);
        let length = bone_length(character, id).map(|length| format!("{length} px"));
        let facts = [
            Fact::new("parent", "Parent", Value::part_or(parent.map(Part::Bone), "none", model)),
            Fact::new("length", "Length", length.map_or(Value::Nothing("none"), Value::Note)),
            Fact::new(
                "inherits",
                "Inherits",
                inheritance(character, id).map_or(Value::Nothing("none"), Value::from),
            ),
        ];
        facts.into_iter().chain(Self::timeline_facts(character, id)).collect()
    }

    /// Returns what a bone stands for in the timelines of an atlas of Adobe Animate; nothing in other formats.
    pub(crate) fn timeline_facts(character: &Character, id: BoneId) -> Vec<Fact> {
        let Motion::Animate(animate) = character.motion() else { return Vec::new() };
        let (symbol, layer) = (animate.symbol_of(id), animate.layer_of(id));
        let text = |name: Option<&str>| name.map_or(Value::Nothing("none"), Value::from);
        let frames = symbol.map_or(Value::Nothing("none"), |(_, frames)| (frames as usize).into());
        vec![
            Fact::new("symbol", "Symbol", text(symbol.map(|(name, _)| name))),
            Fact::new("frames", "Frames", frames),
            Fact::new("layer", "Layer", text(layer.map(|(_, name, _)| name))),
            Fact::new("mask", "Mask layer", layer.is_some_and(|(layer, ..)| layer.is_mask)),
            Fact::new("clipped by", "Clipped by", text(layer.and_then(|(.., mask)| mask))),
        ]
    }
}

impl fmt::Display for Bone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.parent.zip(self.parent_name.as_ref()).map(|(at, name)| format!("on {at} {}", escaped(name))),
            self.symbol.as_ref().map(|symbol| format!("symbol {}", escaped(symbol))),
            self.layer.as_ref().map(|layer| format!("layer {}", escaped(layer))),
            self.color.as_ref().map(|color| format!("colour {color}")),
            self.icon.as_ref().map(|icon| format!("icon {}", escaped(icon))),
            self.hidden.then(|| HIDDEN.to_owned()),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}
