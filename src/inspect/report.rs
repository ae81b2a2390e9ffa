//! The contents of a file, as `pchr inspect` prints them. Keys are sorted because the fields are.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::model::AlphaSource;

/// The contents of a file. Sections that were not selected are absent.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FileReport {
    /// Animations in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) animations: Option<Vec<Animation>>,
    /// Attachments in file order, for formats with slots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) attachments: Option<Vec<AttachmentReport>>,
    /// Bones in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bones: Option<Vec<Bone>>,
    /// Bounds of all meshes as authored, or for formats with slots of everything visible in the rest pose with the
    /// worn skins: left, bottom, width and height in world pixels, y up. Null if nothing is visible.
    pub(super) bounds: Option<[f32; 4]>,
    /// File size in bytes.
    pub(super) bytes: u64,
    /// Constraints in the order in which they are applied, for formats with constraints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) constraints: Option<Vec<Constraint>>,
    /// Events in file order, for formats with events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) events: Option<Vec<Event>>,
    /// Path of the file as given, with `/`; `stdin` for standard input.
    pub(super) file: String,
    /// Name of the format.
    pub(super) format: &'static str,
    /// Header of a PCHR document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) header: Option<Header>,
    /// Images in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) images: Option<Vec<Image>>,
    /// Sizes in the file and on the GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) memory: Option<Memory>,
    /// Meshes in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) meshes: Option<Vec<Mesh>>,
    /// Bytes of pixels and frames that were skipped and therefore not validated.
    pub(super) not_read_bytes: u64,
    /// Skins in file order, for formats with skins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skins: Option<Vec<Skin>>,
    /// Slots in their default draw order, for formats with slots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) slots: Option<Vec<Slot>>,
    /// Header of a Spine file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) spine: Option<SpineHeader>,
}

/// The header of a Spine file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SpineHeader {
    /// Rate at which frames are counted, in frames per second; null without animations.
    pub fps: Option<f64>,
    /// Version stated by the file.
    pub version: Option<String>,
}

/// A slot.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Slot {
    /// Attachment in the rest pose with only the default skin; null if none.
    pub attachment: Option<String>,
    /// Blend mode: normal, additive, multiply or screen.
    pub blend: &'static str,
    /// Bone of the slot.
    pub bone: Option<String>,
    /// Whether the slot is hidden in the editor, which does not affect the picture; absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Name.
    pub name: String,
}

/// An attachment: something that a slot can show.
#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields, rename = "Attachment")
)]
pub struct AttachmentReport {
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

/// A skin.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Skin {
    /// Number of attachments.
    pub attachments: usize,
    /// Bones that are only active with this skin.
    pub bones: Vec<String>,
    /// Colour in the editor, as eight hexadecimal digits: red, green, blue and alpha; absent if the file has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Name.
    pub name: String,
    /// Whether the skin is applied unless another one is chosen.
    pub worn: bool,
}

/// A constraint.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Constraint {
    /// Constrained bones.
    pub bones: Vec<String>,
    /// Type: ik, transform, path, physics or slider.
    pub kind: &'static str,
    /// Name.
    pub name: String,
    /// Settings that are not numbers, such as what drives what and what a slider applies.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub notes: BTreeMap<&'static str, String>,
    /// Target bone, or for a path constraint the target slot. Physics has none, and sliders may have one.
    pub target: Option<String>,
}

/// An event.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Event {
    /// Sound file, if any.
    pub audio: Option<String>,
    /// Default float payload; a key may override it.
    pub float: f32,
    /// Default integer payload; a key may override it.
    pub int: i32,
    /// Name.
    pub name: String,
    /// Default string payload; a key may override it.
    pub string: String,
}

/// The header of a PCHR document.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Header {
    /// Reserved; 0.
    pub flags: u16,
    /// Frames per second.
    pub fps: u16,
    /// Format version.
    pub version: u32,
}

