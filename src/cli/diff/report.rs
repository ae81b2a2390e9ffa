//! What `pchr diff --json` prints: `pchr.diff/1`. Keys are sorted because the fields are; every number is finite.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::shared::json_output::JsonOutput;
use crate::cli::shared::json_output::Warning;
use crate::cli::shared::stdio::portable;
use crate::diagnostics::Diagnostics;
use crate::model::Model;

/// Everything in which two characters differ. What is the same is not listed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Diff {
    /// The first character.
    pub a: Side,
    /// Animations that only one has, or that differ in their frames, rate or looping.
    pub animations: Vec<AnimationDifference>,
    /// The second character.
    pub b: Side,
    /// Bones that only one has, or that hang on another parent.
    pub bones: Vec<BoneDifference>,
    /// Constraints that only one has, or that pull other bones or to something else.
    pub constraints: Vec<ThingDifference>,
    /// How far apart two places may be that count as one, in world units.
    pub epsilon: f32,
    /// Events that only one has, or that tell something else.
    pub events: Vec<ThingDifference>,
    /// How many poses were compared: every stored frame of every animation that both have, and the bind pose.
    pub frames: u64,
    /// Images that only one has, or that differ in size or pixels.
    pub images: Vec<ImageDifference>,
    /// Meshes that only one has, or that differ in anything that does not move.
    pub meshes: Vec<MeshDifference>,
    /// Animations that both have and in which something is elsewhere, hidden or in another order.
    pub poses: Vec<PoseDifference>,
    /// Nothing differs.
    pub same: bool,
    /// The name and version of this schema.
    #[schemars(extend("const" = Diff::SCHEMA))]
    pub schema: &'static str,
    /// Skins that only one has, or that have other attachments or bones.
    pub skins: Vec<ThingDifference>,
    /// Slots that only one has, or that are on another bone, of another colour or drawn otherwise.
    pub slots: Vec<ThingDifference>,
}

impl JsonOutput for Diff {
    const SCHEMA: &'static str = "pchr.diff/1";
}

/// One of the two characters, in numbers.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Side {
    /// How many animations it has.
    pub animations: usize,
    /// How many bones it has.
    pub bones: usize,
    /// How many constraints it has.
    pub constraints: usize,
    /// How many events it has.
    pub events: usize,
    /// The path of the file as it was given, with `/`.
    pub file: String,
    /// How many images it has.
    pub images: usize,
    /// How many meshes it has.
    pub meshes: usize,
    /// How many skins it has.
    pub skins: usize,
    /// How many slots it has, where it has a list of its own.
    pub slots: usize,
    /// What is odd in the file.
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
            meshes: model.attachments().iter().filter(|attachment| attachment.mesh().is_some()).count(),
            skins: model.skins().len(),
            slots: if model.skins().is_empty() { 0 } else { model.slots().len() },
            warnings: warnings.map(|fault| Warning { code: fault.code, message: fault.to_string() }).collect(),
        }
    }
}

/// Which of the two has it.
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

/// A name, and which of those that are called so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Named {
    /// The name in the file.
    pub name: String,
    /// How many before it have the same name.
    pub occurrence: u32,
}

/// Something that is one thing here and another there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ChangeOf_{T}")]
pub struct Change<T> {
    /// In the first character.
    pub a: T,
    /// In the second character.
    pub b: T,
}

/// An image that only one has, or that differs.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ImageDifference {
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// The name in the file.
    pub name: String,
    /// How many before it have the same name.
    pub occurrence: u32,
    /// Pixels that differ, where both have the same size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixels: Option<PixelDifference>,
    /// Width and height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<Change<[u32; 2]>>,
}

/// Pixels that differ.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PixelDifference {
    /// How many.
    pub count: u64,
    /// The largest difference of a channel of straight RGBA.
    pub largest: u8,
}

/// A bone that only one has, or that hangs on another parent.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct BoneDifference {
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// The name in the file.
    pub name: String,
    /// How many before it have the same name.
    pub occurrence: u32,
    /// What it hangs on; null for a root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<Change<Option<Named>>>,
}

/// A slot, a skin, a constraint or an event that only one has, or that differs.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ThingDifference {
    /// What differs, in a word, and what it is in each.
    pub changes: Vec<WordedChange>,
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// The name in the file.
    pub name: String,
    /// How many before it have the same name.
    pub occurrence: u32,
}

