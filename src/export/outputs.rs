//! Which files a run writes, what goes into each, and whether they may be written where they are to go.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::plan::neighbours;
use super::{Format, Plan, Planned, RenderOptions, SheetKind, Template, Values, check_free, reels};
use crate::error::{Error, Result, shown};
use crate::model::Model;

/// One file of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedFile {
    /// Where it goes; `None` is stdout. A sheet has more files beside it.
    pub path: Option<PathBuf>,
    /// Its pictures, by index.
    pub pictures: Range<usize>,
}

/// What fills the places of output paths, beside what the pictures themselves say.
#[derive(Debug, Clone, Copy)]
pub struct Naming<'a> {
    /// What `{name}` stands for.
    pub name: &'a str,
    /// What `{index}` counts from.
    pub first_index: usize,
}

/// Why files cannot be written where they are to go.
#[derive(Debug, thiserror::Error)]
pub enum OutputsError {
    /// Several pictures would be written to one file.
    #[error(
        "several pictures would be written to `{}`; {{frame:04}} and {{animation}} in its name tell them apart",
        .0.display()
    )]
    Same(PathBuf),
    /// The character is read from it.
    #[error("`{}` is what the character is read from, and not written over", .0.display())]
    Source(PathBuf),
    /// Files exist and may not be written over.
    #[error("`{}` exists already", shown(&first.to_string_lossy()))]
    Exists {
        /// The first of them.
        first: PathBuf,
        /// How many there are.
        count: usize,
        /// The first of them, as an error of its own.
        source: Error,
    },
}

impl RenderOptions {
    /// What the files are called; `None` where they go to stdout. An error of what the path says.
    pub fn template(&self) -> Result<Option<Template>> {
        let Some(path) = self.output.files() else { return Ok(None) };
        let format = self.format();
        Format::of_path(path, Some(format)).map_err(|error| Error::misuse("other-format", error.to_string()))?;
        let template: Template = path.parse().map_err(|error| Error::misuse("template", format!("{error}")))?;
        if format.takes_all_frames() && template.names_frame() {
            let noun = format.noun();
            let message = format!("{noun} holds every frame, so {{frame}} says nothing in its name");
            return Err(Error::misuse(FRAME_IN_NAME, message));
        }
        Ok(Some(template))
    }
}

/// Code of the error of a file of all frames whose name has a place for the frame.
pub const FRAME_IN_NAME: &str = "frame-in-name";

impl Plan {
    /// The files of the run, in the order in which they are written, and gives every picture its path.
    pub fn name_files(
        &mut self,
        options: &RenderOptions,
        model: &Model,
        template: Option<&Template>,
        naming: Naming<'_>,
    ) -> Vec<PlannedFile> {
        let format = options.format();
        let by_animation = template.is_some_and(Template::names_animation);
        let ranges = ranges(&self.pictures, format, by_animation);
        let mut files = Vec::with_capacity(ranges.len());
        for (index, pictures) in (naming.first_index..).zip(ranges) {
            let first = &self.pictures[pictures.start];
            let frame = if format.takes_all_frames() { 0 } else { first.frame };
            let values = Values { name: naming.name, animation: first.animation_name(model), index, frame };
            let path = template.map(|template| template.fill(values));
            if let Some(path) = &path {
                let shared = path.as_path().into();
                for picture in &mut self.pictures[pictures.clone()] {
                    picture.path = Some(std::sync::Arc::clone(&shared));
                }
            }
            files.push(PlannedFile { path, pictures });
        }
        files
    }
}

/// What goes into one file.
fn ranges(pictures: &[Planned], format: Format, by_animation: bool) -> Vec<Range<usize>> {
    if format.animated().is_some() {
        reels(pictures)
    } else if format == Format::Sheet {
        sheet_ranges(pictures, by_animation)
    } else {
        (0..pictures.len()).map(|at| at..at + 1).collect()
    }
}

/// What goes into one sheet: all pictures, or with `by_animation` the neighbouring ones of an animation.
pub fn sheet_ranges(pictures: &[Planned], by_animation: bool) -> Vec<Range<usize>> {
    neighbours(pictures, |a, b| !by_animation || a.animation == b.animation)
}

/// Refuses several pictures in one file, one in the place of what is read, and files that exist and may not be replaced.
/// Of sheets that are written as JSON the picture of the first page is checked, too: how many there are is not known.
pub fn check_outputs(
    files: &[PlannedFile],
    format: Format,
    sources: &[PathBuf],
    may_replace: &dyn Fn(&Path) -> bool,
) -> Result<(), OutputsError> {
    let mut paths: Vec<PathBuf> = files.iter().filter_map(|file| file.path.clone()).collect();
    if format == Format::Sheet {
        let is_json = |path: &&PathBuf| SheetKind::of_path(path) == Some(SheetKind::Json);
        let beside: Vec<PathBuf> = paths.iter().filter(is_json).map(|path| path.with_extension("png")).collect();
        paths.extend(beside);
    }
    check_paths(&paths, sources, may_replace)
}

/// The same for paths.
pub fn check_paths(
    paths: &[PathBuf],
    sources: &[PathBuf],
    may_replace: &dyn Fn(&Path) -> bool,
) -> Result<(), OutputsError> {
    if let Some(twice) = first_twice(paths) {
        return Err(OutputsError::Same(twice.clone()));
    }
    if let Some(source) = source_among(paths, sources) {
        return Err(OutputsError::Source(source.to_owned()));
    }
    let kept = paths.iter().filter(|path| !may_replace(path));
    let mut there = kept.filter_map(|path| Some((path, check_free(path).err()?)));
    match there.next() {
        Some((first, source)) => {
            Err(OutputsError::Exists { first: first.clone(), count: 1 + there.count(), source })
        }
        None => Ok(()),
    }
}

/// The first of `paths` that is one of the files `sources`.
pub fn source_among<'a>(
    paths: impl IntoIterator<Item = &'a (impl AsRef<Path> + ?Sized + 'a)>,
    sources: &[PathBuf],
) -> Option<&'a Path> {
    let sources: HashSet<PathBuf> = sources.iter().filter_map(|source| source.canonicalize().ok()).collect();
    let is_source = |path: &&Path| path.canonicalize().is_ok_and(|path| sources.contains(&path));
    paths.into_iter().map(AsRef::as_ref).find(is_source)
}

/// The first path that is there a second time.
pub fn first_twice(paths: &[PathBuf]) -> Option<&PathBuf> {
    let mut seen = HashSet::new();
    paths.iter().find(|&path| !seen.insert(path))
}
