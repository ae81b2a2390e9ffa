//! Output paths: all are determined and checked before anything is rendered.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::contact::with_place;
use super::plan::Job;
use crate::shared::failure::Failure;
use crate::shared::target::is_source;
use crate::shared::written::note_written;
use pchr::Error;
use pchr::export::{
    FRAME_IN_NAME, Format, OutputsError, RenderOptions, SheetKind, Template, Values, check_outputs,
    first_duplicate,
};

/// Files written by this command, which may replace files from its earlier rounds.
#[derive(Debug, Default)]
pub struct OwnFiles {
    earlier: BTreeSet<PathBuf>,
    now: Mutex<BTreeSet<PathBuf>>,
}

impl OwnFiles {
    /// Adds a file, which may be replaced from the next round on.
    pub fn add(&self, path: &Path) {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
    }

    /// Begins the next round.
    pub fn begin_next_round(&mut self) {
        self.earlier.append(self.now.get_mut().unwrap_or_else(PoisonError::into_inner));
    }

    /// Prints which files were written in this round, with this number of `frames`.
    pub fn note_written(&self, frames: usize) {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        note_written(now.iter().map(PathBuf::as_path), Some(frames));
    }

    /// Returns true if the file was written in an earlier round, under any path.
    pub fn contains(&self, path: &Path) -> bool {
        let is_same = |known: &PathBuf, path: &PathBuf| known.canonicalize().is_ok_and(|known| known == *path);
        let is_known = |path: PathBuf| self.earlier.iter().any(|known| is_same(known, &path));
        self.earlier.contains(path) || !self.earlier.is_empty() && path.canonicalize().is_ok_and(is_known)
    }
}

/// Checks the output files of a run. Rejects several pictures with the same file, unless it `is_shared`, files that are
/// inputs, and existing files.
pub fn check(options: &RenderOptions, own_files: &OwnFiles, jobs: &[Job], is_shared: bool) -> Result<(), Failure> {
    if options.template().map_err(|error| misnamed(error, options))?.is_none() {
        return if is_shared { Ok(()) } else { refuse_several_to_stdout(options, jobs) };
    }
    let files = jobs.iter().flat_map(|job| job.files.iter().cloned());
    let files: Vec<_> = files.take(if is_shared { 1 } else { usize::MAX }).collect();
    let sources: Vec<PathBuf> = jobs.iter().flat_map(|job| job.sources.iter().cloned()).collect();
    if options.format() == Format::Sheet {
        files.iter().filter_map(|file| file.path.as_deref()).try_for_each(refuse_unknown_kind)?;
    }
    let may_replace = |path: &Path| options.output.force || own_files.contains(path);
    check_outputs(&files, options.format(), &sources, &may_replace)
        .map_err(|error| refused(error, || format!("give each its own file: -o '{}'", corrected(options, jobs))))
}

/// Converts an error about output paths to a failure. `corrected` returns the hint for several pictures with the
/// same file.
pub fn refused(error: OutputsError, corrected: impl FnOnce() -> String) -> Failure {
    match error {
        OutputsError::Same(path) => {
            let message = format!("several pictures would be written to `{}`", path.display());
            Failure::usage_with_help(message, corrected())
        }
        OutputsError::Source(path) => is_source(&path),
        OutputsError::Link(source) | OutputsError::Exists { source, .. } => Failure::Output(source),
    }
}

pub fn misnamed(error: Error, options: &RenderOptions) -> Failure {
    match error {
        Error::Misuse(fault) if fault.code == FRAME_IN_NAME => {
            if options.contact_sheet().is_some() {
                return Failure::usage_with_help(
                    fault.message,
                    "use {animation} or {index} to write several sheets",
                );
            }
            if options.format() == Format::Sheet {
                let message = "a sheet contains all frames, so its name cannot contain {frame}";
                return Failure::usage_with_help(message, "use {name} or {animation} to distinguish sheets");
            }
            Failure::usage_with_help(
                fault.message,
                "use {animation} to distinguish files; only PNGs have one frame each",
            )
        }
        error => Failure::reading(error),
    }
}

/// Rejects a path without the extension of a sheet format.
fn refuse_unknown_kind(path: &Path) -> Result<(), Failure> {
    if SheetKind::of_path(path).is_some() {
        return Ok(());
    }
    Err(Failure::usage_with_help(
        format!("cannot determine the sheet format from `{}`", path.display()),
        "use the extension .json (with a separate PNG), .sprsh (both in one file) or .png",
    ))
}

/// Rejects more than one file for stdout.
fn refuse_several_to_stdout(options: &RenderOptions, jobs: &[Job]) -> Result<(), Failure> {
    let format = options.format();
    let files = jobs.iter().map(|job| job.files.len()).sum();
    let (what, count, help) = if options.contact_sheet().is_some() {
        ("contact sheet", files, "-o '{name}.png' writes several files")
    } else if format == Format::Psd {
        ("PSD", files, "-o 'NAME-{animation}.psd' writes several files")
    } else if format.is_animated() {
        ("animation", files, "-o 'NAME-{animation}.EXT' writes several files")
    } else if format == Format::Sheet {
        ("sheet", jobs.len(), "-o '{name}.json' writes several")
    } else {
        ("PNG", files, "-o 'NAME-{index:04}.png' writes several files")
    };
    if count <= 1 {
        return Ok(());
    }
    Err(Failure::usage_with_help(format!("cannot write {count} {what}s to stdout, only one"), help))
}

/// Suggests an output path that works: with the fewest placeholders that make all paths distinct.
pub fn corrected(options: &RenderOptions, jobs: &[Job]) -> String {
    const PLACES: [&str; 4] = ["-{frame:04}", "-{animation}", "-{animation}-{frame:04}", "-{name}"];
    let path = Path::new(options.output.files().unwrap_or_default());
    let with = |place: &str| with_place(path, place);
    let labels =
        jobs.iter().flat_map(|job| job.labels.iter().map(move |(animation, frame)| (job, animation, *frame)));
    let values = labels.enumerate();
    let values = values.map(|(index, (Job { name, path, .. }, animation, frame))| Values {
        name,
        path,
        animation,
        index,
        frame,
    });
    let values: Vec<Values<'_>> = values.collect();
    let is_distinct = |text: &String| {
        let fill = |template: Template| {
            values.iter().map(|&values| template.fill(values).to_path_buf()).collect::<Vec<_>>()
        };
        text.parse().is_ok_and(|template| first_duplicate(&fill(template)).is_none())
    };
    let found = PLACES.into_iter().map(with).find(is_distinct);
    // {index} is always unique.
    found.unwrap_or_else(|| with("-{index:04}"))
}
