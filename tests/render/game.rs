//! The example `game`, played by a script for ten seconds: numbers, memory and a picture.

#[path = "../../examples/make_paper_ranger/main.rs"]
#[allow(dead_code, reason = "its main is not run here")]
mod ranger;

#[path = "../../examples/game/play/mod.rs"]
mod play;

use std::path::Path;

use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, open};
use pchr::math::Vec2;
use play::{Counts, Game, Lists, Painter, scripted, view};

use crate::common::memory::allocations;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const SECS: f64 = 1.0 / 60.0;

fn game() -> Game {
    Game::new(Path::new(ROOT)).expect("the characters of the game")
}

fn at(game: &Game, bone: &str) -> Vec2 {
    game.hero.animator.bone(bone).expect("a bone").translation
}

#[test]
fn the_files_of_the_ranger_match_the_program_that_makes_them() {
    let folder = Path::new(ROOT).join("examples/game");
    for (name, bytes) in ranger::files().expect("the ranger") {
        let stored = std::fs::read(folder.join(name)).unwrap_or_default();
        assert!(stored == bytes, "{name}: run `cargo run --release --example make_paper_ranger`");
    }
    let mut diagnostics = Diagnostics::default();
    let ranger: Character =
        open(&folder.join("ranger.json"), &ReadOptions::default(), &mut diagnostics).expect("a file");
    assert!(diagnostics.is_empty(), "{:?}", diagnostics.findings());
    assert_eq!(ranger.model().animations().len(), 5);
}

#[test]
fn ten_seconds_are_played() {
    let mut game = game();
    let mut highest = 0.0_f32;
    let mut swing = [f32::MAX, f32::MIN];
    for frame in 0..600 {
        let input = scripted(frame);
        game.update(&input, SECS).expect("a frame");
        let position = game.hero.position();
        highest = highest.max(position.y);
        let cape = game.hero.animator.bone("cape3").expect("a bone").matrix2.x_axis.to_angle();
        swing = [swing[0].min(cape), swing[1].max(cape)];
        // The lamp is on the back.
        let torso = at(&game, "torso");
        assert!(game.lamp.bone("root").expect("a bone").translation.distance(torso) < 30.0);
        match frame {
            // The root motion of the walk has moved the hero: 120 pixels per second.
            89 => {
                assert!((-75.0..-55.0).contains(&position.x), "{position}");
                assert!(at(&game, "root").distance(position) < 3.0, "the root does not move by itself");
            }
            // The arm points at the pointer.
            250 => {
                let pointer = input.aim.expect("it aims");
                let [arm, hand] = ["arm", "hand"].map(|bone| at(&game, bone));
                let (wanted, found) = ((pointer - arm).normalize(), (hand - arm).normalize());
                assert!(wanted.dot(found) > 0.99, "{found} instead of {wanted}");
            }
            320 => assert!(game.hero.animator.placement().matrix2.x_axis.x < 0.0, "it walks to the left"),
            480 => assert!(game.hero.is_alive()),
            _ => {}
        }
        assert!(game.hero.animator.pose().world_from_bone.iter().all(|bone| bone.is_finite()), "frame {frame}");
    }
    assert!((60.0..80.0).contains(&highest), "it jumps {highest} high");
    assert!(swing[1] - swing[0] > 0.5, "the cape swings: {swing:?}");
    assert!(!game.hero.is_alive(), "three hits are one too many");
    let ground = ["torso", "head", "hand", "shin1"].map(|bone| at(&game, bone).y);
    assert!(ground.iter().all(|y| (0.0..45.0).contains(y)), "it lies on the ground: {ground:?}");
    let Counts { steps, strikes, hits } = game.counts;
    assert_eq!((strikes, hits), (3, 3));
    assert!((8..=12).contains(&steps), "{steps} steps");
    assert!(game.hero.struck.is_some_and(|place| place.distance(game.hero.position()) < 250.0));
}

#[test]
fn the_game_allocates_nothing_once_it_was_played() {
    let (mut game, mut lists, view) = (game(), Lists::default(), view(640, 360));
    let mut play = |game: &mut Game| {
        game.restart().expect("a hero");
        for frame in 0..600 {
            game.update(&scripted(frame), SECS).expect("a frame");
            game.build(&view, &mut lists).expect("lists");
        }
    };
    play(&mut game);
    assert_eq!(allocations(|| play(&mut game)), 0);
}

#[test]
fn the_game_looks_like_its_picture() {
    let mut game = game();
    for frame in 0..268 {
        game.update(&scripted(frame), SECS).expect("a frame");
    }
    let mut picture = Painter::new(&game).paint(&mut game, &view(320, 180)).expect("a picture");
    picture.unpremultiply();
    let path = Path::new(ROOT).join("tests/fixtures/game.png");
    if std::env::var_os("PCHR_UPDATE").is_some() {
        let file = std::fs::File::create(&path).expect("the golden file can be written");
        pchr::export::write_png(&picture, file).expect("the golden file can be written");
    }
    crate::golden_cpu::assert_same_pixels(&picture, &path);
}

#[test]
fn the_ground_is_near_the_bottom_of_a_window_of_any_shape() {
    for (width, height, scale) in [(960, 540, 1.5), (800, 600, 1.25), (1200, 500, 500.0 / 360.0)] {
        let view = view(width, height);
        let start = view.pixel_from_world(Vec2::ZERO);
        let expected = Vec2::new(width as f32 / 2.0, height as f32 - 50.0 * scale);
        assert!(start.distance(expected) < 1e-2, "{start}, expected {expected}");
    }
}
