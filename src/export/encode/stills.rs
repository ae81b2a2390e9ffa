//! Pictures → one PNG for each.

use std::io::{self, Write};

use super::png::PngSink;
use super::png::write_png;
use crate::Error;
use crate::draw::Picture;
use crate::export::error::ExportError;
use crate::export::files::{OutputFile, OutputPath};
use crate::export::frames::{Drawing, Sequence};
use crate::motion::Cue;

/// One picture of a sequence and its file.
#[derive(Debug, Clone)]
pub struct Shot {
    /// What is shown.
    pub cue: Cue,
    /// The output path.
    pub path: OutputPath,
    /// Whether an existing file may be replaced.
    pub overwrite: bool,
}

impl Sequence<'_> {
    /// Renders every shot and writes each to its file as a PNG. `written` is called for each file, from any
    /// thread.
    ///
    /// After an error no new picture is started and the first error is returned; files written by then are kept.
    /// Returns false if cancelled.
    #[cfg(test)]
    pub(crate) fn write(
        &self,
        drawing: &mut Drawing<'_>,
        shots: &[Shot],
        written: &(dyn Fn(&Shot) + Sync),
    ) -> Result<bool, ExportError> {
        self.write_each(drawing, shots, &|shot, file| {
            file.finish()?;
            written(shot);
            Ok(())
        })
    }

    /// Renders every shot and encodes it as a PNG; `done` moves its file into place. Called from any thread.
    ///
    /// After an error no new picture is started and the first error is returned. Returns false if cancelled.
    pub(in crate::export) fn write_each(
        &self,
        drawing: &mut Drawing<'_>,
        shots: &[Shot],
        done: &(dyn Fn(&Shot, OutputFile) -> Result<(), ExportError> + Sync),
    ) -> Result<bool, ExportError> {
        let cues: Vec<&Cue> = shots.iter().map(|shot| &shot.cue).collect();
        let save = |index: usize, picture: &mut Picture| {
            let shot: &Shot = &shots[index];
            self.surface.finish(picture);
            let mut file = OutputFile::create(&shot.path, shot.overwrite)?;
            let is_complete = self.write_png(picture, &mut file);
            if is_complete.map_err(|error| Error::io(shot.path.display(), error))? {
                done(shot, file)?;
            }
            Ok(())
        };
        self.stream(drawing, &cues, &save, &mut |()| Ok(()))
    }

    /// Writes a finished picture as a PNG. Returns false if cancelled; the output is incomplete then.
    pub(in crate::export) fn write_png(
        &self,
        picture: &Picture,
        out: &mut (dyn Write + Send),
    ) -> io::Result<bool> {
        let mut sink = PngSink::new(out, self.is_optimized, self.limits);
        write_png(picture, &mut sink)?;
        sink.finish(self.cancelled)
    }
}
