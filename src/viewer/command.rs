//! Everything that a key, the menu or a button can ask for. This is the only list: the menu, the
//! tooltips, the `?` overlay, the table in the README and `--list-bindings` are made from it.

use egui::{Key, Modifiers};

/// Something that the viewer can be asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// Play or pause.
    PlayPause,
    /// One frame back.
    StepBack,
    /// One frame forwards.
    StepForward,
    /// Ten frames back.
    TenBack,
    /// Ten frames forwards.
    TenForward,
    /// The first frame.
    First,
    /// The last frame.
    Last,
    /// Half as fast, or the next slower step.
    Slower,
    /// Twice as fast, or the next faster step.
    Faster,
    /// The next loop mode.
    LoopMode,
    /// Blend stored frames or hold them.
    Interpolate,
    /// The animation before this one.
    PreviousAnimation,
    /// The animation after this one.
    NextAnimation,
    /// The animation at this place in the list, 0 to 8.
    Animation(u8),
    /// The whole character.
    ZoomFit,
    /// One picture pixel to a world pixel.
    ZoomActual,
    /// The next larger step.
    ZoomIn,
    /// The next smaller step.
    ZoomOut,
    /// Choose files to open.
    Open,
    /// Read the file again.
    Reload,
    /// The file before this one.
    PreviousFile,
    /// The file after this one.
    NextFile,
    /// Write what the canvas shows to a PNG.
    Screenshot,
    /// Fill the screen or not.
    FullScreen,
    /// Show or hide everything around the canvas.
    Panels,
    /// Show or hide the list of keys.
    Help,
    /// Close the window.
    Quit,
}

/// Where a command stands in the menu and the overlay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Time.
    Playback,
    /// Which animation.
    Animations,
    /// Where the camera is.
    View,
    /// Files.
    File,
    /// The window itself.
    Window,
}

impl Group {
    /// Every group, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Playback, Self::Animations, Self::View, Self::File, Self::Window];

    /// The heading.
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

/// A key and what is held down with it. `Ctrl` is `Cmd` on macOS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Binding {
    /// Hold Ctrl, or Cmd on macOS.
    pub ctrl: bool,
    /// Hold Shift. A sign such as `?` never says so: where it is depends on the keyboard.
    pub shift: bool,
    /// The key.
    pub key: Key,
}

const fn plain(key: Key) -> Binding {
    Binding { ctrl: false, shift: false, key }
}

const fn shift(key: Key) -> Binding {
    Binding { ctrl: false, shift: true, key }
}

const fn ctrl(key: Key) -> Binding {
    Binding { ctrl: true, shift: false, key }
}

const DIGITS: [Binding; 9] = [
    plain(Key::Num1),
    plain(Key::Num2),
    plain(Key::Num3),
    plain(Key::Num4),
    plain(Key::Num5),
    plain(Key::Num6),
    plain(Key::Num7),
    plain(Key::Num8),
    plain(Key::Num9),
];

impl Command {
    /// Every command, in the order in which they are shown.
    pub const ALL: [Self; 35] = [
        Self::PlayPause,
        Self::StepBack,
        Self::StepForward,
        Self::TenBack,
        Self::TenForward,
        Self::First,
        Self::Last,
        Self::Slower,
        Self::Faster,
        Self::LoopMode,
        Self::Interpolate,
        Self::PreviousAnimation,
        Self::NextAnimation,
        Self::Animation(0),
        Self::Animation(1),
        Self::Animation(2),
        Self::Animation(3),
        Self::Animation(4),
        Self::Animation(5),
        Self::Animation(6),
        Self::Animation(7),
        Self::Animation(8),
        Self::ZoomFit,
        Self::ZoomActual,
        Self::ZoomIn,
        Self::ZoomOut,
        Self::Open,
        Self::Reload,
        Self::PreviousFile,
        Self::NextFile,
        Self::Screenshot,
        Self::FullScreen,
        Self::Panels,
        Self::Help,
        Self::Quit,
    ];

