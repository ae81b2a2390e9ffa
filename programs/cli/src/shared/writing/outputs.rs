//! Which output each input file gets. All are checked before the first file is read.

use std::collections::HashMap;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf, is_separator};

use crate::shared::counted::counted;
use crate::shared::failure::{Failure, note};
use crate::shared::files::{self, Target};
use crate::shared::stdio::{is_stdio, reject_repeated_stdin, shown_name};
use crate::shared::target::{place, reject_sources};
use pchr::Error;
use pchr::export::{OutputPath, Template, Values, check_not_existing, input_name};
use pchr::limits::Limits;

/// An input file and its outputs.
#[derive(Debug)]
pub struct Job {
    /// The input file.
    pub input: Target,
    /// The main output file, or the folder of all of them.
    pub output: OutputPath,
    /// The loss report.
    pub report: Option<OutputPath>,
}

/// An output path with placeholders.
#[derive(Debug)]
pub struct Outputs {
    /// As given, or with a name in the given folder.
    path: PathBuf,
    /// `None` for a path that is not UTF-8, which has no placeholders.
    template: Option<Template>,
    /// Whether it is the path of a folder.
    is_folder: bool,
}

impl Outputs {
    /// Output files. If `path` is a folder and their `extension` is known, they get the paths of the inputs.
    pub fn files(path: &Path, extension: Option<&str>) -> Result<Self, Failure> {
        let ends_in_separator = path.to_str().is_some_and(|text| text.ends_with(is_separator));
        match extension.filter(|_| !is_stdio(path) && (ends_in_separator || path.is_dir())) {
            Some(extension) => Self::new(path.join(format!("{{path}}.{extension}")), false),
            None => Self::new(path.to_owned(), false),
        }
    }

    /// Output folders.
    pub fn folders(path: &Path) -> Result<Self, Failure> {
        Self::new(path.to_owned(), true)
    }

    fn new(path: PathBuf, is_folder: bool) -> Result<Self, Failure> {
        let parse = |text: &str| text.parse::<Template>().map_err(|error| Failure::usage(error.to_string()));
        let template = path.to_str().map(parse).transpose()?;
        if template.as_ref().is_some_and(|template| template.names_animation() || template.names_frame()) {
            let message =
                format!("`{}` names an animation or a frame, but the file has all of them", path.display());
            return Err(Failure::usage_with_help(message, "use {name}, {path} or {index}"));
        }
        Ok(Self { path, template, is_folder })
    }

    /// Returns the output of the input number `index`.
    fn of(&self, input: &Target, index: usize) -> OutputPath {
        let (name, path) = (input_name(&input.path), input.path_value());
        match &self.template {
            Some(template) => template.fill(Values { name: &name, path: &path, animation: "", index, frame: 0 }),
            None => OutputPath::named(&self.path),
        }
    }

    /// Finds the input files and names their outputs.
    pub fn jobs(
        &self,
        report: Option<&Self>,
        inputs: &[PathBuf],
        limits: &Limits,
        quiet: bool,
    ) -> Result<Vec<Job>, Failure> {
        reject_repeated_stdin(inputs)?;
        let mut targets = files::characters(inputs, limits)?;
        let count = targets.len();
        self.remove_outputs(&mut targets);
        let (left_out, folder) = (count - targets.len(), self.folder());
        if left_out > 0 && targets.is_empty() {
            let message =
                "all characters found are in this folder, which is the output folder; choose another one";
            return Err(Failure::Input(Error::io(
                folder.display(),
                io::Error::new(io::ErrorKind::InvalidInput, message),
            )));
        }
        if left_out > 0 && !quiet {
            let files = counted(left_out, "file");
            note(&format!("left out {files} in the output folder `{}`", folder.display()));
        }
        let job = |(index, input): (usize, Target)| Job {
            output: self.of(&input, index),
            report: report.map(|report| report.of(&input, index)),
            input,
        };
        Ok(targets.into_iter().enumerate().map(job).collect())
    }

    /// Returns the folder before the first placeholder; empty if there is none.
    fn folder(&self) -> PathBuf {
        let template = self.template.as_ref().filter(|template| template.has_places());
        template.map(Template::folder).unwrap_or_default()
    }

