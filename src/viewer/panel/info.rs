//! What the character is made of.

use egui::{Grid, RichText, Ui};

use super::heading;
use crate::math::Rect;
use crate::model::{Attachment, Model};
use crate::viewer::state::State;

/// Shows the numbers.
pub fn show(ui: &mut Ui, state: &mut State) {
    let content = state.content();
    let Some(model) = state.model() else { return };
    heading(ui, "Character");
    Grid::new("info").num_columns(2).min_row_height(18.0).spacing([18.0, 3.0]).show(ui, |ui| {
        for (name, value) in rows(model, content) {
            ui.label(RichText::new(name).weak());
            ui.label(value);
            ui.end_row();
        }
    });
}

fn rows(model: &Model, content: Option<Rect>) -> Vec<(&'static str, String)> {
    let (mut vertices, mut triangles) = (0, 0);
    for mesh in model.attachments().iter().filter_map(Attachment::mesh) {
        vertices += mesh.vertices.len();
        triangles += mesh.indices.len() / 3;
    }
    let mut rows = vec![
        ("Bones", model.skeleton().authored_bones().len().to_string()),
        (if model.skins().is_empty() { "Meshes" } else { "Attachments" }, model.attachments().len().to_string()),
        ("Vertices", vertices.to_string()),
        ("Triangles", triangles.to_string()),
    ];
    if let Some(content) = content.filter(|content| !content.is_empty()) {
        let size = content.size();
        rows.push(("Size", format!("{:.0} × {:.0} px", size.x, size.y)));
    }
    rows.push(match model.pages() {
        [] => ("Picture", "none".to_owned()),
        [page] => ("Picture", format!("{} × {}", page.width, page.height)),
        pages => ("Pictures", pages.len().to_string()),
    });
    rows
}
