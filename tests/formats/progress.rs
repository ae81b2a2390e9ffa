//! The progress of reading, and its cancellation.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::common::assets;
use crate::common::v1::{self as schema, write};
use pchr::Error;
use pchr::diagnostics::Diagnostics;
use pchr::formats::image::encode_png;
use pchr::formats::{ReadOptions, from_bytes, load_named, open};
use pchr::limits::Limits;
use pchr::progress::Progress;

fn watched() -> (Arc<Progress>, ReadOptions) {
    let progress = Arc::new(Progress::default());
    let options = ReadOptions { progress: Some(Arc::clone(&progress)), ..ReadOptions::default() };
    (progress, options)
}

#[test]
fn every_format_reports_bytes_and_images() {
    let mut count = 0;
    let entries = assets().read_dir().unwrap().map(|entry| entry.unwrap().path());
    for entry in entries.filter(|path| path.is_file()) {
        let (progress, options) = watched();
        let Ok(character) = open(&entry, &options, &mut Diagnostics::default()) else { continue };
        let size = entry.metadata().unwrap().len();
        assert_eq!(progress.bytes(), (size, size), "{}", entry.display());
        let (done, all) = progress.images();
        assert_eq!(done, all, "{}", entry.display());
        assert!(done >= character.model().pages().len(), "{}", entry.display());
        count += 1;
    }
    assert!(count >= 3, "only {count} files");
}

#[test]
fn a_cancelled_read_ends_with_an_error_in_every_format() {
    let mut count = 0;
    let entries = assets().read_dir().unwrap().map(|entry| entry.unwrap().path());
    for entry in entries.filter(|path| path.is_file()) {
        let is_read = open(&entry, &ReadOptions::default(), &mut Diagnostics::default()).is_ok();
        let (progress, options) = watched();
        progress.cancel();
        let error = open(&entry, &options, &mut Diagnostics::default()).unwrap_err();
        assert!(!is_read || matches!(error, Error::Cancelled), "{}: {error}", entry.display());
        // Also if the bytes are there already.
        let bytes = std::fs::read(&entry).unwrap();
        let error = from_bytes(bytes, &options, &mut Diagnostics::default());
        assert!(!is_read || matches!(error, Err(Error::Cancelled)), "{}: {error:?}", entry.display());
        count += usize::from(is_read);
    }
    assert!(count >= 3, "only {count} files");
}

/// Cancels after a number of blocks.
struct Cancelling<'a> {
    progress: &'a Progress,
    blocks: usize,
}

impl Read for Cancelling<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.blocks.checked_sub(1) {
            Some(left) => self.blocks = left,
            None => self.progress.cancel(),
        }
        let most = buffer.len().min(4096);
        let buffer = &mut buffer[..most];
        buffer.fill(b'P');
        let begin = b"PCHR\x01\0\0\0";
        let len = begin.len().min(buffer.len());
        buffer[..len].copy_from_slice(&begin[..len]);
        Ok(buffer.len())
    }
}

#[test]
fn reading_an_endless_input_can_be_cancelled() {
    let progress = Progress::default();
    let input = Cancelling { progress: &progress, blocks: 40 };
    let read = load_named(Path::new("endless"), progress.watch(input, 0), 0, &Limits::default());
    assert!(matches!(read, Err(Error::Cancelled)), "{read:?}");
    assert!(progress.bytes().0 > 1 << 10 && progress.bytes().1 == 0);
}

#[test]
fn images_are_counted_one_by_one() {
    let image = |name: &str| schema::Image {
        name: name.to_owned(),
        width: 2,
        height: 2,
        format: schema::Image::PNG,
        data: encode_png(2, 2, &[9; 16]).unwrap().into(),
        offset: 0,
    };
    let mut broken = image("c");
    let png = encode_png(2, 2, &[9; 16]).unwrap();
    broken.data = png[..png.len() - 20].to_vec().into();
    let file = schema::File { fps: 10, images: vec![image("a"), image("b"), broken], ..schema::File::default() };
    let (progress, options) = watched();
    let read = from_bytes(write(&file).unwrap(), &options, &mut Diagnostics::default());
    assert_eq!(read.unwrap_err().code(), "bad-png");
    assert_eq!(progress.images(), (2, 3));
}
