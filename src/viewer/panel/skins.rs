//! The list of skins: several are worn at once, and the last one goes before the others.

use egui::{Button, RichText, Ui, vec2};

use super::heading;
use crate::error::shown;
use crate::model::{Model, SkinId};
use crate::viewer::state::State;

/// Shows the list; a click puts a skin on, over the others, or takes it off.
pub fn show(ui: &mut Ui, state: &mut State) {
    let is_empty = state.content().is_some_and(|content| content.is_empty());
    let Some(model) = state.model() else { return };
    let skins = offered(model);
    if skins.is_empty() {
        return;
    }
    ui.add_space(12.0);
    heading(ui, if skins.len() == 1 { "Skin".to_owned() } else { format!("Skins ({})", skins.len()) });
    let worn = state.skins.clone();
    if worn.is_empty() && is_empty {
        ui.label(RichText::new("Nothing is shown without a skin: click one.").weak());
    }
    let mut picked = None;
    for id in skins {
        let name = match &*model.skin(id).name {
            "" => "(no name)".to_owned(),
            name => shown(name),
        };
        let place = worn.iter().position(|worn| *worn == id);
        let mut button = Button::selectable(place.is_some(), &name);
        if let (Some(place), true) = (place, worn.len() > 1) {
            button = button.right_text(RichText::new((place + 1).to_string()).small().weak());
        }
        let button = button.truncate().min_size(vec2(ui.available_width(), 28.0));
        let tooltip = match place {
            Some(_) => format!("{name}\nClick to take it off"),
            None if worn.is_empty() => format!("{name}\nClick to put it on"),
            None => format!("{name}\nClick to put it on, over the others; with Shift instead of them"),
        };
        let response = ui.add(button).on_hover_text(tooltip);
        if response.clicked() {
            picked = Some((id, ui.input(|input| input.modifiers.shift)));
        }
    }
    if let Some((id, alone)) = picked {
        state.wear(id, alone);
    }
}

/// All but the one that is always worn.
fn offered(model: &Model) -> Vec<SkinId> {
    let ids = (0..model.skins().len()).map(SkinId::new);
    ids.filter(|&id| &*model.skin(id).name != "default").collect()
}
