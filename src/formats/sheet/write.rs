//! Writing of sheet JSON in the form of Aseprite, with additions for other programs.
//!
//! One line per frame. Each page has its own text; the first has the tags, and all refer to each other.

use std::fmt::Write as _;

use super::schema::direction;
use crate::formats::free_names::FreeNames;
use crate::misuse;
use crate::model::{Order, Strip};

/// The description of a sheet.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    /// The frames of all pages, in order.
    pub frames: Vec<Frame>,
    /// The animations.
    pub tags: Vec<Tag>,
    /// The pages.
    pub pages: Vec<Page>,
    /// Width and height of frames before trimming.
    pub canvas: [u32; 2],
    /// Position of the world origin on the canvas, from its upper-left corner.
    pub origin: [i32; 2],
    /// Writes frames as an object by name instead of an array.
    pub is_hash: bool,
}

/// A frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The unique name.
    pub name: String,
    /// Index of its page.
    pub page: usize,
    /// Left, top, width and height on the page.
    pub rect: [u32; 4],
    /// Position on the canvas.
    pub offset: [u32; 2],
    /// Duration.
    pub duration: Duration,
}

/// A duration in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Duration {
    /// Rounded, as the format requires.
    Whole(u32),
    /// Exact.
    Exact(f64),
}

/// An animation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The unique name.
    pub name: String,
    /// Index of the first frame.
    pub from: usize,
    /// Index of the last frame.
    pub to: usize,
    /// Playback order.
    pub order: Order,
    /// Number of times it is played; 0 loops forever.
    pub plays: u32,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Name of the image file.
    pub image: String,
    /// Name of the JSON file.
    pub file: String,
    /// Width and height in pixels.
    pub size: [u32; 2],
}

/// Memory of a frame's text, without a long name.
#[cfg(feature = "convert")]
pub(crate) const TEXT_BYTES: usize = 320;

impl Sheet {
    /// Returns the JSON for a page.
    ///
    /// # Panics
    ///
    /// Panics if the page does not exist.
    #[track_caller]
    pub fn json(&self, page: usize) -> String {
        misuse::expect(page < self.pages.len(), || {
            format!("page {page} does not exist, the sheet has {}", self.pages.len())
        });
        let mut out = String::with_capacity(256 * self.frames.len() + 1024);
        let (open, close) = if self.is_hash { ('{', '}') } else { ('[', ']') };
        let _ = write!(out, "{{\"frames\": {open}");
        let frames = self.frames.iter().filter(|frame| frame.page == page);
        lines(&mut out, frames, |out, frame| self.frame(out, frame));
        let _ = write!(out, "\n{close},\n\"meta\": {{\n");
        let Page { image, size: [width, height], .. } = &self.pages[page];
        let version = env!("CARGO_PKG_VERSION");
        let _ = write!(
            out,
            " \"app\": \"pchr {version} (aseprite-compatible)\",\n \"version\": \"{version}\",\n \"image\": {},\n \
             \"format\": \"RGBA8888\",\n \"size\": {{\"w\": {width}, \"h\": {height}}},\n \"scale\": \"1\",\n",
            quoted(image)
        );
        let is_first = page == 0;
        out.push_str(" \"frameTags\": [");
        lines(&mut out, self.tags.iter().filter(|_| is_first), tag);
        out.push_str(
            "],\n \"layers\": [\n{\"name\": \"character\", \"opacity\": 255, \"blendMode\": \"normal\"}],\n",
        );
        let ([width, height], [x, y]) = (self.canvas, self.origin);
        let _ = write!(
            out,
            " \"slices\": [\n{{\"name\": \"origin\", \"color\": \"#0000ffff\", \"keys\": [{{\"frame\": 0, \"bounds\": \
             {{\"x\": 0, \"y\": 0, \"w\": {width}, \"h\": {height}}}, \"pivot\": {{\"x\": {x}, \"y\": {y}}}}}]}}]"
        );
        if self.pages.len() > 1 {
            out.push_str(",\n \"related_multi_packs\": [");
            let others = self.pages.iter().enumerate().filter(|(other, _)| *other != page);
            lines(&mut out, others, |out, (_, other)| out.push_str(&quoted(&other.file)));
            out.push(']');
        }
        out.push_str("\n},\n\"animations\": {");
        lines(&mut out, self.tags.iter().filter(|_| is_first), |out, tag| self.names(out, tag));
        out.push_str("}}\n");
        out
    }

    fn frame(&self, out: &mut String, frame: &Frame) {
        let ([x, y, w, h], [left, top], [width, height]) = (frame.rect, frame.offset, self.canvas);
        let is_trimmed = [w, h] != self.canvas;
        out.push_str(if self.is_hash { "" } else { "{\"filename\": " });
        out.push_str(&quoted(&frame.name));
        out.push_str(if self.is_hash { ": {" } else { ", " });
        let _ = write!(
            out,
            "\"frame\": {{\"x\": {x}, \"y\": {y}, \"w\": {w}, \"h\": {h}}}, \"rotated\": false, \"trimmed\": \
             {is_trimmed}, \"spriteSourceSize\": {{\"x\": {left}, \"y\": {top}, \"w\": {w}, \"h\": {h}}}, \
             \"sourceSize\": {{\"w\": {width}, \"h\": {height}}}, \"duration\": "
        );
        let _ = match frame.duration {
            Duration::Whole(ms) => write!(out, "{ms}}}"),
            // JSON cannot represent numbers that are not finite.
            Duration::Exact(ms) => write!(out, "{}}}", if ms.is_finite() { ms } else { 0.0 }),
        };
    }

    /// Writes the frame names of a tag in playback order, for Pixi.
    fn names(&self, out: &mut String, tag: &Tag) {
        // Frames that do not exist are skipped.
        let number = |frame: usize| u32::try_from(frame.min(self.frames.len())).unwrap_or(u32::MAX);
        let [from, end] = [tag.from, tag.to.saturating_add(1)].map(number);
        let strip = Strip::new(from, end.saturating_sub(from), tag.order);
        let shown = (0..strip.period()).filter_map(|step| self.frames.get(strip.entry(step)));
        let names: Vec<String> = shown.map(|frame| quoted(&frame.name)).collect();
        let _ = write!(out, "{}: [{}]", quoted(&tag.name), names.join(", "));
    }
}

fn tag(out: &mut String, tag: &Tag) {
    let Tag { name, from, to, order, plays } = tag;
    let (name, direction) = (quoted(name), direction(*order));
    let _ = write!(out, "{{\"name\": {name}, \"from\": {from}, \"to\": {to}, \"direction\": \"{direction}\"");
    // Without `repeat` it loops forever.
    if *plays > 0 {
        let _ = write!(out, ", \"repeat\": \"{plays}\"");
    }
    out.push_str(", \"color\": \"#000000ff\"}");
}

fn lines<T>(out: &mut String, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    for (index, item) in items.enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        write(out, item);
    }
}

/// Returns `text` as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the names of tags, with a number after each that an earlier tag has.
pub fn unique_names(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut taken = FreeNames::default();
    names.into_iter().map(|name| taken.unique(&name)).collect()
}
