//! Conversion of sheets of other dialects to TexturePacker JSON: a text and an image per page.
//!
//! JSON only supports clockwise rotation, and no mirroring. Frames with other rotations are rotated by half a turn in
//! place on the page, and mirrored frames are mirrored there, so each frame keeps its rectangle and its pixels.

use std::collections::HashMap;
use std::fmt::Write as _;

use ::bytes::Bytes;

use super::build::usual_ms;
use super::character;
use super::parts::{self, Encoded, Loaded, Part, file_name};
use super::rewrite::Source;
use super::schema::{self, Frame, Number, Point, Rect, Size, Turn};
use super::sequences::{self, Numbering};
use super::write::{TEXT_BYTES, quoted};
use crate::bytes::filled;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::image::{charge_decoding, check_decodable, decode_png, encode_png, png_size, to_png};
use crate::limits::Budget;

/// A text with its image.
type Page = (Vec<u8>, Bytes);

/// Returns the pages, and the number of frames whose duration was rounded to milliseconds.
/// Checks that an image can be decoded if the reader `lacks_image`.
pub fn pages(source: &mut Source<'_, '_, '_>) -> Result<(Vec<Page>, usize)> {
    let (input, options) = (source.input, source.options);
    let gathered = super::gather(input, options, source.budget, &mut Diagnostics::default())?;
    let gathered = character::unrolled(gathered, source.budget)?;
    // JSON without durations is played at another rate.
    let usual = usual_ms(gathered.rate(options));
    let ms = gathered.is_of_animate.then(|| (usual + 0.5).floor());
    let mut pages = Vec::with_capacity(gathered.parts.len());
    for part in &gathered.parts {
        let (name, picture) = picture(part, source)?;
        let picture = if part.frames.iter().any(is_redrawn) {
            turned(part, &picture, &name, source.budget)?
        } else {
            picture
        };
        let size = png_size(&picture).unwrap_or_default();
        let names = part.frames.iter().flat_map(|frame| &frame.filename).map(|name| name.0.len() as u64).sum();
        source.budget.charge_memory(part.frames.len() as u64, TEXT_BYTES, || part.place("/frames"))?;
        // Escaping makes a name up to six times as long, and it is written up to three times.
        source.budget.charge_memory(names, 18, || part.place("/frames"))?;
        // Only the numbers of Adobe Animate need a list, and only characters and Godot have tags; such a sheet has one page.
        let tags = gathered.meta.frame_tags.as_deref().map(tags).unwrap_or_default();
        let clips = if gathered.is_of_animate { clips(&part.frames, &name) } else { String::new() };
        pages.push((text(&part.frames, &name, size, ms, [&clips, &tags]).into_bytes(), picture));
    }
    let rounded =
        ms.filter(|ms| *ms != usual).map_or(0, |_| gathered.parts.iter().map(|part| part.frames.len()).sum());
    Ok((pages, rounded))
}

/// Returns the key `frameTags`, after others.
fn tags(tags: &[schema::Tag]) -> String {
    let tag = |tag: &schema::Tag| {
        let repeat = if tag.repeat.is_some() { ", \"repeat\": \"1\"" } else { "" };
        let name = quoted(tag.name.as_ref().map_or("", |name| &name.0));
        format!("{{\"name\": {name}, \"from\": {}, \"to\": {}{repeat}}}", tag.from.0, tag.to.0)
    };
    format!(", \"frameTags\": [{}]", tags.iter().map(tag).collect::<Vec<_>>().join(", "))
}

/// Returns the key `animations` with all frames and with each clip, which JSON would number otherwise.
fn clips(frames: &[Frame], image: &str) -> String {
    let names: Vec<&str> = frames.iter().map(Frame::name).collect();
    let clips = sequences::find(&names, Numbering::FourDigits);
    if clips.iter().filter(|clip| clip.places.len() > 1).eq(&sequences::find(&names, Numbering::Trailing)) {
        return String::new();
    }
    let list = |name: &str, frames: &mut dyn Iterator<Item = &str>| {
        format!("{}: [{}]", quoted(name), frames.map(quoted).collect::<Vec<_>>().join(", "))
    };
    let title = super::title(image);
    let is_new = !clips.iter().any(|clip| clip.name == title);
    let all = is_new.then(|| list(&title, &mut names.iter().copied()));
    let each = clips.iter().map(|clip| {
        let frames = clip.places.iter().filter_map(|&place| names.get(place as usize).copied());
        list(clip.name, &mut { frames })
    });
    let lists: Vec<String> = all.into_iter().chain(each).collect();
    format!("\n\"animations\": {{{}}},", lists.join(",\n"))
}

