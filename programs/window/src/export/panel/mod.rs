//! The export dialog: choices, preview, progress, and the equivalent command.

pub mod choices;
pub mod foot;
pub mod preview;
pub mod sheet;

use egui::{Align, Color32, Event, Id, Key, Layout, Modifiers, Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};

use super::{Export, Phase};
use crate::widgets::actions::{Actions, Dialog, Request};
use crate::widgets::command::Command;
use crate::widgets::icon::{self, Icon};
use crate::widgets::kept::{measure, measured};
use crate::widgets::modal;

/// Width in points from which the preview is beside the choices, and maximum widths with and without that.
const WIDE: f32 = 680.0;
const WIDEST: f32 = 860.0;
const NARROW: f32 = 440.0;
/// Maximum height in points.
const HIGHEST: f32 = 760.0;
/// Share of the width and maximum width in points of the preview beside the choices, and the space between both.
const PREVIEW_SHARE: f32 = 0.42;
const PREVIEW: f32 = 340.0;
const COLUMN_GAP: f32 = 20.0;
/// Height in points of the preview above the choices, space below it, and height of all three parts from which on it
/// does not scroll with the choices.
const PREVIEW_ABOVE: f32 = 170.0;
const PREVIEW_GAP: f32 = 8.0;
const MIN_HEIGHT_TO_STAND: f32 = 480.0;
/// Height in points of the choices below which the foot scrolls with them.
const MIN_BODY: f32 = 60.0;
/// Width in points of the scroll bar, which is in the margin of the dialog.
const SCROLL_BAR: f32 = 12.0;

/// Requests that the dialog cannot handle itself.
#[derive(Debug, Default)]
pub struct Requests {
    close: bool,
    /// Enter was pressed in the field of the path.
    path_entered: bool,
    choose_name: bool,
    open_folder: bool,
}

/// Shows the dialog while it is open. Escape and the close button close it; during an export, Escape cancels that.
///
/// `squares` are the colours behind the preview.
pub fn show(ui: &Ui, export: Option<&mut Export>, squares: [Color32; 2], actions: &mut Actions) {
    let Some(export) = export else {
        preview::forget(ui);
        return;
    };
    export.poll();
    let room = ui.ctx().content_rect().size() - vec2(64.0, 56.0);
    let is_wide = room.x >= WIDE;
    let width = if is_wide { room.x.min(WIDEST) } else { room.x.clamp(80.0, NARROW) };
    let size = vec2(width, room.y.clamp(80.0, HIGHEST));
    let mut requests = Requests::default();
    let is_focused = ui.memory(|memory| memory.focused().is_some());
    let modal = modal::show(ui, "export", |ui| {
        ui.set_width(size.x);
        let bottom = ui.cursor().top() + size.y;
        head(ui, export, &mut requests);
        // A fixed height: buttons that move are easily missed.
        let room = Rect::from_min_max(ui.cursor().min, egui::pos2(ui.cursor().left() + size.x, bottom));
        let (rect, _) = ui.allocate_exact_size(room.size().max(vec2(1.0, 40.0)), Sense::hover());
        content(ui, rect, is_wide, export, squares, &mut requests);
    });
    // Clicks outside do not close the dialog: they could discard many choices.
    let is_on_top = modal.is_top_modal && !modal.any_popup_open;
    let escaped = is_on_top && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    if is_on_top && (requests.path_entered || !is_focused) && is_entered(ui) {
        foot::enter(export);
    }
    if requests.choose_name {
        actions.push(Request::Dialog(Dialog::Save));
    }
    if requests.open_folder {
        export.folder().into_iter().for_each(|folder| actions.push(Request::OpenFolder(folder)));
    }
    match &export.phase {
        Phase::Running(job) if escaped => job.cancel(),
        _ if requests.close || escaped => actions.push(Command::Export),
        _ => {}
    }
}

/// Returns true if Enter was pressed, and is not just held down.
fn is_entered(ui: &Ui) -> bool {
    let is_enter =
        |event: &Event| matches!(event, Event::Key { key: Key::Enter, pressed: true, repeat: false, .. });
    ui.input(|input| input.modifiers.is_none() && input.events.iter().any(is_enter))
}

/// Shows the title and the close button.
fn head(ui: &mut Ui, export: &Export, requests: &mut Requests) {
    ui.horizontal(|ui| {
        ui.heading("Export");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_enabled_ui(!export.is_running(), |ui| {
                let tooltip = "Close  (Escape)";
                if icon::button(ui, Icon::Close, "Close export", tooltip, vec2(28.0, 28.0)).clicked() {
                    requests.close = true;
                }
            });
        });
    });
}

/// Shows everything below the head: preview and choices, and the foot, which only scrolls in very low windows.
fn content(
    ui: &mut Ui,
    rect: Rect,
    is_wide: bool,
    export: &mut Export,
    squares: [Color32; 2],
    requests: &mut Requests,
) {
    // The height of the foot depends on its texts: the previous frame's height is corrected in the same frame.
    let place = Id::unique("height of the foot of the export dialog");
    let known = measured(ui, place);
    let foot_height = known.min(rect.height());
    let (body, foot) = rect.split_top_bottom_at_y(rect.bottom() - foot_height);
    let scrolls_all = body.height() < MIN_BODY && known > 0.0;
    let (body, foot) = if scrolls_all { (rect, None) } else { (body, Some(foot)) };
    if is_wide && !scrolls_all {
        let width = (PREVIEW_SHARE * rect.width()).min(PREVIEW);
        let (left, right) = body.split_left_right_at_x(body.left() + width);
        preview::show(&mut column(ui, left), export, squares, body.height());
        scrolling(ui, right.with_min_x(right.left() + COLUMN_GAP), |ui| choices::show(ui, export));
    } else {
        // This does not depend on the foot, which grows while the user types.
        let stands = rect.height() >= MIN_HEIGHT_TO_STAND;
        let height = if stands { PREVIEW_ABOVE + PREVIEW_GAP } else { 0.0 };
        let (above, below) = body.split_top_bottom_at_y(body.top() + height);
        if stands {
            preview::show(&mut column(ui, above), export, squares, PREVIEW_ABOVE);
        }
        scrolling(ui, below, |ui| {
            if !stands {
                preview::show_folded(ui, export, squares, PREVIEW_ABOVE);
                ui.add_space(PREVIEW_GAP);
            }
            choices::show(ui, export);
            if foot.is_none() {
                foot::show(ui, export, requests, rect.height());
            }
        });
    }
    if let Some(rect_of_foot) = foot {
        let mut ui = column(ui, rect_of_foot);
        foot::show(&mut ui, export, requests, rect.height());
        measure(&ui, place, ui.min_rect().height(), "the foot of the export dialog has another height");
    }
}

fn column(ui: &mut Ui, rect: Rect) -> Ui {
    ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::top_down(Align::Min)))
}

/// Shows `content`, as wide as `rect`, with a scroll bar beside `rect`.
fn scrolling(ui: &mut Ui, rect: Rect, content: impl FnOnce(&mut Ui)) {
    let mut ui = column(ui, rect.with_max_x(rect.right() + SCROLL_BAR));
    let area = ScrollArea::vertical().id_salt("choices").max_height(rect.height()).auto_shrink(false);
    area.min_scrolled_height(rect.height()).show(&mut ui, |ui| {
        ui.set_max_width(rect.width());
        content(ui);
    });
}
