//! Aseprite files: what they show, pixel by pixel, and how broken ones are handled.
//!
//! The files are written by `common/aseprite.rs`. Expected pixels are computed by hand, or by formulas that share
//! nothing with the reader.

#[cfg(feature = "cli")]
use crate::common;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::common::aseprite::{
    BACKGROUND, COMPOSES_GROUPS, Cel, Chunk, LAYER, LAYER_OPACITY, Layer, REFERENCE, Sprite, Tag, VISIBLE, on,
    plain,
};
use crate::common::checks::{assert_same_verdict, examined, verdict};
use crate::common::memory::peak;
use crate::common::random::Random;
use bytes::Bytes;
use pchr::Character;
use pchr::cpu::Renderer;
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::draw::{DrawList, Filter, Picture, Settings, View};
use pchr::error::Error;
use pchr::formats::{ReadOptions, format_name, from_bytes};
use pchr::limits::Limits;
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

#[test]
fn visible_layers_are_stacked() {
    let layer = |flags: u16, level: u16| Layer { flags, level, ..LAYER };
    let group = |flags: u16, level: u16| Layer { kind: 1, ..layer(flags, level) };
    let dot = |layer: u16, x: i16, color: Pixel| Chunk::cel(Cel { at: [x, 0], ..on(layer) }, [1, 1], &color);
    let sprite = Sprite::new(5, 1).frame(
        100,
        [
            Chunk::layer("below", layer(VISIBLE, 0)),
            Chunk::layer("hidden", layer(0, 0)),
            Chunk::layer("hidden group", group(0, 0)),
            Chunk::layer("visible in it", group(VISIBLE, 1)),
            Chunk::layer("and below", layer(VISIBLE, 2)),
            Chunk::layer("beside the group", layer(VISIBLE, 0)),
            Chunk::layer("to draw after", layer(VISIBLE | REFERENCE, 0)),
            Chunk::cel(on(0), [5, 1], &plain(RED, 5)),
            dot(1, 1, GREEN),
            dot(4, 2, GREEN),
            dot(5, 3, BLUE),
            dot(6, 4, GREEN),
        ],
    );
    assert_frames(&sprite, &read(&sprite), &[vec![RED, RED, RED, BLUE, RED]]);
}

#[test]
fn opacities_are_multiplied() {
    let layers = |opacity| [Chunk::layer("a", LAYER), Chunk::layer("b", Layer { opacity, ..LAYER })];
    let cels = |opacity| [one(on(0), [100, 0, 200, 255]), one(Cel { opacity, ..on(1) }, [200, 100, 0, 200])];
    // 128 · 100 / 255 is 50, 200 · 50 / 255 is 39; 100 + 100 · 39 / 255 is 115 and so on.
    assert_eq!(one_pixel(layers(100).into_iter().chain(cels(128)), LAYER_OPACITY), [115, 15, 170, 255]);
    // Files of old programs have a meaningless number there.
    assert_eq!(one_pixel(layers(0).into_iter().chain(cels(255)), 0), [178, 78, 44, 255]);
    // Over a transparent backdrop only the alpha changes.
    let alone = [Chunk::layer("a", LAYER), one(Cel { opacity: 128, ..on(0) }, [200, 100, 0, 200])];
    assert_eq!(one_pixel(alone, LAYER_OPACITY), [200, 100, 0, 100]);
}

