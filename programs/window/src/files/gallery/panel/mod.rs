//! The gallery: a heading with the filter, and the files as tiles.

mod tile;

use std::path::Path;
use std::sync::Arc;

use egui::{
    Align, ComboBox, Id, Label, Layout, Rect, RichText, TextEdit, TextureId, TextureOptions, Ui, UiBuilder, vec2,
};

use super::Gallery;
use super::entry::{Texture, Thumbnail};
use super::listing::Sort;
use super::thumbnail::COLUMNS;
use crate::base::name::many;
use crate::widgets::actions::{Action, Actions, Request};
use crate::widgets::command::Command;
use crate::widgets::icon::{self, Icon};
use crate::widgets::rows::{Rows, SCROLL_BAR};
use crate::widgets::theme::Palette;
use tile::Tile;

/// Sides of small and of large pictures in points.
const SMALL: f32 = 160.0;
const LARGE: f32 = 260.0;
/// Space around the tiles, and between two of them, in points.
const MARGIN: f32 = 12.0;
const GAP: f32 = 8.0;
/// Height of the heading in points.
const HEADING: f32 = 32.0;
/// Widths of the filter in points.
const FILTER: f32 = 180.0;
const LEAST_FILTER: f32 = 60.0;
/// Width of the heading in points from which on it has a button for contact sheets.
const ROOMY: f32 = 640.0;
/// Smallest and largest side of a picture in pixels.
const SIDES: [f32; 2] = [32.0, 512.0];

/// Shows the gallery. A click or Enter opens a file.
pub fn show(ui: &mut Ui, rect: Rect, gallery: &mut Gallery, actions: &mut Actions) {
    gallery.frame += 1;
    gallery.refresh();
    let area = rect.shrink(MARGIN);
    let mut ui =
        ui.new_child(UiBuilder::new().id_salt("gallery").max_rect(area).layout(Layout::top_down(Align::Min)));
    ui.set_clip_rect(rect);
    let order = gallery.order();
    heading(&mut ui, gallery, &order, actions);
    ui.add_space(MARGIN);
    if order.is_empty() {
        return empty(&mut ui, gallery);
    }
    let width = ui.available_width() - SCROLL_BAR;
    let tile = if gallery.is_large { LARGE } else { SMALL };
    let size = tile::size(tile, gallery.entries.iter().any(|entry| !entry.folder.is_empty()));
    let columns = (((width + GAP) / (size.x + GAP)).floor() as usize).max(1);
    // What is left is shared by the gaps.
    let gap = if columns > 1 { (width - columns as f32 * size.x) / (columns - 1) as f32 } else { GAP };
    let rows = Rows { count: order.len().div_ceil(columns), height: size.y };
    // A strip is a texture.
    let largest = ui.input(|input| input.max_texture_side) / COLUMNS;
    let side = (tile * ui.pixels_per_point()).round().clamp(SIDES[0], SIDES[1].min(largest as f32)) as u32;
    let first = gallery.opened.as_ref().and_then(|path| gallery.places.get(path));
    let focused = first.and_then(|first| order.iter().position(|index| index == first)).unwrap_or_default();
    let reveal = Some((Id::unique(("gallery", gallery.reveal)), focused / columns));
    let wants_focus = std::mem::take(&mut gallery.wants_focus);
    let (mut visible, mut pointed) = (Vec::new(), None);
    let room = ui.available_height();
    rows.show(&mut ui, "tiles", room, reveal, |ui, row| {
        let (mut last, corner) = (None, ui.max_rect().min);
        for (column, place) in (row * columns..order.len().min((row + 1) * columns)).enumerate() {
            let index = *order.get(place)?;
            let left = column as f32 * (size.x + gap);
            let place_on_screen = Rect::from_min_size(corner + vec2(left, 0.0), size.min(vec2(width, size.y)));
            let tile = Tile::show(ui, place_on_screen, gallery, index, wants_focus && place == focused);
            visible.extend(tile.is_visible.then_some(index));
            pointed = if tile.is_pointed { Some(index) } else { pointed };
            let path = Arc::clone(&gallery.entries.get(index)?.path);
            tile.response.context_menu(|ui| menu(ui, gallery, &path, actions));
            if tile.wants_findings {
                actions.push(Action::ShowFindings(path.to_path_buf()));
            } else if tile.response.clicked() && !gallery.select(place, ui.input(|input| input.modifiers)) {
                actions.push(Action::OpenTile(path.to_path_buf()));
            }
            if tile.response.has_focus() || last.is_none() {
                last = Some(tile.response);
            }
        }
        last
    });
    gallery.ask(&visible, pointed, side);
    gallery.forget_textures();
}

