//! Rotated, mirrored and sheared views, drawn by the CPU renderer.

use crate::common::characters::{image, list_at, quad, roots};
use crate::common::random::Random;
use crate::common::read;
use crate::common::v1::File;
use crate::scenes;
use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{Antialias, Command, DrawList, Filter, Picture, Settings, View};
use pchr::math::{Affine2, Mat2, Vec2, vec2};
use pchr::model::Model;

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255; 4];
const NOTHING: [u8; 4] = [0; 4];

const NEAREST: Settings = Settings { filter: Filter::Nearest, antialias: Antialias::None };

fn render(model: &Model, list: &DrawList, view: &View, settings: Settings) -> Picture {
    let mut picture = Picture::default();
    Renderer::new(model).render(model, list, view, settings, &mut picture);
    picture
}

/// Red and green above blue and white, from (0, 0) to `size`.
fn four_texels(size: f32) -> Character {
    read(&File {
        images: vec![image(2, 2, &[RED, GREEN, BLUE, WHITE])],
        bones: roots(1),
        meshes: vec![quad(0, 0, [0.0, 0.0], [size, size])],
        ..File::default()
    })
}

fn rows(picture: &Picture) -> Vec<Vec<[u8; 4]>> {
    (0..picture.height()).map(|y| (0..picture.width()).map(|x| picture.pixel(x, y)).collect()).collect()
}

#[test]
fn a_view_turns_mirrors_and_stretches_the_picture() {
    use std::f32::consts::{FRAC_PI_2, PI};
    let character = four_texels(2.0);
    let upright = View::new(2, 2, vec2(0.0, 2.0), 1.0);
    let stretched = View::from_affine(4, 2, Affine2::from_cols_array(&[2.0, 0.0, 0.0, -1.0, 0.0, 2.0]));
    let list = list_at(&character, 0, &upright);
    for antialias in [Antialias::None, Antialias::Msaa4, Antialias::Ssaa2] {
        let shown = |view: View| {
            rows(&render(character.model(), &list, &view, Settings { filter: Filter::Nearest, antialias }))
        };
        assert_eq!(shown(upright), [[RED, GREEN], [BLUE, WHITE]]);
        assert_eq!(shown(upright.rotated(FRAC_PI_2)), [[GREEN, WHITE], [RED, BLUE]]);
        assert_eq!(shown(upright.rotated(-FRAC_PI_2)), [[BLUE, RED], [WHITE, GREEN]]);
        assert_eq!(shown(upright.rotated(PI)), [[WHITE, BLUE], [GREEN, RED]]);
        assert_eq!(shown(upright.mirrored()), [[GREEN, RED], [WHITE, BLUE]]);
        assert_eq!(shown(upright.mirrored().rotated(FRAC_PI_2)), [[RED, BLUE], [GREEN, WHITE]]);
        assert_eq!(shown(stretched), [[RED, RED, GREEN, GREEN], [BLUE, BLUE, WHITE, WHITE]]);
    }
}

#[test]
fn magnified_pixel_art_stays_sharp_in_quarter_turns() {
    let character = four_texels(2.0);
    let view = View::new(16, 16, vec2(0.0, 2.0), 8.0);
    let list = list_at(&character, 0, &view);
    let colors = |view: View| {
        let picture = render(character.model(), &list, &view, Settings::default());
        rows(&picture).concat().into_iter().filter(|pixel| ![RED, GREEN, BLUE, WHITE].contains(pixel)).count()
    };
    assert_eq!(colors(view), 0);
    assert_eq!(colors(view.rotated(std::f32::consts::FRAC_PI_2)), 0);
    assert_eq!(colors(view.mirrored()), 0);
    assert!(colors(view.rotated(0.4)) > 0, "blocks that are turned are smoothed");
    // Areas grow by the square of a whole number, but blocks become parallelograms.
    let shear = Affine2::from_cols_array(&[1.0, 0.0, 0.5, 1.0, 0.0, 0.0]);
    assert!(colors(view.transformed(shear)) > 0, "blocks that are sheared are smoothed");
}

/// Any map: turned, mirrored, stretched and sheared, with the middle of the character near that of the picture.
fn any_map(random: &mut Random, side: f32) -> Affine2 {
    let axis =
        |random: &mut Random| Vec2::from_angle(random.between(-3.2, 3.2)) * random.between(0.4, 1.5) * side / 16.0;
    loop {
        let matrix2 = Mat2::from_cols(axis(random), axis(random));
        // Not flatter than a seventh.
        if matrix2.determinant().abs() > matrix2.x_axis.length() * matrix2.y_axis.length() / 7.0 {
            let middle = vec2(random.between(-2.0, 2.0), random.between(-2.0, 2.0)) + side / 2.0;
            return Affine2 { matrix2, translation: middle - matrix2 * Vec2::splat(8.0) };
        }
    }
}

