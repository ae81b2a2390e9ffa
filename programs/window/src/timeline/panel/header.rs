//! The line above the ruler while the dopesheet or the curves are shown.

use egui::accesskit::Role;
use egui::{Button, Label, RichText, TextEdit, TextStyle, Ui, WidgetInfo};

use super::TimelinePanel;
use super::curves;
use crate::base::name::many;
use crate::scene::selection::Selected;
use crate::timeline::{Curve, Lower};
use crate::tracks::saved::animation_name;
use crate::widgets::command::Command;

/// Width of the filter in points.
const FILTER: f32 = 130.0;

/// Shows the filter or the legend, and on the right how far the first and the last instant are apart.
pub fn show(ui: &mut Ui, state: &mut TimelinePanel<'_>, lower: Lower) {
    let gap = state.timeline.gap.text(&state.playback.animator, state.waker);
    let gap_width = gap.map_or(0.0, |gap| width_of(ui, &gap.text) + 2.0 * ui.spacing().button_padding.x);
    ui.horizontal_wrapped(|ui| {
        track(ui, state);
        match lower {
            Lower::Dopesheet => filter(ui, state, gap_width),
            Lower::Curves => legend(ui, state),
        }
        if !state.timeline.shows_all() {
            let tooltip =
                format!("{}  ({} over the timeline)", Command::WholeTimeline.label(), Command::First.keys());
            let button = ui.button("Whole timeline").on_hover_text(tooltip);
            if button.clicked() {
                state.actions.push(Command::WholeTimeline);
            }
        }
        if let Some(gap) = state.timeline.gap.text(&state.playback.animator, state.waker) {
            if ui.available_size_before_wrap().x < gap_width {
                ui.end_row();
            }
            ui.add_space((ui.available_size_before_wrap().x - gap_width).max(0.0));
            let text = RichText::new(&gap.text).small().weak();
            let button = Button::new(text).frame_when_inactive(false).truncate();
            if ui.add(button).on_hover_text(&gap.tooltip).clicked() {
                state.parts.selected = Some(Selected::Bone(gap.bone));
            }
        }
    });
}

/// Says which track the timeline shows, if there are several.
pub fn track(ui: &mut Ui, state: &TimelinePanel<'_>) {
    if !state.has_several {
        return;
    }
    let animator = &state.playback.animator;
    let name = animation_name(animator.model(), animator.playback(0)).unwrap_or_else(|| "nothing".to_owned());
    let text = RichText::new(format!("Timeline of track 0: {name}")).small().weak();
    let tooltip = "The timeline shows track 0. Stepping, in and out points and exports use track 0, too.";
    ui.add(Label::new(text).truncate()).on_hover_text(tooltip);
}

/// Returns the width of small text in points.
fn width_of(ui: &Ui, text: &str) -> f32 {
    let font = TextStyle::Small.resolve(ui.style());
    ui.painter().layout_no_wrap(text.to_owned(), font, ui.visuals().text_color()).size().x
}

/// Shows the filter, and the number of key times unless it would take the `reserved` width in points.
fn filter(ui: &mut Ui, state: &mut TimelinePanel<'_>, reserved: f32) {
    let edit = TextEdit::singleline(&mut state.timeline.filter.text).hint_text("Filter rows");
    let edit = ui.add(edit.desired_width(FILTER.min(ui.available_width() - 12.0)));
    edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Filter rows"));
    let keys = state.timeline.keys.shown().map_or(0, |keyed| keyed.all.len());
    let text = many(keys, "key time");
    if ui.available_size_before_wrap().x >= width_of(ui, &text) + ui.spacing().item_spacing.x + reserved {
        ui.label(RichText::new(text).small().weak());
    }
}

fn legend(ui: &mut Ui, state: &mut TimelinePanel<'_>) {
    ui.spacing_mut().item_spacing.x = 4.0;
    for (index, curve) in Curve::ALL.into_iter().enumerate() {
        let is_shown = !state.timeline.hidden_curves[index];
        let toggle = curves::toggle(ui, curve, is_shown);
        if toggle.clicked() {
            state.timeline.hidden_curves[index] = is_shown;
        }
    }
    let is_on = state.timeline.normalizes;
    let switch = curves::switch(ui, "Normalise", None, is_on);
    state.actions.on_click(switch, Command::Normalize);
}
