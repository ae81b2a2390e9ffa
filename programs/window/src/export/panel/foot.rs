//! The foot of the export dialog: the equivalent command, the path, and the buttons.

use std::path::PathBuf;

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align, Button, Color32, Frame, Label, Layout, Margin, ProgressBar, Response, RichText, ScrollArea, TextEdit,
    TextFormat, TextStyle, Ui, vec2,
};

use super::{Requests, choices};
use crate::base::name;
use crate::export::{Ended, Export, Job, Phase, Question};
use crate::overlays::statistics::bytes;
use crate::widgets::theme::Palette;
use pchr::error::escaped;
use pchr::export::Written;

/// Seconds between two updates of the progress.
const POLL_SECS: f32 = 0.05;

/// Height of the last row in points, whatever its content.
const ROW: f32 = 28.0;
/// Widths of the columns of labels and buttons in points.
const LABELS: f32 = 72.0;
const BUTTONS: f32 = 84.0;
/// Share of the dialog's height that the command may fill, and its minimum height in points. Longer ones scroll.
const COMMAND_SHARE: f32 = 0.15;
const MIN_COMMAND: f32 = 16.0;
/// Maximum number of lines of a result; the rest is shown while the pointer is over it.
const RESULT_LINES: usize = 3;
/// Seconds before *Replace* accepts clicks after the question about existing files appears: twice the maximum
/// interval of a double click.
const ARM_SECS: f64 = 0.6;

/// A request from a button.
enum Action {
    Start { by_key: bool },
    Replace,
    Keep,
}

/// Shows the foot of a dialog that is `height` points high.
pub fn show(ui: &mut Ui, export: &mut Export, requests: &mut Requests, height: f32) {
    ui.add_space(12.0);
    // The foot grows upwards: the path stays in place while the command becomes longer.
    command(ui, export, (COMMAND_SHARE * height).max(MIN_COMMAND));
    name(ui, export, requests);
    ui.add_space(4.0);
    ui.spacing_mut().interact_size.y = ROW;
    let mut action = None;
    let has_matte = export.options.look.matte.is_some();
    if let Phase::Ended(ended) = &export.phase {
        result(ui, ended, export.written_bytes, has_matte);
    }
    // Each state has its own ids, so that the keyboard focus does not jump to a button in the place of another
    // one.
    match &export.phase {
        Phase::Running(job) => ui.push_id("running", |ui| running(ui, job)),
        Phase::Ended(Ended::Exists { first, count }) => {
            let text = question(&name::path(first), *count);
            ui.push_id("question", |ui| answers(ui, text, &mut export.question, &mut action))
        }
        Phase::Choosing | Phase::Ended(_) => {
            let has_files = export.folder().is_some();
            ui.push_id("waiting", |ui| waiting(ui, requests, &mut action, has_files))
        }
    };
    match action {
        Some(Action::Start { by_key }) => start(export, by_key),
        Some(Action::Replace) => export.replace(),
        Some(Action::Keep) => export.phase = Phase::Choosing,
        None => {}
    }
}

/// Presses *Export*, if the dialog shows that button.
pub fn enter(export: &mut Export) {
    match &export.phase {
        Phase::Running(_) | Phase::Ended(Ended::Exists { .. }) => {}
        Phase::Choosing | Phase::Ended(_) => start(export, true),
    }
}

fn start(export: &mut Export, by_key: bool) {
    export.start();
    export.question.by_key = by_key;
}

/// Returns true for a click that is not the second of a double click, which was meant for the previous button.
fn is_single_click(response: &Response) -> bool {
    response.clicked() && !response.double_clicked() && !response.triple_clicked()
}

