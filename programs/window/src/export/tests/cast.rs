//! A contact sheet of several characters: from the stage and from the gallery, with the bytes of the command.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;

use super::dialog_harness::{Dialog, shlex_split};
use crate::app::tests::harness::{TestWindow, paused};
use crate::export::Ended;
use egui::{Key, Modifiers};
use pchr_cli as cli;

fn copy(folder: &Path, asset: &str, name: &str) {
    fs::copy(crate::common::root().join("assets").join(asset), folder.join(name)).unwrap();
}

/// Opens the dialog of the knight and of a broken file, on the stage or in a gallery.
fn dialog(in_gallery: bool) -> Dialog {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path(), "paper-knight.pchr", "knight.pchr");
    fs::write(folder.path().join("wreck.pchr"), b"PCHR\x01").unwrap();
    let inputs = vec!["knight.pchr", "wreck.pchr"];
    let mut options = paused();
    options.subject.files = match in_gallery {
        true => vec![folder.path().to_owned()],
        false => inputs.iter().map(|name| folder.path().join(name)).collect(),
    };
    let mut it = Dialog { desk: TestWindow::new([1100.0, 800.0], folder, &options), inputs };
    if in_gallery {
        it.click_button("Contact sheet…");
    } else {
        it.press(Modifiers::NONE, Key::J);
        it.press(Modifiers::COMMAND, Key::E);
    }
    it
}

/// Removes the files that were written, runs the command that the dialog shows, and returns the files that it writes. It fails
/// because one of the characters is broken.
fn files_of_command(it: &mut Dialog) -> BTreeMap<String, Vec<u8>> {
    let line = it.copied();
    it.files().keys().for_each(|name| fs::remove_file(it.path(name)).unwrap());
    let code = cli::pchr_view(shlex_split(&line).into_iter().map(OsString::from), None);
    assert_ne!(format!("{code:?}"), format!("{:?}", ExitCode::SUCCESS));
    it.files()
}

/// Returns the width and height of a PNG.
fn size(png: &[u8]) -> [u32; 2] {
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn characters_on_the_stage_share_a_sheet() {
    let mut it = dialog(false);
    assert!(it.harness.query_by_role_and_label(Role::ComboBox, "Characters").is_none(), "a GIF shows one");
    it.choose("Format", "Contact sheet (PNG)");
    it.choose("Characters", "All 2 on the stage");
    let line = it.copied();
    assert!(line.contains("knight.pchr") && line.contains("wreck.pchr -o"), "{line}");
    assert!(line.contains("cast.png --contact-sheet 6x --backend cpu") && !line.contains("-a "), "{line}");
    it.choose("Frames", "First");
    it.settle();
    assert!(it.says("1 frame · 160 × 160 px · 1 file"));
    let preview = it.export().previewer.answer().expect("a preview").picture;
    let Ended::Written(written) = it.write() else { panic!("{:?}", it.export().phase) };
    assert_eq!(written.files.len(), 1);
    let files = it.files();
    let sheet = &files["cast.png"];
    assert_eq!(size(sheet), [preview.width(), preview.height()]);
    // The cell of the broken file says why, and the exit code too.
    assert_eq!(files_of_command(&mut it), files);
    it.choose("Characters", "The shown one");
    let line = it.copied();
    assert!(line.contains("knight.pchr -a idle") && !line.contains("wreck"), "{line}");
}

#[test]
fn a_gallery_is_written_as_a_sheet() {
    let mut it = dialog(true);
    let formats = it.harness.get_by_role_and_label(Role::ComboBox, "Format");
    assert_eq!(formats.value().as_deref(), Some("Contact sheet (PNG)"));
    let line = it.copied();
    assert!(line.contains("-f first") || line.contains("-f 0"), "one frame of each: {line}");
    it.choose("Frames", "All, or as many as fit");
    it.choose("Animation", "All animations");
    it.choose("Rows", "Fixed number");
    let line = it.copied();
    assert!(line.contains("-a all") && line.contains("--contact-sheet 6x4"), "{line}");
    it.settle();
    assert!(it.says(" · 160 × 160 px · 1 file"));
    let preview = it.export().previewer.answer().expect("a preview").picture;
    assert!(preview.pixels().iter().any(|value| *value > 0), "the preview shows something");
    assert!(matches!(it.write(), Ended::Written(_)), "{:?}", it.export().phase);
    let files = it.files();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["cast.png"]);
    assert_eq!(files_of_command(&mut it), files);
    // One name for one sheet.
    let own = it.path("{name}.png").display().to_string();
    it.export().path = own;
    it.export().typed_path();
    let Ended::Failed(message) = it.write() else { panic!("{:?}", it.export().phase) };
    assert!(message.contains("without placeholders"), "{message}");
    // Escape leads back to the gallery.
    it.press(Modifiers::NONE, Key::Escape);
    assert!(!it.is_open() && it.state().files.shows_gallery());
}

#[test]
fn a_sheet_without_any_character_is_not_written() {
    let mut it = dialog(true);
    fs::remove_file(it.path("knight.pchr")).unwrap();
    it.settle();
    let Ended::Failed(message) = it.write() else { panic!("{:?}", it.export().phase) };
    assert!(message.contains("knight.pchr"), "{message}");
    assert!(it.files().is_empty());
}

#[test]
fn the_sheet_of_a_gallery_is_written_into_its_folder_in_even_rows() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("a");
    fs::create_dir(&inner).unwrap();
    for number in 0..13 {
        copy(&inner, "paper-knight.pchr", &format!("{number}.pchr"));
    }
    let mut options = paused();
    options.subject.files = vec![folder.path().to_owned()];
    let mut it = Dialog { desk: TestWindow::new([1100.0, 800.0], folder, &options), inputs: Vec::new() };
    it.click_button("Contact sheet…");
    it.settle();
    assert!(it.says("13 frames"));
    let preview = it.export().previewer.answer().expect("a preview").picture;
    assert!(preview.width() > preview.height(), "six columns and three rows");
    assert!(matches!(it.write(), Ended::Written(_)), "{:?}", it.export().phase);
    assert!(it.path("cast.png").is_file());
}
