//! The export dialog, driven as users do: what it writes is what the command line that it shows writes.
#![cfg(feature = "viewer")]

#[path = "common/export_dialog.rs"]
mod export_dialog;

use std::fs;
use std::path::Path;

use egui::accesskit::Role;
use egui::{Key, Modifiers, OutputCommand};
use egui_kittest::kittest::Queryable;
use export_dialog::Fixture;
use pchr::export::{Format, Size};
use pchr::viewer::export::{Ended, Frames, Stage};
use pchr::viewer::state::Request;

#[test]
fn it_opens_shows_what_it_comes_to_and_closes() {
    let mut it = Fixture::new();
    it.settle();
    assert!(it.says("24 frames of") && it.says("px in 1 file, 1.00 s"), "it tells what it comes to");
    assert!(it.says("pchr-view '") && it.says("my knight-walk.gif"));
    let preview = it.export().previewer.answer().expect("a preview");
    assert!(preview.picture.pixels().iter().any(|&byte| byte != 0), "the knight is seen");
    it.press(Modifiers::NONE, Key::Escape);
    assert!(!it.is_open());
    it.press(Modifiers::COMMAND, Key::E);
    assert!(it.is_open());
    it.click("Close export");
    assert!(!it.is_open());
    it.press(Modifiers::COMMAND, Key::E);
    it.press(Modifiers::COMMAND, Key::E);
    assert!(!it.is_open());
}

