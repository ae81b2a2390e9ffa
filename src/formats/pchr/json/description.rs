//! [`Document`] → the JSON description of a PCHR v1 file, named as in the specification.
//!
//! The published JSON Schema is generated from these types.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::value::to_raw_value;

use super::layout::write_json;
use super::shared::Transform;
use crate::bytes::u16_at;
use crate::formats::json::number::Number;
use crate::formats::pchr::document::Document;
use crate::formats::pchr::schema;

/// The JSON description of a PCHR v1 file.
///
/// It mirrors the binary format field for field: `pchr unpack` writes it next to the images, and `pchr pack` turns
/// it back into the same file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Description<'a> {
    /// Format version.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = 1)))]
    version: u32,
    /// Playback frame rate.
    fps: u16,
    /// All flags of the file; present only if a reserved bit is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    flags: Option<u16>,
    /// The images.
    images: Vec<Image<'a>>,
    /// Parents before their children.
    bones: &'a [schema::Bone],
    /// The skinned meshes.
    meshes: Vec<Mesh<'a>>,
    /// The sampled animations.
    animations: Vec<Animation<'a>>,
}

/// An atlas image.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
struct Image<'a> {
    /// Image name.
    name: &'a str,
    /// Width in pixels.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    width: u16,
    /// Height in pixels.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    height: u16,
    /// How the pixels are stored in the binary file.
    format: schema::ImageFormat,
    /// The PNG file, relative to this one, in its folder or below.
    path: &'a str,
}

/// A skinned mesh drawn from one image.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
struct Mesh<'a> {
    /// Mesh name.
    name: &'a str,
    /// Index into `images`.
    image: u16,
    /// The vertices.
    #[cfg_attr(feature = "schemas", schemars(with = "Vec<Vertex>"))]
    vertices: Vertices<'a>,
    /// Vertex indices, three per triangle.
    #[cfg_attr(feature = "schemas", schemars(with = "Vec<u16>"))]
    indices: Indices<'a>,
}

/// A vertex with its texture coordinate and the bones that move it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "camelCase")]
struct Vertex {
    /// X in pixels: bind pose, world space.
    x: Number,
    /// Y in pixels, up: bind pose, world space.
    y: Number,
    /// 0 to 1 from the left of the image.
    u: Number,
    /// 0 to 1 from the top of the image.
    v: Number,
    /// The influencing bones: four in the binary file, which pads shorter lists.
    #[cfg_attr(feature = "schemas", schemars(with = "Vec<u16>"))]
    bone_ids: [u16; 4],
    /// The weight of each bone of `boneIds`.
    #[cfg_attr(feature = "schemas", schemars(with = "Vec<f32>"))]
    bone_weights: [Number; 4],
}

/// A sampled animation.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct Animation<'a> {
    /// Animation name.
    name: &'a str,
    /// Whether the first frame follows the last one.
    #[serde(rename = "loop")]
    is_looping: bool,
    /// All flags; present only if a reserved bit is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    flags: Option<u8>,
    /// Each frame has one transform per bone.
    #[cfg_attr(feature = "schemas", schemars(with = "Vec<Vec<Transform>>"))]
    frames: Frames<'a>,
}

/// Packed vertices.
#[derive(Debug)]
struct Vertices<'a>(&'a [u8]);

/// Packed indices.
#[derive(Debug)]
pub(super) struct Indices<'a>(pub &'a [u8]);

/// Packed frames.
#[derive(Debug)]
struct Frames<'a> {
    bytes: &'a [u8],
    bone_count: usize,
    frame_count: u16,
}

impl Serialize for Vertices<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.chunks_exact(schema::Vertex::SIZE).map(|record| {
            let schema::Vertex { x, y, u, v, bone_ids, bone_weights } = schema::Vertex::read(record);
            let [x, y, u, v] = [x, y, u, v].map(Number);
            Vertex { x, y, u, v, bone_ids, bone_weights: bone_weights.map(Number) }
        }))
    }
}

impl Serialize for Indices<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let indices: Vec<u16> = self.0.chunks_exact(2).map(|index| u16_at(index, 0)).collect();
        // As raw text, so that all indices are on one line.
        to_raw_value(&indices).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl Serialize for Frames<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let size = self.bone_count * schema::BoneTransform::SIZE;
        let frame = |frame| Frame(self.bytes.get(frame * size..(frame + 1) * size).unwrap_or_default());
        serializer.collect_seq((0..usize::from(self.frame_count)).map(frame))
    }
}

/// One packed frame.
struct Frame<'a>(&'a [u8]);

impl Serialize for Frame<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.chunks_exact(schema::BoneTransform::SIZE).map(|record| {
            let schema::BoneTransform { x, y, rotation, scale_x, scale_y, flags, z_order } =
                schema::BoneTransform::read(record);
            let [x, y, rotation, scale_x, scale_y] = [x, y, rotation, scale_x, scale_y].map(Number);
            let (visible, flags) = split_flags(flags);
            Transform { x, y, rotation, scale_x, scale_y, visible, flags, z_order }
        }))
    }
}

/// Splits flags into bit 0, and all bits if a reserved one is set.
fn split_flags(flags: u8) -> (bool, Option<u8>) {
    (flags & 1 != 0, (flags > 1).then_some(flags))
}

/// The animations, which are the same in both JSON forms.
pub(super) fn animations<'a>(file: &'a schema::File) -> Vec<Animation<'a>> {
    let animation = |animation: &'a schema::Animation| {
        let (is_looping, flags) = split_flags(animation.flags);
        let frames = Frames {
            bytes: &animation.frames.bytes,
            bone_count: file.bones.len(),
            frame_count: animation.frame_count,
        };
        Animation { name: &animation.name, is_looping, flags, frames }
    };
    file.animations.iter().map(animation).collect()
}

impl<'a> Description<'a> {
    /// Describes the v1 file that the document corresponds to, with the paths of its images. Meshes without an
    /// image can only be represented if there are no images at all: call `Document::drop_images` first.
    pub fn new(document: &'a Document, paths: &'a [String]) -> Self {
        let file = &document.file;
        let image = |(image, path): (&'a schema::Image, &'a String)| Image {
            name: &image.name,
            width: image.width,
            height: image.height,
            format: match image.format {
                schema::Image::RGBA8888 => schema::ImageFormat::Rgba8888,
                _ => schema::ImageFormat::Png,
            },
            path,
        };
        let mesh = |mesh: &'a schema::Mesh| Mesh {
            name: &mesh.name,
            image: mesh.image,
            vertices: Vertices(&mesh.vertices.bytes),
            indices: Indices(&mesh.indices.bytes),
        };
        Self {
            version: schema::VERSION,
            fps: file.fps,
            flags: (file.flags != 0).then_some(file.flags),
            images: file.images.iter().zip(paths).map(image).collect(),
            bones: &file.bones,
            meshes: file.meshes.iter().map(mesh).collect(),
            animations: animations(file),
        }
    }

    /// Writes the text, with one line for each vertex and each frame.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        write_json(out, self, DEPTH)
    }
}

/// Lists of vertices and frames are broken into lines; their entries are not.
pub(super) const DEPTH: usize = 4;
