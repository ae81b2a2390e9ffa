//! Attachments of all types, with their vertices.

use super::layout::Layout;
use super::reader::{Kind, Link, Reader, text};
use super::trace::MaybeTrace;
use crate::error::Result;
use crate::formats::spine::schema::{Attachment, AttachmentType, Number, Sequence};

/// Types by number.
pub const TYPES: [AttachmentType; 7] = [
    AttachmentType::Region,
    AttachmentType::BoundingBox,
    AttachmentType::Mesh,
    AttachmentType::LinkedMesh,
    AttachmentType::Path,
    AttachmentType::Point,
    AttachmentType::Clipping,
];

/// Types by number before 3.3. Meshes with weights have types of their own.
const OLD_TYPES: [AttachmentType; 6] = [
    AttachmentType::Region,
    AttachmentType::BoundingBox,
    AttachmentType::Mesh,
    AttachmentType::Mesh,
    AttachmentType::LinkedMesh,
    AttachmentType::LinkedMesh,
];

/// Minimum size of an attachment and its key in bytes.
pub const MIN_ATTACHMENT: usize = 3;

/// The flag of 4.2 for an attachment whose name is not its key.
pub const HAS_NAME: u8 = 8;

/// Minimum size of an influence in bytes: a bone and three numbers.
const MIN_INFLUENCE: usize = 13;

/// The flag of 4.2 for a mesh with weights.
const WEIGHTED: u8 = 128;

/// What the flags of 4.2 say about an attachment. Older versions state everything.
#[derive(Clone, Copy)]
struct Flags(u8);

impl Flags {
    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }
}

/// Types by number before 4.2.
fn types(layout: Layout) -> &'static [AttachmentType] {
    match () {
        () if layout.has_clipping() => &TYPES,
        () if layout.has_paths() => &TYPES[..5],
        () if layout.has_flips() => &OLD_TYPES[..4],
        () => &OLD_TYPES,
    }
}

