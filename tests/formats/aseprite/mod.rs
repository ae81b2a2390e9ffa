//! Aseprite files: what they show, pixel by pixel, and how broken ones are handled.
//!
//! The files are written by `common/aseprite.rs`. Expected pixels are computed by hand, or by formulas that share
//! nothing with the reader.

mod damage;
mod layers;
mod pixels;

use crate::common::aseprite::{COMPOSES_GROUPS, Cel, Chunk, LAYER, LAYER_OPACITY, Layer, Sprite, Tag, on, plain};
use pchr::Character;
use pchr::Error;
use pchr::cpu::Renderer;
use pchr::diagnostics::Diagnostics;
use pchr::draw::{DrawList, Filter, Picture, Settings, View};
use pchr::formats::{ReadOptions, format_name, from_bytes};
use pchr::math::color::premultiply;
use pchr::math::vec2;
use pchr::model::AnimationId;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

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

/// Draws the canvas at one step of an animation, premultiplied.
fn paint(character: &Character, animation: AnimationId, step: u32, size: [u32; 2], filter: Filter) -> Vec<Pixel> {
    let model = character.model();
    let (mut pose, mut list, mut picture) = (Pose::default(), DrawList::default(), Picture::default());
    let view = View::new(size[0], size[1], vec2(0.0, 0.0), 1.0);
    let cue = Cue { animation: Some(animation), position: Position::frame(step), ..Cue::default() };
    evaluate(character, &cue, &mut pose);
    list.build(model, &pose, &view);
    let settings = Settings { filter, ..Settings::default() };
    Renderer::new(model).render(model, &list, &view, settings, &mut picture);
    picture.pixels().as_chunks::<4>().0.to_vec()
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

/// A sprite with some of everything.
fn everything() -> Sprite {
    let tile = [[CLEAR; 4], [RED, GREEN, BLUE, CLEAR]].concat().into_flattened();
    let tags = [Tag { name: "go", from: 0, to: 2, direction: 2, repeat: 2 }];
    let mut sprite = Sprite::new(6, 5)
        .frame(
            100,
            [
                Chunk::other(0x2007, &[1; 16]),
                Chunk::old_palette(4, &[(0, &[[1, 2, 3]])]),
                Chunk::palette(2, 0, &[RED, GREEN]),
                Chunk::tileset(0, 6, [2, 2], 2, &tile),
                Chunk::layer("group", Layer { kind: 1, opacity: 200, ..LAYER }),
                Chunk::layer("a", Layer { level: 1, ..LAYER }),
                Chunk::layer("tiles", Layer { kind: 2, level: 1, blend: 12, ..LAYER }),
                Chunk::layer("b", Layer { blend: 9, opacity: 99, ..LAYER }),
                Chunk::tags(&tags),
                Chunk::other(0x2020, &[0; 4]),
                Chunk::cel(Cel { at: [1, 1], ..on(1) }, [3, 3], &plain([9, 200, 77, 128], 9)),
                Chunk::tiles(Cel { z: 1, ..on(2) }, [2, 2], &[1, 0x8000_0001, 0, 0x2000_0001]),
                Chunk::raw_cel(Cel { at: [-1, 0], ..on(3) }, [4, 2], &plain([90, 20, 7, 255], 8)),
                Chunk::other(0x2022, &[0; 14]),
            ],
        )
        .frame(50, [Chunk::link(Cel { at: [2, 2], ..on(1) }, 0), Chunk::link(on(2), 0)])
        .frame(70, [Chunk::cel(on(3), [6, 5], &plain([1, 2, 3, 4], 30))]);
    sprite.flags = LAYER_OPACITY | COMPOSES_GROUPS;
    sprite
}

/// An animation: its name, whether it loops, and its frames with their times.
#[cfg(feature = "cli")]
type Shown = (String, bool, Vec<(f64, Vec<Pixel>)>);

/// What every animation shows at every step, on the whole canvas.
#[cfg(feature = "cli")]
fn everything_shown(character: &Character, size: [u32; 2]) -> Vec<Shown> {
    let model = character.model();
    let of = |id: AnimationId| {
        let animation = model.animation(id);
        let step =
            |step: u32| (animation.seconds_at(f64::from(step)), paint(character, id, step, size, Filter::Nearest));
        (animation.name.clone(), animation.looping, (0..animation.frame_count()).map(step).collect())
    };
    model.animation_ids().map(of).collect()
}

#[cfg(feature = "cli")]
#[test]
fn the_converted_sprite_sheet_shows_the_same() {
    use crate::common::program::{fine, folder, pchr, stderr};

    let tag = |name, direction, repeat| Tag { name, from: 0, to: 3, direction, repeat };
    let mut sprite = everything().frame(40, []);
    let tags =
        [tag("a", 1, 0), tag("b", 2, 0), tag("c", 3, 2), Tag { name: "none", from: 9, to: 9, ..tag("", 0, 0) }];
    sprite.frames[0].chunks.push(Chunk::tags(&tags));
    let (source, codes) = read_with_codes(&sprite);
    assert_eq!(codes, ["bad-tag"]);
    let expected = everything_shown(&source, [6, 5]);
    assert_eq!(expected.len(), 4);

    let place = folder();
    std::fs::write(place.path().join("hero.aseprite"), sprite.bytes()).expect("a folder");
    for (to, output) in [("sheet", "list.json"), ("sheet-hash", "hash.json"), ("sheet-packed", "packed.sprsh")] {
        fine(place.path(), &["convert", "hero.aseprite", "-o", output, "--to", to, "-q"]);
        let sheet = Character::open(place.path().join(output)).unwrap_or_else(|error| panic!("{error}"));
        assert!(everything_shown(&sheet, [6, 5]) == expected, "{to}");
    }
    assert!(place.path().join("list.png").is_file());
    fine(place.path(), &["convert", "hero.aseprite", "-o", "by-name.sprsh", "-q"]);

    // Non-square pixels become square, which is reported.
    sprite.pixel = [1, 2];
    std::fs::write(place.path().join("tall.ase"), sprite.bytes()).expect("a folder");
    let args = ["convert", "tall.ase", "-o", "tall.json", "--to", "sheet", "--loss-report", "loss.json"];
    let run = pchr(place.path(), &args);
    assert!(run.status.success() && stderr(&run).contains("pixels-squared"), "{}", stderr(&run));
    let report = std::fs::read_to_string(place.path().join("loss.json")).expect("a report");
    assert!(report.contains("pixels-squared"), "{report}");
}

#[cfg(feature = "cli")]
#[test]
fn the_programs_open_it() {
    use crate::common::program::{fine, folder, pchr};

    let place = folder();
    std::fs::write(place.path().join("hero.aseprite"), everything().bytes()).expect("a folder");
    std::fs::write(place.path().join("cut.ASE"), &everything().bytes()[..200]).expect("a folder");
    let run = pchr(place.path(), &["validate", "."]);
    assert_eq!(run.status.code(), Some(1));
    let output = String::from_utf8_lossy(&run.stdout);
    assert!(
        output.contains("cut.ASE") && output.contains("truncated") && output.contains("1 valid, 1 invalid"),
        "{output}"
    );
    let run = fine(place.path(), &["inspect", "hero.aseprite"]);
    let output = String::from_utf8_lossy(&run.stdout);
    assert!(output.contains("Aseprite sprite") && output.contains("go"), "{output}");
    fine(place.path(), &["convert", "hero.aseprite", "-o", "hero.pchr", "-q"]);
    assert!(Character::open(place.path().join("hero.pchr")).is_ok());
}
