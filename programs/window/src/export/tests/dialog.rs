//! The export dialog, driven as a user would: it writes the same files as the command line that it shows.

use std::fs;
use std::path::Path;

use crate::app::tests::harness::TestWindow;
use crate::export::tests::dialog_harness::Dialog;
use crate::export::{Ended, Frames, Phase};
use crate::overlays::underlay::Underlay;
use crate::scene::selection::Selected;
use crate::widgets::actions::{self, Request};
use egui::accesskit::Role;
use egui::{Key, Modifiers, OutputCommand, Popup, Rect};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::export::{Format, Size};
use pchr::formats::image::{decode_png, encode_png};
use pchr::limits::Limits;

#[test]
fn it_opens_shows_an_estimate_and_closes() {
    let mut it = Dialog::new();
    it.settle();
    assert!(it.says("24 frames · ") && it.says(" px · 1.00 s · 1 file"), "the estimate is shown");
    assert!(it.says("pchr-view '") && it.says("my knight-walk.gif"));
    let preview = it.export().previewer.answer().expect("a preview");
    assert!(preview.picture.pixels().iter().any(|&byte| byte != 0), "the knight is visible");
    it.press(Modifiers::NONE, Key::Escape);
    assert!(!it.is_open());
    it.press(Modifiers::COMMAND, Key::E);
    assert!(it.is_open());
    it.click_button("Close export");
    assert!(!it.is_open());
    it.press(Modifiers::COMMAND, Key::E);
    it.press(Modifiers::COMMAND, Key::E);
    assert!(!it.is_open());
}

#[test]
fn every_format_matches_its_command_line() {
    let ffmpeg = std::process::Command::new("ffmpeg").arg("-version").output();
    let has_ffmpeg = ffmpeg.is_ok_and(|output| output.status.success());
    assert!(
        has_ffmpeg || std::env::var("PCHR_TEST_FFMPEG").as_deref() != Ok("require"),
        "ffmpeg is not installed"
    );
    for format in Format::ALL.into_iter().filter(|format| has_ffmpeg || !format.is_compressed_video()) {
        let mut it = Dialog::new();
        it.set(|export| {
            export.options.output.format = Some(format);
            export.options.look.size = Size::Exact(90, 70);
            export.frames = Frames::Range { first: 2, last: 8, step: 3 };
            export.options.subject.loops = Some(3);
            export.options.subject.speed = 0.5;
            export.options.look.matte = Some([10, 20, 30]);
        });
        let Ended::Written(written) = it.write() else { panic!("{format:?}: {:?}", it.export().phase) };
        let files = it.files();
        let expected = match format {
            Format::Png => 3,
            Format::Sheet => 2,
            _ => 1,
        };
        assert_eq!(files.len(), expected, "{format:?}");
        assert_eq!(written.files.len(), files.len());
        assert!(it.says("Saved"), "{format:?}");
        assert_eq!(it.command_line_files(), files, "{format:?}");
    }
}

#[test]
fn choices_made_by_hand_are_written_and_shown() {
    let mut it = Dialog::new();
    it.choose("Format", "PNG, one file per frame");
    it.choose("Animation", "All animations");
    it.choose("Frames", "Current frame");
    it.choose("Size", "Width");
    it.choose("Background", "Colour");
    it.choose("Antialiasing", "2× supersampling (ssaa2)");
    it.choose("Area", "Exported frames");
    it.click_role(Role::CheckBox, "Smallest file (slow)");
    let line = it.copied();
    for part in
        ["--optimize", "-a all", "-s 512x", "-b '#ffffff'", "--antialias ssaa2", "--fit frame", "--backend cpu"]
    {
        assert!(line.contains(part), "{part} in {line}");
    }
    for part in ["--force", "--matte", "--loops", "--format", "--scale"] {
        assert!(!line.contains(part), "{part} in {line}");
    }
    assert!(matches!(it.write(), Ended::Written(_)));
    let files = it.files();
    assert!(files.len() > 1 && files.contains_key("my knight-walk.png"), "{:?}", files.keys());
    assert_eq!(it.command_line_files(), files);
}

