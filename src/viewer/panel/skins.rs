//! The list of skins, grouped by the part of their names before the last `/`. Several can be worn at once. The last one
//! put on overrides the others; if the file ranks its skins, the first one of the list does, and they are not grouped.

use std::collections::HashMap;
use std::sync::Arc;

use egui::{Id, Ui};

use super::row::{HEIGHT, Row};
use super::rows::Rows;
use crate::character::Character;
use crate::error::escaped;
use crate::model::SkinId;
use crate::motion::{default_skins, ranks_skins};
use crate::viewer::state::State;

/// A row of the list.
#[derive(Debug, Clone, PartialEq)]
enum Line {
    /// A group with its number of skins.
    Group { name: String, count: usize, is_open: bool },
    /// A skin, and whether it is in a group.
    Skin(SkinId, bool),
}

/// Returns the rows of the list.
pub fn rows(state: &State) -> Rows {
    Rows { count: lines(state).len(), height: HEIGHT }
}

/// Returns the heading of the list.
pub fn title(state: &State) -> String {
    match state.loaded().map_or(0, |loaded| offered(&loaded.character).len()) {
        1 => "Skin".to_owned(),
        count => format!("Skins ({count})"),
    }
}

/// Returns the rows that match the filter. A group of one skin is not worth a row.
fn lines(state: &State) -> Vec<Line> {
    let Some(loaded) = state.loaded() else { return Vec::new() };
    let (character, model, filter) = (&*loaded.character, loaded.character.model(), &state.side.filter);
    let skins = offered(character).into_iter().filter(|id| filter.matches(&model.skin(*id).name));
    if ranks_skins(character) {
        return skins.map(|id| Line::Skin(id, false)).collect();
    }
    let skins: Vec<(SkinId, Option<&str>)> =
        skins.map(|id| (id, model.skin(id).name.rsplit_once('/').map(|(group, _)| group))).collect();
    let mut groups: HashMap<&str, Vec<SkinId>> = HashMap::new();
    for (id, group) in &skins {
        group.iter().for_each(|group| groups.entry(group).or_default().push(*id));
    }
    let mut lines = Vec::new();
    for (id, group) in &skins {
        match group.and_then(|group| Some((group, groups.get(group).filter(|members| members.len() > 1)?))) {
            None => lines.push(Line::Skin(*id, false)),
            // Where its first skin is.
            Some((group, members)) if members.first() == Some(id) => {
                let is_open = filter.is_on() || !state.side.folded_skins.contains(group);
                lines.push(Line::Group { name: group.to_owned(), count: members.len(), is_open });
                if is_open {
                    lines.extend(members.iter().map(|id| Line::Skin(*id, true)));
                }
            }
            Some(_) => {}
        }
    }
    lines
}

/// Shows the list, `room` points high. A click puts a skin on over the others, or takes it off.
pub fn show(ui: &mut Ui, state: &mut State, room: f32) {
    let Some(character) = state.loaded().map(|loaded| Arc::clone(&loaded.character)) else { return };
    let (model, lines) = (character.model(), lines(state));
    let worn = state.animator.skins();
    let (mut picked, mut folded) = (None, None);
    // Scroll to the skins that the character wears when it is opened.
    let is_worn = |line: &Line| matches!(line, Line::Skin(id, _) if worn.contains(id));
    let first = lines.iter().position(is_worn).unwrap_or_default();
    let reveal = (Id::unique(("skins of", Arc::as_ptr(&character) as usize)), first);
    let rows = Rows { count: lines.len(), height: HEIGHT };
    rows.show(ui, "skins", room, Some(reveal), |ui, row| match lines.get(row)? {
        Line::Group { name, count, is_open } => {
            let (label, count) = (escaped(name), count.to_string());
            let row = Row { name: &label, right: Some(&count), is_open: Some(*is_open), ..Row::default() };
            let response = row.show(ui).row;
            if response.clicked() {
                folded = Some((name.clone(), *is_open));
            }
            Some(response)
        }
        Line::Skin(id, is_grouped) => {
            let (row, tooltip) = described(&character, worn, *id);
            let name = shown(&model.skin(*id).name);
            let text = if *is_grouped { name.rsplit_once('/').map(|(_, text)| text) } else { None };
            let depth = usize::from(*is_grouped);
            let row = Row {
                name: &name,
                text,
                right: row.as_deref(),
                depth,
                is_selected: worn.contains(id),
                ..Row::default()
            };
            let response = row.show(ui).row.on_hover_text(tooltip);
            if response.clicked() {
                picked = Some((*id, ui.input(|input| input.modifiers.shift)));
            }
            Some(response)
        }
    });
    if let Some((id, alone)) = picked {
        state.wear(id, alone);
    }
    match folded {
        Some((group, true)) => _ = state.side.folded_skins.insert(group),
        Some((group, false)) => _ = state.side.folded_skins.remove(&group),
        None => {}
    }
}

fn shown(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { escaped(name) }
}

/// Returns the secondary text of a skin and its tooltip.
fn described(character: &Character, worn: &[SkinId], id: SkinId) -> (Option<String>, String) {
    let name = shown(&character.model().skin(id).name);
    let (is_usual, is_ranked) = (default_skins(character).contains(&id), ranks_skins(character));
    let place = worn.iter().position(|worn| *worn == id);
    // The order given on the command line may differ from the file's.
    let is_as_ranked = worn.is_sorted_by(|before, after| before.index() > after.index());
    let right = match place {
        Some(place) if worn.len() > 1 && !(is_ranked && is_as_ranked) => Some((place + 1).to_string()),
        None if is_usual => Some("always worn".to_owned()),
        Some(_) | None => None,
    };
    let tooltip = match place {
        Some(_) => format!("{name}\nClick to take it off"),
        None if is_usual => format!("{name}\nAlways worn beneath the others; click to put it on top"),
        None if is_ranked => format!(
            "{name}\nClick to put it on; it overrides those below it in the list. Shift+click to wear only this one"
        ),
        None if worn.is_empty() => format!("{name}\nClick to put it on"),
        None => format!("{name}\nClick to put it on over the others; Shift+click to wear only this one"),
    };
    (right, tooltip)
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
