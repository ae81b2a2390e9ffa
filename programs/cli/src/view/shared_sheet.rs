//! `--contact-sheet` of several characters on one sheet, which is written if nothing in the output path distinguishes them.
//!
//! A character that cannot be opened or drawn has a cell that says why, and the run goes on.

use std::collections::BTreeMap;

use indicatif::ProgressBar;

use super::args::ViewArgs;
use super::contact;
use super::loaded::Loaded;
use super::outputs::OwnFiles;
use super::plan::{Job, Planner};
use crate::shared::failure::Failure;
use crate::shared::files::Target;
use crate::shared::interrupt;
use crate::shared::keep_going::Failures;
use crate::shared::stdio;
use pchr::export::{OutputFile, SharedSheet, SheetPart, SheetParts};

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
        let sheet = sheet.map_err(|error| contact::failure_of_characters(error, options, self.targets.len()))?;
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
        let Some(path) = path else {
            let mut png = Vec::new();
            if !sheet.write("stdout", &mut png, interrupt::flag(), draw).map_err(Failure::exporting)?? {
                return Err(Failure::Interrupted);
            }
            return stdio::print_with(|stdout| stdout.write_all(&png));
        };
        let may_replace = options.output.force || own_files.contains(&path);
        let mut out = OutputFile::create(&path, may_replace).map_err(Failure::Output)?;
        let place = path.display().to_string();
        if !sheet.write(&place, &mut out, interrupt::flag(), draw).map_err(Failure::exporting)?? {
            return Err(Failure::Interrupted);
        }
        out.finish().map_err(Failure::Output)?;
        own_files.add(&path);
        Ok(())
    }
}
