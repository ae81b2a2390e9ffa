//! The JSON document of `pchr poses`. The poses are computed while they are written, so that a long animation takes no
//! memory.

use schemars::JsonSchema;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::What;
use super::rows::Filter;
use crate::shared::json_output::{JsonOutput, Line};
use pchr::diagnostics::Warning;
use pchr::export::{PoseSampling, SampledMotion, SampledPose};
use pchr::outline::{self, BoneRow, BoxRow, EventRow, SlotRow};

/// The whole document.
#[derive(Serialize, JsonSchema)]
pub struct Poses<'a> {
    /// The animations, in the order of the command line.
    animations: Vec<AnimationPoses<'a>>,
    /// Errors in parts of animations, which are left out; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Warning>,
    /// Path of the character as given, with `/`; `stdin` for standard input.
    file: String,
    /// Name and version of this schema.
    #[schemars(extend("const" = Poses::SCHEMA))]
    schema: &'static str,
}

impl JsonOutput for Poses<'_> {
    const SCHEMA: &'static str = "pchr.poses/1";
}

/// An animation.
#[derive(Serialize, JsonSchema)]
struct AnimationPoses<'a> {
    /// Name of the animation; null for the rest pose of a character without animations.
    animation: Option<&'a str>,
    /// Duration in seconds.
    duration: f64,
    /// All of its events, in the order in which they fire; absent unless requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<Vec<EventRow<'a>>>,
    /// Poses per second, on average if they differ; 0 without a rate.
    fps: f64,
    /// Whether it loops.
    looping: bool,
    /// The poses, in order of time.
    #[schemars(with = "Vec<OnePose<'_>>")]
    poses: Computed<'a>,
}

/// A pose. Lists are absent unless requested.
#[derive(Serialize, JsonSchema)]
struct OnePose<'a> {
    /// The bones, parents first. Bones that are inactive are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    bones: Option<Vec<Line<BoneRow<'a>>>>,
    /// The hit boxes, back to front.
    #[serde(skip_serializing_if = "Option::is_none")]
    boxes: Option<Vec<Line<BoxRow<'a>>>>,
    /// Time in the animation.
    seconds: f64,
    /// The slots of active bones, back to front.
    #[serde(skip_serializing_if = "Option::is_none")]
    slots: Option<Vec<Line<SlotRow<'a>>>>,
}

impl<'a> Poses<'a> {
    pub fn new(
        file: String,
        errors: Vec<Warning>,
        sampling: &'a PoseSampling<'a>,
        motions: &'a [SampledMotion],
        filter: &'a Filter<'a>,
        what: &'a [What],
    ) -> Self {
        let of = |motion: &'a SampledMotion| AnimationPoses {
            animation: sampling.name(motion),
            duration: motion.duration,
            events: what.contains(&What::Events).then(|| events(sampling, motion)),
            fps: sampling.fps(motion),
            looping: motion.looping,
            poses: Computed { sampling, motion, filter, what },
        };
        Self { animations: motions.iter().map(of).collect(), errors, file, schema: Self::SCHEMA }
    }
}

/// Returns the events of an animation.
pub fn events<'a>(sampling: &PoseSampling<'a>, motion: &SampledMotion) -> Vec<EventRow<'a>> {
    let mut events = Vec::new();
    if let Some(id) = motion.animation {
        outline::fired(sampling.character, id, |fired| events.push(fired.into()));
    }
    events
}

/// Poses that are computed when they are serialized.
struct Computed<'a> {
    sampling: &'a PoseSampling<'a>,
    motion: &'a SampledMotion,
    filter: &'a Filter<'a>,
    what: &'a [What],
}

impl<'a> Computed<'a> {
    fn pose(&self, posed: &SampledPose<'_>) -> OnePose<'a> {
        let wants = |what| self.what.contains(&what);
        OnePose {
            bones: wants(What::Bones).then(|| self.filter.bones(posed).map(Line).collect()),
            boxes: wants(What::Boxes).then(|| self.filter.boxes(posed).map(Line).collect()),
            seconds: posed.seconds,
            slots: wants(What::Slots).then(|| self.filter.slots(posed).map(Line).collect()),
        }
    }
}

impl Serialize for Computed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut poses = serializer.serialize_seq(None)?;
        self.sampling.for_each(self.motion, |posed| poses.serialize_element(&self.pose(posed)))?;
        poses.end()
    }
}
