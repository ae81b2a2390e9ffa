//! The reading options of every command that reads characters.

use std::path::PathBuf;

use super::{call, parse};
use pchr::formats::{BindPose, Grid, Listings, Missing, MovieClips, PageAlpha, ReadOptions};
use pchr::limits::Limits;

/// Reading options, for properties that a file does not specify itself.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadArgs {
    /// Stored frame in which the vertices were authored: auto, NAME or NAME:FRAME
    #[arg(long, value_name = "POSE", default_value = "auto", value_parser = parse::bind_pose)]
    pub bind_pose: BindPose,
    /// The file's v axis points up
    #[arg(long)]
    pub flip_v: bool,
    /// The file's y axis points down
    #[arg(long)]
    pub y_down: bool,
    /// Atlas of a Spine character, repeatable, or image of a sprite sheet [default: found near the file]
    #[arg(long = "atlas", value_name = "FILE")]
    pub atlases: Vec<PathBuf>,
    /// Whether the colours of input images are premultiplied by alpha
    #[arg(long, value_name = "ALPHA", default_value = "auto", value_parser = parse::page_alpha())]
    pub page_alpha: PageAlpha,
    /// What pictures show of parts without an image [default: hide if the atlas has other regions of the Spine character,
    /// box otherwise]
    #[arg(long, value_name = "MODE", value_parser = parse::missing())]
    pub missing: Option<Missing>,
    /// Cut a plain image into frames of this size, MARGIN pixels from its left and upper edge and SPACING pixels apart;
    /// COUNT defaults to as many as fit
    #[arg(long, value_name = "WxH[+MARGIN[+SPACING]][:COUNT]", value_parser = parse::grid)]
    pub grid: Option<Grid>,
    /// Which frame movie clips of Adobe Animate show
    #[arg(long, value_name = "MODE", default_value = "first", value_parser = parse::movie_clips())]
    pub movie_clips: MovieClips,
    /// Show only this layer or group of an Aseprite file, or of a sheet that is split by layers; repeatable
    #[arg(long = "layer", value_name = "NAME")]
    pub layers: Vec<String>,
    /// Set a limit: file-bytes, pixels, records, json-depth, memory-bytes or work; VALUE may end in k, M or G
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = parse::limit)]
    pub limits: Vec<(String, u64)>,
}

/// Returns the limits of `--limit`; the others are the limits of the call, or the defaults.
pub fn limits(stated: &[(String, u64)]) -> Limits {
    let mut limits = call::limits();
    for (name, value) in stated {
        limits.set(name, *value);
    }
    limits
}

impl ReadArgs {
    /// Returns the options for the readers.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            bind_pose: self.bind_pose.clone(),
            flip_v: self.flip_v,
            y_down: self.y_down,
            atlases: self.atlases.clone(),
            fps: None,
            page_alpha: self.page_alpha,
            missing: self.missing,
            grid: self.grid,
            keep_going: false,
            movie_clips: self.movie_clips,
            symbols: Vec::new(),
            stills: Vec::new(),
            layers: self.layers.clone(),
            limits: limits(&self.limits),
            listings: Listings::shared(),
            progress: None,
        }
    }
}
