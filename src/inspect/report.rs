//! The contents of a file, as `pchr inspect` prints them. Keys are sorted because the fields are.

use std::fmt;

use serde::Serialize;

use super::print::size;
use crate::diagnostics::Warning;
use crate::error::escaped;
use crate::math::Rect;
use crate::model::AlphaSource;
use crate::outline::{Animation, Atlas, Attachment, Bone, Constraint, Event, Skin, Slot, plural};

/// The contents of a file. Sections that were not selected are absent.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FileReport {
    /// Contents of an atlas of Adobe Animate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) animate: Option<Atlas>,
    /// Animations in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) animations: Option<Vec<Animation>>,
    /// Attachments in file order, for formats with slots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) attachments: Option<Vec<Attachment>>,
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
    /// Errors in parts of animations, which are left out; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) errors: Vec<Warning>,
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
    /// Bytes of pixels and frames of a PCHR file that were skipped and therefore not validated. Of the PNGs in a SkelForm
    /// file, only completeness is checked; they do not count.
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

impl fmt::Display for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{} {}, {}{}", self.width, self.height, self.format, size(self.bytes), self.alpha_text())?;
        match (&self.path, &self.missing) {
            (_, Some(why)) => write!(f, ", missing: {}", escaped(why)),
            (Some(path), None) => write!(f, ", {}", escaped(path)),
            (None, None) => Ok(()),
        }
    }
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
    /// Name of that bone; empty if none.
    #[serde(skip)]
    pub owner_name: String,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of vertices.
    pub vertices: usize,
}

impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vertices = plural(self.vertices, "vertex", "vertices");
        let triangles = plural(self.triangles, "triangle", "triangles");
        let influences = plural(self.influences, "influence", "influences");
        let image = self.image.map_or_else(|| "no image".to_owned(), |image| format!("image {image}"));
        let owner = self.owner.map_or_else(|| "no bone".to_owned(), |_| escaped(&self.owner_name));
        write!(f, "{vertices}, {triangles}, {influences}, {image}, on {owner}")
    }
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

/// Returns the left and bottom edge, width and height; nothing for an empty rectangle.
pub(super) fn corner_and_size(bounds: Rect) -> Option<[f32; 4]> {
    let drawn = bounds.min.x <= bounds.max.x;
    // Adding 0 turns -0 into 0.
    let numbers = || [bounds.min.x, bounds.min.y, bounds.size().x, bounds.size().y].map(|number| number + 0.0);
    drawn.then(numbers)
}
