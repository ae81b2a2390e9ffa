//! Renders characters to pictures, with all steps in between.

use pchr::Character;
use pchr::cpu::{Renderer, Threads};
use pchr::draw::{DrawList, Picture, Settings, View};
use pchr::math::{Rect, vec2};
use pchr::model::Model;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, bounds, palette};

/// Renders small pictures of the bind pose and of the first frame, the last frame and an instant between frames of
/// every animation. Returns the last picture that is not blank, or a blank one.
pub fn show(character: &Character) -> Picture {
    let model = character.model();
    let mut cues = vec![Cue::default()];
    for animation in model.animation_ids().take(20) {
        let at =
            |position, interpolate| Cue { animation: Some(animation), position, interpolate, ..Cue::default() };
        let last = model.animation(animation).frame_count().saturating_sub(1);
        cues.extend([
            at(Position::frame(0), false),
            at(Position::frame(last), true),
            at(Position::Seconds(0.37), true),
        ]);
    }
    let shots = cues.into_iter().map(|cue| (cue, Settings::default()));
    show_at(character, Renderer::new(model), 48, shots)
}

/// Like [`show`], on the calling thread only, for the instants and settings of `shots`, at `size` × `size` pixels.
pub fn show_shots(character: &Character, size: u32, shots: impl IntoIterator<Item = (Cue, Settings)>) -> Picture {
    show_at(character, Renderer::new(character.model()).with_threads(Threads::One), size, shots)
}

fn show_at(
    character: &Character,
    mut renderer: Renderer,
    size: u32,
    shots: impl IntoIterator<Item = (Cue, Settings)>,
) -> Picture {
    let model: &Model = character.model();
    let (mut pose, mut matrices, mut list) = (Pose::default(), Vec::new(), DrawList::default());
    let mut shown = Picture::default();
    for (cue, settings) in shots {
        evaluate(character, &cue, &mut pose);
        palette(model, &pose, &mut matrices);
        let view = view_of(size, bounds(model, &pose, &matrices));
        list.build(model, &pose, &view);
        let mut picture = Picture::default();
        renderer.render(model, &list, &view, settings, &mut picture);
        if picture.pixels().iter().any(|&byte| byte != 0) || shown.pixels().is_empty() {
            shown = picture;
        }
    }
    shown
}

/// Returns a view of all of `world`, or of the surroundings of the origin if `world` is empty or infinite.
pub fn view_of(size: u32, world: Rect) -> View {
    let (around, extent) = (Rect { min: vec2(-100.0, -100.0), max: vec2(100.0, 100.0) }, world.size());
    let sane =
        !world.is_empty() && extent.is_finite() && extent.min_element() > 1e-3 && extent.max_element() < 1e30;
    View::fit(size, size, if sane { world } else { around })
}

/// Returns true if nothing was drawn.
pub fn is_blank(picture: &Picture) -> bool {
    picture.pixels().iter().all(|&byte| byte == 0)
}
