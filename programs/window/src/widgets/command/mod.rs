//! The commands that a key, the menu or a button can issue, with their texts and keys. This is the only list: the menu, the
//! palette, the tooltips, the `?` overlay, the table in docs/window.md and `--list-bindings` are generated from it. What
//! they do is in `app/commands.rs`.

pub mod binding;
pub mod list;

use crate::base::texts::texts;
use binding::Binding;
pub use list::{COMMANDS, Command};

texts! {
    /// A submenu of the menu and a section of the overlay.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Group: label {
        /// Files.
        File => "File",
        /// The clipboard, the selection and hidden parts.
        Edit => "Edit",
        /// Camera, and what is shown beside the character.
        View => "View",
        /// What is drawn over the bones.
        Skeleton => "Skeleton",
        /// What is drawn over the pictures, and lines and a picture behind them.
        Overlays => "Overlays",
        /// Selection of the animation, range, keys, and what is shown below the timeline.
        Timeline => "Timeline",
        /// Playback.
        Playback => "Playback",
        /// Two characters or versions, and findings.
        Compare => "Compare",
        /// Several characters on one stage.
        Stage => "Stage",
        /// The window itself, and the theme and size of its text and buttons.
        Window => "Window",
    }
}

impl Group {
    /// Returns the commands of the group, in display order.
    pub fn commands(self) -> impl Iterator<Item = Command> {
        COMMANDS.iter().filter(move |face| face.group == self).map(|face| face.command)
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
    /// A line in the menu separates it from the commands above.
    pub is_apart: bool,
}

impl Command {
    /// Returns every command, in display order.
    pub fn all() -> impl Iterator<Item = Self> {
        COMMANDS.iter().map(|face| face.command)
    }

    /// Returns the command that selects the animation at `place`; the first nine have one.
    pub fn animation(place: usize) -> Option<Self> {
        let command = Self::Animation(u8::try_from(place).ok()?);
        Self::all().find(|other| *other == command)
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
