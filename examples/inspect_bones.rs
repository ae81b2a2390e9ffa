//! Prints the bones of a character: name, parent and world position at a frame.
//!
//!     cargo run --release --no-default-features --example inspect_bones -- FILE [ANIMATION [FRAME]]

use std::error::Error;
use std::io::{Write, stdout};

use pchr::Character;
use pchr::model::Model;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: inspect_bones FILE [ANIMATION [FRAME]]")?;
    let character = Character::open(path)?;
    let model = character.model();
    let animation = match arguments.next() {
        Some(name) => Some(model.find_animation(&name).ok_or_else(|| no_animation(model, &name))?),
        None => model.default_animation(),
    };
    let frame = arguments.next().map_or(Ok(0), |number| number.parse())?;

    let mut pose = Pose::for_model(model);
    evaluate(
        &character,
        &Cue { animation, position: Position::frame(frame), interpolate: false, ..Cue::default() },
        &mut pose,
    );

    let mut out = stdout().lock();
    match animation {
        Some(id) => writeln!(out, "`{}`, frame {frame}; world pixels, y up", model.animation(id).name)?,
        None => writeln!(out, "bind pose; world pixels, y up")?,
    }
    let bones = model.skeleton().bones();
    for (bone, world_from_bone) in bones.iter().zip(&pose.world_from_bone) {
        let parent = bone.parent.map_or("-", |parent| &*bones[parent.index()].name);
        let origin = world_from_bone.translation;
        writeln!(out, "{:24} {parent:24} {:10.2} {:10.2}", bone.name, origin.x, origin.y)?;
    }
    Ok(())
}

fn no_animation(model: &Model, name: &str) -> String {
    let names: Vec<&str> = model.animations().iter().map(|animation| animation.name.as_str()).collect();
    format!("no animation is called `{name}`, there are {}", names.join(", "))
}
