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
    use pchr::cli::{self, ThemeArg, ViewArgs};
    use pchr::viewer::{self, WindowOptions};

    /// Connects the command line to the window; neither depends on the other.
    pub struct Desktop;

    impl cli::Window for Desktop {
        fn open(&self, args: ViewArgs) -> Result<(), Box<dyn Error + Send + Sync>> {
            viewer::run(options(args))
        }

        fn bindings(&self) -> String {
            viewer::list_bindings()
        }
    }

    fn options(args: ViewArgs) -> WindowOptions {
        let mut options = WindowOptions::default();
        let theme = match args.window.theme {
            ThemeArg::System => ThemePreference::System,
            ThemeArg::Light => ThemePreference::Light,
            ThemeArg::Dark => ThemePreference::Dark,
        };
        options.theme = args.is_given("theme").then_some(theme);
        options.ui_scale = args.is_given("ui_scale").then_some(args.window.ui_scale);
        options.background_given = args.is_given("background");
        options.settings = if args.window.no_settings { None } else { viewer::default_settings_file() };
        options.read = args.read_options();
        options.subject = args.subject;
        options.look = args.look;
        options.paused = args.window.paused;
        options.compare = args.window.compare;
        options.fullscreen = args.window.fullscreen;
        options.no_watch = args.window.no_watch;
        options
    }
}
