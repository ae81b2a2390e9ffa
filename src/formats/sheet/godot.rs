//! Godot's `SpriteFrames` as a text resource (`.tres`) whose frames are regions of one image.
//!
//! `[ext_resource]` names the image, each `[sub_resource]` is an `AtlasTexture` with a region and a margin, and the list
//! `animations` of `[resource]` has their names, frames, speeds and loops. Each frame of an animation becomes a frame of
//! the sheet, as its duration depends on the animation.

use std::collections::HashMap;

use super::frame::{Cost, Frame};
use super::loose::Scalar;
use super::schema::{Frames, Meta, Milliseconds, Name, Number, Rect, Repeat, Root, Tag};
use super::text::utf8;
use crate::error::{Error, Place, Result, escaped};
use crate::limits::Budget;

/// A word, number, text or sign, and its line.
struct Token<'a> {
    text: &'a str,
    is_quoted: bool,
    line: u64,
}

/// Splits a text into tokens. Escaped quotation marks in texts are kept as they are.
struct Tokens<'a> {
    rest: &'a str,
    line: u64,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let trimmed = self.rest.trim_start();
        self.skip(self.rest.len() - trimmed.len());
        let line = self.line;
        if let Some(text) = self.rest.strip_prefix('"') {
            let mut is_escaped = false;
            let end = text.find(|c| {
                c == '"' && !is_escaped || {
                    is_escaped = c == '\\' && !is_escaped;
                    false
                }
            });
            let end = end.unwrap_or(text.len());
            self.skip((end + 2).min(self.rest.len()));
            return Some(Token { text: &text[..end], is_quoted: true, line });
        }
        let first = self.rest.chars().next()?;
        let is_sign = |c: char| c.is_whitespace() || "[]{}(),:=\"&".contains(c);
        let end =
            if is_sign(first) { first.len_utf8() } else { self.rest.find(is_sign).unwrap_or(self.rest.len()) };
        let text = &self.rest[..end];
        self.skip(end);
        Some(Token { text, is_quoted: false, line })
    }
}

impl Tokens<'_> {
    fn skip(&mut self, count: usize) {
        let (skipped, rest) = self.rest.split_at(count);
        self.line += skipped.bytes().filter(|byte| *byte == b'\n').count() as u64;
        self.rest = rest;
    }
}

/// A region of an image.
#[derive(Default, Clone)]
struct Region<'a> {
    image: &'a str,
    rect: Vec<Scalar>,
    margin: Vec<Scalar>,
}

/// What was read so far.
#[derive(Default)]
struct Reader<'a> {
    images: HashMap<&'a str, &'a str>,
    regions: HashMap<&'a str, Region<'a>>,
    frames: Frames,
    tags: Vec<Tag>,
    /// The image of the frames.
    image: Option<&'a str>,
    animation: Animation<'a>,
}

/// The animation that is being read: the region, the relative duration and the line of each frame.
struct Animation<'a> {
    name: &'a str,
    speed: f64,
    is_loop: bool,
    duration: f64,
    frames: Vec<(&'a str, f64, u64)>,
}

impl Default for Animation<'_> {
    fn default() -> Self {
        Self { name: "default", speed: 5.0, is_loop: true, duration: 1.0, frames: Vec::new() }
    }
}

