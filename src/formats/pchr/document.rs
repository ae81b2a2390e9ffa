//! The content of a file of the PCHR family, independent of its form, and the place of each part.
//!
//! It has the fields of PCHR v1, packed as in v1. The JSON forms can contain more: vertices with more than four
//! influences, and pictures in separate files.

use super::schema;
use crate::bytes::Block;
use crate::error::{Error, Place, Result};
use crate::formats::detect::json::is_json;
use crate::formats::detect::pchr::is_packed;
use crate::rows::named;

named! {
    /// The form of a file.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum Kind {
        /// PCHR v1, binary.
        #[default]
        V1 => "PCHR v1",
        /// The JSON that describes a v1 file.
        Description => "PCHR v1 description (JSON)",
        /// Pachario JSON, the older form.
        PacharioJson => "Pachario JSON",
        /// Pachario JSON and its picture in one binary file.
        PackedPachario => "packed Pachario",
    }
    /// The common name of the form.
    fn name;
}

impl Kind {
    /// Detects the form of a file of `len` bytes from `head`, its first 17 bytes or more; V1 by default. JSON
    /// forms are only told apart by the whole text; here they count as a description.
    pub fn of(head: &[u8], len: u64) -> Self {
        if is_json(head) {
            return Self::Description;
        }
        if is_packed(head, len) {
            return Self::PackedPachario;
        }
        Self::V1
    }

    /// Returns true for the forms with Pachario's field names.
    pub(crate) fn is_pachario(self) -> bool {
        matches!(self, Self::PacharioJson | Self::PackedPachario)
    }
}

/// The content of a file.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// The form of the file.
    pub kind: Kind,
    /// The fields. Vertices with more than four influences have the four heaviest here, scaled to the same sum;
    /// missing pictures have empty data.
    pub file: schema::File,
    /// The vertices with more than four influences, in the order of meshes and vertices;
    /// [`Self::long_influences_of`] finds the vertices of one mesh.
    pub long_influences: Vec<LongInfluences>,
    /// The pictures of a JSON form, one per image.
    pub sidecars: Vec<Sidecar>,
    /// Animations that were cut before the first frame of a wrong length, in ascending order.
    pub(crate) cut_animations: Vec<usize>,
}

/// A vertex with more than four influences.
#[derive(Debug, Clone, PartialEq)]
pub struct LongInfluences {
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the vertex in that mesh.
    pub vertex: usize,
    /// Bone and weight of each influence, as authored.
    pub influences: Vec<(u16, f32)>,
}

/// A picture in a separate file.
#[derive(Debug, Clone)]
pub struct Sidecar {
    /// The path as written in the JSON.
    pub path: String,
    /// The reason why it is missing, if it is.
    pub missing: Option<String>,
}

