//! Attachments: what slots can show.

use std::collections::HashMap;
use std::fmt;

use serde::Serialize;

use super::{Fact, Part, Value, plural};
use crate::error::escaped;
use crate::model::{self, AttachmentId, Model, SkinEntry, SkinId, SlotId};

/// An attachment: something that a slot can show.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Attachment {
    /// True if a clipping polygon clips with its convex hull; absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub convex: bool,
    /// Index of the image; null if none.
    pub image: Option<usize>,
    /// Most influences of any vertex.
    pub influences: usize,
    /// True if a clipping polygon hides its inside and shows the rest; absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inverse: bool,
    /// Key by which slots and animations refer to it.
    pub key: Option<String>,
    /// Type: region, mesh, clipping, path, point or boundingbox.
    pub kind: &'static str,
    /// Name.
    pub name: String,
    /// Number of pictures, if it has several; the other fields describe the one in the rest pose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pictures: Option<usize>,
    /// Skin that contains it.
    pub skin: Option<String>,
    /// Slot that can show it.
    pub slot: Option<String>,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of vertices.
    pub vertices: usize,
}

impl Attachment {
    /// Describes all authored attachments, in file order.
    pub fn all(model: &Model) -> Vec<Self> {
        let entries = entries(model);
        let mut pictures = vec![0; model.authored_attachments().len()];
        model.attachment_ids().for_each(|id| pictures[model.authored_attachment(id).index()] += 1);
        let of = |(id, attachment): (AttachmentId, &model::Attachment)| {
            let entry = entries.get(&id);
            let mesh = attachment.mesh();
            let (vertices, influences) = shape(attachment);
            let [inverse, convex] = clips(attachment);
            Self {
                convex,
                image: mesh.and_then(|mesh| mesh.page).map(|page| page.index()),
                influences,
                inverse,
                key: entry.map(|(_, entry)| entry.key.to_string()),
                kind: attachment.type_name(),
                name: attachment.name().to_owned(),
                pictures: Some(pictures[id.index()]).filter(|count| *count > 1),
                skin: entry.map(|(skin, _)| (*skin).to_owned()),
                slot: entry.map(|(_, entry)| model.slot(entry.slot).name.to_string()),
                triangles: mesh.map_or(0, |mesh| mesh.indices.len() / 3),
                vertices,
            }
        };
        model.attachment_ids().zip(model.authored_attachments()).map(of).collect()
    }

    /// Returns the facts about an attachment in a slot.
    pub fn facts(model: &Model, slot: SlotId, id: AttachmentId) -> Vec<Fact> {
        let attachment = model.attachment(id);
        let is_in = |skin: &SkinId| model.skin(*skin).entries.iter().any(|entry| entry.attachment == id);
        let end = attachment.clip_mask().and_then(|mask| mask.end).map(Part::Slot);
        let [inverse, convex] = clips(attachment);
        vec![
            Fact::new("slot", "Slot", Value::parts([Part::Slot(slot)].into_iter(), model)),
            Fact::new("skins", "Skins", Value::parts(model.skin_ids().filter(is_in).map(Part::Skin), model)),
            Fact::new("clips up to", "Clips up to", Value::part_or(end, "none", model)),
            Fact::new("inverse", "Inverse", inverse),
            Fact::new("convex hull", "Convex hull", convex),
        ]
    }
}

/// Maps every attachment to its skin and its entry there.
fn entries(model: &Model) -> HashMap<AttachmentId, (&str, &SkinEntry)> {
    let of_skin = |skin| -> Vec<(AttachmentId, (&str, &SkinEntry))> {
        let skin: &model::Skin = skin;
        skin.entries.iter().map(|entry| (entry.attachment, (&*skin.name, entry))).collect()
    };
    model.skins().iter().flat_map(of_skin).collect()
}

/// Returns whether a clipping polygon is inverse, and whether its convex hull clips.
fn clips(attachment: &model::Attachment) -> [bool; 2] {
    attachment.clip_mask().map_or([false; 2], |mask| [mask.is_inverse, mask.is_convex])
}

/// Returns the number of vertices and the most influences of any vertex.
fn shape(attachment: &model::Attachment) -> (usize, usize) {
    match attachment.listed_vertices() {
        Some(vertices) => {
            (vertices.len(), vertices.iter().map(|vertex| vertex.influences.len()).max().unwrap_or(0))
        }
        None => attachment.mesh().map_or((0, 0), |mesh| (mesh.vertices.len(), 4)),
    }
}

impl fmt::Display for Attachment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)?;
        if self.vertices > 0 {
            write!(f, ", {}", plural(self.vertices, "vertex", "vertices"))?;
            write!(f, ", {}", plural(self.influences, "influence", "influences"))?;
        }
        if self.triangles > 0 {
            write!(f, ", {}", plural(self.triangles, "triangle", "triangles"))?;
            f.write_str(&self.image.map_or(", no image".to_owned(), |image| format!(", image {image}")))?;
        }
        f.write_str(if self.inverse { ", inverse" } else { "" })?;
        f.write_str(if self.convex { ", convex hull" } else { "" })?;
        if let Some(count) = self.pictures {
            write!(f, ", {count} pictures")?;
        }
        if let Some(slot) = &self.slot {
            write!(f, ", slot {}", escaped(slot))?;
        }
        match self.skin.as_deref() {
            None | Some("default") => Ok(()),
            Some(skin) => write!(f, ", skin {}", escaped(skin)),
        }
    }
}