#[test]
fn the_command_line_is_copied_to_the_clipboard() {
    let mut it = Dialog::new();
    it.harness.get_by_role_and_label(Role::Button, "Copy").click();
    // Pressed in one frame and released in the next.
    let mut copied = Vec::new();
    for _ in 0..4 {
        it.harness.run_steps(1);
        copied.extend(it.harness.output().platform_output.commands.iter().filter_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        }));
    }
    let line = it.export().wanted().command_line();
    assert_eq!(copied, [line]);
    assert!(it.says("Copied"));
    it.choose("Format", "Animated PNG");
    assert!(!it.says("Copied"), "the command has changed");
}

#[test]
fn a_cancelled_export_leaves_nothing_behind() {
    for format in [Format::Png, Format::Apng, Format::Gif, Format::Sheet] {
        let mut it = Dialog::new();
        fs::write(it.path("other.txt"), "kept").expect("a file");
        let path = it.path("new/folder/knight").display().to_string();
        it.set(|export| {
            export.options.output.format = Some(format);
            // Enough work for there to be time to cancel.
            export.options.look.size = Size::Exact(2500, 2500);
            export.options.output.sheet.max_size = 16_384;
            export.choose_path(&path);
        });
        it.click_button("Export");
        it.wait("the first picture", |export| match &export.phase {
            Phase::Running(job) => job.progress().0 > 0,
            phase => panic!("{phase:?}"),
        });
        assert!(it.path("new/folder").is_dir(), "{format:?}");
        // Ctrl+E does not close the dialog meanwhile.
        it.press(Modifiers::COMMAND, Key::E);
        assert!(it.export().is_running());
        match format {
            Format::Png => it.press(Modifiers::NONE, Key::Escape),
            _ => it.click_button("Cancel"),
        }
        assert_eq!(it.ended(), Ended::Cancelled, "{format:?}");
        assert!(it.says("Cancelled; nothing was written."));
        assert!(!it.path("new").exists(), "{format:?}");
        assert_eq!(it.files().into_keys().collect::<Vec<_>>(), ["other.txt"]);
    }
}

#[test]
fn escape_leads_out_of_an_export_above_the_list_of_keys() {
    let mut it = Dialog::new();
    it.press(Modifiers::NONE, Key::Escape);
    it.press(Modifiers::NONE, Key::F1);
    it.press(Modifiers::COMMAND, Key::E);
    it.set(|export| export.options.look.size = Size::Exact(2500, 2500));
    it.click_button("Export");
    assert!(it.export().is_running());
    it.press(Modifiers::NONE, Key::Escape);
    assert_eq!(it.ended(), Ended::Cancelled);
    assert!(it.files().is_empty());
    it.press(Modifiers::NONE, Key::Escape);
    assert!(!it.is_open() && it.harness.state().state.help.is_open, "Escape closes the dialog");
    it.press(Modifiers::NONE, Key::Escape);
    assert!(!it.harness.state().state.help.is_open, "and then the list of keys");
}

