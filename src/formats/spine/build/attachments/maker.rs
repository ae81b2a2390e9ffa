//! One attachment after the other → the model and the rig.

use super::item::{Item, Places, source_of};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::formats::spine::build::pictures::{Picture, Pictures};
use crate::formats::spine::build::sequences::{self, Numbered};
use crate::formats::spine::build::vertices::{Wanted, vertices};
use crate::formats::spine::build::{Names, at, find, malformed};
use crate::formats::spine::schema::{self, AttachmentType};
use crate::limits::Budget;
use crate::math::{Vec2, vec2};
use crate::model::{
    Attachment, AttachmentId, BoneId, ClipMask, Influence, ModelBuilder, Path, Point, Polygon, SkinNVertices,
    SlotId,
};
use crate::motion::spine::{Rig, Sequence};

/// What making attachments reads and writes.
pub struct Maker<'t, 'a, 'b, 'p> {
    pub items: &'t [Item<'a>],
    pub places: &'t Places<'a>,
    pub names: &'t Names<'a>,
    pub pictures: Pictures<'p>,
    pub builder: &'t mut ModelBuilder,
    pub rig: &'t mut Rig,
    pub budget: &'t mut Budget<'b>,
    pub diagnostics: &'t mut Diagnostics,
    /// Number of influences that keys deform, by attachment; `None` if it has errors.
    pub influences: Vec<Option<usize>>,
}