/// Each mode, by number, over three backdrops: 255 of (30, 220, 128, 255) on (200, 100, 50, 255); 150 of (250,
/// 180, 20, 200) on (64, 0, 255, 128); 90 of (0, 127, 128, 255) on (255, 90, 10, 255). Computed with exact
/// fractions, except for the final mix, where rounding negative differences by shifting matters.
const BLENDED: [(&str, [Pixel; 3]); 19] = [
    ("normal", [[30, 220, 128, 255], [181, 113, 107, 187], [165, 103, 51, 255]]),
    ("multiply", [[24, 86, 25, 255], [109, 43, 107, 187], [165, 75, 9, 255]]),
    ("screen", [[206, 234, 153, 255], [182, 113, 198, 187], [255, 118, 53, 255]]),
    ("overlay", [[158, 173, 50, 255], [132, 43, 198, 187], [255, 90, 10, 255]]),
    ("darken", [[30, 100, 50, 255], [109, 43, 107, 187], [165, 90, 10, 255]]),
    ("lighten", [[200, 220, 128, 255], [181, 113, 198, 187], [255, 103, 51, 255]]),
    ("colour dodge", [[227, 255, 100, 255], [183, 43, 198, 187], [255, 121, 13, 255]]),
    ("colour burn", [[0, 75, 0, 255], [107, 43, 198, 187], [255, 59, 7, 255]]),
    ("hard light", [[47, 212, 51, 255], [181, 84, 115, 187], [165, 90, 10, 255]]),
    ("soft light", [[167, 143, 50, 255], [132, 43, 198, 187], [255, 90, 10, 255]]),
    ("difference", [[170, 120, 78, 255], [155, 113, 191, 187], [255, 72, 48, 255]]),
    ("exclusion", [[182, 148, 128, 255], [157, 113, 191, 187], [255, 103, 51, 255]]),
    ("hue", [[27, 177, 104, 255], [110, 61, 100, 187], [165, 123, 72, 255]]),
    ("saturation", [[220, 93, 30, 255], [108, 44, 191, 187], [234, 96, 30, 255]]),
    ("colour", [[1, 191, 99, 255], [110, 61, 100, 187], [180, 117, 66, 255]]),
    ("luminosity", [[228, 128, 78, 255], [157, 108, 198, 187], [229, 79, 7, 255]]),
    ("addition", [[230, 255, 178, 255], [183, 113, 198, 187], [255, 134, 55, 255]]),
    ("subtract", [[170, 0, 0, 255], [84, 43, 191, 187], [255, 59, 7, 255]]),
    ("divide", [[255, 116, 100, 255], [109, 43, 198, 187], [255, 122, 13, 255]]),
];

/// Blends `above` on `below` with this mode.
#[track_caller]
fn blended(mode: u16, below: Pixel, above: Pixel, opacity: u8) -> Pixel {
    let chunks = [
        Chunk::layer("below", LAYER),
        Chunk::layer("above", Layer { blend: mode, ..LAYER }),
        one(on(0), below),
        one(Cel { opacity, ..on(1) }, above),
    ];
    one_pixel(chunks, LAYER_OPACITY)
}

#[test]
fn blend_modes_are_those_of_aseprite() {
    for (mode, (name, expected)) in (0..).zip(BLENDED) {
        let found = [
            blended(mode, [200, 100, 50, 255], [30, 220, 128, 255], 255),
            blended(mode, [64, 0, 255, 128], [250, 180, 20, 200], 150),
            blended(mode, [255, 90, 10, 255], [0, 127, 128, 255], 90),
        ];
        assert_eq!(found, expected, "{name}");
        // A transparent pixel has nothing to blend with.
        assert_eq!(blended(mode, CLEAR, [250, 180, 20, 200], 255), [250, 180, 20, 200], "{name}");
        assert_eq!(blended(mode, [64, 0, 255, 128], CLEAR, 255), [64, 0, 255, 128], "{name}");
    }
}

#[test]
fn saturation_reproduces_aseprites_bug() {
    // Of two equal smaller components, the one that comes first is left unchanged.
    assert_eq!(blended(13, [60, 60, 200, 255], [200, 100, 0, 255], 255), TIES[0]);
    assert_eq!(blended(13, [200, 60, 60, 255], [200, 100, 0, 255], 255), TIES[1]);
    assert_eq!(blended(13, [60, 200, 60, 255], [200, 100, 0, 255], 255), TIES[2]);
}

#[test]
fn groups_are_composed_separately_if_the_file_states_it() {
    let group = Layer { kind: 1, opacity: 128, blend: 16, ..LAYER };
    let inside = Layer { level: 1, blend: 1, ..LAYER };
    let chunks = || {
        [
            Chunk::layer("below", LAYER),
            Chunk::layer("group", group),
            Chunk::layer("a", Layer { blend: 0, ..inside }),
            Chunk::layer("b", inside),
            one(on(0), [10, 200, 100, 255]),
            one(on(2), [100, 100, 100, 255]),
            one(on(3), [255, 128, 0, 255]),
        ]
    };
    // The group is (100, 50, 0); half of it is added: 10 + 100 · 128 / 255 and so on, rounded as addition does.
    assert_eq!(one_pixel(chunks(), LAYER_OPACITY | COMPOSES_GROUPS), [60, 225, 100, 255]);
    // The layers are blended directly on what is below, regardless of the group's settings.
    assert_eq!(one_pixel(chunks(), LAYER_OPACITY), [100, 50, 0, 255]);
}

