//! `pchr-view`: opens a window, or runs without one if `-o`, `--json` or `--list-adapters` is given.

mod adapter;
mod args;
mod blends;
mod clamped_time;
mod config;
mod contact;
mod golden;
mod graphics;
mod headless;
mod loaded;
mod nothing_visible;
mod outputs;
mod plan;
mod stage;
mod summary;
mod switches;
mod too_large;
mod usage;
mod watching;
mod window;
mod writing;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches};

use super::shared::files::Target;
#[cfg(feature = "mcp")]
use super::shared::program::clap_failure;
use super::shared::program::{finish, report_clap};
use super::shared::{files, interrupt, stdio};
use super::{completions, man};
use crate::shared::failure::Failure;

use graphics::Graphics;
use usage::Asked;

pub use adapter::Adapters;
pub use args::{ThemeArg, ViewArgs, WindowArgs};
pub use summary::Summary;
pub use window::{Window, WindowRequest, read_scene};

/// Runs `pchr-view` with its arguments; the first is the program's name. A build without the window passes no `window`.
pub fn pchr_view(args: impl IntoIterator<Item = OsString>, window: Option<&dyn Window>) -> ExitCode {
    let words: Vec<OsString> = args.into_iter().collect();
    let mut attached = switches::attached(&words);
    let parse = |words: &[OsString]| {
        let parsed = ViewArgs::command().try_get_matches_from(words);
        parsed.and_then(|given| Ok((ViewArgs::from_arg_matches(&given)?, given)))
    };
    let mut parsed = parse(&attached);
    if let Some(words) = parsed.as_ref().ok().and_then(|(args, _)| scene_as_option(args, &attached)) {
        (parsed, attached) = (parse(&words), words);
    }
    let (args, typed) = match parsed {
        Ok(parsed) => parsed,
        // Help and version are not errors and go to stdout.
        Err(error) => return report_clap(&error, &words),
    };
    interrupt::watch(interrupt::exit_past_drivers);
    let (mut args, given) = match config::with_files(&args, &typed, &attached) {
        Ok(merged) => merged.unwrap_or_else(|| (args, typed.clone())),
        Err(failure) => return finish(args.color, args.json, || Err(failure)),
    };
    args.graphics = Graphics::ALL;
    finish(args.color, args.json, || run(args, &given, &typed, window))
}

/// Returns the words with `--scene` before the only file, if that is a scene.
fn scene_as_option(args: &ViewArgs, words: &[OsString]) -> Option<Vec<OsString>> {
    let [file] = &args.subject.files[..] else { return None };
    let is_scene = args.scene.is_none() && file.extension().is_some_and(|it| it.eq_ignore_ascii_case("toml"));
    let at = words.iter().rposition(|word| word == file.as_os_str()).filter(|_| is_scene)?;
    let mut words = words.to_vec();
    words.insert(at, "--scene".into());
    Some(words)
}

/// Renders with the arguments of `pchr-view` and the CPU renderer as part of another command.
#[cfg(feature = "mcp")]
pub fn run_words(words: &[OsString]) -> Result<(), Failure> {
    let given = ViewArgs::command().try_get_matches_from(words).map_err(|error| clap_failure(&error))?;
    let args = ViewArgs::from_arg_matches(&given).map_err(|error| clap_failure(&error))?;
    run(args, &given, &given, None)
}