    /// What it is called in the menu and by a screen reader.
    pub fn label(self) -> &'static str {
        match self {
            Self::PlayPause => "Play or pause",
            Self::StepBack => "One frame back",
            Self::StepForward => "One frame forwards",
            Self::TenBack => "Ten frames back",
            Self::TenForward => "Ten frames forwards",
            Self::First => "First frame",
            Self::Last => "Last frame",
            Self::Slower => "Slower",
            Self::Faster => "Faster",
            Self::LoopMode => "Next loop mode",
            Self::Interpolate => "Interpolate frames",
            Self::PreviousAnimation => "Previous animation",
            Self::NextAnimation => "Next animation",
            Self::Animation(_) => "Animation by its place in the list",
            Self::ZoomFit => "Fit the window",
            Self::ZoomActual => "Actual pixels (100 %)",
            Self::ZoomIn => "Zoom in",
            Self::ZoomOut => "Zoom out",
            Self::Open => "Open…",
            Self::Reload => "Reload",
            Self::PreviousFile => "Previous file",
            Self::NextFile => "Next file",
            Self::Screenshot => "Save a screenshot",
            Self::FullScreen => "Full screen",
            Self::Panels => "Show or hide panels",
            Self::Help => "Keys and mouse",
            Self::Quit => "Quit",
        }
    }

    /// Where it stands.
    pub fn group(self) -> Group {
        match self {
            Self::PlayPause
            | Self::StepBack
            | Self::StepForward
            | Self::TenBack
            | Self::TenForward
            | Self::First
            | Self::Last
            | Self::Slower
            | Self::Faster
            | Self::LoopMode
            | Self::Interpolate => Group::Playback,
            Self::PreviousAnimation | Self::NextAnimation | Self::Animation(_) => Group::Animations,
            Self::ZoomFit | Self::ZoomActual | Self::ZoomIn | Self::ZoomOut => Group::View,
            Self::Open | Self::Reload | Self::PreviousFile | Self::NextFile | Self::Screenshot => Group::File,
            Self::FullScreen | Self::Panels | Self::Help | Self::Quit => Group::Window,
        }
    }

    /// The keys that ask for it, the one to show first.
    pub fn bindings(self) -> &'static [Binding] {
        match self {
            Self::PlayPause => const { &[plain(Key::Space)] },
            Self::StepBack => const { &[plain(Key::ArrowLeft), plain(Key::Comma)] },
            Self::StepForward => const { &[plain(Key::ArrowRight), plain(Key::Period)] },
            Self::TenBack => const { &[shift(Key::ArrowLeft)] },
            Self::TenForward => const { &[shift(Key::ArrowRight)] },
            Self::First => const { &[plain(Key::Home)] },
            Self::Last => const { &[plain(Key::End)] },
            Self::Slower => const { &[plain(Key::OpenBracket)] },
            Self::Faster => const { &[plain(Key::CloseBracket)] },
            Self::LoopMode => const { &[plain(Key::L)] },
            Self::Interpolate => const { &[plain(Key::T)] },
            Self::PreviousAnimation => const { &[plain(Key::PageUp)] },
            Self::NextAnimation => const { &[plain(Key::PageDown)] },
            Self::Animation(place) => {
                let place = usize::from(place);
                DIGITS.get(place..=place).unwrap_or_default()
            }
            Self::ZoomFit => const { &[ctrl(Key::Num0)] },
            Self::ZoomActual => const { &[ctrl(Key::Num1)] },
            Self::ZoomIn => const { &[ctrl(Key::Plus), ctrl(Key::Equals)] },
            Self::ZoomOut => const { &[ctrl(Key::Minus)] },
            Self::Open => const { &[ctrl(Key::O)] },
            Self::Reload => const { &[plain(Key::F5)] },
            Self::PreviousFile => const { &[ctrl(Key::PageUp)] },
            Self::NextFile => const { &[ctrl(Key::PageDown)] },
            Self::Screenshot => const { &[plain(Key::S), plain(Key::F12)] },
            Self::FullScreen => const { &[plain(Key::F11)] },
            Self::Panels => const { &[plain(Key::Tab)] },
            Self::Help => const { &[plain(Key::Questionmark), plain(Key::F1)] },
            Self::Quit => const { &[ctrl(Key::Q)] },
        }
    }

    /// True when a key that is held down asks for it again and again.
    pub fn repeats(self) -> bool {
        matches!(
            self,
            Self::StepBack
                | Self::StepForward
                | Self::TenBack
                | Self::TenForward
                | Self::PreviousAnimation
                | Self::NextAnimation
                | Self::ZoomIn
                | Self::ZoomOut
        )
    }

    /// The command that a key asks for.
    pub fn from_key(key: Key, modifiers: Modifiers) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|command| command.bindings().iter().any(|binding| binding.matches(key, modifiers)))
    }

    /// The keys in words, such as `←  or  ,`; empty when there are none.
    pub fn keys(self) -> String {
        let keys: Vec<String> = self.bindings().iter().map(|binding| binding.label(IS_MAC)).collect();
        keys.join("  or  ")
    }

    /// The label with the key to press, for a tooltip.
    pub fn tooltip(self) -> String {
        match self.bindings().first() {
            Some(binding) => format!("{}  ({})", self.label().trim_end_matches('…'), binding.label(IS_MAC)),
            None => self.label().to_owned(),
        }
    }
}

const IS_MAC: bool = cfg!(target_os = "macos");

impl Binding {
    /// A sign's place differs from keyboard to keyboard: some need Shift or AltGr (which is Ctrl and
    /// Alt at once) to type it, so only Ctrl without Alt counts there.
    fn matches(self, key: Key, modifiers: Modifiers) -> bool {
        let ctrl = modifiers.command && !(self.is_sign() && modifiers.alt);
        let others = self.is_sign() || (modifiers.shift == self.shift && !modifiers.alt);
        key == self.key && ctrl == self.ctrl && others
    }