#[test]
fn z_indices_move_cels_among_layers() {
    let chunks = |flags: u32, z: [i16; 3]| {
        let mut chunks = vec![
            Chunk::layer("a", LAYER),
            Chunk::layer("group", Layer { kind: 1, ..LAYER }),
            Chunk::layer("b", Layer { level: 1, ..LAYER }),
            Chunk::layer("c", LAYER),
        ];
        let cels = [(0, RED), (2, GREEN), (3, BLUE)];
        chunks.extend(cels.iter().zip(z).map(|(&(layer, color), z)| one(Cel { z, ..on(layer) }, color)));
        one_pixel(chunks, flags | LAYER_OPACITY)
    };
    assert_eq!(chunks(0, [0, 0, 0]), BLUE);
    assert_eq!(chunks(0, [0, 0, -1]), GREEN);
    // Of two cels at the same position, the one that was moved further up is above.
    assert_eq!(chunks(0, [3, 0, 0]), RED);
    assert_eq!(chunks(0, [2, 0, -1]), RED);
    assert_eq!(chunks(0, [0, 1, 0]), GREEN);
    // A group that is composed separately counts as one, and no cel leaves it.
    assert_eq!(chunks(COMPOSES_GROUPS, [0, 1, 0]), BLUE);
    assert_eq!(chunks(COMPOSES_GROUPS, [2, 0, 0]), RED);
}

#[test]
fn linked_cels_and_equal_frames_share_their_pixels() {
    let picture = [RED, GREEN, BLUE, RED].concat();
    let at = |x: i16| Cel { at: [x, 0], ..on(0) };
    let sprite = Sprite::new(4, 2)
        .frame(100, [Chunk::layer("a", LAYER), Chunk::cel(at(0), [2, 2], &picture)])
        .frame(100, [Chunk::link(at(0), 0)])
        .frame(100, [Chunk::link(at(2), 1)])
        .frame(100, [Chunk::link(Cel { opacity: 0, ..at(2) }, 0)])
        .frame(100, [Chunk::cel(at(1), [2, 2], &picture)])
        .frame(100, [Chunk::cel(at(3), [1, 1], &GREEN)])
        .frame(100, [Chunk::link(at(0), 5)]);
    let character = read(&sprite);
    let shown = |x: usize| {
        let mut pixels = vec![CLEAR; 8];
        for (index, color) in [RED, GREEN, BLUE, RED].into_iter().enumerate() {
            pixels[x + index % 2 + 4 * (index / 2)] = color;
        }
        pixels
    };
    let green = |x: usize| (0..8).map(|at| if at == x { GREEN } else { CLEAR }).collect();
    let expected = [shown(0), shown(0), shown(2), vec![CLEAR; 8], shown(1), green(3), green(0)];
    assert_frames(&sprite, &character, &expected);
    // One picture of 2 × 2 and one of 1 × 1 below it, with a transparent border.
    let pages = character.model().pages();
    assert_eq!((pages.len(), pages[0].width, pages[0].height), (1, 4, 6));
}

#[test]
fn pixels_outside_the_canvas_are_cut() {
    let big: Vec<u8> = (0..25u8).flat_map(|index| [index, 2 * index, 3 * index, 255]).collect();
    let sprite = Sprite::new(2, 2).frame(
        100,
        [
            Chunk::layer("a", LAYER),
            Chunk::layer("b", LAYER),
            Chunk::raw_cel(Cel { at: [-2, -1], ..on(0) }, [5, 5], &big),
            Chunk::cel(Cel { at: [-5, -5], ..on(1) }, [5, 5], &big),
        ],
    );
    let pixel = |index: u8| [index, 2 * index, 3 * index, 255];
    assert_frames(&sprite, &read(&sprite), &[[7, 8, 12, 13].map(pixel).to_vec()]);
}

