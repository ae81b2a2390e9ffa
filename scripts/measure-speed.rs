//! The program that `scripts/measure-speed` builds against two commits.
//!
//! `driver load FILE` and `driver pose FILE ANIMATION` print the shortest time of several batches in microseconds.

mod shortest;

use std::hint::black_box;
use std::path::PathBuf;

use pchr::diagnostics::Diagnostics;
use pchr::formats::{Folder, Input, ReadOptions};
use pchr::motion::{Cue, Evaluator, Position};
use pchr::pose::Pose;
use shortest::shortest;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().expect("driver load FILE | pose FILE ANIMATION");
    let (what, path) = (next(), PathBuf::from(next()));
    let bytes: bytes::Bytes = std::fs::read(&path).expect("a readable file").into();
    let read = |input: Input<'_>| {
        pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default())
            .expect("it is valid")
    };
    let micros = match what.as_str() {
        // Without pictures: these are decoded by a library.
        "load" => {
            let nothing = Folder::of("no-such-folder/file".as_ref());
            shortest(30, 2, || drop(black_box(read(Input { bytes: bytes.clone(), sidecars: &nothing }))))
        }
        _ => {
            let character = read(Input { bytes, sidecars: &Folder::of(&path) });
            let model = character.model();
            let animation = Some(model.find_animation(&next()).expect("an animation of the file"));
            // Characters made of skins show nothing in the default skin.
            let skins = model.skins().last().and_then(|skin| model.find_skin(&skin.name)).into_iter().collect();
            let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(model));
            let mut cue = Cue { animation, skins, ..Cue::default() };
            let mut seconds = 0.0;
            shortest(15, 300, || {
                seconds += 0.0137;
                cue.position = Position::Seconds(seconds);
                evaluator.evaluate(&character, &cue, black_box(&mut pose));
            })
        }
    };
    println!("{micros:.3}");
}
