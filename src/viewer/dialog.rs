//! The system's dialog for choosing files.

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Nobody closes a dialog sooner than this: there was none.
const NEVER_SHOWN: Duration = Duration::from_millis(400);

/// What came of asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chosen {
    /// These files.
    Files(Vec<PathBuf>),
    /// The user thought better of it.
    Nothing,
    /// This system has no dialog that programs can show.
    NoDialog,
}

/// Shows the dialog and calls `done` when it is closed. The window goes on meanwhile, but for
/// macOS, which shows dialogs on the main thread only.
pub fn choose(done: impl FnOnce(Chosen) + Send + 'static) {
    let ask = move || {
        let shown = Instant::now();
        let dialog = rfd::FileDialog::new()
            .set_title("Open characters")
            .add_filter("Characters", crate::formats::EXTENSIONS)
            .add_filter("All files", &["*"]);
        done(match dialog.pick_files() {
            Some(files) => Chosen::Files(files),
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
