//! The one way from planned pictures to files: frames are drawn, encoded, and put in their places.
//!
//! Every file is there whole or not at all; with [`Commit::Together`] that holds for all files of a batch.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::file::ClosedFile;
use super::folder::check_place;
use super::outputs::check_paths;
use super::whole::WholeFiles;
use super::{
    Destination, Drawing, ExportError, Format, Outcome, OutputFile, OutputsError, Plan, PlannedFile, PlannedSheet,
    RenderOptions, Sequence, SheetJob, Shot,
};
use crate::error::Error;
use crate::motion::Cue;

/// Some files of one character that are written one after the other.
pub struct Batch<'a> {
    /// How pictures are drawn.
    pub sequence: Sequence<'a>,
    /// How they are encoded.
    pub options: &'a RenderOptions,
    /// The pictures.
    pub plan: &'a Plan,
    /// The files that take them.
    pub files: &'a [PlannedFile],
    /// What the character was read from: none of it is written over.
    pub sources: &'a [PathBuf],
    /// When files are put in their places.
    pub commit: Commit,
    /// Which files that exist may be written over.
    pub may_replace: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Is told how far it is.
    pub observer: &'a dyn Observer,
}

/// When files are put in their places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Commit {
    /// Each as soon as it is whole. Those that belong to one sheet belong together.
    Each,
    /// All of them at the end, or none.
    Together,
}

/// Is told how far a batch is.
pub trait Observer: Sync {
    /// A picture was worked on; from any thread, as often as [`RenderOptions::passes`] says for every picture, or less
    /// where a sheet has frames that are the same.
    fn worked(&self) {}

    /// A file is in its place; from any thread.
    fn written(&self, _path: &Path) {}

    /// A file of many pictures that plays them is written.
    fn ended(&self, _file: &PlannedFile, _outcome: Outcome) {}
}

/// What came of a batch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Every file; empty when it was cancelled. Of a sheet the one that is opened first comes first.
    pub files: Vec<PathBuf>,
    /// Of all files together. `is_finished` is false when it was cancelled.
    pub outcome: Outcome,
}

