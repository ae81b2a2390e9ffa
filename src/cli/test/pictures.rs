//! The pictures of merged results, for a report: read from the paths in the results.

use std::path::Path;

use super::merge::Merged;
use crate::cli::golden::record::{FrameRecord, Verdict};
use crate::cli::golden::report::{FramePictures, ReportWriter};
use crate::error::Result;
use crate::formats::load_regular;
use crate::limits::Limits;

/// First bytes of a PNG. Other files are not copied to a report, whatever a result says.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Adds the pictures of all frames. Missing ones are left out.
pub fn add(merged: &Merged, report: &ReportWriter) -> Result<()> {
    for frame in &merged.comparison.frames {
        let folder = merged.folders.get(&frame.index).map_or(Path::new(""), |folder| folder.as_path());
        report.add(frame.index, of_frame(frame, folder))?;
    }
    Ok(())
}

/// `folder` contains the result of the frame.
fn of_frame(frame: &FrameRecord, folder: &Path) -> FramePictures {
    let read = |path: &Option<String>| path.as_deref().and_then(|path| png(Path::new(path), folder));
    let stored = png(Path::new(&frame.reference), folder);
    match frame.verdict {
        // The earlier reference is gone.
        Verdict::Updated => FramePictures { reference: None, now: stored, difference: None },
        Verdict::Same | Verdict::Different | Verdict::Missing | Verdict::Resized | Verdict::Unreadable => {
            FramePictures { reference: stored, now: read(&frame.now), difference: read(&frame.diff) }
        }
    }
}

/// Reads a picture at a path that is relative to the working folder, or else to the folder of the result.
fn png(path: &Path, folder: &Path) -> Option<Vec<u8>> {
    let read = |path: &Path| load_regular(path, &Limits::default()).ok();
    let bytes = read(path).or_else(|| read(&folder.join(path)))?;
    bytes.starts_with(PNG).then(|| bytes.to_vec())
}
