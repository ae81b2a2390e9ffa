//! Limits and memory of conversions: what they allocate is charged first, and what a format stores once is written
//! once.

use std::cell::RefCell;
use std::sync::Arc;

use bytes::Bytes;
use pchr::Error;
use pchr::convert::{ConvertError, ConvertOptions, Converted, open};
use pchr::diagnostics::Diagnostics;
use pchr::formats::Grid;
use pchr::formats::image::encode_png;
use pchr::formats::table::{target, targets};
use pchr::formats::{Input, ReadOptions, Sidecars};
use pchr::limits::Limits;
use pchr::progress::Progress;

use crate::common::memory::peak;

/// The image of every sheet here: it has as many pixels as the largest has frames.
const SIDE: u32 = 256;

/// A sheet and its image, of which every access is counted.
struct Sheet {
    text: Bytes,
    png: Bytes,
    loads: RefCell<usize>,
}

impl Sidecars for Sheet {
    fn load(&self, path: &str, _limits: &Limits) -> pchr::Result<Result<Bytes, String>> {
        *self.loads.borrow_mut() += 1;
        Ok(if path == "page.png" { Ok(self.png.clone()) } else { Err(format!("`{path}` does not exist")) })
    }

    fn own_name(&self) -> Option<&str> {
        Some("sheet.json")
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        if path == "page.png" { Ok(self.png.len() as u64) } else { Err(format!("`{path}` does not exist")) }
    }
}

fn png() -> Bytes {
    encode_png(SIDE, SIDE, &vec![200; (4 * SIDE * SIDE) as usize]).expect("it fits").into()
}

/// One of the pixels as a frame.
fn frame(index: u32) -> String {
    let (x, y) = (index % SIDE, index / SIDE);
    format!(
        "{{\"filename\": \"f{index}\", \"frame\": {{\"x\": {x}, \"y\": {y}, \"w\": 1, \"h\": 1}}, \"duration\": 100}}"
    )
}

fn frames(range: std::ops::Range<u32>) -> String {
    format!("[{}]", range.map(frame).collect::<Vec<_>>().join(","))
}

impl Sheet {
    fn new(count: u32) -> Self {
        Self::of(format!("{{\"frames\": {}, \"meta\": {{\"image\": \"page.png\"}}}}", frames(0..count)))
    }

    fn of(text: String) -> Self {
        Self { text: text.into(), png: png(), loads: RefCell::default() }
    }

    fn convert(&self, to: &str, read: ReadOptions) -> Result<Converted, ConvertError> {
        convert(&Input { bytes: self.text.clone(), sidecars: self }, to, read)
    }

    /// The number of bytes that are written, and the peak memory of reading, converting and writing.
    fn memory(&self, to: &str) -> (usize, usize) {
        peak(|| size(&self.convert(to, ReadOptions::default()).expect("it is converted")))
    }
}

/// Opens `input` within the default limits, and converts it within those of `read`.
fn convert(input: &Input<'_>, to: &str, read: ReadOptions) -> Result<Converted, ConvertError> {
    let to = target(to).expect("a target");
    let opened_with = ReadOptions { grid: read.grid, ..ReadOptions::default() };
    let opened = open(Input { bytes: input.bytes.clone(), ..*input }, &opened_with, &mut Diagnostics::default());
    let options = ConvertOptions { read, ..ConvertOptions::new(to, "out.file") };
    opened.expect("it opens").convert(&options)
}

/// The number of bytes of all files.
fn size(converted: &Converted) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    for file in converted.files.pictures.iter().chain(&converted.files.files) {
        file.write_to(&mut count).expect("it is counted");
    }
    count.0
}

fn exceeded(result: Result<Converted, ConvertError>, what: &str) -> &'static str {
    match result {
        Err(ConvertError::Input(Error::LimitExceeded(excess))) => excess.limit,
        Err(error) => panic!("{what}: {error}"),
        Ok(_) => panic!("{what}: it was converted"),
    }
}

