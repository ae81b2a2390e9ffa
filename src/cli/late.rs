//! `-t` outside of an animation: its first frame or its end is shown, with a warning.

use super::headless::Plan;
use crate::error::{Fault, Place, shown};
use crate::export::{Moments, RenderOptions};
use crate::motion::Position;

/// A warning for each animation that does not hold the instant that was asked for.
pub fn warnings(options: &RenderOptions, plan: &Plan) -> Vec<Fault> {
    let Moments::Seconds(asked) = options.moments else { return Vec::new() };
    let model = plan.character.model();
    let warning = |message| Fault { code: "time-outside", place: Place::file(plan.file.display()), message };
    let of_picture = |picture: &crate::export::Planned| {
        let Some(id) = picture.animation else {
            return Some(warning("it has no animation, so -t has no effect".to_owned()));
        };
        let Position::Seconds(seconds) = picture.cue.position else { return None };
        let name = shown(&model.animation(id).name);
        if asked < seconds {
            return Some(warning(format!("`{name}` begins at 0 s, not at {asked} s: its first frame is shown")));
        }
        picture.cue.hold.then(|| {
            let end = (seconds * 1e4).round() / 1e4;
            warning(format!("`{name}` ends after {end} s, before {asked} s: its end is shown"))
        })
    };
    plan.pictures.iter().filter_map(of_picture).collect()
}
