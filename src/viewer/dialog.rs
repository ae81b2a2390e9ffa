//! The system's dialog for choosing files.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Nobody closes a dialog sooner than this: there was none.
const NEVER_SHOWN: Duration = Duration::from_millis(400);

/// What came of asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chosen {
    /// These files.
    Files(Vec<PathBuf>),
    /// This name for what is exported.
    SaveAs(PathBuf),
    /// The user thought better of it.
    Nothing,
    /// This system has no dialog that programs can show.
    NoDialog,
}

/// Shows the dialog and calls `done` when it is closed. The window goes on meanwhile, but for
/// macOS, which shows dialogs on the main thread only.
pub fn choose(done: impl FnOnce(Chosen) + Send + 'static) {
    let dialog = rfd::FileDialog::new()
        .set_title("Open characters")
        .add_filter("Characters", &crate::formats::table::extensions())
        .add_filter("All files", &["*"]);
    ask(move || dialog.pick_files().map(Chosen::Files), done);
}

/// The same for the name of a file to write, one that ends in one of `extensions`. `path` is suggested.
pub fn choose_name(path: &Path, extensions: &[&str], done: impl FnOnce(Chosen) + Send + 'static) {
    let mut dialog = rfd::FileDialog::new()
        .set_title("Export")
        .set_file_name(path.file_name().unwrap_or_default().to_string_lossy())
        .add_filter("What is exported", extensions);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = std::path::absolute(folder.unwrap_or(Path::new("."))) {
        dialog = dialog.set_directory(folder);
    }
    ask(move || dialog.save_file().map(Chosen::SaveAs), done);
}

fn ask(show: impl FnOnce() -> Option<Chosen> + Send + 'static, done: impl FnOnce(Chosen) + Send + 'static) {
    let ask = move || {
        let shown = Instant::now();
        done(match show() {
            Some(chosen) => chosen,
            None if cfg!(target_os = "linux") && shown.elapsed() < NEVER_SHOWN => Chosen::NoDialog,
            None => Chosen::Nothing,
        });
    };
    if cfg!(target_os = "macos") {
        ask();
    } else {
        std::thread::spawn(ask);
    }
}
