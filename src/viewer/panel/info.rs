//! Facts about the character, and the alpha mode of its pages.

use egui::{ComboBox, Grid, RichText, Ui};

use crate::formats::PageAlpha;
use crate::math::Rect;
use crate::model::{Attachment, Model};
use crate::viewer::state::State;

/// Width of the choice in points: room for the longest value.
const WIDTH: f32 = 136.0;

/// Shows the facts and the choice.
pub fn show(ui: &mut Ui, state: &mut State) {
    let content = state.content();
    let mut page_alpha = state.read_options().page_alpha;
    let Some(model) = state.model() else { return };
    Grid::new("info").num_columns(2).min_row_height(18.0).spacing([18.0, 3.0]).show(ui, |ui| {
        for (name, value) in rows(model, content) {
            ui.label(RichText::new(name).weak());
            ui.label(value);
            ui.end_row();
        }
        if !model.pages().is_empty() {
            alpha(ui, model, &mut page_alpha);
        }
    });
    state.set_page_alpha(page_alpha);
}

/// Shows the alpha mode of the pages, which the user can override.
fn alpha(ui: &mut Ui, model: &Model, chosen: &mut PageAlpha) {
    let label = ui.label(RichText::new("Alpha").weak());
    let found = match model.pages().iter().filter(|page| page.is_premultiplied).count() {
        0 => "Straight",
        all if all == model.pages().len() => "Premultiplied",
        _ => "Mixed",
    };
    let text = match chosen {
        PageAlpha::Auto => format!("{found} (auto)"),
        PageAlpha::Straight | PageAlpha::Premultiplied => found.to_owned(),
    };
    let combo = ComboBox::from_id_salt("page alpha").selected_text(text).width(WIDTH).show_ui(ui, |ui| {
        for (name, choice) in [
            ("Automatic", PageAlpha::Auto),
            ("Straight", PageAlpha::Straight),
            ("Premultiplied", PageAlpha::Premultiplied),
        ] {
            ui.selectable_value(chosen, choice, name);
        }
    });
    let combo = combo.response.labelled_by(label.id);
    combo.on_hover_text(
        "Whether the colours of the pages are premultiplied by alpha. Dark or glowing edges mean it is wrong",
    );
    ui.end_row();
}

fn rows(model: &Model, content: Option<Rect>) -> Vec<(&'static str, String)> {
    let (mut vertices, mut triangles) = (0, 0);
    for mesh in model.authored_attachments().iter().filter_map(Attachment::mesh) {
        vertices += mesh.vertices.len();
        triangles += mesh.indices.len() / 3;
    }
    let mut rows = vec![
        ("Bones", model.skeleton().authored_bones().len().to_string()),
        (
            if model.skins().is_empty() { "Meshes" } else { "Attachments" },
            model.authored_attachments().len().to_string(),
        ),
        ("Vertices", vertices.to_string()),
        ("Triangles", triangles.to_string()),
    ];
    // Always present: otherwise the lists above would move when the last skin is taken off.
    let size = content.filter(|content| !content.is_empty()).map(|content| content.size());
    rows.push(("Size", size.map_or("–".to_owned(), |size| format!("{:.0} × {:.0} px", size.x, size.y))));
    rows.push(match model.pages() {
        [] => ("Atlas page", "none".to_owned()),
        [page] => ("Atlas page", format!("{} × {}", page.width, page.height)),
        pages => ("Atlas pages", pages.len().to_string()),
    });
    rows
}
