//! The viewer: a window, or with `-o` the same without one.
#![forbid(unsafe_code)]

use std::error::Error;
use std::process::ExitCode;

use pchr::cli::{self, MarkArg, ThemeArg, ViewArgs};
use pchr::viewer::{self, Background, Theme, WindowOptions};

fn main() -> ExitCode {
    cli::pchr_view(std::env::args_os(), &Desktop)
}

/// The command line knows no window and the window no command line; this brings them together.
struct Desktop;

impl cli::Window for Desktop {
    fn open(&self, args: ViewArgs) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(viewer::run(options(args))?)
    }

    fn bindings(&self) -> String {
        viewer::command::list_bindings()
    }
}

fn options(args: ViewArgs) -> WindowOptions {
    let mut options = WindowOptions::default();
    options.read = args.read_options();
    options.files = args.files;
    options.animation = args.show.animations.into_iter().next();
    options.skins = args.show.skins;
    options.frames = args.show.frames;
    options.time = args.show.time;
    options.interpolate = args.show.interpolate;
    options.physics = args.show.physics;
    options.bones = args.rendering.show.contains(&MarkArg::Bones);
    options.names = args.rendering.show.contains(&MarkArg::Names);
    options.filter = args.rendering.filter.into();
    options.antialias = args.rendering.antialias.into();
    options.backend = match args.rendering.backend {
        cli::Backend::Auto => viewer::Backend::Auto,
        cli::Backend::Cpu => viewer::Backend::Cpu,
        cli::Backend::Vulkan => viewer::Backend::Vulkan,
        cli::Backend::Metal => viewer::Backend::Metal,
        cli::Backend::Dx12 => viewer::Backend::Dx12,
        cli::Backend::Gl => viewer::Backend::Gl,
    };
    // Where there is no colour a window shows squares.
    options.background = args.output.background_color().map_or(Background::Checker, Background::Color);
    options.paused = args.window.paused;
    options.fullscreen = args.window.fullscreen;
    options.watch = !args.window.no_watch;
    options.speed = args.window.speed.into();
    options.theme = match args.window.theme {
        ThemeArg::System => Theme::System,
        ThemeArg::Light => Theme::Light,
        ThemeArg::Dark => Theme::Dark,
    };
    options.ui_scale = args.window.ui_scale;
    options
}
