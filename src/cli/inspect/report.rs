//! What `pchr inspect --json` prints: `pchr.inspect/1`. Keys are sorted because the fields are.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::shared::json_output::JsonOutput;
use crate::cli::shared::keep_going::FailedFile;
use crate::model::AlphaSource;

/// The whole answer.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Inspection {
    /// The files that could not be read; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailedFile>,
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
    /// What slots can show, in file order; of formats that have slots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachments: Option<Vec<AttachmentReport>>,
    /// The bones in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bones: Option<Vec<Bone>>,
    /// The rectangle around every mesh as it was authored, of a format that has slots around what is shown when nothing
    /// animates, in the skins that are worn: left, bottom, width and height in world pixels, y up. Null where nothing is drawn.
    pub bounds: Option<[f32; 4]>,
    /// Bytes of the file.
    pub bytes: u64,
    /// The constraints in the order in which they act; of formats that have some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constraints: Option<Vec<Constraint>>,
    /// The events in file order; of formats that have some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<Event>>,
    /// The path of the file as it was given, with `/`; `stdin` for standard input.
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
    /// The skins in file order; of formats that have some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skins: Option<Vec<Skin>>,
    /// The slots in the order that draws them when nothing else is said; of formats that have some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slots: Option<Vec<Slot>>,
    /// The file as a whole, where it is of Spine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spine: Option<SpineHeader>,
}

/// A file of Spine as a whole.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SpineHeader {
    /// Frames a second by which frames are counted; null without animations.
    pub fps: Option<f64>,
    /// The version that the file says.
    pub version: Option<String>,
}

/// A slot.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Slot {
    /// What it shows when nothing animates, without a skin but the default one; null for nothing.
    pub attachment: Option<String>,
    /// How it is drawn over what is below: normal, additive, multiply or screen.
    pub blend: &'static str,
    /// Its bone.
    pub bone: Option<String>,
    /// Its name.
    pub name: String,
}

/// Something that a slot can show.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Attachment")]
pub struct AttachmentReport {
    /// The number of its image; null where it has none.
    pub image: Option<usize>,
    /// The most bones that move one vertex.
    pub influences: usize,
    /// What slots and animations call it.
    pub key: Option<String>,
    /// region, mesh, clipping, path, point or boundingbox.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// The skin that has it.
    pub skin: Option<String>,
    /// The slot that can show it.
    pub slot: Option<String>,
    /// How many.
    pub triangles: usize,
    /// How many.
    pub vertices: usize,
}

/// A skin.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Skin {
    /// How many it has.
    pub attachments: usize,
    /// Bones that are there only with such a skin.
    pub bones: Vec<String>,
    /// Its name.
    pub name: String,
    /// The programs show the character in it unless another skin is chosen.
    pub worn: bool,
}

/// A constraint.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Constraint {
    /// What it pulls.
    pub bones: Vec<String>,
    /// ik, transform or path.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// The bone, or for a path the slot, that it pulls to.
    pub target: String,
}

/// An event.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Event {
    /// The sound file that it means.
    pub audio: Option<String>,
    /// What goes with it, where the animation does not say.
    pub float: f32,
    /// What goes with it, where the animation does not say.
    pub int: i32,
    /// Its name.
    pub name: String,
    /// What goes with it, where the animation does not say.
    pub string: String,
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
    /// How its colours are read: straight, or premultiplied with alpha.
    pub alpha: &'static str,
    /// Why: forced (by `--page-alpha`), stated (by the file or its format), pixels (they suggest it), or assumed (nothing
    /// says so, and it is straight).
    pub alpha_source: &'static str,
    /// Bytes in the file, or of the file beside it.
    pub bytes: u64,
    /// How its pixels are stored.
    pub format: &'static str,
    /// Pixels.
    pub height: u32,
    /// Why its picture is not there, where it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Its name.
    pub name: String,
    /// The file beside this one that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Pixels.
    pub width: u32,
}

impl Image {
    /// What [`Self::alpha`] says.
    pub fn alpha_name(is_premultiplied: bool) -> &'static str {
        if is_premultiplied { "premultiplied" } else { "straight" }
    }

    /// What [`Self::alpha_source`] says.
    pub fn source_name(source: AlphaSource) -> &'static str {
        match source {
            AlphaSource::Assumed => "assumed",
            AlphaSource::Stated => "stated",
            AlphaSource::Pixels => "pixels",
            AlphaSource::Forced => "forced",
        }
    }
}

/// A bone.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Bone {
    /// Its name.
    pub name: String,
    /// The number of its parent; null for a root.
    pub parent: Option<u32>,
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
    /// How many events it tells; of formats that have events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<usize>,
    /// Stored frames; of motion that has keys those that are counted.
    pub frames: u32,
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
