//! The button that shows the loop mode and opens a menu of them.

use egui::accesskit::Role;
use egui::{Align2, FontId, Popup, Response, Sense, Ui, WidgetInfo, vec2};

use super::TOGGLE;
use crate::playback::playhead::loop_title;
use crate::widgets::command::Command;
use crate::widgets::command_row::{CommandRow, Status};
use crate::widgets::icon::{self, Icon};
use crate::widgets::theme::Palette;
use pchr::Animator;
use pchr::player::LoopMode;

/// Shows the button.
pub fn show(ui: &mut Ui, animator: &mut Animator) -> Response {
    let mode = animator.loop_mode();
    let loops = animator.playback(0).animation().is_some_and(|id| animator.model().animation(id).looping);
    let (icon, name) = (icon_of(mode, loops), loop_title(mode));
    let (rect, button) = ui.allocate_exact_size(TOGGLE, Sense::click());
    button.widget_info(|| {
        let info = WidgetInfo::labeled(Role::Button, ui.is_enabled(), "Loop mode");
        WidgetInfo { current_text_value: Some(name.to_owned()), ..info }
    });
    icon::paint_toggle(ui, icon, &button, mode != LoopMode::Authored);
    if mode == LoopMode::Authored {
        let palette = Palette::of(ui.visuals());
        let (at, font) = (rect.right_bottom() - vec2(3.0, 1.0), FontId::proportional(9.5));
        ui.painter().text(at, Align2::RIGHT_BOTTOM, "A", font, palette.text_weak);
    }
    Popup::menu(&button).show(|ui| {
        ui.set_width(170.0);
        ui.spacing_mut().item_spacing.y = 1.0;
        for choice in LoopMode::ALL {
            let row = CommandRow {
                name: loop_title(choice),
                status: Status { is_on: Some(choice == mode), unavailable: None },
                ..CommandRow::default()
            };
            if row.show(ui, Sense::click()).clicked() {
                animator.set_loop_mode(choice);
                ui.close();
            }
        }
    });
    let authored = match (mode, loops) {
        (LoopMode::Authored, true) => ": this animation loops",
        (LoopMode::Authored, false) => ": this animation plays once",
        _ => "",
    };
    button.on_hover_text(format!("{name}{authored}\n{}", Command::LoopMode.tooltip()))
}

/// Returns the icon of a loop mode for an animation that `loops` as authored.
fn icon_of(mode: LoopMode, loops: bool) -> Icon {
    match mode {
        LoopMode::Authored if loops => Icon::Loop,
        LoopMode::Authored | LoopMode::Once => Icon::Once,
        LoopMode::Loop => Icon::Loop,
        LoopMode::PingPong => Icon::PingPong,
    }
}
