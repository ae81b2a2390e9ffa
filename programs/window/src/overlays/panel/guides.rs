//! The grid, the ground line and the origin behind the character.

use egui::{Align2, Color32, FontId, Painter, Rect, Stroke, Ui, pos2, vec2};

use super::{OverlayPanel, on_canvas};
use crate::overlays::guides::{Grid, HEAVY, Line};
use crate::scene::background::Background;
use crate::scene::checkerboard::is_light;
use crate::widgets::theme::Palette;
use pchr::math::Vec2;

/// Least distance between grid lines in points.
const ROOM: f32 = 14.0;
/// Half the width of the cross at the origin in points.
const CROSS: f32 = 11.0;
const LABEL: f32 = 10.5;

/// Paints the guides on the canvas at `rect`.
pub fn paint(ui: &Ui, rect: Rect, state: &OverlayPanel<'_>) {
    let guides = state.overlays.guides;
    if !(guides.grid || guides.ground || guides.origin) {
        return;
    }
    let Some(view) = state.view else { return };
    let points = ui.pixels_per_point();
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let ink = ink(state);
    let place = Place { rect, points };
    if guides.grid {
        let grid = Grid::new(&view, f64::from(ROOM * points));
        place.grid(&painter, &grid, ink);
        if guides.coordinates {
            place.coordinates(&painter, &grid, ink);
        }
    }
    let origin = on_canvas(&view, rect, points, Vec2::ZERO);
    let palette = Palette::of(ui.visuals());
    if guides.ground && rect.y_range().contains(origin.y) {
        let y = place.sharp(origin.y, rect.min.y);
        painter.hline(rect.x_range(), y, Stroke::new(3.0, Color32::from_black_alpha(60)));
        painter.hline(rect.x_range(), y, Stroke::new(1.0, palette.accent));
    }
    if guides.origin {
        cross(&painter, place.sharp(origin.x, rect.min.x), place.sharp(origin.y, rect.min.y), palette.accent);
    }
}

/// Returns black or white, whichever is easier to see on the background.
fn ink(state: &OverlayPanel<'_>) -> Color32 {
    let color = match state.overlays.background {
        Background::Color(color) => color,
        Background::Checker => state.squares[0],
    };
    if is_light(color) { Color32::BLACK } else { Color32::WHITE }
}

/// Paints a cross, light on dark so that it is visible on any picture.
fn cross(painter: &Painter, x: f32, y: f32, color: Color32) {
    for (width, color) in [(4.0, Color32::from_black_alpha(150)), (1.5, color)] {
        painter.hline(x - CROSS..=x + CROSS, y, Stroke::new(width, color));
        painter.vline(x, y - CROSS..=y + CROSS, Stroke::new(width, color));
    }
    painter.circle_stroke(pos2(x, y), CROSS * 0.45, Stroke::new(4.0, Color32::from_black_alpha(150)));
    painter.circle_stroke(pos2(x, y), CROSS * 0.45, Stroke::new(1.5, color));
}

/// The canvas on the screen.
struct Place {
    rect: Rect,
    /// Physical pixels per point.
    points: f32,
}

impl Place {
    /// Moves a line to the middle of a physical pixel, so that it stays sharp.
    fn sharp(&self, at: f32, from: f32) -> f32 {
        from + (((at - from) * self.points).floor() + 0.5) / self.points
    }

    fn line(&self, line: &Line, from: f32) -> f32 {
        self.sharp(from + line.pixel as f32 / self.points, from)
    }

    fn grid(&self, painter: &Painter, grid: &Grid, ink: Color32) {
        let stroke = |line: &Line| {
            let alpha = match line.number {
                0 => 0.34,
                number if number % HEAVY == 0 => 0.2,
                _ => 0.075,
            };
            Stroke::new(1.0 / self.points, ink.gamma_multiply(alpha))
        };
        for column in &grid.columns {
            painter.vline(self.line(column, self.rect.min.x), self.rect.y_range(), stroke(column));
        }
        for row in &grid.rows {
            painter.hline(self.rect.x_range(), self.line(row, self.rect.min.y), stroke(row));
        }
    }

    /// Writes the coordinates of heavy lines along the bottom and the left side.
    fn coordinates(&self, painter: &Painter, grid: &Grid, ink: Color32) {
        let (font, color) = (FontId::proportional(LABEL), ink.gamma_multiply(0.6));
        let is_heavy = |line: &&Line| line.number % HEAVY == 0;
        for column in grid.columns.iter().filter(is_heavy) {
            let at = pos2(self.line(column, self.rect.min.x), self.rect.max.y) + vec2(4.0, -3.0);
            painter.text(at, Align2::LEFT_BOTTOM, grid.label(*column), font.clone(), color);
        }
        for row in grid.rows.iter().filter(is_heavy) {
            let at = pos2(self.rect.min.x, self.line(row, self.rect.min.y)) + vec2(4.0, -2.0);
            // The corner belongs to the columns.
            if at.y < self.rect.max.y - 2.0 * LABEL {
                painter.text(at, Align2::LEFT_BOTTOM, grid.label(*row), font.clone(), color);
            }
        }
    }
}
