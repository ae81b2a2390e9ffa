//! References that are one picture per file.

use std::io::Write;

use super::check::{Check, Checked};
use super::record::{FrameRecord, Verdict};
use super::reference::Reference;
use pchr::Result;
use pchr::draw::Picture;
use pchr::export::{Drawing, OutputFiles, Sequence};
use pchr::formats::read_file;
use pchr::golden::{GoldenFrame, decode_reference};
use pchr::motion::Cue;

impl Check<'_> {
    /// Compares pictures with one reference file each. References are read on the threads that render.
    pub(super) fn run_stills(
        &self,
        drawing: &mut Drawing<'_>,
        sequence: &Sequence<'_>,
        out: &OutputFiles,
    ) -> Checked {
        let cues: Vec<&Cue> = self.plan.pictures.iter().map(|picture| &picture.cue).collect();
        let mut records = Vec::with_capacity(cues.len());
        let compare = |at: usize, picture: &mut Picture| {
            sequence.surface.finish(picture);
            Ok(self.compare_still(at, picture, out)?)
        };
        let mut keep = |record| {
            records.push(record);
            (self.picture_done)();
            Ok(())
        };
        let is_finished = sequence.stream(drawing, &cues, &compare, &mut keep)?;
        Ok(is_finished.then_some(records))
    }

    fn compare_still(&self, at: usize, now: &Picture, out: &OutputFiles) -> Result<FrameRecord> {
        let (path, limits) = (&self.files[at].reference, &self.options.read.limits);
        let mut stored = None;
        let reference = Reference::of(read_file(path, limits).and_then(|bytes| {
            let picture = decode_reference(&bytes, limits).map_err(|error| error.in_file(path.display()))?;
            stored = Some(bytes);
            Ok(GoldenFrame { picture, shown_ms: 0.0 })
        }));
        let (mut record, pictures) = self.compare(at, &reference, (now, 0.0), out)?;
        if let Some(png) = &pictures.now {
            let (path, may_replace) = self.destination(at, record.verdict == Verdict::Missing);
            out.write(path, may_replace, |file| file.write_all(png))?;
            self.record_written(&mut record, path);
        }
        self.add_to_report(&record, pictures, || Ok(stored.map(|bytes| bytes.to_vec())))?;
        Ok(record)
    }
}
