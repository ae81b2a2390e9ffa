//! Writes the files of one input, and protects the files of all other inputs of the run.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::{Job, WriteArgs};
use crate::shared::failure::{Failure, note};
use crate::shared::stdio::{is_stdio, portable, print_with, shown_name};
use crate::shared::target::{is_source, place, reject_sources};
use crate::shared::warnings::{print_findings, warn_by_code};
use pchr::Error;
use pchr::convert::{Files, OutFile, Place, WriteError};
use pchr::diagnostics::Diagnostics;
use pchr::error::Fault;
use pchr::export::{OutputFile, OutputPath};
use pchr::formats::Loss;

/// The files that a run has read and written so far. The names of images are only known once a character has been
/// read, and two characters may have images of the same name.
pub struct Session<'a> {
    /// False for a single input, which needs no guard.
    is_guarded: bool,
    /// Canonical paths of all inputs, and of the other files that were read.
    sources: HashSet<PathBuf>,
    /// Written files by their [`place`], with the input that they belong to.
    written: HashMap<String, usize>,
    inputs: Vec<String>,
    args: &'a WriteArgs,
    is_quiet: bool,
}

impl<'a> Session<'a> {
    pub fn new(jobs: &[Job], args: &'a WriteArgs, is_quiet: bool) -> Self {
        let is_guarded = jobs.len() > 1;
        let inputs = if is_guarded { jobs } else { &[] };
        let sources = inputs.iter().filter_map(|job| job.input.path.canonicalize().ok()).collect();
        Self { is_guarded, sources, written: HashMap::new(), inputs: Vec::new(), args, is_quiet }
    }

    /// Prints the errors and warnings about the input `file`.
    pub fn print_findings(&self, diagnostics: &Diagnostics, file: &Path) {
        print_findings(diagnostics, file, self.args.warnings, self.is_quiet);
    }

    /// Prints the worst losses of each code. If there are several inputs, they name the file. `main` contains the
    /// `losses` that are printed first.
    pub fn warn_of_losses<'l>(&self, job: &Job, main: impl Iterator<Item = &'l Loss>, losses: &'l [Loss]) {
        if self.is_quiet {
            return;
        }
        let mut printed: Vec<&Loss> =
            if self.args.warnings.verbose { losses.iter().collect() } else { main.collect() };
        let error = |loss: &Loss| loss.error_px.unwrap_or(0.0);
        printed.sort_by(|a, b| error(b).total_cmp(&error(a)));
        let file = self.is_guarded.then(|| shown_name(&job.input.path));
        let fault = |loss: &&Loss| {
            let mut fault = loss.fault();
            fault.place.file = fault.place.file.or_else(|| file.clone());
            fault
        };
        let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
        losses.iter().for_each(|loss| *counts.entry(loss.code).or_default() += 1);
        let faults: Vec<Fault> = printed.iter().map(fault).collect();
        warn_by_code(&faults, &counts.into_iter().collect::<Vec<_>>(), file.as_deref(), self.args.warnings);
    }

    /// Prints a note.
    pub fn note(&self, message: &str) {
        if !self.is_quiet {
            note(message);
        }
    }

    /// Writes a single file completely or not at all, or to stdout. Returns the path of the file.
    pub fn write(
        &mut self,
        job: &Job,
        path: &OutputPath,
        sources: &[PathBuf],
        write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
    ) -> Result<Vec<String>, Failure> {
        self.check(job, [path])?;
        if is_stdio(path) {
            print_with(write)?;
        } else {
            reject_sources([path], sources)?;
            let mut file = OutputFile::create(path, self.args.force).map_err(Failure::Output)?;
            write(&mut file).map_err(|error| Failure::Output(Error::io(path.display(), error)))?;
            file.finish().map_err(Failure::Output)?;
        }
        self.add(job, sources, [path]);
        Ok(vec![portable(path)])
    }

    /// Writes all files or none into a folder. Returns their paths, the main file first.
    pub fn write_files(
        &mut self,
        job: &Job,
        folder: &OutputPath,
        sources: &[PathBuf],
        files: &Files,
    ) -> Result<Vec<String>, Failure> {
        let path_of = |file: &OutFile| folder.join(&file.name);
        if self.is_guarded {
            let is_same = |file: &OutFile| file.bytes().is_some_and(|bytes| path_of(file).holds(bytes));
            let files = files.pictures.iter().filter(|picture| !is_same(picture)).chain(&files.files);
            self.check(job, files.map(path_of))?;
        }
        let written =
            files.write_into(&Place { folder, force: self.args.force, sources }).map_err(|error| match error {
                WriteError::IsSource(_) => Failure::usage(error.to_string()),
                WriteError::Exists { error, .. } | WriteError::Output(error) => Failure::Output(error),
            })?;
        // Images that existed belong to this input, too.
        self.add(job, sources, files.pictures.iter().chain(&files.files).map(path_of));
        Ok(written.iter().map(|path| portable(path)).collect())
    }

    /// Fails if a path is a file of another input.
    fn check(&self, job: &Job, paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<(), Failure> {
        if !self.is_guarded {
            return Ok(());
        }
        for path in paths {
            let path = path.as_ref();
            if path.canonicalize().is_ok_and(|path| self.sources.contains(&path)) {
                return Err(is_source(path));
            }
            if let Some(other) = self.written.get(&place(path)).and_then(|other| self.inputs.get(*other)) {
                let message = format!("`{}` was written for `{other}`", path.display());
                let help = "give each character its own folder, as in -o 'DIR/{path}/{name}.json'";
                return Err(Failure::usage_with_help(message, help).in_file(&job.input.path));
            }
        }
        Ok(())
    }

    fn add(&mut self, job: &Job, sources: &[PathBuf], written: impl IntoIterator<Item = impl AsRef<Path>>) {
        if self.is_guarded {
            self.sources.extend(sources.iter().filter_map(|source| source.canonicalize().ok()));
            let places = written.into_iter().map(|path| (place(path.as_ref()), self.inputs.len()));
            self.written.extend(places);
            self.inputs.push(shown_name(&job.input.path));
        }
    }
}
