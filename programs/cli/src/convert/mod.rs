//! `pchr convert`: converts characters to another format and reports what was lost.

mod args;
mod page;
mod report;

use std::path::{Path, PathBuf};

use super::shared::choose;
use super::shared::failure::Failure;
use super::shared::json_output::JsonOutput;
use super::shared::load::{accept, bytes_of, recorded_sidecars, sources};
use super::shared::stdio::shown_name;
use super::shared::warnings::name_files;
use super::shared::writing::{self, Done, Job, Outputs, Session, Unwritten, WrittenFile};
use pchr::Error;
use pchr::convert::{self, ConvertError, Converted, Note, Opened, OutFile, keeps_skins};
use pchr::diagnostics::Diagnostics;
use pchr::formats::table;
use pchr::formats::{Input, ReadOptions};

pub use args::ConvertArgs;
pub use report::LossReport;

/// Converts all files.
pub fn run(args: &ConvertArgs, quiet: bool) -> Result<(), Failure> {
    let page = page::Page::wanted(args)?;
    let outputs = Outputs::files(&args.output, args.to.map(|to| to.extension))?;
    let report = args.loss_report.as_ref().map(|path| Outputs::files(path, Some("json"))).transpose()?;
    let read = args.read_options();
    let jobs = outputs.jobs(report.as_ref(), &args.files, &read.limits, quiet)?;
    if page.is_none() {
        for job in &jobs {
            args.check(args.target(job)?, job)?;
        }
    }
    writing::check(&jobs, &outputs, args.write.force)?;
    writing::run(&jobs, &args.write, quiet, |job, session| match &page {
        Some(page) => page.convert(args, &read, job, session),
        None => convert(args, &read, job, session),
    })
}

/// Converts one file.
fn convert(args: &ConvertArgs, read: &ReadOptions, job: &Job, session: &mut Session<'_>) -> Done {
    let (to, input) = (args.target(job)?, &job.input.path);
    let (sidecars, mut diagnostics) = (recorded_sidecars(input, read), Diagnostics::default());
    let opened = bytes_of(input, &read.limits)
        .and_then(|bytes| convert::open(Input { bytes, sidecars: sidecars.access() }, read, &mut diagnostics))
        .map_err(|error| Failure::reading(error.in_file(shown_name(input))))?;
    name_files(&mut diagnostics, input, &sources(input, &sidecars, read));
    accept(&diagnostics, args.write.errors)?;
    check_source(args, input, to, &opened).map_err(Unwritten::Other)?;
    if !to.is_sheet {
        print_source_warnings(args, input, to, (&opened, &diagnostics), session);
    }
    let to = match args.to {
        Some(to) => to,
        // The version of a skeleton is only known after reading it.
        None => {
            opened.usual_target(to, &read.limits).map_err(|error| failure(ConvertError::Input(error), input))?
        }
    };
    // Print nothing about a sheet until it is known that it can be converted.
    if to.is_sheet {
        print_source_warnings(args, input, to, (&opened, &diagnostics), session);
    }
    let options = args.convert_options(to, read.clone(), job);
    let converted = opened.convert(&options).map_err(|error| failure(error, input))?;
    converted.notes.iter().for_each(|about| session.note(&note(*about)));
    session.warn_of_losses(job, converted.main_losses(), &converted.losses);
    let sources = sources(input, &sidecars, read);
    let outputs = write(job, session, &converted, &sources)?;
    let report = LossReport::new(converted, input);
    if let Some(path) = &job.report {
        let text = report.to_text().map_err(|error| Failure::Output(Error::io("JSON", error.into())))?;
        session.write(job, path, &sources, |out| out.write_all((text + "\n").as_bytes()))?;
    }
    let LossReport { fps, from, losses, to, worst_error_px, .. } = report;
    Ok(WrittenFile { fps, worst_error_px, ..WrittenFile::new(job, [from, to], losses, outputs, &diagnostics) })
}

/// Rejects a source that is not in the format of `--from`, or that cannot be converted to `to`.
fn check_source(args: &ConvertArgs, input: &Path, to: &table::Target, opened: &Opened<'_>) -> Result<(), Failure> {
    let source = opened.source();
    let is_other = args.from.is_some_and(|wanted| wanted != source);
    if to.takes(source) && !is_other {
        return Ok(());
    }
    let wanted = args.from.map_or("a sprite sheet", |wanted| wanted.name);
    let mut message = format!("{} is {}, not {wanted}", input.display(), source.name);
    if !to.takes(source) {
        message += "; `pchr-view -o NAME.json --format sheet` renders any character to a sheet";
    }
    Err(Failure::Input(Error::unsupported("other-format", Default::default(), message)))
}

/// Prints the warnings about the source, and the skin that was chosen by default.
fn print_source_warnings(
    args: &ConvertArgs,
    input: &Path,
    to: &table::Target,
    (opened, diagnostics): (&Opened<'_>, &Diagnostics),
    session: &Session<'_>,
) {
    session.print_findings(diagnostics, input);
    let applies_skin = !to.is_sheet && !opened.character().is_some_and(|character| keeps_skins(character, to));
    if let Some(message) =
        opened.character().filter(|_| applies_skin).and_then(|it| choose::unchosen_skins(it, &args.skins))
    {
        session.note(&format!("{}: {message}", input.display()));
    }
}

fn note(about: Note) -> String {
    match about {
        Note::Premultiplied => {
            "the images stay premultiplied; pchr-view IN -o OUT.json renders them with straight alpha".to_owned()
        }
        Note::Rotated(count) => {
            format!("{count} frames stay rotated by 90°; --repack stores them upright")
        }
        Note::Repacked => "the frames were packed again, because the format cannot store the old pages".to_owned(),
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

/// Writes the output files and returns their paths.
fn write(
    job: &Job,
    session: &mut Session<'_>,
    converted: &Converted,
    sources: &[PathBuf],
) -> Result<Vec<String>, Failure> {
    if converted.to.has_separate_images {
        return session.write_files(job, &job.output.folder(), sources, &converted.files);
    }
    let files = converted.files.files.iter();
    let write = |file: &OutFile| session.write(job, &job.output, sources, |out| file.write_to(out));
    Ok(files.map(write).collect::<Result<Vec<_>, _>>()?.concat())
}
