//! The output of `pchr diff --json`: `pchr.diff/1`. Keys are sorted because the fields are; all numbers are
//! finite.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::shared::json_output::JsonOutput;
use crate::cli::shared::json_output::Warning;
use crate::cli::shared::stdio::portable;
use crate::diagnostics::Diagnostics;
use crate::model::Model;

/// All differences between two characters. Equal items are not listed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Diff {
    /// The first character.
    pub a: Side,
    /// Animations that only one side has, or that differ in frames, rate, duration, events or looping.
    pub animations: Vec<AnimationDifference>,
    /// The second character.
    pub b: Side,
    /// Bones that only one side has, or whose parents differ.
    pub bones: Vec<BoneDifference>,
    /// Constraints that only one side has, or that differ.
    pub constraints: Vec<ThingDifference>,
    /// Distance up to which two points are equal, in world units.
    pub epsilon: f32,
    /// Events that only one side has, or whose payloads differ.
    pub events: Vec<ThingDifference>,
    /// Number of compared poses: every stored frame of every common animation, and the bind pose.
    pub frames: u64,
    /// Images that only one side has, or that differ in size or pixels.
    pub images: Vec<ImageDifference>,
    /// Meshes that only one side has, or that differ in anything but their motion.
    pub meshes: Vec<MeshDifference>,
    /// Common animations in which positions, visibility or draw order differ.
    pub poses: Vec<PoseDifference>,
    /// True if nothing differs.
    pub same: bool,
    /// Name and version of this schema.
    #[schemars(extend("const" = Diff::SCHEMA))]
    pub schema: &'static str,
    /// Skins that only one side has, or whose attachments or bones differ.
    pub skins: Vec<ThingDifference>,
    /// Slots that only one side has, or that differ in bone, colour, blend mode or attachment.
    pub slots: Vec<ThingDifference>,
}

impl JsonOutput for Diff {
    const SCHEMA: &'static str = "pchr.diff/1";
}

/// Summary of one of the two characters.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Side {
    /// Number of animations.
    pub animations: usize,
    /// Number of bones.
    pub bones: usize,
    /// Number of constraints.
    pub constraints: usize,
    /// Number of events.
    pub events: usize,
    /// Path of the file as given, with `/`.
    pub file: String,
    /// Number of images.
    pub images: usize,
    /// Number of meshes.
    pub meshes: usize,
    /// Number of skins.
    pub skins: usize,
    /// Number of slots; 0 if the format has none.
    pub slots: usize,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

impl Side {
    pub fn new(file: &Path, model: &Model, diagnostics: &Diagnostics) -> Self {
        let warnings = diagnostics.warnings();
        Self {
            animations: model.animations().len(),
            bones: model.skeleton().authored_bones().len(),
            constraints: model.constraints().len(),
            events: model.events().len(),
            file: portable(file),
            images: model.pages().len(),
            meshes: model.authored_attachments().iter().filter(|attachment| attachment.mesh().is_some()).count(),
            skins: model.skins().len(),
            slots: if model.skins().is_empty() { 0 } else { model.slots().len() },
            warnings: warnings.map(|fault| Warning { code: fault.code, message: fault.to_string() }).collect(),
        }
    }
}

/// Which of the two characters has an item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FoundIn {
    /// Only the first.
    A,
    /// Only the second.
    B,
    /// Both.
    #[default]
    Both,
}

/// A name, and which of the items with that name is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Named {
    /// Name in the file.
    pub name: String,
    /// Number of earlier items with the same name.
    pub occurrence: u32,
}

/// A value that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ChangeOf_{T}")]
pub struct Change<T> {
    /// Value in the first character.
    pub a: T,
    /// Value in the second character.
    pub b: T,
}

/// An image that only one side has, or that differs.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ImageDifference {
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// Name in the file.
    pub name: String,
    /// Number of earlier items with the same name.
    pub occurrence: u32,
    /// Pixels that differ, if the sizes are equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixels: Option<PixelDifference>,
    /// Width and height in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<Change<[u32; 2]>>,
}

/// Pixels that differ.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PixelDifference {
    /// Number of pixels.
    pub count: u64,
    /// Largest difference of a channel of straight RGBA.
    pub largest: u8,
}

/// A bone that only one side has, or whose parents differ.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct BoneDifference {
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// Name in the file.
    pub name: String,
    /// Number of earlier items with the same name.
    pub occurrence: u32,
    /// Parent bone; null for a root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<Change<Option<Named>>>,
}