/// Shows what can be done with a file, or with all selected ones if it is one of them.
fn menu(ui: &mut Ui, gallery: &mut Gallery, path: &Path, actions: &mut Actions) {
    let is_selected = gallery.selection.has(path);
    let files = if is_selected { gallery.chosen_files() } else { vec![path.to_owned()] };
    if ui.button("Open").clicked() {
        actions.push(Action::OpenTile(path.to_owned()));
    }
    if ui.button("Show findings").clicked() {
        actions.push(Action::ShowFindings(path.to_owned()));
    }
    if files.len() > 1 {
        if ui.button(format!("Put {} on the stage", files.len())).clicked() {
            actions.push(Action::StageTiles(files.clone()));
        }
        if ui.button("Contact sheet…").clicked() {
            actions.push(Command::Export);
        }
    }
    ui.separator();
    if ui.button(if files.len() > 1 { "Copy paths" } else { "Copy path" }).clicked() {
        let paths: Vec<_> = files.iter().map(|path| path.to_string_lossy()).collect();
        ui.copy_text(paths.join("\n"));
    }
    if let Some(folder) = path.parent()
        && ui.button("Show in folder").clicked()
    {
        actions.push(Request::OpenFolder(folder.to_owned()));
    }
}

/// Shows the folder, the number of files, and how they are narrowed down and sorted.
fn heading(ui: &mut Ui, gallery: &mut Gallery, order: &[usize], actions: &mut Actions) {
    let (count, all, unread) = (order.len(), gallery.entries.len(), gallery.unread);
    let mut text = match (count, all) {
        (count, all) if count == all => many(all, "character"),
        (count, all) => format!("{count} of {all} characters"),
    };
    let selected = order.iter().filter(|index| gallery.selection.has(&gallery.entries[**index].path)).count();
    if selected > 0 {
        text = format!("{selected} selected of {text}");
    }
    if gallery.searching.is_some() {
        text.push_str(", searching…");
    } else if gallery.sort.needs_facts() && unread > 0 {
        text.push_str(&format!(", reading {unread} more…"));
    }
    let size = vec2(ui.available_width(), HEADING);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        icon::command(ui, Icon::Loop, "Search again", Command::Reload, vec2(26.0, 26.0), actions);
        let has_room = ui.available_width() >= ROOMY;
        let tooltip = "Writes a picture of all these characters";
        if has_room && count > 1 && ui.button("Contact sheet…").on_hover_text(tooltip).clicked() {
            actions.push(Command::Export);
        }
        if has_room && selected > 1 && ui.button("Put on the stage").clicked() {
            actions.push(Action::StageTiles(gallery.chosen_files()));
        }
        ui.toggle_value(&mut gallery.is_large, "Large").on_hover_text("Larger tiles");
        let sort = ComboBox::from_id_salt("sort").selected_text(gallery.sort.label()).width(110.0);
        let sort = sort.show_ui(ui, |ui| {
            Sort::ALL.iter().for_each(|sort| _ = ui.selectable_value(&mut gallery.sort, *sort, sort.label()));
        });
        let label = ui.label(RichText::new("Sort by").weak());
        sort.response.labelled_by(label.id);
        let width = (ui.available_width() * 0.4).clamp(LEAST_FILTER, FILTER);
        let field = TextEdit::singleline(&mut gallery.filter.text).id(Id::unique("gallery filter"));
        // The usual colour of fields is that of the canvas.
        let field = field.background_color(Palette::of(ui.visuals()).panel);
        let field = ui.add(field.hint_text("Filter").desired_width(width));
        let field = field.on_hover_text("Shows only files whose name, folder or format contains this");
        if std::mem::take(&mut gallery.wants_filter) {
            field.request_focus();
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(RichText::new(gallery.title()).heading()).truncate());
            ui.add(Label::new(RichText::new(text).weak()).truncate());
        });
    });
}

fn empty(ui: &mut Ui, gallery: &Gallery) {
    let text = match (gallery.entries.is_empty(), gallery.searching.is_some()) {
        (true, true) => "Searching for characters…",
        (true, false) => "There are no characters in this folder",
        (false, _) => "No file matches the filter",
    };
    ui.add_space(ui.available_height() * 0.4);
    ui.vertical_centered(|ui| ui.label(RichText::new(text).weak()));
}

impl Gallery {
    /// Returns the texture of a file, created on first use.
    fn texture(&mut self, ui: &Ui, index: usize) -> Option<TextureId> {
        let frame = self.frame;
        let entry = self.entries.get_mut(index)?;
        let texture = match std::mem::take(&mut entry.thumbnail) {
            Thumbnail::Decoded(image) => {
                self.textures += 1;
                Texture(ui.ctx().load_texture("thumbnail", image, TextureOptions::LINEAR))
            }
            Thumbnail::Uploaded(texture, _) => texture,
            other @ (Thumbnail::Wanted | Thumbnail::Unavailable) => {
                entry.thumbnail = other;
                return None;
            }
        };
        let id = texture.0.id();
        entry.thumbnail = Thumbnail::Uploaded(texture, frame);
        Some(id)
    }
}
