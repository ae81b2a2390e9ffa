//! `pchr-view`: opens a window, or runs without one if `-o`, `--json` or `--list-adapters` is given.

mod adapter;
mod args;
mod blends;
mod clamped_time;
mod config;
mod contact;
mod golden;
mod graphics;
mod headless;
mod loaded;
mod nothing_visible;
mod outputs;
mod plan;
mod references;
mod shared_sheet;
mod summary;
mod switches;
mod too_large;
mod usage;
mod watching;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

#[cfg(feature = "mcp")]
use super::shared::program::clap_failure;
use super::shared::program::{finish, report_clap, set_color};
use super::shared::{files, interrupt, stdio};
use super::{completions, man};
use crate::shared::failure::{Failure, note};
use pchr::export::{FrameSpec, Look, Subject};
use pchr::formats::ReadOptions;

use graphics::Graphics;

pub use adapter::Adapters;
pub use args::{ThemeArg, ViewArgs};
pub use summary::Summary;

/// Opens the window. The program provides the implementation, so that this module does not depend on one.
pub trait Window {
    /// Opens the window and returns when it is closed.
    fn open(&self, request: WindowRequest) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;

    /// Returns the table of key bindings.
    fn bindings(&self) -> String;
}

/// What the command line asks of a window.
#[derive(Debug)]
pub struct WindowRequest {
    /// The files to list, and how the first one is played.
    pub subject: Subject,
    /// How files are read.
    pub read: ReadOptions,
    /// Appearance.
    pub look: Look,
    /// Whether the background was given, and overrides a kept one even if it is the default.
    pub gives_background: bool,
    /// Whether to start paused.
    pub paused: bool,
    /// Whether to compare the second of two files with the first.
    pub compare: bool,
    /// Whether to show all files on one stage.
    pub lineup: bool,
    /// Whether to start in full screen.
    pub fullscreen: bool,
    /// Whether to reload files when they change.
    pub watch: bool,
    /// Whether to read and write settings.
    pub keeps_settings: bool,
    /// The colour theme, if it was given.
    pub theme: Option<ThemeArg>,
    /// The scale factor of text and buttons, if it was given.
    pub ui_scale: Option<f32>,
}

impl WindowRequest {
    fn new(args: ViewArgs, files: Vec<PathBuf>, is_given: impl Fn(&&str) -> bool) -> Self {
        let read = args.read_options();
        let ViewArgs { subject, look, window, .. } = args;
        Self {
            subject: Subject { files, ..subject },
            read,
            look,
            gives_background: is_given(&"background"),
            paused: window.paused,
            compare: window.compare,
            lineup: window.lineup,
            fullscreen: window.fullscreen,
            watch: !window.no_watch,
            keeps_settings: !window.no_settings,
            theme: is_given(&"theme").then_some(window.theme),
            ui_scale: is_given(&"ui_scale").then_some(window.ui_scale),
        }
    }
}

/// Runs `pchr-view` with its arguments; the first is the program's name. A build without the window passes no `window`.
pub fn pchr_view(args: impl IntoIterator<Item = OsString>, window: Option<&dyn Window>) -> ExitCode {
    let words: Vec<OsString> = args.into_iter().collect();
    let attached = switches::attached(&words);
    let parsed = ViewArgs::command().try_get_matches_from(&attached);
    let parsed = parsed.and_then(|given| Ok((ViewArgs::from_arg_matches(&given)?, given)));
    let (args, typed) = match parsed {
        Ok(parsed) => parsed,
        // Help and version are not errors and go to stdout.
        Err(error) => return report_clap(&error, &words),
    };
    set_color(args.color);
    interrupt::watch(interrupt::exit_past_drivers);
    let (mut args, given) = match config::with_files(&args, &typed, &attached) {
        Ok(merged) => merged.unwrap_or_else(|| (args, typed.clone())),
        Err(failure) => return finish(args.json, || Err(failure)),
    };
    set_color(args.color);
    args.graphics = Graphics::ALL;
    finish(args.json, || interrupt::or_interrupted(run(args, &given, &typed, window)))
}

/// Renders with the arguments of `pchr-view` and the CPU renderer as part of another command.
#[cfg(feature = "mcp")]
pub fn run_words(words: &[OsString]) -> Result<(), Failure> {
    let given = ViewArgs::command().try_get_matches_from(words).map_err(|error| clap_failure(&error))?;
    let args = ViewArgs::from_arg_matches(&given).map_err(|error| clap_failure(&error))?;
    run(args, &given, &given, None)
}

