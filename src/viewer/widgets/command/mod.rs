//! The commands that a key, the menu or a button can issue, with their texts and keys. This is the only list: the menu, the
//! palette, the tooltips, the `?` overlay, the table in docs/window.md and `--list-bindings` are generated from it. What
//! they do is in `app/commands.rs`.

pub mod binding;
pub mod list;

use binding::Binding;
pub use list::{COMMANDS, Command};

/// A section of the menu and the overlay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Playback.
    Playback,
    /// Selection of the animation.
    Animations,
    /// Camera and overlays.
    View,
    /// Files.
    File,
    /// The window itself.
    Window,
}

impl Group {
    /// Every group, in display order.
    pub const ALL: [Self; 5] = [Self::Playback, Self::Animations, Self::View, Self::File, Self::Window];

    /// Returns the heading.
    pub fn label(self) -> &'static str {
        match self {
            Self::Playback => "Playback",
            Self::Animations => "Animations",
            Self::View => "View",
            Self::File => "File",
            Self::Window => "Window",
        }
    }
}

/// The texts and keys of a command.
#[derive(Debug, Clone, Copy)]
pub struct Face {
    /// The command.
    pub command: Command,
    /// The group that it belongs to.
    pub group: Group,
    /// The name shown in the menu and read by screen readers.
    pub label: &'static str,
    /// The keys bound to it; the first one is displayed. Empty for commands that only the menu and the palette offer.
    pub keys: &'static [Binding],
    /// Further words that find the command in the palette, such as names from other programs; empty for most.
    pub words: &'static str,
    /// Holding down the key repeats the command.
    pub repeats: bool,
}

impl Command {
    /// Returns every command, in display order.
    pub fn all() -> impl Iterator<Item = Self> {
        COMMANDS.iter().map(|face| face.command)
    }

    /// Returns its texts and keys.
    pub fn face(self) -> &'static Face {
        COMMANDS.iter().find(|face| face.command == self).unwrap_or(&COMMANDS[0])
    }

    /// Returns the name shown in the menu and read by screen readers.
    pub fn label(self) -> &'static str {
        self.face().label
    }

    /// Returns the keys bound to this command.
    pub fn bindings(self) -> &'static [Binding] {
        self.face().keys
    }
}
