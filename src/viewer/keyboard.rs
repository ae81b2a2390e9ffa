//! Keys to [`Command`]s, before egui sees them. Keys that the widget with the focus needs are left to egui, and so is
//! Tab, which moves the focus.

use std::collections::HashSet;

use egui::accesskit::{Action, ActionRequest, TreeId};
use egui::{Context, Event, Id, Key, Modifiers, Plugin, Popup, RawInput};

use super::command::Command;

/// Takes the keys that are bound out of egui's input and keeps what they ask for.
#[derive(Debug, Default)]
pub struct Keyboard {
    commands: Vec<Command>,
    /// The keys that are down. egui finds out which presses are repeats only after this.
    held: HashSet<Key>,
    /// The widget that had the focus the last time.
    focused: Option<Id>,
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
        let keys = Keys::of(ctx);
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
            if keys.are_for_widgets(key, modifiers, command) {
                return true;
            }
            if !repeat || command.repeats() {
                self.commands.push(command);
            }
            // It also ends whatever is being dragged.
            command == Command::PutBack
        });
        input.events.extend(self.scroll_to_focus(ctx));
    }
}

impl Keyboard {
    /// Brings the widget into view that has just got the keyboard focus, where a scrolled list hides a part of it.
    fn scroll_to_focus(&mut self, ctx: &Context) -> Option<Event> {
        let focused = ctx.memory(|memory| memory.focused());
        if std::mem::replace(&mut self.focused, focused) == focused {
            return None;
        }
        let widget = ctx.read_response(focused?)?;
        let is_hidden = !widget.interact_rect.contains_rect(widget.rect);
        is_hidden.then(|| {
            Event::AccessKitActionRequest(ActionRequest {
                action: Action::ScrollIntoView,
                target_tree: TreeId::ROOT,
                target_node: widget.id.accesskit_id(),
                data: None,
            })
        })
    }
}

/// Who gets the keys.
struct Keys {
    /// Text or a number is being typed.
    is_typing: bool,
    /// Some widget has the keyboard focus, or a list or a menu is open.
    has_focus: bool,
    is_popup_open: bool,
    in_dialog: bool,
}

impl Keys {
    fn of(ctx: &Context) -> Self {
        let is_popup_open = Popup::is_any_open(ctx);
        Self {
            is_typing: ctx.text_edit_focused(),
            has_focus: is_popup_open || ctx.memory(|memory| memory.focused().is_some()),
            is_popup_open,
            in_dialog: ctx.memory(|memory| memory.top_modal_layer().is_some()),
        }
    }

    /// Whether `key` is left to egui's widgets although it asks for `command`.
    fn are_for_widgets(&self, key: Key, modifiers: Modifiers, command: Command) -> bool {
        if command == Command::PutBack && self.is_popup_open {
            // It closes the list first.
            return true;
        }
        let is_text = !modifiers.command && !key.name().starts_with('F');
        if !is_text {
            return false;
        }
        let is_for_dialog = self.in_dialog && command != Command::Help;
        self.is_typing || is_for_dialog || (self.has_focus && operates_widgets(key, modifiers))
    }
}

/// Keys that press the widget with the focus, or move the focus.
fn operates_widgets(key: Key, modifiers: Modifiers) -> bool {
    use Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Enter, Escape, Space};
    !modifiers.any() && matches!(key, Space | Enter | Escape | ArrowUp | ArrowDown | ArrowLeft | ArrowRight)
}
