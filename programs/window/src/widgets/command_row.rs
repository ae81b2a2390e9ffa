//! A row of the menu or the palette: tick, name, kind or reason, keys.

use egui::accesskit::Role;
use egui::{Color32, FontId, Rect, Response, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

use super::icon::{self, Icon};
use super::theme::Palette;
use super::{keycap, one_line};

/// Height of a row, width of the column of ticks, and gaps between columns, in points.
pub const HEIGHT: f32 = 28.0;
pub const TICKS: f32 = 26.0;
const GAP: f32 = 14.0;
const MARGIN: f32 = 8.0;

/// The state of a command, or of another entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Status {
    /// Whether it is on; `None`: it is not a switch.
    pub is_on: Option<bool>,
    /// Why it cannot be used now.
    pub unavailable: Option<&'static str>,
}

/// What a row shows.
#[derive(Debug, Clone, Copy, Default)]
pub struct CommandRow<'a> {
    /// The name.
    pub name: &'a str,
    /// Whether it is on, and usable.
    pub status: Status,
    /// What kind of entry it is; empty for commands.
    pub kind: &'a str,
    /// Its keys.
    pub caps: &'a [Vec<&'static str>],
    /// The keyboard selects it.
    pub is_selected: bool,
}

impl CommandRow<'_> {
    /// Returns the width at which nothing is truncated.
    pub fn width(self, ui: &Ui) -> f32 {
        let caps = keycap::layout(ui, self.caps).size.x;
        let name = one_line(ui, self.name, body(ui), Color32::WHITE, f32::INFINITY).size().x;
        TICKS + name + 2.0 * GAP + caps + MARGIN
    }

    /// Adds the row, which reacts as `sense` says.
    pub fn show(self, ui: &mut Ui, sense: Sense) -> Response {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), sense);
        let is_usable = self.status.unavailable.is_none() && ui.is_enabled();
        response.widget_info(|| {
            let role = if self.status.is_on.is_some() { Role::MenuItemCheckBox } else { Role::MenuItem };
            let info = WidgetInfo::labeled(role, is_usable, self.name);
            WidgetInfo { selected: self.status.is_on, ..info }
        });
        if ui.is_rect_visible(rect) {
            self.paint(ui, rect, &response, is_usable);
        }
        match self.status.unavailable {
            Some(reason) => response.on_hover_text(reason),
            None => response,
        }
    }

    fn paint(self, ui: &Ui, rect: Rect, response: &Response, is_usable: bool) {
        let palette = Palette::of(ui.visuals());
        if self.is_selected {
            ui.painter().rect_filled(rect, 6.0, palette.accent_faint);
        } else if is_usable && (response.hovered() || response.has_focus()) {
            ui.painter().rect_filled(rect, 6.0, ui.visuals().widgets.hovered.weak_bg_fill);
        }
        let color = if is_usable { palette.text } else { palette.text_weak.gamma_multiply(0.8) };
        let middle = rect.center().y;
        if self.status.is_on == Some(true) {
            let tick = if is_usable { palette.accent } else { color };
            icon::paint(ui.painter(), Icon::Tick, pos2(rect.left() + 0.5 * TICKS, middle), tick);
        }
        let mut right = rect.right() - MARGIN;
        let caps = keycap::layout(ui, self.caps);
        // In a narrow window the name matters more than its keys.
        if !self.caps.is_empty() && caps.size.x < 0.5 * rect.width() {
            right -= caps.size.x;
            let strength = if is_usable { 1.0 } else { 0.5 };
            caps.paint_with(ui, pos2(right, middle), strength);
            right -= GAP;
        }
        let left = rect.left() + TICKS;
        let name = one_line(ui, self.name, body(ui), color, (right - left).max(1.0));
        let end = left + name.size().x + GAP;
        ui.painter().galley(pos2(left, middle - 0.5 * name.size().y), name, color);
        let note = self.status.unavailable.unwrap_or(self.kind);
        if !note.is_empty() && right - end > 60.0 {
            let note = one_line(ui, note, FontId::proportional(11.5), palette.text_weak, right - end);
            let place = pos2(right - note.size().x, middle - 0.5 * note.size().y);
            ui.painter().galley(place, note, palette.text_weak);
        }
    }
}

fn body(ui: &Ui) -> FontId {
    TextStyle::Body.resolve(ui.style())
}
