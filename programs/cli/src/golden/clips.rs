//! References that hold many frames in one file: animated pictures and sprite sheets.
//!
//! The new file is encoded to a temporary folder first and read back, so that both sides went through the same
//! format: the colours of a GIF, for example, depend on all of its frames.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::check::{Check, Checked, encoded};
use super::judge::{Judgement, Reference, is_missing, judge};
use super::record::{FrameRecord, Verdict};
use super::report::FramePictures;
use crate::shared::stdio::portable;
use pchr::error::with_sources;
use pchr::export::{
    Batch, BatchError, Commit, Drawing, ExportError, Observer, OutputFiles, OutputPath, PlannedFile, Sequence,
    source_among,
};
use pchr::golden::{Frames, GoldenFrame};
use pchr::{Error, Result};

/// Frames may be shown this much longer or shorter: formats round durations.
const ALLOWED_MS: f64 = 0.5;

impl Check<'_> {
    /// Compares files that hold several pictures.
    pub(super) fn run_clips(
        &self,
        drawing: &mut Drawing<'_>,
        sequence: &Sequence<'_>,
        files: &OutputFiles,
    ) -> Checked {
        let mut records = Vec::with_capacity(self.targets.len());
        let mut start = 0;
        for group in self.targets.chunk_by(|a, b| a.reference == b.reference) {
            let pictures = start..start + group.len();
            start = pictures.end;
            let folder = tempfile::tempdir().map_err(|error| Error::io("the temporary folder", error))?;
            let destination = self.destination(pictures.start);
            // The name counts: the files of a sheet refer to each other.
            let name = destination.file_name().unwrap_or_default();
            let file =
                PlannedFile { path: Some(OutputPath::below(folder.path(), name)), pictures: pictures.clone() };
            let Some(written) = self.write_clip(drawing, sequence, &file)? else { return Ok(None) };
            let mut compared = self.compare_clip(pictures, &written[0], files)?;
            if compared.iter().any(|record| record.verdict != Verdict::Same) {
                self.keep_clip(&written, destination, start - group.len(), &mut compared, files)?;
            }
            records.extend(compared);
        }
        Ok(Some(records))
    }

    /// Returns where the file that starts with picture `first` is written if it differs.
    fn destination(&self, first: usize) -> &OutputPath {
        let target = &self.targets[first];
        if self.update {
            &target.reference
        } else if target.reference.exists() {
            &target.now.path
        } else {
            &target.missing
        }
    }

    /// Renders one file and returns the paths of everything that was written, the main file first; `None` if
    /// cancelled.
    fn write_clip(
        &self,
        drawing: &mut Drawing<'_>,
        sequence: &Sequence<'_>,
        file: &PlannedFile,
    ) -> std::result::Result<Option<Vec<PathBuf>>, ExportError> {
        let batch = Batch {
            sequence: *sequence,
            options: self.options,
            plan: self.plan,
            files: std::slice::from_ref(file),
            sources: &[],
            commit: Commit::Together,
            may_replace: &|_| true,
            observer: self,
        };
        let written = batch.write(drawing, &mut std::io::sink()).map_err(|error| match error {
            BatchError::Export(error) => error,
            BatchError::Outputs(error) => Error::misuse("outputs", error.to_string()).into(),
        })?;
        Ok(written.outcome.is_finished.then_some(written.files))
    }

    /// Compares the new file `main` with its reference, frame by frame.
    fn compare_clip(&self, pictures: Range<usize>, main: &Path, files: &OutputFiles) -> Result<Vec<FrameRecord>> {
        let open = |path| Frames::open(path, self.options.format(), &self.plan.view, &self.options.read.limits);
        let mut references = ReferenceFrames::new(open(&self.targets[pictures.start].reference));
        let mut records = Vec::with_capacity(pictures.len());
        let count = pictures.len();
        for (at, now) in pictures.zip(open(main)?) {
            records.push(self.compare_frame(at, &now?, references.next(), files)?);
        }
        if records.len() != count {
            let message = format!("{count} frames were written, {} can be read back", records.len());
            return Err(Error::misuse("frames", message));
        }
        if let Some(last) = records.last_mut().filter(|_| references.has_more()) {
            last.verdict = Verdict::Resized;
            last.message = Some("the reference has more frames after this one".to_owned());
        }
        Ok(records)
    }

    fn compare_frame(
        &self,
        at: usize,
        now: &GoldenFrame,
        (reference, shown_ms): (Reference, Option<f64>),
        files: &OutputFiles,
    ) -> Result<FrameRecord> {
        let mut judgement = judge(&reference, &now.picture, &self.allowance, self.options.look.alpha);
        judge_duration(&mut judgement, shown_ms, now.shown_ms);
        let mut record = self.record(at, judgement);
        let difference = self.show_difference(at, &reference, &now.picture, &mut record, files)?;
        if let Some(report) = self.report_of(&record) {
            let is_same = record.verdict == Verdict::Same;
            let now = (!is_same).then(|| encoded(&now.picture)).transpose()?;
            let reference = reference.found().map(encoded).transpose()?;
            report.add(record.index, FramePictures { reference, now, difference })?;
        }
        Ok(record)
    }

    /// Adds the new files of a clip that starts with picture `first` to those that are written at the end. The main
    /// file is the first in `written`.
    fn keep_clip(
        &self,
        written: &[PathBuf],
        destination: &OutputPath,
        first: usize,
        records: &mut [FrameRecord],
        files: &OutputFiles,
    ) -> Result<()> {
        let place = &self.targets[first].now;
        let overwrite = self.update || self.options.output.force || place.is_ours() && *destination == place.path;
        let places: Vec<OutputPath> =
            written.iter().map(|path| destination.with_file_name(path.file_name().unwrap_or_default())).collect();
        if let Some(source) = source_among(&places, self.sources) {
            let message = format!("`{}` is an input file and cannot be overwritten", source.display());
            return Err(Error::misuse("source", message));
        }
        // The main file refers to the others, so it comes last.
        for (path, place) in written.iter().zip(&places).rev() {
            let bytes = std::fs::read(path).map_err(|error| Error::io(path.display(), error))?;
            files.write(place, overwrite, |file| file.write_all(&bytes))?;
        }
        for record in records.iter_mut().filter(|record| record.verdict != Verdict::Same) {
            if self.update {
                record.verdict = Verdict::Updated;
            } else {
                record.now = Some(portable(destination));
            }
        }
        Ok(())
    }
}

