//! `pchr-view`: a window, or with `-o`, `--json` or `--list-adapters` the same without one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, CommandFactory, FromArgMatches, Parser, ValueEnum};
use clap_complete::Shell;

use super::failure::{Failure, note};
use super::files;
use super::json_error::JsonError;
use super::output::{Ours, Output};
use super::sheet::SheetArgs;
use super::{adapter, completions, headless, interrupt, json_error, man, parse, stdio};
use crate::draw::{Antialias, Filter};
use crate::export::{Additive, Alpha, Backend, Background, Fit, Format, FrameSpec, Padding, Size};
use crate::formats::sheet::Grid;
use crate::formats::{BindPose, PageAlpha, ReadOptions};
use crate::limits::Limits;

/// Play a 2D skeletal character in a window, or render it to files without one.
///
/// Without -o a window opens, unless --json or --list-adapters is asked for. With -o the same command renders headless: it needs no display, and
/// no driver either, since a CPU renderer is built in.
#[derive(Debug, Parser)]
#[command(name = "pchr-view", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct ViewArgs {
    /// Characters, folders of characters, or patterns such as 'art/**/*.json'; `-` is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// What to show.
    #[command(flatten)]
    pub show: ShowArgs,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
    /// What to write.
    #[command(flatten)]
    pub output: OutputArgs,
    /// How a sheet is written.
    #[command(flatten)]
    pub sheet: SheetArgs,
    /// How to render.
    #[command(flatten)]
    pub rendering: RenderingArgs,
    /// The window.
    #[command(flatten)]
    pub window: WindowArgs,

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

/// What to show.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What to show")]
pub struct ShowArgs {
    /// Animation by name or #index, repeatable; `all` for every motion
    #[arg(short, long = "animation", value_name = "NAME")]
    pub animations: Vec<String>,
    /// Stored frames: N, A..B, A..=B, A..B:STEP, N,N,… or all; negative counts from the end. Unless told 0,
    /// and all in an animated picture
    #[arg(short, long, value_name = "SPEC", allow_hyphen_values = true)]
    pub frames: Option<FrameSpec>,
    /// The pose at a time, between frames; times outside of the animation are clamped, with a warning
    #[arg(
        short, long, value_name = "SECONDS", value_parser = parse::seconds,
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
    /// Frames a second of motion that has keys; unless told what the file says, else 30. Of a sheet whose frames have no
    /// durations, as with --grid; unless told 10
    #[arg(long, value_name = "N", value_parser = parse::fps, allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// A skin to wear over the default one, by name or #index; repeatable, later ones cover earlier ones. `none` wears
    /// no other. If the default skin is empty and there is only one other, that is worn unless this says otherwise
    #[arg(long = "skin", value_name = "NAME")]
    pub skins: Vec<String>,
    /// How often an animated picture is played, 0 for ever; unless told as the animation says
    #[arg(long, value_name = "N", value_parser = parse::loops, allow_negative_numbers = true)]
    pub loops: Option<u16>,
}

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

impl ViewArgs {
    /// How the characters are read.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions { fps: self.show.fps, ..self.read.options() }
    }
}

/// What to write.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Render to this file; `-` is stdout. {name} {animation} {index} {frame:04} are filled in
    #[arg(short, long, value_name = "PATH", allow_hyphen_values = true)]
    pub output: Option<Output>,
    /// What is written; unless told what the path ends in says it, and stdout takes a PNG
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// WxH, Wx, xH, N or native; another shape is letterboxed
    #[arg(short, long, value_name = "SIZE", default_value = "native", value_parser = parse::size, allow_negative_numbers = true)]
    pub size: Size,
    /// Picture pixels to a world pixel, at native size
    #[arg(long, value_name = "X", default_value = "1", value_parser = parse::factor, allow_negative_numbers = true)]
    pub scale: f32,
    /// Space around the character in pixels, or in percent of its longer side
    #[arg(long, value_name = "N|N%", default_value = "0", value_parser = parse::padding, allow_negative_numbers = true)]
    pub padding: Padding,
    /// What is in the picture: animation, frame, all, or X,Y,W,H in world pixels, y up
    #[arg(
        long, value_name = "FIT", default_value = "animation", value_parser = parse::fit, allow_hyphen_values = true
    )]
    pub fit: Fit,
    /// transparent, checker, checker:N or a colour
    #[arg(short, long, value_name = "BACKGROUND", value_parser = parse::background)]
    pub background: Option<Background>,
    /// How alpha is written
    #[arg(long, value_name = "ALPHA", default_value = "straight")]
    pub alpha: AlphaArg,
    /// How light is written that additive slots add over a transparent background, with straight alpha and in GIFs
    #[arg(long, value_name = "MODE", default_value = "keep")]
    pub additive: AdditiveArg,
    /// The colour under what is partly transparent, in GIF and y4m; unless told a GIF shows what is at least half
    /// there, and y4m is on white
    #[arg(long, value_name = "COLOUR", value_parser = parse::matte)]
    pub matte: Option<[u8; 3]>,
    /// Pictures worked on at once; 0 is one a core
    #[arg(long, value_name = "N", default_value = "0", value_parser = parse::jobs, allow_negative_numbers = true)]
    pub jobs: usize,
    /// If a file cannot be read, drawn or written, go on with the others; the exit code is the highest of all files
    #[arg(long)]
    pub keep_going: bool,
    /// Exit with 1 if nothing is visible in any chosen frame of an animation; files are still written
    #[arg(long)]
    pub fail_on_empty: bool,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    /// What this command has written itself.
    #[arg(skip)]
    pub ours: Ours,
}

