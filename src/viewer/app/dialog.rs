//! The system's file dialogs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::Result;
use crate::limits::Limits;
use crate::viewer::overlays::underlay::Underlay;
use crate::viewer::widgets::actions::Request;

/// A dialog that returns sooner than this was never shown: nobody closes one that fast.
const NEVER_SHOWN: Duration = Duration::from_millis(400);

/// The result of a dialog.
#[derive(Debug)]
pub enum Chosen {
    /// The files to open.
    Files(Vec<PathBuf>),
    /// The files to put on the stage.
    Companions(Vec<PathBuf>),
    /// The file to compare with.
    Second(PathBuf),
    /// The file to export to.
    SaveAs(PathBuf),
    /// The picture behind the character, already read.
    Underlay(Result<Underlay>),
    /// The user cancelled.
    Nothing,
    /// The system has no file dialog, which was requested.
    NoDialog(Request),
}

/// Shows the dialog for opening files and calls `done` when it closes. The window keeps running meanwhile, except
/// on macOS, which only shows dialogs on the main thread.
pub fn choose(done: impl FnOnce(Chosen) + Send + 'static) {
    let dialog = opening("Open characters");
    ask(Request::OpenDialog, move || dialog.pick_files().map(Chosen::Files), done);
}

/// Shows the dialog for choosing files to put on the stage, in the same way.
pub fn choose_companions(done: impl FnOnce(Chosen) + Send + 'static) {
    let dialog = opening("Add to the stage");
    ask(Request::StageDialog, move || dialog.pick_files().map(Chosen::Companions), done);
}

/// Shows the dialog for choosing a file to compare with, in the same way.
pub fn choose_one(done: impl FnOnce(Chosen) + Send + 'static) {
    let dialog = opening("Compare with");
    ask(Request::CompareDialog, move || dialog.pick_file().map(Chosen::Second), done);
}

fn opening(title: &str) -> rfd::FileDialog {
    rfd::FileDialog::new()
        .set_title(title)
        .add_filter("Characters", &crate::formats::table::extensions())
        .add_filter("All files", &["*"])
}

/// Shows the dialog for saving a file with one of `extensions`, in the same way. `path` is the suggestion.
pub fn choose_name(path: &Path, extensions: &[&str], done: impl FnOnce(Chosen) + Send + 'static) {
    let mut dialog = rfd::FileDialog::new()
        .set_title("Export")
        .set_file_name(path.file_name().unwrap_or_default().to_string_lossy())
        .add_filter("Exported files", extensions);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = std::path::absolute(folder.unwrap_or(Path::new("."))) {
        dialog = dialog.set_directory(folder);
    }
    ask(Request::SaveDialog, move || dialog.save_file().map(Chosen::SaveAs), done);
}

/// Shows the dialog for choosing a picture in the same way, and reads the picture within `limits` before calling
/// `done`.
pub fn choose_underlay(limits: Limits, done: impl FnOnce(Chosen) + Send + 'static) {
    let dialog = rfd::FileDialog::new()
        .set_title("Picture behind the character")
        .add_filter("Pictures", &crate::formats::image::EXTENSIONS)
        .add_filter("All files", &["*"]);
    let read = move |chosen| match chosen {
        Chosen::Files(files) => {
            if let Some(file) = files.into_iter().next() {
                read_underlay(file, limits, done);
            }
        }
        other => done(other),
    };
    ask(Request::UnderlayDialog, move || dialog.pick_file().map(|file| Chosen::Files(vec![file])), read);
}

/// Reads a picture within `limits` on a thread, and calls `done`. Where dialogs block the window, reading does not.
pub fn read_underlay(file: PathBuf, limits: Limits, done: impl FnOnce(Chosen) + Send + 'static) {
    std::thread::spawn(move || done(Chosen::Underlay(Underlay::read(&file, &limits))));
}

fn ask(
    request: Request,
    show: impl FnOnce() -> Option<Chosen> + Send + 'static,
    done: impl FnOnce(Chosen) + Send + 'static,
) {
    let ask = move || {
        let shown = Instant::now();
        done(match show() {
            Some(chosen) => chosen,
            None if cfg!(target_os = "linux") && shown.elapsed() < NEVER_SHOWN => Chosen::NoDialog(request),
            None => Chosen::Nothing,
        });
    };
    if cfg!(target_os = "macos") {
        ask();
    } else {
        std::thread::spawn(ask);
    }
}