/// A slot, skin, constraint or event that only one side has, or that differs.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ThingDifference {
    /// Properties that differ; empty if only one side has the item.
    pub changes: Vec<WordedChange>,
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// Name in the file.
    pub name: String,
    /// Number of earlier items with the same name.
    pub occurrence: u32,
}

/// A property that differs, with its values as text.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WordedChange {
    /// Value in the first character.
    pub a: String,
    /// Value in the second character.
    pub b: String,
    /// Name of the property.
    pub what: &'static str,
}

/// A mesh that only one side has, or that differs.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct MeshDifference {
    /// Bone whose visibility and draw order the mesh follows; null if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bone: Option<Change<Option<Named>>>,
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// Image that the mesh shows; null if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<Change<Option<Named>>>,
    /// Name in the file.
    pub name: String,
    /// Number of earlier items with the same name.
    pub occurrence: u32,
    /// Index in the file, if the mesh has moved among the common meshes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Change<usize>>,
    /// Authored positions that differ, in world units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<VertexDifference>,
    /// Triangles that differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangles: Option<TriangleDifference>,
    /// Texture coordinates that differ, in pixels of the image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uv: Option<VertexDifference>,
    /// Number of vertices. If it differs, vertices are not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<Change<usize>>,
    /// Weights that differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<VertexDifference>,
}

/// Vertices that differ by more than the tolerance.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct VertexDifference {
    /// Number of vertices.
    pub count: usize,
    /// Largest difference.
    pub largest: f32,
    /// Index of the vertex with the largest difference.
    pub vertex: usize,
}

/// Triangles that differ.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TriangleDifference {
    /// Number of triangles in the first character.
    pub a: usize,
    /// Number of triangles in the second character.
    pub b: usize,
    /// Number of triangles at the same index whose corners differ.
    pub different: usize,
}

/// An animation that only one side has, or that differs in its description.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct AnimationDifference {
    /// Whether it contains the bind pose instead of a motion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bind_pose: Option<Change<bool>>,
    /// Duration in seconds, if both are keyed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_secs: Option<Change<f64>>,
    /// First event whose payload or time differs; null if one side has no more events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Change<Option<String>>>,
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// Stored frames per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<Change<f64>>,
    /// Number of stored frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<Change<u32>>,
    /// Whether the animation loops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looping: Option<Change<bool>>,
    /// Name in the file.
    pub name: String,
    /// Number of earlier items with the same name.
    pub occurrence: u32,
}

/// Differences while an animation plays.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PoseDifference {
    /// The animation; null for the bind pose.
    pub animation: Option<Named>,
    /// The bone origin or axis with the largest distance between the two characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bones: Option<FarBone>,
    /// Meshes whose draw order differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_order: Option<OrderDifference>,
    /// Number of compared frames.
    pub frames: u32,
    /// Skin applied over the default skin, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<Named>,
    /// The vertex with the largest distance between the two characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<FarVertex>,
    /// Meshes that are visible in only one of the two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<VisibilityDifference>,
}

/// A point of a bone that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The origin.
    Origin,
    /// The x axis.
    XAxis,
    /// The y axis.
    YAxis,
}

/// The largest difference of a bone.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct FarBone {
    /// The bone.
    pub bone: Named,
    /// Distance in world units.
    pub distance: f32,
    /// Stored frame with the largest distance.
    pub frame: u32,
    /// Number of frames in which any bone differs.
    pub frames: u32,
    /// Point of the bone.
    pub part: Part,
}

/// The largest difference of a vertex.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct FarVertex {
    /// Distance in world units.
    pub distance: f32,
    /// Stored frame with the largest distance.
    pub frame: u32,
    /// Number of frames in which any vertex differs.
    pub frames: u32,
    /// The mesh.
    pub mesh: Named,
    /// Index of the vertex.
    pub vertex: usize,
}

/// Meshes whose draw order differs, among those visible in both.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OrderDifference {
    /// Mesh that the first character draws at the first position that differs, back to front.
    pub a: Named,
    /// Mesh that the second character draws there.
    pub b: Named,
    /// First stored frame in which the order differs.
    pub frame: u32,
    /// Number of frames in which it differs.
    pub frames: u32,
}

/// Meshes that are visible in only one of the two.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VisibilityDifference {
    /// First stored frame in which visibility differs.
    pub frame: u32,
    /// Number of frames in which it differs.
    pub frames: u32,
    /// First such mesh in that frame.
    pub mesh: Named,
    /// Which of the two shows it.
    pub shown_in: FoundIn,
}
