//! Makes our own texture atlas of Adobe Animate, a robot: `make_paper_robot [FOLDER]`.
//!
//! FOLDER defaults to `tests/fixtures/paper-robot`: `Animation.json` in the short spelling of optimised exports, the spritemap and
//! its page are written there, and `long/Animation.json`, the same in the long spelling. The output is deterministic.

#[path = "../make_paper_lamp/paint.rs"]
mod paint;
mod rig;

use std::error::Error;
use std::path::{Path, PathBuf};

use paint::draw;
use serde_json::json;
use tiny_skia::Transform;

/// Width and height of the page in pixels.
const SIZE: [u32; 2] = [128, 96];

/// A sprite: its name, the corner and the size of its rectangle, and polygons with their colours.
type Sprite<'a> = (&'a str, [u32; 2], [u32; 2], &'a [(&'a [[f32; 2]], [u8; 3])]);

const INK: [u8; 3] = [40, 46, 58];
const STEEL: [u8; 3] = [126, 150, 176];
const LIGHT: [u8; 3] = [255, 214, 92];

const fn square(left: f32, top: f32, right: f32, bottom: f32) -> [[f32; 2]; 4] {
    [[left, top], [right, top], [right, bottom], [left, bottom]]
}

/// In the order of their names: body, head, eyes open and shut, arm, screen, stripe, lamp.
const SPRITES: [Sprite<'_>; 8] = [
    ("0000", [1, 1], [48, 56], &[(&square(0.0, 0.0, 48.0, 56.0), INK), (&square(3.0, 3.0, 45.0, 53.0), STEEL)]),
    ("0001", [51, 1], [40, 30], &[(&square(0.0, 0.0, 40.0, 30.0), INK), (&square(3.0, 3.0, 37.0, 27.0), STEEL)]),
    ("0002", [93, 1], [24, 8], &[(&square(0.0, 0.0, 8.0, 8.0), LIGHT), (&square(16.0, 0.0, 24.0, 8.0), LIGHT)]),
    ("0003", [93, 11], [24, 8], &[(&square(0.0, 5.0, 8.0, 8.0), INK), (&square(16.0, 5.0, 24.0, 8.0), INK)]),
    // Stored turned: upright it is 12 pixels wide and 32 high.
    ("0004", [51, 33], [32, 12], &[(&square(0.0, 0.0, 32.0, 12.0), INK), (&square(2.0, 2.0, 30.0, 10.0), STEEL)]),
    ("0005", [51, 47], [28, 18], &[(&[[4.0, 0.0], [28.0, 0.0], [24.0, 18.0], [0.0, 18.0]], INK)]),
    ("0006", [1, 67], [20, 24], &[(&square(0.0, 0.0, 20.0, 24.0), [96, 214, 140])]),
    ("0007", [93, 21], [10, 10], &[(&[[5.0, 0.0], [10.0, 5.0], [5.0, 10.0], [0.0, 5.0]], LIGHT)]),
];

/// The name of a file, and its contents.
type File = (&'static str, Vec<u8>);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| "tests/fixtures/paper-robot".into(), PathBuf::from);
    make(&folder)
}

/// Writes all files.
pub fn make(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder.join("long"))?;
    for (name, bytes) in files()? {
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

/// Returns all files.
pub fn files() -> Result<Vec<File>, Box<dyn Error>> {
    let (page, map) = (page()?, spritemap()?);
    Ok(vec![
        ("Animation.json", serde_json::to_vec(&rig::animation(false))?),
        ("spritemap1.json", map.clone()),
        ("spritemap1.png", page.clone()),
        ("long/Animation.json", serde_json::to_vec_pretty(&rig::animation(true))?),
        ("long/spritemap1.json", map),
        ("long/spritemap1.png", page),
    ])
}

fn page() -> Result<Vec<u8>, Box<dyn Error>> {
    let shapes = SPRITES.iter().flat_map(|(_, [left, top], _, shapes)| {
        let place = Transform::from_translate(*left as f32, *top as f32);
        shapes.iter().map(move |(corners, color)| (place, *corners, *color))
    });
    draw(SIZE, shapes)
}

fn spritemap() -> Result<Vec<u8>, Box<dyn Error>> {
    let sprites = SPRITES.map(|(name, [x, y], [w, h], _)| {
        json!({"SPRITE": {"name": name, "x": x, "y": y, "w": w, "h": h, "rotated": name == "0004"}})
    });
    let meta = json!({"app": "make_paper_robot", "version": "1", "image": "spritemap1.png", "format": "RGBA8888",
        "size": {"w": SIZE[0], "h": SIZE[1]}, "resolution": "1"});
    Ok(serde_json::to_vec(&json!({"ATLAS": {"SPRITES": sprites}, "meta": meta}))?)
}
