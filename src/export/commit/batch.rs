//! Planned pictures → files: renders and encodes the pictures and moves the finished files into place.
//!
//! Every file is written completely or not at all; with [`Commit::Together`] that holds for all files of a batch.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::export::encode::{ContactSheet, Destination, Outcome, PlannedSheet, SheetJob, Shot};
use crate::export::error::ExportError;
use crate::export::files::{OutputFile, OutputFiles, OutputPath};
use crate::export::frames::{Drawing, Sequence};
use crate::export::options::{Format, RenderOptions};
use crate::export::plan::check_paths;
use crate::export::plan::{OutputsError, Plan, Planned, PlannedFile};
use crate::motion::Cue;

/// The files of one character, written in order.
pub struct Batch<'a> {
    /// How pictures are drawn.
    pub sequence: Sequence<'a>,
    /// Encoding options.
    pub options: &'a RenderOptions,
    /// The pictures.
    pub plan: &'a Plan,
    /// The files to write.
    pub files: &'a [PlannedFile],
    /// The files the character was read from; they are never overwritten.
    pub sources: &'a [PathBuf],
    /// When finished files are moved into place.
    pub commit: Commit,
    /// Decides which existing files may be overwritten.
    pub may_replace: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Receives progress.
    pub observer: &'a dyn Observer,
}

/// When finished files are moved into place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Commit {
    /// Each file as soon as it is complete. The files of one sheet are moved together.
    Each,
    /// All files at the end, or none.
    Together,
}

/// Receives the progress of a batch.
pub trait Observer: Sync {
    /// Called after each processed picture, from any thread: [`RenderOptions::passes`] times per picture, or less
    /// often if a sheet has identical frames.
    fn picture_done(&self) {}

    /// Called when a file is in place, from any thread.
    fn written(&self, _path: &Path) {}

    /// Called when an animated file is complete.
    fn clip_done(&self, _file: &PlannedFile, _outcome: Outcome) {}
}

/// Nobody observes.
impl Observer for () {}

/// Result of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// All files; empty if cancelled. The main file of a sheet comes first.
    pub files: Vec<PathBuf>,
    /// Combined outcome of all files. `is_finished` is false if cancelled.
    pub outcome: Outcome,
}

/// An error that prevented a batch from being written completely.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The output files cannot be written at these paths.
    #[error(transparent)]
    Outputs(#[from] OutputsError),
    /// Any other error.
    #[error(transparent)]
    Export(#[from] ExportError),
}

impl From<Error> for BatchError {
    fn from(error: Error) -> Self {
        Self::Export(error.into())
    }
}

type Result<T> = std::result::Result<T, BatchError>;

/// Receives the encoded files.
struct Sinks<'a> {
    stdout: &'a mut (dyn Write + Send),
    /// Files that wait for each other, with [`Commit::Together`].
    together: Option<OutputFiles>,
    written: Written,
}