#[test]
fn each_pixel_shows_the_texel_under_its_middle() {
    const SIDE: u32 = 64;
    const SIZE: f32 = 16.0;
    let character = four_texels(SIZE);
    let list = list_at(&character, 0, &View::new(SIDE, SIDE, Vec2::ZERO, 1.0));
    let (mut random, mut inside, mut outside) = (Random(11), 0, 0);
    for _ in 0..300 {
        let map = any_map(&mut random, SIDE as f32);
        let view = View::from_affine(SIDE, SIDE, map);
        let picture = render(character.model(), &list, &view, NEAREST);
        // Corners are snapped to 1/256 of a pixel.
        let world_from_pixel = map.as_daffine2().inverse();
        let snap =
            2.0 / 256.0 * world_from_pixel.matrix2.x_axis.length().max(world_from_pixel.matrix2.y_axis.length());
        for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
            let middle = vec2(x as f32 + 0.5, y as f32 + 0.5).as_dvec2();
            let at = world_from_pixel.transform_point2(middle) / f64::from(SIZE);
            let border = |at: f64| [0.0, 0.5, 1.0].iter().any(|border| (at - border).abs() < snap);
            if border(at.x) || border(at.y) {
                continue;
            }
            let is_inside = at.x > 0.0 && at.x < 1.0 && at.y > 0.0 && at.y < 1.0;
            let expected = match (is_inside, at.x < 0.5, at.y > 0.5) {
                (false, ..) => NOTHING,
                (true, true, true) => RED,
                (true, false, true) => GREEN,
                (true, true, false) => BLUE,
                (true, false, false) => WHITE,
            };
            assert_eq!(picture.pixel(x, y), expected, "{x}, {y} of {view:?}");
            *if is_inside { &mut inside } else { &mut outside } += 1;
        }
    }
    assert!(inside > 200_000 && outside > 200_000, "{inside} inside, {outside} outside");
}

/// How many pixels differ by more than `tolerance`.
fn different(found: &Picture, expected: impl Fn(u32, u32) -> [u8; 4], tolerance: u8) -> usize {
    let pixels = (0..found.height()).flat_map(|y| (0..found.width()).map(move |x| (x, y)));
    let is_off = |(x, y): &(u32, u32)| {
        let (found, expected) = (found.pixel(*x, *y), expected(*x, *y));
        (0..4).any(|channel| found[channel].abs_diff(expected[channel]) > tolerance)
    };
    pixels.filter(is_off).count()
}

#[test]
fn quarter_turns_and_mirrors_of_the_golden_scenes_are_turned_pictures() {
    let mut compared = 0;
    for scene in scenes::scenes() {
        // Cut off near the picture, of which one side is not the other.
        if scene.name == "panes-far-inside" {
            continue;
        }
        scene.with_list(2.0, |model, list, view, own| {
            let (width, height) = (view.width(), view.height());
            let to = |side: u32| side as f32;
            let turned = Affine2::from_cols_array(&[0.0, -1.0, 1.0, 0.0, 0.0, to(width)]);
            let turned = View::from_affine(height, width, turned * view.to_affine());
            for settings in [own, NEAREST, Settings { antialias: Antialias::Msaa4, ..own }] {
                let upright = render(model, list, &view, settings);
                let found = render(model, list, &turned, settings);
                let off = different(&found, |x, y| upright.pixel(width - 1 - y, x), 3);
                let found = render(model, list, &view.mirrored(), settings);
                let mirrored_off = match settings.antialias {
                    // The four samples are the same ones when they are turned, but not when they are mirrored.
                    Antialias::Msaa4 => 0,
                    Antialias::None | Antialias::Ssaa2 | Antialias::Ssaa4 => {
                        different(&found, |x, y| upright.pixel(width - 1 - x, y), 3)
                    }
                };
                // Where an edge goes exactly through a sample, the rule that gives it to one side has turned as
                // well, and so has a texel's border.
                let allowed = (width * height) as usize / 500;
                assert!(off <= allowed, "{}, {settings:?}: {off} pixels differ when turned", scene.name);
                assert!(mirrored_off <= allowed, "{}, {settings:?}: {mirrored_off} when mirrored", scene.name);
                assert!(different(&upright, |_, _| NOTHING, 0) > 1000, "{}", scene.name);
                compared += 2;
            }
        });
    }
    assert!(compared >= 100, "{compared} pictures");
}

#[test]
fn an_unrotated_affine_view_gives_the_same_bytes() {
    for scene in scenes::scenes() {
        scene.with_list(1.0, |model, list, view, settings| {
            let affine = View::from_affine(view.width(), view.height(), view.to_affine());
            assert!(
                render(model, list, &affine, settings) == render(model, list, &view, settings),
                "{}: {affine:?} instead of {view:?}",
                scene.name
            );
        });
    }
}

#[test]
fn lines_of_a_turned_view_are_a_pixel_wide() {
    let file = File { bones: roots(1), meshes: vec![quad(0, 0, [4.0, 4.0], [60.0, 60.0])], ..File::default() };
    let character = read(&file);
    for view in [
        View::centered(96, 96, Vec2::splat(32.0), 1.0),
        View::centered(96, 96, Vec2::splat(32.0), 1.0).rotated(0.6),
        View::centered(96, 96, Vec2::splat(32.0), 1.3).rotated(-0.3).mirrored(),
    ] {
        let list = list_at(&character, 0, &view);
        let overlay = list.commands.iter().find_map(|command| match command {
            Command::Overlay(range) => Some(&list.overlay[range.start as usize..range.end as usize]),
            Command::Sprite(_) | Command::ClipBegin(_) | Command::ClipEnd => None,
        });
        // The first two corners of a bar are those of its end.
        let bar = overlay.expect("an outline");
        let [a, b] = [0, 1].map(|corner| view.pixel_from_world(bar[corner].position));
        let [c, d] = [1, 2].map(|corner| view.pixel_from_world(bar[corner].position));
        let width = a.distance(b).min(c.distance(d));
        assert!((width - 1.0).abs() < 1e-3, "{width} pixels in {view:?}");
    }
}
