//! Checks the arguments, and rejects options without effect on the output format.

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory};

use super::args::ViewArgs;
use super::{references, video};
use crate::cli::shared::failure::Failure;
use crate::export::{Additive, Alpha, Format, FormatError, FrameSpec, RenderOptions};

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
        check_path(args, &options)?;
        check_format(&options, given)?;
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

/// Returns the name of the first sheet option that was given, in the order of `--help`.
pub fn given_of_sheet(given: &ArgMatches) -> Option<String> {
    let command = ViewArgs::command();
    let is_given =
        |id: &&str| id.starts_with("sheet-") && given.value_source(id) == Some(ValueSource::CommandLine);
    command.get_arguments().map(|argument| argument.get_id().as_str()).find(is_given).map(str::to_owned)
}

/// Rejects a path whose extension is unknown or contradicts `--format`.
fn check_path(args: &ViewArgs, options: &RenderOptions) -> Result<(), Failure> {
    let Some(path) = options.output.files() else { return Ok(()) };
    let format = Format::of_path(path, options.output.format);
    format.map(|_| ()).map_err(|error| {
        let help = match &error {
            FormatError::Video(path) => return video::refused(args, path),
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

/// Rejects options that have no effect on the format.
fn check_format(options: &RenderOptions, given: &ArgMatches) -> Result<(), Failure> {
    let (format, look, sheet) = (options.format(), &options.look, &options.output.sheet);
    let reject = |option: &str| Err(Failure::usage(format!("--{option} has no effect on {}", format.noun())));
    match () {
        () if options.output.contact_sheet.is_some() && options.contact_sheet().is_none() => {
            let message = format!("--contact-sheet writes a PNG, not {}", format.noun());
            Err(Failure::usage_with_help(message, "use an output path that ends in .png, without --format"))
        }
        () if options.subject.loops.is_some() && !format.has_loops() => reject("loops"),
        () if look.matte.is_some() && format.has_alpha() => reject("matte"),
        () if look.alpha == Alpha::Premultiplied && !format.has_alpha() => reject("alpha"),
        () if look.additive == Additive::Pure && !format.can_lose_light(look.alpha) => match format.has_alpha() {
            true => {
                Err(Failure::usage("--additive has no effect on premultiplied pixels, which preserve all light"))
            }
            false => reject("additive"),
        },
        () if format != Format::Sheet => given_of_sheet(given).map_or(Ok(()), |option| reject(&option)),
        () if sheet.bleed > 0 && look.alpha == Alpha::Premultiplied => Err(Failure::usage(
            "--sheet-bleed colours transparent pixels, which is impossible with --alpha premultiplied",
        )),
        () if sheet.columns.is_some() && !sheet.layout.has_columns() => {
            Err(Failure::usage("--sheet-columns has no effect on a layout without a grid"))
        }
        () => Ok(()),
    }
}
