//! Renders and compares all characters, one after the other. Only one is in memory at a time.
//!
//! A shard reads only its own characters, and numbers its own pictures.

use std::collections::HashMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::accept::Accepted;
use super::args::{TestArgs, UnusedArg};
use super::failures::distinct;
use super::plan::{Group, plan};
use super::progress::Progress;
use super::settings::{Entry, StructureArg};
use super::shard::Shard;
use super::structure::{Outcome, Recording, structure_path};
use super::suite::{Case, REFERENCES, Suite, Tested};
use super::unused_references::{self, Used};
use crate::golden::check::{Check, NOTHING_VISIBLE};
use crate::golden::record::{Comparison, FrameRecord, OwnCharacter, ShardRecord, StructureRecord, Verdict};
use crate::golden::report::ReportWriter;
use crate::shared::failure::Failure;
use crate::shared::interrupt;
use crate::shared::json_error::JsonError;
use crate::shared::load::load_character;
use crate::shared::stdio::portable;
use pchr::Character;
use pchr::Error;
use pchr::cpu::Renderer;
use pchr::diagnostics::Diagnostics;
use pchr::error::Place;
use pchr::export::{Drawing, ExportError, VisibleAnimations, source_among};
use pchr::formats::ReadOptions;

/// Exit code of a setting that does not suit a character.
const SETTING_EXIT_CODE: u8 = 3;

/// How long pictures took, by index. Not part of the result, which is the same for each run.
pub type Times = HashMap<usize, Duration>;

/// A run in progress.
pub struct Run<'a> {
    suite: &'a Suite,
    shard: Option<Shard>,
    accepted: &'a Accepted,
    compares_structure: Option<StructureArg>,
    allows_empty: bool,
    reports_same: bool,
    report: Option<&'a ReportWriter>,
    progress: &'a Progress,
    times: Times,
    /// Number of the next picture.
    next: usize,
    frames: Vec<FrameRecord>,
    failures: Vec<JsonError>,
    structures: Vec<StructureRecord>,
    used: Used,
    /// By entry, whether it suits a character.
    suits: Vec<bool>,
}

/// A character of the run that is rendered under one entry.
#[derive(Clone, Copy)]
struct Rendered<'a> {
    /// Position in the run.
    number: usize,
    tested: &'a Tested,
    entry: &'a Entry,
    loaded: &'a Loaded,
}

/// A character as read with some options, and the files that it was read from.
struct Loaded {
    options: ReadOptions,
    character: Character,
    sources: Vec<PathBuf>,
}

impl<'a> Run<'a> {
    /// Prepares a run. References that differ are replaced if they are `accepted`.
    pub fn new(
        suite: &'a Suite,
        args: &TestArgs,
        accepted: &'a Accepted,
        report: Option<&'a ReportWriter>,
        progress: &'a Progress,
    ) -> Self {
        Self {
            suite,
            shard: args.shard,
            accepted,
            compares_structure: args.structure,
            allows_empty: args.allow_empty,
            reports_same: args.report_all,
            report,
            progress,
            times: Times::default(),
            next: 0,
            frames: Vec::new(),
            failures: Vec::new(),
            structures: Vec::new(),
            used: Used::default(),
            // An entry that names its characters fails at each of them instead.
            suits: (1..=suite.entries.len())
                .zip(&suite.entries)
                .map(|(number, entry)| entry.has_files() || number == suite.entries.len())
                .collect(),
        }
    }

