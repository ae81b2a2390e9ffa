//! Sheets of a whole run: every file of all of them is there at the end, or none.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use super::{PlannedSheet, SheetJob, SheetKind, sheet_ranges};
use crate::cpu;
use crate::error::Error;
use crate::export::whole::WholeFiles;
use crate::export::{
    Drawing, Engine, Outcome, OutputFile, Plan, Run, RunError, Template, Values, Written, input_name,
};

impl Run<'_> {
    /// What [`Run::write`] does where the format is a sheet.
    pub(in crate::export) fn write_sheets(
        &self,
        plan: &Plan,
        template: &Template,
        total: impl FnOnce(usize),
        worked: &(dyn Fn() + Sync),
    ) -> Result<Written, RunError> {
        let Self { character, options, cancelled, .. } = *self;
        if plan.pictures.is_empty() {
            let message = "no frame is chosen, so there is nothing to write";
            return Err(Error::misuse("nothing-to-write", message).into());
        }
        let ranges = sheet_ranges(&plan.pictures, template.names_animation());
        let name = options.files.first().map(|file| input_name(file)).unwrap_or_default();
        let path = |(index, range): (usize, &std::ops::Range<usize>)| {
            let animation = plan.pictures[range.start].animation_name(character.model());
            template.fill(Values { name: &name, animation, index, frame: 0 })
        };
        let paths: Vec<PathBuf> = ranges.iter().enumerate().map(path).collect();
        // Before anything is drawn, as far as it is known.
        let is_json = |path: &&PathBuf| SheetKind::of_path(path) == Some(SheetKind::Json);
        let pictures = paths.iter().filter(is_json).map(|path| path.with_extension("png"));
        self.check(&pictures.chain(paths.iter().cloned()).collect::<Vec<_>>())?;
        total(plan.pictures.len() * options.sheet.passes());
        // The plan has checked the memory that pictures take.
        let renderer = cpu::Renderer::new(character.model()).with_max_bytes(u64::MAX);
        // Beside the picture that is drawn, two that are encoded may wait for their turn.
        let sequence = self.sequence(plan, 3);
        let job = |range: std::ops::Range<usize>| SheetJob {
            sequence: &sequence,
            options,
            pictures: &plan.pictures[range],
            worked,
        };
        let mut drawing = Drawing::new(Engine::Cpu(&renderer), None);
        let mut sheets: Vec<(SheetJob<'_>, PlannedSheet)> = Vec::with_capacity(paths.len());
        for (range, path) in ranges.into_iter().zip(&paths) {
            let job = job(range);
            let Some(planned) = job.plan(&mut drawing, Some(path))? else { return Ok(Written::default()) };
            sheets.push((job, planned));
        }
        let files: Vec<PathBuf> =
            sheets.iter().flat_map(|(_, sheet)| &sheet.files).map(|file| file.path.clone()).collect();
        self.check(&files)?;
        let whole = WholeFiles::begin(&files)?;
        for (job, sheet) in &sheets {
            for file in &sheet.files {
                let mut out = OutputFile::create(&file.path, options.force)?;
                if !job.write(&mut drawing, sheet, file, &mut out)? {
                    return Ok(Written::default());
                }
                whole.add(&file.path, out.close()?);
            }
        }
        // Who cancels while the last file is closed means it all the same.
        if cancelled.load(Ordering::Relaxed) {
            return Ok(Written::default());
        }
        whole.finish(&files)?;
        // The one that is opened first.
        let files = files.into_iter().rev().collect();
        Ok(Written { files, outcome: Outcome { is_finished: true, ..Outcome::default() } })
    }
}
