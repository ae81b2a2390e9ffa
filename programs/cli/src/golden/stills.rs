//! References that are one picture per file.

use std::io::Write;

use super::check::{Check, Checked, encoded};
use super::judge::{Reference, judge};
use super::record::{FrameRecord, Verdict};
use super::report::FramePictures;
use crate::shared::stdio::portable;
use pchr::Result;
use pchr::draw::Picture;
use pchr::export::{Drawing, OutputFiles, Sequence};
use pchr::formats::read_file;
use pchr::golden::decode_reference;
use pchr::motion::Cue;

impl Check<'_> {
    /// Compares pictures with one reference file each. References are read on the threads that render.
    pub(super) fn run_stills(
        &self,
        drawing: &mut Drawing<'_>,
        sequence: &Sequence<'_>,
        files: &OutputFiles,
    ) -> Checked {
        let cues: Vec<&Cue> = self.plan.pictures.iter().map(|picture| &picture.cue).collect();
        let mut records = Vec::with_capacity(cues.len());
        let compare = |at: usize, picture: &mut Picture| {
            sequence.surface.finish(picture);
            Ok(self.compare_still(at, picture, files)?)
        };
        let mut keep = |record| {
            records.push(record);
            (self.picture_done)();
            Ok(())
        };
        let is_finished = sequence.stream(drawing, &cues, &compare, &mut keep)?;
        Ok(is_finished.then_some(records))
    }

    fn compare_still(&self, at: usize, now: &Picture, files: &OutputFiles) -> Result<FrameRecord> {
        let (target, limits) = (&self.targets[at], &self.options.read.limits);
        let mut stored = None;
        let reference = Reference::of(read_file(&target.reference, limits).and_then(|bytes| {
            let picture = decode_reference(&bytes, limits);
            stored = Some(bytes);
            picture.map_err(|error| error.in_file(target.reference.display()))
        }));
        let mut record = self.record(at, judge(&reference, now, &self.allowance, self.options.look.alpha));
        let mut pictures = FramePictures::default();
        if record.verdict != Verdict::Same {
            pictures.difference = self.show_difference(at, &reference, now, &mut record, files)?;
            let png = encoded(now)?;
            self.write_still(at, &png, &mut record, files)?;
            pictures.now = Some(png);
        }
        if let Some(report) = self.report_of(&record) {
            pictures.reference = stored.filter(|_| reference.found().is_some()).map(|bytes| bytes.to_vec());
            report.add(target.index, pictures)?;
        }
        Ok(record)
    }

    /// Writes a picture that is not the same as its reference, in place of it if it is to be updated.
    fn write_still(&self, at: usize, png: &[u8], record: &mut FrameRecord, files: &OutputFiles) -> Result<()> {
        let target = &self.targets[at];
        if self.update {
            files.write(&target.reference, true, |file| file.write_all(png))?;
            record.verdict = Verdict::Updated;
            return Ok(());
        }
        let (path, overwrite) = match record.verdict {
            Verdict::Missing => (&target.missing, self.options.output.force),
            _ => (&target.now.path, self.may_replace(&target.now)),
        };
        files.write(path, overwrite, |file| file.write_all(png))?;
        record.now = Some(portable(path));
        Ok(())
    }
}
