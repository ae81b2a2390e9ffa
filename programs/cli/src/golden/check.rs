//! Renders the pictures of a plan and compares each with its reference.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::files::{Earlier, NewFile, PictureFiles};
use super::judge::judge;
use super::record::{FrameRecord, Verdict};
use super::reference::Reference;
use super::report::{FramePictures, ReportWriter};
use crate::shared::failure::Failure;
use crate::shared::interrupt;
use crate::shared::stdio::portable;
use pchr::draw::Picture;
use pchr::export::{
    Drawing, ExportError, OutputFiles, OutputPath, Plan, RenderOptions, VisibleAnimations, write_png,
};
use pchr::golden::{Allowance, heat_map};
use pchr::{Character, Error, Result};

/// Code of a failure because nothing is visible.
const NOTHING_VISIBLE: &str = "nothing-visible";

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
    pub files: &'a [PictureFiles],
    /// How much pictures may differ.
    pub allowance: Allowance,
    /// Replaces references that differ.
    pub update: bool,
    /// Receives the animations that are visible.
    pub visible: &'a VisibleAnimations,
    /// Whether pictures of animations that are not visible must not become references.
    pub refuses_empty: bool,
    /// Whether the report contains pictures of frames that are the same.
    pub reports_same: bool,
    /// Receives the pictures, from any thread.
    pub report: Option<&'a ReportWriter>,
    /// Called after each picture, from any thread.
    pub picture_done: &'a (dyn Fn() + Sync),
}

/// The records of a character's pictures, in order; `None` if the run was cancelled.
pub(super) type Checked = std::result::Result<Option<Vec<FrameRecord>>, ExportError>;

