//! The side panel: a filter, and sections that fold and share the height, in two columns if it is wide. A long list scrolls
//! on its own, and in a window too low for all of them, the whole column scrolls.

use egui::accesskit::Role;
use egui::{Align, Button, Id, Label, Layout, RichText, ScrollArea, TextEdit, Ui, WidgetInfo, vec2};

use super::{PartsPanel, animations, info, skins, slots, tree};
use crate::files::panel::{list, problems};
use crate::parts::side::Section;
use crate::widgets::command::Command;
use crate::widgets::icon::{self, Icon};
use crate::widgets::kept::{measure, measured};
use crate::widgets::rows::{Rows, Share, share};
use crate::widgets::section;

/// Minimum number of visible rows per list.
const MIN_ROWS: usize = 4;
const MIN_SLOTS: usize = 6;
/// Height in points below which the rows get the room of the filter.
const MIN_HEIGHT_FOR_FILTER: f32 = 140.0;
/// Width in points from which there are two columns, and height that facts need beside the rows of the lists.
const TWO_COLUMNS: f32 = 340.0;
const FACTS: f32 = 300.0;
/// Space above a section in points.
const ABOVE: f32 = 4.0;

/// A list with its heading.
struct Listed {
    section: Section,
    title: String,
    /// No rows while it is folded.
    rows: Rows,
    least: usize,
}

/// Shows the filter and the sections.
pub fn show(ui: &mut Ui, state: &mut PartsPanel<'_>) {
    let side = &mut state.parts.side;
    side.has_two_columns = state.playback.has_character && ui.available_width() >= TWO_COLUMNS;
    let has_two_columns = side.has_two_columns;
    let lists = listed(state);
    let is_right = |list: &Listed| has_two_columns && matches!(list.section, Section::Slots | Section::Tree);
    let beside: f32 = lists.iter().filter(|list| !is_right(list)).map(|list| list.rows.total()).sum();
    state.parts.side.is_high = ui.available_height() - beside >= FACTS;
    let has_room = ui.available_height() >= MIN_HEIGHT_FOR_FILTER || state.parts.side.filter.is_on();
    if (state.playback.has_character || state.files.documents.len() > 1)
        && (has_room || state.parts.side.wants_filter)
    {
        filter(ui, state, &lists);
    }
    if !has_two_columns {
        return column(ui, state, lists, true, "lists");
    }
    let (right, left): (Vec<Listed>, Vec<Listed>) = lists.into_iter().partition(is_right);
    ui.columns_const(|[first, second]| {
        column(first, state, left, true, "lists");
        column(second, state, right, false, "slots and tree");
    });
}

/// Shows a column of sections; `has_facts` and the problems below them.
fn column(ui: &mut Ui, state: &mut PartsPanel<'_>, lists: Vec<Listed>, has_facts: bool, id: &str) {
    let room = ui.available_height();
    ScrollArea::vertical().id_salt(id).auto_shrink(false).show(ui, |ui| {
        let (top, between) = (ui.cursor().top(), ui.spacing().item_spacing.y);
        // Assume that everything else is as high as in the last frame; the lists share the rest.
        let known = Id::unique(("height beside the lists", id));
        let other = measured(ui, known);
        let shares: Vec<Share> = lists
            .iter()
            .map(|list| Share { wants: list.rows.total(), least: list.rows.height_of(list.least) })
            .collect();
        let heights = share(room - other, &shares);
        let mut used = 0.0;
        for (list, height) in lists.into_iter().zip(heights) {
            if !header(ui, state, list.section, &list.title) {
                continue;
            }
            used += height;
            match list.section {
                Section::Files => list::show(ui, state.files, &state.parts.side.filter, state.actions, height),
                Section::Animations => animations::show(ui, state, height),
                Section::Skins => skins::show(ui, state, height),
                Section::Slots => slots::show(ui, state, height),
                Section::Tree => tree::show(ui, state, list.rows, height),
                Section::Character => {}
            }
        }
        if has_facts {
            if state.playback.has_character && header(ui, state, Section::Character, "Character") {
                info::show(ui, state);
            }
            problems::show(ui, state.files, state.actions);
        }
        let found = ui.cursor().top() - between - top - used;
        measure(ui, known, found, "the height beside the lists has changed");
    });
}

