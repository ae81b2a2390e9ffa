//! Fields of a colour, and a button that opens them.

use egui::accesskit::Role;
use egui::{
    Color32, Id, Label, Popup, PopupCloseBehavior, Rect, Response, Sense, Slider, Stroke, StrokeKind, TextEdit,
    Ui, Vec2, WidgetInfo, vec2,
};

use crate::scene::background::{color, hex};

/// Size of a sample in points, and width of the names of fields.
pub const SWATCH: Vec2 = vec2(24.0, 24.0);
const NAME: f32 = 44.0;

/// Shows a sample of a colour, which opens its fields.
pub fn button(ui: &mut Ui, shown: &mut [u8; 3]) -> Response {
    let (rect, button) = ui.allocate_exact_size(SWATCH, Sense::click());
    let is_enabled = ui.is_enabled();
    let digits = hex(*shown);
    button.widget_info(|| WidgetInfo {
        current_text_value: Some(digits.clone()),
        ..WidgetInfo::new(Role::ColorWell)
    });
    let [r, g, b] = *shown;
    swatch(ui, rect.shrink(if button.hovered() && is_enabled { 1.0 } else { 3.0 }), &[Color32::from_rgb(r, g, b)]);
    let fields = |ui: &mut Ui| fields(ui, shown);
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(fields);
    button.on_hover_text(digits)
}

/// Shows the fields of a colour. Returns true if it was changed.
pub fn fields(ui: &mut Ui, shown: &mut [u8; 3]) -> bool {
    let mut is_changed = false;
    for (name, channel) in ["Red", "Green", "Blue"].into_iter().zip(&mut *shown) {
        ui.horizontal(|ui| {
            let label = ui.add_sized(vec2(NAME, SWATCH.y), Label::new(name));
            is_changed |= ui.add(Slider::new(channel, 0..=255)).labelled_by(label.id).changed();
        });
    }
    ui.horizontal(|ui| {
        let label = ui.add_sized(vec2(NAME, SWATCH.y), Label::new("Hex"));
        is_changed |= hex_field(ui, shown, label.id);
    });
    is_changed
}

/// Shows a field with the digits of a colour. Returns true if the user has entered another colour.
fn hex_field(ui: &mut Ui, shown: &mut [u8; 3], label: Id) -> bool {
    let id = ui.make_persistent_id("hex");
    let typed: Option<String> =
        ui.data(|data| data.get_temp(id)).filter(|_| ui.memory(|memory| memory.has_focus(id)));
    let mut text = typed.unwrap_or_else(|| hex(*shown));
    let field = TextEdit::singleline(&mut text).id(id).desired_width(84.0).char_limit(7);
    ui.add(field).labelled_by(label).on_hover_text("Such as #3070c0");
    let before = std::mem::replace(shown, color(text.trim()).unwrap_or(*shown));
    ui.data_mut(|data| data.insert_temp(id, text));
    before != *shown
}

/// Paints a sample of a colour, or of the squares of two colours.
pub fn swatch(ui: &Ui, rect: Rect, colors: &[Color32]) {
    let line = Stroke::new(1.0, ui.visuals().weak_text_color());
    ui.painter().rect_filled(rect, 3.0, colors[0]);
    if let [_, other] = colors {
        let half = rect.size() * 0.5;
        for corner in [rect.min, rect.center()] {
            // Inside the rounded border.
            ui.painter().rect_filled(Rect::from_min_size(corner, half).shrink(0.5), 1.0, *other);
        }
    }
    ui.painter().rect_stroke(rect, 3.0, line, StrokeKind::Inside);
}
