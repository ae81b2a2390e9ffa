//! The viewer: opens a window, or renders to files with `-o`. Without the feature `window` it has no window.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(feature = "window")]
    let window: Option<&dyn pchr_cli::Window> = Some(&desktop::Desktop);
    #[cfg(not(feature = "window"))]
    let window = None;
    pchr_cli::pchr_view(std::env::args_os(), window)
}

#[cfg(feature = "window")]
mod desktop {
    use std::error::Error;

    use pchr_cli::{ThemeArg, Window, WindowRequest};
    use pchr_window::{ThemePreference, WindowOptions};

    /// Connects the command line to the window; neither depends on the other.
    pub struct Desktop;

    impl Window for Desktop {
        fn open(&self, request: WindowRequest) -> Result<(), Box<dyn Error + Send + Sync>> {
            pchr_window::run(options(request))
        }

        fn bindings(&self) -> String {
            pchr_window::list_bindings()
        }
    }

    fn options(request: WindowRequest) -> WindowOptions {
        let window = request.window;
        let mut options = WindowOptions::default();
        options.theme = request.theme.map(|theme| match theme {
            ThemeArg::System => ThemePreference::System,
            ThemeArg::Light => ThemePreference::Light,
            ThemeArg::Dark => ThemePreference::Dark,
        });
        options.ui_scale = request.ui_scale;
        options.background_given = request.gives_background;
        options.settings = if window.no_settings { None } else { pchr_window::default_settings_file() };
        options.read = request.read;
        options.subject = request.subject;
        options.look = request.look;
        options.paused = window.paused;
        options.compare = window.compare;
        options.lineup = window.lineup;
        options.read_scene = Some(pchr_cli::read_scene);
        options.fullscreen = window.fullscreen;
        options.no_watch = window.no_watch;
        options
    }
}
