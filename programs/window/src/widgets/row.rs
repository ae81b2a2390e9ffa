//! A row of a list: text, a secondary text, and, where the list has them, a triangle that folds and an eye that hides.

use egui::accesskit::Role;
use egui::{
    Align2, Color32, Id, Rect, Response, RichText, Sense, Shape, Stroke, TextStyle, TextWrapMode, Ui, UiBuilder,
    WidgetInfo, WidgetText, pos2, vec2,
};

use super::icon::{self, Icon};
use super::theme::Palette;

/// Height of a row in points.
pub const HEIGHT: f32 = 22.0;
/// Width of an eye, of a triangle, and of one level of a tree.
const EYE: f32 = 22.0;
const FOLD: f32 = 16.0;
const LEVEL: f32 = 12.0;
/// Deeper levels are not indented any further.
const MAX_LEVELS: usize = 8;
const PADDING: f32 = 8.0;
/// Gap between the two texts in points.
const GAP: f32 = 6.0;
/// The secondary text may always take this share of the row.
const MIN_SECONDARY_SHARE: f32 = 0.35;

/// The contents of a row.
#[derive(Debug, Default)]
pub struct Row<'a> {
    /// The name for screen readers.
    pub name: &'a str,
    /// The text, if it differs from the name.
    pub text: Option<&'a str>,
    /// Secondary text on the right.
    pub right: Option<&'a str>,
    /// Colour of the text, if it is not the usual one.
    pub color: Option<Color32>,
    /// Paints the text weakly, as for a hidden part.
    pub is_weak: bool,
    /// It is selected.
    pub is_selected: bool,
    /// Level in a tree.
    pub depth: usize,
    /// The row is unfolded; `None` if it has no rows below.
    pub is_open: Option<bool>,
    /// Rows of a tree leave room for triangles.
    pub is_in_tree: bool,
    /// Visibility of the part; `None` if it cannot be hidden.
    pub is_shown: Option<bool>,
    /// Its id, if it keeps the focus when it moves.
    pub id: Option<Id>,
}

/// What happened to a row.
pub struct RowResponse {
    /// The row without its eye.
    pub row: Response,
    /// The triangle was clicked.
    pub is_folded: bool,
    /// The eye was clicked; with true for Alt.
    pub eye: Option<bool>,
}

impl Row<'_> {
    /// Adds the row, as wide as possible.
    pub fn show(self, ui: &mut Ui) -> RowResponse {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
        let eye_width = if self.is_shown.is_some() { EYE } else { 0.0 };
        let main = rect.with_max_x((rect.right() - eye_width).max(rect.left()));
        let id = self.id.unwrap_or_else(|| ui.make_persistent_id("row"));
        let row = ui.interact(main, id, Sense::click());
        row.widget_info(|| WidgetInfo::selected(Role::Button, true, self.is_selected, self.name));
        let is_over_fold = |x: f32| x < main.left() + self.indent() + FOLD;
        let is_folded = self.is_open.is_some()
            && row.clicked()
            && row.interact_pointer_pos().is_some_and(|pointer| is_over_fold(pointer.x));
        if ui.is_rect_visible(rect) {
            self.paint(ui, main, &row);
        }
        let eye = self.is_shown.and_then(|is_shown| {
            let place = Rect::from_min_max(pos2(main.right(), rect.top()), rect.max);
            let mut inner = ui.new_child(UiBuilder::new().id_salt("eye").max_rect(place));
            let (icon, verb) = if is_shown { (Icon::Eye, "Hide") } else { (Icon::EyeOff, "Show") };
            if is_shown && !row.hovered() && !row.has_focus() {
                inner.multiply_opacity(0.55);
            }
            let name = format!("{verb} {}", self.name);
            let eye =
                icon::button(&mut inner, icon, &name, &format!("{verb}; Alt+click shows it alone"), place.size());
            eye.clicked().then(|| ui.input(|input| input.modifiers.alt))
        });
        RowResponse { row, is_folded, eye }
    }

    fn indent(&self) -> f32 {
        self.depth.min(MAX_LEVELS) as f32 * LEVEL
    }

    fn paint(&self, ui: &Ui, main: Rect, row: &Response) {
        let palette = Palette::of(ui.visuals());
        let fill = match (self.is_selected, row.hovered() || row.has_focus()) {
            (true, _) => palette.accent_faint,
            (false, true) => ui.visuals().widgets.hovered.weak_bg_fill,
            (false, false) => Color32::TRANSPARENT,
        };
        ui.painter().rect_filled(main, 5.0, fill);
        let usual = if self.is_selected { palette.accent } else { palette.text };
        let color = self.color.unwrap_or(if self.is_weak { palette.text_weak } else { usual });
        let mut left = main.left() + self.indent() + if self.is_in_tree { 0.0 } else { PADDING };
        if let Some(is_open) = self.is_open {
            triangle(ui, pos2(left + FOLD * 0.5, main.center().y), is_open, palette.text_weak);
        }
        if self.is_in_tree || self.is_open.is_some() || self.depth > 0 {
            left += FOLD;
        }
        let mut right = main.right() - PADDING;
        let text = WidgetText::from(self.text.unwrap_or(self.name));
        if let Some(beside) = self.right {
            let width = text.clone().into_galley(ui, Some(TextWrapMode::Extend), 0.0, TextStyle::Body).size().x;
            let beside = WidgetText::from(RichText::new(beside).small());
            let room = (right - left - width - GAP).max((right - left) * MIN_SECONDARY_SHARE);
            let galley = beside.into_galley(ui, Some(TextWrapMode::Truncate), room.max(0.0), TextStyle::Small);
            let place = Align2::RIGHT_CENTER.anchor_size(pos2(right, main.center().y), galley.size());
            ui.painter().galley_with_override_text_color(place.min, galley, palette.text_weak);
            right = place.left() - GAP;
        }
        let galley = text.into_galley(ui, Some(TextWrapMode::Truncate), (right - left).max(0.0), TextStyle::Body);
        let place = Align2::LEFT_CENTER.anchor_size(pos2(left, main.center().y), galley.size());
        ui.painter()
            .with_clip_rect(main.intersect(ui.clip_rect()))
            .galley_with_override_text_color(place.min, galley, color);
    }
}

fn triangle(ui: &Ui, center: egui::Pos2, is_open: bool, color: Color32) {
    let corners = match is_open {
        true => [vec2(-4.0, -2.5), vec2(4.0, -2.5), vec2(0.0, 3.0)],
        false => [vec2(-2.5, -4.0), vec2(3.0, 0.0), vec2(-2.5, 4.0)],
    };
    let points = corners.map(|corner| center + corner).to_vec();
    ui.painter().add(Shape::convex_polygon(points, color, Stroke::NONE));
}