#[test]
fn indexed_pixels_use_the_palette_of_their_frame() {
    let mut sprite = Sprite::new(4, 1)
        .frame(
            100,
            [
                Chunk::palette(4, 0, &[[9, 9, 9, 255], RED, GREEN, [0, 0, 255, 128]]),
                Chunk::layer("background", Layer { flags: VISIBLE | BACKGROUND, opacity: 1, blend: 7, ..LAYER }),
                Chunk::layer("a", LAYER),
                Chunk::cel(on(0), [2, 1], &[2, 1]),
                Chunk::cel(on(1), [4, 1], &[2, 2, 3, 1]),
            ],
        )
        // One entry changes, and one is removed.
        .frame(100, [Chunk::palette(3, 1, &[BLUE]), Chunk::link(on(1), 0)])
        .frame(100, [Chunk::link(on(1), 1)]);
    (sprite.depth, sprite.transparent) = (8, 2);
    let half = [0, 0, 255, 128];
    let later = vec![CLEAR, CLEAR, CLEAR, BLUE];
    // On the background layer, the transparent entry is green.
    assert_frames(&sprite, &read(&sprite), &[vec![GREEN, RED, half, RED], later.clone(), later]);
}

#[test]
fn old_palettes_count_if_there_is_no_new_one() {
    let sprite = |chunks: Vec<Chunk>| {
        let layer = [Chunk::layer("a", LAYER), Chunk::cel(on(0), [4, 1], &[1, 2, 3, 4])];
        let mut sprite = Sprite::new(4, 1).frame(100, chunks.into_iter().chain(layer));
        (sprite.depth, sprite.colors) = (8, 4);
        sprite
    };
    let packets: &[(u8, &[[u8; 3]])] = &[(1, &[[63, 32, 1]]), (0, &[[255, 64, 0]]), (1, &[[1, 2, 3]])];
    let black = [0, 0, 0, 255];
    let eight = sprite(vec![Chunk::old_palette(4, packets)]);
    assert_frames(&eight, &read(&eight), &[vec![[63, 32, 1, 255], [255, 64, 0, 255], black, [1, 2, 3, 255]]]);
    for kind in [11, 17] {
        let six = sprite(vec![Chunk::old_palette(kind, &[(1, &[[63, 32, 1]])])]);
        assert_frames(&six, &read(&six), &[vec![[255, 130, 4, 255], black, black, CLEAR]]);
    }
    let both = sprite(vec![Chunk::palette(5, 0, &[RED; 5]), Chunk::old_palette(4, packets)]);
    assert_frames(&both, &read(&both), &[vec![RED; 4]]);
}

#[test]
fn grey_pixels_have_a_value_and_alpha() {
    let mut sprite = Sprite::new(3, 1).frame(
        100,
        [
            Chunk::layer("a", LAYER),
            Chunk::layer("b", Layer { blend: 1, ..LAYER }),
            Chunk::cel(on(0), [3, 1], &[200, 255, 10, 128, 7, 0]),
            Chunk::cel(on(1), [1, 1], &[128, 255]),
        ],
    );
    sprite.depth = 16;
    // 200 · 128 / 255 is 100.
    assert_frames(&sprite, &read(&sprite), &[vec![[100, 100, 100, 255], [10, 10, 10, 128], CLEAR]]);
}

