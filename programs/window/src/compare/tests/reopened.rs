//! A stage that is there again: from a scene with all that it states, and in the next session.

use egui::{Key, Rect};
use tempfile::TempDir;

use super::{Square, TestWindow};
use crate::WindowOptions;
use crate::app::tests::harness::{folder_of, folder_of_assets, paused};
use crate::scene::background::Background;
use crate::widgets::actions::Dialog;
use pchr::export::StagedCharacter;
use pchr::math::vec2;

const SIZE: [f32; 2] = [1000.0, 600.0];
const RED: [u8; 3] = [200, 80, 40];
const GREEN: [u8; 3] = [40, 160, 80];

fn squares() -> TempDir {
    let [a, b] = [RED, GREEN].map(|color| Square { color, step: 0.0, ..Square::default() }.bytes());
    folder_of(&[("a.pchr", &a), ("b.pchr", &b)])
}

/// Opens a window on files of a folder, with its settings there.
fn open(folder: &TempDir, files: &[&str], change: impl FnOnce(&mut WindowOptions)) -> TestWindow {
    let mut options = paused();
    options.settings = Some(folder.path().join("config").join("settings.toml"));
    options.read_scene = Some(pchr_cli::read_scene);
    options.subject.files.extend(files.iter().map(|file| folder.path().join(file)));
    change(&mut options);
    TestWindow::new(SIZE, tempfile::tempdir().expect("a folder"), &options)
}

fn close(mut it: TestWindow) {
    assert_eq!(it.app().save_settings(), None);
}

/// Returns the characters on the stage, and the patterns of the hidden parts.
#[track_caller]
fn staged(it: &mut TestWindow) -> (Vec<StagedCharacter>, Vec<String>) {
    let subject = it.state_mut().staged().expect("a stage").subject;
    (subject.stage, subject.hidden_meshes.iter().map(ToString::to_string).collect())
}

#[test]
fn the_next_session_shows_the_stage_again() {
    let home = folder_of_assets();
    let mut it = open(&home, &["paper-lamp.json", "paper-knight.pchr"], |_| {});
    it.key(Key::J);
    let blue = it.state().model().and_then(|model| model.find_skin("blue")).expect("a skin");
    it.state_mut().set_skins(vec![blue]);
    it.state_mut().playback.animator.set_fade_secs(0.0);
    it.key(Key::PageDown);
    it.state_mut().restage(|spec| {
        spec.position = Some(vec2(-40.0, 12.5));
        (spec.scale, spec.flip_x, spec.order, spec.tint) = (1.5, true, 3, [255, 128, 0, 200]);
    });
    it.state_mut().lineup.members[1].playback.animator.seek(2.0);
    it.state_mut().lineup.members[1].spec.flip_y = true;
    it.harness.run();
    it.hide_slot_of_second();
    let before = staged(&mut it);
    let [lamp, knight] = &before.0[..] else { panic!("{before:?}") };
    assert!(lamp.skins == ["blue"] && lamp.order == 3 && knight.start > 0.0 && before.1.len() == 1, "{before:?}");
    close(it);

    let mut again = open(&home, &[], |_| {});
    assert_eq!(staged(&mut again), before);
    assert!(again.state().files.recent.files().iter().all(|file| file.name() != "stage.toml"));
    close(again);
    // Not beside what is opened otherwise; then that was the last session.
    let it = open(&home, &["paper-knight.pchr"], |_| {});
    assert!(it.state().lineup.members.is_empty() && it.state().files.documents.len() == 1);
    close(it);
    assert_eq!(open(&home, &[], |_| {}).state().files.documents.len(), 0);
}

#[test]
fn a_stage_whose_files_have_gone_is_reported_once() {
    let home = squares();
    let mut it = open(&home, &["a.pchr", "b.pchr"], |options| options.lineup = true);
    staged(&mut it);
    close(it);
    ["a.pchr", "b.pchr"].iter().for_each(|name| std::fs::remove_file(home.path().join(name)).expect("a file"));
    let it = open(&home, &[], |_| {});
    assert!(it.says("Cannot show the stage of the last session") && it.says("a.pchr"), "{:?}", it.state().notice);
    close(it);
    assert!(open(&home, &[], |_| {}).state().notice.is_none());
}

