//! Reports with small painted pictures, whose pixels a test can recognize.

use std::path::{Path, PathBuf};

use crate::golden::record::{Comparison, FrameRecord, JsonError, Verdict};
use crate::golden::report::{FramePictures, MAX_EMBEDDED, ReportWriter};
use pchr::draw::Picture;
use pchr::export::write_png;
use pchr::golden::Difference;
use serde_json::json;
use tempfile::TempDir;

use super::browser::Browser;

pub const RED: [u8; 4] = [255, 0, 0, 255];
pub const BLUE: [u8; 4] = [0, 0, 255, 255];
pub const YELLOW: [u8; 4] = [253, 224, 71, 255];

/// Returns a picture of one colour.
pub fn plain([width, height]: [u32; 2], color: [u8; 4]) -> Vec<u8> {
    painted([width, height], |_, _| color)
}

/// Returns a picture with the colour of each pixel.
pub fn painted([width, height]: [u32; 2], color: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    let mut picture = Picture::default();
    picture.reset(width, height);
    for (at, pixel) in picture.pixels_mut().chunks_exact_mut(4).enumerate() {
        pixel.copy_from_slice(&color(at as u32 % width, at as u32 / width));
    }
    let mut bytes = Vec::new();
    write_png(&picture, &mut bytes).unwrap();
    bytes
}

/// The failure of a character.
pub fn failure(index: usize, character: &str, code: &str, message: &str) -> JsonError {
    let failure = json!({"character": character, "code": code, "exit_code": 3, "index": index, "message": message,
        "path": character, "schema": "pchr.error/1"});
    serde_json::from_value(failure).unwrap()
}

/// A report to be written.
pub struct Run {
    pub frames: Vec<(FrameRecord, FramePictures)>,
    pub failures: Vec<JsonError>,
    pub title: String,
    pub max_embedded: usize,
}

impl Run {
    pub fn new() -> Self {
        Self { frames: Vec::new(), failures: Vec::new(), title: "a run".to_owned(), max_embedded: MAX_EMBEDDED }
    }

    /// Adds a frame with default pictures for its verdict: references are red, new pictures blue, differences
    /// yellow, all of them 16×16 pixels. The second half of each row differs.
    pub fn add(&mut self, character: &str, animation: &str, frame: u32, verdict: Verdict) -> &mut FrameRecord {
        let size = [16, 16];
        let (red, blue) = (Some(plain(size, RED)), Some(plain(size, BLUE)));
        let yellow = Some(plain(size, YELLOW));
        let (pictures, difference) = match verdict {
            Verdict::Same => (FramePictures { reference: red, now: None, difference: None }, Some((0, None, 0))),
            Verdict::Different => {
                let difference = Some((128, Some([8, 0, 8, 16]), 255));
                (FramePictures { reference: red, now: blue, difference: yellow }, difference)
            }
            Verdict::Missing | Verdict::Unreadable => {
                (FramePictures { reference: None, now: blue, difference: None }, None)
            }
            Verdict::Resized => {
                let small = Some(plain([8, 8], RED));
                (FramePictures { reference: small, now: blue, difference: None }, None)
            }
            Verdict::Updated => (FramePictures { reference: red, now: blue, difference: None }, None),
        };
        let record = FrameRecord {
            animation: Some(animation.to_owned()),
            character: character.to_owned(),
            diff: None,
            difference: difference.map(|(pixels, rect, worst)| Difference { pixels, rect, worst }),
            frame,
            index: self.frames.len(),
            message: (verdict != Verdict::Same).then(|| format!("{verdict:?} for a reason")),
            name: None,
            now: None,
            reference: format!("references/{animation}-{frame}.png"),
            reference_size: (verdict == Verdict::Resized).then_some([8, 8]),
            seconds: Some(f64::from(frame) / 10.0),
            size,
            verdict,
        };
        self.frames.push((record, pictures));
        &mut self.frames.last_mut().unwrap().0
    }

    /// Adds the frames of an animation.
    pub fn animation(&mut self, character: &str, animation: &str, verdicts: &[Verdict]) {
        for (frame, verdict) in verdicts.iter().enumerate() {
            self.add(character, animation, frame as u32, *verdict);
        }
    }

    /// Writes the report into a temporary folder.
    pub fn write(self) -> Report {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("report");
        let writer = ReportWriter::create(&folder, false, self.max_embedded).unwrap();
        let mut records = Vec::new();
        for (record, pictures) in self.frames {
            writer.add(record.index, pictures).unwrap();
            records.push(record);
        }
        let page = writer.page();
        let comparison = Comparison { failures: self.failures, frames: records, ..Comparison::default() };
        writer.finish(&comparison.counted(), &self.title).unwrap();
        Report { _place: place, page }
    }
}

/// A written report.
pub struct Report {
    _place: TempDir,
    pub page: PathBuf,
}

impl Report {
    /// Opens the report in a browser, if there is one.
    pub fn open(&self) -> Option<Page> {
        self.open_at("")
    }

    /// Opens the report at a fragment.
    pub fn open_at(&self, fragment: &str) -> Option<Page> {
        let browser = Browser::start()?;
        browser.open_at(&self.page, fragment);
        Some(Page(browser))
    }

    pub fn folder(&self) -> &Path {
        self.page.parent().unwrap()
    }
}

/// An open report.
pub struct Page(pub Browser);

impl Page {
    /// The colour at a place of the visible pane, given as fractions of its size; waits until it is as expected.
    #[track_caller]
    pub fn expect_color(&self, pane: &str, [x, y]: [f64; 2], color: [u8; 4]) {
        // Read from a copy: reading a canvas twice makes the browser warn about its speed.
        self.0.wait_until(&format!(
            "(() => {{ const canvas = document.querySelector('[data-pane={pane}] canvas'); \
             const at = [Math.floor(canvas.width * {x}), Math.floor(canvas.height * {y})]; \
             const copy = Object.assign(document.createElement('canvas'), {{ width: 1, height: 1 }}); \
             const context = copy.getContext('2d', {{ willReadFrequently: true }}); \
             context.drawImage(canvas, -at[0], -at[1]); \
             return context.getImageData(0, 0, 1, 1).data.join() === '{}' }})()",
            color.map(|channel| channel.to_string()).join(",")
        ));
    }

    /// A point of the window at a place of a pane, given as fractions of its size.
    pub fn place_on(&self, pane: &str, [x, y]: [f64; 2]) -> [f64; 2] {
        let found = self.0.js(&format!(
            "const box = document.querySelector('[data-pane={pane}] canvas').getBoundingClientRect(); \
             return [box.left + box.width * {x}, box.top + box.height * {y}]"
        ));
        [0, 1].map(|axis| found[axis].as_f64().unwrap())
    }

    /// The frame in the address, which is the selected one.
    pub fn selected(&self) -> String {
        self.0.js("return location.hash").as_str().unwrap().to_owned()
    }

    /// Expects no message on the console, and no request but for files of the report and embedded pictures.
    #[track_caller]
    pub fn expect_quiet(&self, report: &Report) {
        assert_eq!(self.0.console(), Vec::<String>::new());
        let folder = report.folder().canonicalize().unwrap();
        for url in self.0.requests() {
            let is_ours = url.starts_with(&format!("file://{}/", folder.display()));
            assert!(is_ours || url.starts_with("data:"), "{url:.200}");
        }
    }
}
