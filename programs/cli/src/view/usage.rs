//! Checks the arguments, and rejects options without effect on what they ask for.

use std::io::{self, IsTerminal};
use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, CommandFactory};

use super::args::{ManyArgs, ViewArgs};
use super::window::{self, Window};
use crate::golden::args::check_update;
use crate::shared::failure::Failure;
use crate::shared::stdio::{is_stdio, reject_repeated_stdin};
use pchr::export::{Backend, Format, FormatError, FrameSpec, LIMITED, NoEffect, RenderOptions};

/// Most frames and ranges in the list of `-f`.
const MAX_FRAME_PARTS: usize = 4096;
/// File names in a folder of references.
const IN_FOLDER: &str = "{animation}-{frame:04}.png";

/// What the arguments ask for.
pub enum Asked<'a> {
    /// A window.
    Window(&'a dyn Window),
    /// Pictures in files, or compared with references.
    Pictures(Box<RenderOptions>),
}

/// Returns what the user asks for. Fails if an option has no effect on it. `typed` has only the options that were typed on
/// the command line, not those of files.
pub fn check<'a>(
    args: &ViewArgs,
    given: &ArgMatches,
    typed: &ArgMatches,
    window: Option<&'a dyn Window>,
) -> Result<Asked<'a>, Failure> {
    if args.golden.reference.is_none() && args.output.path.is_none() && !args.json {
        let window = window.ok_or_else(window::missing)?;
        reject_without_reference(args, given)?;
        if args.config.is_some() {
            let message = "--config has no effect on a window";
            return Err(Failure::usage_with_help(
                message,
                "add -o OUT.png, or `output = \"OUT.png\"` to the file",
            ));
        }
        // A scene may also say how it looks in files.
        reject_without_window(typed)?;
        return Ok(Asked::Window(window));
    }
    if args.window.compare {
        let help = "use --reference to compare with stored pictures, or `pchr diff`";
        return Err(Failure::usage_with_help("--compare only has an effect on a window", help));
    }
    if args.subject.files.is_empty() && args.subject.stage.is_empty() {
        return Err(Failure::usage_with_help("no input file given", "pchr-view FILE -o OUT.png"));
    }
    reject_repeated_stdin(&args.subject.files)?;
    if args.window.is_watched() {
        check_watched(args)?;
    }
    let options = render_options(args, given)?;
    if args.output.is_stdout() {
        check_stdout(args, &options)?;
    }
    check_update(args.golden.update, args.output.force)?;
    Ok(Asked::Pictures(options.into()))
}

/// Returns true if an option was given on the command line, or in a file that was merged with it.
pub fn is_given(given: &ArgMatches, id: &str) -> bool {
    given.value_source(id) == Some(ValueSource::CommandLine)
}

/// Rejects options that cannot be combined with `--watch`.
fn check_watched(args: &ViewArgs) -> Result<(), Failure> {
    if args.json {
        return Err(Failure::usage("--json prints a single document and cannot be combined with --watch"));
    }
    if args.output.is_stdout() {
        let message = "--watch rewrites its output on every change and cannot write to stdout";
        return Err(Failure::usage_with_help(message, "-o OUT.png"));
    }
    if args.subject.files.iter().any(|file| is_stdio(file)) {
        return Err(Failure::usage("--watch cannot watch standard input"));
    }
    Ok(())
}

/// Returns the render options. Rejects options that have no effect on the format.
fn render_options(args: &ViewArgs, given: &ArgMatches) -> Result<RenderOptions, Failure> {
    let mut options = args.render_options();
    let parts = options.subject.frames.as_ref().map_or(0, FrameSpec::parts);
    if parts > MAX_FRAME_PARTS {
        let message = format!("-f lists {parts} frames or ranges, at most {MAX_FRAME_PARTS} are allowed");
        return Err(Failure::usage_with_help(
            message,
            "select many frames by ranges such as A..B:STEP, or with all",
        ));
    }
    reject_without_reference(args, given)?;
    if args.golden.reference.is_some() {
        compare_with_references(args, &mut options)?;
    }
    // Without output, nothing else has to be checked.
    if options.output.path.is_some() {
        check_path(&options)?;
        check_effects(&options, given)?;
    } else if args.output.contact_sheet.is_some() {
        return Err(Failure::usage_with_help("--contact-sheet has no effect without -o", "add -o OUT.png"));
    }
    Ok(options)
}

