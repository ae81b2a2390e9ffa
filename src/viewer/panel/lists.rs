//! The lists beside the canvas. They share its height: a long list scrolls on its own, and in a window too low for
//! all of them, the whole column scrolls.

use egui::{Id, ScrollArea, Ui};

use super::rows::{Share, share};
use super::{animations, files, info, problems, skins, slots};
use crate::viewer::state::State;

/// Minimum number of visible rows per list.
const MIN_ROWS: usize = 4;
const MIN_SLOTS: usize = 6;

/// Shows the lists, and the facts about the character below them.
pub fn show(ui: &mut Ui, state: &mut State) {
    let room = ui.available_height();
    ScrollArea::vertical().id_salt("lists").auto_shrink(false).show(ui, |ui| {
        let (top, between) = (ui.cursor().top(), ui.spacing().item_spacing.y);
        // Assume that everything else is as high as in the last frame; the lists share the rest.
        let known = Id::unique("height beside the lists");
        let other: f32 = ui.data(|data| data.get_temp(known)).unwrap_or_default();
        let lists = [files::rows(state), animations::rows(state), skins::rows(state), slots::rows(ui, state)];
        let least = [MIN_ROWS, MIN_ROWS, MIN_ROWS, MIN_SLOTS];
        let shares: Vec<Share> = lists
            .iter()
            .zip(least)
            .map(|(rows, least)| Share { wants: rows.total(), least: rows.height_of(least) })
            .collect();
        let heights = share(room - other, &shares);
        files::show(ui, state, heights[0]);
        animations::show(ui, state, heights[1]);
        skins::show(ui, state, heights[2]);
        slots::show(ui, state, heights[3]);
        if state.loaded().is_some() {
            ui.add_space(12.0);
            info::show(ui, state);
        }
        problems::show(ui, state);
        let found = ui.cursor().top() - between - top - heights.iter().sum::<f32>();
        if (found - other).abs() > 0.5 {
            ui.data_mut(|data| data.insert_temp(known, found));
            ui.ctx().request_discard("the height beside the lists has changed");
        }
    });
}
