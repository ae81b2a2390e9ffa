//! The result of a comparison for people and other programs.
//!
//! Every style is a function of the result, so that merged shards print the same bytes as a single run, except for the
//! times in JUnit XML, which merged results lack.

mod github;
mod junit;
pub mod markdown;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Duration;

use clap::ValueEnum;

use super::record::{Comparison, FrameRecord, StructureChange, StructureRecord, Verdict};
use crate::shared::counted::{counted, few, listed};
use crate::shared::failure::Failure;
use crate::shared::json_output::{JsonOutput, unwritten};
use pchr::error::escaped;

/// Most excluded characters that the summary names.
const MAX_NAMED: usize = 10;

/// What is wrong with a reference that no picture uses.
const UNUSED: &str = "no picture uses this reference; delete it if it is obsolete, or find out what has vanished";

/// How long pictures took, by index. Not part of the result, which is the same for each run.
pub type Times = HashMap<usize, Duration>;

/// Output styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Style {
    /// A line per frame that is not the same, and a summary
    Human,
    /// JSON document pchr.compare/2
    Json,
    /// GitHub Actions annotations
    Github,
    /// JUnit XML
    Junit,
}

/// Returns the text for stdout. `quiet` omits what is not an error.
pub fn text(style: Style, comparison: &Comparison, times: &Times, quiet: bool) -> Result<String, Failure> {
    match style {
        Style::Human => Ok(failed(comparison) + &human(comparison, quiet)),
        Style::Json => comparison.to_text().map(|text| text + "\n").map_err(unwritten),
        Style::Github => Ok(github::text(comparison)),
        Style::Junit => junit::text(comparison, times),
    }
}

/// Returns a line per character that failed.
fn failed(comparison: &Comparison) -> String {
    comparison.failures.iter().map(|failure| format!("failed     {}\n", escaped(&failure.message))).collect()
}

/// Returns a line per change of a structure and per frame that is not the same, and a summary. `quiet` omits what is
/// not an error.
pub fn human(comparison: &Comparison, quiet: bool) -> String {
    let mut text = String::new();
    let is_shown = |verdict: Verdict| verdict.is_wrong() || !quiet && verdict == Verdict::Updated;
    // First, because pictures often differ for this reason.
    for structure in comparison.structures.iter().filter(|structure| is_shown(structure.verdict)) {
        let different = structure.verdict == Verdict::Different;
        let label = if different { "structure" } else { structure.verdict.name() };
        let reference = escaped(&structure.reference);
        for line in structure_lines(structure) {
            // Writing to a String cannot fail.
            _ = writeln!(text, "{label:<10} {reference}: {}", escaped(&line));
        }
    }
    // The largest differences first: others often have the same cause.
    let mut frames: Vec<_> = comparison.frames.iter().filter(|frame| is_shown(frame.verdict)).collect();
    frames.sort_by_key(|frame| std::cmp::Reverse(frame.pixels()));
    for frame in frames {
        _ = writeln!(text, "{}", line(frame));
    }
    for reference in &comparison.unused {
        _ = writeln!(text, "{:<10} {}: {UNUSED}", "unused", escaped(reference));
    }
    if !quiet {
        _ = writeln!(text, "{}", summary(comparison));
    }
    text
}

/// Returns the structures that are not as recorded.
fn wrong_structures(comparison: &Comparison) -> impl Iterator<Item = &StructureRecord> {
    comparison.structures.iter().filter(|structure| structure.verdict.is_wrong())
}

/// Returns the frames that are not as expected, together if they are of one animation and have the same verdict: the one
/// of them that differs most, and the numbers of all.
fn wrong_animations(comparison: &Comparison) -> Vec<(&FrameRecord, Vec<String>)> {
    let wrong: Vec<_> = comparison.frames.iter().filter(|frame| frame.verdict.is_wrong()).collect();
    let with_worst = wrong.chunk_by(|a, b| a.is_beside(b)).filter_map(|frames| {
        let worst = frames.iter().rev().max_by_key(|frame| frame.pixels())?;
        Some((*worst, frames.iter().map(|frame| frame.frame.to_string()).collect()))
    });
    with_worst.collect()
}

/// Returns the line of a frame.
fn line(frame: &FrameRecord) -> String {
    let (verdict, reference) = (frame.verdict.name(), escaped(&frame.reference));
    let animation = escaped(frame.animation_name());
    let mut line = format!("{verdict:<10} {reference}: {animation}, frame {}", frame.frame);
    if let Some(message) = &frame.message {
        _ = write!(line, ": {}", escaped(message));
    }
    if let Some(now) = frame.now.as_deref().filter(|now| *now != frame.reference) {
        _ = write!(line, "; see {}", escaped(now));
        if let Some(diff) = &frame.diff {
            _ = write!(line, " and {}", escaped(diff));
        }
    } else if frame.now.is_some() {
        line.push_str(", so it was written");
    }
    line
}

/// Returns what a record of a structure says, one line per change.
fn structure_lines(structure: &StructureRecord) -> Vec<String> {
    let changes = structure.changes.iter().map(StructureChange::to_string);
    structure.message.iter().cloned().chain(changes).collect()
}

/// Returns the line with the counts.
fn summary(comparison: &Comparison) -> String {
    let summary = &comparison.summary;
    let list = listed(&[
        (summary.same, "same"),
        (summary.updated, "updated"),
        (summary.different, "different"),
        (summary.missing, "missing"),
        (summary.resized, "of another size"),
        (summary.unreadable, "unreadable"),
    ]);
    let [frames, characters] =
        [(summary.frames, "frame"), (summary.characters, "character")].map(|(number, what)| counted(number, what));
    let unit = if summary.structures == 1 { "structure differs" } else { "structures differ" };
    let skipped = few(comparison.skipped.iter().map(|name| format!("`{}`", escaped(name))), MAX_NAMED);
    let others = [
        (summary.structures, format!("{} {unit}", summary.structures)),
        (summary.unrecorded, counted(summary.unrecorded, "character") + " without structure.json"),
        (summary.skipped, format!("{} excluded: {skipped}", counted(summary.skipped, "character"))),
        (summary.unused, counted(summary.unused, "reference") + " unused"),
        (summary.failed, counted(summary.failed, "character") + " failed"),
    ];
    let text = format!("{frames} of {characters} compared{list}");
    others.iter().filter(|(number, _)| *number > 0).fold(text, |text, (_, other)| text + "; " + other)
}