impl Observer for Check<'_> {
    fn picture_done(&self) {
        (self.picture_done)();
    }
}

/// Frames of a reference that may be missing or damaged.
struct ReferenceFrames {
    frames: Option<Frames>,
    /// Why no further frame can be read.
    failed: Option<String>,
}

impl ReferenceFrames {
    fn new(opened: Result<Frames>) -> Self {
        match opened {
            Ok(frames) => Self { frames: Some(frames), failed: None },
            Err(error) if is_missing(&error) => Self { frames: None, failed: None },
            Err(error) => Self { frames: None, failed: Some(with_sources(&error)) },
        }
    }

    /// Returns the next frame and how long it is shown.
    fn next(&mut self) -> (Reference, Option<f64>) {
        if let Some(message) = &self.failed {
            return (Reference::Unreadable(message.clone()), None);
        }
        match self.frames.as_mut().and_then(Iterator::next) {
            None => (Reference::Missing, None),
            Some(Ok(frame)) => (Reference::Found(frame.picture), Some(frame.shown_ms)),
            Some(Err(error)) => {
                let message = with_sources(&error);
                self.failed = Some(message.clone());
                (Reference::Unreadable(message), None)
            }
        }
    }

    /// Returns true if there is another frame.
    fn has_more(self) -> bool {
        self.frames.is_some_and(|mut frames| frames.next().is_some_and(|frame| frame.is_ok()))
    }
}

/// A frame that is shown for another time is different even if its pixels are the same.
fn judge_duration(judgement: &mut Judgement, reference_ms: Option<f64>, now_ms: f64) {
    let Some(reference_ms) = reference_ms.filter(|ms| (ms - now_ms).abs() > ALLOWED_MS) else { return };
    if matches!(judgement.verdict, Verdict::Same | Verdict::Different) {
        let pixels = judgement.message.take().map(|message| format!("; {message}")).unwrap_or_default();
        judgement.verdict = Verdict::Different;
        judgement.message =
            Some(format!("it is shown for {now_ms:.1} ms, the reference for {reference_ms:.1} ms{pixels}"));
    }
}
