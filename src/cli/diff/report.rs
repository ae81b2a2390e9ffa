//! The output of `pchr diff --json`: `pchr.diff/1`. Keys are sorted because the fields are; all numbers are
//! finite.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::shared::json_output::JsonOutput;
use crate::cli::shared::json_output::Warning;
use crate::cli::shared::stdio::portable;
use crate::diagnostics::Diagnostics;
use crate::diff::{
    self, AnimationDifference, BoneDifference, ImageDifference, ItemDifference, MeshDifference, PoseDifference,
};
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
    pub constraints: Vec<ItemDifference>,
    /// Distance up to which two points are equal, in world units.
    pub epsilon: f32,
    /// Events that only one side has, or whose payloads differ.
    pub events: Vec<ItemDifference>,
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
    pub skins: Vec<ItemDifference>,
    /// Slots that only one side has, or that differ in bone, colour, blend mode or attachment.
    pub slots: Vec<ItemDifference>,
}

impl JsonOutput for Diff {
    const SCHEMA: &'static str = "pchr.diff/1";
}

impl Diff {
    /// Creates the document. `sides` describes both characters.
    pub fn new([a, b]: [Side; 2], epsilon: f32, diff: diff::Diff) -> Self {
        let same = diff.is_empty();
        let diff::Diff {
            animations,
            bones,
            constraints,
            events,
            images,
            meshes,
            poses,
            poses_compared: frames,
            skins,
            slots,
        } = diff;
        Self {
            a,
            animations,
            b,
            bones,
            constraints,
            epsilon,
            events,
            frames,
            images,
            meshes,
            poses,
            same,
            schema: Self::SCHEMA,
            skins,
            slots,
        }
    }
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
