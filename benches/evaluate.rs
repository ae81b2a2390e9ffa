//! Time per bone of evaluating a pose, and time of building a draw list.
//!
//! `cargo bench --bench evaluate`. The goal is less than 10 ns per bone.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use common::rig::rig;
use common::{conformance, read};
use divan::Bencher;
use divan::counter::ItemsCount;
use pchr::Character;
use pchr::draw::{DrawList, View};
use pchr::math::{Rect, vec2};
use pchr::motion::{Cue, Evaluator, Position};
use pchr::pose::Pose;

const CHARACTERS: [&str; 3] = ["rig-1000", "skellina", "paper-knight"];

/// Loads a character by name; `None` if its file does not exist.
fn character(name: &str) -> Option<Character> {
    match name {
        "rig-1000" => Some(read(&rig(1000, 100))),
        "skellina" => Character::open(conformance("pchr")?.join("skellina.pchr")).ok(),
        _ => Character::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-knight.pchr")).ok(),
    }
}

/// Iterates over times of the default animation.
fn cues(character: &Character, interpolate: bool) -> impl FnMut() -> Cue + use<> {
    let animation = character.model().default_animation();
    let mut seconds = 0.0;
    move || {
        seconds += 0.0137;
        Cue { animation, position: Position::Seconds(seconds), interpolate, ..Cue::default() }
    }
}

fn bench_pose(bencher: Bencher<'_, '_>, name: &str, interpolate: bool) {
    let Some(character) = character(name) else { return };
    let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(character.model()));
    let mut next = cues(&character, interpolate);
    bencher
        .counter(ItemsCount::new(character.model().skeleton().bones().len()))
        .bench_local(|| evaluator.evaluate(&character, &next(), black_box(&mut pose)));
}

#[divan::bench(args = CHARACTERS)]
fn pose(bencher: Bencher<'_, '_>, name: &str) {
    bench_pose(bencher, name, false);
}

#[divan::bench(args = CHARACTERS)]
fn pose_interpolated(bencher: Bencher<'_, '_>, name: &str) {
    bench_pose(bencher, name, true);
}

#[divan::bench(args = CHARACTERS)]
fn draw_list(bencher: Bencher<'_, '_>, name: &str) {
    let Some(character) = character(name) else { return };
    let mut pose = Pose::for_model(character.model());
    Evaluator::default().evaluate(&character, &cues(&character, false)(), &mut pose);
    let view = View::fit(512, 512, Rect { min: vec2(-256.0, -256.0), max: vec2(256.0, 256.0) });
    let mut list = DrawList::default();
    bencher
        .counter(ItemsCount::new(character.model().skeleton().bones().len()))
        .bench_local(|| list.build(character.model(), &pose, black_box(&view)));
}

/// Prints nanoseconds per bone, including slots and draw order.
fn print_per_bone() {
    for name in CHARACTERS {
        let Some(character) = character(name) else { continue };
        let bones = character.model().skeleton().bones().len();
        for interpolate in [false, true] {
            let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(character.model()));
            let mut next = cues(&character, interpolate);
            let rounds = 200_000 / bones;
            let mut runs: Vec<f64> = (0..15)
                .map(|_| {
                    let start = Instant::now();
                    for _ in 0..rounds {
                        evaluator.evaluate(&character, &next(), black_box(&mut pose));
                    }
                    start.elapsed().as_secs_f64() * 1e9 / (rounds * bones) as f64
                })
                .collect();
            runs.sort_by(f64::total_cmp);
            let with = if interpolate { "interpolated" } else { "stored frames" };
            println!("{name}, {with}: {:.1} to {:.1} ns per bone, median {:.1}", runs[0], runs[14], runs[7]);
        }
    }
}

fn main() {
    print_per_bone();
    divan::main();
}
