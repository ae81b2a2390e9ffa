//! The pictures of merged results, for a report. Results may come from anyone, so only pictures in the working folder
//! and in the folder of a result are read.

use std::path::Path;

use super::merge::Merged;
use crate::golden::record::{FrameRecord, Verdict};
use crate::golden::report::{FramePictures, ReportWriter};
use crate::shared::failure::Failure;
use crate::shared::stdio::portable;
use pchr::Error;
use pchr::error::Place;
use pchr::formats::image::{PNG_SIGNATURE, picture_size};
use pchr::formats::{Folder, Sidecars};
use pchr::limits::Limits;

fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(&PNG_SIGNATURE)
}

/// Adds the pictures of frames that differ, or of `all`. Missing ones are left out. Returns the number of frames without
/// any picture.
pub fn add(merged: &Merged, report: &ReportWriter, all: bool) -> Result<usize, Failure> {
    let mut files = Files { left: Limits::default() };
    let mut without = 0;
    let frames = merged.comparison.frames.iter().zip(&merged.folders);
    for (frame, folder) in frames.filter(|(frame, _)| all || frame.verdict != Verdict::Same) {
        let pictures = files.of_frame(frame, folder).map_err(Failure::Input)?;
        without += usize::from(pictures == FramePictures::default());
        report.add(frame.index, pictures).map_err(Failure::Output)?;
    }
    Ok(without)
}

/// Reads files until their total size exceeds the limit on the size of a file.
///
/// Nothing is decoded: a result may name a picture for every frame that takes a second to decode.
struct Files {
    left: Limits,
}

impl Files {
    /// Returns the pictures of a frame. `folder` contains the result of the frame.
    fn of_frame(&mut self, frame: &FrameRecord, folder: &Path) -> Result<FramePictures, Error> {
        let mut pictures = FramePictures::default();
        match frame.verdict {
            // The earlier reference is gone.
            Verdict::Updated => pictures.now = self.reference(frame, folder)?,
            Verdict::Same | Verdict::Different | Verdict::Resized => {
                pictures.reference = self.reference(frame, folder)?;
                pictures.now = self.written(frame.now.as_deref(), folder)?;
                pictures.difference = self.written(frame.diff.as_deref(), folder)?;
            }
            Verdict::Missing | Verdict::Unreadable => pictures.now = self.written(frame.now.as_deref(), folder)?,
        }
        Ok(pictures)
    }

    fn reference(&mut self, frame: &FrameRecord, folder: &Path) -> Result<Option<Vec<u8>>, Error> {
        self.read(Path::new(&frame.reference), folder, |bytes| picture_size(bytes, Place::default).is_ok())
    }

    /// Reads a picture that a test wrote: a PNG, whatever the result says.
    fn written(&mut self, path: Option<&str>, folder: &Path) -> Result<Option<Vec<u8>>, Error> {
        path.map_or(Ok(None), |path| self.read(Path::new(path), folder, is_png))
    }

    /// Reads a file below the working folder, or else below the folder of the result. Fails if the files are too large.
    fn read(
        &mut self,
        path: &Path,
        folder: &Path,
        is_picture: fn(&[u8]) -> bool,
    ) -> Result<Option<Vec<u8>>, Error> {
        for folder in [Path::new(""), folder] {
            let Some(below) = below(path, folder) else { continue };
            if let Ok(bytes) = Folder::of(&folder.join("result")).load(&below, &self.left)? {
                self.left.file_bytes = self.left.file_bytes.saturating_sub(bytes.len() as u64);
                return Ok(is_picture(&bytes).then(|| bytes.to_vec()));
            }
        }
        Ok(None)
    }
}

/// Returns `path` relative to `folder`, with `/`; `None` if it is absolute and elsewhere.
fn below(path: &Path, folder: &Path) -> Option<String> {
    if path.is_relative() {
        return Some(portable(path));
    }
    let folder = std::path::absolute(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()?;
    path.strip_prefix(folder).ok().map(portable)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_total_size_of_the_pictures_is_limited() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.png"), [&PNG_SIGNATURE[..], &[0; 92]].concat()).unwrap();
        let mut limits = Limits::default();
        limits.set("file-bytes", 250);
        let mut files = Files { left: limits };
        let mut read = || files.read(Path::new("a.png"), folder.path(), is_png);
        assert_eq!((read().unwrap().unwrap().len(), read().unwrap().unwrap().len()), (100, 100));
        let error = read().unwrap_err().to_string();
        assert!(error.contains("a.png: limit `file-bytes` exceeded"), "{error}");
    }
}