impl Check<'_> {
    /// Renders and compares all pictures, and returns their records in order. Either all files are written or none.
    pub fn run(&self, drawing: &mut Drawing<'_>) -> std::result::Result<Vec<FrameRecord>, Failure> {
        let checked = self.checked(drawing).map_err(|error| match error {
            ExportError::File(error) if error.code() == NOTHING_VISIBLE => {
                Failure::Empty { error, help: Some("--allow-empty accepts it".to_owned()) }
            }
            error => Failure::exporting(error),
        });
        checked?.ok_or(Failure::Interrupted)
    }

    fn checked(&self, drawing: &mut Drawing<'_>) -> Checked {
        let sequence = self.options.sequence(self.character, self.plan, interrupt::flag()).recording(self.visible);
        let out = OutputFiles::default();
        let is_clip = self.options.format().takes_all_frames();
        let run = if is_clip { Self::run_clips } else { Self::run_stills };
        let Some(records) = run(self, drawing, &sequence, &out)? else { return Ok(None) };
        self.refuse_empty(&records)?;
        let written: HashSet<_> = out.finish()?.into_iter().collect();
        let new = self.files.iter().flat_map(|files| [&files.now, &files.diff]);
        new.filter(|file| !written.contains(&*file.path)).for_each(NewFile::remove_stale);
        Ok(Some(records))
    }

    /// Fails if a new reference is of an animation in which nothing is visible.
    fn refuse_empty(&self, records: &[FrameRecord]) -> Result<()> {
        let pictures = self.plan.pictures.iter().zip(records).filter(|_| self.refuses_empty);
        let mut updated = pictures.filter(|(_, record)| record.verdict == Verdict::Updated);
        let Some((_, record)) = updated.find(|(picture, _)| !self.visible.has(picture.animation)) else {
            return Ok(());
        };
        let animation = record.animation.as_deref().unwrap_or("the bind pose");
        let message =
            format!("nothing is visible in any chosen frame of `{animation}`; it does not become a reference");
        Err(Error::unsupported(NOTHING_VISIBLE, pchr::error::Place::file(self.file.display()), message))
    }

    /// Compares a picture, which is shown for `now_ms`, with its reference, and writes the picture that shows how they
    /// differ. Returns its record, and its pictures for the report: that one and, if it is needed, the new one.
    pub(super) fn compare(
        &self,
        at: usize,
        reference: &Reference,
        (now, now_ms): (&Picture, f64),
        out: &OutputFiles,
    ) -> Result<(FrameRecord, FramePictures)> {
        let mut record = self.unjudged(at);
        judge(&mut record, reference, now, now_ms, &self.allowance, self.options.look.alpha);
        let mut pictures = FramePictures::default();
        if record.verdict == Verdict::Same {
            return Ok((record, pictures));
        }
        pictures.difference = self.show_difference(at, reference, now, &mut record, out)?;
        if self.report.is_some() || !self.options.format().takes_all_frames() {
            pictures.now = Some(encoded(now)?);
        }
        Ok((record, pictures))
    }

    /// Returns the record of a picture that was not compared yet.
    fn unjudged(&self, at: usize) -> FrameRecord {
        let (model, view) = (self.character.model(), &self.plan.view);
        let (picture, files) = (&self.plan.pictures[at], &self.files[at]);
        FrameRecord {
            animation: picture.animation.map(|id| model.animation(id).name.clone()),
            character: portable(self.file),
            diff: None,
            difference: None,
            frame: picture.frame,
            index: files.index,
            message: None,
            name: self.name.map(str::to_owned),
            now: None,
            reference: portable(&files.reference),
            reference_size: None,
            seconds: picture.seconds(model),
            size: [view.width(), view.height()],
            verdict: Verdict::Same,
        }
    }

    /// Writes the picture that shows how a frame differs, if it does, and returns it as a PNG.
    fn show_difference(
        &self,
        at: usize,
        reference: &Reference,
        now: &Picture,
        record: &mut FrameRecord,
        out: &OutputFiles,
    ) -> Result<Option<Vec<u8>>> {
        let different = reference.picture().filter(|_| record.verdict == Verdict::Different);
        let (tolerance, alpha) = (self.allowance.tolerance, self.options.look.alpha);
        let Some(map) = different.and_then(|picture| heat_map(picture, now, tolerance, alpha)) else {
            return Ok(None);
        };
        let png = encoded(&map)?;
        let diff = &self.files[at].diff;
        if !self.update || diff.earlier == Earlier::Kept {
            let may_replace = diff.may_replace(self.options.output.force);
            out.write(&diff.path, may_replace, |file| file.write_all(&png))?;
            record.diff = Some(portable(&diff.path));
        }
        Ok(Some(png))
    }

    /// Returns where the new picture `at` is written if it is not the same, and whether it may replace an earlier file.
    pub(super) fn destination(&self, at: usize, is_missing: bool) -> (&OutputPath, bool) {
        let (files, force) = (&self.files[at], self.options.output.force);
        if self.update {
            (&files.reference, true)
        } else if is_missing {
            (files.missing(), force)
        } else {
            (&files.now.path, files.now.may_replace(force))
        }
    }

    /// Records that the new picture of a frame was written to `path`.
    pub(super) fn record_written(&self, record: &mut FrameRecord, path: &OutputPath) {
        if self.update {
            record.verdict = Verdict::Updated;
        } else {
            record.now = Some(portable(path));
        }
    }

    /// Adds the pictures of a frame to the report, unless that leaves out this frame. `reference` returns the reference
    /// as a PNG.
    pub(super) fn add_to_report(
        &self,
        record: &FrameRecord,
        pictures: FramePictures,
        reference: impl FnOnce() -> Result<Option<Vec<u8>>>,
    ) -> Result<()> {
        match self.report.filter(|_| self.reports_same || record.verdict != Verdict::Same) {
            Some(report) => report.add(record.index, FramePictures { reference: reference()?, ..pictures }),
            None => Ok(()),
        }
    }
}

/// Encodes a picture as a PNG.
pub(super) fn encoded(picture: &Picture) -> Result<Vec<u8>> {
    let mut png = Vec::new();
    write_png(picture, &mut png).map_err(|error| Error::io("the picture", error))?;
    Ok(png)
}
