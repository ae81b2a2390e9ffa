//! What is rendered: which characters, animations, instants and skins, and how they play.

use std::path::PathBuf;

use clap::Args;

use super::values;
use crate::export::FrameSpec;

/// The name by which no skin is chosen, unless one has that name.
pub const NO_SKIN: &str = "none";

/// What is rendered. The texts of its fields are those of `--help`.
#[derive(Debug, Clone, PartialEq, Args)]
#[command(next_help_heading = "What to show")]
pub struct Subject {
    /// Characters, folders of characters, or patterns such as 'art/**/*.json'; `-` is standard input
    #[arg(value_name = "FILE", help_heading = None)]
    pub files: Vec<PathBuf>,
    /// Animation by name or #index, repeatable; `all` for every motion
    #[arg(short, long = "animation", value_name = "NAME")]
    pub animations: Vec<String>,
    /// Stored frames: N, A..B, A..=B, A..B:STEP, N,N,… or all; negative counts from the end. Unless told 0,
    /// and all in an animated picture
    #[arg(short, long, value_name = "SPEC", allow_hyphen_values = true)]
    pub frames: Option<FrameSpec>,
    /// The pose at a time, between frames; times outside of the animation are clamped, with a warning
    #[arg(
        short, long, value_name = "SECONDS", value_parser = values::seconds,
        conflicts_with = "frames", allow_hyphen_values = true
    )]
    pub time: Option<f64>,
    /// Blend stored frames (with -t always)
    #[arg(long)]
    pub interpolate: bool,
    /// Show what swings, where a SkelForm file says so: every picture as if the animation had been played up to it from
    /// its first frame, after half a second of standing there
    #[arg(long)]
    pub physics: bool,
    /// A skin to wear over the default one, by name or #index; repeatable, later ones cover earlier ones. `none` wears
    /// no other. If the default skin is empty and there is only one other, that is worn unless this says otherwise
    #[arg(long = "skin", value_name = "NAME")]
    pub skins: Vec<String>,
    /// How often an animated picture is played, 0 for ever; unless told as the animation says
    #[arg(long, value_name = "N", value_parser = values::loops, allow_negative_numbers = true)]
    pub loops: Option<u16>,
    /// How many times faster than authored
    #[arg(
        long, value_name = "X", default_value = "1", value_parser = values::factor, allow_negative_numbers = true,
        help_heading = "Window"
    )]
    pub speed: f32,
}

/// Which instants of an animation are rendered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Moments<'a> {
    /// Every stored frame in a file that plays, the first one elsewhere.
    Usual,
    /// These stored frames.
    Frames(&'a FrameSpec),
    /// One pose, so many seconds after the first frame and blended. A time outside of the animation is its first frame or
    /// its end; only with [`Subject::physics`], where something swings, does a loop play on.
    Seconds(f64),
}

impl Subject {
    /// Which instants are rendered. A time comes before frames.
    pub fn moments(&self) -> Moments<'_> {
        match (self.time, &self.frames) {
            (Some(seconds), _) => Moments::Seconds(seconds),
            (None, Some(frames)) => Moments::Frames(frames),
            (None, None) => Moments::Usual,
        }
    }
}

impl Default for Subject {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            animations: Vec::new(),
            frames: None,
            time: None,
            interpolate: false,
            physics: false,
            skins: Vec::new(),
            loops: None,
            speed: 1.0,
        }
    }
}
