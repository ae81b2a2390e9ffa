//! Where pictures go: every path is known, and known to be free, before anything is rendered.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::plan::Job;
use crate::cli::shared::failure::Failure;
use crate::error::Error;
use crate::export::{
    FRAME_IN_NAME, Format, Naming, OutputsError, RenderOptions, SheetKind, Template, Values, check_outputs,
    first_twice,
};

/// Files that this command has written itself. It may replace those of earlier rounds.
#[derive(Debug, Default)]
pub struct Ours {
    earlier: HashSet<PathBuf>,
    now: Mutex<HashSet<PathBuf>>,
}

impl Ours {
    /// This one, too, from the next round on.
    pub fn claim(&self, path: &Path) {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
    }

    /// A round is over.
    pub fn begin_next_round(&mut self) {
        self.earlier.extend(self.now.get_mut().unwrap_or_else(PoisonError::into_inner).drain());
    }

    /// Whether it was written in an earlier round, by any name.
    pub fn holds(&self, path: &Path) -> bool {
        let is_same = |known: &PathBuf, path: &PathBuf| known.canonicalize().is_ok_and(|known| known == *path);
        let is_known = |path: PathBuf| self.earlier.iter().any(|known| is_same(known, &path));
        self.earlier.contains(path) || !self.earlier.is_empty() && path.canonicalize().is_ok_and(is_known)
    }
}

/// Gives every picture of `jobs` its file. Refuses several pictures in one file, one in the place of an input, and files
/// that exist already.
pub fn name(options: &RenderOptions, ours: &Ours, jobs: &mut [Job]) -> Result<(), Failure> {
    let template = options.template().map_err(|error| misnamed(error, options.format()))?;
    let mut index = 0;
    for job in jobs.iter_mut() {
        let naming = Naming { name: &job.name, first_index: index };
        job.files = job.plan.name_files(options, job.character.model(), template.as_ref(), naming);
        index += job.files.len();
    }
    if template.is_none() {
        return refuse_several_to_stdout(options.format(), jobs, index);
    }
    let files: Vec<_> = jobs.iter().flat_map(|job| job.files.iter().cloned()).collect();
    let sources: Vec<PathBuf> = jobs.iter().flat_map(|job| job.sources.iter().cloned()).collect();
    if options.format() == Format::Sheet {
        files.iter().filter_map(|file| file.path.as_deref()).try_for_each(refuse_unknown_kind)?;
    }
    let may_replace = |path: &Path| options.output.force || ours.holds(path);
    check_outputs(&files, options.format(), &sources, &may_replace)
        .map_err(|error| refused(error, || corrected(options, jobs)))
}

/// What is wrong with where files are to go, on the command line. `corrected` gives the tip for several in one place.
pub fn refused(error: OutputsError, corrected: impl FnOnce() -> String) -> Failure {
    match error {
        OutputsError::Same(path) => {
            let message = format!("several pictures would be written to `{}`", path.display());
            Failure::usage_with_help(message, corrected())
        }
        OutputsError::Source(path) => {
            Failure::usage(format!("`{}` is read by this command, and not written over", path.display()))
        }
        OutputsError::Exists { source, .. } => Failure::Output(source),
    }
}

fn misnamed(error: Error, format: Format) -> Failure {
    match error {
        Error::Misuse(fault) if fault.code == FRAME_IN_NAME => {
            if format == Format::Sheet {
                let message = "a sheet holds every frame, so {frame} says nothing in its name";
                return Failure::usage_with_help(message, "{name} and {animation} tell sheets apart");
            }
            Failure::usage_with_help(fault.message, "{animation} tells the files apart; PNGs have one frame each")
        }
        error => Failure::reading(error),
    }
}

/// Refuses a path that does not say what kind of sheet to write.
fn refuse_unknown_kind(path: &Path) -> Result<(), Failure> {
    if SheetKind::of_path(path).is_some() {
        return Ok(());
    }
    Err(Failure::usage_with_help(
        format!("`{}` does not say what kind of sheet to write", path.display()),
        "end the path in .json (with a PNG beside it), .sprsh (both in one file) or .png",
    ))
}

/// stdout takes a single file.
fn refuse_several_to_stdout(format: Format, jobs: &[Job], files: usize) -> Result<(), Failure> {
    let (what, count, help) = if format.animated().is_some() {
        ("animation", files, "-o 'NAME-{animation}.EXT' writes several files")
    } else if format == Format::Sheet {
        ("sheet", jobs.len(), "-o '{name}.json' writes several")
    } else {
        ("PNG", files, "-o 'NAME-{index:04}.png' writes several files")
    };
    if count <= 1 {
        return Ok(());
    }
    Err(Failure::usage_with_help(format!("stdout takes one {what}, not {count}"), help))
}

/// `-o` as it would have worked: with the fewest places that tell the files apart.
fn corrected(options: &RenderOptions, jobs: &[Job]) -> String {
    const PLACES: [&str; 4] = ["-{frame:04}", "-{animation}", "-{animation}-{frame:04}", "-{name}"];
    let format = options.format();
    let path = Path::new(options.output.files().unwrap_or_default());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or("png".into(), |extension| extension.to_string_lossy());
    let with = |place: &str| path.with_file_name(format!("{stem}{place}.{extension}")).display().to_string();
    let files = jobs.iter().flat_map(|job| job.files.iter().map(move |file| (job, file)));
    let values = files.enumerate().map(|(index, (job, file))| {
        let first = &job.plan.pictures[file.pictures.start];
        let frame = if format.takes_all_frames() { 0 } else { first.frame };
        Values { name: &job.name, animation: first.animation_name(job.character.model()), index, frame }
    });
    let values: Vec<Values<'_>> = values.collect();
    let tells_apart = |text: &String| {
        let fill = |template: Template| values.iter().map(|&values| template.fill(values)).collect::<Vec<_>>();
        text.parse().is_ok_and(|template| first_twice(&fill(template)).is_none())
    };
    let found = PLACES.into_iter().map(with).find(tells_apart);
    // The number of the picture always does.
    format!("give each its own: -o '{}'", found.unwrap_or_else(|| with("-{index:04}")))
}
