//! Keys to [`Command`]s, before egui sees them: it would take Tab for moving the focus.

use std::collections::HashSet;

use egui::{Context, Event, Key, Plugin, Popup, RawInput};

use super::command::Command;

/// Takes the keys that are bound out of egui's input and keeps what they ask for.
#[derive(Debug, Default)]
pub struct Keyboard {
    commands: Vec<Command>,
    /// The keys that are down. egui finds out which presses are repeats only after this.
    held: HashSet<Key>,
}

impl Keyboard {
    /// Listens in `ctx`. Listening twice is listening once.
    pub fn listen(ctx: &Context) {
        ctx.add_plugin(Self::default());
    }

    /// What was asked for since the last time.
    pub fn take(ctx: &Context) -> Vec<Command> {
        ctx.with_plugin(|keyboard: &mut Self| std::mem::take(&mut keyboard.commands)).unwrap_or_default()
    }
}

impl Plugin for Keyboard {
    fn debug_name(&self) -> &'static str {
        "keyboard commands"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        // A number that is being typed, or a widget reached from a screen reader, has the keys.
        let busy = ctx.memory(|memory| memory.focused().is_some());
        // In a dialog Tab goes from choice to choice, and letters are for its fields.
        let in_dialog = ctx.memory(|memory| memory.top_modal_layer().is_some());
        input.events.retain(|event| {
            if let Event::WindowFocused(_) = event {
                // What is released elsewhere is not told.
                self.held.clear();
            }
            let &Event::Key { key, physical_key, pressed, modifiers, .. } = event else { return true };
            // Shift may be released before the `?` that it made: the place of the key stays the same.
            let place = physical_key.unwrap_or(key);
            if !pressed {
                self.held.remove(&place);
                return true;
            }
            let repeat = !self.held.insert(place);
            let Some(command) = Command::from_key(key, modifiers) else { return true };
            let is_text = !modifiers.command && !key.name().starts_with('F');
            if busy && is_text && command != Command::Panels {
                return true;
            }
            // It closes a menu first.
            if command == Command::PutBack && Popup::is_any_open(ctx) {
                return true;
            }
            if in_dialog && is_text && command != Command::Help {
                return true;
            }
            if !repeat || command.repeats() {
                self.commands.push(command);
            }
            // It also ends whatever is being dragged.
            command == Command::PutBack
        });
    }
}
