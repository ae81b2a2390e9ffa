//! The content of a file of the PCHR family, independent of its form, and the place of each part.
//!
//! It has the fields of PCHR v1, packed as in v1. The JSON forms can contain more: vertices with more than four
//! influences, and pictures in separate files.

use super::schema;
use crate::bytes::Block;
use crate::error::{Error, Place, Result};
use crate::formats::detect::json::is_json;
use crate::formats::detect::pchr::is_packed;

/// The form of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Kind {
    /// PCHR v1, binary.
    #[default]
    V1,
    /// The JSON that describes a v1 file.
    Description,
    /// Pachario JSON, the older form.
    PacharioJson,
    /// Pachario JSON and its picture in one binary file.
    PackedPachario,
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

    /// The common name of the form.
    pub fn name(self) -> &'static str {
        match self {
            Self::V1 => "PCHR v1",
            Self::Description => "PCHR v1 description (JSON)",
            Self::PacharioJson => "Pachario JSON",
            Self::PackedPachario => "packed Pachario",
        }
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
        match self.kind {
            Kind::V1 => self.binary_place(at),
            Kind::Description | Kind::PacharioJson | Kind::PackedPachario => Place::inside(self.pointer(at)),
        }
    }

    /// Returns the place of a list such as `bones`. In a binary file it has no offset.
    pub(crate) fn list_place(&self, list: &str) -> Place {
        let path = if self.kind == Kind::V1 { list.to_owned() } else { format!("/{list}") };
        Place::inside(path)
    }

    fn binary_place(&self, at: At) -> Place {
        let file = &self.file;
        let record = |list: &str, index: usize, field: &str| match field {
            "" => format!("{list}[{index}]"),
            _ => format!("{list}[{index}].{field}"),
        };
        match at {
            At::File(field) => {
                let offset = match field {
                    "fps" => 8,
                    "flags" => 10,
                    "imageCount" => 12,
                    _ => 0,
                };
                Place::at(field, offset)
            }
            At::Image(index, field) => {
                let path = record("images", index, field);
                let Some(image) = file.images.get(index) else { return Place::inside(path) };
                let after_name = image.offset.saturating_add(2 + image.name.len() as u64);
                let offset = match field {
                    "width" => after_name,
                    "height" => after_name.saturating_add(2),
                    "format" => after_name.saturating_add(4),
                    "dataLength" => after_name.saturating_add(5),
                    "data" => image.data.offset,
                    _ => image.offset,
                };
                Place::at(path, offset)
            }
            At::Bone(index, field) => {
                let path = record("bones", index, field);
                let Some(bone) = file.bones.get(index) else { return Place::inside(path) };
                let offset = if field == "parent" { 2 + bone.name.len() as u64 } else { 0 };
                Place::at(path, bone.offset.saturating_add(offset))
            }
            At::Mesh(index, field) => {
                let path = record("meshes", index, field);
                let Some(mesh) = file.meshes.get(index) else { return Place::inside(path) };
                let after_name = mesh.offset.saturating_add(2 + mesh.name.len() as u64);
                let offset = match field {
                    "image" => after_name,
                    "vertices" => mesh.vertices.offset,
                    "indices" => mesh.indices.offset,
                    _ => mesh.offset,
                };
                Place::at(path, offset)
            }
            At::Vertex(mesh, vertex, field) => {
                let (name, at) = match field {
                    VertexField::Whole => (String::new(), 0),
                    VertexField::X => (".x".to_owned(), 0),
                    VertexField::Y => (".y".to_owned(), 4),
                    VertexField::U => (".u".to_owned(), 8),
                    VertexField::V => (".v".to_owned(), 12),
                    VertexField::BoneId(i) => (format!(".boneIds[{i}]"), 16 + 2 * i),
                    VertexField::BoneWeight(i) => (format!(".boneWeights[{i}]"), 24 + 4 * i),
                };
                let path = format!("meshes[{mesh}].vertices[{vertex}]{name}");
                let vertices = file.meshes.get(mesh).map(|mesh| &mesh.vertices);
                place_in(path, vertices, [vertex, schema::Vertex::SIZE, at])
            }
            At::Index(mesh, index) => {
                let indices = file.meshes.get(mesh).map(|mesh| &mesh.indices);
                place_in(format!("meshes[{mesh}].indices[{index}]"), indices, [index, 2, 0])
            }
            At::Animation(index, field) => {
                let path = record("animations", index, field);
                let Some(animation) = file.animations.get(index) else {
                    return Place::inside(path);
                };
                let after_name = animation.offset.saturating_add(2 + animation.name.len() as u64);
                let offset = match field {
                    "flags" => after_name,
                    "frameCount" => after_name.saturating_add(1),
                    "frames" => animation.frames.offset,
                    _ => animation.offset,
                };
                Place::at(path, offset)
            }
            At::Frame(animation, frame) => {
                self.transform_place(format!("animations[{animation}].frames[{frame}]"), animation, frame, [0, 0])
            }
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
                let path = format!("animations[{animation}].frames[{frame}][{bone}].{field}");
                self.transform_place(path, animation, frame, [bone, at])
            }
        }
    }

    /// The place of byte `at` of a transform.
    fn transform_place(&self, path: String, animation: usize, frame: usize, [bone, at]: [usize; 2]) -> Place {
        let record = frame.saturating_mul(self.file.bones.len()).saturating_add(bone);
        let frames = self.file.animations.get(animation).map(|animation| &animation.frames);
        place_in(path, frames, [record, schema::BoneTransform::SIZE, at])
    }

    /// Refuses documents that no reader makes, whose blocks do not match their counts; they may have been edited.
    pub(super) fn check_blocks(&self) -> Result<()> {
        self.check_meshes()?;
        let bones = self.file.bones.len();
        for (index, animation) in self.file.animations.iter().enumerate() {
            let frame = bones.saturating_mul(schema::BoneTransform::SIZE);
            let expected = frame.saturating_mul(animation.frame_count.into());
            let found = animation.frames.bytes.len();
            if found != expected {
                let count = animation.frame_count;
                let message =
                    format!("{found} bytes of frames, but {count} frames of {bones} bones need {expected}");
                return Err(self.inconsistent(At::Animation(index, "frames"), &message));
            }
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

    /// The place of `at` as a JSON pointer (RFC 6901).
    fn pointer(&self, at: At) -> String {
        let is_pachario = self.kind.is_pachario();
        // Counts are implied by the length of a JSON list and have no place of their own.
        let record = |list: &str, index: usize, field: &str| match field {
            "" => format!("/{list}/{index}"),
            _ => format!("/{list}/{index}/{field}"),
        };
        match at {
            At::File("imageCount") => "/images".to_owned(),
            At::File(field) => format!("/{field}"),
            At::Image(index, "dataLength" | "data") => record("images", index, "path"),
            At::Image(index, field) => record("images", index, field),
            At::Bone(index, "parent") if is_pachario => record("bones", index, "parentIdx"),
            At::Bone(index, field) => record("bones", index, field),
            At::Mesh(index, "image") if is_pachario => record("meshes", index, "imageIdx"),
            At::Mesh(index, "indices") if is_pachario => record("meshes", index, "triangles"),
            At::Mesh(index, field) => record("meshes", index, field),
            At::Vertex(mesh, vertex, field) => {
                let name = match field {
                    VertexField::Whole => String::new(),
                    VertexField::X => "/x".to_owned(),
                    VertexField::Y => "/y".to_owned(),
                    VertexField::U => "/u".to_owned(),
                    VertexField::V => "/v".to_owned(),
                    VertexField::BoneId(i) if is_pachario => format!("/bones/{i}/idx"),
                    VertexField::BoneWeight(i) if is_pachario => format!("/bones/{i}/weight"),
                    VertexField::BoneId(i) => format!("/boneIds/{i}"),
                    VertexField::BoneWeight(i) => format!("/boneWeights/{i}"),
                };
                format!("/meshes/{mesh}/vertices/{vertex}{name}")
            }
            At::Index(mesh, index) => {
                let list = if is_pachario { "triangles" } else { "indices" };
                format!("/meshes/{mesh}/{list}/{index}")
            }
            At::Animation(index, "frameCount") => record("animations", index, "frames"),
            At::Animation(index, field) => record("animations", index, field),
            At::Frame(animation, frame) => format!("/animations/{animation}/frames/{frame}"),
            At::Transform(animation, frame, bone, field) => {
                format!("/animations/{animation}/frames/{frame}/{bone}/{field}")
            }
        }
    }
}

/// The place of byte `at` of a record of `size` bytes in a block, given as `[record, size, at]`.
fn place_in(path: String, block: Option<&Block>, [record, size, at]: [usize; 3]) -> Place {
    let into = record.saturating_mul(size).saturating_add(at) as u64;
    Place { offset: block.map(|block| block.offset.saturating_add(into)), path, ..Place::default() }
}