#[test]
fn closing_the_window_during_an_export_leaves_nothing_behind() {
    let mut it = Dialog::new();
    it.set(|export| export.options.look.size = Size::Exact(2500, 2500));
    it.click_button("Export");
    it.wait("the first picture", |export| match &export.phase {
        Phase::Running(job) => job.progress().0 > 0,
        phase => panic!("{phase:?}"),
    });
    let TestWindow { harness, folder } = it.desk;
    drop(harness);
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

#[test]
fn existing_files_are_only_replaced_on_request() {
    let mut it = Dialog::new();
    it.set(|export| export.options.look.size = Size::Exact(60, 60));
    let name = "my knight-walk.gif";
    fs::write(it.path(name), "theirs").expect("a file");
    assert!(matches!(it.write(), Ended::Exists { count: 1, .. }));
    assert!(it.says("already exists. Replace it?"));
    it.click_button("Keep");
    assert_eq!(it.files()[name], b"theirs");
    assert!(matches!(it.write(), Ended::Exists { .. }));
    it.click_button("Replace");
    assert!(matches!(it.ended(), Ended::Written(_)));
    assert!(it.files()[name].starts_with(b"GIF89a"));
    assert!(!it.export().options.output.force, "the next export asks again");

    it.choose("Format", "PNG, one file per frame");
    for frame in [3, 5] {
        fs::write(it.path(&format!("my knight-walk-{frame:04}.png")), "theirs").expect("a file");
    }
    assert!(matches!(it.write(), Ended::Exists { count: 2, .. }));
    assert_eq!(it.files().len(), 3, "nothing is written before the answer");
    it.click_button("Replace");
    assert!(matches!(it.ended(), Ended::Written(_)));
    assert_eq!(it.files().len(), 25);
    assert!(it.files().values().all(|bytes| bytes != b"theirs"));
}

#[test]
fn errors_are_shown_in_the_dialog() {
    let mut it = Dialog::new();
    let name = it.path("all.png").display().to_string();
    it.choose("Format", "PNG, one file per frame");
    for (path, expected) in [
        (name, "{frame:04}"),
        (it.path("a.gif").display().to_string(), "does not have the extension of a PNG"),
        (it.path("{frme}.png").display().to_string(), "unknown placeholder"),
        (it.path("my knight.pchr/{frame}.png").display().to_string(), "this is a file, not a folder"),
    ] {
        it.export().path = path;
        it.export().typed_path();
        let Ended::Failed(error) = it.write() else { panic!("{:?}", it.export().phase) };
        assert!(error.contains(expected), "{error}");
        assert!(it.says("Nothing was written"));
    }
    it.set(|export| export.options.look.size = Size::Exact(32_000, 32_000));
    it.set(|export| export.options.look.antialias = Some(pchr::draw::Antialias::Ssaa4));
    it.settle();
    assert!(it.says("memory-bytes"), "the preview shows the error as well");
    assert!(it.files().is_empty());
}

#[test]
fn the_path_follows_the_choices_until_the_user_edits_it() {
    let mut it = Dialog::new();
    let name =
        |it: &mut Dialog| Path::new(&it.export().path).file_name().expect("a name").to_string_lossy().into_owned();
    assert_eq!(name(&mut it), "my knight-walk.gif");
    it.choose("Format", "PNG, one file per frame");
    assert_eq!(name(&mut it), "my knight-walk-{frame:04}.png");
    it.choose("Animation", "All animations");
    assert_eq!(name(&mut it), "my knight-{animation}-{frame:04}.png");
    it.click_button("Choose…");
    assert_eq!(it.harness.state().state.requests, [Request::Dialog(actions::Dialog::Save)]);
    let own = it.path("own {name.png");
    it.harness.state_mut().state.name_export(&own);
    it.harness.run();
    assert_eq!(name(&mut it), "own {{name-{animation}-{frame:04}.png");
    it.choose("Format", "Uncompressed video (y4m)");
    assert_eq!(name(&mut it), "own {{name-{animation}.y4m");
}

#[test]
fn letters_go_to_fields_and_tab_moves_the_focus() {
    let mut it = Dialog::new();
    it.press(Modifiers::NONE, Key::Space);
    assert!(!it.harness.state().state.playback.animator.is_playing());
    it.press(Modifiers::NONE, Key::Tab);
    assert!(it.harness.state().state.panels, "Tab hides nothing behind it");
    assert!(it.harness.ctx.memory(|memory| memory.focused().is_some()));
    it.harness.get_by_role_and_label(Role::TextInput, "Save as").focus();
    it.harness.run();
    let before = it.export().path.clone();
    it.harness.key_press_modifiers(Modifiers::NONE, Key::L);
    it.harness.event(egui::Event::Text("l".to_owned()));
    it.harness.run();
    assert_eq!(it.export().path.len(), before.len() + 1);
    assert_eq!(it.harness.state().state.playback.animator.loop_mode(), pchr::player::LoopMode::Authored);
}

#[test]
fn it_follows_the_current_file() {
    let mut it = Dialog::new();
    it.choose("Format", "Animated WebP");
    it.press(Modifiers::NONE, Key::F5);
    assert_eq!(it.export().options.format(), Format::Webp, "the choices survive a reload");
    let other = it.path("other.pchr");
    fs::copy(it.path("my knight.pchr"), &other).expect("a copy");
    it.harness.state_mut().state.open(vec![other.clone()]);
    it.harness.run();
    assert_eq!(it.export().options.subject.files, [other]);
}

#[test]
fn only_the_preview_plays() {
    let mut it = Dialog::new();
    it.settle();
    it.harness.get_by_label("Play preview").click();
    it.harness.run_steps(2);
    let first = it.export().previewer.answer().expect("a preview").number;
    it.wait("another picture", |export| export.previewer.answer().is_some_and(|answer| answer.number > first + 2));
    it.harness.state_mut().state.playback.animator.set_playing(true);
    assert!(!it.harness.state().is_moving());
}

#[test]
fn every_size_of_window_lays_out() {
    for size in [[1.0, 1.0], [240.0, 160.0], [420.0, 300.0], [640.0, 900.0], [3000.0, 200.0], [1100.0, 800.0]] {
        let mut it = Dialog::open(size);
        it.settle();
        assert!(it.is_open());
        it.save(&size[0].to_string());
    }
}

// ---- Lists above the dialog

/// Returns the names of the dialog's combo boxes, in order.
fn lists(it: &Dialog) -> Vec<String> {
    let nodes = it.harness.root().children_recursive();
    let combos = nodes.filter(|node| node.accesskit_node().role() == Role::ComboBox);
    // Combo boxes behind the dialog have no such names.
    let names = combos.filter_map(|node| node.accesskit_node().label());
    names
        .filter(|name| !name.contains("  (") && !name.contains("screenshots") && !name.starts_with("Alpha"))
        .collect()
}

/// Returns the rectangles of the choices in the open list.
fn open_choices(it: &Dialog) -> Vec<Rect> {
    let nodes: Vec<_> = it.harness.root().children_recursive().collect();
    let list = nodes.iter().find(|node| node.accesskit_node().role() == Role::ListBox);
    let inside = list.into_iter().flat_map(|list| list.children_recursive());
    inside.filter(|node| node.accesskit_node().role() == Role::Button).map(|node| node.rect()).collect()
}

fn is_list_open(it: &Dialog) -> bool {
    Popup::is_any_open(&it.harness.ctx)
}

/// Scrolls a combo box into view and returns its rectangle.
fn list(it: &mut Dialog, name: &str) -> Rect {
    it.harness.get_by_role_and_label(Role::ComboBox, name).scroll_to_me();
    it.harness.run_steps(4);
    it.harness.get_by_role_and_label(Role::ComboBox, name).rect()
}

#[test]
fn every_list_opens_repeatedly_above_the_dialog() {
    let mut it = Dialog::new();
    it.settle();
    let format = list(&mut it, "Format").center();
    it.tap(format);
    let choices = open_choices(&it);
    // Only PSD comes after it.
    let at_sheet = choices.len() - 2;
    it.tap(choices[at_sheet].center());
    assert_eq!(it.export().options.format(), Format::Sheet);
    let names = lists(&it);
    assert!(names.len() >= 12, "{names:?}");
    for round in 0..3 {
        for name in &names {
            if it.harness.query_by_role_and_label(Role::ComboBox, name).is_none() {
                // The previous choice selected a layout without columns.
                assert!(name == "Grid" && round > 0);
                continue;
            }
            let place = list(&mut it, name).center();
            it.tap(place);
            assert!(is_list_open(&it), "{name} opens, round {round}");
            let choices = open_choices(&it);
            assert!(choices.len() > 1, "{name}");
            // Click a choice that covers other combo boxes. Keep what is written and the format, as
            // changing them removes rows.
            let choice = match &**name {
                "Format" => at_sheet,
                "Kind" => 0,
                _ => round % choices.len(),
            };
            it.tap(choices[choice].center());
            assert!(!is_list_open(&it), "{name}: the choice is not clicked, round {round}");
            // Open and close the list without a choice.
            let place = list(&mut it, name).center();
            it.tap(place);
            it.press(Modifiers::NONE, Key::Escape);
            assert!(!is_list_open(&it) && it.is_open(), "{name}: Escape closes the list, round {round}");
            it.harness.run();
        }
    }
    assert_eq!(it.export().options.format(), Format::Sheet);
    it.press(Modifiers::NONE, Key::Escape);
    assert!(!it.is_open(), "the first Escape closes the dialog");
}

#[test]
fn a_list_opens_while_another_is_open() {
    let mut it = Dialog::new();
    it.settle();
    for (first, second) in
        [("Background", "Antialiasing"), ("Antialiasing", "Sampling"), ("Background", "Antialiasing")]
    {
        let place = list(&mut it, first).center();
        it.tap(place);
        let place = it.harness.get_by_role_and_label(Role::ComboBox, second).rect().center();
        it.tap(place);
        if !is_list_open(&it) {
            it.tap(place);
        }
        let choice = open_choices(&it)[0].center();
        it.tap(choice);
        assert!(!is_list_open(&it), "{second} after {first}");
    }
    assert_eq!(it.export().options.format(), Format::Gif);
}

#[test]
fn an_open_menu_does_not_swallow_the_first_escape() {
    let mut it = Dialog::new();
    it.press(Modifiers::NONE, Key::Escape);
    let menu = it.button("Menu").center();
    it.tap(menu);
    assert!(is_list_open(&it));
    it.press(Modifiers::COMMAND, Key::E);
    assert!(it.is_open() && !is_list_open(&it), "the dialog closes the menu");
    it.press(Modifiers::NONE, Key::Escape);
    assert!(!it.is_open());
    // The list of keys opens above the dialog, even if a list is open.
    it.press(Modifiers::COMMAND, Key::E);
    let format = list(&mut it, "Format").center();
    it.tap(format);
    it.press(Modifiers::NONE, Key::F1);
    assert!(!is_list_open(&it));
    it.press(Modifiers::NONE, Key::Escape);
    assert!(!it.harness.state().state.help.is_open && it.is_open(), "the first Escape closes the list of keys");
}

// ---- Premature clicks

/// Waits for the export to end while egui's clock stands still.
fn write_at(it: &mut Dialog, secs: f64) {
    let begin = std::time::Instant::now();
    while it.export().is_running() {
        assert!(begin.elapsed() < std::time::Duration::from_secs(120), "the export takes too long");
        std::thread::sleep(std::time::Duration::from_millis(2));
        it.frame_at(secs);
    }
    it.frame_at(secs);
}

#[test]
fn a_double_click_on_export_replaces_nothing() {
    let name = "my knight-walk.gif";
    let mut it = Dialog::new();
    it.set(|export| export.options.look.size = Size::Exact(60, 60));
    it.settle();
    fs::write(it.path(name), "theirs").expect("a file");
    let mut now = 1000.0;
    for gap in [0.02, 0.1, 0.2, 0.29, 0.45] {
        now += 10.0;
        let export = it.button("Export");
        it.tap_at(export.center(), Some(now));
        write_at(&mut it, now + 0.01);
        assert!(matches!(it.export().phase, Phase::Ended(Ended::Exists { .. })), "{:?}", it.export().phase);
        for clicks in 1..=2 {
            it.tap_at(export.center(), Some(now + gap * f64::from(clicks)));
        }
        write_at(&mut it, now + gap * 2.0);
        assert_eq!(it.files()[name], b"theirs", "{gap} seconds later");
        assert!(it.says("already exists. Replace it?"), "the question is still there");
        let replace = it.button("Replace");
        assert!(!replace.intersects(export), "{replace} is where Export was, {export}");
        assert!(!it.button("Keep").intersects(export));
        // After a while, a click is no accident.
        it.frame_at(now + 2.0);
        let keep = it.button("Keep").center();
        it.tap_at(keep, Some(now + 2.1));
        it.frame_at(now + 2.2);
        assert!(!it.says("already exists"));
    }
    let export = it.button("Export").center();
    it.tap_at(export, Some(now + 5.0));
    write_at(&mut it, now + 5.01);
    let replace = it.button("Replace").center();
    for soon in [5.02, 5.1, 5.3, 5.5] {
        it.tap_at(replace, Some(now + soon));
        write_at(&mut it, now + soon);
        assert_eq!(it.files()[name], b"theirs", "{soon} is too soon");
    }
    it.save("question");
    it.frame_at(now + 5.7);
    it.tap_at(replace, Some(now + 6.1));
    write_at(&mut it, now + 6.2);
    assert!(it.files()[name].starts_with(b"GIF89a"), "{:?}", it.export().phase);
}

#[test]
fn a_double_click_on_export_neither_cancels_it_nor_starts_another() {
    let mut it = Dialog::new();
    it.set(|export| export.options.look.size = Size::Exact(2500, 2500));
    let export = it.button("Export").center();
    it.tap_at(export, Some(1000.0));
    it.frame_at(1000.05);
    assert!(it.export().is_running());
    it.tap_at(export, Some(1000.15));
    it.frame_at(1000.2);
    let Phase::Running(job) = &it.export().phase else { panic!("{:?}", it.export().phase) };
    assert!(!job.is_cancelled());
    let cancel = it.button("Cancel").center();
    it.tap_at(cancel, Some(1003.0));
    write_at(&mut it, 1003.1);
    assert!(matches!(it.export().phase, Phase::Ended(Ended::Cancelled)), "{:?}", it.export().phase);

    it.set(|export| export.options.look.size = Size::Exact(60, 60));
    it.tap_at(export, Some(1010.0));
    write_at(&mut it, 1010.1);
    assert!(matches!(it.export().phase, Phase::Ended(Ended::Written(_))), "{:?}", it.export().phase);
    it.tap_at(export, Some(1010.2));
    write_at(&mut it, 1010.3);
    assert!(it.says("Saved"), "it was written once: {:?}", it.export().phase);
}

#[test]
fn a_repeatedly_pressed_key_replaces_nothing() {
    let name = "my knight-walk.gif";
    let mut it = Dialog::new();
    it.set(|export| export.options.look.size = Size::Exact(60, 60));
    fs::write(it.path(name), "theirs").expect("a file");
    it.harness.get_by_role_and_label(Role::Button, "Export").focus();
    it.harness.run();
    for _ in 0..12 {
        it.press(Modifiers::NONE, Key::Enter);
        it.wait("the export", |export| !export.is_running());
        assert_eq!(it.files()[name], b"theirs");
        if it.says("already exists") {
            assert!(it.harness.get_by_role_and_label(Role::Button, "Keep").is_focused());
        }
    }
}

#[test]
fn an_error_can_be_copied() {
    let mut it = Dialog::new();
    it.export().path = it.path("a.png").display().to_string();
    it.export().typed_path();
    let Ended::Failed(error) = it.write() else { panic!("{:?}", it.export().phase) };
    let place = it.harness.get_by_role_and_label(Role::Label, &format!("Nothing was written: {error}")).rect();
    let place = place.shrink(1.0);
    it.harness.drag_at(place.left_top());
    it.harness.run_steps(1);
    it.harness.hover_at(place.right_bottom());
    it.harness.run_steps(1);
    it.harness.drop_at(place.right_bottom());
    it.harness.run_steps(1);
    it.harness.event(egui::Event::Copy);
    it.harness.run_steps(1);
    let copied = it.harness.output().platform_output.commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    assert_eq!(copied, Some(format!("Nothing was written: {error}")));
}

#[test]
fn colours_have_the_fields_of_the_window() {
    let mut it = Dialog::new();
    it.choose("Background", "Colour");
    let button = it.harness.get_by_role_and_label(Role::ColorWell, "Background colour").rect().center();
    it.tap(button);
    it.harness.get_by_role_and_label(Role::TextInput, "Hex").focus();
    it.harness.run();
    it.press(Modifiers::COMMAND, Key::A);
    it.type_text("#336699");
    assert_eq!(it.export().options.look.background, pchr::export::Background::Color([0x33, 0x66, 0x99, 255]));
    it.press(Modifiers::NONE, Key::Escape);
    assert!(it.is_open() && it.harness.query_by_label("Hex").is_none(), "only the fields close");
}

#[test]
fn the_picture_behind_the_character_is_exported_as_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("behind.png");
    fs::write(&path, encode_png(2, 1, &[200, 0, 0, 255, 0, 0, 200, 255]).unwrap()).unwrap();
    let mut it = Dialog::of_lamp_as([1100.0, 800.0], |state| {
        let read = Underlay::read(&path, true, &Limits::default()).unwrap();
        state.lay_under(Ok(read));
        let underlay = state.overlays.underlay.as_mut().unwrap();
        (underlay.placement.scale, underlay.opacity) = (50.0, 0.5);
    });
    assert!(!it.export().wanted().command_line().contains("behind.png"), "it is a choice");
    it.choose("Format", "PNG, one file per frame");
    it.choose("Frames", "Current frame");
    it.choose("Background", "Picture in the window");
    let line = it.export().wanted().command_line();
    for part in ["behind.png", "--background-fit", "--background-opacity 0.5"] {
        assert!(line.contains(part), "{part} in {line}");
    }
    let Ended::Written(_) = it.write() else { panic!("{:?}", it.export().phase) };
    let files = it.files();
    assert_eq!(it.command_line_files(), files);
    let pixels = decode_png(files.values().next().unwrap(), Default::default).unwrap();
    let count = |pixel: [u8; 4]| pixels.as_chunks::<4>().0.iter().filter(|found| **found == pixel).count();
    assert!(count([199, 0, 0, 128]) > 100 && count([0, 0, 199, 128]) > 100, "both halves are seen");
    // Without it in the window, there is nothing to choose.
    it.press(Modifiers::COMMAND, Key::E);
    it.state_mut().overlays.underlay = None;
    it.press(Modifiers::COMMAND, Key::E);
    assert_eq!(it.export().options.look.background, pchr::export::Background::Transparent);
}