    /// Renders and compares everything. Characters that fail are recorded; an error ends the run.
    pub fn all(mut self, unused: UnusedArg) -> Result<(Comparison, Times), Failure> {
        let suite = self.suite;
        let work: Vec<u64> = suite.covered().map(|(_, tested)| self.work(tested)).collect();
        let is_own = self.shard.map_or_else(|| vec![true; work.len()], |shard| shard.share(&work));
        self.progress.start(is_own.iter().filter(|is_own| **is_own).count());
        let mut own = Vec::new();
        for (index, tested) in suite.covered().filter(|(index, _)| is_own[*index]) {
            own.push(OwnCharacter { character: tested.target.name.clone(), index });
            self.progress.character();
            let mut loaded = None;
            let mut is_tested = false;
            for case in &tested.cases {
                is_tested |= self.case(index, tested, case, &mut loaded)?;
            }
            if !is_tested {
                self.case(index, tested, &tested.fallback, &mut loaded)?;
            }
        }
        // A shard does not know whether an entry suits a character of another one.
        let unsuited = suite.entries.iter().zip(&self.suits).find(|(_, suits)| !**suits);
        if let Some((entry, _)) =
            unsuited.filter(|_| suite.is_whole && self.shard.is_none() && self.failures.is_empty())
        {
            return Err(entry.unused());
        }
        // References of no character belong to the first shard.
        let has_rest = suite.is_whole && self.shard.is_none_or(|shard| shard.number == 1);
        let mut without_picture = unused_references::find(suite, &self.used, has_rest);
        match unused {
            UnusedArg::Fail if self.accepted.is_all() => {
                unused_references::remove(&suite.dir, &mut without_picture)
            }
            UnusedArg::Fail => {}
            UnusedArg::Note => {
                unused_references::report(&without_picture);
                without_picture.clear();
            }
        }
        let shard = self.shard.map(|Shard { number: shard, count }| {
            let (characters, pictures) = (work.len(), self.next);
            ShardRecord { characters, count, own, pictures, shard }
        });
        // A character that cannot be read fails once, however often it is rendered.
        let failures = distinct(self.failures);
        let (frames, structures) = (self.frames, self.structures);
        let (dir, skipped) = (portable(&suite.dir), suite.skipped.clone());
        let suite = Some(if dir.is_empty() { ".".to_owned() } else { dir });
        let unused = without_picture;
        let comparison =
            Comparison { failures, frames, shard, skipped, structures, suite, unused, ..Comparison::default() };
        Ok((comparison.counted(), self.times))
    }

    /// The work of a character, estimated without opening it: most is in its pictures.
    fn work(&self, tested: &Tested) -> u64 {
        const BYTES: u64 = 1 << 16;
        if self.shard.is_none() {
            return 0;
        }
        let count = |case: &Case| {
            let folder = fs::read_dir(self.suite.dir.join(REFERENCES).join(&case.base));
            folder.map_or(0, |entries| entries.count() as u64)
        };
        let size = fs::metadata(&tested.target.path).map_or(0, |found| found.len());
        let fallback = std::slice::from_ref(&tested.fallback);
        let cases = if tested.cases.is_empty() { fallback } else { &tested.cases };
        1 + cases.iter().map(count).sum::<u64>() + size / BYTES
    }

