//! Notice on the canvas that skins were put on automatically, with a button to undo it.

use egui::{Align, Button, Frame, Id, Label, Layout, Margin, Rect, RichText, Stroke, Ui, UiBuilder, vec2};

use crate::playback::Playback;
use crate::widgets::actions::Actions;
use crate::widgets::icon::{self, Icon};
use crate::widgets::kept::{measure, measured};
use crate::widgets::theme::Palette;
use pchr::error::escaped;
use pchr::model::SkinId;

/// Shows the notice until it is closed, the skins change, or the file is reloaded. Returns the part of the canvas that it
/// leaves for others.
pub fn show(ui: &mut Ui, rect: Rect, playback: &mut Playback, actions: &mut Actions) -> Rect {
    // The one that overrides the others represents them.
    let Some(skin) = playback.auto_skins.last().copied() else { return rect };
    if playback.animator.skins() != playback.auto_skins {
        playback.auto_skins.clear();
        return rect;
    }
    let Some(name) = playback.model().map(|model| escaped(&model.skin(skin).name)) else { return rect };
    let palette = Palette::of(ui.visuals());
    let area = rect.shrink(10.0);
    // Assume the height of the last frame.
    let known = Id::unique("height of the notice about skins");
    let before = measured(ui, known);
    let builder = UiBuilder::new().max_rect(area.with_min_y((area.bottom() - before).max(area.top())));
    let mut ui = ui.new_child(builder.layout(Layout::top_down(Align::Center)));
    ui.set_clip_rect(rect);
    let frame = Frame::new().fill(palette.panel).stroke(Stroke::new(1.0, palette.line)).corner_radius(8);
    let frame = frame.inner_margin(Margin::symmetric(10, 6)).show(&mut ui, |ui| {
        ui.set_max_width((area.width() - 20.0).clamp(1.0, 560.0));
        ui.horizontal_wrapped(|ui| {
            let skins = match playback.auto_skins.len() {
                1 => format!("skin “{name}” was put on"),
                count => format!("skin “{name}” and {} more were put on", count - 1),
            };
            let text = format!("The default skin leaves most slots empty, so {skins}.");
            ui.add(Label::new(RichText::new(text)).wrap());
            if ui.add(Button::new("Default skin")).on_hover_text("Switch back to the default skin").clicked() {
                if let Err(error) = playback.animator.set_skins(Vec::<SkinId>::new()) {
                    actions.fail(error.to_string());
                }
                playback.auto_skins.clear();
            }
            if icon::button(ui, Icon::Close, "Close this notice", "Keep this skin", vec2(22.0, 22.0)).clicked() {
                playback.auto_skins.clear();
            }
        });
    });
    let place = frame.response.rect;
    measure(&ui, known, place.height(), "the height of the notice has changed");
    rect.with_max_y(place.top())
}
