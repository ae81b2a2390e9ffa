//! Renders and compares all characters, one after the other. Only one is in memory at a time.
//!
//! A shard reads only its own characters, and numbers its own pictures.

use std::fs;

use super::accept::Accepted;
use super::args::{TestArgs, UnusedArg};
use super::failures::{distinct, sorted};
use super::progress::Progress;
use super::shard::Shard;
use super::suite::{Suite, Tested};
use super::unused_references::{self, Used};
use crate::golden::print::Times;
use crate::golden::record::{Comparison, OwnCharacter, ShardRecord};
use crate::golden::report::ReportWriter;
use crate::shared::failure::Failure;
use crate::shared::stdio::portable;

/// A run in progress.
pub struct Run<'a> {
    /// The characters.
    pub suite: &'a Suite,
    /// The command line.
    pub args: &'a TestArgs,
    /// Only errors are printed.
    pub is_quiet: bool,
    /// Which references are replaced if they differ.
    pub accepted: &'a Accepted,
    /// The report, if one is requested.
    pub report: Option<&'a ReportWriter>,
    /// Counts characters and pictures.
    pub progress: &'a Progress,
    /// The result so far.
    pub result: Comparison,
    /// How long pictures took.
    pub times: Times,
    /// Number of the next picture.
    pub next: usize,
    /// What was planned so far.
    pub used: Used,
}

impl<'a> Run<'a> {
    /// Prepares a run.
    pub fn new(
        suite: &'a Suite,
        args: &'a TestArgs,
        is_quiet: bool,
        accepted: &'a Accepted,
        report: Option<&'a ReportWriter>,
        progress: &'a Progress,
    ) -> Self {
        let (result, times, used) = Default::default();
        Self { suite, args, is_quiet, accepted, report, progress, result, times, next: 0, used }
    }

    /// Renders and compares everything. Characters that fail are recorded; an error ends the run.
    pub fn all(mut self) -> Result<(Comparison, Times), Failure> {
        let (suite, shard) = (self.suite, self.args.shard);
        let work: Vec<u64> = suite.covered().map(|(_, tested)| shard.map_or(0, |_| work(suite, tested))).collect();
        let is_own = shard.map_or_else(|| vec![true; work.len()], |shard| shard.share(&work));
        self.progress.start(is_own.iter().filter(|is_own| **is_own).count());
        let mut own = Vec::new();
        for (index, tested) in suite.covered().filter(|(index, _)| is_own[*index]) {
            own.push(OwnCharacter { character: tested.target.name.clone(), index });
            self.character(index, tested)?;
            self.progress.character_done();
        }
        self.check_entries()?;
        let (characters, pictures) = (work.len(), self.next);
        let (dir, unused) = (portable(&suite.dir), self.unused());
        let result = Comparison {
            errors: sorted(self.result.errors),
            // A character that cannot be read fails once, however often it is rendered.
            failures: distinct(self.result.failures),
            shard: shard.map(|Shard { number: shard, count }| ShardRecord {
                characters,
                count,
                own,
                pictures,
                shard,
            }),
            skipped: suite.skipped.clone(),
            suite: Some(if dir.is_empty() { ".".to_owned() } else { dir }),
            unused,
            ..self.result
        };
        Ok((result.counted(), self.times))
    }

    /// Fails if an entry suits no character. One that names its characters has failed at each of them instead, and a
    /// shard does not know whether an entry suits a character of another one.
    fn check_entries(&self) -> Result<(), Failure> {
        let is_known = self.suite.is_whole && self.args.shard.is_none() && self.result.failures.is_empty();
        let tables = self.suite.entries.split_last().map_or(&[][..], |(_, tables)| tables);
        let mut unsuited = tables.iter().enumerate().filter(|(index, _)| !self.used.entries.contains(index));
        match unsuited.find(|(_, entry)| is_known && entry.patterns.is_empty()) {
            Some((_, entry)) => Err(entry.unused()),
            None => Ok(()),
        }
    }

    /// Returns the references that no picture uses, without those that are removed or only noted.
    fn unused(&self) -> Vec<String> {
        // References of no character belong to the first shard.
        let has_rest = self.suite.is_whole && self.args.shard.is_none_or(|shard| shard.number == 1);
        let unused = unused_references::find(self.suite, &self.used, has_rest);
        match self.args.unused {
            UnusedArg::Fail if self.accepted.is_all() => unused_references::remove(self.suite, unused),
            UnusedArg::Fail => unused,
            UnusedArg::Note => {
                unused_references::report(&unused);
                Vec::new()
            }
        }
    }
}

/// The work of a character, estimated without opening it: most is in its pictures.
fn work(suite: &Suite, tested: &Tested) -> u64 {
    const BYTES: u64 = 1 << 16;
    let size = fs::metadata(&tested.target.path).map_or(0, |found| found.len());
    let fallback = std::slice::from_ref(&tested.fallback);
    let cases = if tested.cases.is_empty() { fallback } else { &tested.cases };
    let folders = cases.iter().map(|case| fs::read_dir(suite.folders.references.join(&case.base)));
    1 + folders.flatten().map(|entries| entries.count() as u64).sum::<u64>() + size / BYTES
}