#[test]
fn tiles_are_flipped_and_turned() {
    // An empty tile, then one of 2 × 2 pixels with three colours.
    let tile = [[CLEAR; 4], [RED, GREEN, BLUE, CLEAR]].concat().into_flattened();
    let (x, y, d) = (0x8000_0000_u32, 0x4000_0000, 0x2000_0000);
    let sprite = |flags: u32, tiles: &[u32]| {
        Sprite::new(8, 4).frame(
            100,
            [
                Chunk::tileset(7, flags, [2, 2], 2, &tile),
                Chunk::layer("a", Layer { kind: 2, tileset: 7, ..LAYER }),
                Chunk::tiles(on(0), [4, 2], tiles),
            ],
        )
    };
    let tiled = sprite(2 | 4, &[1, 1 | x, 1 | y, 1 | d, 0, 1 | x | y, 1 | x | d, 5]);
    let rows = [
        // Unchanged, mirrored, upside down, transposed.
        [RED, GREEN, GREEN, RED, BLUE, CLEAR, RED, BLUE],
        [BLUE, CLEAR, CLEAR, BLUE, RED, GREEN, GREEN, CLEAR],
        // Empty, turned by 180°, turned by 90° clockwise, missing tile.
        [CLEAR, CLEAR, CLEAR, BLUE, BLUE, RED, CLEAR, CLEAR],
        [CLEAR, CLEAR, GREEN, RED, CLEAR, GREEN, CLEAR, CLEAR],
    ];
    assert_frames(&tiled, &read(&tiled), &[rows.concat()]);
    // In files of test versions, the first tile is like the others.
    let old = sprite(2, &[1, 0, u32::MAX, 1, 0, 0, 0, 0]);
    let row = [[RED, GREEN], [CLEAR; 2], [CLEAR; 2], [RED, GREEN]].concat();
    let next = [[BLUE, CLEAR], [CLEAR; 2], [CLEAR; 2], [BLUE, CLEAR]].concat();
    assert_frames(&old, &read(&old), &[[row, next, vec![CLEAR; 16]].concat()]);
}

#[test]
fn non_square_pixels_are_drawn_as_such() {
    let mut sprite =
        Sprite::new(2, 1).frame(100, [Chunk::layer("a", LAYER), Chunk::cel(on(0), [2, 1], &plain(RED, 2))]);
    sprite.pixel = [4, 2];
    let (character, codes) = read_with_codes(&sprite);
    assert_eq!(codes, ["pixel-ratio"]);
    let id = character.model().animation_ids().next().expect("an animation");
    assert_eq!(paint(&character, id, 0, [5, 2], Filter::Nearest), [[RED; 4].to_vec(), vec![CLEAR; 6]].concat());
    // 0 is not a ratio.
    sprite.pixel = [0, 2];
    read(&sprite);
}

#[test]
fn small_frames_get_small_pages_and_large_ones_get_few() {
    let sprite = |side: u16, count: u16| {
        let pixels = |color: u16| plain([color as u8, (color >> 8) as u8, 7, 255], usize::from(side).pow(2));
        let frames = (0..count).map(|index| Chunk::cel(on(0), [side; 2], &pixels(index)));
        let mut sprite = Sprite::new(side, side);
        for (index, cel) in frames.enumerate() {
            let layer = (index == 0).then(|| Chunk::layer("a", LAYER));
            sprite = sprite.frame(100, layer.into_iter().chain([cel]));
        }
        read(&sprite)
    };
    let small = sprite(100, 9);
    assert_eq!(small.model().pages().len(), 3);
    assert!(small.model().pages().iter().all(|page| page.width.max(page.height) <= Filter::SMALL_PAGE));
    // In order, on whichever page they are.
    for (step, id) in (0..9).zip(std::iter::repeat(small.model().animation_ids().next().expect("an animation"))) {
        assert_eq!(paint(&small, id, step, [1, 1], Filter::Nearest), [[step as u8, 0, 7, 255]]);
    }
    let large = sprite(300, 9);
    assert_eq!(large.model().pages().len(), 1);
    assert_eq!(large.model().pages()[0].width, 904);
}

/// Results for two equal smaller components: red unchanged, green unchanged, neither unchanged.
const TIES: [Pixel; 3] = [[95, 35, 235, 255], [206, 66, 6, 255], [24, 224, 24, 255]];

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

