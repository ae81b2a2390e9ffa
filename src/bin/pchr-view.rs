//! The viewer: opens a window, or renders to files with `-o`. Without the feature `viewer` it has no window.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use pchr::cli;

fn main() -> ExitCode {
    #[cfg(feature = "viewer")]
    let window: Option<&dyn cli::Window> = Some(&desktop::Desktop);
    #[cfg(not(feature = "viewer"))]
    let window = None;
    cli::pchr_view(std::env::args_os(), window)
}

#[cfg(feature = "viewer")]
mod desktop {
    use std::error::Error;

    use egui::ThemePreference;
    use pchr::cli::{self, ThemeArg, WindowRequest};
    use pchr::viewer::{self, WindowOptions};

    /// Connects the command line to the window; neither depends on the other.
    pub struct Desktop;

    impl cli::Window for Desktop {
        fn open(&self, request: WindowRequest) -> Result<(), Box<dyn Error + Send + Sync>> {
            viewer::run(options(request))
        }

        fn bindings(&self) -> String {
            viewer::list_bindings()
        }
    }

    fn options(request: WindowRequest) -> WindowOptions {
        let mut options = WindowOptions::default();
        options.theme = request.theme.map(|theme| match theme {
            ThemeArg::System => ThemePreference::System,
            ThemeArg::Light => ThemePreference::Light,
            ThemeArg::Dark => ThemePreference::Dark,
        });
        options.ui_scale = request.ui_scale;
        options.background_given = request.gives_background;
        options.settings = if request.keeps_settings { viewer::default_settings_file() } else { None };
        options.read = request.read;
        options.subject = request.subject;
        options.look = request.look;
        options.paused = request.paused;
        options.compare = request.compare;
        options.lineup = request.lineup;
        options.fullscreen = request.fullscreen;
        options.no_watch = !request.watch;
        options
    }
}
