//! Key bindings of the commands.

use egui::{Key, Modifiers};

use super::Command;

/// A key with its modifiers. `Ctrl` is `Cmd` on macOS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Binding {
    /// Requires Ctrl, or Cmd on macOS.
    pub ctrl: bool,
    /// Requires Shift. Always false for symbols such as `?`, whose position depends on the keyboard layout.
    pub shift: bool,
    /// The key.
    pub key: Key,
}

pub const fn plain(key: Key) -> Binding {
    Binding { ctrl: false, shift: false, key }
}

pub const fn shift(key: Key) -> Binding {
    Binding { ctrl: false, shift: true, key }
}

pub const fn ctrl(key: Key) -> Binding {
    Binding { ctrl: true, shift: false, key }
}

pub const fn ctrl_shift(key: Key) -> Binding {
    Binding { ctrl: true, shift: true, key }
}

impl Command {
    /// Returns the command bound to a key.
    pub fn from_key(key: Key, modifiers: Modifiers) -> Option<Self> {
        Self::all().find(|command| command.bindings().iter().any(|binding| binding.matches(key, modifiers)))
    }

    /// Returns the names of the keys of each binding.
    pub fn caps(self) -> Vec<Vec<&'static str>> {
        self.bindings().iter().map(|binding| binding.caps(IS_MAC)).collect()
    }

    /// Returns the keys as text, such as `←  or  ,`; empty if the command has none.
    pub fn keys(self) -> String {
        let keys: Vec<String> = self.bindings().iter().map(|binding| binding.label(IS_MAC)).collect();
        keys.join("  or  ")
    }

    /// Returns the label with its key, for a tooltip.
    pub fn tooltip(self) -> String {
        match self.bindings().first() {
            Some(binding) => format!("{}  ({})", self.label().trim_end_matches('…'), binding.label(IS_MAC)),
            None => self.label().trim_end_matches('…').to_owned(),
        }
    }
}

const IS_MAC: bool = cfg!(target_os = "macos");

impl Binding {
    /// The position of a symbol depends on the keyboard layout: some layouts require Shift or AltGr (Ctrl and Alt
    /// at once) to type it, so for symbols only Ctrl without Alt is compared.
    fn matches(self, key: Key, modifiers: Modifiers) -> bool {
        let ctrl = modifiers.command && !(self.is_symbol() && modifiers.alt);
        let others = self.is_symbol() || (modifiers.shift == self.shift && !modifiers.alt);
        key == self.key && ctrl == self.ctrl && others
    }

    /// Includes digits: French keyboards have them behind Shift.
    fn is_symbol(self) -> bool {
        use Key::{CloseBracket, Comma, Equals, Minus, OpenBracket, Period, Plus, Questionmark};
        use Key::{Num0, Num1, Num2, Num3, Num4, Num5, Num6, Num7, Num8, Num9};
        matches!(
            self.key,
            Comma
                | Period
                | OpenBracket
                | CloseBracket
                | Questionmark
                | Plus
                | Minus
                | Equals
                | Num0
                | Num1
                | Num2
                | Num3
                | Num4
                | Num5
                | Num6
                | Num7
                | Num8
                | Num9
        )
    }

    /// Returns the binding as text, such as `Ctrl+0`.
    pub fn label(self, is_mac: bool) -> String {
        self.caps(is_mac).join("+")
    }

    /// Returns the names of the keys to hold and press, such as `Ctrl` and `0`.
    pub fn caps(self, is_mac: bool) -> Vec<&'static str> {
        let key = match self.key {
            Key::ArrowLeft => "←",
            Key::ArrowRight => "→",
            Key::PageUp => "PageUp",
            Key::PageDown => "PageDown",
            Key::Minus => "-",
            key => key.symbol_or_name(),
        };
        let ctrl = self.ctrl.then_some(if is_mac { "Cmd" } else { "Ctrl" });
        ctrl.into_iter().chain(self.shift.then_some("Shift")).chain([key]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_share_a_key() {
        let all: Vec<Command> = Command::all().collect();
        for (index, command) in all.iter().enumerate() {
            for other in &all[index + 1..] {
                for binding in command.bindings() {
                    let clashes = other.bindings().iter().any(|b| {
                        b.ctrl == binding.ctrl && {
                            b.key == binding.key && (b.shift == binding.shift || b.is_symbol())
                        }
                    });
                    assert!(!clashes, "{command:?} and {other:?} share {}", binding.label(false));
                }
            }
        }
    }

    #[test]
    fn every_command_is_listed_once_and_found_by_its_keys() {
        for command in Command::all() {
            assert_eq!(Command::all().filter(|&other| other == command).count(), 1, "{command:?}");
            for binding in command.bindings() {
                let modifiers = Modifiers {
                    command: binding.ctrl,
                    ctrl: binding.ctrl,
                    shift: binding.shift,
                    ..Modifiers::NONE
                };
                assert_eq!(Command::from_key(binding.key, modifiers), Some(command));
            }
        }
    }

    #[test]
    fn symbols_are_found_on_any_keyboard_layout() {
        let alt_gr = Modifiers { alt: true, ctrl: true, command: true, ..Modifiers::NONE };
        assert_eq!(Command::from_key(Key::OpenBracket, alt_gr), Some(Command::Slower));
        assert_eq!(Command::from_key(Key::Questionmark, Modifiers::SHIFT), Some(Command::Help));
        assert_eq!(Command::from_key(Key::Num1, Modifiers::SHIFT), Some(Command::Animation(0)));
        assert_eq!(Command::animation(8).map(Command::keys).as_deref(), Some("9"));
        assert_eq!(Command::animation(9), None, "it has no key");
        assert_eq!(Command::from_key(Key::S, Modifiers::SHIFT), Some(Command::SoloSelected));
        assert_eq!(Command::from_key(Key::B, Modifiers::SHIFT), None);
        assert_eq!(Command::from_key(Key::ArrowLeft, Modifiers::SHIFT), Some(Command::TenBack));
    }

    #[test]
    fn labels_name_the_keys() {
        assert_eq!(Command::StepBack.keys(), "←  or  ,");
        assert_eq!(ctrl(Key::Num0).label(true), "Cmd+0");
        assert_eq!(shift(Key::ArrowRight).label(false), "Shift+→");
    }
}