/// Returns the image of a page as a PNG, and its name.
fn picture(
    part: &Part,
    Source { input, lacks_image, options, budget }: &mut Source<'_, '_, '_>,
) -> Result<(String, Bytes)> {
    match parts::load(part, input.sidecars, &options.limits)? {
        Ok(Loaded::Encoded(Encoded { bytes, name, place, .. })) => {
            if *lacks_image {
                check_decodable(&bytes, &options.limits, || place.clone())?;
            }
            Ok((file_name(&name).to_owned(), to_png(bytes, budget, || place.clone())?))
        }
        Ok(Loaded::Decoded(page)) => {
            budget.charge_encoding(page.width, page.height, || part.place(""))?;
            let png = encode_png(page.width, page.height, &page.pixels)?;
            Ok((page.name.to_string(), png.into()))
        }
        Err(why) => Err(Error::malformed("missing-image", part.place(""), why)),
    }
}

fn text(
    frames: &[Frame],
    image: &str,
    (width, height): (u32, u32),
    ms: Option<f64>,
    [clips, tags]: [&str; 2],
) -> String {
    let mut out = String::from("{\"frames\": [");
    for (index, frame) in frames.iter().enumerate() {
        out.push_str(if index == 0 { "\n{" } else { ",\n{" });
        write_frame(&mut out, frame, ms);
        out.push('}');
    }
    let _ = write!(
        out,
        "\n],{clips}\n\"meta\": {{\"app\": \"pchr {}\", \"image\": {}, \"format\": \"RGBA8888\", \"size\": {{\"w\": {width}, \
         \"h\": {height}}}, \"scale\": \"1\"{tags}}}}}\n",
        env!("CARGO_PKG_VERSION"),
        quoted(image)
    );
    out
}

fn write_frame(out: &mut String, frame: &Frame, usual_ms: Option<f64>) {
    if let Some(name) = &frame.filename {
        let _ = write!(out, "\"filename\": {}, ", quoted(&name.0));
    }
    write_placement(out, frame);
    if let Some(Point { x, y }) = frame.pivot {
        let _ = write!(out, ", \"pivot\": {{\"x\": {}, \"y\": {}}}", x.0, y.0);
    }
    if let Some(ms) = frame.duration.map(|ms| ms.0).or(usual_ms) {
        let _ = write!(out, ", \"duration\": {ms}");
    }
}

/// Writes where a frame is on its page and on its canvas.
pub fn write_placement(out: &mut String, frame: &Frame) {
    let rect =
        |Rect { x, y, w, h }: Rect| format!("{{\"x\": {}, \"y\": {}, \"w\": {}, \"h\": {}}}", x.0, y.0, w.0, h.0);
    // An invalid frame stays as an empty frame, so that the others keep their numbers.
    let Frame { frame: stored, sprite_source_size, source_size, turn, .. } = frame;
    let stored = if frame.is_lost { Rect::default() } else { *stored };
    let Rect { w, h, .. } = stored;
    let mut inner = sprite_source_size.unwrap_or(Rect { w, h, ..Rect::default() });
    let Size { w: width, h: height } = source_size.unwrap_or(Size { w, h });
    if frame.flip[0] {
        inner.x = Number(width.0 - inner.w.0 - inner.x.0);
    }
    if frame.flip[1] {
        inner.y = Number(height.0 - inner.h.0 - inner.y.0);
    }
    let is_trimmed = [inner.w, inner.h] != [width, height];
    let _ = write!(
        out,
        "\"frame\": {}, \"rotated\": {}, \"trimmed\": {is_trimmed}, \"spriteSourceSize\": {}, \"sourceSize\": {{\"w\": \
         {}, \"h\": {}}}",
        rect(stored),
        matches!(turn, Turn::Clockwise | Turn::CounterClockwise),
        rect(inner),
        width.0,
        height.0
    );
}

/// Returns whether the pixels on the page are mirrored horizontally and vertically, because JSON cannot represent the
/// rotation or the mirroring. Half a turn is both.
fn redrawn(frame: &Frame) -> [bool; 2] {
    let [x, y] = frame.flip;
    match frame.turn {
        _ if frame.is_lost => [false; 2],
        Turn::None => [x, y],
        Turn::Clockwise => [y, x],
        Turn::Half => [!x, !y],
        Turn::CounterClockwise => [!y, !x],
    }
}

fn is_redrawn(frame: &Frame) -> bool {
    redrawn(frame) != [false; 2]
}

/// Returns left, top, width and height of a frame on the page, or `None` if they are not whole pixels of the page.
fn stored(frame: &Frame, [width, height]: [usize; 2]) -> Option<[usize; 4]> {
    let Rect { x, y, w, h } = frame.frame;
    let [w, h] = match frame.turn {
        Turn::None | Turn::Half => [w, h],
        Turn::Clockwise | Turn::CounterClockwise => [h, w],
    };
    let whole = |number: f32| (number >= 0.0 && number.fract() == 0.0).then_some(number as usize);
    let [x, y, w, h] = [whole(x.0)?, whole(y.0)?, whole(w.0)?, whole(h.0)?];
    (x + w <= width && y + h <= height).then_some([x, y, w, h])
}