/// Checks everything that must hold for any bytes; returns true if they can be read.
fn check(bytes: &Bytes) -> bool {
    let mut options = ReadOptions::default();
    // Two distant pixels make a large picture.
    options.limits.pixels = 1 << 20;
    let start = Instant::now();
    let (is_read, peak) = peak(|| {
        let read = verdict(bytes, &options);
        assert_same_verdict(bytes, &options, &read, &examined(bytes, &options));
        read.result.is_ok()
    });
    let allowed = 64 * bytes.len() + (16 << 20);
    assert!(peak <= allowed, "{peak} bytes of memory, the limit is {allowed}");
    assert!(start.elapsed() < Duration::from_secs(20), "it took {:?}", start.elapsed());
    is_read
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let bytes = everything().bytes();
    assert!(check(&bytes.clone().into()));
    read(&everything());
    for len in 0..bytes.len() {
        let cut = Bytes::copy_from_slice(&bytes[..len]);
        let error = error(cut.to_vec());
        assert!(["unknown-format", "truncated"].contains(&error.code()), "{len} bytes: {error}");
        assert!(len < 6 || error.place().is_some_and(|place| place.offset.is_some()), "{len} bytes: {error}");
        assert!(!check(&cut));
    }
    let error = error(bytes[..600].to_vec()).to_string();
    assert!(error.starts_with("frames[0].") && error.contains("ends too early"), "{error}");
}

#[test]
fn damaged_files_do_no_harm() {
    let whole = everything().bytes();
    let (mut read, ways) = (0, if cfg!(debug_assertions) { 200 } else { 4000 });
    for seed in 0..ways {
        let mut random = Random(seed);
        let mut bytes = whole.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            match random.below(6) {
                0 => bytes[at] = 0xff,
                1 => bytes[at] = 0,
                2 => drop(bytes.splice(at..at, [random.next() as u8])),
                3 => drop(bytes.drain(at..(at + 1 + random.below(8)).min(bytes.len()))),
                _ => bytes[at] ^= 1 << random.below(8),
            }
        }
        let bytes: Bytes = bytes.into();
        match catch_unwind(AssertUnwindSafe(|| check(&bytes))) {
            Ok(is_read) => read += u64::from(is_read),
            Err(_) => panic!("seed {seed}"),
        }
    }
    assert!((ways / 10..ways).contains(&read), "{read} of {ways} can be read");
}

/// Checks that a sprite is refused for requesting too much, before anything is allocated.
#[track_caller]
fn assert_refused_early(sprite: &Sprite, code: &str) {
    let bytes = sprite.bytes();
    let len = bytes.len();
    let (error, peak) = peak(|| error(bytes));
    assert_eq!(error.code(), code, "{error}");
    assert!(peak < 32 * len + (8 << 20), "{peak} bytes for a file of {len}");
}

#[test]
fn headers_alone_cause_no_allocation() {
    let mut huge = everything();
    huge.size = [u16::MAX; 2];
    // Only the drawn part is composed.
    assert!(check(&huge.bytes().into()));
    let mut bytes = huge.bytes();
    bytes[6..8].fill(0xff);
    assert_eq!(error(bytes).code(), "truncated");

    let cel = |size: [u16; 2], data: &[u8]| {
        let mut sprite = Sprite::new(u16::MAX, u16::MAX);
        sprite = sprite.frame(100, [Chunk::layer("a", LAYER), Chunk::broken_cel(on(0), size, data)]);
        sprite
    };
    assert_refused_early(&cel([u16::MAX; 2], &[0; 100]), "bad-pixels");
    assert_refused_early(&cel([16_000, 16_000], &[0; 100]), "bad-pixels");
    // Of a longer stream, only as much is unpacked as the size requires.
    let bomb = common::aseprite::zlib(&vec![0; 64 << 20]);
    assert_refused_early(&cel([u16::MAX, 20_000], &bomb), "bad-pixels");
    assert!(check(&cel([1, 1], &bomb).bytes().into()));
    let tiles = Sprite::new(1000, 1000).frame(
        100,
        [
            Chunk::tileset(0, 6, [u16::MAX; 2], u32::MAX, &[0; 64]),
            Chunk::layer("a", Layer { kind: 2, ..LAYER }),
            Chunk::tiles(on(0), [1, 1], &[1]),
        ],
    );
    assert_refused_early(&tiles, "bad-pixels");
}

