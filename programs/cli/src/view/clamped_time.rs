//! `-t` outside of an animation: the time is clamped, with a warning.

use super::loaded::Loaded;
use pchr::error::{Fault, escaped};
use pchr::export::{RenderOptions, Times};
use pchr::motion::Position;

/// Returns a warning for each animation that does not contain the requested time.
pub fn warnings(options: &RenderOptions, loaded: &Loaded) -> Vec<Fault> {
    let Times::Seconds(requested) = options.subject.times() else { return Vec::new() };
    let model = loaded.character.model();
    let warning = |message| loaded.fault("time-outside", message);
    let of_picture = |picture: &pchr::export::Planned| {
        let Some(id) = picture.animation else {
            return Some(warning("the character has no animation; -t is ignored".to_owned()));
        };
        let Position::Seconds(seconds) = picture.cue.position else { return None };
        let name = escaped(&model.animation(id).name);
        if requested < seconds {
            return Some(warning(format!("`{name}` begins at 0 s; -t {requested} shows its first frame")));
        }
        picture.cue.hold.then(|| {
            let end = (seconds * 1e4).round() / 1e4;
            warning(format!("`{name}` lasts {end} s; -t {requested} shows its end"))
        })
    };
    loaded.plan.pictures.iter().filter_map(of_picture).collect()
}