#[test]
fn a_scale_is_exported_as_it_is_typed() {
    let mut it = Dialog::new();
    it.harness.get_by_role_and_label(Role::SpinButton, "Scale").focus();
    it.harness.run();
    "0.2".chars().for_each(|letter| it.type_text(&letter.to_string()));
    it.key(Key::Tab);
    assert_eq!(it.export().options.look.scale, 0.2);
}

// ---- Remembered choices

#[test]
fn choices_are_remembered_when_the_dialog_is_reopened() {
    let mut it = Dialog::new();
    it.choose("Format", "PNG, one file per frame");
    it.choose("Animation", "wave");
    it.choose("Size", "Width");
    it.choose("Background", "Colour");
    it.choose("Antialiasing", "2× supersampling (ssaa2)");
    it.set(|export| {
        export.frames = Frames::Range { first: 1, last: 4, step: 2 };
        export.options.look.padding = pchr::export::Padding::Pixels(3);
    });
    let own = it.path("own.png");
    it.harness.state_mut().state.name_export(&own);
    it.harness.run();
    let line = it.export().wanted().command_line();
    for close in ["Close export", "Close"] {
        it.click_button(close);
        assert!(!it.is_open());
        it.press(Modifiers::COMMAND, Key::E);
        assert_eq!(it.export().wanted().command_line(), line);
    }
    // Settings changed in the window meanwhile override the choices in the dialog.
    it.press(Modifiers::COMMAND, Key::E);
    it.press(Modifiers::NONE, Key::PageDown);
    it.harness.state_mut().state.overlays.background = crate::scene::background::Background::Color([1, 2, 3]);
    it.press(Modifiers::COMMAND, Key::E);
    let line = it.export().wanted().command_line();
    let frames = "own-{frame:04}";
    for part in ["-a jump", "-b '#010203'", "-s 512x", "--padding 3", "--antialias ssaa2", frames, "-f '1..=4:2'"]
    {
        assert!(line.contains(part), "{part} in {line}");
    }
}

