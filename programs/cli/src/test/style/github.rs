//! GitHub Actions annotations: one error per character that failed or whose structure differs,
//! and per animation with frames that are not the same.

use std::path::Path;

use crate::golden::print::{UNUSED, animation_name, name, structure_lines, summary, wrong_animations};
use crate::golden::record::{Comparison, FrameRecord, Verdict};
use crate::shared::annotation::command;
use crate::shared::files::annotated;

/// Returns the annotations and a summary.
pub fn text(comparison: &Comparison) -> String {
    let mut text = String::new();
    for failure in &comparison.failures {
        let file = annotated(Path::new(failure.character.as_deref().unwrap_or_default()));
        command("error", &[("file", &file), ("title", &failure.code)], &failure.message, &mut text);
    }
    for structure in comparison.structures.iter().filter(|structure| structure.verdict.exit_code() != 0) {
        let file = annotated(Path::new(&structure.character));
        let title = match structure.verdict {
            Verdict::Missing => "structure is missing",
            Verdict::Unreadable => "structure cannot be read",
            Verdict::Same | Verdict::Different | Verdict::Resized | Verdict::Updated => "structure differs",
        };
        let message = format!("{}:\n{}", structure.reference, structure_lines(structure).join("\n"));
        command("error", &[("file", &file), ("title", title)], &message, &mut text);
    }
    // A runner shows only some annotations, so there is one for each animation.
    for (worst, frames) in wrong_animations(&comparison.frames) {
        let file = annotated(Path::new(&worst.character));
        let animation = animation_name(worst);
        let numbers: Vec<String> = frames.iter().map(|frame| frame.frame.to_string()).collect();
        let unit = if frames.len() == 1 { "frame" } else { "frames" };
        let title = format!("{animation}, {unit} {}: {}", numbers.join(", "), name(worst.verdict));
        command("error", &[("file", &file), ("title", &title)], &message(worst), &mut text);
    }
    for reference in &comparison.unused {
        let file = annotated(Path::new(reference));
        command("error", &[("file", &file), ("title", "unused reference")], UNUSED, &mut text);
    }
    text + &summary(comparison) + "\n"
}

fn message(frame: &FrameRecord) -> String {
    let reference = &frame.reference;
    frame.message.as_ref().map_or_else(|| reference.clone(), |message| format!("{reference}: {message}"))
}