#[test]
fn a_picture_linked_at_many_places_is_limited() {
    let mut sprite = Sprite::new(4000, 4000)
        .frame(100, [Chunk::layer("a", LAYER), Chunk::cel(on(0), [4000, 4000], &vec![0; 64_000_000])]);
    for x in 1..2000 {
        sprite = sprite.frame(100, [Chunk::link(Cel { at: [x, 0], ..on(0) }, 0)]);
    }
    let bytes = sprite.bytes();
    let start = Instant::now();
    let (error, peak) = peak(|| error(bytes));
    assert_eq!(error.code(), "limit-exceeded");
    // The picture, unpacked and composed.
    assert!(peak < 160 << 20, "{peak} bytes");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn limits_hold() {
    let with = |set: fn(&mut Limits)| {
        let mut options = ReadOptions::default();
        set(&mut options.limits);
        let read = from_bytes(everything().bytes(), &options, &mut Diagnostics::default());
        read.err().map(|error| error.code())
    };
    assert_eq!(with(|_| ()), None);
    assert_eq!(with(|limits| limits.pixels = 20), Some("limit-exceeded"));
    assert_eq!(with(|limits| limits.memory_bytes = 2000), Some("limit-exceeded"));
    assert_eq!(with(|limits| limits.records = 3), Some("limit-exceeded"));
    assert_eq!(with(|limits| limits.file_bytes = 200), Some("limit-exceeded"));
}

#[test]
fn the_nesting_of_groups_is_limited() {
    let nested = |count: u16| {
        let mut chunks: Vec<Chunk> = (0..count)
            .map(|level| Chunk::layer("group", Layer { kind: 1, level, opacity: 128, ..LAYER }))
            .collect();
        chunks.push(Chunk::layer("a", Layer { level: count, ..LAYER }));
        chunks.push(one(on(count), [10, 20, 30, 255]));
        let mut sprite = Sprite::new(1, 1).frame(100, chunks);
        sprite.flags = LAYER_OPACITY | COMPOSES_GROUPS;
        sprite
    };
    assert_eq!(only_pixel(&read(&nested(2))), [10, 20, 30, 64]);
    read(&nested(64));
    assert_eq!(error(nested(65).bytes()).code(), "too-many");
}

#[test]
fn nonsensical_parts_are_left_out_with_a_warning() {
    let layer = || Chunk::layer("a", LAYER);
    let cases: [(&str, Vec<Chunk>); 12] = [
        ("bad-cel", vec![layer(), one(on(0), RED), one(on(7), GREEN)]),
        ("bad-cel", vec![layer(), one(on(0), RED), one(on(0), GREEN)]),
        ("bad-cel", vec![layer(), one(on(0), RED), layer(), Chunk::link(on(1), 0)]),
        ("bad-cel", vec![layer(), one(on(0), RED), layer(), Chunk::odd_cel(on(1), 9)]),
        ("bad-cel", vec![layer(), one(on(0), RED), layer(), Chunk::tiles(on(1), [1, 1], &[1])]),
        (
            "bad-cel",
            vec![layer(), one(on(0), RED), Chunk::layer("g", Layer { kind: 1, ..LAYER }), one(on(1), GREEN)],
        ),
        (
            "bad-layer",
            vec![layer(), one(on(0), RED), Chunk::layer("x", Layer { kind: 3, ..LAYER }), one(on(1), BLUE)],
        ),
        ("bad-layer", vec![Chunk::layer("a", Layer { blend: 19, ..LAYER }), one(on(0), RED)]),
        ("bad-layer", vec![layer(), one(on(0), RED), Chunk::layer("t", Layer { kind: 2, ..LAYER })]),
        ("unknown-chunk", vec![layer(), one(on(0), RED), Chunk::other(0x2024, &[1, 2]), Chunk::other(0x99, &[])]),
        (
            "bad-tag",
            vec![
                layer(),
                one(on(0), RED),
                Chunk::tags(&[Tag { name: "a", from: 3, to: 4, direction: 0, repeat: 0 }]),
            ],
        ),
        (
            "bad-tag",
            vec![
                layer(),
                one(on(0), RED),
                Chunk::tags(&[Tag { name: "a", from: 0, to: 0, direction: 4, repeat: 0 }]),
            ],
        ),
    ];
    for (index, (code, chunks)) in cases.into_iter().enumerate() {
        let sprite = Sprite::new(1, 1).frame(100, chunks);
        let (character, codes) = read_with_codes(&sprite);
        assert_eq!(codes, [code], "case {index}");
        assert_eq!(only_pixel(&character), RED, "case {index}");
        let bytes: Bytes = sprite.bytes().into();
        assert!(check(&bytes));
        let found = examined(&bytes, &ReadOptions::default()).expect("it can be examined");
        let place = &found.findings()[0].fault.place;
        assert!(place.offset.is_some_and(|offset| offset >= 128), "case {index}: {place:?}");
        assert!(!place.path.starts_with('/') && !place.path.is_empty(), "case {index}: {place:?}");
        assert!(found.findings().iter().all(|finding| finding.severity < Severity::Error));
    }
}

#[test]
fn structural_errors_are_refused_with_their_place() {
    let sprite =
        || Sprite::new(2, 2).frame(100, [Chunk::layer("a", LAYER), Chunk::cel(on(0), [2, 2], &plain(RED, 4))]);
    let cel = |data: &[u8]| {
        let cel = Chunk::broken_cel(on(0), [2, 2], data);
        Sprite::new(2, 2).frame(100, [Chunk::layer("a", LAYER), cel]).bytes()
    };
    let with = |at: usize, to: &[u8]| {
        let mut bytes = sprite().bytes();
        bytes[at..at + to.len()].copy_from_slice(to);
        bytes
    };
    let packed = common::aseprite::zlib(&plain(RED, 4));
    let wrong_sum = [&packed[..packed.len() - 1], &[packed[packed.len() - 1] ^ 1]].concat();
    // The layer chunk begins at 144 and has 25 bytes, the cel chunk begins at 169; its pixels begin at 195.
    let cases = [
        ("no-frames", with(6, &[0, 0]), 6),
        ("empty-image", with(10, &[0, 0]), 8),
        ("color-depth", with(12, &[24, 0]), 12),
        ("bad-chunk", with(128, &[15, 0, 0, 0]), 128),
        ("bad-chunk", with(132, &[0, 0]), 132),
        ("truncated", with(128, &[255, 255, 0, 0]), 144),
        ("truncated", with(140, &[3, 0, 0, 0]), 169 + 26 + packed.len() as u64),
        ("bad-chunk", with(144, &[5, 0, 0, 0]), 144),
        ("truncated", with(144, &[8, 0, 0, 0]), 152),
        ("truncated", with(169, &[20, 0, 0, 0]), 186),
        ("bad-pixels", cel(&[1, 2, 3, 4]), 195),
        ("bad-pixels", cel(&common::aseprite::zlib(&plain(RED, 3))), 195),
        ("bad-pixels", cel(&wrong_sum), 195),
        ("bad-pixels", cel(&packed[..packed.len() - 6]), 195),
        ("bad-pixels", cel(&[]), 195),
    ];
    for (index, (code, bytes, offset)) in cases.into_iter().enumerate() {
        let error = error(bytes.clone());
        let place = error.place().expect("it has a place").clone();
        assert_eq!((error.code(), place.offset), (code, Some(offset)), "case {index}: {error}");
        assert!(!place.path.is_empty(), "case {index}: {error}");
        assert!(!check(&bytes.into()));
    }
    let raw = Chunk::raw_cel(on(0), [2, 2], &plain(RED, 3));
    let raw = Sprite::new(2, 2).frame(100, [Chunk::layer("a", LAYER), raw]);
    assert_eq!(error(raw.bytes()).code(), "bad-pixels");
    // Additional data do no harm.
    let mut longer = sprite().bytes();
    longer.extend([0; 3]);
    let mut diagnostics = Diagnostics::default();
    from_bytes(longer, &ReadOptions::default(), &mut diagnostics).expect("it opens");
    assert_eq!(diagnostics.findings()[0].fault.code, "trailing-bytes");
    let more = cel(&common::aseprite::zlib(&plain(RED, 5)));
    from_bytes(more, &ReadOptions::default(), &mut Diagnostics::default()).expect("it opens");
}

#[test]
fn an_indexed_sprite_without_a_palette_is_reported() {
    let mut sprite = Sprite::new(1, 1).frame(100, [Chunk::layer("a", LAYER), Chunk::cel(on(0), [1, 1], &[3])]);
    sprite.depth = 8;
    let (character, codes) = read_with_codes(&sprite);
    assert_eq!(codes, ["no-palette"]);
    assert_eq!(only_pixel(&character), [0, 0, 0, 255]);
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
