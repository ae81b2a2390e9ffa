//! Time to load and evaluate Spine characters, and to build draw lists.
//!
//! `cargo bench --bench spine`. Loading is measured without pictures, relative to serde_json skipping the same
//! text; the goal is at most twice that. Binary skeletons are to load at least twice as fast as JSON. For
//! orientation, the official C runtime takes 1.07 ms to load `spineboy-pro.json` and 5.8 µs to apply `walk` and update
//! the bones, on a machine with two cores.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use bytes::Bytes;
use common::{conformance, say};
use pchr::diagnostics::Diagnostics;
use pchr::draw::{DrawList, View};
use pchr::formats::{Folder, Input, NO_SIDECARS, ReadOptions};
use pchr::math::angle::sin_cos_degrees;
use pchr::math::{Affine2, Mat2, Rect, vec2};
use pchr::motion::{Cue, Evaluator, Position};
use pchr::pose::Pose;
use pchr::{Animator, Character};
use serde::de::IgnoredAny;

/// Files and animations in the conformance data.
const CHARACTERS: [(&str, &str); 3] = [
    ("examples/spineboy/spineboy-pro.json", "walk"),
    ("examples/mix-and-match/mix-and-match-pro.json", "walk"),
    ("own/path-chain/path-chain.json", "bones"),
];

fn read(bytes: &Bytes) -> Character {
    let input = Input { bytes: bytes.clone(), sidecars: NO_SIDECARS };
    pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default()).expect("it is valid")
}

/// Returns the median time of `work` in microseconds.
fn micros(rounds: usize, mut work: impl FnMut()) -> f64 {
    let mut runs: Vec<f64> = (0..15)
        .map(|_| {
            let start = Instant::now();
            (0..rounds).for_each(|_| work());
            start.elapsed().as_secs_f64() * 1e6 / rounds as f64
        })
        .collect();
    runs.sort_by(f64::total_cmp);
    runs[7]
}

/// Returns the time to rotate a chain of this many bones and nothing else, in microseconds, as a reference for the
/// current speed of the machine.
fn yardstick(bones: usize) -> f64 {
    let mut degrees = 0.0_f32;
    micros(2000, || {
        degrees += 0.37;
        let mut world = Affine2::IDENTITY;
        for bone in 0..bones {
            let (sin, cos) = sin_cos_degrees(degrees + bone as f32);
            let matrix2 = Mat2::from_cols(vec2(cos, sin), vec2(-sin, cos));
            world *= Affine2 { matrix2, translation: vec2(1.0, 2.0) };
        }
        black_box(world);
    })
}

fn measure(name: &str, path: &PathBuf, animation: &str) {
    let bytes: Bytes = std::fs::read(path).expect("a readable file").into();
    let passing = micros(20, || {
        black_box(serde_json::from_slice::<IgnoredAny>(&bytes).is_ok());
    });
    let loading = micros(20, || drop(black_box(read(&bytes))));
    say(&format!("{name}: load {loading:.0} µs, {:.2} times as long as skipping the text", loading / passing));

    // With pictures: without them outlines are drawn, which takes longer.
    let input = Input { bytes, sidecars: &Folder::of(path) };
    let character = pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default());
    let character = character.expect("it is valid");
    let model = character.model();
    let animation = model.find_animation(animation);
    let (bones, slots) = (model.skeleton().bones().len(), model.slots().len());
    let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(model));
    // Characters made of skins show nothing in the default skin.
    let skins = model.skins().last().and_then(|skin| model.find_skin(&skin.name)).into_iter().collect();
    let mut cue = Cue { animation, skins, ..Cue::default() };
    let mut seconds = 0.0;
    let posing = micros(2000, || {
        seconds += 0.0137;
        cue.position = Position::Seconds(seconds);
        evaluator.evaluate(&character, &cue, black_box(&mut pose));
    });
    let mut both = Pose::for_model(model);
    let view = View::fit(512, 512, Rect { min: vec2(-256.0, -256.0), max: vec2(256.0, 256.0) });
    let mut list = DrawList::default();
    let listing = micros(2000, || black_box(&mut list).build(black_box(model), black_box(&pose), &view));
    let commands = list.commands.len();
    let together = micros(2000, || {
        seconds += 0.0137;
        cue.position = Position::Seconds(seconds);
        evaluator.evaluate(&character, &cue, &mut both);
        black_box(&mut list).build(model, &both, &view);
    });
    let mut animator = Animator::new(character.clone());
    animator.set_skins(cue.skins.iter().copied()).expect("skins of the character");
    animator.show(animation);
    let updating = micros(2000, || {
        animator.update(0.0137);
    });
    say(&format!("{name}: update {updating:.2} µs, {:.2} times as long as the pose alone", updating / posing));
    let turning = yardstick(bones);
    say(&format!(
        "{name}: pose {posing:.2} µs, {:.1} times as long as rotating as many bones; draw list {listing:.2} µs, \
         both {together:.2} µs ({bones} bones, {slots} slots, {commands} commands)",
        posing / turning
    ));
}

/// Compares the time to load the same character from JSON and from a binary skeleton, without atlas and pages.
fn compare_loading() {
    const BOY: &str = "spineboy/spineboy-pro";
    let files = [
        ("3.8 JSON", format!("spine/examples/{BOY}.json")),
        ("4.2 JSON", format!("spine4/examples/4.2/{BOY}.json")),
        ("4.2 .skel", format!("spine4/examples/4.2/{BOY}.skel")),
    ];
    let mut times = Vec::new();
    for (name, file) in files {
        let Some(path) = conformance(&file) else { return };
        let bytes: Bytes = std::fs::read(path).expect("a readable file").into();
        let time = micros(20, || drop(black_box(read(&bytes))));
        say(&format!("{name}: load {time:.0} µs, {} KiB", bytes.len() / 1024));
        times.push(time);
    }
    say(&format!("4.2 .skel loads {:.2} times as fast as 4.2 JSON; the goal is 5", times[1] / times[2]));
}

fn main() {
    compare_loading();
    for (name, animation) in CHARACTERS {
        if let Some(path) = conformance(&format!("spine/{name}")) {
            measure(name, &path, animation);
        }
    }
}