fn name(ui: &mut Ui, export: &mut Export, requests: &mut Requests) {
    ui.add_enabled_ui(!export.is_running(), |ui| {
        ui.horizontal(|ui| {
            let label = choices::label(ui, "Save as", LABELS);
            let width = (ui.available_width() - BUTTONS - ui.spacing().item_spacing.x).max(60.0);
            let field = TextEdit::singleline(&mut export.path).desired_width(width).margin(vec2(8.0, 5.0));
            let field = ui.add(field).labelled_by(label.id);
            let tooltip = "Placeholders: {name}, {animation}, {index} and {frame:04}; write {{ and }} for braces";
            let field = field.on_hover_text(tooltip);
            requests.path_entered = field.lost_focus();
            if field.changed() {
                export.typed_path();
            }
            requests.choose_name = ui.add_sized(vec2(BUTTONS, ROW), Button::new("Choose…")).clicked();
        });
    });
}

/// Shows the command line, at most `height` points high, and a button to copy it.
fn command(ui: &mut Ui, export: &mut Export, height: f32) {
    let line = export.command_line();
    let sunken = Palette::of(ui.visuals()).sunken;
    let frame = Frame::new().fill(sunken).corner_radius(6).inner_margin(Margin::symmetric(8, 6));
    ui.horizontal_top(|ui| {
        choices::label(ui, "Command", LABELS);
        let width = (ui.available_width() - BUTTONS - ui.spacing().item_spacing.x).max(60.0) - 16.0;
        frame.show(ui, |ui| {
            ui.allocate_ui_with_layout(vec2(width, 0.0), Layout::top_down(Align::Min), |ui| {
                ui.set_width(width);
                let area =
                    ScrollArea::vertical().id_salt("command").max_height(height).min_scrolled_height(height);
                area.show(ui, |ui| {
                    ui.add(Label::new(RichText::new(escaped(&line)).monospace()).wrap().selectable(true));
                });
            });
        });
        let is_copied = export.is_copied(&line);
        let button = Button::new(if is_copied { "Copied" } else { "Copy" });
        let button = ui.add_sized(vec2(BUTTONS, ROW), button);
        if button.on_hover_text("Copy the command that writes the same files").clicked() {
            match export.command_for_clipboard() {
                Ok(line) => {
                    ui.copy_text(line.clone());
                    export.copied = Some(line);
                }
                Err(error) => {
                    export.phase = Phase::Ended(Ended::Failed(format!("the scene cannot be written: {error}")));
                }
            }
        }
    });
}

/// Shows the progress. *Cancel* is where *Close* was: whoever clicks *Export* twice does not cancel.
fn running(ui: &mut Ui, job: &Job) {
    ui.request_repaint_after_secs(POLL_SECS);
    last_row(ui, |ui| {
        ui.add_enabled(false, Button::new("Export").min_size(vec2(BUTTONS, 0.0)));
        let cancel = Button::new("Cancel").min_size(vec2(BUTTONS, 0.0));
        let cancel = ui.add_enabled(!job.is_cancelled(), cancel).on_hover_text("Cancel  (Escape)");
        if is_single_click(&cancel) {
            job.cancel();
        }
        let (done, total) = job.progress();
        let share = done as f32 / total.max(1) as f32;
        let text = match (job.is_cancelled(), total) {
            (true, _) => "Stopping…".to_owned(),
            (false, 0) => "Preparing…".to_owned(),
            (false, _) => format!("{:.0} %", (share * 100.0).floor()),
        };
        let width = ui.available_width().max(40.0);
        ui.add(ProgressBar::new(share).desired_width(width).text(text));
    });
}

/// Adds the last row, from the right to the left.
fn last_row(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let size = vec2(ui.available_width(), ROW);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_size(size);
        add(ui);
    });
}

/// Shows the buttons while no export is running.
fn waiting(ui: &mut Ui, requests: &mut Requests, action: &mut Option<Action>, has_files: bool) {
    last_row(ui, |ui| {
        let palette = Palette::of(ui.visuals());
        let text = RichText::new("Export").strong().color(palette.panel);
        let export = ui.add(Button::new(text).fill(palette.accent).min_size(vec2(BUTTONS, 0.0)));
        if is_single_click(&export) {
            *action = Some(Action::Start { by_key: export.has_focus() });
        }
        if is_single_click(&ui.add(Button::new("Close").min_size(vec2(BUTTONS, 0.0)))) {
            requests.close = true;
        }
        let tooltip = "Show the folder of the written files";
        if has_files && ui.button("Open folder").on_hover_text(tooltip).clicked() {
            requests.open_folder = true;
        }
    });
}