    /// Renders and compares a character under an entry. Returns false if the entry does not suit it.
    fn case(
        &mut self,
        number: usize,
        tested: &Tested,
        case: &Case,
        loaded: &mut Option<Loaded>,
    ) -> Result<bool, Failure> {
        let (entry, dir) = (&self.suite.entries[case.entry], &self.suite.dir);
        let is_compared = self.compares_structure.unwrap_or(entry.structure) == StructureArg::On;
        let recording = is_compared.then(|| Recording::read(dir, &case.base, self.accepted));
        let planned = attempt(|| {
            let loaded = load(tested, case, entry, loaded)?;
            let recorded = recording.as_ref().map(Recording::area).unwrap_or_default();
            let groups = plan(entry, &loaded.character, (dir, &self.suite.results), &case.base, &recorded)?;
            check_sources(&groups, &loaded.sources)?;
            Ok(groups)
        });
        let mut groups = match planned {
            Ok(groups) => groups,
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) => {
                self.fail(number, tested, failure);
                return Ok(true);
            }
        };
        self.used.planned.insert(case.base.clone());
        self.suits[case.entry] |= !groups.is_empty();
        for group in &mut groups {
            self.used.references.extend(group.targets.iter().map(|target| target.reference.to_path_buf()));
            self.next = group.number(self.next);
        }
        let Some(loaded) = loaded else {
            self.fail(number, tested, Failure::Bug);
            return Ok(true);
        };
        if groups.is_empty() {
            return Ok(false);
        }
        if !self.used.references.insert(structure_path(dir, &case.base).to_path_buf()) {
            self.fail(number, tested, same_references("another character"));
            return Ok(true);
        }
        let rendered = Rendered { number, tested, entry, loaded };
        let (first, failed) = (self.frames.len(), self.failures.len());
        for group in &groups {
            let visible = VisibleAnimations::default();
            let is_accepted: Vec<bool> =
                group.targets.iter().map(|target| self.accepted.has(&target.reference, dir)).collect();
            // Accepted pictures come last: an animation is not empty if any other picture shows something.
            for update in [false, true] {
                self.compare_group(rendered, &group.only(|at| is_accepted[at] == update), update, &visible)?;
            }
        }
        self.frames[first..].sort_by_key(|frame| frame.index);
        if let Some(recording) = recording.filter(|_| self.failures.len() == failed) {
            self.structure(rendered, &groups, &recording, first)?;
        }
        self.remove_empty_folders(&case.base);
        Ok(true)
    }

    /// Compares pictures together or, if that fails, one by one, so that only failing pictures have no record.
    fn compare_group(
        &mut self,
        rendered: Rendered<'_>,
        group: &Group,
        update: bool,
        visible: &VisibleAnimations,
    ) -> Result<(), Failure> {
        if group.targets.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        match attempt(|| self.compare(rendered, group, update, visible)) {
            Ok(frames) => {
                // Pictures are rendered in parallel, so each has its share.
                let share = start.elapsed() / u32::try_from(frames.len().max(1)).unwrap_or(u32::MAX);
                self.times.extend(frames.iter().map(|frame| (frame.index, share)));
                self.frames.extend(frames);
            }
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) if group.targets.len() < 2 => self.fail(rendered.number, rendered.tested, failure),
            Err(_) => {
                for at in 0..group.targets.len() {
                    self.compare_group(rendered, &group.only(|other| other == at), update, visible)?;
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
        let Rendered { tested, entry, loaded, .. } = rendered;
        let Group { options, plan, targets, left: _ } = group;
        let character = &loaded.character;
        // Its plan has already checked the memory of the pictures.
        let mut drawing = Drawing::cpu(Renderer::new(character.model()).with_max_bytes(u64::MAX));
        let sequence = options.sequence(character, plan, interrupt::flag()).recording(visible);
        let check = Check {
            file: Path::new(&tested.target.name),
            name: entry.name.as_deref(),
            character,
            sources: &loaded.sources,
            options,
            plan,
            targets,
            allowance: entry.allowance,
            update,
            refused_empty: (!self.allows_empty).then_some(visible),
            reports_same: self.reports_same,
            report: self.report,
            picture_done: &|| self.progress.picture(),
        };
        check.run(&mut drawing, &sequence).map_err(exporting)?.ok_or(Failure::Interrupted)
    }

    /// Compares the structure of a character, whose pictures are recorded from `first`, with the recorded one.
    fn structure(
        &mut self,
        rendered: Rendered<'_>,
        groups: &[Group],
        recording: &Recording,
        first: usize,
    ) -> Result<(), Failure> {
        let Rendered { number, tested, entry, loaded } = rendered;
        let compared = || recording.compare(&loaded.character, &entry.options, groups).map_err(Failure::Output);
        match attempt(compared) {
            Ok(Some(Outcome { verdict: Verdict::Missing, .. }))
                if self.frames[first..].iter().all(|frame| frame.verdict == Verdict::Missing) => {}
            Ok(Some(Outcome { changes, message, verdict })) => self.structures.push(StructureRecord {
                changes,
                character: tested.target.name.clone(),
                message,
                name: entry.name.clone(),
                reference: portable(&recording.path),
                verdict,
            }),
            Ok(None) => {}
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) => self.fail(number, tested, failure),
        }
        Ok(())
    }

    fn fail(&mut self, number: usize, tested: &Tested, failure: Failure) {
        let character = &tested.target.name;
        let failure = failure.in_file(Path::new(character));
        let mut message = failure.message();
        if failure.place().is_none_or(|place| place.file.is_none()) {
            message = format!("{character}: {message}");
        }
        if let Failure::Usage { help: Some(help), .. } = &failure {
            message = format!("{message}; {help}");
        }
        // A setting that does not suit the character is a fault of the settings file, an input, not of the command
        // line.
        let is_setting = matches!(failure, Failure::Usage { .. });
        let exit_code = if is_setting { SETTING_EXIT_CODE } else { failure.exit_code() };
        self.failures.push(JsonError {
            character: Some(character.clone()),
            exit_code,
            index: Some(number),
            message,
            ..JsonError::new(&failure)
        });
    }

    /// Removes folders of results that this run has emptied.
    fn remove_empty_folders(&self, base: &Path) {
        let results = self.suite.results.folder();
        for folder in results.join(base).ancestors().take_while(|folder| folder.starts_with(&results)) {
            // Fails if it contains anything.
            let is_below =
                folder.strip_prefix(&results).is_ok_and(|below| self.suite.results.path(below).check().is_ok());
            if !is_below {
                break;
            }
            if fs::remove_dir(folder).is_err() && folder.exists() {
                break;
            }
        }
    }
}

