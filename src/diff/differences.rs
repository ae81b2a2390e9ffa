//! The differences that [`compare`](super::compare) finds. Equal items are not listed. [`Diff::lines`] describes them, and
//! `pchr diff --json` prints them: keys are sorted because the fields are.
//!
//! Distances are always finite, and in world units unless stated otherwise.

use super::Side;
use crate::character::Character;
use crate::diagnostics::{Diagnostics, Severity, Warning};
use crate::motion::Motion;
use crate::outline;

/// All differences between two characters. Equal items are not listed.
#[derive(Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Diff {
    /// The first character.
    pub(super) a: Contents,
    /// Animations that only one side has, or that differ in frames, rate, duration, events or looping.
    pub(super) animations: Vec<AnimationDifference>,
    /// The second character.
    pub(super) b: Contents,
    /// Bones that only one side has, or whose parents differ.
    pub(super) bones: Vec<BoneDifference>,
    /// Constraints that only one side has, or that differ.
    pub(super) constraints: Vec<ItemDifference>,
    /// Distance up to which two points are equal, in world units.
    pub(super) epsilon: f32,
    /// Events that only one side has, or whose payloads differ.
    pub(super) events: Vec<ItemDifference>,
    /// Number of compared poses: every stored frame of every common animation, and the bind pose.
    pub(super) frames: u64,
    /// Images that only one side has, or that differ in size or pixels.
    pub(super) images: Vec<ImageDifference>,
    /// Keys that only one side has, or that differ, as the files state them, at most 500. Only if both files are of one
    /// format, version and form that has keys instead of stored frames.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Vec::is_empty"))]
    pub(super) keys: Vec<KeyDifference>,
    /// Meshes that only one side has, or that differ in anything but their motion.
    pub(super) meshes: Vec<MeshDifference>,
    /// Number of keys that differ too but are not listed; absent if all are.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "is_zero"))]
    #[cfg_attr(feature = "schemas", schemars(default))]
    pub(super) more_keys: usize,
    /// Common animations in which positions, visibility or draw order differ.
    pub(super) poses: Vec<PoseDifference>,
    /// True if nothing differs.
    pub(super) same: bool,
    /// Name and version of this schema.
    #[cfg(feature = "schemas")]
    #[schemars(extend("const" = Diff::SCHEMA))]
    pub(super) schema: &'static str,
    /// Skins that only one side has, or whose attachments or bones differ.
    pub(super) skins: Vec<ItemDifference>,
    /// Slots that only one side has, or that differ in bone, colour, blend mode or attachment.
    pub(super) slots: Vec<ItemDifference>,
}

#[cfg(feature = "schemas")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Diff {
    /// Name and version of the JSON document.
    pub const SCHEMA: &'static str = "pchr.diff/1";

    /// Returns true if nothing differs.
    pub fn is_empty(&self) -> bool {
        self.same
    }

    /// Returns the number of compared poses: every stored frame of every common animation, and the bind pose.
    pub fn poses_compared(&self) -> u64 {
        self.frames
    }

    /// Adds the errors and warnings about the two files.
    #[must_use]
    pub fn with_findings(mut self, [a, b]: [&Diagnostics; 2]) -> Self {
        for (side, found) in [(&mut self.a, a), (&mut self.b, b)] {
            (side.errors, side.warnings) = (found.described(Severity::Error), found.described(Severity::Warning));
        }
        self
    }
}

