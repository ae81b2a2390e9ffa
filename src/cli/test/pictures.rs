//! The pictures of merged results, for a report: read from the paths in the results.

use std::path::Path;

use ::bytes::Bytes;

use super::merge::Merged;
use crate::cli::golden::record::{FrameRecord, Verdict};
use crate::cli::golden::report::{FramePictures, ReportWriter};
use crate::error::Result;
use crate::formats::read_file;
use crate::golden::decode_reference;
use crate::limits::Limits;

/// First bytes of a PNG. Only PNGs, and references that can be decoded, are copied to a report, whatever a result says.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Adds the pictures of all frames. Missing ones are left out. Returns the number of frames without any picture.
pub fn add(merged: &Merged, report: &ReportWriter) -> Result<usize> {
    let mut without = 0;
    for frame in &merged.comparison.frames {
        let folder = merged.folders.get(&frame.index).map_or(Path::new(""), |folder| folder.as_path());
        let pictures = of_frame(frame, folder);
        without += usize::from(pictures == FramePictures::default());
        report.add(frame.index, pictures)?;
    }
    Ok(without)
}

/// `folder` contains the result of the frame.
fn of_frame(frame: &FrameRecord, folder: &Path) -> FramePictures {
    let written = |path: &Option<String>| {
        let bytes = read(Path::new(path.as_deref()?), folder)?;
        bytes.starts_with(PNG).then(|| bytes.to_vec())
    };
    let reference = || {
        let bytes = read(Path::new(&frame.reference), folder)?;
        decode_reference(&bytes, &Limits::default()).is_ok().then(|| bytes.to_vec())
    };
    match frame.verdict {
        // The earlier reference is gone.
        Verdict::Updated => FramePictures { reference: None, now: reference(), difference: None },
        Verdict::Same | Verdict::Different | Verdict::Resized => {
            FramePictures { reference: reference(), now: written(&frame.now), difference: written(&frame.diff) }
        }
        Verdict::Missing | Verdict::Unreadable => {
            FramePictures { reference: None, now: written(&frame.now), difference: None }
        }
    }
}

/// Reads a file at a path that is relative to the working folder, or else to the folder of the result.
fn read(path: &Path, folder: &Path) -> Option<Bytes> {
    let limits = Limits::default();
    read_file(path, &limits).or_else(|_| read_file(&folder.join(path), &limits)).ok()
}
