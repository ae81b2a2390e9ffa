//! Skins.

use std::fmt;

use serde::Serialize;

use super::{Fact, Link, Part, Value, plural};
use crate::character::Character;
use crate::error::escaped;
use crate::math::color::hex;
use crate::model::{Model, SkinEntry, SkinId};
use crate::motion::{default_skins, initial_skins};

/// A skin.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Skin {
    /// Number of attachments.
    pub attachments: usize,
    /// Bones that are only active with this skin.
    pub bones: Vec<String>,
    /// Colour in the editor, as eight hexadecimal digits: red, green, blue and alpha; absent if the file has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Name.
    pub name: String,
    /// Whether the skin is applied unless another one is chosen.
    pub worn: bool,
}

impl Skin {
    /// Describes all skins, in file order.
    pub fn all(character: &Character) -> Vec<Self> {
        let model = character.model();
        let initial = initial_skins(character);
        let is_worn = |id: SkinId| default_skins(character).contains(&id) || initial.contains(&id);
        let of = |id: SkinId| {
            let skin = model.skin(id);
            Self {
                attachments: skin.entries.len(),
                bones: skin.bones.iter().map(|&bone| Part::Bone(bone).name(model).to_owned()).collect(),
                color: skin.color.map(|color| hex(&color)),
                name: skin.name.to_string(),
                worn: is_worn(id),
            }
        };
        model.skin_ids().map(of).collect()
    }

    /// Returns the facts about a skin. Its attachments are called `slot/key`.
    pub fn facts(model: &Model, id: SkinId) -> Vec<Fact> {
        let skin = model.skin(id);
        let entry = |entry: &SkinEntry| Link {
            part: Part::Attachment(entry.slot, entry.attachment),
            text: format!("{}/{}", model.slot(entry.slot).name, entry.key),
        };
        let bone = |bone: &crate::model::BoneId| Link::to(Part::Bone(*bone), model);
        vec![
            Fact::new("attachments", "Contents", Value::Set(skin.entries.iter().map(entry).collect())),
            Fact::new("bones", "Bones", Value::Set(skin.bones.iter().map(bone).collect())),
        ]
    }
}

impl fmt::Display for Skin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plural(self.attachments, "attachment", "attachments"))?;
        if !self.bones.is_empty() {
            let bones: Vec<String> = self.bones.iter().map(|bone| escaped(bone)).collect();
            write!(f, ", bones {}", bones.join(", "))?;
        }
        if let Some(color) = &self.color {
            write!(f, ", colour {color}")?;
        }
        // The default skin is always active.
        f.write_str(if self.worn && self.name != "default" { ", worn" } else { "" })
    }
}