/// The square of each character is there from x = -50 to 50 of its place.
const TABLES: &str =
    "[[character]]\nfile = \"a.pchr\"\nstart = 0.5\n\n[[character]]\nfile = \"b.pchr\"\nstart = 0.25\n";

#[test]
fn a_scene_hides_parts_and_begins_where_it_says() {
    let home = squares();
    let scene = home.path().join("stage.toml");
    let rows = [
        ("hide-mesh = 'a/*'", [false, true]),
        ("hide-mesh = 'b/*'", [true, false]),
        ("hide-mesh = '*/s*'", [false; 2]),
        ("hide-mesh = 'b'", [true; 2]),
        ("mesh = 'a/*'", [true, false]),
        ("mesh = '*/s*'", [true; 2]),
    ];
    for (pattern, seen) in rows {
        std::fs::write(&scene, format!("{pattern}\n{TABLES}")).expect("a file");
        for is_opened_later in [true, false] {
            let mut it = open(&home, &[], |options| {
                if !is_opened_later {
                    options.subject = pchr_cli::read_scene(&scene).expect("a scene");
                    options.lineup = true;
                }
            });
            if is_opened_later {
                it.state_mut().take_paths(Dialog::Open, vec![scene.clone()]);
            }
            it.state_mut().overlays.background = Background::Color([90, 90, 90]);
            it.harness.run();
            let painting = it.painted();
            let shown = [RED, GREEN].map(|color| painting.middle_of(color, Rect::EVERYTHING).is_some());
            assert_eq!(shown, seen, "{pattern}, {is_opened_later}");
            let starts = [&it.state().playback, &it.state().lineup.members[1].playback];
            assert_eq!(starts.map(|playback| playback.animator.playback(0).seconds()), [0.5, 0.25]);
            // The other one becomes the shown one, and the first a companion; both stay as they are.
            it.state_mut().select(1);
            it.harness.run();
            let painting = it.painted();
            let shown = [RED, GREEN].map(|color| painting.middle_of(color, Rect::EVERYTHING).is_some());
            assert_eq!(shown, seen, "{pattern}, {is_opened_later}, swapped");
            assert!(it.state().notice.as_ref().is_none_or(|notice| !notice.is_error), "{:?}", it.state().notice);
        }
    }
}

#[test]
fn a_typed_path_of_a_scene_replaces_a_file_only_on_request() {
    let home = squares();
    let mut it = open(&home, &["a.pchr", "b.pchr"], |options| options.lineup = true);
    let kept = home.path().join("kept.toml");
    std::fs::write(&kept, "mine").expect("a file");
    let text = |name: &str| std::fs::read_to_string(home.path().join(name)).unwrap_or_default();
    let ask = |it: &mut TestWindow, typed: &str| {
        it.state_mut().ask_for_path(Dialog::Scene);
        it.harness.run();
        it.type_text(&home.path().join(typed).display().to_string());
        it.click_button("Save");
    };
    ask(&mut it, "new");
    assert!(text("new.toml").contains("[[character]]"), "nothing to replace");
    ask(&mut it, "kept");
    assert!(text("kept.toml") == "mine" && it.says("The file exists"));
    // Another name is not agreed to.
    it.type_text("2");
    it.click_button("Save");
    assert!(text("kept.toml") == "mine" && it.state().files.prompt.is_none());
    ask(&mut it, "kept.toml");
    it.key(Key::Escape);
    assert_eq!(text("kept.toml"), "mine");
    ask(&mut it, "kept.toml");
    it.click_button("Replace");
    assert!(text("kept.toml").contains("[[character]]") && it.state().files.prompt.is_none());
    // Nor is one that the system's dialog has not seen.
    std::fs::write(&kept, "mine").expect("a file");
    it.state_mut().take_paths(Dialog::Scene, vec![kept.with_extension("")]);
    assert!(text("kept.toml") == "mine" && it.state().files.prompt.is_some());
}
