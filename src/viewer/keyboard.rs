//! Keys to [`Command`]s, before egui sees them: it would take Tab for moving the focus.

use egui::{Context, Event, Plugin, RawInput};

use super::command::Command;

/// Takes the keys that are bound out of egui's input and keeps what they ask for.
#[derive(Debug, Default)]
pub struct Keyboard {
    commands: Vec<Command>,
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
        input.events.retain(|event| {
            let &Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { return true };
            let Some(command) = Command::from_key(key, modifiers) else { return true };
            let is_text = !modifiers.command && !key.name().starts_with('F');
            if busy && is_text && command != Command::Panels {
                return true;
            }
            if !repeat || command.repeats() {
                self.commands.push(command);
            }
            false
        });
    }
}