impl<'a> Maker<'_, 'a, '_, '_> {
    /// Adds an attachment, of a sequence with the picture at rest.
    pub fn add(&mut self, index: usize) -> Result<()> {
        let item = &self.items[index];
        let made = self.attachment(index);
        let Some((attachment, deformed_as)) = self.diagnostics.recover(made)?.flatten() else {
            // A placeholder keeps the indices of the others.
            let bone = BoneId::new(self.bone(item));
            let point = Point { name: item.key.into(), bone, position: Vec2::ZERO, rotation_radians: 0.0 };
            self.builder.attachment(Attachment::Point(point))?;
            self.rig.timed_as.push(AttachmentId::new(index));
            self.influences.push(None);
            return Ok(());
        };
        if let Attachment::Path(path) = &attachment {
            let moved = path.vertices.influences().iter().map(|influence| influence.bone);
            let bones = &mut self.rig.slots[item.slot as usize].path_bones;
            bones.extend(moved.filter(|&bone| bone != Influence::NO_BONE));
        }
        self.influences.push(Some(match &attachment {
            Attachment::Region(_) => 0,
            other => other.listed_vertices().map_or(0, |vertices| vertices.influences().len()),
        }));
        self.builder.attachment(attachment)?;
        self.rig.timed_as.push(AttachmentId::new(deformed_as));
        Ok(())
    }

    /// Makes an attachment, and returns which one has the keys that deform it. `None` for a mesh linked to one with errors.
    fn attachment(&mut self, index: usize) -> Result<Option<(Attachment, usize)>> {
        let items = self.items;
        let item = &items[index];
        let attachment = match item.json.kind {
            AttachmentType::Region => {
                let picture = self.picture(item)?;
                self.drawn(item, item, picture)?
            }
            AttachmentType::Mesh | AttachmentType::LinkedMesh => {
                let (source, owner) = source_of(items, self.places, index, self.names)?;
                // The error of the mesh itself has been reported already.
                if source < index && self.influences[source].is_none() {
                    return Ok(None);
                }
                let picture = self.picture(item)?;
                let mesh = self.drawn(item, &items[source], picture)?;
                return Ok(Some((mesh, if item.shares_deformation() { owner } else { index })));
            }
            AttachmentType::BoundingBox => Attachment::Bounds(self.polygon(item, 0)?),
            AttachmentType::Clipping => Attachment::ClipMask(self.clip_mask(item)?),
            AttachmentType::Path => Attachment::Path(self.path(item)?),
            AttachmentType::Point => {
                let schema::Attachment { x, y, rotation, .. } = item.json;
                Attachment::Point(Point {
                    name: item.name().into(),
                    bone: BoneId::new(self.bone(item)),
                    position: vec2(x.0, y.0),
                    rotation_radians: rotation.0.to_radians(),
                })
            }
        };
        Ok(Some((attachment, index)))
    }

    fn clip_mask(&mut self, item: &Item<'_>) -> Result<ClipMask> {
        let end = |end| find(&self.names.slots, end, "slot", || format!("{}/end", item.pointer()));
        let end = item.json.end.as_ref().map(end).transpose()?.map(SlotId::new);
        let polygon = self.polygon(item, 3)?;
        // The program takes an inverse mask for a convex one, too.
        let (is_inverse, is_convex) = (item.json.inverse, item.json.convex || item.json.inverse);
        Ok(ClipMask { polygon, is_convex, is_inverse, end })
    }

    fn path(&mut self, item: &Item<'_>) -> Result<Path> {
        let json = item.json;
        let Polygon { name, vertices } = self.polygon(item, if json.closed { 3 } else { 6 })?;
        if !vertices.len().is_multiple_of(3) {
            let message = format!("{} vertices; a path has three per knot", vertices.len());
            return Err(malformed("vertex-count", format!("{}/vertexCount", item.pointer()), message));
        }
        let (constant_speed, lengths) = (json.constant_speed.unwrap_or(true), rising(&json.lengths));
        let path = Path { name, vertices, closed: json.closed, constant_speed, lengths };
        let (lengths, curves) = (path.lengths.len(), path.curve_count());
        if lengths < curves {
            let message = format!("{lengths} lengths for {curves} curves; each curve needs one");
            return Err(malformed("path-lengths", format!("{}/lengths", item.pointer()), message));
        }
        Ok(path)
    }

    /// A polygon with at least `least` corners.
    fn polygon(&mut self, item: &Item<'_>, least: usize) -> Result<Polygon> {
        let stated = item.json.vertex_count;
        let count = stated.map_or(item.json.vertices.len() / 2, |count| count as usize);
        if count < least || count > usize::from(u16::MAX) {
            let message = format!("{count} vertices; this type must have {least} to {}", u16::MAX);
            return Err(malformed("vertex-count", format!("{}/vertexCount", item.pointer()), message));
        }
        Ok(Polygon { name: item.name().into(), vertices: self.vertices(item, item.slot, count, &[])? })
    }

    /// The vertices of `item` in a slot.
    pub fn vertices(&mut self, item: &Item<'_>, slot: u32, count: usize, uvs: &[Vec2]) -> Result<SkinNVertices> {
        self.charge(count, item.json.vertices.len() / 2, item)?;
        let bone = self.rig.slots[slot as usize].bone as u32;
        let wanted = Wanted { count, bone, bones: self.rig.bones.len(), uvs, pointer: &item.pointer() };
        vertices(&item.json.vertices, &wanted)
    }

    /// Adds an attachment for each picture of a sequence except the one at rest, which the attachment itself shows. Missing
    /// pictures look the same and share one.
    pub fn add_sequence(&mut self, index: usize) -> Result<()> {
        let items = self.items;
        let (item, rest) = (&items[index], AttachmentId::new(index));
        let numbered = Numbered::of(item.json).filter(|_| self.influences[index].is_some());
        let Some(numbered) = numbered else { return Ok(()) };
        let source = match item.json.kind {
            AttachmentType::LinkedMesh => &items[source_of(items, self.places, index, self.names)?.0],
            AttachmentType::Region
            | AttachmentType::Mesh
            | AttachmentType::BoundingBox
            | AttachmentType::Path
            | AttachmentType::Point
            | AttachmentType::Clipping => item,
        };
        let mut pictures = Vec::with_capacity(numbered.count);
        let mut missing = None;
        for (number, name) in numbered.names(item.picture()).enumerate() {
            let picture = self.pictures.get(&name, &item.pointer(), self.builder, self.budget)?;
            let is_missing = picture.is_none();
            let known = if number == numbered.rest { Some(rest) } else { missing.filter(|_| is_missing) };
            if let Some(id) = known {
                pictures.push(id);
                continue;
            }
            let made = self.drawn(item, source, picture);
            let Some(mut attachment) = self.diagnostics.recover(made)? else { return Ok(()) };
            if let Attachment::Region(mesh) | Attachment::Mesh(mesh) = &mut attachment {
                mesh.name = name.into();
            }
            let id = self.builder.picture(rest, attachment)?;
            if is_missing {
                missing = Some(id);
            }
            pictures.push(id);
            self.rig.timed_as.push(self.rig.timed_as[index]);
        }
        self.rig.sequences.push(Sequence { attachment: rest, pictures });
        Ok(())
    }

    /// The picture of an attachment, of a sequence the one at rest.
    fn picture(&mut self, item: &Item<'_>) -> Result<Option<Picture>> {
        let pointer = item.pointer();
        sequences::check(item.json, &pointer, self.diagnostics);
        let Some(numbered) = Numbered::of(item.json) else {
            return self.pictures.get(item.picture(), &pointer, self.builder, self.budget);
        };
        let name = numbered.name(item.picture(), numbered.rest);
        self.pictures.get(&name, &pointer, self.builder, self.budget)
    }

    /// A region, or a mesh with the vertices of `source`, that shows a picture.
    fn drawn(&mut self, item: &Item<'_>, source: &Item<'_>, picture: Option<Picture>) -> Result<Attachment> {
        Ok(if item.json.kind == AttachmentType::Region {
            Attachment::Region(self.region(item, picture)?)
        } else {
            Attachment::Mesh(self.mesh(item, source, picture)?)
        })
    }

    /// The bone of an attachment's slot.
    pub fn bone(&self, item: &Item<'_>) -> usize {
        self.rig.slots[item.slot as usize].bone
    }

    pub fn charge(&mut self, vertices: usize, influences: usize, item: &Item<'_>) -> Result<()> {
        // A vertex record and an influence have the same size.
        let count = (vertices + influences) as u64;
        self.budget.charge_memory(count, size_of::<Influence>(), || at(item.pointer()))
    }
}

/// The end of each curve of a path, made ascending: a curve that ends before its predecessor is never reached.
fn rising(lengths: &[schema::Number]) -> Box<[f32]> {
    let mut longest = f32::MIN;
    let longest = lengths.iter().map(|length| {
        longest = longest.max(length.0);
        longest
    });
    longest.collect()
}

pub fn too_large(item: &Item<'_>) -> Error {
    malformed("not-finite", item.pointer(), "its numbers are too large")
}
