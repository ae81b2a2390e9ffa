//! Changes of a sprite sheet.

use serde_json::{Value, json};

use super::{Change, make};
use crate::common::random::Random;
use crate::common::suite_folder::Suite;

/// Side of a frame.
const SIDE: u32 = 12;
const FRAMES: u32 = 20;

/// A sheet and its page: width, height and pixels.
type Sheet = (Value, (u32, u32, Vec<u8>));

const CHANGES: &[Change<Sheet>] =
    &[move_rectangle, move_rectangle, paint, exchange, last_longer, move_in_place, tag, rename];

pub fn decoded(png: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!(info.color_type, png::ColorType::Rgba);
    (info.width, info.height, pixels)
}

pub fn encoded(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels)).expect("can be written");
    bytes
}

/// A sheet whose frames are in `columns`. Each has other pixels.
fn sheet(columns: u32) -> Sheet {
    let (width, height) = (columns * (SIDE + 1), FRAMES.div_ceil(columns) * (SIDE + 1));
    let mut pixels = vec![0; (width * height * 4) as usize];
    let mut random = Random(1);
    let mut frames = serde_json::Map::new();
    for frame in 0..FRAMES {
        let (left, top) = (frame % columns * (SIDE + 1), frame / columns * (SIDE + 1));
        for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (left + x, top + y))) {
            let at = ((y * width + x) * 4) as usize;
            pixels[at..at + 3].copy_from_slice(&random.next().to_le_bytes()[..3]);
            pixels[at + 3] = 255;
        }
        let rect = json!({ "x": left, "y": top, "w": SIDE, "h": SIDE });
        let place = json!({ "x": 1, "y": 2, "w": SIDE, "h": SIDE });
        frames.insert(
            format!("run {frame:02}"),
            json!({ "frame": rect, "trimmed": true, "duration": 50, "spriteSourceSize": place,
                "sourceSize": { "w": SIDE + 4, "h": SIDE + 4 } }),
        );
    }
    let tags = json!([{ "name": "run", "from": 0, "to": FRAMES - 1, "direction": "forward" }]);
    let meta = json!({ "app": "https://www.aseprite.org/", "image": "sheet.png", "size": { "w": width, "h": height }, "frameTags": tags });
    (json!({ "frames": frames, "meta": meta }), (width, height, pixels))
}

fn written((sheet, (width, height, pixels)): &Sheet) -> [(&'static str, Vec<u8>); 2] {
    let json = serde_json::to_vec_pretty(sheet).expect("JSON");
    [("sheet.json", json), ("sheet.png", encoded(*width, *height, pixels))]
}

pub fn files() -> [(&'static str, Vec<u8>); 2] {
    written(&sheet(5))
}

pub fn packed_otherwise() -> [(&'static str, Vec<u8>); 2] {
    written(&sheet(7))
}

/// Returns the same sheet with its frames in an array.
pub fn as_array(json: &[u8]) -> Vec<u8> {
    let mut sheet: Value = serde_json::from_slice(json).expect("JSON");
    let frames = sheet["frames"].as_object().expect("frames").iter().map(|(name, frame)| {
        let mut frame = frame.clone();
        frame["filename"] = json!(name);
        frame
    });
    sheet["frames"] = frames.collect();
    serde_json::to_vec(&sheet).expect("JSON")
}

pub fn change(suite: &Suite, random: &mut Random) -> String {
    let mut sheet = sheet(5);
    let done = make(&mut sheet, CHANGES, random);
    for (name, bytes) in written(&sheet) {
        suite.write(&format!("art/sheet/{name}"), &bytes);
    }
    done
}

fn frame<'a>(sheet: &'a mut Value, random: &mut Random) -> (usize, &'a mut Value) {
    let at = random.below(FRAMES as usize);
    (at, sheet["frames"].as_object_mut().expect("frames").values_mut().nth(at).expect("a frame"))
}

fn add(number: &mut Value, by: i64) {
    *number = json!(number.as_i64().expect("a number") + by);
}

fn move_rectangle((sheet, _): &mut Sheet, random: &mut Random) -> Option<String> {
    let (at, frame) = frame(sheet, random);
    let name = ["x", "y"][random.below(2)];
    add(&mut frame["frame"][name], 1);
    Some(format!("rectangle of frame {at}"))
}

fn paint((_, (width, _, pixels)): &mut Sheet, random: &mut Random) -> Option<String> {
    let x = random.below(SIDE as usize);
    let y = random.below(SIDE as usize);
    pixels[(y * *width as usize + x) * 4] ^= 64;
    Some(format!("pixel {x}, {y}"))
}

fn exchange((sheet, _): &mut Sheet, random: &mut Random) -> Option<String> {
    let (a, first) = frame(sheet, random);
    let rect = first["frame"].clone();
    let (b, second) = frame(sheet, random);
    let other = std::mem::replace(&mut second["frame"], rect);
    sheet["frames"].as_object_mut()?.values_mut().nth(a)?["frame"] = other;
    (a != b).then(|| format!("frames {a} and {b} are exchanged"))
}

fn last_longer((sheet, _): &mut Sheet, random: &mut Random) -> Option<String> {
    let (a, first) = frame(sheet, random);
    add(&mut first["duration"], 20);
    let (b, second) = frame(sheet, random);
    add(&mut second["duration"], -20);
    (a != b).then(|| format!("frame {a} takes longer than {b}"))
}

fn move_in_place((sheet, _): &mut Sheet, random: &mut Random) -> Option<String> {
    let (at, frame) = frame(sheet, random);
    add(&mut frame["spriteSourceSize"]["x"], 1);
    Some(format!("frame {at} is shifted"))
}

fn tag((sheet, _): &mut Sheet, random: &mut Random) -> Option<String> {
    let tag = &mut sheet["meta"]["frameTags"][0];
    match random.below(3) {
        0 => tag["to"] = json!(FRAMES - 2),
        1 => tag["name"] = json!("jump"),
        _ => tag["direction"] = json!("reverse"),
    }
    Some("tag".to_owned())
}

fn rename((sheet, _): &mut Sheet, _: &mut Random) -> Option<String> {
    let frames = sheet["frames"].as_object_mut()?;
    let last = frames.remove(&format!("run {:02}", FRAMES - 1))?;
    frames.insert("run 99".to_owned(), last);
    Some("the last frame is renamed".to_owned())
}