#[test]
fn a_reopened_dialog_exports_what_the_window_shows_by_then() {
    let mut it = Dialog::new();
    it.press(Modifiers::COMMAND, Key::E);
    let cape = it.state().model().expect("the knight").find_slot("cape").expect("a slot");
    it.state_mut().toggle_shown(Selected::Slot(cape));
    it.press(Modifiers::COMMAND, Key::E);
    assert!(it.export().wanted().command_line().contains("--hide-mesh cape"));
    it.press(Modifiers::COMMAND, Key::E);
    it.state_mut().add_to_stage(vec![crate::common::root().join("assets/paper-lamp.json")]);
    for has_stage in [true, false] {
        it.harness.run();
        it.press(Modifiers::COMMAND, Key::E);
        assert_eq!(it.export().has_stage(), has_stage);
        it.press(Modifiers::COMMAND, Key::E);
        it.key(Key::J);
    }
}

#[test]
fn applicable_choices_are_kept_for_another_file_and_the_path_follows_it() {
    let mut it = Dialog::new();
    it.choose("Format", "Sprite sheet");
    it.choose("Layout", "Packed");
    it.choose("Animation", "All animations");
    it.set(|export| {
        export.options.look.fit = pchr::export::Fit::Frame;
        export.frames = Frames::Range { first: 1, last: 4, step: 1 };
    });
    let own = it.path("own.json");
    it.harness.state_mut().state.name_export(&own);
    it.harness.run();
    let lamp = crate::common::root().join("assets/paper-lamp.json");
    // Once with the dialog open and once with it closed.
    for is_open in [true, false] {
        if !is_open {
            it.harness.state_mut().state.select(0);
            it.harness.run();
            it.press(Modifiers::COMMAND, Key::E);
            assert!(!it.is_open());
        }
        it.harness.state_mut().state.open(vec![lamp.clone()]);
        it.harness.run();
        if !is_open {
            it.press(Modifiers::COMMAND, Key::E);
        }
        let export = it.export();
        assert_eq!(export.options.subject.files, std::slice::from_ref(&lamp));
        assert_eq!((export.options.format(), export.which), (Format::Sheet, crate::export::Which::All));
        assert_eq!(export.options.output.sheet.layout, pchr::export::SheetLayout::Packed);
        assert_eq!(export.options.look.fit, pchr::export::Fit::Frame);
        assert_eq!(export.frames, Frames::All, "frame numbers belong to the other file");
        let expected = lamp.with_file_name("paper-lamp-export.json");
        assert_eq!(Path::new(&export.path), expected, "the path follows the file, and is not the file");
    }
}