/// An image.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Image {
    /// How its colours are interpreted: straight or premultiplied.
    pub alpha: &'static str,
    /// What the pixels of all undeclared images say; absent if the file declares it, or the user has chosen it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha_evidence: Option<AlphaEvidence>,
    /// Source of that interpretation: forced (by `--page-alpha`), stated (by the file or its format), pixels
    /// (detected from them) or assumed (unspecified, so straight).
    pub alpha_source: &'static str,
    /// Size in bytes, in the file or of the separate image file.
    pub bytes: u64,
    /// Pixel format.
    pub format: &'static str,
    /// Height in pixels.
    pub height: u32,
    /// Why the image is missing, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Name.
    pub name: String,
    /// Path of the separate image file, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Width in pixels.
    pub width: u32,
}

/// Statistics of the partly transparent pixels.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct AlphaEvidence {
    /// Share of these that are clearly brighter than their alpha, 0 to 1. None of a premultiplied image is.
    pub brighter: f64,
    /// Share of these whose colour follows alpha along soft edges, 0 to 1, weighed by how much each tells; null if there
    /// are too few. Straight images are below 0.65.
    pub follows: Option<f64>,
    /// Whether the verdict is certain.
    pub is_sure: bool,
}

impl Image {
    /// Returns the value of [`Self::alpha`].
    pub fn alpha_name(is_premultiplied: bool) -> &'static str {
        if is_premultiplied { "premultiplied" } else { "straight" }
    }

    /// Returns the value of [`Self::alpha_source`].
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
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Bone {
    /// Colour in the editor, as eight hexadecimal digits: red, green, blue and alpha; absent if the file has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Whether the bone is hidden in the editor; absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Icon in the editor; absent if the file has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// Name.
    pub name: String,
    /// Index of the parent bone; null for a root.
    pub parent: Option<u32>,
}

/// A mesh.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Mesh {
    /// Bounds as authored: left, bottom, width and height in world pixels, y up; null without triangles.
    pub bounds: Option<[f32; 4]>,
    /// Index of the image; null if that image does not exist.
    pub image: Option<u16>,
    /// Most influences of any vertex.
    pub influences: usize,
    /// Name.
    pub name: String,
    /// Index of the bone whose visibility and draw order the mesh follows.
    pub owner: Option<usize>,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of vertices.
    pub vertices: usize,
}

/// An animation.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Animation {
    /// Whether its name marks it as the bind pose instead of a motion.
    pub bind_pose: bool,
    /// Slots of each draw order folder: its keys change only the order among them. Absent if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub draw_order_folders: Vec<Vec<String>>,
    /// Duration in seconds of one loop, or up to the last frame; 0 for a still image.
    pub duration_secs: f64,
    /// Number of fired events, for formats with events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<usize>,
    /// Number of stored frames; for keyed motion, of counted frames.
    pub frames: u32,
    /// Whether it loops.
    #[serde(rename = "loop")]
    pub is_looping: bool,
    /// Name.
    pub name: String,
}

/// Sizes in the file and on the GPU.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Memory {
    /// Bytes used by the GPU renderer.
    pub gpu: GpuMemory,
    /// Bytes of each section of a binary file; absent for JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Sections>,
}

/// Bytes on the GPU.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct GpuMemory {
    /// Index buffers.
    pub indices: u64,
    /// Skinning matrices, one per bone.
    pub palette: u64,
    /// Textures.
    pub textures: u64,
    /// Sum of all.
    pub total: u64,
    /// Vertex buffers.
    pub vertices: u64,
}

/// Bytes of the sections of a binary file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Sections {
    /// Names and frames.
    pub animations: u64,
    /// Names and parents.
    pub bones: u64,
    /// Magic, version and the other fields before the first section.
    pub header: u64,
    /// Names, sizes and pixels.
    pub images: u64,
    /// Names, vertices and indices.
    pub meshes: u64,
    /// Bytes after the last section.
    pub trailing: u64,
}
