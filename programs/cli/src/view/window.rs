//! The window of `pchr-view`: what the arguments ask of it, and the files that it lists.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, CommandFactory, FromArgMatches};

use super::args::{ThemeArg, ViewArgs, WindowArgs};
use super::usage::is_given;
use super::{config, stage};
use crate::shared::config::message;
use crate::shared::failure::{Failure, note};
use crate::shared::files;
use crate::shared::stdio::is_stdio;
use pchr::export::{FrameSpec, Look, Subject};
use pchr::formats::ReadOptions;

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
    /// The options of a window.
    pub window: WindowArgs,
    /// The colour theme, if it was given.
    pub theme: Option<ThemeArg>,
    /// The scale factor of text and buttons, if it was given.
    pub ui_scale: Option<f32>,
}

impl WindowRequest {
    fn new(args: ViewArgs, files: Vec<PathBuf>, given: &ArgMatches) -> Self {
        let read = args.read_options();
        let ViewArgs { subject, look, window, .. } = args;
        Self {
            subject: Subject { files, ..subject },
            read,
            look,
            gives_background: is_given(given, "background"),
            theme: is_given(given, "theme").then_some(window.theme),
            ui_scale: is_given(given, "ui_scale").then_some(window.ui_scale),
            window,
        }
    }
}

/// Reads a scene with several characters as a window shows it, with its files.
///
/// # Errors
///
/// Fails with a message if the scene or all of its files cannot be read, or if it names no characters.
pub fn read_scene(path: &Path) -> Result<Subject, String> {
    let read = || {
        let words = ["pchr-view".into(), "--scene".into(), path.as_os_str().to_owned()];
        let invalid = |error: clap::Error| Failure::usage(message(&error));
        let given = ViewArgs::command().try_get_matches_from(&words).map_err(invalid)?;
        let args = ViewArgs::from_arg_matches(&given).map_err(invalid)?;
        let mut args = config::with_files(&args, &given, &words)?.map_or(args, |(args, _)| args);
        keep_what_a_window_shows(&mut args.subject);
        if !stage::open_in_window(&mut args)? {
            return Err(Failure::usage("the scene names no [[character]]; open it with a file: --scene"));
        }
        let files = files_to_open(&args)?;
        Ok(Subject { files, ..args.subject })
    };
    read().map_err(|failure: Failure| failure.in_file(path).message())
}

/// Opens the window with the characters of the command line.
pub fn open(window: &dyn Window, mut args: ViewArgs, given: &ArgMatches) -> Result<(), Failure> {
    if args.scene.is_some() {
        keep_what_a_window_shows(&mut args.subject);
    }
    if args.subject.animations.len() > 1 {
        return Err(Failure::usage("a window starts with one animation, not several"));
    }
    let is_stage = stage::open_in_window(&mut args)?;
    let files = files_to_open(&args)?;
    let count = files.len();
    args.window.lineup |= is_stage && count > 1;
    if args.window.compare && count != 2 {
        return Err(Failure::usage(format!("--compare needs two characters, not {count}")));
    }
    if args.window.lineup && count < 2 {
        return Err(Failure::usage(format!("--lineup needs several characters, not {count}")));
    }
    window.open(WindowRequest::new(args, files, given)).map_err(Failure::Window)
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
pub fn missing() -> Failure {
    Failure::usage(
        "this build of pchr-view has no window: add -o OUT.png, or build it with the default features (cargo build --release)",
    )
}

/// Returns the characters that a window lists. Unreadable files are skipped with a note; if all are, that is an
/// error. Folders are listed as they are, for the window searches them itself, unless two characters are compared.
fn files_to_open(args: &ViewArgs) -> Result<Vec<PathBuf>, Failure> {
    let is_left = |path: &&PathBuf| !args.window.compare && !is_stdio(path) && path.is_dir();
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
