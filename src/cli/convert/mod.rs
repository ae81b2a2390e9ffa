//! `pchr convert`: converts a character to another format and reports what was lost.

mod args;
mod report;

use std::path::{Path, PathBuf};

use super::shared::choose;
use super::shared::failure::{Failure, note, warn};
use super::shared::json_output::JsonOutput;
use super::shared::load::{bytes_of, recorded_sidecars, sources};
use super::shared::stdio::{is_stdio, print_warnings, shown_name};
use super::shared::target::Target;
use super::shared::written::write_files;
use crate::convert::{self, ConvertError, Converted, Note, Opened, Place};
use crate::diagnostics::Diagnostics;
use crate::error::Error;
use crate::formats::Input;
use crate::formats::table;

pub use args::ConvertArgs;
pub use report::LossReport;

/// Converts one file.
pub fn run(args: &ConvertArgs, quiet: bool) -> Result<(), Failure> {
    let to = args.target()?;
    args.check(to)?;
    // The files of a sheet are only known after reading it, so its target is checked later.
    let target = if to.is_sheet { None } else { Some(target_of(args)?) };
    let report_target = args.report_target()?;
    let read = args.read_options();
    let (sidecars, mut diagnostics) =
        (recorded_sidecars(&args.input, &args.read_options()), Diagnostics::default());
    let opened = bytes_of(&args.input, &read.limits)
        .and_then(|bytes| convert::open(Input { bytes, sidecars: &sidecars }, &read, &mut diagnostics))
        .map_err(|error| Failure::reading(error.in_file(shown_name(&args.input))))?;
    let print_source_warnings = || print_source_warnings(args, to, &opened, &diagnostics);
    if !quiet && !to.is_sheet {
        print_source_warnings();
    }
    check_source(args, to, &opened)?;
    let to = match args.to {
        Some(to) => to,
        // The version of a skeleton is only known after reading it.
        None => opened
            .usual_target(to, &read.limits)
            .map_err(|error| failure(ConvertError::Input(error), &args.input))?,
    };
    // Print nothing about a sheet until it is known that it can be converted.
    if !quiet && to.is_sheet {
        print_source_warnings();
    }
    let options = args.convert_options(to, read);
    let converted = opened.convert(&options).map_err(|error| failure(error, &args.input))?;
    if !quiet {
        converted.notes.iter().for_each(|note| print_note(*note));
        converted.main_losses().for_each(|loss| warn(&loss.fault()));
    }
    let sources = sources(&args.input, sidecars, &options.read);
    write(args, target, &converted, &sources)?;
    let Some(report_target) = report_target else { return Ok(()) };
    let report = LossReport::new(converted, &args.input);
    let text = report.to_text().map_err(|error| Failure::Output(Error::io("JSON", error.into())))?;
    report_target.write((text + "\n").as_bytes(), &sources)
}

/// Rejects a source that is not in the format of `--from`, or that cannot be converted to `to`.
fn check_source(args: &ConvertArgs, to: &table::Target, opened: &Opened<'_>) -> Result<(), Failure> {
    let source = opened.source();
    let is_other = args.from.is_some_and(|wanted| wanted != source);
    if to.takes(source) && !is_other {
        return Ok(());
    }
    let wanted = args.from.map_or("a sprite sheet", |wanted| wanted.name);
    let mut message = format!("{} is {}, not {wanted}", args.input.display(), source.name);
    if !to.takes(source) {
        message += "; `pchr-view -o NAME.json --format sheet` renders any character to a sheet";
    }
    Err(Failure::Input(Error::unsupported("other-format", Default::default(), message)))
}

/// Prints the warnings about the source, and the skin that was chosen by default.
fn print_source_warnings(args: &ConvertArgs, to: &table::Target, opened: &Opened<'_>, diagnostics: &Diagnostics) {
    if to.is_sheet {
        return diagnostics.warnings().for_each(warn);
    }
    print_warnings(diagnostics, &args.input);
    let applies_skin = !opened.keeps_skins(to);
    if let Some(message) =
        opened.character().filter(|_| applies_skin).and_then(|it| choose::unchosen_skins(it, &args.skins))
    {
        note(&format!("{}: {message}", args.input.display()));
    }
}

fn print_note(about: Note) {
    match about {
        Note::Premultiplied => {
            note("the images stay premultiplied; pchr-view IN -o OUT.json renders them with straight alpha");
        }
        Note::Rotated(count) => {
            note(&format!("{count} frames stay rotated by 90°; pchr-view IN -o OUT.json renders them upright"))
        }
    }
}

fn failure(error: ConvertError, input: &Path) -> Failure {
    match error {
        ConvertError::Unknown(unknown) => choose::not_found(unknown),
        ConvertError::Input(error) => Failure::reading(error.in_file(shown_name(input))),
        ConvertError::Incomplete(error) => Failure::Incomplete(error.in_file(input.display())),
        ConvertError::Output(error) => Failure::Output(error.in_file(shown_name(input))),
    }
}

fn target_of(args: &ConvertArgs) -> Result<Target, Failure> {
    Target::binary(&args.output, &args.input, args.force)
}

fn write(
    args: &ConvertArgs,
    target: Option<Target>,
    converted: &Converted,
    sources: &[PathBuf],
) -> Result<(), Failure> {
    if converted.to.has_separate_images {
        let folder = args.output.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        return write_files(&converted.files, &Place { folder, force: args.force, sources });
    }
    let target = match target {
        Some(target) => target,
        None if is_stdio(&args.output) => Target::Stdout,
        None => target_of(args)?,
    };
    for file in &converted.files.files {
        target.write_with(sources, |out| file.write_to(out))?;
    }
    Ok(())
}