/// Returns the lists to show. While the filter is on, these are the ones with matches, and the tree is unfolded.
fn listed(state: &mut PartsPanel<'_>) -> Vec<Listed> {
    let tree = tree::rows(state);
    let slots_named =
        if state.playback.model().is_some_and(|model| model.skins().is_empty()) { "Meshes" } else { "Slots" };
    let lists = [
        (Section::Files, "Files", list::rows(state.files, &state.parts.side.filter), MIN_ROWS),
        (Section::Animations, "Animations", animations::rows(state), MIN_ROWS),
        (Section::Skins, "Skins", skins::rows(state), MIN_ROWS),
        (Section::Slots, slots_named, slots::rows(state), MIN_SLOTS),
        (Section::Tree, "Tree", tree, MIN_SLOTS),
    ];
    let is_filtered = state.parts.side.filter.is_on();
    let mut listed = Vec::new();
    for (section, name, rows, least) in lists {
        let is_bare = match section {
            Section::Animations => state.playback.model().is_some() && !is_filtered,
            // The switch that lists all of them again stays.
            Section::Slots => state.parts.side.only_visible && slots::are_any(state),
            Section::Files | Section::Skins | Section::Tree | Section::Character => false,
        };
        if rows.count == 0 && !is_bare {
            continue;
        }
        let title = match section {
            Section::Tree => name.to_owned(),
            Section::Skins => skins::title(state),
            Section::Files | Section::Animations | Section::Slots | Section::Character => match rows.count {
                1 => name.trim_end_matches('s').to_owned(),
                count => format!("{name} ({count})"),
            },
        };
        let is_open = is_open(state, section);
        let rows = if is_open { rows } else { Rows { count: 0, ..rows } };
        listed.push(Listed { section, title, rows, least });
    }
    listed
}

fn is_open(state: &PartsPanel<'_>, section: Section) -> bool {
    state.parts.side.is_open(section) || (section == Section::Tree && state.parts.side.filter.is_on())
}

/// Shows the heading of a section, which folds it. Returns true if it is unfolded.
fn header(ui: &mut Ui, state: &mut PartsPanel<'_>, of: Section, title: &str) -> bool {
    let is_open = is_open(state, of);
    ui.add_space(ABOVE);
    if section(ui, title, is_open).clicked() {
        state.parts.side.toggle(of);
        ui.ctx().request_discard("a section folds or unfolds");
    }
    is_open
}

/// Shows the filter of all lists, the number of matches, and a button that clears it.
fn filter(ui: &mut Ui, state: &mut PartsPanel<'_>, lists: &[Listed]) {
    let is_on = state.parts.side.filter.is_on();
    ui.allocate_ui_with_layout(vec2(ui.available_width(), 26.0), Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if is_on {
            if icon::button(ui, Icon::Close, "Clear the filter", "Clear the filter", vec2(22.0, 22.0)).clicked() {
                state.parts.side.filter.text.clear();
            }
            let others = lists.iter().filter(|list| matches!(list.section, Section::Files | Section::Animations));
            let count = others.map(|list| list.rows.count).sum::<usize>() + state.parts.side.tree.match_count();
            let text = if count == 1 { "1 match".to_owned() } else { format!("{count} matches") };
            ui.add(Label::new(RichText::new(text).small().weak()));
        }
        hidden(ui, state);
        let field = TextEdit::singleline(&mut state.parts.side.filter.text)
            .id(Id::unique("filter"))
            .hint_text("Filter")
            .desired_width(f32::INFINITY);
        let field = ui.add(field).on_hover_text(Command::Filter.tooltip());
        if std::mem::take(&mut state.parts.side.wants_filter) {
            field.request_focus();
        }
    });
}

/// Shows a button that names what is hidden and shows all again. It is beside the filter, so that the lists stay where
/// they are.
fn hidden(ui: &mut Ui, state: &mut PartsPanel<'_>) {
    if state.parts.hidden.is_empty() || !state.playback.has_character {
        return;
    }
    let [hidden, solo] = state.parts.side.lists.hidden(&state.parts.hidden);
    let parts = |count: usize| if count == 1 { "1 part is".to_owned() } else { format!("{count} parts are") };
    let (text, meaning) = match (hidden, solo) {
        (0, solo) => (format!("{solo} alone"), format!("{} shown alone", parts(solo))),
        (hidden, 0) => (format!("{hidden} hidden"), format!("{} hidden", parts(hidden))),
        (hidden, solo) => {
            (format!("{hidden} hidden"), format!("{} hidden, {} shown alone", parts(hidden), parts(solo)))
        }
    };
    ui.spacing_mut().button_padding.x = 6.0;
    let button = ui.add(Button::new(RichText::new(text).small()));
    button.widget_info(|| {
        let info = WidgetInfo::labeled(Role::Button, true, "Show all");
        WidgetInfo { current_text_value: Some(meaning.clone()), ..info }
    });
    if button.on_hover_text(format!("{meaning}. {}", Command::ShowAll.tooltip())).clicked() {
        state.parts.show_all();
    }
}