/// Reads a character, unless it was read before with the same options.
fn load<'l>(
    tested: &Tested,
    case: &Case,
    entry: &Entry,
    loaded: &'l mut Option<Loaded>,
) -> Result<&'l Loaded, Failure> {
    if let Some(other) = &case.taken_by {
        return Err(same_references(&format!("`{other}`")));
    }
    tested.target.check().map_err(Failure::Input)?;
    if loaded.as_ref().is_none_or(|loaded| loaded.options != entry.options.read) {
        *loaded = None;
        let options = entry.options.read.clone();
        let read = load_character(&tested.target.path, &options, &mut Diagnostics::default());
        let (character, sources) = read.map_err(Failure::reading)?;
        *loaded = Some(Loaded { options, character, sources });
    }
    loaded.as_ref().ok_or(Failure::Bug)
}

/// The failure of a character that has the same references as another one.
fn same_references(other: &str) -> Failure {
    let message = format!(
        "it would have the same references as {other}; give one of them a `name` in a [[render]] table of \
         pchr-test.toml"
    );
    Failure::Input(Error::unsupported("same-references", Place::default(), message))
}

/// Fails if a picture or its reference would replace a file of the character.
fn check_sources(groups: &[Group], sources: &[PathBuf]) -> Result<(), Failure> {
    let targets = groups.iter().flat_map(|group| &group.targets);
    let written = targets.flat_map(|target| [&target.reference, &target.now.path, &target.diff.path]);
    let Some(source) = source_among(written, sources) else { return Ok(()) };
    let message = "this is a file of the character and cannot be a reference or be overwritten";
    Err(Failure::Input(Error::unsupported("source", Place::file(source.display()), message)))
}

/// A failure to draw or write a picture. Pictures in different shards exceed a limit by different amounts: without
/// them, the failures are the same.
fn exporting(error: ExportError) -> Failure {
    match Failure::exporting(error) {
        Failure::Output(error) if error.code() == NOTHING_VISIBLE => {
            Failure::Empty { error, help: Some("--allow-empty accepts it".to_owned()) }
        }
        Failure::Input(Error::LimitExceeded(mut excess)) => {
            excess.asked = excess.allowed.saturating_add(1);
            Failure::Input(Error::LimitExceeded(excess))
        }
        failure => failure,
    }
}

/// Does `work` for one character. A panic is the failure of that character.
fn attempt<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // Unwind-safe: nothing that a panic leaves half-changed is used for another character.
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Failure::Bug));
    // An interrupt ends the run, whatever failed.
    if interrupt::is_requested() { Err(Failure::Interrupted) } else { result }
}