/// Rotates and mirrors the frames that JSON cannot represent.
fn turned(part: &Part, picture: &[u8], name: &str, budget: &mut Budget<'_>) -> Result<Bytes> {
    let place = || Place::file(name);
    let Some((width, height)) = png_size(picture) else {
        return Err(Error::malformed("bad-png", place(), "the image is not a PNG file"));
    };
    charge_decoding(picture, (width, height), budget, place)?;
    budget.charge_encoding(width, height, place)?;
    let mut pixels = decode_png(picture, place)?;
    let size = [width as usize, height as usize];
    let reject = |index: usize, what: &str| {
        let message = format!(
            "{what}, so the frame cannot be redrawn as JSON requires; `pchr-view IN -o OUT.json` draws a new sheet"
        );
        Error::unsupported("bad-frame", part.place_of(index, ""), message)
    };
    budget.charge_memory(u64::from(width) * u64::from(height), size_of::<u32>(), place)?;
    let mut claims = Claims::new(size)?;
    let mut known = HashMap::new();
    for (index, frame) in part.frames.iter().enumerate().filter(|(_, frame)| is_redrawn(frame)) {
        let rect =
            stored(frame, size).ok_or_else(|| reject(index, "the frame is not on whole pixels of the page"))?;
        match known.insert(rect, redrawn(frame)) {
            None if claims.claim(rect) => mirror(&mut pixels, size[0], rect, redrawn(frame)),
            Some(same) if same == redrawn(frame) => {}
            _ => return Err(reject(index, "the frame overlaps another one")),
        }
    }
    claims.sum();
    for (index, frame) in part.frames.iter().enumerate().filter(|(_, frame)| !is_redrawn(frame)) {
        if stored(frame, size).is_some_and(|rect| claims.any(rect)) {
            return Err(reject(index, "a frame to be redrawn overlaps this one"));
        }
    }
    encode_png(width, height, &pixels).map(Bytes::from)
}

/// Mirrors a rectangle horizontally, vertically or both, which is half a turn.
fn mirror(pixels: &mut [u8], width: usize, [x, y, w, h]: [usize; 4], [is_x, is_y]: [bool; 2]) {
    let (pixels, _) = pixels.as_chunks_mut::<4>();
    for index in 0..w * h {
        let (column, row) = (index % w, index / w);
        let other = (if is_y { h - 1 - row } else { row }) * w + if is_x { w - 1 - column } else { column };
        if index < other {
            pixels.swap((y + row) * width + x + column, (y + other / w) * width + x + other % w);
        }
    }
}

/// The rotated pixels: first a flag per pixel, then a summed-area table.
struct Claims {
    width: usize,
    counts: Vec<u32>,
}

impl Claims {
    fn new([width, height]: [usize; 2]) -> Result<Self> {
        Ok(Self { width, counts: filled(0, width * height)? })
    }

    /// Marks a rectangle. Returns false if a pixel is already marked.
    fn claim(&mut self, [x, y, w, h]: [usize; 4]) -> bool {
        for row in y..y + h {
            for count in &mut self.counts[row * self.width + x..][..w] {
                if std::mem::replace(count, 1) == 1 {
                    return false;
                }
            }
        }
        true
    }

    fn sum(&mut self) {
        for index in 0..self.counts.len() {
            let (left, above) = (index % self.width > 0, index >= self.width);
            let mut sum = self.counts[index];
            sum += if left { self.counts[index - 1] } else { 0 };
            sum += if above { self.counts[index - self.width] } else { 0 };
            sum -= if left && above { self.counts[index - self.width - 1] } else { 0 };
            self.counts[index] = sum;
        }
    }

    /// Returns true if any pixel of the rectangle is marked. Call it after [`Self::sum`].
    fn any(&self, [x, y, w, h]: [usize; 4]) -> bool {
        if w == 0 || h == 0 {
            return false;
        }
        let before = |x: usize, y: usize| match (x.checked_sub(1), y.checked_sub(1)) {
            (Some(x), Some(y)) => self.counts[y * self.width + x],
            _ => 0,
        };
        before(x + w, y + h) + before(x, y) > before(x, y + h) + before(x + w, y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_that_touch_do_not_overlap() {
        let mut claims = Claims::new([8, 6]).unwrap();
        assert!(claims.claim([1, 1, 3, 2]) && claims.claim([4, 1, 2, 2]));
        claims.sum();
        for rect in [[0, 0, 8, 1], [0, 0, 1, 6], [1, 3, 7, 3], [6, 0, 2, 6], [2, 2, 0, 1]] {
            assert!(!claims.any(rect), "{rect:?}");
        }
        for rect in [[0, 0, 8, 6], [3, 2, 1, 1], [5, 0, 3, 2], [0, 1, 2, 1]] {
            assert!(claims.any(rect), "{rect:?}");
        }
        assert!(!Claims::new([2, 2]).unwrap().any([0, 0, 2, 2]));
        let mut twice = Claims::new([2, 2]).unwrap();
        assert!(twice.claim([0, 0, 1, 2]) && !twice.claim([0, 1, 2, 1]));
    }
}