impl OutputArgs {
    /// Whether a file that is there may be written over.
    pub fn may_replace(&self, path: &Path) -> bool {
        self.force || self.ours.holds(path)
    }

    /// The colour behind the character, where a colour was asked for.
    pub fn background_color(&self) -> Option<[u8; 3]> {
        match self.background? {
            Background::Color([r, g, b, _]) => Some([r, g, b]),
            Background::Transparent | Background::Checker(_) => None,
        }
    }
}

/// How to render.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Rendering")]
pub struct RenderingArgs {
    /// How pictures are sampled
    #[arg(long, value_name = "FILTER", default_value = "auto")]
    pub filter: FilterArg,
    /// How edges are smoothed
    #[arg(long, value_name = "MODE", default_value = "auto")]
    pub antialias: AntialiasArg,
    /// Marks over the character: bones; in the window their names too
    #[arg(long, value_name = "MARKS", value_delimiter = ',')]
    pub show: Vec<MarkArg>,
    /// What draws
    #[arg(long, value_name = "BACKEND", default_value = "auto")]
    pub backend: Backend,
    /// Which graphics adapter, by part of its name or by #number
    #[arg(long, value_name = "NAME|#N", conflicts_with = "list_adapters")]
    pub adapter: Option<String>,
    /// List the graphics adapters and end
    #[arg(long)]
    pub list_adapters: bool,
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
    /// How many times faster than authored
    #[arg(long, value_name = "X", default_value = "1", value_parser = parse::factor, allow_negative_numbers = true)]
    pub speed: f32,
    /// Light or dark
    #[arg(long, value_name = "THEME", default_value = "system")]
    pub theme: ThemeArg,
    /// How much larger than usual text and buttons are
    #[arg(long, value_name = "X", default_value = "1", value_parser = parse::factor, allow_negative_numbers = true)]
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

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// When to show progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    /// On a terminal
    Auto,
    /// Never
    Never,
}

/// How alpha is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AlphaArg {
    /// As PNG wants it
    Straight,
    /// As blending wants it
    Premultiplied,
}

impl From<AlphaArg> for Alpha {
    fn from(alpha: AlphaArg) -> Self {
        match alpha {
            AlphaArg::Straight => Self::Straight,
            AlphaArg::Premultiplied => Self::Premultiplied,
        }
    }
}

/// How light is written that straight alpha cannot say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AdditiveArg {
    /// Raise alpha to the light: exact over black, and a picture of the light over other colours
    Keep,
    /// Leave alpha as it is: light beyond it is cut off
    Pure,
}

impl From<AdditiveArg> for Additive {
    fn from(additive: AdditiveArg) -> Self {
        match additive {
            AdditiveArg::Keep => Self::Keep,
            AdditiveArg::Pure => Self::Pure,
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

/// How pictures are sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FilterArg {
    /// Nearest at whole-number magnifications of small pages, linear otherwise
    Auto,
    /// The nearest texel
    Nearest,
    /// Between the four nearest texels
    Linear,
}

impl From<FilterArg> for Filter {
    fn from(filter: FilterArg) -> Self {
        match filter {
            FilterArg::Auto => Self::Auto,
            FilterArg::Nearest => Self::Nearest,
            FilterArg::Linear => Self::Linear,
        }
    }
}

/// How edges are smoothed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AntialiasArg {
    /// For files: ssaa2 if the picture is smaller than the character, else none; in a window: depends on the zoom
    Auto,
    /// Not at all
    None,
    /// Four coverage samples a pixel
    Msaa4,
    /// Twice the size, averaged
    Ssaa2,
    /// Four times the size, averaged
    Ssaa4,
}

impl From<AntialiasArg> for Option<Antialias> {
    fn from(antialias: AntialiasArg) -> Self {
        match antialias {
            AntialiasArg::Auto => None,
            AntialiasArg::None => Some(Antialias::None),
            AntialiasArg::Msaa4 => Some(Antialias::Msaa4),
            AntialiasArg::Ssaa2 => Some(Antialias::Ssaa2),
            AntialiasArg::Ssaa4 => Some(Antialias::Ssaa4),
        }
    }
}

/// A mark over the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MarkArg {
    /// Where bones are and on which each hangs
    Bones,
    /// What they are called, in the window
    Names,
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

/// What opens the window. This module knows none: the program hands one over.
pub trait Window {
    /// Opens the window and returns when it is closed.
    fn open(&self, args: ViewArgs) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;

