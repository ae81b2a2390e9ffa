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

    use pchr::cli::{self, ThemeArg, WindowRequest};
    use pchr::viewer::{self, Given, Theme, WindowOptions};

    /// Connects the command line to the window; neither depends on the other.
    pub struct Desktop;

    impl cli::Window for Desktop {
        fn open(&self, request: WindowRequest) -> Result<(), Box<dyn Error + Send + Sync>> {
            Ok(viewer::run(options(request))?)
        }

        fn bindings(&self) -> String {
            viewer::command::list_bindings()
        }
    }

    fn options(request: WindowRequest) -> WindowOptions {
        let mut options = WindowOptions::default();
        options.given = Given {
            theme: request.theme.is_some(),
            ui_scale: request.ui_scale.is_some(),
            background: request.gives_background,
        };
        options.settings = if request.keeps_settings { viewer::settings::default_file() } else { None };
        options.read = request.read;
        options.subject = request.subject;
        options.look = request.look;
        options.paused = request.paused;
        options.compare = request.compare;
        options.fullscreen = request.fullscreen;
        options.watch = request.watch;
        options.theme = match request.theme {
            None | Some(ThemeArg::System) => Theme::System,
            Some(ThemeArg::Light) => Theme::Light,
            Some(ThemeArg::Dark) => Theme::Dark,
        };
        options.ui_scale = request.ui_scale.unwrap_or(options.ui_scale);
        options
    }
}