impl Batch<'_> {
    /// Draws, encodes and writes everything. Files without a path are written to `stdout`.
    pub fn write(&self, drawing: &mut Drawing<'_>, stdout: &mut (dyn Write + Send)) -> Result<Written> {
        let outcome = Outcome { is_finished: true, ..Outcome::default() };
        let together = (self.commit == Commit::Together).then(OutputFiles::default);
        let mut sinks = Sinks { stdout, together, written: Written { files: Vec::new(), outcome } };
        let format = self.options.format();
        let is_finished = if let Some(grid) = self.options.contact_sheet() {
            self.write_singly(&mut sinks, |pictures, destination| {
                self.sequence.write_contact_sheet(drawing, ContactSheet { grid, pictures }, destination)
            })?
        } else if format == Format::Psd {
            let groups = self.options.output.psd_groups;
            self.write_singly(&mut sinks, |pictures, destination| {
                self.sequence.write_psd(drawing, groups, pictures, destination)
            })?
        } else if format == Format::Sheet {
            self.write_sheets(drawing, &mut sinks)?
        } else if format.is_animated() {
            self.write_clips(drawing, &mut sinks)?
        } else {
            self.write_pngs(drawing, &mut sinks)?
        };
        sinks.written.outcome.is_finished = is_finished;
        let Sinks { together, mut written, .. } = sinks;
        if let Some(together) = together {
            // A cancellation while the last file is closed still counts.
            written.outcome.is_finished &= !self.sequence.is_cancelled();
            if written.outcome.is_finished {
                self.put(together)?;
            }
        }
        if !written.outcome.is_finished {
            written.files.clear();
        } else if format == Format::Sheet {
            // The main file is written last but listed first.
            written.files.reverse();
        }
        Ok(written)
    }

    /// Writes animated files one after the other. Returns false if cancelled.
    fn write_clips(&self, drawing: &mut Drawing<'_>, sinks: &mut Sinks<'_>) -> Result<bool> {
        for file in self.files {
            let outcome = self.write_clip(drawing, sinks, file)?;
            let sum = &mut sinks.written.outcome;
            sum.has_partial_alpha |= outcome.has_partial_alpha;
            sum.is_slowed |= outcome.is_slowed;
            if !outcome.is_finished {
                return Ok(false);
            }
            self.observer.clip_done(file, outcome);
        }
        Ok(true)
    }

    /// Writes files one after the other. `write` encodes the pictures of one; both return false if cancelled.
    fn write_singly(
        &self,
        sinks: &mut Sinks<'_>,
        mut write: impl FnMut(&[Planned], Destination<'_>) -> std::result::Result<bool, ExportError>,
    ) -> Result<bool> {
        let picture_done = &|| self.observer.picture_done();
        for file in self.files {
            let pictures = &self.plan.pictures[file.pictures.clone()];
            let Some(path) = &file.path else {
                let encode =
                    |out: &mut Vec<u8>| Ok(write(pictures, Destination { place: "stdout", out, picture_done })?);
                if !print(sinks.stdout, encode)? {
                    return Ok(false);
                }
                continue;
            };
            if !self.write_file(sinks, path, |destination| write(pictures, destination))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes a file and moves it into place, unless it waits for others. Returns false if cancelled.
    fn write_file(
        &self,
        sinks: &mut Sinks<'_>,
        path: &OutputPath,
        write: impl FnOnce(Destination<'_>) -> std::result::Result<bool, ExportError>,
    ) -> Result<bool> {
        let mut out = OutputFile::create(path, (self.may_replace)(path))?;
        let place = path.display().to_string();
        let picture_done = &|| self.observer.picture_done();
        if !write(Destination { place: &place, out: &mut out, picture_done })? {
            return Ok(false);
        }
        self.finish(sinks.together.as_ref(), path, out)?;
        sinks.written.files.push(path.to_path_buf());
        Ok(true)
    }

    /// Writes one file per picture, in parallel. Returns false if cancelled.
    fn write_pngs(&self, drawing: &mut Drawing<'_>, sinks: &mut Sinks<'_>) -> Result<bool> {
        let mut shots = Vec::with_capacity(self.files.len());
        for file in self.files {
            for picture in &self.plan.pictures[file.pictures.clone()] {
                match &file.path {
                    Some(path) => {
                        let (cue, path) = (picture.cue.clone(), path.clone());
                        let overwrite = (self.may_replace)(&path);
                        shots.push(Shot { cue, path, overwrite });
                    }
                    None if self.print_png(drawing, sinks.stdout, &picture.cue)? => {}
                    None => return Ok(false),
                }
            }
        }
        let together = sinks.together.as_ref();
        let done = |shot: &Shot, file: OutputFile| {
            self.finish(together, &shot.path, file)?;
            self.observer.picture_done();
            Ok(())
        };
        let is_finished = self.sequence.write_each(drawing, &shots, &done)?;
        sinks.written.files.extend(shots.into_iter().map(|shot| shot.path.to_path_buf()));
        Ok(is_finished)
    }

    /// Returns false if cancelled.
    fn print_png(&self, drawing: &mut Drawing<'_>, stdout: &mut (dyn Write + Send), cue: &Cue) -> Result<bool> {
        let Some(picture) = self.sequence.picture(drawing, cue)? else { return Ok(false) };
        let is_finished = print(stdout, |out| Ok(self.sequence.write_png(&picture, out).map_err(of_stdout)?))?;
        if is_finished {
            self.observer.picture_done();
        }
        Ok(is_finished)
    }

    /// Writes many pictures to one animated file.
    fn write_clip(&self, drawing: &mut Drawing<'_>, sinks: &mut Sinks<'_>, file: &PlannedFile) -> Result<Outcome> {
        let (options, model) = (self.options, self.sequence.character.model());
        let pictures = &self.plan.pictures[file.pictures.clone()];
        let cues: Vec<Cue> = pictures.iter().map(|picture| picture.cue.clone()).collect();
        let animation = pictures.first().and_then(|picture| picture.animation);
        let starts = options.starts_secs(model, pictures);
        let clip = options.clip(model, animation, &cues, starts.as_deref());
        let Some(clip) = clip else { return Ok(Outcome { is_finished: true, ..Outcome::default() }) };
        let Some(path) = &file.path else {
            let picture_done = &|| self.observer.picture_done();
            let destination = Destination { place: "stdout", out: &mut *sinks.stdout, picture_done };
            return Ok(self.sequence.write_clip(drawing, &clip, destination)?);
        };
        let mut outcome = Outcome::default();
        self.write_file(sinks, path, |destination| {
            outcome = self.sequence.write_clip(drawing, &clip, destination)?;
            Ok(outcome.is_finished)
        })?;
        Ok(outcome)
    }

    /// Writes all frames to one or several pages, and the file that describes them. All sheets of a run that are
    /// committed together are planned and their files checked before the first is drawn. Returns false if cancelled.
    fn write_sheets(&self, drawing: &mut Drawing<'_>, sinks: &mut Sinks<'_>) -> Result<bool> {
        let count = if sinks.together.is_some() { self.files.len() } else { 1 };
        let picture_done = &|| self.observer.picture_done();
        for group in self.files.chunks(count.max(1)) {
            let mut sheets = Vec::with_capacity(group.len());
            for file in group {
                match self.sheet_job(file, picture_done).plan(drawing, file.path.as_ref())? {
                    Some(planned) => sheets.push(planned),
                    None => return Ok(false),
                }
            }
            let own = OutputFiles::default();
            let paths = match group {
                [PlannedFile { path: None, .. }] => Vec::new(),
                _ => self.check_sheets(&sheets)?,
            };
            for (file, planned) in group.iter().zip(&sheets) {
                if !self.draw_sheet(drawing, sinks, file, planned, &own)? {
                    return Ok(false);
                }
            }
            self.put(own)?;
            sinks.written.files.extend(paths);
        }
        Ok(true)
    }

    /// Returns the paths of the files of `sheets` after checking that they may be written.
    fn check_sheets(&self, sheets: &[PlannedSheet]) -> Result<Vec<PathBuf>> {
        let files = || sheets.iter().flat_map(|sheet| &sheet.files).map(|file| &file.path);
        let paths: Vec<PathBuf> = files().map(|path| path.to_path_buf()).collect();
        check_paths(&paths, self.sources, self.may_replace)?;
        // With several files the user has not named each one, so links and pipes at these paths are not followed.
        if paths.len() > 1 {
            files().try_for_each(|path| path.check_writable((self.may_replace)(path)))?;
        }
        Ok(paths)
    }

    fn sheet_job<'s>(&'s self, file: &PlannedFile, picture_done: &'s (dyn Fn() + Sync)) -> SheetJob<'s> {
        let pictures = &self.plan.pictures[file.pictures.clone()];
        SheetJob { sequence: &self.sequence, options: self.options, pictures, picture_done }
    }

    /// Draws the files of one sheet, which are added to `own` unless all files are committed together. Returns
    /// false if cancelled.
    fn draw_sheet(
        &self,
        drawing: &mut Drawing<'_>,
        sinks: &mut Sinks<'_>,
        file: &PlannedFile,
        planned: &PlannedSheet,
        own: &OutputFiles,
    ) -> Result<bool> {
        let picture_done = &|| self.observer.picture_done();
        let job = self.sheet_job(file, picture_done);
        for sheet_file in &planned.files {
            if file.path.is_none() {
                if !print(sinks.stdout, |out| Ok(job.write(drawing, planned, sheet_file, out)?))? {
                    return Ok(false);
                }
                continue;
            }
            let path = &sheet_file.path;
            let mut out = OutputFile::create(path, (self.may_replace)(path))?;
            if !job.write(drawing, planned, sheet_file, &mut out)? {
                return Ok(false);
            }
            sinks.together.as_ref().unwrap_or(own).add(out)?;
        }
        Ok(true)
    }

    /// Moves a file into place, unless it waits for others.
    fn finish(&self, together: Option<&OutputFiles>, path: &Path, file: OutputFile) -> crate::Result<()> {
        match together {
            Some(together) => together.add(file),
            None => file.finish().map(|()| self.observer.written(path)),
        }
    }

    /// Moves files into place.
    fn put(&self, files: OutputFiles) -> Result<()> {
        for path in files.finish()? {
            self.observer.written(&path);
        }
        Ok(())
    }
}

/// Prints what `encode` writes, which returns false if cancelled. It is encoded completely first, so that nothing is printed
/// if that fails.
fn print(stdout: &mut (dyn Write + Send), encode: impl FnOnce(&mut Vec<u8>) -> Result<bool>) -> Result<bool> {
    let mut bytes = Vec::new();
    if !encode(&mut bytes)? {
        return Ok(false);
    }
    stdout.write_all(&bytes).and_then(|()| stdout.flush()).map_err(of_stdout)?;
    Ok(true)
}

fn of_stdout(error: std::io::Error) -> Error {
    Error::io("stdout", error)
}
