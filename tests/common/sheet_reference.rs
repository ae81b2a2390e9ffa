//! The expected frames of a sprite sheet, computed from its JSON and picture without any code of the crate.

use std::fmt;
use std::io::Cursor;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// A decoded picture: width, height, straight RGBA.
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

impl Pixels {
    pub fn decode(png: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(Cursor::new(png));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().expect("a PNG");
        let mut rgba = vec![0; reader.output_buffer_size().expect("a small picture")];
        reader.next_frame(&mut rgba).expect("a whole PNG");
        let (color, _) = reader.output_color_type();
        assert_eq!(color, png::ColorType::Rgba, "the test decodes RGBA");
        Self { width: reader.info().width, height: reader.info().height, rgba }
    }

    pub fn at(&self, x: i64, y: i64) -> [u8; 4] {
        if x < 0 || y < 0 || x >= self.width.into() || y >= self.height.into() {
            return [0; 4];
        }
        let at = (y as usize * self.width as usize + x as usize) * 4;
        std::array::from_fn(|channel| self.rgba[at + channel])
    }
}

/// Frames of either form, in text order.
pub struct Frames(pub Vec<(Option<String>, Value)>);

impl<'de> Deserialize<'de> for Frames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Frames;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("frames")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Frames, A::Error> {
                let mut list = Vec::new();
                while let Some(frame) = access.next_element::<Value>()? {
                    list.push((frame["filename"].as_str().map(str::to_owned), frame));
                }
                Ok(Frames(list))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Frames, A::Error> {
                let mut list = Vec::new();
                while let Some((name, frame)) = access.next_entry::<String, Value>()? {
                    list.push((Some(name), frame));
                }
                Ok(Frames(list))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[derive(serde::Deserialize)]
pub struct Json {
    pub frames: Option<Frames>,
    pub textures: Option<Vec<Value>>,
    #[serde(default)]
    pub meta: Value,
    #[serde(default)]
    pub animations: Value,
}

/// A frame as displayed: its canvas, and the position of its origin on it.
pub struct Shown {
    pub size: [i64; 2],
    pub origin: [i64; 2],
    pub pixels: Vec<[u8; 4]>,
    pub ms: f64,
}

/// A sheet: its frames, and its animations as lists of frames.
pub struct Reference {
    pub frames: Vec<Shown>,
    /// Name, frames of one iteration, and whether it loops forever.
    pub animations: Vec<(String, Vec<usize>, bool)>,
}

pub fn parse(text: &[u8]) -> Json {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    // Aseprite does not escape line breaks in user data.
    let text: String = String::from_utf8_lossy(text).replace("one\n\ttwo", "one two");
    serde_json::from_str(&text)
        .or_else(|_| serde_json::from_str(&text.replace(['\n', '\t', '\r'], " ")))
        .expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

/// Cuts a frame out of its picture and restores its position before trimming.
fn show(frame: &Value, picture: &Pixels, pivot_slice: Option<[i64; 2]>, may_have_padding: bool) -> Shown {
    let rect = &frame["frame"];
    let [x, y, w, h] = ["x", "y", "w", "h"].map(|key| number(&rect[key]) as i64);
    let has_source = number(&frame["sourceSize"]["w"]) >= 1.0 && number(&frame["sourceSize"]["h"]) >= 1.0;
    let size = match has_source {
        true => ["w", "h"].map(|key| number(&frame["sourceSize"][key]) as i64),
        false => [w, h],
    };
    let (mut left, mut top) = (0, 0);
    if let Some(inner) = frame["spriteSourceSize"].as_object() {
        let of = |key: &str| number(&inner[key]) as i64;
        // Inner padding is the same on every side.
        let (wider, higher) = (w - of("w"), h - of("h"));
        let padding = if may_have_padding && wider == higher { (wider / 2).max(0) } else { 0 };
        (left, top) = (of("x") - padding, of("y") - padding);
    }
    let is_rotated = frame["rotated"] == true;
    let mut pixels = vec![[0; 4]; (size[0].max(0) * size[1].max(0)) as usize];
    for row in 0..h {
        for column in 0..w {
            let (to_x, to_y) = (column + left, row + top);
            if (0..size[0]).contains(&to_x) && (0..size[1]).contains(&to_y) {
                let from = if is_rotated { (x + h - 1 - row, y + column) } else { (x + column, y + row) };
                pixels[(to_y * size[0] + to_x) as usize] = picture.at(from.0, from.1);
            }
        }
    }
    let pivot = ["pivot", "anchor"].into_iter().find_map(|key| frame[key].as_object());
    let origin = match (pivot_slice, pivot) {
        (Some(origin), _) => origin,
        (None, Some(pivot)) => [
            (number(&pivot["x"]) * size[0] as f64 + 0.5).floor() as i64,
            (number(&pivot["y"]) * size[1] as f64 + 0.5).floor() as i64,
        ],
        (None, None) => [0, 0],
    };
    let ms = if frame["duration"].is_number() { number(&frame["duration"]) } else { 100.0 };
    Shown { size, origin, pixels, ms }
}

/// Groups names that end in numbers by their prefix. Returns the indices of each group, ordered by number.
pub fn sequences(names: &[String]) -> Vec<(String, Vec<usize>)> {
    let mut found: Vec<(String, Vec<(u64, usize)>)> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let stem = match name.rsplit_once('.') {
            Some((stem, "png" | "aseprite" | "ase" | "jpg")) => stem,
            _ => name,
        };
        let prefix = stem.trim_end_matches(char::is_numeric);
        let (Ok(number), short) =
            (stem[prefix.len()..].parse(), prefix.trim_end_matches([' ', '_', '-', '/', ':']))
        else {
            continue;
        };
        match found.iter_mut().find(|(name, _)| name == short) {
            _ if short.is_empty() => {}
            Some((_, list)) => list.push((number, index)),
            None => found.push((short.to_owned(), vec![(number, index)])),
        }
    }
    found.retain(|(_, list)| list.len() > 1);
    found.iter_mut().for_each(|(_, list)| list.sort());
    let lists = found.into_iter().map(|(name, list)| (name, list.into_iter().map(|(_, index)| index).collect()));
    lists.filter(|(_, list): &(String, Vec<usize>)| *list != (0..names.len()).collect::<Vec<_>>()).collect()
}

/// Returns one iteration of a tag, and whether it loops forever.
pub fn order(tag: &Value, count: usize) -> Option<(Vec<usize>, bool)> {
    let (from, to) = (tag["from"].as_i64()?, tag["to"].as_i64()?);
    let (first, last) = (from.max(0) as usize, to.min(count as i64 - 1) as usize);
    if from > to || first > last {
        return None;
    }
    let there: Vec<usize> = (first..=last).collect();
    let back: Vec<usize> = there.iter().rev().copied().collect();
    let inner = |list: &[usize]| list.get(1..list.len().max(2) - 1).unwrap_or_default().to_vec();
    let (mut round, is_both) = match tag["direction"].as_str() {
        Some("reverse") => (back, false),
        Some("pingpong") => ([there.clone(), inner(&back)].concat(), true),
        Some("pingpong_reverse") => ([back, inner(&there)].concat(), true),
        _ => (there.clone(), false),
    };
    let repeat = tag["repeat"].as_str().and_then(|text| text.parse().ok()).or(tag["repeat"].as_u64()).unwrap_or(0);
    if repeat > 0 {
        let steps = match is_both && there.len() > 1 {
            true => repeat as usize * (there.len() - 1) + 1,
            false => repeat as usize * there.len(),
        };
        round = round.iter().cycle().take(steps).copied().collect();
    }
    Some((round, repeat == 0))
}

impl Reference {
    /// Loads everything that the JSON at `path` shows, with the pictures beside it.
    pub fn load(path: &Path) -> Self {
        let folder = path.parent().expect("a folder");
        let mut parts: Vec<(Frames, Pixels)> = Vec::new();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let picture = |image: &Value, stem: &str| {
            let name =
                image.as_str().unwrap_or_default().rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
            let named = folder.join(&name);
            let found =
                if !name.is_empty() && named.is_file() { named } else { folder.join(format!("{stem}.png")) };
            Pixels::decode(&std::fs::read(&found).unwrap_or_else(|error| panic!("{}: {error}", found.display())))
        };
        let json = parse(&std::fs::read(path).expect("a file"));
        if let Some(frames) = json.frames {
            parts.push((frames, picture(&json.meta["image"], &stem)));
        }
        for texture in json.textures.into_iter().flatten() {
            let frames = serde_json::from_value(texture["frames"].clone()).expect("frames");
            parts.push((frames, picture(&texture["image"], "")));
        }
        let mut animations_of_others = serde_json::Map::new();
        for other in json.meta["related_multi_packs"].as_array().into_iter().flatten() {
            let name = other.as_str().expect("a name");
            let other = parse(&std::fs::read(folder.join(name)).expect("a file"));
            animations_of_others.extend(other.animations.as_object().cloned().unwrap_or_default());
            let stem = name.trim_end_matches(".json");
            parts.push((other.frames.expect("frames"), picture(&other.meta["image"], stem)));
        }
        let origin = json.meta["slices"].as_array().into_iter().flatten().find(|slice| slice["name"] == "origin");
        let origin = origin.and_then(|slice| {
            let key = &slice["keys"][0];
            let of = |axis: &str| Some(key["bounds"][axis].as_i64()? + key["pivot"][axis].as_i64()?);
            Some([of("x")?, of("y")?])
        });
        // Only Aseprite has inner padding.
        let app = json.meta["app"].as_str();
        let may_have_padding = app.is_none_or(|app| app.to_lowercase().contains("aseprite"));
        let mut names = Vec::new();
        let mut frames = Vec::new();
        for (part, picture) in &parts {
            for (name, frame) in &part.0 {
                names.push(name.clone().unwrap_or_default());
                frames.push(show(frame, picture, origin, may_have_padding));
            }
        }
        // Numbered across all pages, whichever file was opened.
        let numbers: Option<Vec<u64>> = names.iter().map(|name| name.parse().ok()).collect();
        if let Some(numbers) = numbers.filter(|_| parts.len() > 1) {
            let mut numbered: Vec<(u64, (String, Shown))> =
                numbers.into_iter().zip(names.into_iter().zip(frames)).collect();
            numbered.sort_by_key(|(number, _)| *number);
            (names, frames) = numbered.into_iter().map(|(_, frame)| frame).unzip();
        }
        let mut animations = Vec::new();
        for tag in json.meta["frameTags"].as_array().into_iter().flatten() {
            if let Some((round, is_endless)) = order(tag, frames.len()) {
                animations.push((tag["name"].as_str().expect("a name").to_owned(), round, is_endless));
            }
        }
        if animations.is_empty() {
            let mut all = animations_of_others;
            all.extend(json.animations.as_object().cloned().unwrap_or_default());
            for (name, list) in &all {
                let index = |frame: &Value| names.iter().position(|name| Some(name.as_str()) == frame.as_str());
                let list: Vec<usize> = list.as_array().expect("a list").iter().filter_map(index).collect();
                animations.push((name.clone(), list, true));
            }
        }
        if animations.is_empty() {
            let sequences = sequences(&names);
            let is_taken = sequences.iter().any(|(name, _)| *name == stem);
            let title = if is_taken { format!("{stem} (all frames)") } else { stem };
            animations.push((title, (0..frames.len()).collect(), true));
            animations.extend(sequences.into_iter().map(|(name, list)| (name, list, true)));
        }
        Self { frames, animations }
    }
}
