//! GitHub Actions annotations: one error per character that failed or whose structure differs,
//! and per animation with frames that are not the same.

use std::path::Path;

use super::{UNUSED, structure_lines, summary, wrong_animations, wrong_structures};
use crate::golden::record::{Comparison, Verdict};
use crate::shared::annotation::command;
use crate::shared::files::annotated;

/// Returns the annotations and a summary.
pub fn text(comparison: &Comparison) -> String {
    let mut text = String::new();
    let mut error = |file: &str, title: &str, lines: &[&str]| {
        command("error", &[("file", &annotated(Path::new(file))), ("title", title)], lines, &mut text);
    };
    for failure in &comparison.failures {
        error(failure.character.as_deref().unwrap_or_default(), &failure.code, &[&failure.message]);
    }
    for structure in wrong_structures(comparison) {
        let title = match structure.verdict {
            Verdict::Missing => "structure is missing",
            Verdict::Unreadable => "structure cannot be read",
            Verdict::Same | Verdict::Different | Verdict::Resized | Verdict::Updated => "structure differs",
        };
        let (reference, lines) = (format!("{}:", structure.reference), structure_lines(structure));
        let lines: Vec<&str> = std::iter::once(&reference).chain(&lines).map(String::as_str).collect();
        error(&structure.character, title, &lines);
    }
    // A runner shows only some annotations, so there is one for each animation.
    for (worst, frames) in wrong_animations(comparison) {
        let unit = if frames.len() == 1 { "frame" } else { "frames" };
        let (animation, verdict) = (worst.animation_name(), worst.verdict.name());
        let title = format!("{animation}, {unit} {}: {verdict}", frames.join(", "));
        let message = worst.message.iter().fold(worst.reference.clone(), |text, message| text + ": " + message);
        error(&worst.character, &title, &[&message]);
    }
    for reference in &comparison.unused {
        error(reference, "unused reference", &[UNUSED]);
    }
    text + &summary(comparison) + "\n"
}
