//! What to render: characters, animations, times and skins, and playback.

use std::path::PathBuf;

use super::frame_spec::FrameSpec;
use super::name_pattern::NamePattern;
use super::parts::{AttachmentSpec, BoneSpec};
use super::stage::StagedCharacter;
use super::table::options;
use super::track::TrackSpec;
use super::values;
use crate::math::{Vec2, vec2};
use crate::motion::Forces;

/// The value that selects only the default skin, unless a skin has this name.
pub const NO_SKIN: &str = "none";

options! {
    /// What to render. The doc comments of the fields are the `--help` texts.
    #[command(next_help_heading = "What to show")]
    pub struct Subject {
        /// Characters, folders of characters, or patterns such as 'art/**/*.json'; `-` is stdin
        #[arg(value_name = "FILE", help_heading = None)]
        pub files: Vec<PathBuf>,
        /// Animation by name or #index; repeatable; `all` selects every animation except the bind pose [default: `idle`, else
        /// the first that moves]
        #[arg(short, long = "animation", value_name = "NAME")]
        pub animations: Vec<String>,
        /// Stored frames to render: N, A..B, A..=B, A..B:STEP, N,N,… (up to 4096) or all; negative numbers count
        /// from the end [default: the first that shows at least a tenth of the largest visible area, or all for animated
        /// formats]
        #[arg(short, long, value_name = "SPEC", allow_hyphen_values = true)]
        pub frames: Option<FrameSpec>,
        /// Render the pose at this time, interpolated between frames; a time outside the animation is clamped, with a
        /// warning
        #[arg(
            short, long, value_name = "SECONDS", value_parser = values::seconds,
            conflicts_with = "frames", allow_hyphen_values = true
        )]
        pub time: Option<f64>,
        /// Interpolate between stored frames (always on with -t)
        #[arg(long)]
        pub interpolate: bool,
        /// Simulate physics: each picture shows the state reached by playing the animation from its first frame, after
        /// physics has settled there for half a second; without a value: on [default: on for Spine, off for SkelForm]
        #[arg(
            long, value_name = "on|off", value_parser = values::switch(), num_args = 0..=1, require_equals = true,
            default_missing_value = "on", hide_possible_values = true
        )]
        pub physics: Option<bool>,
        /// Direction in the world, y up, by which the wind of Spine's physics constraints is multiplied: 3,0 is three times
        /// as strong, -1,0 blows to the left
        #[arg(
            long, value_name = "X,Y", value_parser = values::direction, default_value = "1,0", allow_hyphen_values = true
        )]
        pub wind: Vec2 = Forces::WIND,
        /// Factor of the gravity of Spine's physics constraints: -1 pulls down, 0 is none, 1 pulls up
        #[arg(
            long, value_name = "Y", value_parser = values::number, default_value = "-1", allow_hyphen_values = true
        )]
        pub gravity: f32 = Forces::GRAVITY.y,
        /// Factor of the mix of all physics, 0 to 1
        #[arg(long, value_name = "MIX", value_parser = values::opacity, default_value = "1")]
        pub physics_mix: f32 = 1.0,
        /// Skin to apply over the default one, by name or #index; repeatable, later skins override earlier ones.
        /// `none` applies only the default skin [default: skins that fill the slots, if most would be empty]
        #[arg(long = "skin", value_name = "NAME")]
        pub skins: Vec<String>,
        /// Draw only regions and meshes whose slot or attachment name matches, such as 'arm*'; repeatable. The visible
        /// area still includes the whole character, so that parts rendered separately align
        #[arg(long = "mesh", value_name = "GLOB")]
        pub meshes: Vec<NamePattern>,
        /// Do not draw regions and meshes whose slot or attachment name matches; repeatable. The visible area still
        /// includes the whole character
        #[arg(long = "hide-mesh", value_name = "GLOB")]
        pub hidden_meshes: Vec<NamePattern>,
        /// Animation on a track, such as 1=aim, which each track plays over those below it; repeatable. `@SECONDS` is when
        /// it begins after the first frame of -a [default: 0]; what its track plays fades out then. -a plays on track 0
        /// from 0 s, unless a track 0 begins by then; without a name, a track fades out. Followed by ,from=SECONDS ,fade=SECONDS ,weight=0..1 ,speed=X ,loop=once|loop|ping-pong|authored
        /// ,end=SECONDS ,range=SECONDS..SECONDS ,add ,hold ,shortest ,reverse, and the thresholds ,attachments=0..1 ,draw-order=0..1 ,events=0..1
        #[arg(long = "track", value_name = "N=NAME@SECONDS")]
        pub tracks: Vec<TrackSpec>,
        /// Place a bone before constraints, as a target of inverse kinematics: NAME=X,Y in world pixels, y up, or turn it
        /// relative to its parent: NAME=DEGREESdeg; repeatable
        #[arg(long = "bone", value_name = "NAME=X,Y")]
        pub bones: Vec<BoneSpec>,
        /// Show this attachment in a slot in every picture; repeatable. Without a name: none
        #[arg(long = "attach", value_name = "SLOT=NAME")]
        pub attachments: Vec<AttachmentSpec>,
        /// Number of times an animated picture plays; 0 means forever [default: as specified by the animation; once in MP4,
        /// WebM and MOV, which contain every play]
        #[arg(long, value_name = "N", value_parser = values::loops, allow_negative_numbers = true)]
        pub loops: Option<u16>,
        /// Playback speed factor
        #[arg(
            long, value_name = "X", default_value = "1", value_parser = values::factor, allow_negative_numbers = true,
            help_heading = "Window"
        )]
        pub speed: f32 = 1.0,
        /// The characters of a stage, instead of files; only in a scene
        #[arg(skip)]
        pub stage: Vec<StagedCharacter>,
    }
}

/// The times of an animation to render.
#[derive(Debug, Clone, Copy)]
pub enum Times<'a> {
    /// Every stored frame in animated formats, the first frame in others.
    Default,
    /// These stored frames.
    Frames(&'a FrameSpec),
    /// One interpolated pose at this time, in seconds from the first frame. A time outside the animation is
    /// clamped to its first frame or its end, except that a loop continues if
    /// [`plays_physics`](crate::motion::plays_physics) returns true.
    Seconds(f64),
}

impl Subject {
    /// Returns the wind, gravity and mix of physics.
    pub fn forces(&self) -> Forces {
        Forces { wind: self.wind, gravity: vec2(0.0, self.gravity), mix: self.physics_mix }
    }

    /// Sets the options that [`Self::forces`] returns, except a gravity to the side.
    pub fn set_forces(&mut self, Forces { wind, gravity, mix }: Forces) {
        (self.wind, self.gravity, self.physics_mix) = (wind, gravity.y, mix);
    }

    /// Returns the times to render. `time` overrides `frames`.
    pub fn times(&self) -> Times<'_> {
        match (self.time, &self.frames) {
            (Some(seconds), _) => Times::Seconds(seconds),
            (None, Some(frames)) => Times::Frames(frames),
            (None, None) => Times::Default,
        }
    }
}
