//! A button of the top bar that opens a menu, with an arrow that says so.

use egui::accesskit::Role;
use egui::{Atom, Button, IdSalt, Rect, Response, ScrollArea, Shape, Stroke, Ui, Vec2, WidgetInfo, vec2};

use super::theme::Palette;

const HEIGHT: f32 = 28.0;
const ARROW: Vec2 = vec2(8.0, 5.0);
const SWATCH: Vec2 = vec2(14.0, 14.0);

/// The contents of the button.
#[derive(Debug, Default)]
pub struct DropDown<'a> {
    /// The text on it.
    pub text: &'a str,
    /// What screen readers read, if the text is a value.
    pub name: Option<&'a str>,
    /// Something in its menu is on.
    pub is_on: bool,
    /// Leaves room for a sample of a colour, which the caller paints.
    pub has_swatch: bool,
    /// The least width in points.
    pub min_width: f32,
}

impl DropDown<'_> {
    /// Adds the button. Returns the place of the sample as well.
    pub fn show(self, ui: &mut Ui) -> (Response, Option<Rect>) {
        let (arrow, sample) = (IdSalt::new("arrow"), IdSalt::new("sample"));
        let mut contents = egui::Atoms::new(());
        if self.has_swatch {
            contents.push_right(Atom::custom(sample, SWATCH));
        }
        contents.push_right(self.text);
        contents.push_right(Atom::custom(arrow, ARROW));
        let size = vec2(self.min_width, HEIGHT);
        let button = Button::new(contents).selected(self.is_on).min_size(size).atom_ui(ui);
        if let Some(rect) = button.rect(arrow) {
            let palette = Palette::of(ui.visuals());
            let color = if self.is_on { palette.accent } else { palette.text_weak };
            let rect = Rect::from_center_size(rect.center(), ARROW);
            let points = vec![rect.left_top(), rect.right_top(), rect.center_bottom()];
            ui.painter().add(Shape::convex_polygon(points, color, Stroke::NONE));
        }
        if let Some(name) = self.name {
            button.response.widget_info(|| {
                let info = WidgetInfo::labeled(Role::Button, ui.is_enabled(), name);
                WidgetInfo { current_text_value: Some(self.text.to_owned()), ..info }
            });
        }
        let sample = button.rect(sample);
        (button.response, sample)
    }
}

/// Height in points of the bar with the button, and of the margins of the menu.
pub const BESIDE_MENU: f32 = 90.0;
/// The least height of a menu in points.
const LEAST: f32 = 80.0;
const SCROLL_BAR: f32 = 14.0;

/// Shows the contents of a menu, `width` points wide. They scroll if they are higher than the window without `beside`
/// points.
pub fn contents(ui: &mut Ui, width: f32, beside: f32, show: impl FnOnce(&mut Ui)) {
    ui.set_width(width);
    let room = (ui.ctx().content_rect().height() - beside).max(LEAST);
    // Without a minimum the menu keeps the height that it had when it was opened.
    ScrollArea::vertical().max_height(room).min_scrolled_height(room).show(ui, |ui| {
        ui.set_width(width - SCROLL_BAR);
        show(ui);
    });
}