#[test]
fn every_format_is_what_its_command_line_writes() {
    for format in Format::ALL {
        let mut it = Fixture::new();
        it.set(|export| {
            export.options.format = format;
            export.options.size = Size::Exact(90, 70);
            export.frames = Frames::Range { first: 2, last: 8, step: 3 };
            export.options.loops = Some(3);
            export.options.speed = 0.5;
            export.options.matte = Some([10, 20, 30]);
        });
        let Ended::Written(written) = it.write() else { panic!("{format:?}: {:?}", it.export().stage) };
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
fn choices_made_by_hand_are_written_and_told() {
    let mut it = Fixture::new();
    it.choose("Format", "PNG, a file for each frame");
    it.choose("Animation", "All that move");
    it.choose("Frames", "The one that is shown");
    it.choose("Size", "Width");
    it.choose("Background", "Colour");
    it.choose("Edges", "Drawn twice as large (ssaa2)");
    it.choose("Show", "What is exported");
    let line = it.copied();
    for part in ["-a all", "-s 512x", "-b '#ffffff'", "--antialias ssaa2", "--fit frame", "--backend cpu"] {
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
fn the_command_line_goes_to_the_clipboard() {
    let mut it = Fixture::new();
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
    assert!(!it.says("Copied"), "another one is shown");
}

#[test]
fn a_cancelled_export_leaves_nothing_behind() {
    for format in [Format::Png, Format::Apng, Format::Gif, Format::Sheet] {
        let mut it = Fixture::new();
        fs::write(it.path("other.txt"), "kept").expect("a file");
        let path = it.path("new/folder/knight").display().to_string();
        it.set(|export| {
            export.options.format = format;
            // So that there is time to stop it.
            export.options.size = Size::Exact(2500, 2500);
            export.options.sheet.max_size = 16_384;
            export.choose_path(&path);
        });
        it.click("Export");
        it.wait("the first picture", |export| match &export.stage {
            Stage::Running(job) => job.progress().0 > 0,
            stage => panic!("{stage:?}"),
        });
        assert!(it.path("new/folder").is_dir(), "{format:?}");
        // Neither Escape nor its key closes it meanwhile.
        it.press(Modifiers::NONE, Key::Escape);
        it.press(Modifiers::COMMAND, Key::E);
        assert!(it.export().is_running());
        it.click("Cancel");
        assert_eq!(it.ended(), Ended::Cancelled, "{format:?}");
        assert!(it.says("Stopped; nothing was written."));
        assert!(!it.path("new").exists(), "{format:?}");
        assert_eq!(it.files().into_keys().collect::<Vec<_>>(), ["other.txt"]);
    }
}

#[test]
fn a_window_that_is_closed_meanwhile_leaves_nothing_behind() {
    let mut it = Fixture::new();
    it.set(|export| export.options.size = Size::Exact(2500, 2500));
    it.click("Export");
    it.wait("the first picture", |export| match &export.stage {
        Stage::Running(job) => job.progress().0 > 0,
        stage => panic!("{stage:?}"),
    });
    let Fixture { harness, folder } = it;
    drop(harness);
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

#[test]
fn what_is_there_is_replaced_only_when_asked() {
    let mut it = Fixture::new();
    it.set(|export| export.options.size = Size::Exact(60, 60));
    let name = "my knight-walk.gif";
    fs::write(it.path(name), "theirs").expect("a file");
    assert!(matches!(it.write(), Ended::Exists { count: 1, .. }));
    assert!(it.says("exists already. Replace it?"));
    it.click("Keep");
    assert_eq!(it.files()[name], b"theirs");
    assert!(matches!(it.write(), Ended::Exists { .. }));
    it.click("Replace");
    assert!(matches!(it.ended(), Ended::Written(_)));
    assert!(it.files()[name].starts_with(b"GIF89a"));
    assert!(!it.export().options.force, "it asks the next time again");

    it.choose("Format", "PNG, a file for each frame");
    for frame in [3, 5] {
        fs::write(it.path(&format!("my knight-walk-{frame:04}.png")), "theirs").expect("a file");
    }
    assert!(matches!(it.write(), Ended::Exists { count: 2, .. }));
    assert_eq!(it.files().len(), 3, "nothing is written before it is asked");
    it.click("Replace");
    assert!(matches!(it.ended(), Ended::Written(_)));
    assert_eq!(it.files().len(), 25);
    assert!(it.files().values().all(|bytes| bytes != b"theirs"));
}

#[test]
fn mistakes_are_told_in_the_dialog() {
    let mut it = Fixture::new();
    let name = it.path("all.png").display().to_string();
    it.choose("Format", "PNG, a file for each frame");
    for (path, told) in [
        (name, "{frame:04}"),
        (it.path("a.gif").display().to_string(), "is not the name of a PNG"),
        (it.path("{frme}.png").display().to_string(), "nothing fills"),
        (it.path("my knight.pchr/{frame}.png").display().to_string(), "this is a file, not a folder"),
    ] {
        it.export().path = path;
        it.export().typed_path();
        let Ended::Failed(error) = it.write() else { panic!("{:?}", it.export().stage) };
        assert!(error.contains(told), "{error}");
        assert!(it.says("Nothing was written"));
    }
    it.set(|export| export.options.size = Size::Exact(32_000, 32_000));
    it.set(|export| export.options.antialias = Some(pchr::draw::Antialias::Ssaa4));
    it.settle();
    assert!(it.says("memory-bytes"), "the preview tells it too");
    assert!(it.files().is_empty());
}

#[test]
fn the_name_follows_what_is_chosen_until_the_user_names_it() {
    let mut it = Fixture::new();
    let name = |it: &mut Fixture| {
        Path::new(&it.export().path).file_name().expect("a name").to_string_lossy().into_owned()
    };
    assert_eq!(name(&mut it), "my knight-walk.gif");
    it.choose("Format", "PNG, a file for each frame");
    assert_eq!(name(&mut it), "my knight-walk-{frame:04}.png");
    it.choose("Animation", "All that move");
    assert_eq!(name(&mut it), "my knight-{animation}-{frame:04}.png");
    it.click("Choose…");
    assert_eq!(it.harness.state().state.requests, [Request::SaveDialog]);
    let own = it.path("own {name.png");
    it.harness.state_mut().state.name_export(&own);
    it.harness.run();
    assert_eq!(name(&mut it), "own {{name-{animation}-{frame:04}.png");
    it.choose("Format", "Video (y4m)");
    assert_eq!(name(&mut it), "own {{name-{animation}.y4m");
}

#[test]
fn letters_are_for_its_fields_and_tab_goes_on() {
    let mut it = Fixture::new();
    it.press(Modifiers::NONE, Key::Space);
    assert!(!it.harness.state().state.player.is_playing());
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
    assert_eq!(it.harness.state().state.player.loop_mode(), pchr::player::LoopMode::Authored);
}

#[test]
fn it_keeps_with_the_file_that_is_shown() {
    let mut it = Fixture::new();
    it.choose("Format", "Animated WebP");
    it.press(Modifiers::NONE, Key::F5);
    assert_eq!(it.export().options.format, Format::Webp, "read again, it goes on");
    let other = it.path("other.pchr");
    fs::copy(it.path("my knight.pchr"), &other).expect("a copy");
    it.harness.state_mut().state.open(vec![other.clone()]);
    it.harness.run();
    assert_eq!(it.export().options.files, [other]);
}

#[test]
fn the_preview_plays_and_nothing_else_moves() {
    let mut it = Fixture::new();
    it.settle();
    it.harness.get_by_label("Play the preview").click();
    it.harness.run_steps(2);
    let first = it.export().previewer.answer().expect("a preview").number;
    it.wait("another picture", |export| export.previewer.answer().is_some_and(|answer| answer.number > first + 2));
    it.harness.state_mut().state.player.set_playing(true);
    assert!(!it.harness.state().is_moving());
}

#[test]
fn every_size_of_window_lays_out() {
    for size in [[1.0, 1.0], [240.0, 160.0], [420.0, 300.0], [640.0, 900.0], [3000.0, 200.0], [1100.0, 800.0]] {
        let mut it = Fixture::open(size);
        it.settle();
        assert!(it.is_open());
        it.save(&size[0].to_string());
    }
}