/// Runs with the options `given` on the command line and in files; only the former are `typed`.
fn run(
    mut args: ViewArgs,
    given: &ArgMatches,
    typed: &ArgMatches,
    window: Option<&dyn Window>,
) -> Result<(), Failure> {
    if let Some(shell) = args.completions {
        return completions::print(shell, ViewArgs::command());
    }
    if args.man {
        return man::print(ViewArgs::command());
    }
    if args.window.list_bindings {
        return stdio::print_stdout(&window.ok_or_else(no_window)?.bindings());
    }
    if args.list_adapters {
        return (args.graphics.list)(args.json);
    }
    let is_headless = args.golden.reference.is_some() || args.output.path.is_some() || args.json;
    if args.window.compare && is_headless {
        let help = "use --reference to compare with stored pictures, or `pchr diff`";
        return Err(Failure::usage_with_help("--compare only has an effect on a window", help));
    }
    if args.window.lineup && is_headless {
        return Err(Failure::usage("--lineup only has an effect on a window"));
    }
    if args.golden.reference.is_some() {
        return golden::run(&args, given);
    }
    if args.output.path.is_some() || args.json {
        return headless::run(&args, given);
    }
    let window = window.ok_or_else(no_window)?;
    usage::reject_without_reference(&args, given)?;
    if args.config.is_some() {
        let message = "--config has no effect on a window";
        return Err(Failure::usage_with_help(message, "add -o OUT.png, or `output = \"OUT.png\"` to the file"));
    }
    let is_given = |option: &&str| given.value_source(option) == Some(ValueSource::CommandLine);
    // A scene may also say how it looks in files.
    usage::reject_without_window(typed)?;
    if args.scene.is_some() {
        keep_what_a_window_shows(&mut args.subject);
    }
    if args.subject.animations.len() > 1 {
        return Err(Failure::usage("a window starts with one animation, not several"));
    }
    let files = files_to_open(&args)?;
    let count = files.len();
    if args.window.compare && count != 2 {
        return Err(Failure::usage(format!("--compare needs two characters, not {count}")));
    }
    if args.window.lineup && count < 2 {
        return Err(Failure::usage(format!("--lineup needs several characters, not {count}")));
    }
    window.open(WindowRequest::new(args, files, is_given)).map_err(Failure::Window)
}

/// Leaves several animations and frames to files: the window plays one animation.
fn keep_what_a_window_shows(subject: &mut Subject) {
    if !matches!(&subject.animations[..], [name] if name != "all") {
        subject.animations.clear();
    }
    if subject.frames.as_ref().is_some_and(|frames| *frames == FrameSpec::All) {
        subject.frames = None;
    }
}

/// The error of a build without a window that is asked for one.
fn no_window() -> Failure {
    Failure::usage(
        "this build of pchr-view has no window: add -o OUT.png, or build it with the default features (cargo build --release)",
    )
}

/// Returns the characters that a window lists. Unreadable files are skipped with a note; if all are, that is an
/// error. Folders are listed as they are, for the window searches them itself, unless two characters are compared.
fn files_to_open(args: &ViewArgs) -> Result<Vec<PathBuf>, Failure> {
    let is_left = |path: &&PathBuf| !args.window.compare && !stdio::is_stdio(path) && path.is_dir();
    let (folders, others): (Vec<&PathBuf>, Vec<&PathBuf>) = args.subject.files.iter().partition(is_left);
    let others: Vec<PathBuf> = others.into_iter().cloned().collect();
    let targets = files::characters(&others, &args.read_options().limits)?;
    let (readable, others): (Vec<_>, Vec<_>) = targets.into_iter().partition(|target| target.check().is_ok());
    for error in others.iter().filter_map(|target| target.check().err()) {
        if readable.is_empty() && folders.is_empty() {
            return Err(Failure::Input(error));
        }
        note(&error.to_string());
    }
    Ok(folders.into_iter().cloned().chain(readable.into_iter().map(|target| target.path)).collect())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// Runs a build without the window.
    fn run_without_window(words: &[&str]) -> Result<(), Failure> {
        let given = ViewArgs::command().try_get_matches_from(words).expect("a valid command line");
        run(ViewArgs::from_arg_matches(&given).expect("arguments"), &given, &given, None)
    }

    #[test]
    fn a_build_without_the_window_says_in_one_line_how_to_get_it() {
        let asking: [&[&str]; 4] = [&[], &["knight.pchr"], &["knight.pchr", "-s", "64"], &["--list-bindings"]];
        for words in asking {
            let failure = run_without_window(&[&["pchr-view"], words].concat()).expect_err("no window");
            assert_eq!(failure.exit_code(), 2);
            let message = failure.message();
            assert!(message.contains("-o OUT.png") && message.contains("default features"), "{message}");
            assert!(!message.contains('\n') && failure.help().is_none(), "{message}");
        }
    }

    /// A window that only remembers what it was asked for.
    #[derive(Default)]
    struct Asked(RefCell<Option<WindowRequest>>);

    impl Window for Asked {
        fn open(&self, request: WindowRequest) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
            *self.0.borrow_mut() = Some(request);
            Ok(())
        }

        fn bindings(&self) -> String {
            String::new()
        }
    }

    #[test]
    fn a_window_takes_a_scene_that_also_says_how_it_looks_in_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let scene = folder.path().join("scene.toml");
        let text = "animation = \"all\"\ntrack = [\"1=hop@0.3\"]\nbone = \"mouse=1,2\"\nsize = \"x64\"\nframes = \"all\"\n";
        std::fs::write(&scene, text).expect("it is written");
        let lamp = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/paper-lamp.json");
        let words = ["pchr-view", lamp, "--scene", scene.to_str().expect("UTF-8")];
        let asked = Asked::default();
        let code = pchr_view(words.map(OsString::from), Some(&asked));
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::SUCCESS));
        let subject = asked.0.into_inner().expect("a window").subject;
        assert_eq!((subject.tracks.len(), subject.bones.len(), subject.animations.len()), (1, 1, 0));
        assert_eq!(subject.frames, None, "it plays");
    }

    #[test]
    fn a_build_without_the_window_renders() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("knight.png");
        let out = out.to_str().expect("UTF-8");
        let knight = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/paper-knight.pchr");
        run_without_window(&["pchr-view", knight, "-s", "16", "-o", out]).expect("a picture");
        assert!(std::fs::read(out).expect("a file").starts_with(b"\x89PNG"));
    }
}
