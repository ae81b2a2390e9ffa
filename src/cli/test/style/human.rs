//! Text: a line per character that failed and per frame that is not the same, and a summary.

use std::fmt::Write;

use crate::cli::golden::print::{line, summary};
use crate::cli::golden::record::{Comparison, Verdict};
use crate::error::escaped;

/// Returns the lines. `quiet` omits what is not an error.
pub fn text(comparison: &Comparison, quiet: bool) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    for failure in &comparison.failures {
        _ = writeln!(text, "failed     {}", escaped(&failure.message));
    }
    let is_error = |verdict: Verdict| verdict.exit_code() != 0;
    let is_shown = |verdict| verdict != Verdict::Same && (!quiet || is_error(verdict));
    for frame in comparison.frames.iter().filter(|frame| is_shown(frame.verdict)) {
        _ = writeln!(text, "{}", line(frame));
    }
    if !quiet {
        text += &summary(&comparison.summary);
        text.push('\n');
    }
    text
}
