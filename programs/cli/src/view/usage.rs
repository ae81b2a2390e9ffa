//! Checks the arguments, and rejects options without effect on the output format.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, CommandFactory};

use super::args::{ManyArgs, ViewArgs};
use super::references;
use crate::shared::failure::Failure;
use pchr::export::{Format, FormatError, FrameSpec, LIMITED, NoEffect, RenderOptions};

/// Most frames and ranges in the list of `-f`.
const MAX_FRAME_PARTS: usize = 4096;

/// Returns the render options. Rejects options that have no effect on the format.
pub fn render_options(args: &ViewArgs, given: &ArgMatches) -> Result<RenderOptions, Failure> {
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
        references::prepare(args, &mut options)?;
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

/// Rejects options of comparisons if nothing is compared.
pub fn reject_without_reference(args: &ViewArgs, given: &ArgMatches) -> Result<(), Failure> {
    let is_given = |option: &&str| given.value_source(option) == Some(ValueSource::CommandLine);
    match ["tolerance", "max_diff_pixels"].into_iter().find(is_given) {
        Some(option) if args.golden.reference.is_none() => {
            Err(Failure::usage(format!("--{} has no effect without --reference", option.replace('_', "-"))))
        }
        _ => Ok(()),
    }
}

/// Returns the long name of the first given option for which `is_meant` returns true, in the order of `--help`.
pub fn given_name(given: &ArgMatches, is_meant: impl Fn(&str) -> bool) -> Option<String> {
    let is_given = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
    let command = ViewArgs::command();
    let mut names =
        command.get_arguments().filter(|arg| is_given(arg.get_id().as_str())).filter_map(Arg::get_long);
    names.find(|name| is_meant(name)).map(str::to_owned)
}

/// Rejects options without effect on a window.
pub fn reject_without_window(given: &ArgMatches) -> Result<(), Failure> {
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