impl<'a, T: MaybeTrace<'a>> Reader<'a, '_, T> {
    /// The attachment after its key. `at`: skin, slot and attachment, by index.
    pub fn attachment(&mut self, at: [usize; 3], slot: &'a str) -> Result<Attachment<'a>> {
        // Only regions store a scale; JSON has its default otherwise.
        let one = Number(1.0);
        let mut attachment = Attachment { scale_x: one, scale_y: one, ..Attachment::default() };
        let mut flags = Flags(0);
        if self.layout.has_flags() {
            let start = self.file.offset();
            flags = Flags(self.file.u8("flags")?);
            attachment.kind = self.choice(&TYPES, u32::from(flags.0 & 7), "type", start)?;
            if flags.has(HAS_NAME) {
                attachment.name = self.shared("name")?.map(text);
            }
        } else {
            attachment.name = self.shared("name")?.map(text);
            let start = self.file.offset();
            let kind = self.file.u8("type")?.into();
            attachment.kind = self.choice(types(self.layout), kind, "type", start)?;
            if !self.layout.has_paths() && kind == 3 {
                flags = Flags(WEIGHTED);
            }
        }
        match attachment.kind {
            AttachmentType::Region => self.region(&mut attachment, flags)?,
            AttachmentType::Mesh if !self.layout.has_paths() => {
                self.old_mesh(&mut attachment, flags.has(WEIGHTED))?;
            }
            AttachmentType::Mesh => self.mesh(&mut attachment, flags)?,
            AttachmentType::LinkedMesh => self.linked_mesh(&mut attachment, flags, at, slot)?,
            AttachmentType::BoundingBox if !self.layout.has_paths() => self.old_polygon(&mut attachment)?,
            AttachmentType::BoundingBox => self.polygon(&mut attachment, flags.has(16))?,
            AttachmentType::Path => self.path(&mut attachment, flags)?,
            AttachmentType::Point => self.point(&mut attachment)?,
            AttachmentType::Clipping => {
                attachment.convex = self.layout.has_one_list() && flags.has(32);
                attachment.inverse = self.layout.has_one_list() && flags.has(64);
                attachment.end = Some(self.named_text(Kind::Slot, "end")?);
                self.polygon(&mut attachment, flags.has(16))?;
            }
        }
        Ok(attachment)
    }

    /// The path of the picture, and since 4.2 colour and sequence; before, they come later.
    fn picture(&mut self, attachment: &mut Attachment<'a>, flags: Flags) -> Result<()> {
        if !self.layout.has_flags() {
            attachment.path = self.shared("path")?.map(text);
            return Ok(());
        }
        if flags.has(16) {
            attachment.path = self.shared("path")?.map(text);
        }
        if flags.has(32) {
            attachment.color = Some(self.file.color("color")?);
        }
        if flags.has(64) {
            attachment.sequence = Some(self.sequence()?);
        }
        Ok(())
    }

    pub fn old_color(&mut self, attachment: &mut Attachment<'a>) -> Result<()> {
        if !self.layout.has_flags() {
            attachment.color = Some(self.file.color("color")?);
        }
        Ok(())
    }

    /// The sequence where 4.1 has it.
    fn old_sequence(&mut self, attachment: &mut Attachment<'a>) -> Result<()> {
        if self.layout.has_sequences() && !self.layout.has_flags() && self.file.bool("sequence")? {
            attachment.sequence = Some(self.sequence()?);
        }
        Ok(())
    }

    fn sequence(&mut self) -> Result<Sequence> {
        self.file.enter("sequence");
        let sequence = Sequence {
            count: self.file.varint("count")?,
            start: self.file.varint("start")?,
            digits: self.file.varint("digits")?,
            setup: self.file.varint("setup")?,
        };
        self.file.leave();
        Ok(sequence)
    }

    fn region(&mut self, attachment: &mut Attachment<'a>, flags: Flags) -> Result<()> {
        self.picture(attachment, flags)?;
        let is_first = if self.layout.has_flags() { flags.has(128) } else { self.layout.has_shear() };
        attachment.rotation = self.number_if(is_first, "rotation", 0.0)?;
        [attachment.x, attachment.y] = self.file.each_number(["x", "y"])?;
        [attachment.scale_x, attachment.scale_y] = self.file.each_number(["scaleX", "scaleY"])?;
        if !self.layout.has_shear() {
            attachment.rotation = self.file.number("rotation")?;
        }
        self.size(attachment)?;
        self.old_color(attachment)?;
        self.old_sequence(attachment)
    }

    pub fn size(&mut self, attachment: &mut Attachment<'a>) -> Result<()> {
        [attachment.width, attachment.height] = self.file.each_number(["width", "height"])?.map(Some);
        Ok(())
    }

    fn mesh(&mut self, attachment: &mut Attachment<'a>, flags: Flags) -> Result<()> {
        self.picture(attachment, flags)?;
        if self.layout.has_flags() {
            attachment.hull = self.file.varint("hull")?;
            let count = self.vertex_count()?;
            attachment.vertices = self.vertices(count, flags.has(WEIGHTED))?;
            attachment.uvs = self.uvs(count)?;
            attachment.triangles = self.counted_by_hull(count, attachment.hull)?;
            if self.layout.has_one_list() {
                // The other slots with linked meshes that move along, which state the same.
                self.list("slots", 1, |reader, _| reader.named(Kind::Slot, "").map(|_| ()))?;
            }
            if self.is_nonessential {
                attachment.edges = self.list("edges", 1, |reader, _| reader.file.varint(""))?;
                self.size(attachment)?;
            }
            return Ok(());
        }
        self.old_color(attachment)?;
        let count = self.vertex_count()?;
        attachment.uvs = self.uvs(count)?;
        attachment.triangles = self.short_list("triangles")?;
        let is_weighted = self.file.bool("weighted")?;
        attachment.vertices = self.vertices(count, is_weighted)?;
        attachment.hull = self.file.varint("hull")?;
        self.old_sequence(attachment)?;
        if self.is_nonessential {
            attachment.edges = self.short_list("edges")?;
            self.size(attachment)?;
        }
        Ok(())
    }

    /// The number of vertices; each takes at least a byte.
    pub fn vertex_count(&mut self) -> Result<usize> {
        self.file.count::<()>("vertexCount", 1)
    }

    pub fn uvs(&mut self, count: usize) -> Result<Vec<Number>> {
        let start = self.file.offset();
        self.file.numbers("uvs", start, 2 * count)
    }

    pub fn short_list(&mut self, field: &'a str) -> Result<Vec<u32>> {
        self.file.enter(field);
        let start = self.file.offset();
        let count = self.file.varint("")? as usize;
        self.file.require::<u32>("", start, count, size_of::<u16>())?;
        let shorts = self.file.shorts(count)?;
        self.file.leave();
        Ok(shorts)
    }

    /// The triangles since 4.2: their number follows from the number of vertices and the length of the hull.
    fn counted_by_hull(&mut self, vertices: usize, hull: u32) -> Result<Vec<u32>> {
        let start = self.file.offset();
        let Some(triangles) = (2 * vertices).checked_sub((hull as usize).saturating_add(2)) else {
            let message = format!(
                "a hull of {hull} vertices does not fit a mesh of {vertices}: it makes a negative number of triangles"
            );
            return Err(self.file.fault("skel-value", "hull", start, message));
        };
        self.file.enter("triangles");
        let count = triangles.saturating_mul(3);
        self.file.require::<u32>("", start, count, 1)?;
        let triangles = self.items(count, |reader, _| reader.file.varint(""))?;
        self.file.leave();
        Ok(triangles)
    }

    fn linked_mesh(
        &mut self,
        attachment: &mut Attachment<'a>,
        flags: Flags,
        at: [usize; 3],
        slot: &'a str,
    ) -> Result<()> {
        self.picture(attachment, flags)?;
        if self.layout.has_flags() {
            if self.layout.has_one_list() {
                let source = self.named_text(Kind::Slot, "slot")?;
                attachment.slot = Some(source).filter(|source| source.as_str() != slot);
            }
            let start = self.file.offset();
            let place = self.file.place("skin", start);
            let skin = self.file.varint("skin")?;
            // The skins are not all known yet.
            self.file.charge::<Link>(1)?;
            self.links.push(Link { mesh: at, skin, place });
            attachment.parent = self.shared("parent")?.map(text);
            attachment.timelines = Some(flags.has(128));
        } else {
            self.old_color(attachment)?;
            attachment.skin = self.shared("skin")?.map(text);
            attachment.parent = self.shared("parent")?.map(text);
            let field = if self.layout.has_sequences() { "timelines" } else { "deform" };
            let has_timelines = Some(self.file.bool(field)?);
            if self.layout.has_sequences() {
                attachment.timelines = has_timelines;
            } else {
                attachment.deform = has_timelines;
            }
            self.old_sequence(attachment)?;
        }
        if self.is_nonessential {
            self.size(attachment)?;
        }
        Ok(())
    }

    /// The vertices of a bounding box or of a clipping polygon. `is_weighted` only applies since 4.2.
    fn polygon(&mut self, attachment: &mut Attachment<'a>, is_weighted: bool) -> Result<()> {
        self.counted_vertices(attachment, is_weighted)?;
        self.shape_color(attachment)
    }

    fn counted_vertices(&mut self, attachment: &mut Attachment<'a>, is_weighted: bool) -> Result<usize> {
        let count = self.vertex_count()?;
        let is_weighted = if self.layout.has_flags() { is_weighted } else { self.file.bool("weighted")? };
        attachment.vertex_count = Some(count as u32);
        attachment.vertices = self.vertices(count, is_weighted)?;
        Ok(count)
    }

    /// The colour in which the editor draws what is invisible.
    fn shape_color(&mut self, attachment: &mut Attachment<'a>) -> Result<()> {
        if self.is_nonessential {
            attachment.color = Some(self.file.color("color")?);
        }
        Ok(())
    }

    fn path(&mut self, attachment: &mut Attachment<'a>, flags: Flags) -> Result<()> {
        if self.layout.has_flags() {
            attachment.closed = flags.has(16);
            attachment.constant_speed = Some(flags.has(32));
        } else {
            attachment.closed = self.file.bool("closed")?;
            attachment.constant_speed = Some(self.file.bool("constantSpeed")?);
        }
        let count = self.counted_vertices(attachment, flags.has(64))?;
        let start = self.file.offset();
        attachment.lengths = self.file.numbers("lengths", start, count / 3)?;
        self.shape_color(attachment)
    }

    fn point(&mut self, attachment: &mut Attachment<'a>) -> Result<()> {
        [attachment.rotation, attachment.x, attachment.y] = self.file.each_number(["rotation", "x", "y"])?;
        self.shape_color(attachment)
    }

    /// The vertices as JSON lists them: x and y of each, or for each the number of its bones, then bone, x, y and
    /// weight for each of those.
    fn vertices(&mut self, count: usize, is_weighted: bool) -> Result<Vec<Number>> {
        let start = self.file.offset();
        if !is_weighted {
            return self.file.numbers("vertices", start, 2 * count);
        }
        self.file.enter("vertices");
        let total = if self.layout.has_one_list() { Some(self.file.varint("")?) } else { None };
        // One influence each is the least.
        self.file.require::<[Number; 5]>("", start, count, 1 + MIN_INFLUENCE)?;
        let mut vertices = Vec::with_capacity(5 * count);
        for _ in 0..count {
            let at = self.file.offset();
            self.file.enter_item(vertices.len());
            let influences = self.file.count::<[Number; 4]>("", MIN_INFLUENCE)?;
            if influences == 0 {
                return Err(self.file.fault("weights", "", at, "the vertex has no bones; it needs at least one"));
            }
            self.file.leave();
            vertices.push(Number(influences as f32));
            for _ in 0..influences {
                let at = self.file.offset();
                self.file.enter_item(vertices.len());
                let bone = self.file.varint("")?;
                self.name_of(Kind::Bone, bone, "", at)?;
                self.file.leave();
                let numbers = self.file.listed_array::<3>(vertices.len() + 1)?;
                vertices.push(Number(bone as f32));
                vertices.extend(numbers.map(Number));
            }
        }
        // Each vertex has a count, and each influence a bone and three numbers.
        let found = count + (vertices.len() - count) / 4;
        if let Some(total) = total.filter(|total| *total as usize != found) {
            let message = format!("{total} counts and bones are stated, but the vertices have {found}");
            return Err(self.file.fault("weights", "", start, message));
        }
        self.file.leave();
        Ok(vertices)
    }
}