/// Turns the options of a run into those that render its references.
fn compare_with_references(args: &ViewArgs, options: &mut RenderOptions) -> Result<(), Failure> {
    if args.window.is_watched() {
        return Err(Failure::usage("--reference compares once; it cannot be combined with --watch"));
    }
    if args.golden.reference.as_deref() == Some("-") {
        return Err(Failure::usage("a reference cannot be read from standard input; give a path to --reference"));
    }
    if args.output.is_stdout() {
        return Err(Failure::usage("--reference cannot be combined with -o -; give a path, or omit -o"));
    }
    if args.golden.update && args.output.path.is_some() {
        return Err(Failure::usage("--update writes the references themselves; omit -o"));
    }
    if args.output.contact_sheet.is_some() {
        return Err(Failure::usage("--contact-sheet cannot be combined with --reference"));
    }
    let path = reference_path(args);
    options.output.path = Some(path.clone());
    let format = options.format();
    match format {
        Format::Png | Format::Apng | Format::Gif | Format::Webp | Format::Sheet => {}
        Format::Raw | Format::Y4m | Format::Mp4 | Format::Webm | Format::Mov | Format::Psd => {
            let message = format!("{} cannot be a reference", format.noun());
            let help = "use a PNG per frame, an APNG, a WebP or a sprite sheet";
            return Err(Failure::usage_with_help(message, help));
        }
    }
    if let Some(output) =
        args.output.files().filter(|output| Format::of_path(output, args.output.format) != Ok(format))
    {
        let message = format!("-o `{output}` and --reference `{path}` have different formats");
        return Err(Failure::usage_with_help(message, "new pictures are written in the format of the reference"));
    }
    if options.look.may_fall_back() {
        options.look.backend = Backend::Cpu;
    }
    Ok(())
}

/// Returns the path of the references as a template.
fn reference_path(args: &ViewArgs) -> String {
    let given = args.golden.reference.as_deref().unwrap_or_default();
    // A folder may be missing, but a file has an extension, unless its format is given.
    let is_file = Path::new(given).extension().is_some() || args.output.format.is_some();
    if is_file && !given.ends_with(std::path::is_separator) && !Path::new(given).is_dir() {
        return given.to_owned();
    }
    let output = args.output.files().and_then(|path| Path::new(path).file_name()?.to_str());
    Path::new(given).join(output.unwrap_or(IN_FOLDER)).to_string_lossy().into_owned()
}

/// Rejects more than one document on stdout, and pictures on a terminal.
fn check_stdout(args: &ViewArgs, options: &RenderOptions) -> Result<(), Failure> {
    if args.json {
        return Err(Failure::usage("--json and -o - both write to stdout; write the picture to a file"));
    }
    if io::stdout().is_terminal() {
        return Err(Failure::usage_with_help(
            format!("refusing to write {} to a terminal", options.format().noun()),
            "-o - | another program, or -o FILE",
        ));
    }
    Ok(())
}

/// Rejects options of comparisons if nothing is compared.
fn reject_without_reference(args: &ViewArgs, given: &ArgMatches) -> Result<(), Failure> {
    match ["tolerance", "max_diff_pixels"].into_iter().find(|option| is_given(given, option)) {
        Some(option) if args.golden.reference.is_none() => {
            Err(Failure::usage(format!("--{} has no effect without --reference", option.replace('_', "-"))))
        }
        _ => Ok(()),
    }
}

/// Returns the long name of the first given option for which `is_meant` returns true, in the order of `--help`.
fn given_name(given: &ArgMatches, is_meant: impl Fn(&str) -> bool) -> Option<String> {
    let command = ViewArgs::command();
    let given = command.get_arguments().filter(|arg| is_given(given, arg.get_id().as_str()));
    let mut names = given.filter_map(Arg::get_long);
    names.find(|name| is_meant(name)).map(str::to_owned)
}

/// Rejects options without effect on a window.
fn reject_without_window(given: &ArgMatches) -> Result<(), Failure> {
    let headless = ManyArgs::augment_args(Command::new(""));
    let is_headless = |name: &str| headless.get_arguments().any(|arg| arg.get_long() == Some(name));
    let limited = LIMITED.iter().filter(|option| !option.on_window);
    let option = limited.filter_map(|option| given_name(given, |name| option.is(name))).next();
    match option.or_else(|| given_name(given, is_headless)) {
        Some(option) => {
            let message = format!("--{option} has no effect without -o");
            Err(Failure::usage_with_help(message, "add -o OUT.png to render to a file"))
        }
        None => Ok(()),
    }
}

/// Rejects a path whose extension is unknown or contradicts `--format`.
fn check_path(options: &RenderOptions) -> Result<(), Failure> {
    let Some(path) = options.output.files() else { return Ok(()) };
    let format = Format::of_path(path, options.output.format);
    format.map(|_| ()).map_err(|error| {
        let help = match &error {
            FormatError::WrongExtension { requested, .. } => {
                format!("use the extension .{}, or omit --format", requested.extensions()[0])
            }
            FormatError::Unknown(_) => {
                let known = Format::ALL.map(|format| format!(".{}", format.extensions()[0]));
                format!("use one of the extensions {}, or give --format", known.join(" "))
            }
        };
        Failure::usage_with_help(error.to_string(), help)
    })
}

/// Rejects options that have no effect on the files.
pub fn check_effects(options: &RenderOptions, given: &ArgMatches) -> Result<(), Failure> {
    // Of a group, options that were given are rejected even if they have their default values.
    for option in LIMITED.iter().filter(|option| option.is_group() || option.is_set(options)) {
        let Some(why) = (option.no_effect)(options) else { continue };
        let Some(name) = given_name(given, |name| option.is(name)) else { continue };
        return Err(match why {
            NoEffect::Ignored => continue,
            NoEffect::Format => Failure::usage(format!("--{name} has no effect on {}", options.format().noun())),
            NoEffect::Because(message, Some(help)) => Failure::usage_with_help(message, help),
            NoEffect::Because(message, None) => Failure::usage(message),
        });
    }
    Ok(())
}
