//! Layers and groups: order, opacity and blend modes.

use super::{BLUE, CLEAR, GREEN, Pixel, RED, assert_frames, one, one_pixel, read};
use crate::common::aseprite::{
    COMPOSES_GROUPS, Cel, Chunk, LAYER, LAYER_OPACITY, Layer, REFERENCE, Sprite, VISIBLE, on, plain,
};
use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, from_bytes};

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
fn chosen_layers_are_shown_alone() {
    let layer = |flags: u16, level: u16| Layer { flags, level, ..LAYER };
    let dot = |layer: u16, color: Pixel| Chunk::cel(Cel { at: [layer as i16, 0], ..on(layer) }, [1, 1], &color);
    let sprite = Sprite::new(5, 1).frame(
        100,
        [
            Chunk::layer("below", layer(VISIBLE, 0)),
            Chunk::layer("group", Layer { kind: 1, ..layer(0, 0) }),
            Chunk::layer("arm", layer(VISIBLE, 1)),
            Chunk::layer("hidden", layer(0, 1)),
            Chunk::layer("hat", layer(VISIBLE, 0)),
            dot(0, RED),
            dot(2, GREEN),
            dot(3, BLUE),
            dot(4, RED),
        ],
    );
    for (layers, expected) in [
        (&[][..], [RED, CLEAR, CLEAR, CLEAR, RED]),
        (&["hat"], [CLEAR, CLEAR, CLEAR, CLEAR, RED]),
        (&["group"], [CLEAR, CLEAR, GREEN, CLEAR, CLEAR]),
        (&["hidden", "below"], [RED, CLEAR, CLEAR, BLUE, CLEAR]),
    ] {
        let layers = layers.iter().map(|name| (*name).to_owned()).collect();
        let options = ReadOptions { layers, ..ReadOptions::default() };
        let character = from_bytes(sprite.bytes(), &options, &mut Diagnostics::default()).expect("layers");
        assert_frames(&sprite, &character, &[expected.to_vec()]);
    }
    let options = ReadOptions { layers: vec!["boots".to_owned()], ..ReadOptions::default() };
    let Err(error) = from_bytes(sprite.bytes(), &options, &mut Diagnostics::default()) else { panic!("refused") };
    assert_eq!(error.code(), "unknown-name");
    assert!(error.to_string().contains("`below`, `group`, `arm`, `hidden`, `hat`"), "{error}");
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

/// Results for two equal smaller components: red unchanged, green unchanged, neither unchanged.
const TIES: [Pixel; 3] = [[95, 35, 235, 255], [206, 66, 6, 255], [24, 224, 24, 255]];
