//! The system's file dialogs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rfd::FileDialog;

use crate::app::state::scene_file::SCENE;
use crate::overlays::underlay::Underlay;
use crate::widgets::actions::Dialog;
use pchr::Result;
use pchr::formats::{image, table};
use pchr::limits::Limits;

/// A dialog that returns sooner than this was never shown: nobody closes one that fast.
const NEVER_SHOWN: Duration = Duration::from_millis(400);

/// The result of a dialog.
#[derive(Debug)]
pub enum Chosen {
    /// What was chosen in the dialog that was requested.
    Paths(Dialog, Vec<PathBuf>),
    /// The picture behind the character, already read.
    Underlay(Result<Underlay>),
    /// The user cancelled.
    Nothing,
    /// The system has no file dialog, which was requested.
    NoDialog(Dialog),
}

/// Shows a dialog for choosing files or a folder, and calls `done` when it closes. The window
/// keeps running meanwhile, except on macOS, which only shows dialogs on the main thread.
pub fn choose(dialog: Dialog, done: impl FnOnce(Chosen) + Send + 'static) {
    type Show = fn(FileDialog) -> Option<Vec<PathBuf>>;
    let one: Show = |dialog| dialog.pick_file().map(|file| vec![file]);
    let several: Show = |dialog| dialog.pick_files();
    let folder: Show = |dialog| dialog.pick_folder().map(|folder| vec![folder]);
    let characters = |others: &[&'static str]| Some(("Characters", [&table::extensions(), others].concat()));
    let (filter, show) = match dialog {
        Dialog::Open => (characters(&[SCENE]), several),
        Dialog::Stage => (characters(&[]), several),
        Dialog::Compare => (characters(&[]), one),
        Dialog::Atlas => (Some(("Atlases", vec!["atlas", "txt"])), one),
        Dialog::Underlay => (Some(("Pictures", image::EXTENSIONS.to_vec())), one),
        Dialog::Folder | Dialog::Screenshots => (None, folder),
        Dialog::Save | Dialog::Scene => return,
    };
    let mut shown = FileDialog::new().set_title(dialog.title());
    if let Some((name, extensions)) = filter {
        shown = shown.add_filter(name, &extensions).add_filter("All files", &["*"]);
    }
    ask(dialog, move || show(shown), done);
}

/// Shows a dialog for saving a file with one of `extensions`, in the same way. `path` is the suggestion.
pub fn choose_name(asked: Dialog, path: &Path, extensions: &[&str], done: impl FnOnce(Chosen) + Send + 'static) {
    let mut dialog = FileDialog::new()
        .set_title(asked.title())
        .set_file_name(path.file_name().unwrap_or_default().to_string_lossy())
        .add_filter("Files", extensions);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = std::path::absolute(folder.unwrap_or(Path::new("."))) {
        dialog = dialog.set_directory(folder);
    }
    ask(asked, move || dialog.save_file().map(|file| vec![file]), done);
}

/// Reads a picture within `limits` on a thread, and calls `done`. Where dialogs block the window, reading does not.
pub fn read_underlay(
    file: PathBuf,
    is_background: bool,
    limits: Limits,
    done: impl FnOnce(Chosen) + Send + 'static,
) {
    std::thread::spawn(move || done(Chosen::Underlay(Underlay::read(&file, is_background, &limits))));
}

fn ask(
    dialog: Dialog,
    show: impl FnOnce() -> Option<Vec<PathBuf>> + Send + 'static,
    done: impl FnOnce(Chosen) + Send + 'static,
) {
    let ask = move || {
        let shown = Instant::now();
        done(match show() {
            Some(paths) => Chosen::Paths(dialog, paths),
            None if cfg!(target_os = "linux") && shown.elapsed() < NEVER_SHOWN => Chosen::NoDialog(dialog),
            None => Chosen::Nothing,
        });
    };
    if cfg!(target_os = "macos") {
        ask();
    } else {
        std::thread::spawn(ask);
    }
}
