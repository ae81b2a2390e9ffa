//! Cels: links, palettes, grey values, tiles, and their pages.

use crate::common::aseprite::{BACKGROUND, Cel, Chunk, LAYER, Layer, Sprite, VISIBLE, on, plain};
use pchr::draw::Filter;

use super::{BLUE, CLEAR, GREEN, RED, assert_frames, only_pixel, paint, read, read_with_codes};

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
    assert!(small.model().pages().iter().all(|page| page.width.max(page.height) <= 256));
    // In order, on whichever page they are.
    for (step, id) in (0..9).zip(std::iter::repeat(small.model().animation_ids().next().expect("an animation"))) {
        assert_eq!(paint(&small, id, step, [1, 1], Filter::Nearest), [[step as u8, 0, 7, 255]]);
    }
    let large = sprite(300, 9);
    assert_eq!(large.model().pages().len(), 1);
    assert_eq!(large.model().pages()[0].width, 904);
}

#[test]
fn an_indexed_sprite_without_a_palette_is_reported() {
    let mut sprite = Sprite::new(1, 1).frame(100, [Chunk::layer("a", LAYER), Chunk::cel(on(0), [1, 1], &[3])]);
    sprite.depth = 8;
    let (character, codes) = read_with_codes(&sprite);
    assert_eq!(codes, ["no-palette"]);
    assert_eq!(only_pixel(&character), [0, 0, 0, 255]);
}
