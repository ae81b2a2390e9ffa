//! Renders the pictures of a plan and compares each with its reference.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::judge::{Judgement, Reference};
use super::record::{FrameRecord, Verdict};
use super::report::ReportWriter;
use super::target::{Place, Target};
use crate::shared::stdio::portable;
use pchr::Character;
use pchr::draw::Picture;
use pchr::export::{
    Drawing, ExportError, OutputFiles, Plan, Planned, RenderOptions, Sequence, VisibleAnimations, write_png,
};
use pchr::golden::{Allowance, heat_map};
use pchr::{Error, Result};

/// Code of a failure because nothing is visible.
pub const NOTHING_VISIBLE: &str = "nothing-visible";

/// The pictures of one character and their references.
pub struct Check<'a> {
    /// The character's file as given.
    pub file: &'a Path,
    /// The name of the settings, if they have one.
    pub name: Option<&'a str>,
    /// The character.
    pub character: &'a Character,
    /// The files the character was read from; they are never overwritten.
    pub sources: &'a [PathBuf],
    /// How pictures are drawn, in the format of the references.
    pub options: &'a RenderOptions,
    /// The pictures.
    pub plan: &'a Plan,
    /// By picture.
    pub targets: &'a [Target],
    /// How much pictures may differ.
    pub allowance: Allowance,
    /// Replaces references that differ.
    pub update: bool,
    /// The animations that were visible, if pictures of others must not become references.
    pub refused_empty: Option<&'a VisibleAnimations>,
    /// Whether the report contains pictures of frames that are the same.
    pub reports_same: bool,
    /// Receives the pictures, from any thread.
    pub report: Option<&'a ReportWriter>,
    /// Called after each picture, from any thread.
    pub picture_done: &'a (dyn Fn() + Sync),
}

/// The records of a character's pictures, in order; `None` if the run was cancelled.
pub type Checked = std::result::Result<Option<Vec<FrameRecord>>, ExportError>;

impl Check<'_> {
    /// Renders and compares all pictures. Either all files are written or none.
    pub fn run(&self, drawing: &mut Drawing<'_>, sequence: &Sequence<'_>) -> Checked {
        let files = OutputFiles::default();
        let records = if self.options.format().takes_all_frames() {
            self.run_clips(drawing, sequence, &files)?
        } else {
            self.run_stills(drawing, sequence, &files)?
        };
        if let Some(records) = &records {
            self.refuse_empty(records)?;
            let written: HashSet<_> = files.finish()?.into_iter().collect();
            let places = self.targets.iter().flat_map(|target| [&target.now, &target.diff]);
            places.filter(|place| !written.contains(&*place.path)).for_each(Place::remove_stale);
        }
        Ok(records)
    }

    /// Fails if a new reference is of an animation in which nothing is visible.
    fn refuse_empty(&self, records: &[FrameRecord]) -> Result<()> {
        let Some(visible) = self.refused_empty else { return Ok(()) };
        let pictures = self.plan.pictures.iter().zip(records);
        let mut updated = pictures.filter(|(_, record)| record.verdict == Verdict::Updated);
        let Some((_, record)) = updated.find(|(picture, _)| !visible.has(picture.animation)) else {
            return Ok(());
        };
        let animation = record.animation.as_deref().unwrap_or("the bind pose");
        let message =
            format!("nothing is visible in any chosen frame of `{animation}`; it does not become a reference");
        Err(Error::unsupported(NOTHING_VISIBLE, pchr::error::Place::file(self.file.display()), message))
    }

    /// Returns the record of a picture for which no file was written yet.
    pub(super) fn record(&self, at: usize, judgement: Judgement) -> FrameRecord {
        let (model, view) = (self.character.model(), &self.plan.view);
        let (picture, target): (&Planned, _) = (&self.plan.pictures[at], &self.targets[at]);
        let Judgement { verdict, difference, reference_size, message } = judgement;
        FrameRecord {
            animation: picture.animation.map(|id| model.animation(id).name.clone()),
            character: portable(self.file),
            diff: None,
            difference,
            frame: picture.frame,
            index: target.index,
            message,
            name: self.name.map(str::to_owned),
            now: None,
            reference: portable(&target.reference),
            reference_size,
            seconds: picture.seconds(model),
            size: [view.width(), view.height()],
            verdict,
        }
    }

    /// Writes the picture that shows how a frame differs, if it does, and returns it as a PNG.
    pub(super) fn show_difference(
        &self,
        at: usize,
        reference: &Reference,
        now: &Picture,
        record: &mut FrameRecord,
        files: &OutputFiles,
    ) -> Result<Option<Vec<u8>>> {
        let map = reference
            .found()
            .and_then(|picture| heat_map(picture, now, self.allowance.tolerance, self.options.look.alpha));
        let Some(map) = map.filter(|_| record.verdict == Verdict::Different) else { return Ok(None) };
        let png = encoded(&map)?;
        let place = &self.targets[at].diff;
        if self.update && place.is_ours() {
            return Ok(Some(png));
        }
        files.write(&place.path, self.may_replace(place), |file| file.write_all(&png))?;
        record.diff = Some(portable(&place.path));
        Ok(Some(png))
    }

    /// Returns the report, unless it leaves out this frame.
    pub(super) fn report_of(&self, record: &FrameRecord) -> Option<&ReportWriter> {
        self.report.filter(|_| self.reports_same || record.verdict != Verdict::Same)
    }

    pub(super) fn may_replace(&self, place: &Place) -> bool {
        place.is_ours() || self.options.output.force
    }
}

/// Encodes a picture as a PNG.
pub(super) fn encoded(picture: &Picture) -> Result<Vec<u8>> {
    let mut png = Vec::new();
    write_png(picture, &mut png).map_err(|error| Error::io("the picture", error))?;
    Ok(png)
}
