//! Copying the place of a key: from the dopesheet, the inspector and the palette.

use std::fs;

use egui::accesskit::Role;
use egui::{Key, OutputCommand, PointerButton, pos2};
use egui_kittest::kittest::Queryable;

use crate::app::tests::harness::TestWindow;
use crate::widgets::command::Command;

impl TestWindow {
    /// Clicks a control and returns the text that is copied in that frame.
    fn copied_by(&mut self, role: Role, label: &str) -> Option<String> {
        self.harness.get_by_role_and_label(role, label).click();
        self.harness.run_steps(1);
        self.copied_text()
    }

    fn copied_text(&self) -> Option<String> {
        self.harness.output().platform_output.commands.iter().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    }

    /// Opens the menu of the row of a target at a position.
    fn open_menu(&mut self, row: &str, position: f64) {
        let (row, left) = (self.row(row), self.ruler().left() + 10.0);
        let x = self.x_of(left, position);
        self.click_with(pos2(x, row.center().y), PointerButton::Secondary);
    }

    /// Returns the position of a key of a target.
    fn key_of(&self, name: &str, index: usize) -> f64 {
        let keyed = self.state().timeline.keys.shown().unwrap();
        let target = keyed.targets.iter().find(|target| target.name == name).unwrap();
        target.times.iter().nth(index).unwrap()
    }

    fn notice_text(&self) -> String {
        self.state().notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default()
    }
}

/// A window on the lamp, which hops, with the dopesheet.
fn hopping() -> TestWindow {
    let mut it = TestWindow::open_with([1000.0, 800.0], &["paper-lamp.json"], |options, _| {
        options.subject.animations = vec!["hop".into()];
    });
    it.key(Key::D);
    it
}

const SCALE: &str = "/animations/hop/bones/base/scale";

#[test]
fn the_menu_of_a_key_copies_its_pointer() {
    let mut it = hopping();
    assert!(!it.state().timeline.pointers.knows_keys(), "the file is read when a place is asked for");
    // The third instant, at which only the scale has a key.
    let position = it.key_of("base", 3);
    it.open_menu("Bone base,", position);
    assert_eq!(it.copied_by(Role::Button, "Copy pointer"), Some(format!("{SCALE}/2")));
    assert_eq!(it.notice_text(), format!("Copied {SCALE}/2"));
    assert!(it.state().timeline.pointers.knows_keys());
    // Translation and scale.
    it.harness.run();
    let both = it.key_of("base", 5);
    it.open_menu("Bone base,", both);
    let copied = it.copied_by(Role::Button, "Copy pointer").unwrap();
    assert_eq!(copied, format!("/animations/hop/bones/base/translate/2\n{SCALE}/3"));
    assert_eq!(it.notice_text(), "Copied the places of 2 keys");
    // One channel.
    it.harness.run();
    it.harness.get_by_role_and_label(Role::Button, "Unfold base").click();
    it.harness.run();
    it.open_menu("Bone base: Scale,", both);
    assert_eq!(it.copied_by(Role::Button, "Copy pointer"), Some(format!("{SCALE}/3")));
    // Beside the keys.
    it.harness.run();
    it.open_menu("Bone base: Scale,", both + 0.7);
    assert_eq!(it.copied_by(Role::Button, "Copy pointer"), None);
}

#[test]
fn the_inspector_copies_the_pointer_of_the_key_at_the_playhead() {
    let mut it = hopping();
    it.select_bone("hold");
    let position = it.key_of("hold", 1);
    it.state_mut().playback.animator.seek(position);
    it.harness.run();
    let copied = it.copied_by(Role::Link, "Copy pointer");
    assert_eq!(copied.as_deref(), Some("/animations/hop/bones/hold/translate/1"));
    it.state_mut().playback.animator.seek(position + 0.5);
    it.harness.run();
    assert_eq!(it.copied_by(Role::Link, "Copy pointer"), None);
    assert!(it.notice_text().contains("paper-lamp.json states no key at 0.221 s"), "{}", it.notice_text());
}

#[test]
fn keys_of_binary_skeletons_have_offsets() {
    let mut it = TestWindow::open_with([1000.0, 800.0], &["paper-lamp-4.2.skel"], |options, _| {
        options.subject.animations = vec!["hop".into()];
    });
    it.key(Key::D);
    let position = it.key_of("base", 3);
    it.open_menu("Bone base,", position);
    let copied = it.copied_by(Role::Button, "Copy pointer").unwrap();
    let offset = copied.strip_prefix("offset 0x").and_then(|hex| usize::from_str_radix(hex, 16).ok());
    let bytes = fs::read(it.folder.path().join("paper-lamp-4.2.skel")).unwrap();
    // A key of a scale begins with its time.
    let time = f32::from_be_bytes(bytes[offset.unwrap()..][..4].try_into().unwrap());
    assert!((time - 0.35).abs() < 1e-3, "{copied}: {time}");
}

#[test]
fn a_file_that_has_changed_is_reported() {
    let mut it = hopping();
    it.select_bone("base");
    let position = it.key_of("base", 3);
    it.state_mut().playback.animator.seek(position);
    it.harness.run();
    assert!(it.copied_by(Role::Link, "Copy pointer").is_some());
    let path = it.folder.path().join("paper-lamp.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\n")).unwrap();
    it.harness.run();
    assert_eq!(it.copied_by(Role::Link, "Copy pointer"), None);
    assert!(it.notice_text().contains("paper-lamp.json has changed since it was read"), "{}", it.notice_text());
    it.harness.run();
    it.key(Key::F5);
    assert!(it.copied_by(Role::Link, "Copy pointer").is_some(), "{}", it.notice_text());
    fs::remove_file(&path).unwrap();
    it.harness.run();
    assert_eq!(it.copied_by(Role::Link, "Copy pointer"), None);
}

#[test]
fn stored_frames_have_no_pointers() {
    let mut it = TestWindow::open([1000.0, 800.0], &["paper-knight.pchr"]);
    it.key(Key::D);
    let bone = it.state().timeline.keys.shown().unwrap().targets[0].name.clone();
    let position = it.key_of(&bone, 1);
    it.open_menu(&format!("{bone},"), position);
    it.select_bone(&bone);
    assert!(!it.says("Copy pointer"));
    assert_eq!(it.state().unavailable(Command::CopyPointer), Some("The file stores frames, not keys"));
}
