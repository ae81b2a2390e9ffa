//! Squares behind what is transparent.

use std::sync::Arc;

use egui::{Color32, Id, Mesh, Rect, Ui, vec2};

use super::kept::kept;

/// Size of a square in points.
const SQUARE: f32 = 12.0;

/// Returns the squares of the canvas, cached until they change.
pub fn of_canvas(ui: &Ui, rect: Rect, color: Color32) -> Arc<Mesh> {
    kept(ui, Id::unique("squares of the canvas"), (rect, color), || checkerboard(rect, color).into())
}

/// Returns a mesh of every other square.
pub fn checkerboard(rect: Rect, color: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    let (columns, rows) = ((rect.width() / SQUARE).ceil() as u32, (rect.height() / SQUARE).ceil() as u32);
    for row in 0..rows {
        for column in (row % 2..columns).step_by(2) {
            let min = rect.min + vec2(column as f32, row as f32) * SQUARE;
            mesh.add_colored_rect(Rect::from_min_size(min, vec2(SQUARE, SQUARE)), color);
        }
    }
    mesh
}