/// Why a batch was not written, or not all of it.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// Files cannot be written where they are to go.
    #[error(transparent)]
    Outputs(#[from] OutputsError),
    /// Anything else.
    #[error(transparent)]
    Export(#[from] ExportError),
}

impl From<Error> for BatchError {
    fn from(error: Error) -> Self {
        Self::Export(error.into())
    }
}

type Result<T> = std::result::Result<T, BatchError>;

impl Batch<'_> {
    /// Draws, encodes and writes everything. What goes to no file goes to `stdout`.
    pub fn write(&self, drawing: &mut Drawing<'_>, stdout: &mut (dyn Write + Send)) -> Result<Written> {
        let mut written =
            Written { files: Vec::new(), outcome: Outcome { is_finished: true, ..Outcome::default() } };
        match self.commit {
            Commit::Each => self.write_files(drawing, stdout, None, &mut written)?,
            Commit::Together => {
                let together = WholeFiles::default();
                self.write_files(drawing, stdout, Some(&together), &mut written)?;
                // Whoever cancels while the last file is closed means it all the same.
                written.outcome.is_finished &= !self.sequence.cancelled.load(Ordering::Relaxed);
                if written.outcome.is_finished {
                    self.put(together, &written.files)?;
                }
            }
        }
        if !written.outcome.is_finished {
            written.files.clear();
        } else if self.options.format() == Format::Sheet {
            // The one that is opened first is written last.
            written.files.reverse();
        }
        Ok(written)
    }

    fn write_files(
        &self,
        drawing: &mut Drawing<'_>,
        stdout: &mut (dyn Write + Send),
        together: Option<&WholeFiles>,
        written: &mut Written,
    ) -> Result<()> {
        let format = self.options.format();
        if format == Format::Sheet {
            return self.write_sheets(drawing, stdout, together, written);
        }
        if format.animated().is_none() {
            return self.write_pngs(drawing, stdout, together, written);
        }
        for file in self.files {
            let outcome = self.write_clip(drawing, stdout, file, together, &mut written.files)?;
            let sum = &mut written.outcome;
            sum.has_partial_alpha |= outcome.has_partial_alpha;
            sum.is_slowed |= outcome.is_slowed;
            sum.is_finished &= outcome.is_finished;
            if !sum.is_finished {
                break;
            }
            self.observer.ended(file, outcome);
        }
        Ok(())
    }

    /// A file for each picture, side by side.
    fn write_pngs(
        &self,
        drawing: &mut Drawing<'_>,
        stdout: &mut (dyn Write + Send),
        together: Option<&WholeFiles>,
        written: &mut Written,
    ) -> Result<()> {
        let mut shots = Vec::with_capacity(self.files.len());
        for file in self.files {
            for picture in &self.plan.pictures[file.pictures.clone()] {
                match &file.path {
                    Some(path) => {
                        let (cue, path) = (picture.cue.clone(), path.clone());
                        let overwrite = (self.may_replace)(&path);
                        shots.push(Shot { cue, path, overwrite });
                    }
                    None => self.print_png(drawing, stdout, &picture.cue, &mut written.outcome)?,
                }
            }
        }
        let done = |shot: &Shot, file: ClosedFile| {
            match together {
                Some(together) => together.add(&shot.path, file),
                None => {
                    file.finish()?;
                    self.observer.written(&shot.path);
                }
            }
            self.observer.worked();
            Ok(())
        };
        written.outcome.is_finished &= self.sequence.write_each(drawing, &shots, &done)?;
        written.files.extend(shots.into_iter().map(|shot| shot.path));
        Ok(())
    }

    fn print_png(
        &self,
        drawing: &mut Drawing<'_>,
        stdout: &mut (dyn Write + Send),
        cue: &Cue,
        outcome: &mut Outcome,
    ) -> Result<()> {
        let Some(picture) = self.sequence.picture(drawing, cue)? else {
            outcome.is_finished = false;
            return Ok(());
        };
        // Nothing is written of a picture that cannot be encoded.
        let mut png = Vec::new();
        super::write_png(&picture, &mut png).and_then(|()| print(stdout, &png)).map_err(of_stdout)?;
        self.observer.worked();
        Ok(())
    }

    /// Many pictures in one file that plays them.
    fn write_clip(
        &self,
        drawing: &mut Drawing<'_>,
        stdout: &mut (dyn Write + Send),
        file: &PlannedFile,
        together: Option<&WholeFiles>,
        files: &mut Vec<PathBuf>,
    ) -> Result<Outcome> {
        let (options, model) = (self.options, self.sequence.character.model());
        let pictures = &self.plan.pictures[file.pictures.clone()];
        let cues: Vec<Cue> = pictures.iter().map(|picture| picture.cue.clone()).collect();
        let animation = pictures.first().and_then(|picture| picture.animation);
        let starts = options.starts_secs(model, pictures);
        let clip = options.clip(model, animation, &cues, starts.as_deref());
        let Some(clip) = clip else { return Ok(Outcome { is_finished: true, ..Outcome::default() }) };
        let worked = &|| self.observer.worked();
        let Some(path) = &file.path else {
            let destination = Destination { place: "stdout", out: stdout, worked };
            return Ok(self.sequence.write_clip(drawing, &clip, destination)?);
        };
        let mut out = OutputFile::create(path, (self.may_replace)(path))?;
        let place = path.display().to_string();
        let destination = Destination { place: &place, out: &mut out, worked };
        let outcome = self.sequence.write_clip(drawing, &clip, destination)?;
        if outcome.is_finished {
            let own = WholeFiles::default();
            together.unwrap_or(&own).add(path, out.close()?);
            self.put(own, std::slice::from_ref(path))?;
            files.push(path.clone());
        }
        Ok(outcome)
    }

    /// All frames in one picture or a few, and the text that says where they are. Sheets that appear together are all
    /// planned, and their files checked, before the first is drawn.
    fn write_sheets(
        &self,
        drawing: &mut Drawing<'_>,
        stdout: &mut (dyn Write + Send),
        together: Option<&WholeFiles>,
        written: &mut Written,
    ) -> Result<()> {
        let count = if together.is_some() { self.files.len() } else { 1 };
        for group in self.files.chunks(count.max(1)) {
            let mut sheets = Vec::with_capacity(group.len());
            for file in group {
                let pictures = &self.plan.pictures[file.pictures.clone()];
                let worked = &|| self.observer.worked();
                let job = SheetJob { sequence: &self.sequence, options: self.options, pictures, worked };
                let Some(planned) = job.plan(drawing, file.path.as_deref())? else {
                    written.outcome.is_finished = false;
                    return Ok(());
                };
                sheets.push(planned);
            }
            let own = WholeFiles::default();
            let paths = match group {
                [PlannedFile { path: None, .. }] => Vec::new(),
                _ => self.check_sheets(&sheets)?,
            };
            for (file, planned) in group.iter().zip(&sheets) {
                if !self.draw_sheet(drawing, stdout, file, planned, together.unwrap_or(&own))? {
                    written.outcome.is_finished = false;
                    return Ok(());
                }
            }
            self.put(own, &paths)?;
            written.files.extend(paths);
        }
        Ok(())
    }

    /// The files of `sheets`, where they may be written.
    fn check_sheets(&self, sheets: &[PlannedSheet]) -> Result<Vec<PathBuf>> {
        let files = sheets.iter().flat_map(|sheet| &sheet.files);
        let paths: Vec<PathBuf> = files.map(|file| file.path.clone()).collect();
        check_paths(&paths, self.sources, &|path| (self.may_replace)(path))?;
        // Where there are several the user has not named each: what stands in their places is not followed.
        if paths.len() > 1 {
            paths.iter().try_for_each(|path| check_place(path, (self.may_replace)(path)))?;
        }
        Ok(paths)
    }

    /// Draws the files of one sheet. False when it was cancelled.
    fn draw_sheet(
        &self,
        drawing: &mut Drawing<'_>,
        stdout: &mut (dyn Write + Send),
        file: &PlannedFile,
        planned: &PlannedSheet,
        whole: &WholeFiles,
    ) -> Result<bool> {
        let pictures = &self.plan.pictures[file.pictures.clone()];
        let worked = &|| self.observer.worked();
        let job = SheetJob { sequence: &self.sequence, options: self.options, pictures, worked };
        for sheet_file in &planned.files {
            if file.path.is_none() {
                // Nothing is written of a picture that cannot be drawn.
                let mut png = Vec::new();
                if !job.write(drawing, planned, sheet_file, &mut png)? {
                    return Ok(false);
                }
                print(stdout, &png).map_err(of_stdout)?;
                continue;
            }
            let path = &sheet_file.path;
            let mut out = OutputFile::create(path, (self.may_replace)(path))?;
            if !job.write(drawing, planned, sheet_file, &mut out)? {
                return Ok(false);
            }
            whole.add(path, out.close()?);
        }
        Ok(true)
    }

    /// Puts those of `paths` that `whole` holds in their places, in this order.
    fn put(&self, whole: WholeFiles, paths: &[PathBuf]) -> Result<()> {
        for path in whole.finish(paths)? {
            self.observer.written(&path);
        }
        Ok(())
    }
}

fn print(stdout: &mut (dyn Write + Send), bytes: &[u8]) -> std::io::Result<()> {
    stdout.write_all(bytes)?;
    stdout.flush()
}

fn of_stdout(error: std::io::Error) -> Error {
    Error::io("stdout", error)
}
