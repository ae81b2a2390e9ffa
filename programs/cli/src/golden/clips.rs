//! References that hold many frames in one file: animated pictures and sprite sheets.
//!
//! The new file is encoded to a temporary folder first and read back, so that both sides went through the same
//! format: the colours of a GIF, for example, depend on all of its frames.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::check::{Check, Checked, encoded};
use super::files::check_sources;
use super::record::{FrameRecord, Verdict};
use super::reference::Reference;
use pchr::export::{
    Batch, BatchError, Commit, Drawing, ExportError, Observer, OutputFiles, OutputPath, PlannedFile, Sequence,
};
use pchr::golden::Frames;
use pchr::{Error, Result};

impl Check<'_> {
    /// Compares files that hold several pictures.
    pub(super) fn run_clips(
        &self,
        drawing: &mut Drawing<'_>,
        sequence: &Sequence<'_>,
        out: &OutputFiles,
    ) -> Checked {
        let mut records = Vec::with_capacity(self.files.len());
        for clip in self.files.chunk_by(|a, b| a.reference == b.reference) {
            let pictures = records.len()..records.len() + clip.len();
            let folder = tempfile::tempdir().map_err(|error| Error::io("the temporary folder", error))?;
            let is_missing = !clip[0].reference.exists();
            let (destination, may_replace) = self.destination(pictures.start, is_missing);
            // The name counts: the files of a sheet refer to each other.
            let name = destination.file_name().unwrap_or_default();
            let file =
                PlannedFile { path: Some(OutputPath::below(folder.path(), name)), pictures: pictures.clone() };
            let Some(written) = self.write_clip(drawing, sequence, &file)? else { return Ok(None) };
            let mut compared = self.compare_clip(pictures, &written[0], out)?;
            let mut wrong = compared.iter_mut().filter(|record| record.verdict != Verdict::Same).peekable();
            if wrong.peek().is_some() {
                self.keep_clip(&written, destination, may_replace, out)?;
            }
            wrong.for_each(|record| self.record_written(record, destination));
            records.extend(compared);
        }
        Ok(Some(records))
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
    fn compare_clip(&self, pictures: Range<usize>, main: &Path, out: &OutputFiles) -> Result<Vec<FrameRecord>> {
        let open = |path| Frames::open(path, self.options.format(), &self.plan.view, &self.options.read.limits);
        let mut references = Reference::of(open(&self.files[pictures.start].reference));
        let mut records = Vec::with_capacity(pictures.len());
        let count = pictures.len();
        for (at, now) in pictures.zip(open(main)?) {
            let (now, reference) = (now?, references.next());
            let (record, shown) = self.compare(at, &reference, (&now.picture, now.shown_ms), out)?;
            self.add_to_report(&record, shown, || reference.picture().map(encoded).transpose())?;
            records.push(record);
        }
        if records.len() != count {
            let message = format!("{count} frames were written, {} can be read back", records.len());
            return Err(Error::misuse("frames", message));
        }
        if let Some(last) = records.last_mut().filter(|_| references.next().found().is_some()) {
            last.set(Verdict::Resized, "the reference has more frames after this one");
        }
        Ok(records)
    }

    /// Adds the files of a clip to those that are written at the end. The main file is the first in `written`.
    fn keep_clip(
        &self,
        written: &[PathBuf],
        destination: &OutputPath,
        may_replace: bool,
        out: &OutputFiles,
    ) -> Result<()> {
        let names = written.iter().map(|path| path.file_name().unwrap_or_default());
        let places: Vec<OutputPath> = names.map(|name| destination.with_file_name(name)).collect();
        check_sources(&places, self.sources)?;
        // The main file refers to the others, so it comes last.
        for (path, place) in written.iter().zip(&places).rev() {
            let bytes = std::fs::read(path).map_err(|error| Error::io(path.display(), error))?;
            out.write(place, may_replace, |file| file.write_all(&bytes))?;
        }
        Ok(())
    }
}

impl Observer for Check<'_> {
    fn picture_done(&self) {
        (self.picture_done)();
    }
}
