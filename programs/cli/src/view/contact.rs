//! `--contact-sheet`: errors with options that work, and the sheet that several characters share, which is written if nothing
//! in the output path distinguishes them.
//!
//! A character that cannot be opened or drawn has a cell that says why, and the run goes on.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use indicatif::ProgressBar;

use super::args::ViewArgs;
use super::loaded::Loaded;
use super::outputs::OwnFiles;
use super::plan::{Job, Planner};
use crate::shared::failure::Failure;
use crate::shared::files::Target;
use crate::shared::interrupt;
use crate::shared::keep_going::Failures;
use crate::shared::stdio;
use pchr::Error;
use pchr::export::{
    CONTACT_SHEET_FULL, CONTACT_SHEET_SHARED, CONTACT_SHEET_TOO_LARGE, ContactGrid, OutputFile, RenderOptions,
    SharedSheet, SheetPart, SheetParts,
};

/// Converts an error to a failure, with a hint if it is about the contact sheet of `animations` animations. `whole` is the
/// grid of the whole sheet; `options` may be for the share of one character.
pub fn failure(error: Error, options: &RenderOptions, whole: Option<ContactGrid>, animations: usize) -> Failure {
    let grid = options.output.contact_sheet;
    let help = match error.code() {
        CONTACT_SHEET_FULL | CONTACT_SHEET_SHARED if grid != whole => {
            let help =
                "each character has its share of the cells: use more rows, or select fewer animations with -a";
            help.to_owned()
        }
        CONTACT_SHEET_FULL => {
            let grid = grid.map(|grid| grid.with_any_rows().to_string()).unwrap_or_default();
            or_several(options, format!("use --contact-sheet {grid} for as many rows as needed"), "-{index}")
        }
        CONTACT_SHEET_SHARED => {
            let grid = grid.map(|grid| grid.with_cells(animations).to_string()).unwrap_or_default();
            or_several(options, format!("use --contact-sheet {grid}, select fewer with -a"), "-{animation}")
        }
        CONTACT_SHEET_TOO_LARGE => "use a smaller --size, or select fewer frames".to_owned(),
        _ => return Failure::reading(error),
    };
    Failure::usage_with_help(error.to_string(), help)
}

fn or_several(options: &RenderOptions, help: String, place: &str) -> String {
    match options.output.files() {
        Some(path) => format!("{help}, or -o '{}' for several sheets", with_place(Path::new(path), place)),
        None => help,
    }
}

/// Converts an error about the contact sheet of `characters` characters to a failure.
pub fn failure_of_characters(error: Error, options: &RenderOptions, characters: usize) -> Failure {
    let grid = options.output.contact_sheet.filter(|_| error.code() == CONTACT_SHEET_SHARED);
    let Some(grid) = grid else { return failure(error, options, options.output.contact_sheet, 1) };
    let help = format!("use --contact-sheet {}", grid.with_cells(characters));
    Failure::usage_with_help(error.to_string(), or_several(options, help, "-{name}"))
}

/// Returns true if all characters share one sheet.
pub fn is_shared(options: &RenderOptions, targets: &[Target]) -> bool {
    targets.len() > 1 && options.output.path.is_some() && options.shares_contact_sheet()
}

/// Returns the options for the share of each character.
pub fn shares(options: &RenderOptions, targets: &[Target]) -> Result<Vec<RenderOptions>, Failure> {
    let count = targets.len();
    options.sharing_contact_sheet(count).map_err(|error| failure_of_characters(error, options, count))
}

/// Inserts a placeholder before the extension of a path.
pub fn with_place(path: &Path, place: &str) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or("png".into(), |extension| extension.to_string_lossy());
    path.with_file_name(format!("{stem}{place}.{extension}")).display().to_string()
}

/// What each character adds to the sheet.
pub struct Parts<'a> {
    targets: &'a [Target],
    /// By target, those that were opened.
    opened: BTreeMap<usize, SheetPart>,
}

impl<'a> Parts<'a> {
    pub fn new(targets: &'a [Target]) -> Self {
        Self { targets, opened: BTreeMap::new() }
    }

    /// Adds a character.
    pub fn add(&mut self, job: &Job, loaded: &Loaded) {
        self.opened.insert(job.target, SheetPart::new(job.path.clone(), &loaded.plan));
    }

    /// Writes the sheet of `jobs`.
    pub fn write(
        mut self,
        args: &ViewArgs,
        own_files: &OwnFiles,
        planner: &Planner<'_>,
        jobs: &mut [Job],
        failures: &mut Failures,
        progress: &ProgressBar,
    ) -> Result<(), Failure> {
        let part = |(number, target): (usize, &Target)| {
            let failed = || {
                let message = failures.message(&target.path).unwrap_or_default();
                SheetPart::failed(target.path_value(), message.to_owned())
            };
            self.opened.remove(&number).unwrap_or_else(failed)
        };
        let parts = self.targets.iter().enumerate().map(part).collect();
        let options = planner.options;
        let sheet = SharedSheet::new(options, parts);
        let sheet = sheet.map_err(|error| failure_of_characters(error, options, self.targets.len()))?;
        let path = jobs.iter().flat_map(|job| &job.files).find_map(|file| file.path.clone());
        let draw = |parts: &mut SheetParts<'_, '_>| {
            planner.draw_all(jobs, failures, |_, job, loaded| {
                let Loaded { character, plan, visible, .. } = loaded;
                let mut drawing = (args.graphics.open)(options, character.model(), &plan.view, args.quiet)?;
                let sequence = options.sequence(character, plan, interrupt::flag()).recording(visible);
                let drawn = parts.draw(job.target, &sequence, &mut drawing, plan, &|| progress.inc(1));
                if let Some(render) = &mut job.render {
                    render.backend = drawing.name();
                }
                match drawn {
                    Ok(true) => Ok(()),
                    Ok(false) => Err(Failure::Interrupted),
                    Err(error) => Err(Failure::exporting(error).of_input(&job.file)),
                }
            })
        };
        let write = |place: &str, out: &mut (dyn Write + Send)| {
            let written = sheet.write(place, out, interrupt::flag(), draw).map_err(Failure::exporting)??;
            if written { Ok(()) } else { Err(Failure::Interrupted) }
        };
        let Some(path) = path else {
            let mut png = Vec::new();
            write("stdout", &mut png)?;
            return stdio::print_with(|stdout| stdout.write_all(&png));
        };
        let may_replace = options.output.force || own_files.contains(&path);
        let mut out = OutputFile::create(&path, may_replace).map_err(Failure::Output)?;
        write(&path.display().to_string(), &mut out)?;
        out.finish().map_err(Failure::Output)?;
        own_files.add(&path);
        Ok(())
    }
}
