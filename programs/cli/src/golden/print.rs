//! The result of a comparison for people: one line per change of a structure and per frame that is not the same, and a
//! summary.

use std::fmt::Write as _;

use super::record::{Comparison, FrameRecord, StructureChange, StructureRecord, Verdict};
use crate::shared::counted::{counted, listed};
use pchr::error::escaped;

/// Most excluded characters that the summary names.
const MAX_NAMED: usize = 10;

/// What is wrong with a reference that no picture uses.
pub const UNUSED: &str =
    "no picture uses this reference; delete it if it is obsolete, or find out what has vanished";

/// Returns the lines. `quiet` omits what is not an error.
pub fn human(comparison: &Comparison, quiet: bool) -> String {
    let mut text = String::new();
    // First, because pictures often differ for this reason.
    let structures = comparison.structures.iter();
    let is_shown = |structure: &&StructureRecord| {
        structure.verdict.exit_code() != 0 || !quiet && structure.verdict == Verdict::Updated
    };
    for structure in structures.filter(is_shown) {
        let label = if structure.verdict == Verdict::Different { "structure" } else { name(structure.verdict) };
        let reference = escaped(&structure.reference);
        for line in structure_lines(structure) {
            _ = writeln!(text, "{label:<10} {reference}: {}", escaped(&line));
        }
    }
    let is_shown = |verdict: Verdict| verdict != Verdict::Same && (!quiet || verdict.exit_code() != 0);
    // The largest differences first: others often have the same cause.
    let mut frames: Vec<&FrameRecord> = comparison.frames.iter().filter(|frame| is_shown(frame.verdict)).collect();
    frames.sort_by_key(|frame| std::cmp::Reverse(frame.difference.map_or(0, |difference| difference.pixels)));
    for frame in frames {
        // Writing to a String cannot fail.
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

/// Returns the frames that are not as expected, together if they are of one animation and have the same verdict, and the
/// one of them that differs most.
pub fn wrong_animations(frames: &[FrameRecord]) -> Vec<(&FrameRecord, Vec<&FrameRecord>)> {
    let wrong: Vec<&FrameRecord> = frames.iter().filter(|frame| frame.verdict.exit_code() != 0).collect();
    let animations = wrong.chunk_by(|a, b| a.is_beside(b));
    let pixels = |frame: &FrameRecord| frame.difference.map_or(0, |it| it.pixels);
    let with_worst = animations.filter_map(|frames| {
        let worst = frames.iter().rev().max_by_key(|frame| pixels(frame))?;
        Some((*worst, frames.to_vec()))
    });
    with_worst.collect()
}

/// Returns the name of the frame's animation.
pub fn animation_name(frame: &FrameRecord) -> &str {
    frame.animation.as_deref().unwrap_or("bind pose")
}

/// Returns the name of a verdict.
pub fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Same => "same",
        Verdict::Different => "different",
        Verdict::Missing => "missing",
        Verdict::Resized => "resized",
        Verdict::Unreadable => "unreadable",
        Verdict::Updated => "updated",
    }
}

/// Returns the line of a frame.
fn line(frame: &FrameRecord) -> String {
    let animation = animation_name(frame);
    let mut line = format!("{:<10} {}: ", name(frame.verdict), escaped(&frame.reference));
    _ = write!(line, "{}, frame {}", escaped(animation), frame.frame);
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
pub fn structure_lines(structure: &StructureRecord) -> Vec<String> {
    let changes = structure.changes.iter().map(StructureChange::to_string);
    structure.message.iter().cloned().chain(changes).collect()
}

/// Returns the line with the counts.
pub fn summary(comparison: &Comparison) -> String {
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
    let mut text = format!("{frames} of {characters} compared{list}");
    if summary.structures > 0 {
        let unit = if summary.structures == 1 { "structure differs" } else { "structures differ" };
        _ = write!(text, "; {} {unit}", summary.structures);
    }
    if summary.unrecorded > 0 {
        let characters = counted(summary.unrecorded, "character");
        _ = write!(text, "; {characters} without structure.json");
    }
    if summary.skipped > 0 {
        let names: Vec<String> =
            comparison.skipped.iter().take(MAX_NAMED).map(|name| format!("`{}`", escaped(name))).collect();
        let more = if summary.skipped > MAX_NAMED { ", …" } else { "" };
        _ = write!(text, "; {} excluded: {}{more}", counted(summary.skipped, "character"), names.join(", "));
    }
    if summary.unused > 0 {
        _ = write!(text, "; {} unused", counted(summary.unused, "reference"));
    }
    if summary.failed > 0 {
        _ = write!(text, "; {} failed", counted(summary.failed, "character"));
    }
    text
}
