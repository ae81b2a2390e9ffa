//! The commands with their keys, as shown on screen, in a terminal and in docs/window.md.

use crate::widgets::command::{Command, Group};

/// One line of the overlay or the table. The nine digit keys share one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The heading that it belongs to.
    pub group: Group,
    /// The keys of each binding, or the mouse action.
    pub caps: Vec<Vec<&'static str>>,
    /// It is a mouse action.
    pub is_mouse: bool,
    /// What it does.
    pub label: &'static str,
}

impl Row {
    /// Returns the keys as text, such as `←  or  ,`.
    pub fn keys(&self) -> String {
        let bindings: Vec<String> = self.caps.iter().map(|caps| caps.join("+")).collect();
        bindings.join("  or  ")
    }
}

/// Mouse actions, listed beside the keys.
const MOUSE: [(Group, &str, &str); 10] = [
    (Group::Timeline, "Home over the timeline", "Show whole timeline"),
    (Group::Timeline, "Wheel over the timeline", "Magnify the time; over the dopesheet with Ctrl"),
    (Group::Timeline, "Alt+wheel over curves", "Magnify the values"),
    (Group::Timeline, "Shift+drag in the timeline", "Move the playhead between frames"),
    (Group::View, "Wheel or pinch", "Zoom at the pointer"),
    (Group::View, "Drag", "Pan; a playing character swings"),
    (Group::Stage, "Shift+drag", "Move a character on the stage"),
    (Group::Skeleton, "Drag a ring", "Move an IK target"),
    (Group::Skeleton, "Hold Ctrl", "Show all IK rings"),
    (Group::File, "Drop a file", "Open it"),
];

/// Returns every line of the overlay and the table. Commands without keys are not listed.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for group in Group::ALL {
        for command in group.commands() {
            let caps = if let Command::Animation(place) = command {
                // The first row stands for all.
                if place == 0 { vec![vec!["1 – 9"]] } else { Vec::new() }
            } else {
                command.caps()
            };
            if caps.is_empty() {
                continue;
            }
            rows.push(Row { group, caps, is_mouse: false, label: command.label().trim_end_matches('…') });
        }
        let mouse = MOUSE.iter().filter(|(of, ..)| *of == group);
        rows.extend(mouse.map(|&(_, keys, label)| Row { group, caps: vec![vec![keys]], is_mouse: true, label }));
    }
    rows
}

/// Returns the bindings as plain text, for `--list-bindings`.
pub fn list_bindings() -> String {
    let rows = rows();
    let width = rows.iter().map(|row| row.keys().chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for group in Group::ALL {
        for (place, row) in rows.iter().filter(|row| row.group == group).enumerate() {
            if place == 0 {
                text.push_str(&format!("{}\n", group.label()));
            }
            text.push_str(&format!("  {:width$}   {}\n", row.keys(), row.label));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_menu_is_longer_than_a_window() {
        for group in Group::ALL {
            let commands: Vec<Command> = group.commands().collect();
            let is_shown = |command: &&Command| !matches!(command, Command::Animation(_) | Command::ClearRecent);
            let rows = commands.iter().filter(is_shown).count() + usize::from(group == Group::File);
            assert!((1..=12).contains(&rows), "{group:?}: {rows} rows");
        }
        assert_eq!(Group::ALL.map(|group| group.commands().count()).iter().sum::<usize>(), Command::all().count());
    }

    #[test]
    fn every_command_with_a_key_is_listed() {
        let is_listed =
            |command: &Command| !matches!(command, Command::Animation(_)) && !command.bindings().is_empty();
        for command in Command::all().filter(is_listed) {
            let label = command.label().trim_end_matches('…');
            assert!(list_bindings().contains(label), "{label}");
        }
        assert!(list_bindings().contains("  Ctrl+Q "));
        assert!(list_bindings().contains("  ←  or  , "));
    }
}
