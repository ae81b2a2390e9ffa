//! The canvas without a character: how to open one.

use egui::accesskit::Role;
use egui::{
    Align, Align2, Button, Color32, FontId, Label, Layout, Rect, RichText, Stroke, StrokeKind, TextStyle, Ui,
    UiBuilder, WidgetInfo, vec2,
};

use crate::base::name;
use crate::files::Files;
use crate::files::panel::banner::atlases;
use crate::files::panel::problems::findings_button;
use crate::widgets::actions::{Action, Actions};
use crate::widgets::command::Command;
use crate::widgets::icon;
use crate::widgets::keycap;
use crate::widgets::read_aloud;
use crate::widgets::theme::Palette;
use pchr::formats;

/// Maximum number of recent files shown, and of the characters of their folders.
const RECENT: usize = 6;
const LONGEST_FOLDER: usize = 36;

/// Heights in points of the title with the button and the formats, of the figure, of the heading above recent files and
/// of one of them, and of the space above keys and of one of them.
const BASE: f32 = 148.0;
const FIGURE: f32 = 120.0;
const RECENT_HEADING: f32 = 34.0;
const RECENT_ROW: f32 = 27.0;
const KEYS_GAP: f32 = 16.0;
const KEY_ROW: f32 = 23.0;
/// Width of the list of keys, and of its column of keys, in points.
const KEYS: f32 = 270.0;
const KEY_COLUMN: f32 = 100.0;

/// The keys to try first: the first key of each command, and what they do.
const FIRST_KEYS: [(&[Command], &str); 5] = [
    (&[Command::PlayPause], "play or pause"),
    (&[Command::StepBack, Command::StepForward], "step through the frames"),
    (&[Command::NextAnimation], "next animation"),
    (&[Command::ZoomFit], "fit to window"),
    (&[Command::Help], "all keys"),
];
/// The same for the mouse.
const FIRST_MOUSE: [(&str, &str); 2] = [("Wheel", "zoom at the pointer"), ("Drag", "pan the view")];

/// Shows how to open a file, or why the selected one cannot be opened.
pub fn show(ui: &mut Ui, rect: Rect, files: &mut Files, actions: &mut Actions) {
    let width = (rect.width() - 32.0).clamp(1.0, 520.0);
    let column = Rect::from_center_size(rect.center(), vec2(width, (rect.height() - 16.0).max(1.0)));
    let layout = Layout::top_down(Align::Center);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(column).layout(layout));
    ui.set_clip_rect(rect);
    match files.current() {
        Some(document) => {
            ui.add_space((column.height() * 0.5 - 110.0).max(8.0));
            match document.error() {
                Some(error) => {
                    broken(&mut ui, &document.name(), &error, files, actions);
                    ui.horizontal_wrapped(|ui| atlases(ui, document, actions));
                }
                None if files.loading.is_idle() => not_loaded(&mut ui, &document.name(), actions),
                None => {}
            }
        }
        None => welcome(&mut ui, column.height(), files, actions),
    }
}

/// Parts that fit into the window besides the title, the button and the formats.
struct Parts {
    /// Number of recent files.
    recent: usize,
    has_keys: bool,
    has_figure: bool,
    /// Height of everything in points.
    height: f32,
}

impl Parts {
    /// Chooses the parts for a window of this height: recent files first, then keys, then the figure.
    fn new(room: f32, files: usize) -> Self {
        let mut height = BASE;
        let recent = ((room - height - RECENT_HEADING) / RECENT_ROW).max(0.0) as usize;
        let recent = recent.min(files).min(RECENT);
        if recent > 0 {
            height += RECENT_HEADING + RECENT_ROW * recent as f32;
        }
        let mut takes = |part: f32| {
            let fits = height + part <= room;
            height += if fits { part } else { 0.0 };
            fits
        };
        let has_keys = takes(KEYS_GAP + KEY_ROW * (FIRST_KEYS.len() + FIRST_MOUSE.len()) as f32);
        let has_figure = takes(FIGURE);
        Self { recent, has_keys, has_figure, height }
    }
}

fn welcome(ui: &mut Ui, room: f32, files: &mut Files, actions: &mut Actions) {
    let palette = Palette::of(ui.visuals());
    files.recent.check(ui.input(|input| input.time), files.loading.waker.as_ref());
    let parts = Parts::new(room, files.recent.files().len());
    ui.add_space(0.5 * (room - parts.height).max(0.0));
    if parts.has_figure {
        let (figure, _) = ui.allocate_exact_size(vec2(FIGURE, FIGURE - 12.0), egui::Sense::hover());
        icon::puppet(ui.painter(), figure.center(), 100.0, palette.accent);
        ui.add_space(12.0 - ui.spacing().item_spacing.y);
    }
    ui.heading("Open a character");
    ui.label(RichText::new("Drop files here, or open them:").weak());
    ui.add_space(10.0);
    let button = Button::new(RichText::new("Open…").color(palette.panel).strong())
        .fill(palette.accent)
        .min_size(vec2(132.0, 34.0));
    actions.on_click(ui.add(button), Command::Open);
    if room >= BASE {
        ui.add_space(8.0);
        // A line never ends within a name.
        let brands = formats::brands().map(|brand| brand.replace(' ', "\u{a0}")).collect::<Vec<_>>().join(" · ");
        let names = formats::names().collect::<Vec<_>>().join("\n");
        ui.label(RichText::new(brands).weak().small()).on_hover_text(names);
    }
    if parts.recent > 0 {
        recent(ui, files, parts.recent, actions);
    }
    if parts.has_keys {
        ui.add_space(KEYS_GAP);
        keys(ui);
    }
}

