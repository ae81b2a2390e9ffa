//! One character, rendered as one entry of the settings says, and compared.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

use super::failures::{attempt, of_character, same_references, without_excess};
use super::plan::{Group, plan};
use super::run::Run;
use super::settings::{Entry, StructureArg};
use super::structure::{Outcome, Recording, structure_path};
use super::suite::{Case, Tested};
use super::unused_references::remove_empty;
use crate::golden::check::Check;
use crate::golden::files::check_sources;
use crate::golden::record::{FrameRecord, StructureRecord, Verdict, Warning};
use crate::shared::failure::Failure;
use crate::shared::keep_going::KeepGoingArgs;
use crate::shared::load::load_character;
use crate::shared::stdio::portable;
use crate::shared::warnings::{WarningArgs, print_errors};
use pchr::Character;
use pchr::cpu::Renderer;
use pchr::diagnostics::Diagnostics;
use pchr::export::{Drawing, VisibleAnimations};
use pchr::formats::ReadOptions;

/// A character of the run that is rendered under one entry.
#[derive(Clone, Copy)]
struct Rendered<'a> {
    /// Position in the run.
    index: usize,
    tested: &'a Tested,
    entry: &'a Entry,
    loaded: &'a Loaded,
}

/// A character as read with some options, and the files that it was read from.
struct Loaded {
    options: ReadOptions,
    character: Character,
    /// Cloned for all of its pictures; clones share the pages.
    /// Made for the first picture. Clones share the pages.
    renderer: OnceLock<Renderer>,
    sources: Vec<PathBuf>,
}