/// A part of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    /// A field of the file itself, with its v1 name.
    File(&'static str),
    /// A field of an image, with its v1 name.
    Image(usize, &'static str),
    /// A field of a bone, with its v1 name; an empty name is the bone itself.
    Bone(usize, &'static str),
    /// A field of a mesh, with its v1 name; an empty name is the mesh itself.
    Mesh(usize, &'static str),
    /// A vertex of a mesh, or one of its fields.
    Vertex(usize, usize, VertexField),
    /// An index of a mesh.
    Index(usize, usize),
    /// A field of an animation, with its v1 name; an empty name is the animation itself.
    Animation(usize, &'static str),
    /// A frame of an animation.
    Frame(usize, usize),
    /// Animation, frame, bone, and a field of that transform, with its v1 name.
    Transform(usize, usize, usize, &'static str),
}

/// A part of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VertexField {
    /// The whole vertex.
    Whole,
    /// Position.
    X,
    /// Position.
    Y,
    /// Texture coordinate.
    U,
    /// Texture coordinate.
    V,
    /// The bone of this influence, by index.
    BoneId(usize),
    /// The weight of this influence, by index.
    BoneWeight(usize),
}

impl Document {
    /// Wraps the fields of a v1 file.
    pub fn v1(file: schema::File) -> Self {
        Self { file, ..Self::default() }
    }

    /// Returns true if the data of an image is a PNG file.
    pub fn is_png(&self, image: usize) -> bool {
        let is_stored_so = |image: &schema::Image| image.format == schema::Image::PNG;
        self.kind != Kind::V1 || self.file.images.get(image).is_some_and(is_stored_so)
    }

    /// Returns the reason why an image has no picture.
    pub fn missing(&self, image: usize) -> Option<&str> {
        self.sidecars.get(image)?.missing.as_deref()
    }

    /// Returns the vertices of a mesh with more than four influences, in order.
    pub fn long_influences_of(&self, mesh: usize) -> &[LongInfluences] {
        let from = self.long_influences.partition_point(|long| long.mesh < mesh);
        let to = self.long_influences.partition_point(|long| long.mesh <= mesh);
        self.long_influences.get(from..to).unwrap_or_default()
    }

    /// Returns the place of `at`: path and offset in a binary file, or a JSON pointer. Parts that do not exist
    /// have no offset.
    pub(crate) fn place(&self, at: At) -> Place {
        let offset = if self.kind == Kind::V1 { self.offset(at) } else { None };
        Place { path: self.path(at), offset, ..Place::default() }
    }

    /// Returns the place of a list such as `bones`. In a binary file it has no offset.
    pub(crate) fn list_place(&self, list: &'static str) -> Place {
        Place::inside(self.path(At::File(list)))
    }

    /// Returns the path of `at`: `bones[3].name` in a binary file, or the JSON pointer (RFC 6901) `/bones/3/name`.
    fn path(&self, at: At) -> String {
        let mut path = String::new();
        for step in self.steps(at) {
            match (self.kind == Kind::V1, step) {
                (true, Step::Key(key)) if path.is_empty() => path.push_str(key),
                (true, Step::Key(key)) => path.extend([".", key]),
                (true, Step::Item(index)) => path.push_str(&format!("[{index}]")),
                (false, Step::Key(key)) => path.extend(["/", key]),
                (false, Step::Item(index)) => path.push_str(&format!("/{index}")),
            }
        }
        path
    }

    fn steps(&self, at: At) -> Vec<Step> {
        use Step::{Item, Key};
        let record = |list, index, field| match field {
            "" => vec![Key(list), Item(index)],
            _ => vec![Key(list), Item(index), Key(self.name(list, field))],
        };
        match at {
            At::File(field) => vec![Key(self.name("", field))],
            At::Image(index, field) => record("images", index, field),
            At::Bone(index, field) => record("bones", index, field),
            At::Mesh(index, field) => record("meshes", index, field),
            At::Vertex(mesh, vertex, field) => {
                let mut steps = vec![Key("meshes"), Item(mesh), Key("vertices"), Item(vertex)];
                let is_pachario = self.kind.is_pachario();
                steps.extend_from_slice(&match field {
                    VertexField::Whole => vec![],
                    VertexField::X => vec![Key("x")],
                    VertexField::Y => vec![Key("y")],
                    VertexField::U => vec![Key("u")],
                    VertexField::V => vec![Key("v")],
                    VertexField::BoneId(i) if is_pachario => vec![Key("bones"), Item(i), Key("idx")],
                    VertexField::BoneWeight(i) if is_pachario => vec![Key("bones"), Item(i), Key("weight")],
                    VertexField::BoneId(i) => vec![Key("boneIds"), Item(i)],
                    VertexField::BoneWeight(i) => vec![Key("boneWeights"), Item(i)],
                });
                steps
            }
            At::Index(mesh, index) => {
                vec![Key("meshes"), Item(mesh), Key(self.name("meshes", "indices")), Item(index)]
            }
            At::Animation(index, field) => record("animations", index, field),
            At::Frame(animation, frame) => vec![Key("animations"), Item(animation), Key("frames"), Item(frame)],
            At::Transform(animation, frame, bone, field) => {
                let mut steps = self.steps(At::Frame(animation, frame));
                steps.extend([Item(bone), Key(field)]);
                steps
            }
        }
    }

    /// Returns the name that a field of v1 has in this form.
    fn name(&self, list: &str, field: &'static str) -> &'static str {
        match (list, field) {
            _ if self.kind == Kind::V1 => field,
            // Counts are implied by the length of a JSON list and have no place of their own.
            ("", "imageCount") => "images",
            ("images", "dataLength" | "data") => "path",
            ("animations", "frameCount") => "frames",
            _ if !self.kind.is_pachario() => field,
            _ => OLDER_WORDS.iter().find(|(word, _)| *word == field).map_or(field, |(_, older)| older),
        }
    }

    /// Returns the offset of `at` in a v1 file.
    fn offset(&self, at: At) -> Option<u64> {
        let file = &self.file;
        let after_name = |offset: u64, name: &str, at| offset.saturating_add(2 + name.len() as u64 + at);
        Some(match at {
            At::File(field) => match field {
                "fps" => 8,
                "flags" => 10,
                "imageCount" => 12,
                _ => 0,
            },
            At::Image(index, field) => {
                let image = file.images.get(index)?;
                let after_name = |at| after_name(image.offset, &image.name, at);
                match field {
                    "width" => after_name(0),
                    "height" => after_name(2),
                    "format" => after_name(4),
                    "dataLength" => after_name(5),
                    "data" => image.data.offset,
                    _ => image.offset,
                }
            }
            At::Bone(index, field) => {
                let bone = file.bones.get(index)?;
                if field == "parent" { after_name(bone.offset, &bone.name, 0) } else { bone.offset }
            }
            At::Mesh(index, field) => {
                let mesh = file.meshes.get(index)?;
                match field {
                    "image" => after_name(mesh.offset, &mesh.name, 0),
                    "vertices" => mesh.vertices.offset,
                    "indices" => mesh.indices.offset,
                    _ => mesh.offset,
                }
            }
            At::Vertex(mesh, vertex, field) => {
                let at = match field {
                    VertexField::Whole | VertexField::X => 0,
                    VertexField::Y => 4,
                    VertexField::U => 8,
                    VertexField::V => 12,
                    VertexField::BoneId(i) => 16 + 2 * i,
                    VertexField::BoneWeight(i) => 24 + 4 * i,
                };
                offset_in(&file.meshes.get(mesh)?.vertices, [vertex, schema::Vertex::SIZE, at])
            }
            At::Index(mesh, index) => offset_in(&file.meshes.get(mesh)?.indices, [index, 2, 0]),
            At::Animation(index, field) => {
                let animation = file.animations.get(index)?;
                match field {
                    "flags" => after_name(animation.offset, &animation.name, 0),
                    "frameCount" => after_name(animation.offset, &animation.name, 1),
                    "frames" => animation.frames.offset,
                    _ => animation.offset,
                }
            }
            At::Frame(animation, frame) => self.offset(At::Transform(animation, frame, 0, ""))?,
            At::Transform(animation, frame, bone, field) => {
                let at = match field {
                    "y" => 4,
                    "rotation" => 8,
                    "scaleX" => 12,
                    "scaleY" => 16,
                    "flags" => 20,
                    "zOrder" => 21,
                    _ => 0,
                };
                let record = frame.saturating_mul(file.bones.len()).saturating_add(bone);
                offset_in(&file.animations.get(animation)?.frames, [record, schema::BoneTransform::SIZE, at])
            }
        })
    }

    /// Refuses documents that no reader makes, whose blocks do not match their counts; they may have been edited.
    pub(super) fn check_blocks(&self) -> Result<()> {
        self.check_meshes()?;
        for (index, animation) in self.file.animations.iter().enumerate() {
            animation
                .check_frames(self.file.bones.len())
                .map_err(|message| self.inconsistent(At::Animation(index, "frames"), &message))?;
        }
        Ok(())
    }

    /// Checks the meshes for [`Self::check_blocks`].
    pub(super) fn check_meshes(&self) -> Result<()> {
        for (index, mesh) in self.file.meshes.iter().enumerate() {
            let blocks = [("vertices", &mesh.vertices, schema::Vertex::SIZE), ("indices", &mesh.indices, 6)];
            for (field, block, size) in blocks {
                let len = block.bytes.len();
                if block.is_skipped() || !len.is_multiple_of(size) {
                    let message =
                        format!("{len} of {} bytes, not a whole number of {size}-byte records", block.len);
                    return Err(self.inconsistent(At::Mesh(index, field), &message));
                }
            }
        }
        let is_before = |a: &LongInfluences, b: &LongInfluences| (a.mesh, a.vertex) < (b.mesh, b.vertex);
        let exists = |long: &LongInfluences| {
            self.file.meshes.get(long.mesh).is_some_and(|mesh| long.vertex < mesh.vertex_count())
        };
        if !self.long_influences.is_sorted_by(is_before) || !self.long_influences.iter().all(exists) {
            let message = "vertices with more than four influences are not in order, or do not exist";
            return Err(self.inconsistent(At::File("meshes"), message));
        }
        Ok(())
    }

    fn inconsistent(&self, at: At, message: &str) -> Error {
        Error::misuse("inconsistent-document", format!("{}{message}", self.place(at)))
    }
}

/// Names of fields in the description, and in Pachario JSON.
pub(crate) const OLDER_WORDS: [(&str, &str); 3] =
    [("parent", "parentIdx"), ("image", "imageIdx"), ("indices", "triangles")];

/// A step of a path.
#[derive(Clone, Copy)]
enum Step {
    Key(&'static str),
    Item(usize),
}

/// The offset of byte `at` of a record of `size` bytes in a block, given as `[record, size, at]`.
fn offset_in(block: &Block, [record, size, at]: [usize; 3]) -> u64 {
    block.offset.saturating_add(record.saturating_mul(size).saturating_add(at) as u64)
}
