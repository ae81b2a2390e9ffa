//! What `pchr inspect --json` prints: `pchr.inspect/1`. Keys are sorted because the fields are.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::schema::JsonOutput;

/// The whole answer.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Inspection {
    /// One for each file that could be read.
    pub files: Vec<FileReport>,
    /// Which form this answer has.
    #[schemars(extend("const" = Inspection::SCHEMA))]
    pub schema: &'static str,
}

impl JsonOutput for Inspection {
    const SCHEMA: &'static str = "pchr.inspect/1";
}

/// What is in one file. Sections that were not asked for are absent.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FileReport {
    /// The animations in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animations: Option<Vec<Animation>>,
    /// The bones in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bones: Option<Vec<Bone>>,
    /// The rectangle around every mesh as it was authored: left, bottom, width and height in world pixels, y up.
    /// Null where nothing is drawn.
    pub bounds: Option<[f32; 4]>,
    /// Bytes of the file.
    pub bytes: u64,
    /// The file as it was named; of an absolute path only the name.
    pub file: String,
    /// What kind of file it is.
    pub format: &'static str,
    /// The file as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<Header>,
    /// The images in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<Vec<Image>>,
    /// Where the bytes are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
    /// The meshes in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meshes: Option<Vec<Mesh>>,
    /// Bytes of pixels and frames that were passed over, and so not validated.
    pub not_read_bytes: u64,
}

/// The file as a whole.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Header {
    /// Reserved, 0.
    pub flags: u16,
    /// Frames a second.
    pub fps: u16,
    /// Version of the format.
    pub version: u32,
}

/// An image.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Image {
    /// Bytes in the file, or of the file beside it.
    pub bytes: u64,
    /// How its pixels are stored.
    pub format: &'static str,
    /// Pixels.
    pub height: u16,
    /// Why its picture is not there, where it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Its name.
    pub name: String,
    /// The file beside this one that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Pixels.
    pub width: u16,
}

/// A bone.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Bone {
    /// Its name.
    pub name: String,
    /// The number of its parent; null for a root.
    pub parent: Option<u16>,
}

/// A mesh.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Mesh {
    /// Left, bottom, width and height as authored, in world pixels, y up; null without triangles.
    pub bounds: Option<[f32; 4]>,
    /// The number of its image; null where there is no such image.
    pub image: Option<u16>,
    /// The most bones that move one vertex.
    pub influences: usize,
    /// Its name.
    pub name: String,
    /// The number of the bone whose visibility and order it follows.
    pub owner: Option<usize>,
    /// How many.
    pub triangles: usize,
    /// How many.
    pub vertices: usize,
}

/// An animation.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Animation {
    /// Named for the bind pose, and so no motion.
    pub bind_pose: bool,
    /// Until it begins again, or until its last frame; 0 for a still picture.
    pub duration_secs: f64,
    /// Stored frames.
    pub frames: u16,
    /// The first frame follows the last.
    #[serde(rename = "loop")]
    pub is_looping: bool,
    /// Its name.
    pub name: String,
}

/// Where the bytes are.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Memory {
    /// Bytes that the GPU renderer takes for it.
    pub gpu: GpuMemory,
    /// Bytes of each section of the file; absent where that is JSON, whose sections may be anywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Sections>,
}

/// Bytes on the GPU.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GpuMemory {
    /// Triangles.
    pub indices: u64,
    /// One matrix a bone.
    pub palette: u64,
    /// Pixels of all images.
    pub textures: u64,
    /// Everything together.
    pub total: u64,
    /// Vertices.
    pub vertices: u64,
}

/// Bytes of the sections of a binary file.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Sections {
    /// Names and frames.
    pub animations: u64,
    /// Names and parents.
    pub bones: u64,
    /// Magic, version and the rest up to the first section.
    pub header: u64,
    /// Names, sizes and pixels.
    pub images: u64,
    /// Names, vertices and indices.
    pub meshes: u64,
    /// What follows the last section.
    pub trailing: u64,
}