fn question(first: &str, count: usize) -> String {
    match count {
        1 => format!("{first} already exists. Replace it?"),
        count => format!("{count} files already exist, including {first}. Replace them?"),
    }
}

/// Shows the question and its answers at the left, away from the button that was clicked last.
fn answers(ui: &mut Ui, text: String, question: &mut Question, action: &mut Option<Action>) {
    let now = ui.input(|input| input.time);
    let is_new = question.asked_at.is_none();
    let waits = *question.asked_at.get_or_insert(now) + ARM_SECS - now;
    if waits > 0.0 {
        ui.request_repaint_after_secs(waits as f32);
    }
    ui.horizontal(|ui| {
        if ui.add_enabled(waits <= 0.0, Button::new("Replace")).clicked() {
            *action = Some(Action::Replace);
        }
        let keep = ui.button("Keep");
        if keep.clicked() {
            *action = Some(Action::Keep);
        }
        if is_new && question.by_key {
            keep.request_focus();
        }
        let width = (ui.available_width() - BUTTONS).max(40.0);
        ui.allocate_ui_with_layout(vec2(width, ROW), Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(text).truncate().selectable(true));
        });
    });
}

/// Shows the result of the last export.
fn result(ui: &mut Ui, ended: &Ended, written_bytes: u64, has_matte: bool) {
    let palette = Palette::of(ui.visuals());
    let (text, color) = match ended {
        Ended::Written(written) => (saved(written, written_bytes, has_matte), palette.text),
        Ended::Converted { files, losses } => (converted(files, written_bytes, losses), palette.text),
        Ended::Cancelled => ("Cancelled; nothing was written.".to_owned(), palette.text),
        Ended::Failed(error) => (format!("Nothing was written: {error}"), palette.error),
        // A question with its own answers.
        Ended::Exists { .. } => return,
    };
    // The label is copied in full even if it is truncated.
    ui.add(Label::new(few_lines(ui, &text, color)).wrap().selectable(true)).on_hover_text(text);
}

/// Lays out a text in at most [`RESULT_LINES`] lines.
fn few_lines(ui: &Ui, text: &str, color: Color32) -> LayoutJob {
    let format = TextFormat::simple(TextStyle::Body.resolve(ui.style()), color);
    let wrap = TextWrapping { max_rows: RESULT_LINES, ..TextWrapping::default() };
    LayoutJob { wrap, ..LayoutJob::single_section(text.to_owned(), format) }
}

fn saved_files(files: &[PathBuf], written_bytes: u64) -> String {
    let first = files.first().map(|file| name::path(file)).unwrap_or_default();
    let size = bytes(written_bytes);
    match files.len() {
        1 => format!("Saved {first} ({size})."),
        count => format!("Saved {count} files ({size}), starting with {first}."),
    }
}

fn converted(files: &[PathBuf], written_bytes: u64, losses: &[String]) -> String {
    let mut text = saved_files(files, written_bytes);
    match losses.len() {
        0 => {}
        1 => text.push_str(" 1 loss:"),
        count => text.push_str(&format!(" {count} losses:")),
    }
    // Visible while the pointer is over the text.
    for loss in losses {
        text.push('\n');
        text.push_str(&escaped(loss));
    }
    text
}

fn saved(Written { files, outcome }: &Written, written_bytes: u64, has_matte: bool) -> String {
    let mut text = saved_files(files, written_bytes);
    if outcome.has_partial_alpha && !has_matte {
        text.push_str(" Partly transparent pixels were made opaque or transparent; choose a matte to blend them.");
    }
    if outcome.is_slowed {
        text.push_str(" It plays slower than authored: a GIF shows at most 50 frames per second.");
    }
    text
}
