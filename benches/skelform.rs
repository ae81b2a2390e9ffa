//! Time to load and evaluate SkelForm characters, and to build draw lists.
//!
//! `cargo bench --bench skelform`. The goals are 100 ms from the bytes to the first picture and 5 µs for a pose of
//! `Walk`, on a machine with two cores.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use bytes::Bytes;
use common::{conformance, say};
use pchr::cpu;
use pchr::diagnostics::Diagnostics;
use pchr::draw::{DrawList, Picture, Settings, View};
use pchr::formats::{ReadOptions, from_bytes};
use pchr::motion::{Cue, Dynamics, Evaluator, Position, evaluate};
use pchr::pose::{Pose, bounds, palette};

/// Files and animations in the conformance data.
const CHARACTERS: [(&str, &str); 3] =
    [("skellina-0.7.0.skf", "Walk"), ("skellington-0.7.0.skf", "Stand"), ("synth-ik.skf", "reach")];

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

fn read(bytes: &Bytes) -> pchr::Character {
    from_bytes(bytes.clone(), &ReadOptions::default(), &mut Diagnostics::default()).expect("it is valid")
}

fn measure(name: &str, path: &Path, animation: &str) {
    let bytes: Bytes = std::fs::read(path).expect("a readable file").into();
    let loading = micros(1, || drop(black_box(read(&bytes))));
    let opening = micros(1, || {
        let character = read(&bytes);
        let (mut pose, mut matrices) = (Pose::default(), Vec::new());
        evaluate(&character, &Cue::default(), &mut pose);
        palette(character.model(), &pose, &mut matrices);
        let view = View::fit(1280, 720, bounds(character.model(), &pose, &matrices));
        let (mut list, mut picture) = (DrawList::default(), Picture::default());
        list.build(character.model(), &pose, &view);
        let mut renderer = cpu::Renderer::new(character.model());
        renderer.render(character.model(), &list, &view, Settings::default(), &mut picture);
        black_box(&picture);
    });
    say(&format!("{name}: load {:.1} ms, to the first picture {:.1} ms", loading / 1e3, opening / 1e3));

    let character = read(&bytes);
    let model = character.model();
    let animation = model.find_animation(animation);
    let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(model));
    let mut cue = Cue { animation, ..Cue::default() };
    let mut seconds = 0.0;
    let posing = micros(2000, || {
        seconds += 0.0137;
        cue.position = Position::Seconds(seconds);
        evaluator.evaluate(&character, &cue, black_box(&mut pose));
    });
    let mut dynamics = Dynamics::default();
    let stepping = micros(2000, || {
        seconds += 0.0137;
        cue.position = Position::Seconds(seconds);
        dynamics.step(&character, &cue, black_box(&mut pose));
    });
    let (all, own) = (model.skeleton().bones().len(), model.skeleton().authored_bones().len());
    say(&format!("{name}: pose {posing:.2} µs, step {stepping:.2} µs ({own} bones, {} helpers)", all - own));
}

fn main() {
    for (name, animation) in CHARACTERS {
        if let Some(path) = conformance(&format!("skelform/samples/{name}")) {
            measure(name, &path, animation);
        }
    }
}
