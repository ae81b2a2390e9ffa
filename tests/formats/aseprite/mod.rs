//! Aseprite files: what they show, pixel by pixel, and how broken ones are handled.
//!
//! The files are written by `common/aseprite.rs`. Expected pixels are computed by hand, or by formulas that share
//! nothing with the reader.

mod damage;
mod layers;
mod pixels;

use crate::common::aseprite::{Cel, Chunk, LAYER, Sprite, Tag, everything, on, paint};
use pchr::Character;
use pchr::Error;
use pchr::diagnostics::Diagnostics;
use pchr::draw::Filter;
use pchr::formats::{ReadOptions, format_name, from_bytes};
use pchr::math::color::premultiply;

type Pixel = [u8; 4];

const CLEAR: Pixel = [0; 4];
const RED: Pixel = [255, 0, 0, 255];
const GREEN: Pixel = [0, 255, 0, 255];
const BLUE: Pixel = [0, 0, 255, 255];

/// Reads a sprite without findings.
#[track_caller]
fn read(sprite: &Sprite) -> Character {
    let (character, codes) = read_with_codes(sprite);
    assert_eq!(codes, [""; 0]);
    character
}

/// Reads a sprite; also returns the codes of all findings.
#[track_caller]
fn read_with_codes(sprite: &Sprite) -> (Character, Vec<&'static str>) {
    let mut diagnostics = Diagnostics::default();
    let character = from_bytes(sprite.bytes(), &ReadOptions::default(), &mut diagnostics);
    let character = character.unwrap_or_else(|error| panic!("{error}"));
    (character, diagnostics.findings().iter().map(|finding| finding.fault.code).collect())
}

#[track_caller]
fn error(bytes: Vec<u8>) -> Error {
    let read = from_bytes(bytes, &ReadOptions::default(), &mut Diagnostics::default());
    let Err(error) = read else { panic!("it is not refused") };
    error
}

/// Compares each frame of the first animation, which shows all of them, with straight pixels of the whole canvas.
#[track_caller]
fn assert_frames(sprite: &Sprite, character: &Character, expected: &[Vec<Pixel>]) {
    let size = sprite.size.map(u32::from);
    let id = character.model().animation_ids().next().expect("an animation");
    assert_eq!(character.model().animation(id).frame_count() as usize, expected.len());
    for (step, expected) in (0..).zip(expected) {
        let expected: Vec<Pixel> = expected.iter().map(|pixel| premultiply(*pixel)).collect();
        for filter in [Filter::Nearest, Filter::Linear] {
            assert_eq!(paint(character, id, step, size, filter), expected, "frame {step}, {filter:?}");
        }
    }
}

/// The only frame of a sprite of one pixel.
#[track_caller]
fn one_pixel(chunks: impl IntoIterator<Item = Chunk>, flags: u32) -> Pixel {
    let mut sprite = Sprite::new(1, 1).frame(100, chunks);
    sprite.flags = flags;
    only_pixel(&read(&sprite))
}

/// The only visible pixel of the first page; pages have a transparent border.
fn only_pixel(character: &Character) -> Pixel {
    let pixels = character.model().pages()[0].pixels.as_chunks::<4>().0;
    let mut seen = pixels.iter().filter(|pixel| pixel[3] > 0);
    let pixel = seen.next().copied().unwrap_or(CLEAR);
    assert!(seen.next().is_none(), "{pixels:?}");
    pixel
}

fn one(cel: Cel, color: Pixel) -> Chunk {
    Chunk::cel(cel, [1, 1], &color)
}

#[test]
fn files_are_detected_from_their_content() {
    let bytes = Sprite::new(1, 1).frame(100, [Chunk::layer("a", LAYER), one(on(0), RED)]).bytes();
    assert_eq!(format_name(&bytes), Some("Aseprite sprite"));
    assert_eq!(format_name(&bytes[..6]), Some("Aseprite sprite"));
    assert_eq!(format_name(&bytes[..5]), None);
}

#[test]
fn frames_tags_and_durations_are_those_of_the_file() {
    let dot = |x: i16| Chunk::cel(Cel { at: [x, 0], ..on(0) }, [1, 1], &RED);
    let tags = [
        Tag { name: "all", from: 0, to: 3, direction: 0, repeat: 0 },
        Tag { name: "back", from: 1, to: 2, direction: 1, repeat: 1 },
        Tag { name: "swing", from: 0, to: 2, direction: 2, repeat: 0 },
        Tag { name: "swung", from: 0, to: 2, direction: 3, repeat: 3 },
    ];
    let sprite = Sprite::new(4, 2)
        .frame(100, [Chunk::layer("a", LAYER), dot(0), Chunk::tags(&tags)])
        .frame(50, [dot(1)])
        .frame(0, [dot(2)])
        .frame(65_535, [dot(3)]);
    let character = read(&sprite);
    let line = |x: usize| {
        let mut pixels = vec![CLEAR; 8];
        pixels[x] = RED;
        pixels
    };
    assert_frames(&sprite, &character, &[0, 1, 2, 3].map(line));
    let animations = character.model().animations();
    let found: Vec<_> = animations.iter().map(|it| (&*it.name, it.looping, it.frame_count())).collect();
    assert_eq!(found, [("all", true, 4), ("back", false, 2), ("swing", true, 4), ("swung", false, 7)]);
    // The header's speed applies to frames without a duration.
    let starts: Vec<f64> = (0..=4).map(|step| animations[0].seconds_at(f64::from(step)) * 1000.0).collect();
    assert_eq!(starts, [0.0, 100.0, 150.0, 250.0, 65_785.0]);
    let shown = |name: usize, step: u32| {
        let id = character.model().animation_ids().nth(name).expect("an animation");
        let pixels = paint(&character, id, step, [4, 2], Filter::Nearest);
        pixels.iter().position(|pixel| *pixel == RED)
    };
    let order = |name: usize, count: u32| (0..count).filter_map(|step| shown(name, step)).collect::<Vec<_>>();
    assert_eq!(order(1, 2), [2, 1]);
    assert_eq!(order(2, 4), [0, 1, 2, 1]);
    assert_eq!(order(3, 7), [2, 1, 0, 1, 2, 1, 0]);
}

#[test]
fn frames_without_any_duration_follow_the_given_rate() {
    let mut sprite = Sprite::new(1, 1).frame(0, [Chunk::layer("a", LAYER), one(on(0), RED)]).frame(0, []);
    sprite.speed = 0;
    let options = ReadOptions { fps: Some(20.0), ..ReadOptions::default() };
    let character = from_bytes(sprite.bytes(), &options, &mut Diagnostics::default()).expect("it opens");
    assert_eq!(character.model().animations()[0].fps(), 20.0);
    assert_eq!(character.model().animations()[0].name, "sheet");
}