/// Summary of one of the two characters.
#[derive(Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Side"))]
pub(crate) struct Contents {
    /// Number of animations.
    pub animations: usize,
    /// Number of bones.
    pub bones: usize,
    /// Number of constraints.
    pub constraints: usize,
    /// Errors in parts of animations, which are left out; absent if there are none.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Vec::is_empty"))]
    pub errors: Vec<Warning>,
    /// Number of events.
    pub events: usize,
    /// Path of the file as given, with `/`.
    pub file: String,
    /// Number of images.
    pub images: usize,
    /// Number of keys; absent if they were not compared.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub keys: Option<usize>,
    /// Number of meshes.
    pub meshes: usize,
    /// Number of skins.
    pub skins: usize,
    /// Number of slots; 0 if the format has none.
    pub slots: usize,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

impl Contents {
    pub(super) fn of(side: Side<'_>) -> Self {
        let model = side.character.model();
        Self {
            animations: model.animations().len(),
            bones: model.skeleton().authored_bones().len(),
            constraints: model.constraints().len(),
            errors: Vec::new(),
            events: model.events().len(),
            file: side.file.to_owned(),
            images: model.pages().len(),
            keys: None,
            meshes: model.authored_attachments().iter().filter(|attachment| attachment.mesh().is_some()).count(),
            skins: model.skins().len(),
            slots: if has_slots(side.character) { model.slots().len() } else { 0 },
            warnings: Vec::new(),
        }
    }
}

/// Returns true if the format of a character has slots. Those of an atlas of Adobe Animate have no skins.
pub(super) fn has_slots(character: &Character) -> bool {
    !character.model().skins().is_empty() || matches!(character.motion(), Motion::Animate(_))
}

/// Which of the two characters has an item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", serde(rename_all = "lowercase"))]
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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Named {
    /// Name in the file.
    pub name: String,
    /// Number of earlier items with the same name.
    pub occurrence: u32,
}

/// A value that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "ChangeOf_{T}"))]
pub(crate) struct Change<T> {
    /// Value in the first character.
    pub a: T,
    /// Value in the second character.
    pub b: T,
}

impl<T: PartialEq> Change<T> {
    /// Returns `None` if the values are equal.
    pub(super) fn of(a: T, b: T) -> Option<Self> {
        (a != b).then_some(Self { a, b })
    }
}

/// An image that only one side has, or that differs.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct ImageDifference {
    /// Where the files state it.
    #[cfg_attr(feature = "schemas", serde(flatten))]
    pub(crate) places: Places,
    /// Which of the two has it.
    pub(crate) found_in: FoundIn,
    /// Name; if both have the image, the name in the first character.
    #[cfg_attr(feature = "schemas", serde(flatten))]
    pub(crate) named: Named,
    /// Pixels that differ, if the sizes are equal.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) pixels: Option<PixelDifference>,
    /// Width and height in pixels.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) size: Option<Change<[u32; 2]>>,
}

/// Pixels that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct PixelDifference {
    /// Number of pixels. Pixels that are transparent in both are equal.
    pub count: u64,
    /// Largest difference of a channel of straight RGBA.
    pub largest: u8,
}

/// A bone that only one side has, or whose parents or places in timelines differ.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct BoneDifference {
    /// Where the files state it.
    #[cfg_attr(feature = "schemas", serde(flatten))]
    pub(crate) places: Places,
    /// Properties of symbols and layers that differ.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Vec::is_empty"))]
    pub(crate) changes: Vec<outline::Change>,
    /// Which of the two has it.
    pub(crate) found_in: FoundIn,
    /// Name.
    #[cfg_attr(feature = "schemas", serde(flatten))]
    pub(crate) named: Named,
    /// Parent; nothing within the change for a root.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) parent: Option<Change<Option<Named>>>,
}

/// A slot, skin, constraint or event that only one side has, or that differs.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct ItemDifference {
    /// Where the files state it.
    #[cfg_attr(feature = "schemas", serde(flatten))]
    pub(crate) places: Places,
    /// Properties that differ; empty if only one side has the item.
    pub(crate) changes: Vec<outline::Change>,
    /// Which of the two has it.
    pub(crate) found_in: FoundIn,
    /// Name.
    #[cfg_attr(feature = "schemas", serde(flatten))]
    pub(crate) named: Named,
}

/// A key that only one side has, or that differs.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct KeyDifference {
    /// Its place in the first file; absent if only the second has it.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) a: Option<FilePlace>,
    /// Name of the animation.
    pub(crate) animation: String,
    /// Name of the attachment that it animates.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) attachment: Option<String>,
    /// Its place in the second file; absent if only the first has it.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) b: Option<FilePlace>,
    /// Fields that differ, and `seconds` if the key was moved; empty if only one side has the key.
    pub(crate) changes: Vec<FieldChange>,
    /// Which of the two has it.
    pub(crate) found_in: FoundIn,
    /// Name of what it animates; empty for the draw order, events, and all constraints of a kind.
    pub(crate) name: String,
    /// The animated property, in the words of the file.
    pub(crate) property: String,
    /// Name of the skin of the attachment.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) skin: Option<String>,
    /// The kind of what it animates, such as `bone`, `slot`, `ik` or `events`.
    pub(crate) target: String,
}

/// Where the files state an item; nothing if that is not known.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct Places {
    /// Its place in the first file.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub a: Option<FilePlace>,
    /// Its place in the second file.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub b: Option<FilePlace>,
}

/// A place in a file. That of a key is as `pchr keys` lists it.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct FilePlace {
    /// Offset in bytes, in binary skeletons.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub byte: Option<u64>,
    /// Column in characters, from 1.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub column: Option<usize>,
    /// The file that is meant, if it is not the file itself: an entry of an archive, or a file beside it.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub file: Option<String>,
    /// Line of the text, from 1.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub line: Option<usize>,
    /// JSON pointer; of a binary skeleton, in the JSON of the same skeleton.
    pub pointer: String,
    /// Time of a key since the start of the animation; absent if the file states no valid one.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub seconds: Option<f64>,
}

/// A field of a key that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct FieldChange {
    /// Its value in the first file as JSON, or the part of a long one that differs; null if the file does not state it.
    pub a: Option<String>,
    /// Its value in the second file.
    pub b: Option<String>,
    /// Its name in the file.
    pub what: String,
}

