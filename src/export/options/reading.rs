//! How a file is read, as arguments.

use std::ffi::OsString;

use super::command_line::Arguments;
use crate::formats::{BindPose, MovieClips, PageAlpha, ReadOptions};
use crate::limits::Limits;

/// Returns the options that state how a file is read.
pub fn reading_args(options: &ReadOptions) -> Vec<OsString> {
    let mut args = Arguments::default();
    append_reading(options, &mut args);
    args.words()
}

pub fn append_reading(options: &ReadOptions, args: &mut Arguments) {
    let ReadOptions {
        bind_pose,
        flip_v,
        y_down,
        atlases,
        fps,
        page_alpha,
        missing,
        grid,
        keep_going,
        movie_clips,
        // `--animation` asks for them.
        symbols: _,
        stills: _,
        layers,
        limits,
        listings: _,
        progress: _,
    } = options;
    match bind_pose {
        BindPose::Auto => {}
        BindPose::Frame { animation, frame } => args.option("bind-pose", format!("{animation}:{frame}")),
    }
    args.flag("flip-v", *flip_v);
    args.flag("y-down", *y_down);
    if let Some(fps) = fps {
        args.option("fps", fps);
    }
    for atlas in atlases {
        args.path("atlas", atlas);
    }
    if *page_alpha != PageAlpha::default() {
        args.option("page-alpha", page_alpha.name());
    }
    if let Some(missing) = missing {
        args.option("missing", missing.name());
    }
    if let Some(grid) = grid {
        args.option("grid", grid);
    }
    if *movie_clips != MovieClips::default() {
        args.option("movie-clips", movie_clips.name());
    }
    for layer in layers {
        args.option("layer", layer);
    }
    args.flag("keep-going", *keep_going);
    let defaults = Limits::default();
    for name in Limits::NAMES {
        if let Some(value) = limits.get(name).filter(|value| defaults.get(name) != Some(*value)) {
            args.option("limit", format!("{name}={value}"));
        }
    }
}
