//! Draws the pictures of our own Spine character, a lamp: `make_paper_lamp [FOLDER]`.
//!
//! FOLDER defaults to `assets`: `paper-lamp.png` and `paper-lamp.atlas` are written there, next to the handwritten
//! `paper-lamp.json`, which is Spine 3.8. `paper-lamp-4.2.json` is the same lamp in Spine 4.2, with physics and a
//! sequence; its atlas `paper-lamp-4.2.atlas` has `paper-lamp-4.2.png` as a second page, and `paper-lamp-4.2.skel` is its
//! binary form. `paper-lamp-4.3.json` is Spine 4.3, with sliders; `paper-lamp-4.3.atlas` has the same pages. The output is
//! deterministic.

mod guests;
mod paint;
mod skeleton;
mod sliders;

use std::error::Error;
use std::path::{Path, PathBuf};

use paint::draw;
use pchr::convert::{self, ConvertOptions};
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions, table};
pub use skeleton::skeleton;
use tiny_skia::Transform;

/// Width and height of the page in pixels.
const SIZE: u32 = 128;

/// A polygon of a region, in pixels from the region's upper-left corner, and its colour.
type Shape<'a> = (&'a [[f32; 2]], [u8; 3]);

/// A rectangle of the page: its name, position, size and contents.
type Part<'a> = (&'a str, [f32; 2], [f32; 2], &'a [Shape<'a>]);

const INK: [u8; 3] = [44, 40, 54];
const SHADE: [[f32; 2]; 4] = [[2.0, 18.0], [46.0, 1.0], [46.0, 55.0], [2.0, 38.0]];
const INNER: [[f32; 2]; 4] = [[5.0, 20.0], [43.0, 5.0], [43.0, 51.0], [5.0, 36.0]];
const LIT: [[f32; 2]; 4] = [[5.0, 20.0], [43.0, 5.0], [43.0, 22.0], [5.0, 25.0]];

const PARTS: [Part<'_>; 5] = [
    ("shade-red", [1.0, 1.0], [48.0, 56.0], &[(&SHADE, INK), (&INNER, [206, 72, 60]), (&LIT, [236, 120, 96])]),
    ("shade-blue", [51.0, 1.0], [48.0, 56.0], &[(&SHADE, INK), (&INNER, [58, 104, 186]), (&LIT, [112, 160, 226])]),
    (
        "base",
        [1.0, 59.0],
        [64.0, 20.0],
        &[
            (&[[12.0, 1.0], [52.0, 1.0], [63.0, 19.0], [1.0, 19.0]], INK),
            (&[[14.0, 4.0], [50.0, 4.0], [58.0, 16.0], [6.0, 16.0]], [120, 112, 132]),
            (&[[14.0, 4.0], [50.0, 4.0], [52.5, 8.0], [11.5, 8.0]], [160, 152, 170]),
        ],
    ),
    (
        "bar",
        [1.0, 81.0],
        [66.0, 10.0],
        &[
            (&[[4.0, 0.0], [62.0, 0.0], [66.0, 5.0], [62.0, 10.0], [4.0, 10.0], [0.0, 5.0]], INK),
            (&[[5.0, 2.5], [61.0, 2.5], [63.0, 5.0], [61.0, 7.5], [5.0, 7.5], [3.0, 5.0]], [200, 194, 206]),
        ],
    ),
    (
        "bulb",
        [101.0, 1.0],
        [22.0, 22.0],
        &[
            (
                &[
                    [11.0, 0.0],
                    [19.0, 3.0],
                    [22.0, 11.0],
                    [19.0, 19.0],
                    [11.0, 22.0],
                    [3.0, 19.0],
                    [0.0, 11.0],
                    [3.0, 3.0],
                ],
                INK,
            ),
            (
                &[
                    [11.0, 3.0],
                    [17.0, 5.0],
                    [19.0, 11.0],
                    [17.0, 17.0],
                    [11.0, 19.0],
                    [5.0, 17.0],
                    [3.0, 11.0],
                    [5.0, 5.0],
                ],
                [255, 232, 150],
            ),
        ],
    ),
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("assets"), PathBuf::from);
    make(&folder)
}