#[test]
fn enter_exports_unless_something_else_takes_it() {
    let mut it = Dialog::new();
    it.set(|export| export.options.look.size = Size::Exact(60, 60));
    it.harness.get_by_role_and_label(Role::ComboBox, "Format").focus();
    it.harness.run();
    it.press(Modifiers::NONE, Key::Enter);
    assert!(matches!(it.export().phase, Phase::Choosing), "the list opens");
    it.press(Modifiers::NONE, Key::Escape);
    assert!(it.is_open());
    it.harness.get_by_role_and_label(Role::TextInput, "Save as").focus();
    it.harness.run();
    it.press(Modifiers::NONE, Key::Enter);
    assert!(matches!(it.ended(), Ended::Written(_)));
    let mut it = Dialog::new();
    it.set(|export| export.options.look.size = Size::Exact(60, 60));
    it.press(Modifiers::NONE, Key::Enter);
    assert!(matches!(it.ended(), Ended::Written(_)));
    // The file exists now, and is not replaced by another Enter.
    it.press(Modifiers::NONE, Key::Enter);
    assert!(matches!(it.ended(), Ended::Exists { .. }));
    it.press(Modifiers::NONE, Key::Enter);
    assert!(matches!(it.export().phase, Phase::Choosing), "Keep");
}
