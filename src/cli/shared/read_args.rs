//! Options that say how files are read, for every command that reads characters.

use std::path::PathBuf;

use clap::ValueEnum;

use super::parse;
use crate::formats::sheet::Grid;
use crate::formats::{BindPose, PageAlpha, ReadOptions};
use crate::limits::Limits;

/// How to read the file where it does not say itself.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadArgs {
    /// Which stored frame the vertices were authored in: auto, NAME or NAME:FRAME
    #[arg(long, value_name = "POSE", default_value = "auto", value_parser = parse::bind_pose)]
    pub bind_pose: BindPose,
    /// The file's v points up
    #[arg(long)]
    pub flip_v: bool,
    /// The file's y points down
    #[arg(long)]
    pub y_down: bool,
    /// The atlas of a Spine character, or the picture of a sprite sheet [default: found by name near the file]
    #[arg(long, value_name = "FILE")]
    pub atlas: Option<PathBuf>,
    /// Whether the pictures' colours are multiplied with their alpha; --alpha is that of the output
    #[arg(long, value_name = "ALPHA", default_value = "auto")]
    pub page_alpha: PageAlphaArg,
    /// How a picture alone is cut into frames: their size, and how many there are
    #[arg(long, value_name = "WxH[:COUNT]", value_parser = parse::grid)]
    pub grid: Option<Grid>,
    /// Raise a limit: file-bytes, pixels, records, json-depth, memory-bytes or work; the value may end in k, M or G
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = parse::limit)]
    pub limits: Vec<(String, u64)>,
}

impl ReadArgs {
    /// The same for the readers.
    pub fn options(&self) -> ReadOptions {
        let mut limits = Limits::default();
        for (name, value) in &self.limits {
            limits.set(name, *value);
        }
        ReadOptions {
            bind_pose: self.bind_pose.clone(),
            flip_v: self.flip_v,
            y_down: self.y_down,
            atlas: self.atlas.clone(),
            fps: None,
            page_alpha: self.page_alpha.into(),
            grid: self.grid,
            limits,
        }
    }
}

/// Whether pictures are premultiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PageAlphaArg {
    /// As the file says; sheets and atlases that do not say: as their pixels suggest
    Auto,
    /// They are not
    Straight,
    /// They are
    Premultiplied,
}

impl From<PageAlphaArg> for PageAlpha {
    fn from(alpha: PageAlphaArg) -> Self {
        match alpha {
            PageAlphaArg::Auto => Self::Auto,
            PageAlphaArg::Straight => Self::Straight,
            PageAlphaArg::Premultiplied => Self::Premultiplied,
        }
    }
}
