//! A row of a list of findings: a name with its kind at the right, and two lines about it.

use egui::accesskit::Role;
use egui::text::LayoutJob;
use egui::{
    Color32, FontId, Response, RichText, Sense, TextStyle, TextWrapMode, Ui, WidgetInfo, WidgetText, vec2,
};

use super::theme::Palette;

/// Height of a row in points.
pub const HEIGHT: f32 = 58.0;

/// A row.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// First line.
    pub title: &'a str,
    /// Its kind, and the colour of the kind if it is not a weak one.
    pub kind: &'a str,
    pub kind_color: Option<Color32>,
    /// Text below the title, at most two lines.
    pub detail: &'a str,
    /// The name for screen readers.
    pub name: &'a str,
    /// It was chosen last.
    pub is_chosen: bool,
}

impl Entry<'_> {
    /// Adds the row.
    pub fn show(self, ui: &mut Ui) -> Response {
        let palette = Palette::of(ui.visuals());
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, self.is_chosen, self.name));
        if ui.is_rect_visible(rect) {
            let fill = ui.style().interact_selectable(&response, self.is_chosen).weak_bg_fill;
            if self.is_chosen || response.hovered() || response.has_focus() {
                ui.painter().rect_filled(rect, 6.0, fill);
            }
            let inner = rect.shrink2(vec2(8.0, 3.0));
            let font = |size| FontId::proportional(size);
            let galley = |text: &str, size: f32, width: f32| {
                let text = WidgetText::from(RichText::new(text).font(font(size)));
                text.into_galley(ui, Some(TextWrapMode::Truncate), width.max(1.0), TextStyle::Body)
            };
            let kind = galley(self.kind, 11.5, inner.width() * 0.5);
            let kind_width = kind.size().x;
            let at = inner.right_top() - vec2(kind_width, -2.0);
            ui.painter().galley(at, kind, self.kind_color.unwrap_or(palette.text_weak));
            let color = if self.is_chosen { palette.accent } else { palette.text };
            ui.painter().galley(inner.min, galley(self.title, 13.5, inner.width() - kind_width - 8.0), color);
            let below = inner.min + vec2(0.0, 17.0);
            let mut detail =
                LayoutJob::simple(self.detail.to_owned(), font(13.0), palette.text_weak, inner.width());
            detail.wrap.max_rows = 2;
            ui.painter().galley(below, ui.painter().layout_job(detail), palette.text_weak);
        }
        response
    }
}
