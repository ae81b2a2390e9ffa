//! The arguments of `pchr-view`.

use std::path::PathBuf;

use clap::{ArgAction, Parser, ValueEnum};
use clap_complete::Shell;

use super::graphics::Graphics;
use crate::golden::args::GoldenArgs;
use crate::shared::keep_going::KeepGoingArgs;
use crate::shared::parse;
use crate::shared::program::When;
use crate::shared::read_args::ReadArgs;
use crate::shared::warnings::WarningArgs;
use pchr::export::{Look, Output, RenderOptions, Subject, values};
use pchr::formats::ReadOptions;

/// Play a 2D skeletal character in a window, or render it to files without one.
///
/// Opens a window unless -o, --reference, --json or --list-adapters is given. With -o, the same command renders
/// headless: it needs neither a display nor a graphics driver, since a CPU renderer is built in. With --reference it
/// compares what it renders with stored pictures.
#[derive(Debug, Parser)]
#[command(name = "pchr-view", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct ViewArgs {
    /// What to render.
    #[command(flatten)]
    pub subject: Subject,
    /// Frames per second: of keyed motion [default: the file's rate, or 30], or of a sheet without frame
    /// durations, such as an image cut with --grid [default: 10]
    #[arg(
        long, value_name = "N", value_parser = parse::fps, allow_negative_numbers = true,
        help_heading = "What to show"
    )]
    pub fps: Option<f64>,
    /// Reading options.
    #[command(flatten)]
    pub read: ReadArgs,
    /// Output options.
    #[command(flatten)]
    pub output: Output,
    /// Appearance.
    #[command(flatten)]
    pub look: Look,
    /// Errors and warnings without a window.
    #[command(flatten)]
    pub many: ManyArgs,
    /// Comparison with references.
    #[command(flatten)]
    pub golden: GoldenArgs,
    /// Window options.
    #[command(flatten)]
    pub window: WindowArgs,

    /// What the program draws with.
    #[arg(skip = Graphics::CPU)]
    pub graphics: Graphics,
    /// List the graphics adapters and exit
    #[arg(long, help_heading = "Rendering", conflicts_with = "adapter")]
    pub list_adapters: bool,
    /// Read options from a TOML file, for rendering without a window. Keys are the long option names, as in
    /// `size = "256"`, `animation = ["walk", "run"]` and `force = true`; `files` are the characters. Paths are
    /// relative to the file's folder. Options on the command line override those in the file
    #[arg(long, help_heading = "General", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Read the scene, such as its tracks, skins and background, or several characters in tables [[character]], from a
    /// TOML file like those that the window's export dialog writes. Keys are the long option names, as in
    /// `track = ["1=aim@0.3"]`. Options on the command line and in the file of --config override it
    #[arg(long, help_heading = "General", value_name = "FILE")]
    pub scene: Option<PathBuf>,
    /// What the scene names in a character.
    #[arg(skip)]
    pub scene_names: Option<std::sync::Arc<super::config::SceneNames>>,
    /// Print a JSON report of the rendered pictures, or of the error, to stdout
    #[arg(long, help_heading = "General")]
    pub json: bool,
    /// Print only errors
    #[arg(short, long, help_heading = "General")]
    pub quiet: bool,
    /// When to use colours
    #[arg(long, help_heading = "General", value_name = "WHEN", default_value = "auto")]
    pub color: When,
    /// When to show progress on stderr
    #[arg(long, help_heading = "General", value_name = "WHEN", default_value = "auto")]
    pub progress: Progress,
    /// Print a shell completion script and exit
    #[arg(long, help_heading = "General", value_name = "SHELL")]
    pub completions: Option<Shell>,
    /// Print the manual page and exit
    #[arg(long, help_heading = "General")]
    pub man: bool,
}

const EXAMPLES: &str = "\
Examples:
  pchr-view knight.pchr
  pchr-view knight.pchr -o knight.png -a walk -f 12
  pchr-view knight.pchr -o 'out/walk-{frame:03}.png' -a walk -f all -s 512x512
  pchr-view knight.pchr -o walk.gif -a walk
  pchr-view knight.pchr -o knight.json -a all
  pchr-view knight.pchr -o walk.mp4 -a walk --loops 4    # needs ffmpeg
  pchr-view 'art/**/*.json' -o 'out/{name}.png' --fail-on-empty
  pchr-view knight.pchr -o knight.png --watch
  pchr-view knight.pchr -a all -f all --reference 'refs/{animation}-{frame:03}.png'
  pchr-view --man | man -l -

Exit codes: 0 success, 1 different from the reference or empty with --fail-on-empty, 2 usage, 3 input, 4 no usable adapter or window, 5 output, 70 bug, 130 interrupted";

/// Errors and warnings without a window.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct ManyArgs {
    #[command(flatten)]
    pub errors: KeepGoingArgs,
    /// Exit with code 1 if nothing is visible in any of the chosen frames of an animation; files are still written
    #[arg(long)]
    pub fail_on_empty: bool,
    /// Fail if an image, a region or the atlas of a character is missing, or an image is only guessed
    #[arg(long)]
    pub fail_on_missing: bool,
    #[command(flatten)]
    pub warnings: WarningArgs,
}

impl ViewArgs {
    /// Returns the read options.
    pub fn read_options(&self) -> ReadOptions {
        let read = self.read.options().playing(&self.subject.animations);
        ReadOptions { fps: self.fps, keep_going: self.many.errors.keep_going, ..read }
    }

    /// Returns the render options.
    pub fn render_options(&self) -> RenderOptions {
        RenderOptions {
            subject: self.subject.clone(),
            read: self.read_options(),
            look: self.look.clone(),
            output: self.output.clone(),
        }
    }
}

/// Window options.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Window")]
pub struct WindowArgs {
    /// Reload files when they change (the default in a window); with -o, render on every change until Ctrl+C
    #[arg(long, overrides_with = "no_watch")]
    pub watch: bool,
    /// Do not reload files when they change
    #[arg(long, action = ArgAction::SetTrue)]
    pub no_watch: bool,
    /// Open in full screen
    #[arg(long)]
    pub fullscreen: bool,
    /// Start paused
    #[arg(long)]
    pub paused: bool,
    /// Compare the second of two characters with the first
    #[arg(long)]
    pub compare: bool,
    /// Show all characters on one stage, at their true relative size; with -o, in one picture
    #[arg(long, conflicts_with = "compare")]
    pub lineup: bool,
    /// Colour theme of the window
    #[arg(long, value_name = "THEME", default_value = "system")]
    pub theme: ThemeArg,
    /// Scale factor of text and buttons
    #[arg(long, value_name = "X", default_value = "1", value_parser = values::factor, allow_negative_numbers = true)]
    pub ui_scale: f32,
    /// Do not read or write the window's settings; rendering without a window never does
    #[arg(long)]
    pub no_settings: bool,
    /// List the key bindings of the window and exit
    #[arg(long)]
    pub list_bindings: bool,
}

impl WindowArgs {
    /// Returns true if `--watch` was requested; only windows watch by default.
    pub fn is_watched(&self) -> bool {
        self.watch && !self.no_watch
    }
}

/// When to show progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    /// On a terminal
    Auto,
    /// Never
    Never,
}

/// Colour themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ThemeArg {
    /// Follow the system
    System,
    /// Light
    Light,
    /// Dark
    Dark,
}

#[cfg(test)]
mod tests;
