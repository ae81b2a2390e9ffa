//! The menu: every command, by group. Commands that switch something show whether it is on.

use egui::{Sense, Ui};

use crate::files::Files;
use crate::widgets::actions::{Action, Actions};
use crate::widgets::command::{Command, Group};
use crate::widgets::command_row::{self, CommandRow, Status};

/// Width of the list of recent files in points.
const RECENT_WIDTH: f32 = 440.0;

/// Shows the groups as submenus.
pub fn show(ui: &mut Ui, files: &mut Files, status: &dyn Fn(Command) -> Status, actions: &mut Actions) {
    ui.set_min_width(160.0);
    for group in Group::ALL {
        ui.menu_button(group.label(), |ui| {
            // Nine entries that only differ in a digit would bury the rest.
            let is_shown = |command: &Command| !matches!(command, Command::Animation(_) | Command::ClearRecent);
            let shown: Vec<Command> = group.commands().filter(is_shown).collect();
            entries(ui, status, &shown, actions, &mut |ui, command, actions| {
                if command == Command::Gallery {
                    recent(ui, files, status, actions);
                }
            });
        });
    }
}

/// Adds the submenu of recent files.
fn recent(ui: &mut Ui, files: &mut Files, status: &dyn Fn(Command) -> Status, actions: &mut Actions) {
    if files.recent.files().is_empty() {
        return;
    }
    // A submenu has no column of ticks.
    ui.spacing_mut().button_padding.x = command_row::TICKS;
    ui.menu_button("Open recent", |ui| {
        ui.set_width(RECENT_WIDTH.min(ui.ctx().content_rect().width() - 24.0).max(1.0));
        ui.spacing_mut().item_spacing.y = 1.0;
        files.recent.check(ui.input(|input| input.time), files.loading.waker.as_ref());
        for file in files.recent.files() {
            let (name, folder) = (file.name(), file.folder());
            let row = CommandRow {
                name: &name,
                kind: &folder,
                status: Status { is_on: None, unavailable: file.is_missing.then_some("The file is missing") },
                ..CommandRow::default()
            };
            let sense = if file.is_missing { Sense::hover() } else { Sense::click() };
            if row.show(ui, sense).on_hover_text(folder.as_str()).clicked() {
                actions.push(Action::OpenRecent(file.path.clone()));
                ui.close();
            }
        }
        ui.separator();
        entries(ui, status, &[Command::ClearRecent], actions, &mut |_, _, _| {});
    });
}

/// Adds an entry for each of `shown`, and what `before` adds before it.
pub fn entries(
    ui: &mut Ui,
    status: &dyn Fn(Command) -> Status,
    shown: &[Command],
    actions: &mut Actions,
    before: &mut dyn FnMut(&mut Ui, Command, &mut Actions),
) {
    let caps: Vec<_> =
        shown.iter().map(|command| command.caps().into_iter().take(1).collect::<Vec<_>>()).collect();
    let rows = shown.iter().zip(&caps).map(|(&command, caps)| CommandRow {
        name: command.label(),
        status: status(command),
        caps,
        ..CommandRow::default()
    });
    let rows: Vec<CommandRow> = rows.collect();
    let width = rows.iter().map(|row| row.width(ui)).fold(0.0, f32::max);
    ui.set_width(width.min(ui.ctx().content_rect().width() - 24.0).max(1.0));
    ui.spacing_mut().item_spacing.y = 1.0;
    for (place, (row, &command)) in rows.iter().zip(shown).enumerate() {
        before(ui, command, actions);
        if command.face().is_apart && place > 0 {
            ui.separator();
        }
        let sense = if row.status.unavailable.is_none() { Sense::click() } else { Sense::hover() };
        if row.show(ui, sense).clicked() {
            actions.push(command);
            ui.close();
        }
    }
}
