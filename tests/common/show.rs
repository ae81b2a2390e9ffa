//! From a character to a picture, with everything in between.

use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{DrawList, Picture, Settings, View};
use pchr::math::{Rect, vec2};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, bounds, palette};

/// Shows the bind pose and, of every animation, the first frame, the last one and an instant between frames,
/// small. Gives the last picture that is not blank, or a blank one.
pub fn show(character: &Character) -> Picture {
    let model = character.model();
    let mut renderer = Renderer::new(model);
    let (mut pose, mut matrices, mut list) = (Pose::default(), Vec::new(), DrawList::default());
    let mut shown = Picture::default();
    let mut cues = vec![Cue::default()];
    for animation in model.animation_ids().take(20) {
        let at = |position, interpolate| Cue { animation: Some(animation), position, interpolate };
        let last = model.animation(animation).frame_count.saturating_sub(1);
        cues.extend([
            at(Position::frame(0), false),
            at(Position::frame(last), true),
            at(Position::Seconds(0.37), true),
        ]);
    }
    for cue in cues {
        evaluate(character, &cue, &mut pose);
        palette(model, &pose, &mut matrices);
        let view = view_of(bounds(model, &pose, &matrices));
        list.build(model, &pose, &view);
        let mut picture = Picture::default();
        renderer.render(model, &list, &view, Settings::default(), &mut picture);
        if picture.pixels().iter().any(|&byte| byte != 0) || shown.pixels().is_empty() {
            shown = picture;
        }
    }
    shown
}

/// All of `world`, or what is around the origin when that is nothing or endless.
fn view_of(world: Rect) -> View {
    let (around, size) = (Rect { min: vec2(-100.0, -100.0), max: vec2(100.0, 100.0) }, world.size());
    let sane = !world.is_empty() && size.is_finite() && size.min_element() > 1e-3 && size.max_element() < 1e30;
    View::fit(48, 48, if sane { world } else { around })
}

/// Whether anything was drawn.
pub fn is_blank(picture: &Picture) -> bool {
    picture.pixels().iter().all(|&byte| byte == 0)
}
