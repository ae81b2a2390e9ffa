//! What the arguments ask for, and which options say nothing to a format.

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory};

use super::args::ViewArgs;
use super::video;
use crate::cli::shared::failure::Failure;
use crate::draw::Overlay;
use crate::export::{Additive, Alpha, Format, FormatError, RenderOptions};

/// What `args` ask for, where they make sense. Options that say nothing to the format are refused.
pub fn render_options(args: &ViewArgs, given: &ArgMatches) -> Result<RenderOptions, Failure> {
    if let Some(overlay) = args.look.show.iter().find(|overlay| overlay.is_text()) {
        let message = match overlay {
            Overlay::Names => "names of bones are shown in the window only".to_owned(),
            other => format!("{} are shown in the window only", other.name()),
        };
        return Err(Failure::usage_with_help(message, "--show bones marks where they are"));
    }
    let options = args.render_options();
    // Nothing is written, so nothing is refused.
    if args.output.path.is_some() {
        check_path(args)?;
        check_format(&options, given)?;
    }
    Ok(options)
}

/// The first option of sheets that was given, as it is written, in the order of `--help`.
pub fn given_of_sheet(given: &ArgMatches) -> Option<String> {
    let command = ViewArgs::command();
    let is_given =
        |id: &&str| id.starts_with("sheet-") && given.value_source(id) == Some(ValueSource::CommandLine);
    command.get_arguments().map(|argument| argument.get_id().as_str()).find(is_given).map(str::to_owned)
}

/// Refuses a path that does not say what is written, or says something else than the format.
fn check_path(args: &ViewArgs) -> Result<(), Failure> {
    let Some(path) = args.output.files() else { return Ok(()) };
    let told = Format::of_path(path, args.output.format);
    told.map(|_| ()).map_err(|error| {
        let help = match &error {
            FormatError::Video(path) => return video::refused(args, path),
            FormatError::OtherName { asked, .. } => {
                format!("end the path in .{}, or leave out --format", asked.extensions()[0])
            }
            FormatError::Unknown(_) => {
                let known = Format::ALL.map(|format| format!(".{}", format.extensions()[0]));
                format!("end the path in one of {}, or name a --format", known.join(" "))
            }
        };
        Failure::usage_with_help(error.to_string(), help)
    })
}

/// Refuses options that say nothing to the format.
fn check_format(options: &RenderOptions, given: &ArgMatches) -> Result<(), Failure> {
    let (format, look, sheet) = (options.format(), &options.look, &options.output.sheet);
    let refuse = |option: &str| Err(Failure::usage(format!("--{option} says nothing to {}", format.noun())));
    match () {
        () if options.subject.loops.is_some() && !format.has_loops() => refuse("loops"),
        () if look.matte.is_some() && format.has_alpha() => refuse("matte"),
        () if look.alpha == Alpha::Premultiplied && !format.has_alpha() => refuse("alpha"),
        () if look.additive == Additive::Pure && !format.can_lose_light(look.alpha) => match format.has_alpha() {
            true => Err(Failure::usage("--additive has no effect on premultiplied pixels: they hold all light")),
            false => refuse("additive"),
        },
        () if format != Format::Sheet => given_of_sheet(given).map_or(Ok(()), |option| refuse(&option)),
        () if sheet.bleed > 0 && look.alpha == Alpha::Premultiplied => {
            Err(Failure::usage("--sheet-bleed colours what is transparent, which premultiplied pixels cannot be"))
        }
        () if sheet.columns.is_some() && !sheet.layout.has_columns() => {
            Err(Failure::usage("--sheet-columns says nothing to a layout without a grid of its own"))
        }
        () => Ok(()),
    }
}
