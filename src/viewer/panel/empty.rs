//! The canvas without a character: how to open one.

use egui::{
    Align, Align2, Button, Color32, FontId, Grid, Label, Layout, Rect, RichText, Stroke, StrokeKind, Ui,
    UiBuilder, vec2,
};

use crate::error::escaped;
use crate::formats;
use crate::viewer::command::Command;
use crate::viewer::icon;
use crate::viewer::state::State;
use crate::viewer::theme::Palette;

/// Number of recent files shown, and of the characters of their folders.
const RECENT: usize = 6;
const LONGEST_FOLDER: usize = 36;

/// The keys to try first.
const FIRST_KEYS: [(Command, &str); 5] = [
    (Command::PlayPause, "play or pause"),
    (Command::StepForward, "step through the frames"),
    (Command::NextAnimation, "next animation"),
    (Command::ZoomFit, "fit to window"),
    (Command::Help, "all keys"),
];

/// Shows how to open a file, or why the selected one cannot be opened.
pub fn show(ui: &mut Ui, rect: Rect, state: &mut State, commands: &mut Vec<Command>) {
    let width = (rect.width() - 32.0).clamp(1.0, 520.0);
    let column = Rect::from_center_size(rect.center(), vec2(width, (rect.height() - 16.0).max(1.0)));
    let layout = Layout::top_down(Align::Center);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(column).layout(layout));
    ui.set_clip_rect(rect);
    match state.current() {
        Some(document) => {
            ui.add_space((column.height() * 0.5 - 110.0).max(8.0));
            match document.error() {
                Some(error) => broken(&mut ui, &document.name(), &error, commands),
                None if state.loading.is_idle() => not_loaded(&mut ui, &document.name(), commands),
                None => {}
            }
        }
        None => {
            ui.add_space((column.height() * 0.5 - 265.0).max(8.0));
            welcome(&mut ui, column.height(), state, commands);
        }
    }
}

fn welcome(ui: &mut Ui, height: f32, state: &mut State, commands: &mut Vec<Command>) {
    let has_room = height > 520.0;
    let palette = Palette::of(ui.visuals());
    if has_room {
        let (figure, _) = ui.allocate_exact_size(vec2(120.0, 120.0), egui::Sense::hover());
        icon::puppet(ui.painter(), figure.center(), 104.0, palette.accent);
        ui.add_space(8.0);
    }
    ui.heading("Open a character");
    ui.label(RichText::new("Drop files here, or choose them.").weak());
    ui.add_space(10.0);
    let button = Button::new(RichText::new("Open…").color(palette.panel).strong())
        .fill(palette.accent)
        .min_size(vec2(132.0, 34.0));
    if ui.add(button).on_hover_text(Command::Open.tooltip()).clicked() {
        commands.push(Command::Open);
    }
    recent(ui, state);
    ui.add_space(8.0);
    ui.label(RichText::new("Supported formats:").weak().small());
    for name in formats::names() {
        ui.label(RichText::new(name).weak().small());
    }
    // The list of recent files takes the place of the keys.
    if has_room && (state.recent.files().is_empty() || height > 720.0) {
        ui.add_space(18.0);
        keys(ui);
    }
}

/// Shows the files that were opened last, each as a button.
fn recent(ui: &mut Ui, state: &mut State) {
    state.recent.check(ui.input(|input| input.time), state.loading.waker.as_ref());
    if state.recent.files().is_empty() {
        return;
    }
    ui.add_space(12.0);
    ui.label(RichText::new("Recent files").weak().small());
    ui.spacing_mut().item_spacing.y = 1.0;
    let mut picked = None;
    for file in state.recent.files().iter().take(RECENT) {
        let note = if file.is_missing { "missing".to_owned() } else { file.folder() };
        let button = Button::new(RichText::new(file.name()))
            .right_text(RichText::new(short_end(&note)).small().weak())
            .frame_when_inactive(false)
            .truncate()
            .min_size(vec2(ui.available_width().min(420.0), 26.0));
        let button = ui.add_enabled(!file.is_missing, button);
        let path = escaped(&file.path.to_string_lossy());
        if button.on_hover_text(path.as_str()).on_disabled_hover_text(format!("{path} is missing")).clicked() {
            picked = Some(file.path.clone());
        }
    }
    picked.into_iter().for_each(|path| state.open_recent(path));
}

/// Returns the end of a long path: that of its beginning is rarely of interest.
fn short_end(path: &str) -> String {
    let count = path.chars().count();
    match count.checked_sub(LONGEST_FOLDER) {
        Some(cut @ 1..) => format!("…{}", path.chars().skip(cut).collect::<String>()),
        Some(0) | None => path.to_owned(),
    }
}

fn keys(ui: &mut Ui) {
    let rows = FIRST_KEYS.map(|(command, what)| {
        let key = command.bindings().first().map(|binding| binding.label(cfg!(target_os = "macos")));
        (key.unwrap_or_default(), what)
    });
    let mouse = [("Wheel".to_owned(), "zoom at the pointer"), ("Drag".to_owned(), "pan the view")];
    ui.allocate_ui_with_layout(vec2(250.0, 10.0), Layout::top_down(Align::Min), |ui| {
        Grid::new("first keys").min_row_height(20.0).min_col_width(84.0).spacing([16.0, 3.0]).show(ui, |ui| {
            for (key, what) in rows.into_iter().chain(mouse) {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.strong(key));
                ui.weak(what);
                ui.end_row();
            }
        });
    });
}

/// Shows that loading was cancelled.
fn not_loaded(ui: &mut Ui, name: &str, commands: &mut Vec<Command>) {
    ui.add(Label::new(RichText::new(format!("{name} was not loaded")).heading()).selectable(true));
    ui.add_space(12.0);
    buttons(ui, "Load", commands);
}

fn broken(ui: &mut Ui, name: &str, error: &str, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    let title = RichText::new(format!("{name} cannot be opened")).heading().color(palette.error);
    ui.add(Label::new(title).selectable(true));
    ui.add_space(6.0);
    ui.add(Label::new(error).wrap().selectable(true));
    ui.add_space(12.0);
    buttons(ui, "Try again", commands);
    ui.add_space(6.0);
    ui.label(RichText::new("The file is opened automatically as soon as it can be read.").weak().small());
}

/// Shows buttons for reading the file and for opening another one.
fn buttons(ui: &mut Ui, read: &str, commands: &mut Vec<Command>) {
    ui.allocate_ui_with_layout(vec2(230.0, 34.0), Layout::left_to_right(Align::Center), |ui| {
        for (label, command) in [(read, Command::Reload), ("Open another…", Command::Open)] {
            if ui.add(Button::new(label).min_size(vec2(108.0, 32.0))).on_hover_text(command.tooltip()).clicked() {
                commands.push(command);
            }
        }
    });
}

/// Shows the drop target while files are dragged over the window.
pub fn drop_hint(ui: &Ui, rect: Rect) {
    let count = ui.input(|input| input.raw.hovered_files.len());
    if count == 0 {
        return;
    }
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter();
    painter.rect_filled(rect, 0.0, Color32::from_black_alpha(150));
    let frame = rect.shrink(18.0);
    painter.rect(frame, 14.0, Color32::TRANSPARENT, Stroke::new(2.0, palette.accent), StrokeKind::Inside);
    let text = if count == 1 { "Drop to open".to_owned() } else { format!("Drop to open {count} files") };
    painter.text(rect.center(), Align2::CENTER_CENTER, text, FontId::proportional(22.0), Color32::WHITE);
}
