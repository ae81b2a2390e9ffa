//! The pictures of merged results, for a report: read from the paths in the results, whatever those are.

use std::path::Path;

use ::bytes::Bytes;

use super::merge::Merged;
use crate::cli::golden::record::{FrameRecord, Verdict};
use crate::cli::golden::report::{FramePictures, ReportWriter};
use crate::cli::shared::failure::Failure;
use crate::error::{Error, Place};
use crate::formats::image::{PNG_SIGNATURE, picture_size};
use crate::formats::read_file;
use crate::limits::Limits;

fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(&PNG_SIGNATURE)
}

/// Adds the pictures of all frames. Missing ones are left out. Returns the number of frames without any picture.
pub fn add(merged: &Merged, report: &ReportWriter) -> Result<usize, Failure> {
    let mut files = Files::new(Limits::default());
    let mut without = 0;
    for frame in &merged.comparison.frames {
        let folder = merged.folders.get(&frame.index).map_or(Path::new(""), |folder| folder.as_path());
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
    fn new(limits: Limits) -> Self {
        Self { left: limits }
    }

    /// Returns the pictures of a frame. `folder` contains the result of the frame.
    fn of_frame(&mut self, frame: &FrameRecord, folder: &Path) -> Result<FramePictures, Error> {
        Ok(match frame.verdict {
            // The earlier reference is gone.
            Verdict::Updated => {
                FramePictures { reference: None, now: self.reference(frame, folder)?, difference: None }
            }
            Verdict::Same | Verdict::Different | Verdict::Resized => FramePictures {
                reference: self.reference(frame, folder)?,
                now: self.written(frame.now.as_deref(), folder)?,
                difference: self.written(frame.diff.as_deref(), folder)?,
            },
            Verdict::Missing | Verdict::Unreadable => FramePictures {
                reference: None,
                now: self.written(frame.now.as_deref(), folder)?,
                difference: None,
            },
        })
    }

    fn reference(&mut self, frame: &FrameRecord, folder: &Path) -> Result<Option<Vec<u8>>, Error> {
        self.read(Path::new(&frame.reference), folder, |bytes| picture_size(bytes, Place::default).is_ok())
    }

    /// Reads a picture that a test wrote: a PNG, whatever the result says.
    fn written(&mut self, path: Option<&str>, folder: &Path) -> Result<Option<Vec<u8>>, Error> {
        path.map_or(Ok(None), |path| self.read(Path::new(path), folder, is_png))
    }

    /// Reads a file at a path that is relative to the working folder, or else to the folder of the result. Fails if
    /// the files are too large.
    fn read(
        &mut self,
        path: &Path,
        folder: &Path,
        is_picture: fn(&[u8]) -> bool,
    ) -> Result<Option<Vec<u8>>, Error> {
        let found: Result<Bytes, Error> = match read_file(path, &self.left) {
            Err(Error::Io { .. }) => read_file(&folder.join(path), &self.left),
            found => found,
        };
        match found {
            Ok(bytes) => {
                self.left.file_bytes = self.left.file_bytes.saturating_sub(bytes.len() as u64);
                Ok(is_picture(&bytes).then(|| bytes.to_vec()))
            }
            Err(error @ Error::LimitExceeded(_)) => Err(error),
            Err(_) => Ok(None),
        }
    }
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
        let mut files = Files::new(limits);
        let mut read = || files.read(Path::new("a.png"), folder.path(), is_png);
        assert_eq!((read().unwrap().unwrap().len(), read().unwrap().unwrap().len()), (100, 100));
        let error = read().unwrap_err().to_string();
        assert!(error.contains("a.png: limit `file-bytes` exceeded"), "{error}");
    }
}
