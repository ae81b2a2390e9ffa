//! Facts about the character, and the alpha mode of its pages.

use egui::{ComboBox, Grid, RichText, Ui};

use super::PartsPanel;
use crate::files::facts::Facts;
use crate::widgets::actions::Action;
use pchr::formats::PageAlpha;

/// Shows the facts and the choice.
pub fn show(ui: &mut Ui, state: &mut PartsPanel<'_>) {
    // Always present: otherwise the lists above would move when the last skin is taken off.
    let size = state.content.filter(|content| !content.is_empty()).map(|content| content.size());
    let size = size.map_or("–".to_owned(), |size| format!("{:.0} × {:.0} px", size.x, size.y));
    let mut page_alpha = state.files.read.page_alpha;
    let facts = state.files.facts();
    let Some(model) = state.playback.model() else { return };
    Grid::new("info").num_columns(2).min_row_height(18.0).spacing([12.0, 3.0]).show(ui, |ui| {
        let counts = facts.counts.iter().map(|(name, value)| (*name, value.as_str()));
        for (name, value) in counts.chain([("Size", size.as_str()), (facts.pages.0, facts.pages.1.as_str())]) {
            ui.label(RichText::new(name).weak());
            ui.label(value);
            ui.end_row();
        }
        if !model.pages().is_empty() {
            alpha(ui, &facts, &mut page_alpha);
        }
    });
    if page_alpha != state.files.read.page_alpha {
        state.actions.push(Action::SetPageAlpha(page_alpha));
    }
}

/// Shows the alpha mode of the pages, which the user can override.
fn alpha(ui: &mut Ui, facts: &Facts, chosen: &mut PageAlpha) {
    let label = match chosen {
        PageAlpha::Auto => "Alpha (auto)",
        PageAlpha::Straight | PageAlpha::Premultiplied => "Alpha",
    };
    let label = ui.label(RichText::new(label).weak());
    let combo =
        ComboBox::from_id_salt("page alpha").selected_text(facts.alpha).width(ui.available_width()).truncate();
    let combo = combo.show_ui(ui, |ui| {
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
