//! `pchr.compare/2`: the result of comparing rendered pictures with references. Printed by `--json`, stored in HTML
//! reports, and read back to merge the results of shards.

use std::collections::HashSet;
use std::fmt::{Display, Formatter};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shared::failure::Failure;
pub use crate::shared::json_error::JsonError;
use crate::shared::json_output::JsonOutput;
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::golden::Difference;

/// The compared frames, in the order in which they were planned.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// Errors in parts of animations, which are left out; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Warning>,
    /// Characters that could not be read, drawn or written; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<JsonError>,
    /// The compared frames.
    pub frames: Vec<FrameRecord>,
    /// Name and version of this schema.
    #[schemars(extend("const" = Comparison::SCHEMA))]
    pub schema: String,
    /// The part of the run that this document describes; absent if it is the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardRecord>,
    /// Paths of characters that were excluded, with `/`; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// Characters whose structure is not as recorded; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub structures: Vec<StructureRecord>,
    /// Folder of the suite, with `/`; absent if the references were given one by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    /// Counts over all frames.
    pub summary: Summary,
    /// Paths of references that no picture uses, with `/`; absent if there are none, and with `--unused note`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused: Vec<String>,
}

impl JsonOutput for Comparison {
    const SCHEMA: &'static str = "pchr.compare/2";
}

/// A warning or an error as JSON documents contain it.
///
/// The same as [`pchr::diagnostics::Warning`], which cannot be read back.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[schemars(description = "A warning or an error as JSON documents contain it.")]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// Stable name of the rule.
    pub code: String,
    /// The place, what was found and what would be right.
    pub message: String,
}

impl Warning {
    /// Returns the errors in parts of animations of a character, which are left out.
    pub fn errors_in(diagnostics: &Diagnostics) -> impl Iterator<Item = Self> {
        let errors = diagnostics.with_severity(Severity::Error);
        errors.map(|error| Self { code: error.code.to_owned(), message: error.to_string() })
    }
}

/// One compared frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrameRecord {
    /// Name of the animation; null for the bind pose.
    pub animation: Option<String>,
    /// Path of the character, with `/`.
    pub character: String,
    /// Path of the picture that shows the difference, if it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// How the pictures differ, for `same` and `different`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// Stored frame.
    pub frame: u32,
    /// Position of the picture in the run or in the shard, from 0.
    pub index: usize,
    /// What is wrong, unless the verdict is `same`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Name of the settings, if several apply to the character: `name` in pchr-test.toml.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Path of the new picture, if it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
    /// Path of the reference, with `/`. One file may hold the references of several frames.
    pub reference: String,
    /// Width and height of the reference, unless it equals `size` or is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference_size: Option<[u32; 2]>,
    /// Time since the first frame in seconds; absent for animations without a rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Width and height of the new picture in pixels.
    pub size: [u32; 2],
    /// The result.
    pub verdict: Verdict,
}

impl FrameRecord {
    /// Records the result, and what is wrong.
    pub fn set(&mut self, verdict: Verdict, message: &str) {
        self.verdict = verdict;
        self.message = Some(message.to_owned());
    }

    /// Returns the number of pixels that differ.
    pub fn pixels(&self) -> u64 {
        self.difference.map_or(0, |difference| difference.pixels)
    }

    /// Returns the name of the frame's animation.
    pub fn animation_name(&self) -> &str {
        self.animation.as_deref().unwrap_or("bind pose")
    }

    /// Returns true if `other` is of the same animation and has the same verdict.
    pub fn is_beside(&self, other: &Self) -> bool {
        (self.verdict, &self.character, &self.name, &self.animation)
            == (other.verdict, &other.character, &other.name, &other.animation)
    }
}

/// A character whose structure is not the one recorded in `structure.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StructureRecord {
    /// What has changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<StructureChange>,
    /// Path of the character, with `/`.
    pub character: String,
    /// Why there is no recorded structure, why it cannot be read, or that it was written without any change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Name of the settings, if several apply to the character: `name` in pchr-test.toml.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Path of the recorded structure, with `/`.
    pub reference: String,
    /// The result: `different`, `missing`, `unreadable` or `updated`.
    pub verdict: Verdict,
}

/// A change in the structure of a character.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StructureChange {
    /// The animation; absent if it concerns the whole character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// The change in words, without the name of the animation.
    pub text: String,
}

