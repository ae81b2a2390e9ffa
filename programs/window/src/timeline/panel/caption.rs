//! The name of the bone whose curves are shown, to the left of the ruler, with a note if it has no keys.

use egui::{FontId, Rect, Ui, pos2};

use super::TimelinePanel;
use super::dopesheet::sign;
use crate::base::name::short_or_unnamed;
use crate::scene::selection::Selected;
use crate::widgets::one_line;
use crate::widgets::theme::Palette;
use pchr::model::BoneId;
use pchr::motion::KeyTarget;

/// Longer names are cut.
const MAX_NAME: usize = 80;
/// Heights of the name and of the note above the plots, in points.
const NAME: f32 = 40.0;
const NOTE: f32 = 20.0;
/// Width in points of the sign of a bone, and the distance to the ruler.
const SIGN: f32 = 18.0;
const GAP: f32 = 14.0;

/// Returns the name of the bone.
pub fn name(state: &TimelinePanel<'_>, bone: BoneId) -> String {
    let name = state.playback.model().map(|model| Selected::Bone(bone).name(model));
    short_or_unnamed(name.unwrap_or_default(), MAX_NAME)
}

/// Paints the caption above `plots`, up to `right`. Returns the note; empty if there is none.
pub fn show(ui: &Ui, state: &TimelinePanel<'_>, bone: BoneId, plots: Rect, right: f32) -> &'static str {
    let palette = Palette::of(ui.visuals());
    let note = note(state, bone);
    let line = |text: &str, size: f32, left: f32, y: f32, color: egui::Color32| {
        let galley = one_line(ui, text, FontId::proportional(size), color, (right - GAP - left).max(8.0));
        ui.painter().galley(pos2(left, y - 0.5 * galley.size().y), galley, color);
    };
    let (left, y) = (plots.left() + 2.0, plots.top() - NAME);
    sign(ui.painter(), KeyTarget::Bone(bone), pos2(left + 6.0, y), palette.text_weak);
    line(&name(state, bone), 13.0, left + SIGN, y, palette.text);
    if !note.is_empty() {
        line(note, 11.0, left, plots.top() - NOTE, palette.text_weak);
    }
    note
}

/// Returns why the curves have no keys; empty if they have some.
fn note(state: &TimelinePanel<'_>, bone: BoneId) -> &'static str {
    let row = state.timeline.keys.shown().and_then(|keyed| keyed.target(KeyTarget::Bone(bone)));
    match row {
        Some(_) => "",
        None if state.timeline.curve.is_still() => "not animated",
        None => "no keys",
    }
}