/// Shows the `count` files that were opened last, each as a button.
fn recent(ui: &mut Ui, files: &mut Files, count: usize, actions: &mut Actions) {
    ui.add_space(12.0);
    ui.label(RichText::new("Recent files").weak().small());
    ui.spacing_mut().item_spacing.y = 1.0;
    for file in files.recent.files().iter().take(count) {
        let note = if file.is_missing { "missing".to_owned() } else { file.folder() };
        let button = Button::new(RichText::new(file.name()))
            .right_text(RichText::new(short_end(&note)).small().weak())
            .frame_when_inactive(false)
            .truncate()
            .min_size(vec2(ui.available_width().min(420.0), 26.0));
        let button = ui.add_enabled(!file.is_missing, button);
        let path = name::path(&file.path);
        if button.on_hover_text(path.as_str()).on_disabled_hover_text(format!("{path} is missing")).clicked() {
            actions.push(Action::OpenRecent(file.path.clone()));
        }
    }
}

/// Returns the end of a long path: its beginning is rarely of interest.
fn short_end(path: &str) -> String {
    let count = path.chars().count();
    match count.checked_sub(LONGEST_FOLDER) {
        Some(cut @ 1..) => format!("…{}", path.chars().skip(cut).collect::<String>()),
        Some(0) | None => path.to_owned(),
    }
}

fn keys(ui: &mut Ui) {
    ui.spacing_mut().item_spacing.y = 0.0;
    for (commands, what) in FIRST_KEYS {
        let keys: Vec<&str> =
            commands.iter().filter_map(|command| command.caps().into_iter().next()).flatten().collect();
        let name = keys.join(if commands.len() > 1 { " " } else { "+" });
        let caps = keycap::layout(ui, &[keys]);
        let (ui, rect) = key_row(ui, &name, what);
        caps.paint_ending(ui, rect.left_center() + vec2(KEY_COLUMN, 0.0));
    }
    for (name, what) in FIRST_MOUSE {
        let color = Palette::of(ui.visuals()).text;
        let (ui, rect) = key_row(ui, name, what);
        let at = rect.left_center() + vec2(KEY_COLUMN, 0.0);
        ui.painter().text(at, Align2::RIGHT_CENTER, name, TextStyle::Body.resolve(ui.style()), color);
    }
}

/// Adds a row of the list of keys without the key.
fn key_row<'a>(ui: &'a mut Ui, name: &str, what: &str) -> (&'a Ui, Rect) {
    let width = ui.available_width().min(KEYS);
    let (rect, row) = ui.allocate_exact_size(vec2(width, KEY_ROW), egui::Sense::hover());
    row.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name} {what}")));
    let at = rect.left_center() + vec2(KEY_COLUMN + 16.0, 0.0);
    let font = TextStyle::Body.resolve(ui.style());
    ui.painter().text(at, Align2::LEFT_CENTER, what, font, Palette::of(ui.visuals()).text_weak);
    (ui, rect)
}

/// Shows that loading was cancelled.
fn not_loaded(ui: &mut Ui, name: &str, actions: &mut Actions) {
    ui.add(Label::new(RichText::new(format!("{name} was not loaded")).heading()).selectable(true));
    ui.add_space(12.0);
    buttons(ui, "Load", actions);
}

fn broken(ui: &mut Ui, name: &str, error: &str, files: &Files, actions: &mut Actions) {
    let palette = Palette::of(ui.visuals());
    let title = RichText::new(format!("{name} cannot be opened")).heading().color(palette.error);
    ui.add(Label::new(title).selectable(true));
    ui.add_space(6.0);
    ui.add(Label::new(error).wrap().selectable(true));
    ui.add_space(12.0);
    buttons(ui, "Try again", actions);
    ui.add_space(6.0);
    findings_button(ui, files, actions);
    ui.add_space(6.0);
    ui.label(RichText::new("The file is opened automatically as soon as it can be read.").weak().small());
}

/// Shows buttons for reading the file and for opening another one.
fn buttons(ui: &mut Ui, read: &str, actions: &mut Actions) {
    ui.allocate_ui_with_layout(vec2(230.0, 34.0), Layout::left_to_right(Align::Center), |ui| {
        for (label, command) in [(read, Command::Reload), ("Open another…", Command::Open)] {
            actions.on_click(ui.add(Button::new(label).min_size(vec2(108.0, 32.0))), command);
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
    let stroke = Stroke::new(2.0, palette.accent);
    painter.rect(frame, 14.0, Color32::TRANSPARENT, stroke, StrokeKind::Inside);
    let text = if count == 1 { "Drop to open".to_owned() } else { format!("Drop to open {count} files") };
    let galley = painter.layout(text.clone(), FontId::proportional(22.0), palette.text, frame.width());
    // A ground of its own: there may be other text below.
    let sign = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
    painter.rect(sign.expand2(vec2(28.0, 16.0)), 12.0, palette.panel, stroke, StrokeKind::Inside);
    painter.galley(sign.min, galley, palette.text);
    read_aloud(ui, sign, ui.scope_id().with("drop hint"), &text);
}
