//! The list of skins. Several can be worn at once. The last one put on overrides the others; if the file ranks its
//! skins, the first one of the list does.

use std::sync::Arc;

use egui::{Button, Id, RichText, Ui, vec2};

use super::heading;
use super::rows::Rows;
use crate::character::Character;
use crate::error::escaped;
use crate::model::SkinId;
use crate::motion::{default_skins, ranks_skins};
use crate::viewer::state::State;

/// Row height in points.
const ROW: f32 = 28.0;

/// Returns the rows of the list.
pub fn rows(state: &State) -> Rows {
    Rows { count: state.loaded().map_or(0, |loaded| offered(&loaded.character).len()), height: ROW }
}

/// Shows the list, `room` points high. A click puts a skin on over the others, or takes it off.
pub fn show(ui: &mut Ui, state: &mut State, room: f32) {
    let Some(loaded) = state.loaded() else { return };
    let (character, model) = (&*loaded.character, loaded.character.model());
    let (skins, usual, is_ranked) = (offered(character), default_skins(character), ranks_skins(character));
    if skins.is_empty() {
        return;
    }
    ui.add_space(12.0);
    heading(ui, if skins.len() == 1 { "Skin".to_owned() } else { format!("Skins ({})", skins.len()) });
    let worn = state.animator.skins();
    // The order given on the command line may differ from the file's.
    let is_as_ranked = worn.is_sorted_by(|before, after| before.index() > after.index());
    let mut picked = None;
    // Scroll to the skins that the character wears when it is opened.
    let first = skins.iter().position(|id| worn.contains(id)).unwrap_or_default();
    let reveal = (Id::unique(("skins of", Arc::as_ptr(&loaded.character) as usize)), first);
    rows(state).show(ui, "skins", room, Some(reveal), |ui, row| {
        let id = *skins.get(row)?;
        let name = match &*model.skin(id).name {
            "" => "(no name)".to_owned(),
            name => escaped(name),
        };
        let place = worn.iter().position(|worn| *worn == id);
        let mut button = Button::selectable(place.is_some(), &name);
        let is_usual = usual.contains(&id);
        let right = match place {
            Some(place) if worn.len() > 1 && !(is_ranked && is_as_ranked) => Some((place + 1).to_string()),
            None if is_usual => Some("always worn".to_owned()),
            Some(_) | None => None,
        };
        if let Some(right) = right {
            button = button.right_text(RichText::new(right).small().weak());
        }
        let button = button.truncate().min_size(vec2(ui.available_width(), ROW));
        let tooltip = match place {
            Some(_) => format!("{name}\nClick to take it off"),
            None if is_usual => format!("{name}\nAlways worn beneath the others; click to put it on top"),
            None if is_ranked => format!(
                "{name}\nClick to put it on; it overrides those below it in the list. Shift+click to wear only this one"
            ),
            None if worn.is_empty() => format!("{name}\nClick to put it on"),
            None => format!("{name}\nClick to put it on over the others; Shift+click to wear only this one"),
        };
        let response = ui.add(button).on_hover_text(tooltip);
        if response.clicked() {
            picked = Some((id, ui.input(|input| input.modifiers.shift)));
        }
        Some(response)
    });
    if let Some((id, alone)) = picked {
        state.wear(id, alone);
    }
}

/// Returns the skins to choose from: all except one that is always worn beneath the others, which it would not
/// change.
pub fn offered(character: &Character) -> Vec<SkinId> {
    let ids = character.model().skin_ids();
    // If styles are ranked, putting it on would raise it above others that are always worn.
    let is_behind_all = ids.len() == 1 || !ranks_skins(character);
    let changes_nothing = |id: &SkinId| is_behind_all && default_skins(character).contains(id);
    ids.filter(|id| !changes_nothing(id)).collect()
}
