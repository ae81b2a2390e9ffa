//! TexturePacker's `.tpsheet` for Unity: a line for each frame, after lines that name the image and its size.
//!
//! `name;x;y;width;height;pivotX;pivotY;…`: y is up, from the bottom of the image, and the pivot is relative to the lower
//! left. Borders and polygons, which follow, are ignored. Trimmed frames do not store their canvas.

use super::frame::{Cost, Frame};
use super::loose::Scalar;
use super::schema::{Frames, Meta, Name, Number, Point, Rect, Root, Size, Texture};
use super::text::utf8;
use crate::error::{Error, Place, Result};
use crate::limits::Budget;

/// Reads a file.
pub fn read(bytes: &[u8], budget: &mut Budget<'_>) -> Result<Root> {
    let text = utf8(bytes, "the text is not valid UTF-8")?;
    let (mut image, mut size, mut frames) = (None, None, Frames::default());
    for (number, line) in (1..).zip(text.lines()) {
        let place = || Place::inside(format!("line {number}"));
        let line = line.trim();
        if let Some(name) = line.strip_prefix(":texture=") {
            image = Some(name.to_owned());
        } else if let Some(found) = line.strip_prefix(":size=") {
            size = found.split_once('x').and_then(|(w, h)| Some([side(w)?, side(h)?]));
        } else if !line.is_empty() && !line.starts_with(['#', ':']) {
            budget.charge_memory(1, size_of::<Frame>() + line.len(), place)?;
            let Some([_, height]) = size else {
                let message = "no line `:size=WIDTHxHEIGHT` before the first frame, which y is relative to";
                return Err(Error::malformed("no-frames", place(), message));
            };
            let frame = frame(line, height, number);
            frames.push(frame).map_err(|message| Error::malformed("no-frames", place(), message))?;
        }
    }
    let size = size.map(|[w, h]| Size { w, h });
    let texture = Texture { image, size, frames, is_premultiplied: None };
    Ok(Root { textures: Some(vec![texture]), meta: Some(Meta::default()), ..Root::default() })
}

fn side(text: &str) -> Option<Number> {
    Number::new(text.trim().parse().ok()?)
}

fn frame(line: &str, height: Number, number: u64) -> Frame {
    let mut fields = line.split(';').map(str::trim);
    let name = fields.next().unwrap_or_default().to_owned();
    let mut frame = Frame { filename: Some(Name(name)), at: number, ..Frame::default() };
    let mut field = |name| {
        let value = fields.next().filter(|value| !value.is_empty());
        (
            name,
            value.map_or(Scalar::Missing, |value| value.parse().map_or(Scalar::Other("a word"), Scalar::Number)),
        )
    };
    let (rect, pivot) = (["x", "y", "width", "height"].map(&mut field), ["pivotX", "pivotY"].map(&mut field));
    if let Some([x, y, w, h]) = frame.numbers("", rect, Cost::Frame) {
        frame.frame = Rect { x, y: Number(height.0 - y.0 - h.0), w, h };
    }
    if pivot.iter().all(|(_, value)| *value != Scalar::Missing) {
        frame.pivot = frame.numbers("", pivot, Cost::Field).map(|[x, y]| Point { x, y: Number(1.0 - y.0) });
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn frames_are_measured_from_the_bottom() {
        let text = ":format=40300\n:texture=a.png\n:size=64x32\na;2;3;4;5; 0.25;1; 0;0;0;0\nb;1;2;3\n";
        let limits = Limits::default();
        let root = read(text.as_bytes(), &mut Budget::new(&limits)).unwrap();
        let [Texture { image, frames, .. }] = &root.textures.unwrap()[..] else { panic!() };
        let [a, b] = &frames.list[..] else { panic!() };
        assert_eq!((image.as_deref(), a.name(), a.frame.y.0, b.is_lost), (Some("a.png"), "a", 24.0, true));
        assert_eq!(a.pivot.unwrap(), Point { x: Number(0.25), y: Number(0.0) });
    }
}