    /// Digits too: a French keyboard has them behind Shift.
    fn is_sign(self) -> bool {
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

    /// The binding in words, such as `Ctrl+0`.
    pub fn label(self, is_mac: bool) -> String {
        let key = match self.key {
            Key::ArrowLeft => "←",
            Key::ArrowRight => "→",
            Key::PageUp => "PageUp",
            Key::PageDown => "PageDown",
            Key::Minus => "-",
            key => key.symbol_or_name(),
        };
        let ctrl = match (self.ctrl, is_mac) {
            (true, true) => "Cmd+",
            (true, false) => "Ctrl+",
            (false, _) => "",
        };
        format!("{ctrl}{}{key}", if self.shift { "Shift+" } else { "" })
    }
}

/// One line of the overlay and the table: what it does and the keys, the nine digits in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The heading it belongs under.
    pub group: Group,
    /// The keys or what the mouse does.
    pub keys: String,
    /// What happens.
    pub label: &'static str,
}

/// What the mouse does, beside the keys.
const MOUSE: [(&str, &str); 3] =
    [("Wheel or pinch", "Zoom at the pointer"), ("Drag", "Move the view"), ("Drop a file", "Open it")];

/// Every line of the overlay and the table.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for group in Group::ALL {
        for command in Command::ALL.into_iter().filter(|command| command.group() == group) {
            let keys = match command {
                Command::Animation(0) => "1 – 9".to_owned(),
                Command::Animation(_) => continue,
                _ => command.keys(),
            };
            rows.push(Row { group, keys, label: command.label().trim_end_matches('…') });
        }
        let mouse = match group {
            Group::View => &MOUSE[..2],
            Group::File => &MOUSE[2..],
            Group::Playback | Group::Animations | Group::Window => &[],
        };
        rows.extend(mouse.iter().map(|&(keys, label)| Row { group, keys: keys.to_owned(), label }));
    }
    rows
}

/// The bindings as plain text, for `--list-bindings`.
pub fn list_bindings() -> String {
    let rows = rows();
    let width = rows.iter().map(|row| row.keys.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for group in Group::ALL {
        text.push_str(group.label());
        text.push('\n');
        for row in rows.iter().filter(|row| row.group == group) {
            text.push_str(&format!("  {:width$}   {}\n", row.keys, row.label));
        }
    }
    text
}

/// The bindings as a Markdown table, for the README.
pub fn markdown_table() -> String {
    let mut text = "| keys | what happens |\n|---|---|\n".to_owned();
    for row in rows() {
        let keys: Vec<String> = row.keys.split("  or  ").map(|key| format!("`{key}`")).collect();
        text.push_str(&format!("| {} | {} |\n", keys.join(" "), row.label));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_share_a_key() {
        for (index, command) in Command::ALL.into_iter().enumerate() {
            for other in &Command::ALL[index + 1..] {
                for binding in command.bindings() {
                    let clashes = other.bindings().iter().any(|b| {
                        b.ctrl == binding.ctrl && {
                            b.key == binding.key && (b.shift == binding.shift || b.is_sign())
                        }
                    });
                    assert!(!clashes, "{command:?} and {other:?} share {}", binding.label(false));
                }
            }
        }
    }

    #[test]
    fn every_command_is_listed_once_and_found_by_its_own_keys() {
        for command in Command::ALL {
            assert_eq!(Command::ALL.iter().filter(|&&other| other == command).count(), 1, "{command:?}");
            assert!(!command.bindings().is_empty(), "{command:?} has no key");
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
    fn signs_are_found_wherever_a_keyboard_has_them() {
        let alt_gr = Modifiers { alt: true, ctrl: true, command: true, ..Modifiers::NONE };
        assert_eq!(Command::from_key(Key::OpenBracket, alt_gr), Some(Command::Slower));
        assert_eq!(Command::from_key(Key::Questionmark, Modifiers::SHIFT), Some(Command::Help));
        assert_eq!(Command::from_key(Key::Num1, Modifiers::SHIFT), Some(Command::Animation(0)));
        assert_eq!(Command::from_key(Key::S, Modifiers::SHIFT), None);
        assert_eq!(Command::from_key(Key::ArrowLeft, Modifiers::SHIFT), Some(Command::TenBack));
    }

    #[test]
    fn labels_say_what_to_press() {
        assert_eq!(Command::StepBack.keys(), "←  or  ,");
        assert_eq!(ctrl(Key::Num0).label(true), "Cmd+0");
        assert_eq!(shift(Key::ArrowRight).label(false), "Shift+→");
        assert!(list_bindings().contains("Ctrl+Q"));
        assert!(markdown_table().contains("| `←` `,` | One frame back |"));
    }
}