impl Run<'_> {
    /// Renders and compares a character under each entry that suits it, or else as those without an entry.
    pub fn character(&mut self, index: usize, tested: &Tested) -> Result<(), Failure> {
        let (mut loaded, mut is_tested) = (None, false);
        for case in &tested.cases {
            is_tested |= self.case(index, tested, case, &mut loaded)?;
        }
        if !is_tested {
            self.case(index, tested, &tested.fallback, &mut loaded)?;
        }
        Ok(())
    }

    /// Renders and compares a character under an entry. Returns false if the entry does not suit it.
    fn case(
        &mut self,
        index: usize,
        tested: &Tested,
        case: &Case,
        loaded: &mut Option<Loaded>,
    ) -> Result<bool, Failure> {
        let suite = self.suite;
        let (entry, dir) = (&suite.entries[case.entry], &suite.dir);
        let is_compared = self.args.structure.unwrap_or(entry.structure) == StructureArg::On;
        let recording = is_compared.then(|| Recording::read(dir, &case.base, self.accepted));
        let (given, is_quiet, mut errors) = (self.args.given.errors, self.is_quiet, Vec::new());
        let planned = self.attempt(index, tested, || {
            let loaded = load(tested, case, entry, given, is_quiet, &mut errors, loaded)?;
            let recorded = recording.as_ref().map(Recording::area).unwrap_or_default();
            let groups = plan(entry, &loaded.character, &suite.folders, &case.base, &recorded)?;
            let files = groups.iter().flat_map(|group| &group.files);
            let paths = files.flat_map(|files| [&files.reference, &files.now.path, &files.diff.path]);
            check_sources(paths, &loaded.sources).map_err(Failure::Input)?;
            Ok((groups, loaded))
        });
        self.result.errors.extend(errors);
        let Some((mut groups, loaded)) = planned? else { return Ok(true) };
        self.used.planned.insert(case.base.clone());
        if groups.is_empty() {
            return Ok(false);
        }
        self.used.entries.insert(case.entry);
        for group in &mut groups {
            self.used.references.extend(group.files.iter().map(|files| files.reference.to_path_buf()));
            self.next = group.number(self.next);
        }
        if !self.used.references.insert(structure_path(dir, &case.base).to_path_buf()) {
            self.fail(index, tested, same_references("another character"));
            return Ok(true);
        }
        let rendered = Rendered { index, tested, entry, loaded };
        let (first, failed) = (self.result.frames.len(), self.result.failures.len());
        self.pictures(rendered, &groups)?;
        self.result.frames[first..].sort_by_key(|frame| frame.index);
        if let Some(recording) = recording.filter(|_| self.result.failures.len() == failed) {
            self.structure(rendered, &groups, &recording, first)?;
        }
        remove_empty(&suite.folders.results, &case.base, |_| true);
        Ok(true)
    }

    /// Compares all pictures of a character.
    fn pictures(&mut self, rendered: Rendered<'_>, groups: &[Group]) -> Result<(), Failure> {
        for group in groups {
            let visible = VisibleAnimations::default();
            let is_accepted = group.files.iter().map(|files| self.accepted.has(&files.reference, &self.suite.dir));
            let is_accepted: Vec<bool> = is_accepted.collect();
            // Accepted pictures come last: an animation is not empty if any other picture shows something.
            for update in [false, true] {
                self.group(rendered, &group.only(|at| is_accepted[at] == update), update, &visible)?;
            }
        }
        Ok(())
    }

    /// Compares pictures together or, if that fails, one by one, so that only failing pictures have no record.
    fn group(
        &mut self,
        rendered: Rendered<'_>,
        group: &Group,
        update: bool,
        visible: &VisibleAnimations,
    ) -> Result<(), Failure> {
        if group.files.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        match attempt(|| self.compare(rendered, group, update, visible))? {
            Ok(frames) => {
                // Pictures are rendered in parallel, so each has its share.
                let share = start.elapsed() / u32::try_from(frames.len().max(1)).unwrap_or(u32::MAX);
                self.times.extend(frames.iter().map(|frame| (frame.index, share)));
                self.result.frames.extend(frames);
            }
            Err(failure) if group.files.len() < 2 => self.fail(rendered.index, rendered.tested, failure),
            Err(_) => {
                for at in 0..group.files.len() {
                    self.group(rendered, &group.only(|other| other == at), update, visible)?;
                }
            }
        }
        Ok(())
    }

    fn compare(
        &self,
        rendered: Rendered<'_>,
        group: &Group,
        update: bool,
        visible: &VisibleAnimations,
    ) -> Result<Vec<FrameRecord>, Failure> {
        let Rendered { tested, entry, loaded: Loaded { character, renderer, sources, .. }, .. } = rendered;
        let Group { options, plan, files, left: _ } = group;
        let check = Check {
            file: Path::new(&tested.target.name),
            name: entry.name.as_deref(),
            character,
            sources,
            options,
            plan,
            files,
            allowance: entry.allowance,
            update,
            visible,
            refuses_empty: !self.args.allow_empty,
            reports_same: self.args.report_all,
            report: self.report,
            picture_done: &|| self.progress.picture_done(),
        };
        // The plan has checked the memory of the pictures.
        let renderer = renderer.get_or_init(|| Renderer::new(character.model()).with_max_bytes(u64::MAX));
        check.run(&mut Drawing::cpu(renderer.clone())).map_err(without_excess)
    }

    /// Compares the structure of a character, whose pictures are recorded from `first`, with the recorded one.
    fn structure(
        &mut self,
        rendered: Rendered<'_>,
        groups: &[Group],
        recording: &Recording,
        first: usize,
    ) -> Result<(), Failure> {
        let Rendered { index, tested, entry, loaded } = rendered;
        let compare = || recording.compare(&loaded.character, &entry.options, groups).map_err(Failure::Output);
        let Some(Outcome { changes, message, verdict }) = self.attempt(index, tested, compare)?.flatten() else {
            return Ok(());
        };
        let is_missing = |verdict: Verdict| verdict == Verdict::Missing;
        if is_missing(verdict) && self.result.frames[first..].iter().all(|frame| is_missing(frame.verdict)) {
            return Ok(());
        }
        self.result.structures.push(StructureRecord {
            changes,
            character: tested.target.name.clone(),
            message,
            name: entry.name.clone(),
            reference: portable(&recording.path),
            verdict,
        });
        Ok(())
    }

    /// Does `work` for a character. If that fails, the failure is recorded, and nothing returned.
    fn attempt<T>(
        &mut self,
        index: usize,
        tested: &Tested,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        let done = attempt(work)?.map_err(|failure| self.fail(index, tested, failure));
        Ok(done.ok())
    }

    fn fail(&mut self, index: usize, tested: &Tested, failure: Failure) {
        self.result.failures.push(of_character(index, &tested.target.name, failure));
    }
}

/// Reads a character, unless it was read before with the same options. Adds the `errors` in parts that are left out.
fn load<'l>(
    tested: &Tested,
    case: &Case,
    entry: &Entry,
    given: KeepGoingArgs,
    is_quiet: bool,
    errors: &mut Vec<Warning>,
    loaded: &'l mut Option<Loaded>,
) -> Result<&'l Loaded, Failure> {
    if let Some(other) = &case.taken_by {
        return Err(same_references(&format!("`{other}`")));
    }
    tested.target.check().map_err(Failure::Input)?;
    if loaded.as_ref().is_none_or(|loaded| loaded.options != entry.options.read) {
        *loaded = None;
        let options = entry.options.read.clone();
        let (path, mut diagnostics) = (&tested.target.path, Diagnostics::default());
        let (character, sources) = load_character(path, &options, given, &mut diagnostics)?;
        print_errors(&diagnostics, path, WarningArgs { verbose: false }, is_quiet);
        errors.extend(Warning::errors_in(&diagnostics));
        *loaded = Some(Loaded { options, character, renderer: OnceLock::new(), sources });
    }
    loaded.as_ref().ok_or(Failure::Bug)
}