    /// Removes files that were found in the output folder, if it is inside of a folder or pattern that was searched:
    /// they are outputs of an earlier run. Files that were named are not below the folder that contains them.
    fn remove_outputs(&self, targets: &mut Vec<Target>) {
        let Ok(folder) = self.folder().canonicalize() else { return };
        // Files of one folder follow each other.
        let mut last: Option<(PathBuf, Option<PathBuf>)> = None;
        targets.retain(|target| {
            let depth = target.below.components().count();
            let Some(root) = target.path.ancestors().nth(depth) else { return true };
            if last.as_ref().is_none_or(|(known, _)| known != root) {
                let searched = if root.as_os_str().is_empty() { Path::new(".") } else { root };
                last = Some((root.to_owned(), searched.canonicalize().ok()));
            }
            let Some((_, Some(real))) = &last else { return true };
            folder == *real || !folder.starts_with(real) || !real.join(&target.below).starts_with(&folder)
        });
    }

    /// Suggests a path that gives each input its own output.
    fn corrected(&self, jobs: &[Job]) -> Option<String> {
        let has_places = self.template.as_ref().is_some_and(Template::has_places);
        let with = |place: &str| {
            if has_places {
                return self.path.to_string_lossy().replace("{name}", place);
            }
            let extension = self.path.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
            let folder = if self.is_folder { &self.path } else { self.path.parent().unwrap_or(Path::new("")) };
            let extension = extension.filter(|_| !self.is_folder).unwrap_or_default();
            folder.join(format!("{place}{extension}")).display().to_string()
        };
        let is_distinct = |text: &String| {
            let outputs = Self::new(text.into(), self.is_folder).ok();
            let place_of = |(index, job): (usize, &Job)| Some(place(&outputs.as_ref()?.of(&job.input, index)));
            let places: Option<std::collections::HashSet<_>> = jobs.iter().enumerate().map(place_of).collect();
            places.is_some_and(|places| places.len() == jobs.len())
        };
        ["{name}", "{path}"].into_iter().map(with).find(is_distinct)
    }
}

/// Fails if two inputs have the same output, if an output is an input, or if it exists and may not be overwritten.
pub fn check(jobs: &[Job], outputs: &Outputs, force: bool) -> Result<(), Failure> {
    if is_stdio(&outputs.path) {
        if jobs.len() > 1 {
            let message = format!("cannot write {} files to stdout, only one", jobs.len());
            return Err(Failure::usage_with_help(message, "-o 'DIR/{name}.EXT' writes several files"));
        }
        if io::stdout().is_terminal() {
            let message = "refusing to write binary data to a terminal";
            return Err(Failure::usage_with_help(message, "-o - | another program, or -o FILE"));
        }
    }
    let files =
        |job: &'_ Job| -> Vec<OutputPath> { std::iter::once(&job.output).chain(&job.report).cloned().collect() };
    let mut taken: HashMap<String, &Job> = HashMap::new();
    for job in jobs {
        for path in files(job).iter().filter(|path| !is_stdio(path)) {
            let Some(other) = taken.insert(place(path), job) else { continue };
            if std::ptr::eq(other, job) {
                return Err(Failure::usage("the loss report would overwrite the output"));
            }
            let [a, b] = [other, job].map(|job| shown_name(&job.input.path));
            let message = format!("`{a}` and `{b}` would both be written to `{}`", path.display());
            let is_output = **path == *job.output;
            return Err(match outputs.corrected(jobs).filter(|_| is_output) {
                Some(corrected) => {
                    Failure::usage_with_help(message, format!("give each its own output: -o '{corrected}'"))
                }
                None if is_output => Failure::usage(message),
                None => Failure::usage_with_help(message, "--loss-report 'DIR/{path}.json'"),
            });
        }
    }
    let written: Vec<OutputPath> = jobs.iter().flat_map(files).filter(|path| !is_stdio(path)).collect();
    written.iter().try_for_each(OutputPath::check).map_err(Failure::Output)?;
    if outputs.is_folder {
        return Ok(());
    }
    if !force {
        written.iter().try_for_each(|path| check_not_existing(path)).map_err(Failure::Output)?;
    }
    let inputs: Vec<PathBuf> = jobs.iter().map(|job| job.input.path.clone()).collect();
    reject_sources(&written, &inputs)
}
