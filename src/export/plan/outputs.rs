//! The files of a run: their names, their pictures, and whether they may be written.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::contact;
use super::pictures::{Plan, Planned, animation_ranges, neighbours};
use crate::error::escaped;
use crate::export::files::{OutputPath, check_not_existing};
use crate::export::options::{Format, RenderOptions, SheetKind, Template, Values};
use crate::model::Model;
use crate::{Error, Result};

/// One file of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedFile {
    /// Output path; `None` is stdout. The other files of a sheet are next to it.
    pub path: Option<OutputPath>,
    /// Its pictures, by index.
    pub pictures: Range<usize>,
}

/// Values for placeholders of output paths that do not depend on the picture.
#[derive(Debug, Clone, Copy)]
pub struct Naming<'a> {
    /// Value of `{name}`.
    pub name: &'a str,
    /// Value of `{path}`.
    pub path: &'a str,
    /// First value of `{index}`.
    pub first_index: usize,
}

/// An error in the output paths.
#[derive(Debug, thiserror::Error)]
pub enum OutputsError {
    /// Several pictures would be written to one file.
    #[error(
        "several pictures would be written to `{}`; {{frame:04}} and {{animation}} in its name distinguish them",
        .0.display()
    )]
    Same(PathBuf),
    /// The output is one of the input files.
    #[error("`{}` is an input file and cannot be overwritten", .0.display())]
    Source(PathBuf),
    /// A path leads through a symbolic link that the user did not name.
    #[error(transparent)]
    Link(Error),
    /// Files exist and may not be overwritten.
    #[error("`{}` already exists", escaped(&first.to_string_lossy()))]
    Exists {
        /// The first existing file.
        first: PathBuf,
        /// The number of existing files.
        count: usize,
        /// The error for the first existing file.
        source: Error,
    },
}

impl RenderOptions {
    /// Returns the template of the output path, or `None` for stdout. Fails if the path does not match the format.
    pub fn template(&self) -> Result<Option<Template>> {
        let Some(path) = self.output.files() else { return Ok(None) };
        let format = self.format();
        Format::of_path(path, Some(format)).map_err(|error| Error::misuse("other-format", error.to_string()))?;
        let template: Template = path.parse().map_err(|error| Error::misuse("template", format!("{error}")))?;
        if self.takes_all_frames() && template.names_frame() {
            let noun = if self.contact_sheet().is_some() { "a contact sheet" } else { format.noun() };
            let message = format!("{noun} contains all frames, so {{frame}} cannot be used in its name");
            return Err(Error::misuse(FRAME_IN_NAME, message));
        }
        Ok(Some(template))
    }
}

/// Error code: `{frame}` is used in the name of a file that contains all frames.
pub const FRAME_IN_NAME: &str = "frame-in-name";

impl Plan {
    /// Assigns a path to every picture and returns the files in the order in which they are written.
    pub fn name_files(
        &mut self,
        options: &RenderOptions,
        model: &Model,
        template: Option<&Template>,
        naming: Naming<'_>,
    ) -> Vec<PlannedFile> {
        let ranges = ranges(&self.pictures, options, template);
        let mut files = Vec::with_capacity(ranges.len());
        for (index, pictures) in (naming.first_index..).zip(ranges) {
            let first = &self.pictures[pictures.start];
            let frame = if options.takes_all_frames() { 0 } else { first.frame };
            let (Naming { name, path, .. }, animation) = (naming, first.animation_name(model));
            let values = Values { name, path, animation, index, frame };
            let path = template.map(|template| template.fill(values));
            if let Some(path) = &path {
                let shared = (&**path).into();
                for picture in &mut self.pictures[pictures.clone()] {
                    picture.path = Some(std::sync::Arc::clone(&shared));
                }
            }
            files.push(PlannedFile { path, pictures });
        }
        files
    }
}

/// Returns the pictures of each file.
fn ranges(pictures: &[Planned], options: &RenderOptions, template: Option<&Template>) -> Vec<Range<usize>> {
    let format = options.format();
    if let Some(grid) = options.contact_sheet() {
        contact::sheet_ranges(pictures, grid, template)
    } else if format.has_file_per_animation() {
        animation_ranges(pictures)
    } else if format == Format::Sheet {
        sheet_ranges(pictures, template.is_some_and(Template::names_animation))
    } else {
        (0..pictures.len()).map(|at| at..at + 1).collect()
    }
}

/// Returns the pictures of each sheet: all in one, or with `by_animation` one sheet per run of pictures of an
/// animation.
pub fn sheet_ranges(pictures: &[Planned], by_animation: bool) -> Vec<Range<usize>> {
    neighbours(pictures, |a, b| !by_animation || a.animation == b.animation)
}

/// Fails if several pictures share one file, if an output is an input file, if a path leads through a link that the
/// user did not name, or if a file exists and may not be replaced. For a sheet described by JSON the picture of the first page is checked too; the number of pages is
/// not known yet.
pub fn check_outputs(
    files: &[PlannedFile],
    format: Format,
    sources: &[PathBuf],
    may_replace: &dyn Fn(&Path) -> bool,
) -> Result<(), OutputsError> {
    files
        .iter()
        .filter_map(|file| file.path.as_ref())
        .try_for_each(OutputPath::check)
        .map_err(OutputsError::Link)?;
    let mut paths: Vec<PathBuf> =
        files.iter().filter_map(|file| file.path.as_deref().map(Path::to_owned)).collect();
    if format == Format::Sheet {
        let is_json = |path: &&PathBuf| SheetKind::of_path(path) == Some(SheetKind::Json);
        let pictures: Vec<PathBuf> = paths.iter().filter(is_json).map(|path| path.with_extension("png")).collect();
        paths.extend(pictures);
    }
    check_paths(&paths, sources, may_replace)
}

/// Same as [`check_outputs`] for paths.
pub fn check_paths(
    paths: &[PathBuf],
    sources: &[PathBuf],
    may_replace: &dyn Fn(&Path) -> bool,
) -> Result<(), OutputsError> {
    if let Some(twice) = first_duplicate(paths) {
        return Err(OutputsError::Same(twice.clone()));
    }
    if let Some(source) = source_among(paths, sources) {
        return Err(OutputsError::Source(source.to_owned()));
    }
    let kept = paths.iter().filter(|path| !may_replace(path));
    let mut there = kept.filter_map(|path| Some((path, check_not_existing(path).err()?)));
    match there.next() {
        Some((first, source)) => {
            Err(OutputsError::Exists { first: first.clone(), count: 1 + there.count(), source })
        }
        None => Ok(()),
    }
}

/// Returns the first of `paths` that is one of the files `sources`.
pub fn source_among<'a>(
    paths: impl IntoIterator<Item = &'a (impl AsRef<Path> + ?Sized + 'a)>,
    sources: &[PathBuf],
) -> Option<&'a Path> {
    let sources: HashSet<PathBuf> = sources.iter().filter_map(|source| source.canonicalize().ok()).collect();
    let is_source = |path: &&Path| path.canonicalize().is_ok_and(|path| sources.contains(&path));
    paths.into_iter().map(AsRef::as_ref).find(is_source)
}

/// Returns the first path that occurs twice, also if only the case differs: some file systems ignore it.
pub fn first_duplicate(paths: &[PathBuf]) -> Option<&PathBuf> {
    let mut seen = HashSet::new();
    paths.iter().find(|path| !seen.insert(path.to_string_lossy().to_lowercase()))
}
