//! The settings file: what happens when it cannot be written, its permissions and links.

use std::fs;
use std::path::PathBuf;

use egui::{Key, Modifiers};
use tempfile::TempDir;

use crate::app::tests::harness::TestWindow;

fn file(home: &TempDir) -> PathBuf {
    home.path().join("pchr").join("settings.toml")
}

fn open(home: &TempDir) -> TestWindow {
    TestWindow::open_with([600.0, 500.0], &["paper-knight.pchr"], |options, _| options.settings = Some(file(home)))
}

/// Presses a key that changes a setting, and lets more time pass than changes wait before they are written.
fn change(it: &mut TestWindow, key: Key) {
    it.press(Modifiers::NONE, key);
    it.harness.run_steps(8);
}

fn notice(it: &mut TestWindow) -> Option<String> {
    it.harness.state_mut().state.notice.take().map(|notice| notice.text)
}

/// Puts a file in place of the folder: even root cannot create files in it.
fn block(home: &TempDir) {
    fs::write(home.path().join("pchr"), "").unwrap();
}

fn unblock(home: &TempDir) {
    fs::remove_file(home.path().join("pchr")).unwrap();
}

#[test]
fn changes_that_cannot_be_written_are_written_with_the_next_one() {
    let home = tempfile::tempdir().unwrap();
    block(&home);
    let mut it = open(&home);
    change(&mut it, Key::B);
    let message = notice(&mut it).expect("a notice");
    assert!(
        message.contains("Cannot save the settings") && message.contains("pchr: this is a file, not a folder"),
        "{message}"
    );
    assert!(message.contains("try again"), "{message}");
    // The window comes to rest meanwhile.
    it.harness.run_steps(20);
    let viewport = it.harness.output().viewport_output.values().next().expect("a viewport");
    assert!(viewport.repaint_delay > std::time::Duration::from_secs(60), "{:?}", viewport.repaint_delay);
    change(&mut it, Key::N);
    assert_eq!(notice(&mut it), None, "it is reported once");
    unblock(&home);
    it.harness.run_steps(20);
    assert!(!file(&home).exists(), "nothing has changed");
    change(&mut it, Key::I);
    assert!(!file(&home).exists(), "that was no setting");
    change(&mut it, Key::D);
    let text = fs::read_to_string(file(&home)).expect("it is written");
    for part in ["\"bones\"", "\"names\"", "below_timeline = \"dopesheet\""] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(notice(&mut it), None);
    // Another failure is news.
    fs::remove_dir_all(home.path().join("pchr")).unwrap();
    block(&home);
    change(&mut it, Key::D);
    assert!(notice(&mut it).is_some());
}

#[test]
fn changes_that_cannot_be_written_are_written_on_quitting() {
    let home = tempfile::tempdir().unwrap();
    block(&home);
    let mut it = open(&home);
    change(&mut it, Key::B);
    assert!(notice(&mut it).is_some());
    unblock(&home);
    assert_eq!(it.harness.state_mut().save_settings(), None);
    assert!(fs::read_to_string(file(&home)).expect("it is written").contains("\"bones\""));
}

#[test]
fn a_failure_on_quitting_is_returned_unless_it_is_known() {
    let home = tempfile::tempdir().unwrap();
    block(&home);
    let mut it = open(&home);
    it.harness.key_press_modifiers(Modifiers::NONE, Key::B);
    it.harness.run_steps(1);
    let message = it.harness.state_mut().save_settings().expect("a message");
    assert!(message.contains("Cannot save the settings"), "{message}");
    assert_eq!(it.harness.state_mut().save_settings(), None);
}

#[cfg(unix)]
#[test]
fn a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own() {
    use std::os::unix::fs::PermissionsExt;

    let home = tempfile::tempdir().unwrap();
    let mode = || fs::metadata(file(&home)).unwrap().permissions().mode() & 0o777;
    let mut it = open(&home);
    change(&mut it, Key::B);
    // Any other new file has the same.
    let other = home.path().join("other");
    fs::write(&other, "").unwrap();
    assert_eq!(mode(), fs::metadata(other).unwrap().permissions().mode() & 0o777);
    for kept in [0o640, 0o666, 0o600] {
        fs::set_permissions(file(&home), fs::Permissions::from_mode(kept)).unwrap();
        let before = fs::read_to_string(file(&home)).unwrap();
        change(&mut it, Key::B);
        assert_ne!(fs::read_to_string(file(&home)).unwrap(), before);
        assert_eq!(mode(), kept, "{kept:o}");
    }
    // A broken file that is replaced, too.
    fs::write(file(&home), "[").unwrap();
    change(&mut it, Key::B);
    assert!(fs::read_to_string(file(&home)).unwrap().contains("overlays"));
    assert_eq!(mode(), 0o600);
    assert_eq!(fs::read_to_string(file(&home).with_extension("broken.toml")).unwrap(), "[");
    let names = fs::read_dir(home.path().join("pchr")).unwrap().count();
    assert_eq!(names, 2, "no temporary file is left");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_that_is_missing_stays_a_link() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(file(&home).parent().unwrap()).unwrap();
    std::os::unix::fs::symlink("../dotfiles.toml", file(&home)).unwrap();
    let mut it = open(&home);
    for _ in 0..2 {
        change(&mut it, Key::B);
        assert!(fs::symlink_metadata(file(&home)).unwrap().is_symlink());
    }
    assert!(fs::read_to_string(home.path().join("dotfiles.toml")).unwrap().contains("overlays"));
}
