//! One attachment, and the mesh that a linked mesh takes its vertices from.

use std::fmt::{self, Display};

use foldhash::HashMap;

use super::stored::{picture_name, skin_pointer};
use crate::error::Result;
use crate::formats::spine::build::{Names, escaped_key, find, malformed, missing};
use crate::formats::spine::schema::{self, AttachmentType};
use crate::formats::spine::version::Version;

/// Maximum length of a chain of linked meshes. Spine itself only links to meshes directly.
const MAX_LINKS: usize = 64;

/// One attachment of the file.
pub struct Item<'a> {
    pub root: &'a schema::Root<'a>,
    pub skin: u32,
    pub slot: u32,
    pub key: &'a str,
    pub json: &'a schema::Attachment<'a>,
}

/// The attachments of a file: index by skin, slot and name.
pub type Places<'a> = HashMap<(u32, u32, &'a str), usize>;

impl Item<'_> {
    /// The JSON pointer to it.
    pub fn pointer(&self) -> impl Display {
        fmt::from_fn(|f| {
            let slot = escaped_key(self.root.slots[self.slot as usize].name.as_str());
            write!(f, "{}/{slot}/{}", skin_pointer(self.root, self.skin), escaped_key(self.key))
        })
    }

    /// The name of the attachment, or its key.
    pub fn name(&self) -> &str {
        self.json.name.as_ref().map_or(self.key, schema::Text::as_str)
    }

    /// The name of its picture.
    pub fn picture(&self) -> &str {
        picture_name(self.key, self.json)
    }

    /// Returns true if keys of the mesh that it is linked to deform it, too.
    pub fn shares_deformation(&self) -> bool {
        self.json.timelines.or(self.json.deform) != Some(false)
    }

    /// The JSON pointer to the name of the mesh that it is linked to.
    fn at_parent(&self) -> String {
        let field = if self.root.version == Version::Four(3) { "source" } else { "parent" };
        format!("{}/{field}", self.pointer())
    }

    /// The mesh that a linked mesh directly links to.
    fn parent(&self, places: &Places<'_>, names: &Names<'_>) -> Result<usize> {
        let Some(parent) = &self.json.parent else {
            return Err(malformed("linked-mesh", self.at_parent(), "a linked mesh must name its parent mesh"));
        };
        let pointer = |field| format!("{}/{field}", self.pointer());
        let skin = match &self.json.skin {
            Some(skin) => Some(find(&names.skins, skin, "skin", || pointer("skin"))? as u32),
            None => names.skins.get("default").copied(),
        };
        let slot = match &self.json.slot {
            Some(slot) => find(&names.slots, slot, "slot", || pointer("slot"))? as u32,
            None => self.slot,
        };
        let found = skin.and_then(|skin| places.get(&(skin, slot, parent.as_str())));
        found.copied().ok_or_else(|| missing("mesh in that skin and slot", parent, self.at_parent()))
    }
}

/// The mesh with the vertices of a mesh: itself, unless it is linked. And the attachment that it directly links to.
pub fn source_of(
    items: &[Item<'_>],
    places: &Places<'_>,
    linked: usize,
    names: &Names<'_>,
) -> Result<(usize, usize)> {
    let mut owner = None;
    let mut at = linked;
    for _ in 0..=MAX_LINKS {
        match items[at].json.kind {
            AttachmentType::LinkedMesh => at = items[at].parent(places, names)?,
            AttachmentType::Mesh => return Ok((at, owner.unwrap_or(at))),
            AttachmentType::Region
            | AttachmentType::BoundingBox
            | AttachmentType::Path
            | AttachmentType::Point
            | AttachmentType::Clipping => {
                let pointer = items[linked].at_parent();
                return Err(malformed("linked-mesh", pointer, "the parent of a linked mesh must be a mesh"));
            }
        }
        owner = owner.or(Some(at));
    }
    let message = format!("the chain of linked meshes is longer than {MAX_LINKS}");
    Err(malformed("linked-mesh", items[linked].pointer(), message))
}
