//! Attachments of all types.

use super::meshes::{Fitted, fitted};
use super::nonessential::color_of;
use super::vertices::is_weighted;
use super::{Writer, flags, is_given};
use crate::error::Result;
use crate::formats::spine::binary::attachments::{HAS_NAME, TYPES};
use crate::formats::spine::binary::reader::Kind;
use crate::formats::spine::binary::skins::DEFAULT;
use crate::formats::spine::schema::{Attachment, AttachmentType, Number, Sequence, Text};

/// The JSON pointer to an attachment.
pub type Pointer<'p> = &'p dyn Fn() -> String;

/// The length of what is not stated.
const ZERO: Number = Number(0.0);

impl<'r> Writer<'r, '_> {
    /// The attachment after its key. `at`: skin, slot and key.
    pub fn attachment(&mut self, at: [&'r str; 3], it: &'r Attachment<'_>, pointer: Pointer<'_>) -> Result<()> {
        let [_, slot, key] = at;
        let kind = TYPES.iter().position(|kind| *kind == it.kind).unwrap_or(0) as u8;
        // Without a name, the attachment is called like its key.
        let name = it.name.as_ref().map(Text::as_str).filter(|name| *name != key);
        let mesh = (it.kind == AttachmentType::Mesh).then(|| fitted(it, self.layout, pointer)).transpose()?;
        if self.layout.has_flags() {
            self.file.u8(kind | flags(&[(HAS_NAME, name.is_some())]) | type_flags(it, mesh.as_ref()));
            if name.is_some() {
                self.shared(name);
            }
        } else {
            self.shared(name);
            self.file.u8(kind);
        }
        match it.kind {
            AttachmentType::Region => self.region(it, pointer),
            AttachmentType::Mesh => match mesh {
                Some(mesh) => self.mesh(it, mesh, at, pointer),
                None => Ok(()),
            },
            AttachmentType::LinkedMesh => self.linked_mesh(it, slot, pointer),
            AttachmentType::BoundingBox => self.polygon(it, pointer),
            AttachmentType::Path => self.path(it, pointer),
            AttachmentType::Point => {
                self.file.numbers(&[it.rotation, it.x, it.y]);
                self.shape_color(it);
                Ok(())
            }
            AttachmentType::Clipping => self.clipping(it, pointer),
        }
    }

    /// The path of the picture, and since 4.2 colour and sequence; before, they come later.
    pub fn picture(&mut self, it: &'r Attachment<'_>, pointer: Pointer<'_>) -> Result<()> {
        let path = it.path.as_ref().map(Text::as_str);
        if !self.layout.has_flags() {
            self.shared(path);
            return Ok(());
        }
        if path.is_some() {
            self.shared(path);
        }
        if it.color.is_some() {
            self.color(it.color.as_ref(), || field(pointer, "color"))?;
        }
        if let Some(sequence) = it.sequence {
            self.sequence(sequence);
        }
        Ok(())
    }

    pub fn old_color(&mut self, it: &Attachment<'_>, pointer: Pointer<'_>) -> Result<()> {
        if self.layout.has_flags() {
            return Ok(());
        }
        self.color(it.color.as_ref(), || field(pointer, "color"))
    }

    /// The sequence where 4.1 has it.
    pub fn old_sequence(&mut self, it: &Attachment<'_>) {
        if self.layout.has_sequences() && !self.layout.has_flags() {
            self.file.bool(it.sequence.is_some());
            if let Some(sequence) = it.sequence {
                self.sequence(sequence);
            }
        }
    }

    fn sequence(&mut self, Sequence { count, start, digits, setup }: Sequence) {
        [count, start, digits, setup].into_iter().for_each(|number| self.file.varint(number));
    }

    fn region(&mut self, it: &'r Attachment<'_>, pointer: Pointer<'_>) -> Result<()> {
        self.picture(it, pointer)?;
        if !self.layout.has_flags() || is_given(it.rotation) {
            self.file.number(it.rotation);
        }
        self.file.numbers(&[it.x, it.y, it.scale_x, it.scale_y]);
        if it.width.is_none() || it.height.is_none() {
            self.losses.sizes.add(pointer);
        }
        self.size(it);
        self.old_color(it, pointer)?;
        self.old_sequence(it);
        Ok(())
    }

    pub fn size(&mut self, it: &Attachment<'_>) {
        self.file.numbers(&[it.width.unwrap_or(ZERO), it.height.unwrap_or(ZERO)]);
    }

    fn linked_mesh(&mut self, it: &'r Attachment<'_>, slot: &'r str, pointer: Pointer<'_>) -> Result<()> {
        self.picture(it, pointer)?;
        if self.layout.has_one_list() {
            let own = Text(slot.into());
            self.named(Kind::Slot, it.slot.as_ref().unwrap_or(&own), || field(pointer, "slot"))?;
        }
        let default = Text(DEFAULT.into());
        let skin = it.skin.as_ref().unwrap_or(&default);
        if self.layout.has_flags() {
            self.named(Kind::Skin, skin, || field(pointer, "skin"))?;
        } else {
            self.old_color(it, pointer)?;
            self.shared(it.skin.as_ref().map(Text::as_str));
        }
        self.shared(it.parent.as_ref().map(Text::as_str));
        if !self.layout.has_flags() {
            self.file.bool(is_deformed_with_parent(it));
            self.old_sequence(it);
        }
        if self.is_nonessential {
            self.size(it);
        }
        Ok(())
    }

    /// The vertices of a bounding box or of a clipping polygon.
    fn polygon(&mut self, it: &Attachment<'_>, pointer: Pointer<'_>) -> Result<()> {
        self.counted_vertices(it, pointer)?;
        self.shape_color(it);
        Ok(())
    }

    fn clipping(&mut self, it: &Attachment<'_>, pointer: Pointer<'_>) -> Result<()> {
        match &it.end {
            Some(end) => self.named(Kind::Slot, end, || field(pointer, "end"))?,
            // To the end of the draw order.
            None => self.file.varint(self.root.slots.len().saturating_sub(1) as u32),
        }
        self.polygon(it, pointer)
    }

    fn counted_vertices(&mut self, it: &Attachment<'_>, pointer: Pointer<'_>) -> Result<()> {
        let count = vertex_count(it);
        self.file.count(count)?;
        if !self.layout.has_flags() {
            self.file.bool(is_weighted(&it.vertices, count));
        }
        self.vertices(&it.vertices, count, pointer)
    }

    /// The colour in which the editor draws what is invisible.
    fn shape_color(&mut self, it: &Attachment<'_>) {
        if self.is_nonessential {
            self.editor_color(it.color.as_ref(), color_of(it.kind));
        }
    }

    fn path(&mut self, it: &Attachment<'_>, pointer: Pointer<'_>) -> Result<()> {
        if !self.layout.has_flags() {
            self.file.bool(it.closed);
            self.file.bool(it.constant_speed.unwrap_or(true));
        }
        self.counted_vertices(it, pointer)?;
        // One for each knot, although an open path has a curve less.
        let last = it.lengths.last().copied().unwrap_or_default();
        for at in 0..vertex_count(it) / 3 {
            self.file.number(it.lengths.get(at).copied().unwrap_or(last));
        }
        self.shape_color(it);
        Ok(())
    }
}

