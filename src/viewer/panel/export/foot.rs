//! The foot of the export dialog: the path, the equivalent command, and the buttons.

use std::path::PathBuf;

use egui::{
    Align, Button, Frame, Label, Layout, Margin, ProgressBar, Response, RichText, ScrollArea, TextEdit, Ui, vec2,
};

use super::{Requests, choices};
use crate::error::escaped;
use crate::export::Written;
use crate::viewer::export::{Ended, Export, Job, Question, Stage};
use crate::viewer::theme::Palette;

/// Seconds between two updates of the progress.
const POLL_SECS: f32 = 0.05;

/// Height of the last row in points, whatever its content.
const ROW: f32 = 28.0;
/// Width of the column of labels and of that of buttons in points.
const LABELS: f32 = 72.0;
const BUTTONS: f32 = 84.0;
/// Width of the *Export* button in points.
const EXPORT_WIDTH: f32 = 90.0;
/// Seconds before *Replace* accepts clicks after the question about existing files appears: twice the maximum
/// interval of a double click.
const ARM_SECS: f64 = 0.6;

/// A request from a button.
enum Action {
    Start { by_key: bool },
    Replace,
    Keep,
}

/// Shows the foot of the dialog.
pub fn show(ui: &mut Ui, export: &mut Export, requests: &mut Requests) {
    ui.add_space(8.0);
    name(ui, export, requests);
    command(ui, export);
    ui.add_space(4.0);
    ui.spacing_mut().interact_size.y = ROW;
    let mut action = None;
    let has_matte = export.options.look.matte.is_some();
    // Each state has its own ids, so that the keyboard focus does not jump to a button in the place of another
    // one.
    match &export.stage {
        Stage::Running(job) => ui.push_id("running", |ui| running(ui, job)),
        Stage::Choosing => {
            ui.push_id("waiting", |ui| waiting(ui, requests, &mut action, false, |ui| drop(ui.label(""))))
        }
        Stage::Ended(Ended::Exists { first, count }) => {
            let text = question(&escaped(&first.to_string_lossy()), *count);
            ui.push_id("question", |ui| answers(ui, text, &mut export.question, &mut action))
        }
        Stage::Ended(ended) => {
            let has_files = export.folder().is_some();
            ui.push_id("waiting", |ui| {
                waiting(ui, requests, &mut action, has_files, |ui| result(ui, ended, has_matte))
            })
        }
    };
    match action {
        Some(Action::Start { by_key }) => {
            export.start();
            export.question.by_key = by_key;
        }
        Some(Action::Replace) => export.replace(),
        Some(Action::Keep) => export.stage = Stage::Choosing,
        None => {}
    }
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
            if field.on_hover_text(tooltip).changed() {
                export.typed_path();
            }
            requests.choose_name = ui.add_sized(vec2(BUTTONS, ROW), Button::new("Choose…")).clicked();
        });
    });
}

/// Shows the command line and a button to copy it.
fn command(ui: &mut Ui, export: &mut Export) {
    let line = export.command_line();
    let sunken = Palette::of(ui.visuals()).sunken;
    let frame = Frame::new().fill(sunken).corner_radius(6).inner_margin(Margin::symmetric(8, 6));
    ui.horizontal_top(|ui| {
        choices::label(ui, "Command", LABELS);
        let width = (ui.available_width() - BUTTONS - ui.spacing().item_spacing.x).max(60.0);
        frame.show(ui, |ui| {
            let width = width - 16.0;
            ui.allocate_ui_with_layout(vec2(width, 44.0), Layout::top_down(Align::Min), |ui| {
                ui.set_width(width);
                ui.set_min_height(44.0);
                ScrollArea::vertical().id_salt("command").max_height(44.0).min_scrolled_height(44.0).show(
                    ui,
                    |ui| {
                        ui.add(Label::new(RichText::new(escaped(&line)).monospace()).wrap().selectable(true));
                    },
                );
            });
        });
        let is_copied = export.copied.as_ref() == Some(&line);
        let button = Button::new(if is_copied { "Copied" } else { "Copy" });
        let button = ui.add_sized(vec2(BUTTONS, ROW), button);
        if button.on_hover_text("Copy the command that writes the same files").clicked() {
            ui.copy_text(line.clone());
            export.copied = Some(line);
        }
    });
}

fn running(ui: &mut Ui, job: &Job) {
    ui.request_repaint_after_secs(POLL_SECS);
    ui.horizontal(|ui| {
        let (done, total) = job.progress();
        let text = match (job.is_cancelled(), total) {
            (true, _) => "Stopping…".to_owned(),
            (false, 0) => "Preparing…".to_owned(),
            (false, _) => format!("{done} of {total}"),
        };
        let width = (ui.available_width() - 100.0).max(40.0);
        let share = done as f32 / total.max(1) as f32;
        ui.add(ProgressBar::new(share).desired_width(width).text(text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if is_single_click(&ui.add_enabled(!job.is_cancelled(), Button::new("Cancel"))) {
                job.cancel();
            }
        });
    });
}

/// Shows the buttons while no export is running, with `left` beside them.
fn waiting(
    ui: &mut Ui,
    requests: &mut Requests,
    action: &mut Option<Action>,
    has_files: bool,
    left: impl FnOnce(&mut Ui),
) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let palette = Palette::of(ui.visuals());
            let text = RichText::new("Export").strong().color(palette.panel);
            let export = ui.add(Button::new(text).fill(palette.accent).min_size(vec2(EXPORT_WIDTH, 0.0)));
            if is_single_click(&export) {
                *action = Some(Action::Start { by_key: export.has_focus() });
            }
            if ui.button("Close").clicked() {
                requests.close = true;
            }
            if has_files
                && ui.button("Open folder").on_hover_text("Show the folder of the written files").clicked()
            {
                requests.open_folder = true;
            }
            ui.with_layout(Layout::left_to_right(Align::Center), left);
        });
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
        let width = (ui.available_width() - EXPORT_WIDTH).max(40.0);
        ui.allocate_ui_with_layout(vec2(width, ROW), Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(text).truncate().selectable(true));
        });
    });
}

/// Shows the result of the last export.
fn result(ui: &mut Ui, ended: &Ended, has_matte: bool) {
    let palette = Palette::of(ui.visuals());
    let (text, color) = match ended {
        Ended::Written(written) => (saved(written, has_matte), palette.text),
        Ended::Converted { files, losses } => (converted(files, losses), palette.text),
        Ended::Cancelled => ("Cancelled; nothing was written.".to_owned(), palette.text),
        Ended::Failed(error) => (format!("Nothing was written: {error}"), palette.error),
        Ended::Exists { .. } => (String::new(), palette.text),
    };
    // The label is copied in full even if it is truncated.
    let label = Label::new(RichText::new(&text).color(color)).truncate().selectable(true);
    ui.add(label).on_hover_text(text);
}

fn saved_files(files: &[PathBuf]) -> String {
    let first = files.first().map(|file| escaped(&file.to_string_lossy())).unwrap_or_default();
    match files.len() {
        1 => format!("Saved {first}."),
        count => format!("Saved {count} files, starting with {first}."),
    }
}

fn converted(files: &[PathBuf], losses: &[String]) -> String {
    let mut text = saved_files(files);
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

fn saved(Written { files, outcome }: &Written, has_matte: bool) -> String {
    let mut text = saved_files(files);
    if outcome.has_partial_alpha && !has_matte {
        text.push_str(" Partly transparent pixels were made opaque or transparent; choose a matte to blend them.");
    }
    if outcome.is_slowed {
        text.push_str(" It plays slower than authored: a GIF shows at most 50 frames per second.");
    }
    text
}
