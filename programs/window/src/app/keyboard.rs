//! Translates keys to [`Command`]s before egui sees them. Keys that the focused widget needs, and Tab, which moves
//! the focus, are left to egui.

use std::collections::HashSet;

use egui::accesskit::{Action, ActionRequest, TreeId};
use egui::text_selection::LabelSelectionState;
use egui::{Context, Event, Id, Key, Modifiers, Plugin, Popup, RawInput};

use crate::widgets::command::Command;
use crate::widgets::{focus, tooltips};

/// Takes bound keys out of egui's input and queues their commands.
#[derive(Debug, Default)]
pub struct Keyboard {
    commands: Vec<Command>,
    /// The texts that were pasted, but not into a field.
    pasted: Vec<String>,
    /// The keys that are down. egui detects repeats only after this hook.
    held: HashSet<Key>,
    /// The widget that had the focus in the previous frame.
    focused: Option<Id>,
}

impl Keyboard {
    /// Registers the keyboard with `ctx`. Registering it twice has no effect.
    pub fn listen(ctx: &Context) {
        ctx.add_plugin(Self::default());
    }

    /// Returns the commands issued since the last call.
    pub fn take(ctx: &Context) -> Vec<Command> {
        ctx.with_plugin(|keyboard: &mut Self| std::mem::take(&mut keyboard.commands)).unwrap_or_default()
    }

    /// Returns the texts pasted since the last call, unless they went into a field.
    pub fn take_pasted(ctx: &Context) -> Vec<String> {
        ctx.with_plugin(|keyboard: &mut Self| std::mem::take(&mut keyboard.pasted)).unwrap_or_default()
    }
}

impl Plugin for Keyboard {
    fn debug_name(&self) -> &'static str {
        "keyboard commands"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        tooltips::hide(ctx, input);
        let keys = Keys::of(ctx);
        input.events.retain_mut(|event| {
            if let Event::WindowFocused(_) = event {
                // Keys released in another window are not reported.
                self.held.clear();
            }
            match event {
                Event::Copy if !keys.copies_text() => {
                    self.commands.push(Command::CopyPicture);
                    return false;
                }
                Event::Paste(text) if !keys.pastes_text() => {
                    self.pasted.push(std::mem::take(text));
                    return false;
                }
                _ => {}
            }
            let &mut Event::Key { key, physical_key, pressed, modifiers, .. } = event else { return true };
            // Shift may be released before the `?` that it produced, so keys are identified by physical position.
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
            if !repeat || command.face().repeats {
                self.commands.push(command);
            }
            // Pass Escape on: it also ends a drag.
            command == Command::PutBack
        });
        input.events.extend(self.scroll_to_focus(ctx));
    }
}

impl Keyboard {
    /// Scrolls the newly focused widget into view if it is partly hidden.
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

/// The receiver of keys.
struct Keys {
    /// Text or a number is being edited.
    is_typing: bool,
    /// A widget has the keyboard focus, or a list or menu is open.
    has_focus: bool,
    /// The focused widget handles Home and End.
    takes_home_and_end: bool,
    is_popup_open: bool,
    in_dialog: bool,
    /// Text of labels is selected.
    has_selection: bool,
}

impl Keys {
    fn of(ctx: &Context) -> Self {
        let is_popup_open = Popup::is_any_open(ctx);
        Self {
            is_typing: ctx.text_edit_focused(),
            has_focus: is_popup_open || ctx.memory(|memory| memory.focused().is_some()),
            takes_home_and_end: focus::takes_home_and_end(ctx),
            is_popup_open,
            in_dialog: ctx.memory(|memory| memory.top_modal_layer().is_some()),
            has_selection: ctx
                .with_plugin(|labels: &mut LabelSelectionState| labels.has_selection())
                .unwrap_or_default(),
        }
    }

    /// Returns true if copying is left to egui.
    fn copies_text(&self) -> bool {
        self.is_typing || self.in_dialog || self.has_selection
    }

    /// Returns true if pasting is left to egui.
    fn pastes_text(&self) -> bool {
        self.is_typing || self.in_dialog
    }

    /// Returns true if `key` is left to egui although it is bound to `command`.
    fn are_for_widgets(&self, key: Key, modifiers: Modifiers, command: Command) -> bool {
        if command == Command::PutBack && self.is_popup_open {
            // Escape closes the list first.
            return true;
        }
        let is_text = !modifiers.command && !(Key::F1..=Key::F35).contains(&key);
        if command == Command::CopyPicture {
            return self.copies_text();
        }
        if command == Command::Paste {
            return self.pastes_text();
        }
        if !is_text {
            return false;
        }
        let is_for_dialog = self.in_dialog && command != Command::Help;
        self.is_typing
            || is_for_dialog
            || (self.has_focus && operates_widgets(key, modifiers))
            || (self.takes_home_and_end && !modifiers.any() && matches!(key, Key::Home | Key::End))
    }
}

/// Returns true for keys that press the focused widget or move the focus.
fn operates_widgets(key: Key, modifiers: Modifiers) -> bool {
    use Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Enter, Escape, Space};
    !modifiers.any() && matches!(key, Space | Enter | Escape | ArrowUp | ArrowDown | ArrowLeft | ArrowRight)
}