/// Something that is one thing here and another there, in words.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WordedChange {
    /// In the first character.
    pub a: String,
    /// In the second character.
    pub b: String,
    /// What it is of the thing.
    pub what: &'static str,
}

/// A mesh that only one has, or that differs.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct MeshDifference {
    /// The bone whose visibility and order it follows; null where it follows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bone: Option<Change<Option<Named>>>,
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// The image it shows; null where it shows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<Change<Option<Named>>>,
    /// The name in the file.
    pub name: String,
    /// How many before it have the same name.
    pub occurrence: u32,
    /// The place in the file, where it stands differently among those that both have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Change<usize>>,
    /// Authored positions that differ, in world units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<VertexDifference>,
    /// Triangles that differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangles: Option<TriangleDifference>,
    /// Places in the image that differ, in its pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uv: Option<VertexDifference>,
    /// How many vertices there are. Where this differs they are not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<Change<usize>>,
    /// Weights that differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<VertexDifference>,
}

/// Vertices that differ beyond the tolerance.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct VertexDifference {
    /// How many.
    pub count: usize,
    /// The largest difference.
    pub largest: f32,
    /// The vertex that has it.
    pub vertex: usize,
}

/// Triangles that differ.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TriangleDifference {
    /// How many the first has.
    pub a: usize,
    /// How many the second has.
    pub b: usize,
    /// How many of those at the same place in both lists have other corners.
    pub different: usize,
}

/// An animation that only one has, or that differs in the list.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct AnimationDifference {
    /// It holds the bind pose and is no motion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bind_pose: Option<Change<bool>>,
    /// How long it is, where it has keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_secs: Option<Change<f64>>,
    /// The first event that it tells otherwise or at another time; null where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Change<Option<String>>>,
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// Stored frames a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<Change<f64>>,
    /// Stored frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<Change<u32>>,
    /// The last frame is followed by the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looping: Option<Change<bool>>,
    /// The name in the file.
    pub name: String,
    /// How many before it have the same name.
    pub occurrence: u32,
}

/// What differs while an animation plays.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PoseDifference {
    /// The animation; null is the bind pose.
    pub animation: Option<Named>,
    /// The origin or axis of a bone that is farthest from where it is in the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bones: Option<FarBone>,
    /// Meshes that are drawn in another order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_order: Option<OrderDifference>,
    /// How many frames were compared.
    pub frames: u32,
    /// The skin that is worn beside the default one, where one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<Named>,
    /// The vertex that is farthest from where it is in the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<FarVertex>,
    /// Meshes that are shown in one and hidden in the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<VisibilityDifference>,
}

/// What of a bone is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Where it is.
    Origin,
    /// Where one unit across it leads.
    XAxis,
    /// Where one unit along it leads.
    YAxis,
}

/// The largest difference of a bone.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct FarBone {
    /// The bone.
    pub bone: Named,
    /// World units.
    pub distance: f32,
    /// The stored frame.
    pub frame: u32,
    /// In how many frames any bone is off.
    pub frames: u32,
    /// What of the bone it is.
    pub part: Part,
}

/// The largest difference of a vertex.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct FarVertex {
    /// World units.
    pub distance: f32,
    /// The stored frame.
    pub frame: u32,
    /// In how many frames any vertex is off.
    pub frames: u32,
    /// The mesh.
    pub mesh: Named,
    /// Which of its vertices.
    pub vertex: usize,
}

/// Meshes that are drawn in another order, among those that both show.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OrderDifference {
    /// What the first draws at the lowest place where they differ.
    pub a: Named,
    /// What the second draws there.
    pub b: Named,
    /// The first stored frame in which the order differs.
    pub frame: u32,
    /// In how many frames it does.
    pub frames: u32,
}

/// Meshes that are shown in one and hidden in the other.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VisibilityDifference {
    /// The first stored frame in which it differs.
    pub frame: u32,
    /// In how many frames it does.
    pub frames: u32,
    /// The first such mesh in that frame.
    pub mesh: Named,
    /// Which of the two shows it.
    pub shown_in: FoundIn,
}
