//! GitHub Actions annotations: one error per character that failed and per frame that is not the same.

use std::path::Path;

use crate::cli::golden::print::{UNUSED, name, summary};
use crate::cli::golden::record::{Comparison, FrameRecord};
use crate::cli::shared::annotation::command;
use crate::cli::shared::files::annotated;

/// Returns the annotations and a summary.
pub fn text(comparison: &Comparison) -> String {
    let mut text = String::new();
    for failure in &comparison.failures {
        let file = annotated(Path::new(&failure.character));
        command("error", &[("file", &file), ("title", &failure.code)], &failure.message, &mut text);
    }
    for frame in comparison.frames.iter().filter(|frame| frame.verdict.exit_code() != 0) {
        let file = annotated(Path::new(&frame.character));
        let animation = frame.animation.as_deref().unwrap_or("bind pose");
        let title = format!("{animation}, frame {}: {}", frame.frame, name(frame.verdict));
        command("error", &[("file", &file), ("title", &title)], &message(frame), &mut text);
    }
    for reference in &comparison.unused {
        let file = annotated(Path::new(reference));
        command("error", &[("file", &file), ("title", "unused reference")], UNUSED, &mut text);
    }
    text + &summary(&comparison.summary) + "\n"
}

fn message(frame: &FrameRecord) -> String {
    let reference = &frame.reference;
    frame.message.as_ref().map_or_else(|| reference.clone(), |message| format!("{reference}: {message}"))
}