/// Writes all files.
pub fn make(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    for (name, bytes) in files()? {
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

/// The name of a file, and its contents.
type File = (&'static str, Vec<u8>);

/// Returns all files.
pub fn files() -> Result<Vec<File>, Box<dyn Error>> {
    let skeleton = skeleton().into_bytes();
    Ok(vec![
        ("paper-lamp-4.2.skel", converted(&skeleton, "skel42")?),
        ("paper-lamp.png", picture()?),
        ("paper-lamp.atlas", atlas().into_bytes()),
        ("paper-lamp-4.2.png", second_picture()?),
        ("paper-lamp-4.2.atlas", atlas_of_two_pages().into_bytes()),
        ("paper-lamp-4.3.json", sliders::with_sliders(&skeleton)?),
        ("paper-lamp-4.3.atlas", atlas_of_two_pages().into_bytes()),
        ("paper-lamp-4.2.json", skeleton),
    ])
}

/// Converts a skeleton of Spine 4.2 without its pictures.
fn converted(json: &[u8], to: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let input = Input { bytes: json.to_vec().into(), sidecars: NO_SIDECARS };
    let opened = convert::open(input, &ReadOptions::default(), &mut Diagnostics::default())?;
    let to = table::target(to).ok_or("a format that is written")?;
    let options = ConvertOptions { allows_missing_images: true, ..ConvertOptions::new(to, "lamp") };
    let files = opened.convert(&options)?.files.files;
    let mut bytes = Vec::new();
    files.last().ok_or("a file")?.write_to(&mut bytes)?;
    Ok(bytes)
}

/// Returns the page as a PNG.
fn picture() -> Result<Vec<u8>, Box<dyn Error>> {
    let shapes = PARTS.iter().flat_map(|(_, [left, top], _, shapes)| {
        shapes.iter().map(|(corners, color)| (Transform::from_translate(*left, *top), *corners, *color))
    });
    draw([SIZE, SIZE], shapes)
}

/// Returns the second page as a PNG.
fn second_picture() -> Result<Vec<u8>, Box<dyn Error>> {
    let guests = guests::guests();
    let shapes = guests
        .iter()
        .flat_map(|guest| guest.shapes.iter().map(|(corners, color)| (guest.transform(), &corners[..], *color)));
    draw(guests::SIZE, shapes)
}

/// Returns the atlas of the lamp of Spine 4.2 and 4.3.
fn atlas_of_two_pages() -> String {
    let [width, height] = guests::SIZE;
    let parts =
        PARTS.map(|(name, [x, y], [width, height], _)| format!("{name}\n\tbounds: {x}, {y}, {width}, {height}\n"));
    let guests: Vec<String> = guests::guests().iter().map(guests::Guest::entry).collect();
    let page = |file: &str, width: u32, height: u32| {
        format!("{file}\n\tsize: {width}, {height}\n\tfilter: Linear, Linear\n\tpma: false\n")
    };
    let (first, second) = (page("paper-lamp.png", SIZE, SIZE), page("paper-lamp-4.2.png", width, height));
    format!("{first}{}\n{second}{}", parts.concat(), guests.concat())
}

/// Returns the atlas of the lamp of Spine 3.8.
fn atlas() -> String {
    let head =
        format!("paper-lamp.png\nsize: {SIZE},{SIZE}\nformat: RGBA8888\nfilter: Linear,Linear\nrepeat: none\n");
    let parts = PARTS.map(|(name, [x, y], [width, height], _)| {
        format!(
            "{name}\n  rotate: false\n  xy: {x}, {y}\n  size: {width}, {height}\n  orig: {width}, {height}\n  \
             offset: 0, 0\n  index: -1\n"
        )
    });
    head + &parts.concat()
}