/// The flags of 4.2 besides type and name.
fn type_flags(it: &Attachment<'_>, mesh: Option<&Fitted<'_>>) -> u8 {
    let is_weighted = || is_weighted(&it.vertices, vertex_count(it));
    let picture = flags(&[(16, it.path.is_some()), (32, it.color.is_some()), (64, it.sequence.is_some())]);
    match it.kind {
        AttachmentType::Region => picture | flags(&[(128, is_given(it.rotation))]),
        AttachmentType::Mesh => picture | flags(&[(128, mesh.is_some_and(Fitted::is_weighted))]),
        AttachmentType::LinkedMesh => picture | flags(&[(128, is_deformed_with_parent(it))]),
        AttachmentType::BoundingBox => flags(&[(16, is_weighted())]),
        AttachmentType::Clipping => flags(&[(16, is_weighted()), (32, it.convex), (64, it.inverse)]),
        AttachmentType::Path => {
            flags(&[(16, it.closed), (32, it.constant_speed.unwrap_or(true)), (64, is_weighted())])
        }
        AttachmentType::Point => 0,
    }
}

/// Returns true if a linked mesh has the timelines of the mesh that it is linked to.
pub fn is_deformed_with_parent(it: &Attachment<'_>) -> bool {
    it.timelines.or(it.deform).unwrap_or(true)
}

/// The number of vertices of a shape. Without one, there are no weights.
fn vertex_count(it: &Attachment<'_>) -> usize {
    it.vertex_count.map_or(it.vertices.len() / 2, |count| count as usize)
}

/// The pointer to a field of an attachment.
fn field(pointer: Pointer<'_>, field: &str) -> String {
    format!("{}/{field}", pointer())
}
