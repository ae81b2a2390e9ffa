//! The list of skins, grouped by the part of their names before the last `/`. Several can be worn at once. The last one
//! put on overrides the others; if the file ranks its skins, the first one of the list does, and they are not grouped.

use std::sync::Arc;

use egui::{Id, Ui};

use super::PartsPanel;
use crate::base::name::shown;
use crate::parts::lists::{SkinLine, SkinLines};
use crate::widgets::row::{HEIGHT, Row};
use crate::widgets::rows::Rows;
use pchr::Character;
use pchr::error::escaped;
use pchr::model::SkinId;
use pchr::motion::{default_skins, ranks_skins};

/// Returns the rows of the list.
pub fn rows(state: &mut PartsPanel<'_>) -> Rows {
    Rows { count: listed(state).lines.len(), height: HEIGHT }
}

/// Returns the heading of the list.
pub fn title(state: &mut PartsPanel<'_>) -> String {
    match listed(state).offered {
        1 => "Skin".to_owned(),
        count => format!("Skins ({count})"),
    }
}

/// Shows the list, `room` points high. A click puts a skin on over the others, or takes it off.
pub fn show(ui: &mut Ui, state: &mut PartsPanel<'_>, room: f32) {
    let Some(character) = state.playback.character().map(Arc::clone) else { return };
    let (model, listed) = (character.model(), listed(state));
    let active = state.playback.animator.skins();
    let (mut picked, mut folded) = (None, None);
    // Scroll to the skins that the character wears when it is opened.
    let reveal = (Id::unique(("skins of", Arc::as_ptr(&character) as usize)), listed.first_active);
    let rows = Rows { count: listed.lines.len(), height: HEIGHT };
    rows.show(ui, "skins", room, Some(reveal), |ui, row| match listed.lines.get(row)? {
        SkinLine::Group { name, count, is_open } => {
            let (label, count) = (escaped(name), count.to_string());
            let row = Row { name: &label, right: Some(&count), is_open: Some(*is_open), ..Row::default() };
            let response = row.show(ui).row;
            if response.clicked() {
                folded = Some((name.clone(), *is_open));
            }
            Some(response)
        }
        SkinLine::Skin(id, is_grouped) => {
            let (row, tooltip) = described(&character, active, *id);
            let name = shown(&model.skin(*id).name);
            let text = if *is_grouped { name.rsplit_once('/').map(|(_, text)| text) } else { None };
            let depth = usize::from(*is_grouped);
            let row = Row {
                name: &name,
                text,
                right: row.as_deref(),
                depth,
                is_selected: active.contains(id),
                ..Row::default()
            };
            let response = row.show(ui).row.on_hover_text(tooltip);
            if response.clicked() {
                picked = Some((*id, ui.input(|input| input.modifiers.shift)));
            }
            Some(response)
        }
    });
    if let Some((id, alone)) = picked
        && let Err(error) = state.playback.toggle_skin(id, alone)
    {
        state.actions.fail(error.to_string());
    }
    if let Some((group, is_open)) = folded {
        let folded = Arc::make_mut(&mut state.parts.side.folded_skins);
        _ = if is_open { folded.insert(group) } else { folded.remove(&group) };
    }
}

/// Returns the rows of the list; none without a character.
pub fn listed(state: &mut PartsPanel<'_>) -> Arc<SkinLines> {
    let Some(character) = state.playback.character() else { return Arc::default() };
    state.parts.listed_skins(character, state.playback.animator.skins())
}

/// Returns the secondary text of a skin and its tooltip.
fn described(character: &Character, active: &[SkinId], id: SkinId) -> (Option<String>, String) {
    let name = shown(&character.model().skin(id).name);
    let (is_usual, is_ranked) = (default_skins(character).contains(&id), ranks_skins(character));
    let place = active.iter().position(|active| *active == id);
    // The order given on the command line may differ from the file's.
    let is_as_ranked = active.is_sorted_by(|before, after| before.index() > after.index());
    let right = match place {
        Some(place) if active.len() > 1 && !(is_ranked && is_as_ranked) => Some((place + 1).to_string()),
        None if is_usual => Some("always worn".to_owned()),
        Some(_) | None => None,
    };
    let tooltip = match place {
        Some(_) => format!("{name}\nClick to take it off"),
        None if is_usual => format!("{name}\nAlways worn beneath the others; click to put it on top"),
        None if is_ranked => format!(
            "{name}\nClick to put it on; it overrides those below it in the list. Shift+click to wear only this one"
        ),
        None if active.is_empty() => format!("{name}\nClick to put it on"),
        None => format!("{name}\nClick to put it on over the others; Shift+click to wear only this one"),
    };
    (right, tooltip)
}
