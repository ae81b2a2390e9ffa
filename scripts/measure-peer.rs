//! The program that `scripts/measure-speed` builds to compare with `spine2d`: `driver load FILE` and
//! `driver pose FILE ANIMATION`, as scripts/measure-speed.rs.

mod shortest;

use std::hint::black_box;

use shortest::shortest;
use spine2d::{AnimationState, AnimationStateData, Physics, Skeleton, SkeletonData};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().expect("driver load FILE | pose FILE ANIMATION");
    let (what, path) = (next(), next());
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let read = || SkeletonData::from_json_str(&text).expect("it is valid");
    let micros = match what.as_str() {
        "load" => shortest(30, 2, || drop(black_box(read()))),
        _ => {
            let data = read();
            let mut state = AnimationState::new(AnimationStateData::new(data.clone()));
            let mut skeleton = Skeleton::new(data);
            state.set_animation(0, next().as_str(), true);
            shortest(15, 300, || {
                state.update(0.0137);
                state.apply(&mut skeleton);
                skeleton.update_world_transform_with_physics(Physics::Update);
                black_box(&skeleton);
            })
        }
    };
    println!("{micros:.3}");
}