/// Reads a file.
pub fn read(bytes: &[u8], budget: &mut Budget<'_>) -> Result<Root> {
    let text = utf8(bytes, "the text is not valid UTF-8")?;
    // Each frame has a bracket, and so has the rectangle of a region.
    let most = text.matches('(').count() + text.matches("resource").count();
    budget.charge_memory(most as u64, size_of::<Frame>() + size_of::<Region<'_>>() + 64, || Place::at("", 0))?;
    budget.charge_memory(text.matches(',').count() as u64, 2 * size_of::<Scalar>(), || Place::at("", 0))?;
    let mut reader = Reader::default();
    let (mut section, mut id, mut path, mut key, mut depth) = ("", "", "", "", 0u64);
    let mut tokens = Tokens { rest: text, line: 1 }.peekable();
    let mut before = "";
    while let Some(token) = tokens.next() {
        let text = token.text;
        let is_next = |tokens: &mut std::iter::Peekable<Tokens<'_>>, sign: &str| {
            tokens.peek().is_some_and(|next| next.text == sign && !next.is_quoted)
        };
        match text {
            "[" | "{" | "(" if !token.is_quoted => depth += 1,
            "]" | "}" | ")" if !token.is_quoted => {
                depth = depth.saturating_sub(1);
                if section == "ext_resource" && text == "]" && depth == 0 {
                    reader.images.insert(id, path);
                }
                if section == "resource" && text == "}" && depth == 1 {
                    reader.end_animation(token.line, budget)?;
                }
            }
            _ if depth == 1 && before == "[" && text.ends_with("resource") => (section, id) = (text, ""),
            _ if depth <= 1 && !token.is_quoted && is_next(&mut tokens, "=") => key = text,
            _ if token.is_quoted && is_next(&mut tokens, ":") => key = text,
            "," | ":" | "=" | "&" if !token.is_quoted => {}
            _ => match (section, key) {
                (_, "id") if depth == 1 => id = text,
                ("ext_resource", "path") => path = text,
                ("sub_resource", "atlas") if before == "(" => reader.regions.entry(id).or_default().image = text,
                ("sub_resource", "region") if before != "=" => {
                    push(&mut reader.regions.entry(id).or_default().rect, text);
                }
                ("sub_resource", "margin") if before != "=" => {
                    push(&mut reader.regions.entry(id).or_default().margin, text);
                }
                ("resource", "name") => reader.animation.name = text,
                ("resource", "speed") => reader.animation.speed = text.parse().unwrap_or(0.0),
                ("resource", "loop") => reader.animation.is_loop = text != "false",
                ("resource", "duration") => reader.animation.duration = text.parse().unwrap_or(1.0),
                ("resource", "frames" | "texture") if before == "(" => {
                    let duration = std::mem::replace(&mut reader.animation.duration, 1.0);
                    reader.animation.frames.push((text, duration, token.line));
                }
                _ => {}
            },
        }
        before = text;
    }
    if depth > 0 {
        let lines = text.lines().count();
        let message = "the file ends inside brackets";
        return Err(Error::malformed("no-frames", Place::inside(format!("line {lines}")), message));
    }
    let image = reader.image.map(|path| path.trim_start_matches("res://").to_owned());
    let meta = Meta { image, frame_tags: Some(reader.tags), ..Meta::default() };
    Ok(Root { frames: Some(reader.frames), meta: Some(meta), ..Root::default() })
}

/// Adds a number of a rectangle, which has four.
fn push(numbers: &mut Vec<Scalar>, text: &str) {
    if numbers.len() < 4 {
        numbers.push(text.parse().map_or(Scalar::Other("a word"), Scalar::Number));
    }
}

impl<'a> Reader<'a> {
    /// Adds the frames of the animation, and a tag for it.
    fn end_animation(&mut self, line: u64, budget: &mut Budget<'_>) -> Result<()> {
        let Animation { name, speed, is_loop, frames, .. } = std::mem::take(&mut self.animation);
        let place = |line| Place::inside(format!("line {line}"));
        // Each frame has the name.
        budget.charge_memory(frames.len() as u64, name.len(), || place(line))?;
        let first = self.frames.list.len();
        for (index, (id, duration, line)) in frames.into_iter().enumerate() {
            let region = self.regions.get(id).cloned().unwrap_or_default();
            let image = self.images.get(region.image).copied();
            if let (Some(image), Some(known)) = (image, self.image)
                && image != known
            {
                let message = format!(
                    "the frames are regions of `{}` and of `{}`; only frames of one image are read",
                    escaped(known),
                    escaped(image)
                );
                return Err(Error::unsupported("unread-dialect", place(line), message));
            }
            self.image = self.image.or(image);
            let mut frame =
                Frame { filename: Some(Name(format!("{name} {index}"))), at: line, ..Frame::default() };
            match image {
                Some(_) => region.put(&mut frame),
                None => frame.lose("", format!("`{}` is not a region of an image (AtlasTexture)", escaped(id))),
            }
            frame.duration = Some(Milliseconds(1000.0 * duration / speed)).filter(|ms| ms.0.is_finite());
            self.frames.push(frame).map_err(|message| Error::malformed("no-frames", place(line), message))?;
        }
        let last = self.frames.list.len();
        if last == first {
            return Ok(());
        }
        let number = |frame: usize| {
            let message = "the resource has too many frames";
            Number::new(frame as f64).ok_or_else(|| Error::malformed("no-frames", place(line), message))
        };
        let (from, to) = (number(first)?, number(last - 1)?);
        let repeat = (!is_loop).then_some(Repeat(Some(1)));
        self.tags.push(Tag { name: Some(Name(name.to_owned())), from, to, direction: None, repeat });
        Ok(())
    }
}

