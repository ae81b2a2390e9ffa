//! Text: a line per character that failed and per frame that is not the same, and a summary.

use crate::golden::print::human;
use crate::golden::record::Comparison;
use pchr::error::escaped;

/// Returns the lines. `quiet` omits what is not an error.
pub fn text(comparison: &Comparison, quiet: bool) -> String {
    let failures = comparison.failures.iter().map(|failure| format!("failed     {}\n", escaped(&failure.message)));
    failures.collect::<String>() + &human(comparison, quiet)
}