impl Display for StructureChange {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match &self.animation {
            Some(animation) => write!(f, "{animation}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// The result for one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The same as the reference, within the allowed difference.
    Same,
    /// Differs by more than is allowed.
    Different,
    /// There is no reference.
    Missing,
    /// The reference has another size.
    Resized,
    /// The reference cannot be read.
    Unreadable,
    /// The reference was written or replaced, with `--update`.
    Updated,
}

impl Verdict {
    /// Returns its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Different => "different",
            Self::Missing => "missing",
            Self::Resized => "resized",
            Self::Unreadable => "unreadable",
            Self::Updated => "updated",
        }
    }

    /// Returns true if something is not as expected.
    pub fn is_wrong(self) -> bool {
        self.exit_code() != 0
    }

    /// Returns the exit code that a frame with this verdict causes.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Same | Self::Updated => 0,
            Self::Different => 1,
            Self::Missing | Self::Resized | Self::Unreadable => 3,
        }
    }
}

/// Which part of a run was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShardRecord {
    /// Number of characters in the whole run.
    pub characters: usize,
    /// Number of shards.
    pub count: u32,
    /// The characters of this shard.
    pub own: Vec<OwnCharacter>,
    /// Number of pictures of this shard.
    pub pictures: usize,
    /// This shard, from 1.
    pub shard: u32,
}

/// A character of a shard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnCharacter {
    /// Path of the character, with `/`.
    pub character: String,
    /// Position of the character in the run, from 0.
    pub index: usize,
}

/// Counts over all characters and frames of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Number of characters, including those that failed.
    pub characters: usize,
    /// Number of frames with the verdict `different`.
    pub different: usize,
    /// Number of characters that failed.
    pub failed: usize,
    /// Number of compared frames.
    pub frames: usize,
    /// Number of frames with the verdict `missing`.
    pub missing: usize,
    /// Number of frames with the verdict `resized`.
    pub resized: usize,
    /// Number of frames with the verdict `same`.
    pub same: usize,
    /// Number of characters that were excluded.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skipped: usize,
    /// Number of characters whose structure differs from the recorded one, or whose recorded structure cannot be read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub structures: usize,
    /// Number of frames with the verdict `unreadable`.
    pub unreadable: usize,
    /// Number of characters with references but without a recorded structure.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unrecorded: usize,
    /// Number of references that no picture uses.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unused: usize,
    /// Number of frames with the verdict `updated`.
    pub updated: usize,
    /// Largest difference of a channel over all frames, 0 to 255.
    pub worst: u8,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Comparison {
    /// Exit code of references that no picture uses.
    const UNUSED_EXIT_CODE: u8 = 3;

    /// Returns the document with its schema and counts.
    pub fn counted(self) -> Self {
        let frames = |verdict| self.frames.iter().filter(|frame| frame.verdict == verdict).count();
        let structures = |verdict| self.structures.iter().filter(|structure| structure.verdict == verdict).count();
        let of_frames = self.frames.iter().map(|frame| &*frame.character);
        let of_failures = self.failures.iter().filter_map(|failure| failure.character.as_deref());
        let worst = self.frames.iter().filter_map(|frame| frame.difference).map(|difference| difference.worst);
        let summary = Summary {
            characters: of_frames.chain(of_failures).collect::<HashSet<_>>().len(),
            different: frames(Verdict::Different),
            failed: self.failures.len(),
            frames: self.frames.len(),
            missing: frames(Verdict::Missing),
            resized: frames(Verdict::Resized),
            same: frames(Verdict::Same),
            skipped: self.skipped.len(),
            structures: structures(Verdict::Different) + structures(Verdict::Unreadable),
            unreadable: frames(Verdict::Unreadable),
            unrecorded: structures(Verdict::Missing),
            unused: self.unused.len(),
            updated: frames(Verdict::Updated),
            worst: worst.max().unwrap_or(0),
        };
        Self { schema: Self::SCHEMA.to_owned(), summary, ..self }
    }

    /// Returns the failure of a run with this result, unless everything is as expected.
    pub fn result(&self) -> Result<(), Failure> {
        match self.exit_code() {
            0 => Ok(()),
            code => Err(Failure::Reported(code)),
        }
    }

    /// Returns the exit code: the highest of all frames, structures, failures and unused references.
    pub fn exit_code(&self) -> u8 {
        let frames = self.frames.iter().map(|frame| frame.verdict.exit_code());
        let structures = self.structures.iter().map(|structure| structure.verdict.exit_code());
        let failures = self.failures.iter().map(|failure| failure.exit_code);
        let unused = self.unused.first().map(|_| Self::UNUSED_EXIT_CODE);
        frames.chain(structures).chain(failures).chain(unused).max().unwrap_or(0)
    }
}
