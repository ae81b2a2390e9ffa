//! The program that `scripts/measure-speed` builds against two commits.
//!
//! `driver CASE FILE [ANIMATION[,ANIMATION]] ROUNDS` does the work of a case so many times: it loads a character, evaluates
//! a pose, or updates an animator, which has one animation, one for each track, or fades all the time. `memory` prints
//! the bytes of the process when that many characters play.

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;

use pchr::diagnostics::Diagnostics;
use pchr::draw::{DrawList, View};
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};
use pchr::math::vec2;
use pchr::motion::{Cue, Evaluator, Position};
use pchr::pose::Pose;
use pchr::{Animator, Character};

/// Seconds between two pictures: no whole number of frames.
const STEP: f64 = 0.0137;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [case, path, animations @ .., rounds] = &arguments[..] else { panic!("CASE FILE [ANIMATIONS] ROUNDS") };
    let rounds: usize = rounds.parse().expect("a number of rounds");
    let animations: Vec<&str> = animations.iter().flat_map(|names| names.split(',')).collect();
    let bytes: bytes::Bytes = std::fs::read(PathBuf::from(path)).expect("a readable file").into();
    // Without pictures: these are decoded by a library.
    let load = || {
        let input = Input { bytes: bytes.clone(), sidecars: NO_SIDECARS };
        pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default()).expect("it is valid")
    };
    match case.as_str() {
        "load" => (0..rounds).for_each(|_| drop(black_box(load()))),
        "evaluate" => evaluate(&load(), animations[0], rounds),
        "update" | "tracks" | "fades" => update(load(), case, &animations, rounds),
        "memory" => {
            // With pictures: what has none is drawn as an outline, which takes memory of its own.
            let character = Arc::new(Character::open(path).expect("it is valid"));
            let view = View::centered(512, 512, vec2(0.0, 0.0), 1.0);
            let play = |_| {
                let (mut animator, mut list) = (animator(Arc::clone(&character)), DrawList::default());
                animator.play(animations[0]).expect("an animation of the file");
                (0..16).for_each(|_| _ = animator.update(STEP));
                animator.build_draw_list(&view, &mut list);
                (animator, list)
            };
            let playing: Vec<_> = (0..rounds).map(play).collect();
            println!("{}", resident_bytes());
            drop(playing);
        }
        _ => panic!("no such case: {case}"),
    }
}

fn evaluate(character: &Character, animation: &str, rounds: usize) {
    let model = character.model();
    let animation = Some(model.find_animation(animation).expect("an animation of the file"));
    let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(model));
    let skins = animator(Arc::new(character.clone())).skins().to_vec();
    let mut cue = Cue { animation, skins, ..Cue::default() };
    for round in 0..rounds {
        cue.position = Position::Seconds(round as f64 * STEP);
        evaluator.evaluate(character, &cue, black_box(&mut pose));
    }
}

fn update(character: Character, case: &str, animations: &[&str], rounds: usize) {
    let mut animator = animator(Arc::new(character));
    let tracks = if case == "tracks" { animations.len() } else { 1 };
    for (track, animation) in animations.iter().take(tracks).enumerate() {
        let playback = animator.play_on(track, *animation).expect("an animation of the file");
        playback.set_weight(if track == 0 { 1.0 } else { 0.5 });
    }
    for round in 0..rounds {
        if case == "fades" && round % 16 == 0 {
            let animation = animations[round / 16 % animations.len()];
            animator.play(animation).expect("an animation of the file").set_fade(0.3);
        }
        black_box(animator.update(STEP).count());
    }
    black_box(animator.pose());
}

/// Characters made of skins show nothing in the default skin, so the last one is shown.
fn animator(character: Arc<Character>) -> Animator {
    let skin = character.model().skins().last().and_then(|skin| character.model().find_skin(&skin.name));
    let mut animator = Animator::new(character);
    animator.set_skins(skin).expect("a skin of the character");
    animator
}

/// The memory of this process, as Linux reports it.
fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
    line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number of kB") * 1024
}