impl Region<'_> {
    fn put(self, frame: &mut Frame) {
        let named = |values: Vec<Scalar>| {
            let mut values = values.into_iter();
            ["x", "y", "width", "height"].map(|name| (name, values.next().unwrap_or_default()))
        };
        let has_margin = !self.margin.is_empty();
        let rect = frame.numbers("region", named(self.rect), Cost::Frame).map(Rect::from);
        let margin = if has_margin { frame.numbers("margin", named(self.margin), Cost::Field) } else { None };
        frame.set_region(rect.unwrap_or_default(), margin.map(Rect::from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    const TEXT: &str = "[gd_resource type=\"SpriteFrames\"]\n[ext_resource path=\"res://a/b.png\" id=\"1\"]\n\
        [sub_resource type=\"AtlasTexture\" id=\"x ]\"]\natlas = ExtResource(\"1\")\nregion = Rect2(2, 3, 4, 5)\n\
        margin = Rect2(1, 2, 6, 7)\n[resource]\nanimations = [{\"frames\": [{\"duration\": 2.0, \"texture\": \
        SubResource(\"x ]\")}, {\"texture\": SubResource(\"x ]\")}], \"loop\": false, \"name\": &\"a \\\" }\", \"speed\": 8.0}]\n";

    fn root(text: &str) -> Result<Root> {
        let limits = Limits::default();
        read(text.as_bytes(), &mut Budget::new(&limits))
    }

    #[test]
    fn animations_are_tags_of_their_own_frames() {
        let Root { frames: Some(frames), meta: Some(meta), .. } = root(TEXT).unwrap() else { panic!() };
        assert_eq!(meta.image.as_deref(), Some("a/b.png"));
        let ms: Vec<f64> = frames.list.iter().filter_map(|frame| Some(frame.duration?.0)).collect();
        assert_eq!(ms, [250.0, 125.0]);
        let Frame { frame, sprite_source_size, source_size, .. } = &frames.list[0];
        let (inner, canvas) = (sprite_source_size.unwrap(), source_size.unwrap());
        assert_eq!([frame.x.0, frame.y.0, frame.w.0, frame.h.0], [2.0, 3.0, 4.0, 5.0]);
        assert_eq!([inner.x.0, inner.y.0, canvas.w.0, canvas.h.0], [1.0, 2.0, 10.0, 12.0]);
        let [Tag { name, from, to, repeat, .. }] = &meta.frame_tags.unwrap()[..] else { panic!() };
        assert_eq!(name.as_ref().unwrap().0, "a \\\" }");
        assert_eq!((from.0, to.0, repeat), (0.0, 1.0, &Some(Repeat(Some(1)))));
    }

    #[test]
    fn long_names_of_many_frames_exceed_the_limit() {
        let limits = Limits { memory_bytes: 2 << 20, ..Limits::default() };
        let frames = "{\"texture\": SubResource(\"x ]\")}, ".repeat(500);
        let text = TEXT.replace("{\"texture\": SubResource(\"x ]\")}]", &format!("{frames}]"));
        let is_read = |name: &str| {
            let text = text.replace("a \\\" }", name);
            assert!(text.contains(name));
            read(text.as_bytes(), &mut Budget::new(&limits)).is_ok()
        };
        assert!(is_read("short") && !is_read(&"long".repeat(2500)));
    }

    #[test]
    fn any_truncated_text_is_read_or_refused() {
        for end in 0..TEXT.len() {
            if let Ok(root) = root(&TEXT[..end]) {
                assert!(root.frames.unwrap().list.is_empty() || end > TEXT.len() - 3, "{end}");
            }
        }
    }
}