/// Runs with the options `given` on the command line and in files; only the former are `typed`.
fn run(
    args: ViewArgs,
    given: &ArgMatches,
    typed: &ArgMatches,
    window: Option<&dyn Window>,
) -> Result<(), Failure> {
    if let Some(shell) = args.completions {
        return completions::print(shell, ViewArgs::command());
    }
    if args.man {
        return man::print(ViewArgs::command());
    }
    if args.window.list_bindings {
        return stdio::print_stdout(&window.ok_or_else(window::missing)?.bindings());
    }
    if args.list_adapters {
        return (args.graphics.list)(args.json);
    }
    let is_drawn = args.golden.reference.is_some() || args.output.path.is_some() || args.json;
    let mut args = args;
    if args.window.lineup && is_drawn {
        stage::of_lineup(&mut args, given)?;
    }
    let options = match usage::check(&args, given, typed, window)? {
        Asked::Window(window) => return window::open(window, args, given),
        Asked::Pictures(options) => *options,
    };
    let targets = match (&args.scene, args.subject.stage.is_empty()) {
        (_, true) => files::characters(&args.subject.files, &options.read.limits)?,
        // The characters of a stage are one.
        (Some(scene), false) => vec![Target::given(scene)],
        (None, false) => args.subject.files.iter().map(|file| Target::given(file)).collect(),
    };
    if args.golden.reference.is_some() {
        golden::run(&args, options, &targets)
    } else if args.window.is_watched() {
        watching::run(&args, options, &targets, headless::render)
    } else {
        headless::run(&args, &options, &targets)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// Runs a build without the window.
    fn run_without_window(words: &[&str]) -> Result<(), Failure> {
        let given = ViewArgs::command().try_get_matches_from(words).expect("a valid command line");
        run(ViewArgs::from_arg_matches(&given).expect("arguments"), &given, &given, None)
    }

    #[test]
    fn a_build_without_the_window_says_in_one_line_how_to_get_it() {
        let asking: [&[&str]; 4] = [&[], &["knight.pchr"], &["knight.pchr", "-s", "64"], &["--list-bindings"]];
        for words in asking {
            let failure = run_without_window(&[&["pchr-view"], words].concat()).expect_err("no window");
            assert_eq!(failure.exit_code(), 2);
            let message = failure.message();
            assert!(message.contains("-o OUT.png") && message.contains("default features"), "{message}");
            assert!(!message.contains('\n') && failure.help().is_none(), "{message}");
        }
    }

    /// A window that only remembers what it was asked for.
    #[derive(Default)]
    struct FakeWindow(RefCell<Option<WindowRequest>>);

    impl Window for FakeWindow {
        fn open(&self, request: WindowRequest) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
            *self.0.borrow_mut() = Some(request);
            Ok(())
        }

        fn bindings(&self) -> String {
            String::new()
        }
    }

    #[test]
    fn a_window_takes_a_scene_that_also_says_how_it_looks_in_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let scene = folder.path().join("scene.toml");
        let text = "animation = \"all\"\ntrack = [\"1=hop@0.3\"]\nbone = \"mouse=1,2\"\nsize = \"x64\"\nframes = \"all\"\n";
        std::fs::write(&scene, text).expect("it is written");
        let lamp = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/paper-lamp.json");
        let words = ["pchr-view", lamp, "--scene", scene.to_str().expect("UTF-8")];
        let asked = FakeWindow::default();
        let code = pchr_view(words.map(OsString::from), Some(&asked));
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::SUCCESS));
        let subject = asked.0.into_inner().expect("a window").subject;
        assert_eq!((subject.tracks.len(), subject.bones.len(), subject.animations.len()), (1, 1, 0));
        assert_eq!(subject.frames, None, "it plays");
    }

    #[test]
    fn a_scene_can_be_given_as_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let scene = folder.path().join("scene.toml");
        let lamp = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/paper-lamp.json");
        let knight = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/paper-knight.pchr");
        let text = format!("[[character]]\nfile = {lamp:?}\nscale = 2\n[[character]]\nfile = {knight:?}\n");
        std::fs::write(&scene, text).expect("it is written");
        let asked = FakeWindow::default();
        let code = pchr_view(["pchr-view".into(), scene.clone().into_os_string()], Some(&asked));
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::SUCCESS));
        let subject = asked.0.into_inner().expect("a window").subject;
        assert_eq!(subject.files.len(), 2);
        let read = read_scene(&scene).expect("the same scene");
        assert_eq!((read.files, read.stage), (subject.files, subject.stage));
    }

    #[test]
    fn a_build_without_the_window_renders() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("knight.png");
        let out = out.to_str().expect("UTF-8");
        let knight = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/paper-knight.pchr");
        run_without_window(&["pchr-view", knight, "-s", "16", "-o", out]).expect("a picture");
        assert!(std::fs::read(out).expect("a file").starts_with(b"\x89PNG"));
    }
}
