//! The arguments of `pchr-view`.

use clap::{ArgAction, Parser, ValueEnum};
use clap_complete::Shell;

use crate::cli::shared::parse;
use crate::cli::shared::program::When;
use crate::cli::shared::read_args::ReadArgs;
use crate::export::{Background, Look, Output, RenderOptions, Subject, values};
use crate::formats::ReadOptions;

/// Play a 2D skeletal character in a window, or render it to files without one.
///
/// Without -o a window opens, unless --json or --list-adapters is asked for. With -o the same command renders headless: it needs no display, and
/// no driver either, since a CPU renderer is built in.
#[derive(Debug, Parser)]
#[command(name = "pchr-view", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct ViewArgs {
    /// What is rendered.
    #[command(flatten)]
    pub subject: Subject,
    /// Frames a second of motion that has keys; unless told what the file says, else 30. Of a sheet whose frames have no
    /// durations, as with --grid; unless told 10
    #[arg(
        long, value_name = "N", value_parser = parse::fps, allow_negative_numbers = true,
        help_heading = "What to show"
    )]
    pub fps: Option<f64>,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
    /// Where it goes.
    #[command(flatten)]
    pub output: Output,
    /// How it looks.
    #[command(flatten)]
    pub look: Look,
    /// What is done about mistakes in several files.
    #[command(flatten)]
    pub many: ManyArgs,
    /// The window.
    #[command(flatten)]
    pub window: WindowArgs,

    /// List the graphics adapters and end
    #[arg(long, help_heading = "Rendering", conflicts_with = "adapter")]
    pub list_adapters: bool,
    /// Print a JSON report of what was rendered, or of the error, to stdout
    #[arg(long, help_heading = "General")]
    pub json: bool,
    /// Print only errors
    #[arg(short, long, help_heading = "General")]
    pub quiet: bool,
    /// When to use colours
    #[arg(long, help_heading = "General", value_name = "WHEN", default_value = "auto")]
    pub color: When,
    /// Show progress on stderr when it is a terminal
    #[arg(long, help_heading = "General", value_name = "WHEN", default_value = "auto")]
    pub progress: Progress,
    /// Print what makes a shell complete the command, and end
    #[arg(long, help_heading = "General", value_name = "SHELL")]
    pub completions: Option<Shell>,
    /// Print the manual page and end
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
  pchr-view knight.pchr -o - -a walk --format y4m | ffmpeg -i - walk.mp4
  pchr-view 'art/**/*.json' -o 'out/{name}.png' --fail-on-empty
  pchr-view knight.pchr -o knight.png --watch
  pchr-view --man | man -l -

Exit codes: 0 done, 1 empty with --fail-on-empty, 2 usage, 3 input, 4 no usable adapter, 5 output, 70 a bug, 130 interrupted";

/// What is done about mistakes in several files.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct ManyArgs {
    /// If a file cannot be read, drawn or written, go on with the others; the exit code is the highest of all files
    #[arg(long)]
    pub keep_going: bool,
    /// Exit with 1 if nothing is visible in any chosen frame of an animation; files are still written
    #[arg(long)]
    pub fail_on_empty: bool,
}

impl ViewArgs {
    /// How the characters are read.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions { fps: self.fps, ..self.read.options() }
    }

    /// What is rendered, how, and where it goes.
    pub fn render_options(&self) -> RenderOptions {
        RenderOptions {
            subject: self.subject.clone(),
            read: self.read_options(),
            look: self.look.clone(),
            output: self.output.clone(),
        }
    }

    /// The colour behind the character, where a colour was asked for.
    pub fn background_color(&self) -> Option<[u8; 3]> {
        match self.look.background {
            Background::Color([r, g, b, _]) => Some([r, g, b]),
            Background::Transparent | Background::Checker(_) => None,
        }
    }
}

/// The window.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Window")]
pub struct WindowArgs {
    /// Reload a file when it changes (the default in a window); with -o, render again on every change until Ctrl+C
    #[arg(long, overrides_with = "no_watch")]
    pub watch: bool,
    /// Do not read a file again when it changes
    #[arg(long, action = ArgAction::SetTrue)]
    pub no_watch: bool,
    /// Fill the screen
    #[arg(long)]
    pub fullscreen: bool,
    /// Do not play at once
    #[arg(long)]
    pub paused: bool,
    /// Light or dark
    #[arg(long, value_name = "THEME", default_value = "system")]
    pub theme: ThemeArg,
    /// How much larger than usual text and buttons are
    #[arg(long, value_name = "X", default_value = "1", value_parser = values::factor, allow_negative_numbers = true)]
    pub ui_scale: f32,
    /// List the keys of the window and end
    #[arg(long)]
    pub list_bindings: bool,
}

impl WindowArgs {
    /// Whether files are to be watched, where that goes without saying for windows only.
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

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ThemeArg {
    /// As the system is
    System,
    /// Light
    Light,
    /// Dark
    Dark,
}