#[test]
fn every_conversion_keeps_to_the_limits() {
    let knight: Bytes = Bytes::from_static(include_bytes!("../../assets/paper-knight.pchr"));
    let sheet = Sheet::new(50);
    for to in targets() {
        let small = |limit: &str, value| {
            let mut read = ReadOptions::default();
            assert!(read.limits.set(limit, value));
            read
        };
        for (limit, value) in [("memory-bytes", 2000), ("work", 200)] {
            let what = format!("a sheet to {}", to.name);
            assert_eq!(exceeded(sheet.convert(to.name, small(limit, value)), &what), limit, "{what}");
            // What PCHR stores in the same way is not copied.
            if !to.is_sheet && !["pchr", "pchr-json", "pachario"].contains(&to.name) {
                let what = format!("a document to {}", to.name);
                let input = Input { bytes: knight.clone(), sidecars: pchr::formats::NO_SIDECARS };
                assert_eq!(exceeded(convert(&input, to.name, small(limit, value)), &what), limit, "{what}");
            }
        }
    }
}

#[test]
fn a_conversion_can_be_cancelled() {
    let progress = Arc::new(Progress::default());
    progress.cancel();
    for to in targets() {
        let read = ReadOptions { progress: Some(Arc::clone(&progress)), ..ReadOptions::default() };
        match Sheet::new(3).convert(to.name, read) {
            Err(ConvertError::Input(Error::Cancelled)) => {}
            result => panic!("{}: {result:?}", to.name),
        }
    }
}

/// A character has a bone for every frame of a sheet, and stores every bone in every frame.
#[test]
fn a_small_image_with_many_frames_is_rejected() {
    let input = Input { bytes: png(), sidecars: pchr::formats::NO_SIDECARS };
    let read = ReadOptions {
        grid: Some(Grid { width: 2, height: 2, count: Some(12_200), ..Grid::default() }),
        ..ReadOptions::default()
    };
    let (limit, bytes) = peak(|| exceeded(convert(&input, "pchr", read), "a grid"));
    assert_eq!(limit, "work");
    assert!(bytes < 100 << 20, "{bytes} bytes");
}

#[test]
fn stored_frames_are_in_memory_once() {
    let (written, bytes) = Sheet::new(600).memory("pchr");
    assert!(written > 600 * 600 * 23 && bytes < written * 3 / 2, "{bytes} bytes of memory for {written} written");
}

#[test]
fn memory_of_sheets_grows_with_the_number_of_frames() {
    for to in targets().filter(|to| to.is_sheet) {
        let [one, two] = [5_000, 10_000].map(|count| Sheet::new(count).memory(to.name).1);
        assert!(two < one * 9 / 4, "{}: {one} bytes, then {two}", to.name);
        assert!(two / 10_000 < 1800, "{}: {two} bytes", to.name);
    }
}

#[test]
fn an_image_of_several_pages_is_loaded_and_written_once() {
    let texture = |page: u32| format!("{{\"image\": \"page.png\", \"frames\": {}}}", frames(page..page + 1));
    let textures: Vec<String> = (0..20).map(texture).collect();
    let sheet = Sheet::of(format!("{{\"textures\": [{}]}}", textures.join(",")));
    for to in ["sheet", "sheet-hash", "sheet-multiatlas"] {
        let input = Input { bytes: sheet.text.clone(), sidecars: &sheet };
        let opened = open(input, &ReadOptions::default(), &mut Diagnostics::default()).expect("it opens");
        sheet.loads.replace(0);
        let options = ConvertOptions::new(target(to).expect("a target"), "out.json");
        let files = opened.convert(&options).expect("it is converted").files;
        let names: Vec<&str> = files.pictures.iter().map(|picture| picture.name.as_str()).collect();
        assert_eq!((names, *sheet.loads.borrow()), (vec!["page.png"], 1), "{to}");
        assert_eq!(files.files.len(), if to == "sheet-multiatlas" { 1 } else { 20 }, "{to}");
    }
}