    /// The table of its keys.
    fn bindings(&self) -> String;
}

/// Runs `pchr-view` with its arguments, the program's name first.
pub fn pchr_view(args: impl IntoIterator<Item = OsString>, window: &impl Window) -> ExitCode {
    let words: Vec<OsString> = args.into_iter().collect();
    let parsed = ViewArgs::command().try_get_matches_from(&words);
    let parsed = parsed.and_then(|given| Ok((ViewArgs::from_arg_matches(&given)?, given)));
    let (args, given) = match parsed {
        Ok(parsed) => parsed,
        // Help and version are no errors and go to stdout.
        Err(error) => return told(&error, &words),
    };
    set_color(args.color);
    interrupt::watch(interrupt::exit_past_drivers);
    finish(args.json, || interrupt::or_interrupted(run(args, &given, window)))
}

/// Runs a command to its exit code. One that panics has a bug. With `wants_json` an error is printed as JSON, too.
pub fn finish(wants_json: bool, command: impl FnOnce() -> Result<(), Failure>) -> ExitCode {
    silence_decoders();
    // Nothing is used after a panic that it could have left half-changed.
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(command));
    let Err(failure) = result.unwrap_or(Err(Failure::Bug)) else { return ExitCode::SUCCESS };
    if wants_json {
        json_error::print(&failure);
    }
    failure.report()
}

/// Decoders of pictures that panic print nothing: that is reported as an error of the picture.
fn silence_decoders() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !crate::formats::image::is_decoding() {
            usual(panic);
        }
    }));
}

pub fn set_color(when: When) {
    match when {
        When::Auto => anstream::ColorChoice::Auto,
        When::Always => anstream::ColorChoice::Always,
        When::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Prints what clap has to say: help, version or a mistake, which is printed as JSON, too, where `words` ask for that.
pub fn told(error: &clap::Error, words: &[OsString]) -> ExitCode {
    if error.use_stderr() && ask_for_json(words) {
        let text = error.render().to_string();
        // clap says what is wrong, perhaps gives tips, and then says how the command is used or where that is explained.
        let ends = |line: &&str| line.starts_with("Usage:") || line.starts_with("For more information");
        let lines = text.lines().map(str::trim).take_while(|line| !ends(line)).filter(|line| !line.is_empty());
        let (tips, reasons): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("tip: "));
        let tips: Vec<&str> = tips.iter().filter_map(|tip| tip.strip_prefix("tip: ")).collect();
        let reason = reasons.join(" ");
        let message = reason.strip_prefix("error: ").unwrap_or(&reason).to_owned();
        JsonError::usage(message, (!tips.is_empty()).then(|| tips.join(" "))).print();
    }
    match error.print() {
        Err(unwritten) if unwritten.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(5),
        _ => ExitCode::from(error.exit_code() as u8),
    }
}

/// Whether the words of a command line that makes no sense ask for JSON, as far as that can be said.
fn ask_for_json(words: &[OsString]) -> bool {
    let options: Vec<&OsString> = words.iter().take_while(|word| *word != "--").collect();
    let is_style = |pair: &[&OsString]| pair[0] == "--style" && pair[1] == "json";
    options.iter().any(|word| *word == "--json" || *word == "--style=json") || options.windows(2).any(is_style)
}

/// Options that say nothing to a window.
const HEADLESS_ONLY: [&str; 14] = [
    "size",
    "scale",
    "padding",
    "fit",
    "alpha",
    "additive",
    "jobs",
    "force",
    "adapter",
    "format",
    "loops",
    "matte",
    "keep_going",
    "fail_on_empty",
];

fn run(args: ViewArgs, given: &ArgMatches, window: &impl Window) -> Result<(), Failure> {
    if let Some(shell) = args.completions {
        return completions::print(shell, ViewArgs::command());
    }
    if args.man {
        return man::print(ViewArgs::command());
    }
    if args.window.list_bindings {
        return stdio::print_stdout(&window.bindings());
    }
    if args.rendering.list_adapters {
        return adapter::list(args.json);
    }
    if args.output.output.is_some() || args.json {
        return headless::run(&args);
    }
    let is_given = |option: &&&str| given.value_source(option) == Some(ValueSource::CommandLine);
    if let Some(option) = HEADLESS_ONLY.iter().find(is_given).copied().or(args.sheet.given()) {
        let message = format!("--{} has no effect without -o", option.replace('_', "-"));
        return Err(Failure::usage_with_help(message, "with -o OUT.png the picture is rendered to a file"));
    }
    if args.show.animations.len() > 1 {
        return Err(Failure::usage("a window begins with one animation, not with several"));
    }
    let mut args = args;
    args.files = files_to_open(&args)?;
    window.open(args).map_err(Failure::Window)
}

/// The characters that a window lists. A folder in which none can be looked for is an error, one below it is left out.
fn files_to_open(args: &ViewArgs) -> Result<Vec<PathBuf>, Failure> {
    let targets = files::characters(&args.files, &args.read_options().limits)?;
    let (readable, others): (Vec<_>, Vec<_>) = targets.into_iter().partition(|target| target.check().is_ok());
    for error in others.iter().filter_map(|target| target.check().err()) {
        if readable.is_empty() {
            return Err(Failure::Input(error));
        }
        note(&error.to_string());
    }
    Ok(readable.into_iter().map(|target| target.path).collect())
}