/// A mesh that only one side has, or that differs.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct MeshDifference {
    /// Where the files state it.
    #[cfg_attr(feature = "schemas", serde(flatten))]
    pub(crate) places: Places,
    /// Bone whose visibility and draw order the mesh follows; nothing within the change if none.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) bone: Option<Change<Option<Named>>>,
    /// Which of the two has it.
    pub(crate) found_in: FoundIn,
    /// Image that the mesh shows; nothing within the change if none.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) image: Option<Change<Option<Named>>>,
    /// Name; `skin/slot/name` if the characters have skins.
    #[cfg_attr(feature = "schemas", serde(flatten))]
    pub(crate) named: Named,
    /// Index in the file, if the mesh has moved among the common meshes.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) order: Option<Change<usize>>,
    /// Bind-pose positions that differ.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) positions: Option<VertexDifference>,
    /// Triangles that differ.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) triangles: Option<TriangleDifference>,
    /// Texture coordinates that differ, in pixels of the image.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) uv: Option<VertexDifference>,
    /// Number of vertices. If it differs, vertices are not compared.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) vertices: Option<Change<usize>>,
    /// Weights that differ.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) weights: Option<VertexDifference>,
}

/// Vertices that differ by more than the tolerance.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct VertexDifference {
    /// Number of vertices.
    pub count: usize,
    /// Largest difference.
    pub largest: f32,
    /// Index of the vertex with the largest difference.
    pub vertex: usize,
}

/// Triangles that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct TriangleDifference {
    /// Number of triangles in the first character.
    pub a: usize,
    /// Number of triangles in the second character.
    pub b: usize,
    /// Number of triangles at the same index whose corners differ.
    pub different: usize,
}

/// An animation that only one side has, or that differs in its description.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct AnimationDifference {
    /// Where the files state it.
    #[cfg_attr(feature = "schemas", serde(flatten))]
    pub(crate) places: Places,
    /// Whether it contains the bind pose instead of a motion.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) bind_pose: Option<Change<bool>>,
    /// Duration in seconds, if both are keyed.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) duration_secs: Option<Change<f64>>,
    /// First event whose payload or time differs, as printable text; nothing within the change if one side has no
    /// more events.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) events: Option<Change<Option<String>>>,
    /// Which of the two has it.
    pub(crate) found_in: FoundIn,
    /// Stored frames per second.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) fps: Option<Change<f64>>,
    /// Number of stored frames.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) frames: Option<Change<u32>>,
    /// Whether the animation loops.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) looping: Option<Change<bool>>,
    /// Name.
    #[cfg_attr(feature = "schemas", serde(flatten))]
    pub(crate) named: Named,
}

/// Differences while an animation plays.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct PoseDifference {
    /// The animation; `None` or null for the bind pose.
    pub(crate) animation: Option<Named>,
    /// The bone with the largest distance.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) bones: Option<FarthestBone>,
    /// Meshes whose draw order differs.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) draw_order: Option<OrderDifference>,
    /// Number of compared frames.
    pub(crate) frames: u32,
    /// Skin applied over the default skin, if any.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) skin: Option<Named>,
    /// The vertex with the largest distance.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) vertices: Option<FarthestVertex>,
    /// Meshes that are visible in only one of the two.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) visibility: Option<VisibilityDifference>,
}

/// A point of a bone that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", serde(rename_all = "kebab-case"))]
pub(crate) enum BonePart {
    /// The origin.
    Origin,
    /// The x axis.
    XAxis,
    /// The y axis.
    YAxis,
}

/// The bone with the largest distance between the two characters.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct FarthestBone {
    /// The bone.
    pub bone: Named,
    /// Distance in world units.
    pub distance: f32,
    /// Stored frame with the largest distance.
    pub frame: u32,
    /// Number of frames in which any bone differs.
    pub frames: u32,
    /// Point of the bone.
    pub part: BonePart,
}

/// The vertex with the largest distance between the two characters.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct FarthestVertex {
    /// Distance in world units.
    pub distance: f32,
    /// Stored frame with the largest distance.
    pub frame: u32,
    /// Number of frames in which any vertex differs.
    pub frames: u32,
    /// The mesh.
    pub mesh: Named,
    /// Index of the vertex in the mesh.
    pub vertex: usize,
}

/// Meshes whose draw order differs, among those visible in both.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct OrderDifference {
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
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub(crate) struct VisibilityDifference {
    /// First stored frame in which visibility differs.
    pub frame: u32,
    /// Number of frames in which it differs.
    pub frames: u32,
    /// First such mesh in that frame.
    pub mesh: Named,
    /// Which of the two shows it.
    pub shown_in: FoundIn,
}
