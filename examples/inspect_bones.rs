//! Prints the bones of a character: name, parent and where each is in the world at a frame.
//!
//!     cargo run --release --no-default-features --example inspect_bones -- FILE [ANIMATION [FRAME]]

use std::error::Error;
use std::io::{Write, stdout};

use pchr::Animator;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: inspect_bones FILE [ANIMATION [FRAME]]")?;
    let mut animator = Animator::open(path)?;
    match arguments.next() {
        Some(name) => _ = animator.play(&name)?,
        None => animator.show(animator.model().default_animation()),
    }
    let frame: u32 = arguments.next().map_or(Ok(0), |number| number.parse())?;
    animator.seek(frame.into());
    animator.refresh();

    let mut out = stdout().lock();
    let model = animator.model();
    match animator.playback(0).animation() {
        Some(id) => writeln!(out, "`{}`, frame {frame}; world pixels, y up", model.animation(id).name)?,
        None => writeln!(out, "rest pose; world pixels, y up")?,
    }
    let bones = model.skeleton().bones();
    for (bone, id) in bones.iter().zip(model.skeleton().bone_ids()) {
        let parent = bone.parent.map_or("-", |parent| &*bones[parent.index()].name);
        let origin = animator.bone(id)?.translation;
        writeln!(out, "{:24} {parent:24} {:10.2} {:10.2}", bone.name, origin.x, origin.y)?;
    }
    Ok(())
}
