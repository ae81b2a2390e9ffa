//! [`Document`] → Pachario JSON, the older form.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::description::{Animation, DEPTH, Indices, animations};
use super::layout::write_json;
use super::shared::Influence;
use crate::formats::json::number::Number;
use crate::formats::pchr::document::{Document, LongInfluences};
use crate::formats::pchr::schema;

/// A character as Pachario JSON.
///
/// A packed file contains the same JSON, with the image's name as its path.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Pachario<'a> {
    /// Format version.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = 1)))]
    version: u32,
    /// Playback frame rate.
    fps: u16,
    /// Atlas images used by meshes.
    images: Vec<Image<'a>>,
    /// Parents before their children.
    bones: Vec<Bone<'a>>,
    /// The skinned meshes.
    meshes: Vec<Mesh<'a>>,
    /// The sampled animations.
    animations: Vec<Animation<'a>>,
}

/// An atlas image.
#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "PacharioImage", deny_unknown_fields)
)]
struct Image<'a> {
    /// Image name.
    name: &'a str,
    /// The image file, relative to this one, in its folder or below.
    path: &'a str,
    /// Width in pixels.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    width: u16,
    /// Height in pixels.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    height: u16,
}

/// A bone.
#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "PacharioBone", deny_unknown_fields)
)]
#[serde(rename_all = "camelCase")]
struct Bone<'a> {
    /// Bone name.
    name: &'a str,
    /// Index of the parent bone, which comes before this one; -1 for a root.
    #[cfg_attr(feature = "schemas", schemars(range(min = -1)))]
    parent_idx: i16,
}

/// A skinned mesh drawn from one image.
#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "PacharioMesh", deny_unknown_fields)
)]
#[serde(rename_all = "camelCase")]
struct Mesh<'a> {
    /// Mesh name.
    name: &'a str,
    /// Index into `images`; -1 for none.
    #[cfg_attr(feature = "schemas", schemars(range(min = -1)))]
    image_idx: i32,
    /// The vertices.
    #[cfg_attr(feature = "schemas", schemars(with = "Vec<Vertex>"))]
    vertices: Vertices<'a>,
    /// Vertex indices, three per triangle.
    #[cfg_attr(feature = "schemas", schemars(with = "Vec<u16>"))]
    triangles: Indices<'a>,
}

/// A vertex with its texture coordinate and the bones that move it.
#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "PacharioVertex", deny_unknown_fields)
)]
struct Vertex {
    /// X in pixels: bind pose, world space.
    x: Number,
    /// Y in pixels, up: bind pose, world space.
    y: Number,
    /// 0 to 1 from the left of the image.
    u: Number,
    /// 0 to 1 from the top of the image.
    v: Number,
    /// All bones that move the vertex.
    bones: Vec<Influence>,
}

/// Packed vertices, and their influences if there are more than four.
#[derive(Debug)]
struct Vertices<'a> {
    records: &'a [u8],
    long: &'a [LongInfluences],
}

impl Serialize for Vertices<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut long = self.long.iter().peekable();
        let records = self.records.chunks_exact(schema::Vertex::SIZE).enumerate();
        serializer.collect_seq(records.map(|(number, record)| {
            let vertex = schema::Vertex::read(record);
            let four = vertex.bone_ids.into_iter().zip(vertex.bone_weights);
            let used = |&(_, weight): &(u16, f32)| weight != 0.0;
            let influences: Vec<(u16, f32)> = match long.next_if(|long| long.vertex == number) {
                Some(long) => long.influences.clone(),
                None => four.filter(used).collect(),
            };
            let influence = |(idx, weight)| Influence { idx, weight: Number(weight) };
            let [x, y, u, v] = [vertex.x, vertex.y, vertex.u, vertex.v].map(Number);
            Vertex { x, y, u, v, bones: influences.into_iter().map(influence).collect() }
        }))
    }
}

impl<'a> Pachario<'a> {
    /// Converts a document; `paths` are the paths of the images, or their names in a packed file.
    pub fn new(document: &'a Document, paths: &'a [String]) -> Self {
        let file = &document.file;
        let image = |(image, path): (&'a schema::Image, &'a String)| Image {
            name: &image.name,
            path,
            width: image.width,
            height: image.height,
        };
        let mesh = |(index, mesh): (usize, &'a schema::Mesh)| {
            let has_image = usize::from(mesh.image) < file.images.len();
            Mesh {
                name: &mesh.name,
                image_idx: if has_image { mesh.image.into() } else { -1 },
                vertices: Vertices { records: &mesh.vertices.bytes, long: document.long_influences_of(index) },
                triangles: Indices(&mesh.indices.bytes),
            }
        };
        Self {
            version: schema::VERSION,
            fps: file.fps,
            images: file.images.iter().zip(paths).map(image).collect(),
            bones: file.bones.iter().map(|bone| Bone { name: &bone.name, parent_idx: bone.parent }).collect(),
            meshes: file.meshes.iter().enumerate().map(mesh).collect(),
            animations: animations(file),
        }
    }

    /// Writes the text, with one line for each vertex and each frame.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        write_json(out, self, DEPTH)
    }
}
