//! What the second character shows: the same time or frame, animations and skins of the same names.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use super::{Square, TestWindow};

const RED: [u8; 3] = [200, 80, 40];
const GREEN: [u8; 3] = [40, 160, 80];

/// Ten frames at 10 per second, and twenty at 20 per second that cover the same distance per frame.
fn rates() -> TestWindow {
    let fast = Square { color: GREEN, fps: 20, animations: &[("walk", 20)], ..Square::default() };
    TestWindow::compared([900.0, 600.0], &Square::default().bytes(), &fast.bytes())
}

/// Returns how many world units further the second square is than the first.
fn ahead(it: &mut TestWindow) -> f32 {
    let canvas = it.canvas();
    let (left, right) = canvas.split_left_right_at_x(canvas.center().x);
    let scale = it.app().state.view().unwrap().scale();
    let painting = it.painted();
    let (first, _) = painting.middle_of(RED, left).expect("the first is visible");
    let (second, _) = painting.middle_of(GREEN, right).expect("the second is visible");
    (second - right.left() - (first - left.left())) / scale
}

#[test]
fn by_time_the_second_character_shows_the_same_second() {
    let mut it = rates();
    for frame in [0u8, 3, 8] {
        it.app().state.playback.animator.seek(frame.into());
        it.harness.run();
        // It has shown twice as many frames, each 10 units further.
        let expected = f32::from(frame) * 10.0;
        assert!((ahead(&mut it) - expected).abs() < 6.0, "frame {frame}: {} ahead", ahead(&mut it));
    }
    assert!(!it.says("ends first"));
}

#[test]
fn by_frame_the_second_character_shows_the_same_frame() {
    let mut it = rates();
    it.click_button("By frame");
    for frame in [0u8, 3, 8] {
        it.app().state.playback.animator.seek(frame.into());
        it.harness.run();
        assert!(ahead(&mut it).abs() < 6.0, "frame {frame}: {} ahead", ahead(&mut it));
    }
    assert!(it.says("a.pchr ends first: 10 frames instead of 20"));
    it.click_button("By time");
    assert!(!it.says("ends first"));
}

#[test]
fn a_shorter_animation_holds_its_end_and_is_said_to_end_first() {
    let short = Square { color: GREEN, animations: &[("walk", 4)], ..Square::default() };
    let mut it = TestWindow::compared([900.0, 600.0], &Square::default().bytes(), &short.bytes());
    assert!(it.says("b.pchr ends first: 0.40 s instead of 1.00 s"));
    it.app().state.playback.animator.seek(8.0);
    it.harness.run();
    assert!((ahead(&mut it) + 50.0).abs() < 6.0, "it holds frame 3: {} ahead", ahead(&mut it));
    it.click_button("Swap");
    assert!(it.says("a.pchr") && it.says("b.pchr ends first: 0.40 s instead of 1.00 s"));
}

#[test]
fn the_timeline_belongs_to_the_first_character() {
    let mut it = rates();
    it.press(Modifiers::NONE, Key::End);
    let state = &it.app().state;
    assert_eq!(state.playback.animator.playback(0).frame(), 9);
    assert_eq!(state.playback.animator.model().animations().len(), 1);
    it.click_button("Swap");
    it.press(Modifiers::NONE, Key::End);
    assert_eq!(it.app().state.playback.animator.playback(0).frame(), 19);
}

#[test]
fn swapping_keeps_the_time_and_the_camera() {
    let mut it = rates();
    it.app().state.playback.animator.seek(4.0);
    it.press(Modifiers::COMMAND, Key::Plus);
    let camera = it.app().state.canvas.camera;
    it.click_button("Swap");
    let state = &it.app().state;
    assert_eq!(state.current().unwrap().name(), "b.pchr");
    assert_eq!(state.second().unwrap().name(), "a.pchr");
    assert_eq!(
        (state.playback.animator.playback(0).position(), state.canvas.camera),
        (8.0, camera),
        "0.4 s at 20 per second"
    );
    it.click_button("Swap");
    assert_eq!(it.app().state.current().unwrap().name(), "a.pchr");
    assert_eq!(it.app().state.playback.animator.playback(0).position(), 4.0);
}

#[test]
fn the_user_picks_an_animation_if_the_name_is_missing() {
    let other = Square { color: GREEN, animations: &[("idle", 3), ("march", 10)], ..Square::default() };
    let mut it = TestWindow::compared([900.0, 600.0], &Square::default().bytes(), &other.bytes());
    assert!(it.says("b.pchr has no animation “walk”"));
    it.save_themes("missing");
    it.app().state.playback.animator.seek(6.0);
    it.harness.run();
    assert!((ahead(&mut it) + 60.0).abs() < 6.0, "it shows its rest pose: {}", ahead(&mut it));
    it.harness.get_by_role_and_label(Role::ComboBox, "The animation of b.pchr to show instead").click();
    it.harness.run();
    it.click_button("march");
    assert!(ahead(&mut it).abs() < 6.0, "{}", ahead(&mut it));
    assert!(!it.says("has no animation"));
    it.click_button("Swap");
    assert!(!it.says("has no animation"), "the choice also counts the other way round");
}

#[test]
fn skins_of_the_same_names_are_worn() {
    let lamp = |file: &str| std::fs::read(format!("{}/../../assets/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let files = ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"].map(lamp);
    let mut it = TestWindow::of(
        [900.0, 700.0],
        &[
            ("old/lamp.json", &files[0]),
            ("new/lamp.json", &files[0]),
            ("old/paper-lamp.atlas", &files[1]),
            ("new/paper-lamp.atlas", &files[1]),
            ("old/paper-lamp.png", &files[2]),
            ("new/paper-lamp.png", &files[2]),
        ],
        |options| options.subject.files.truncate(2),
    );
    it.start();
    assert!(it.says("old/lamp.json") && it.says("new/lamp.json"), "files of the same name are told apart");
    let skin = it.app().state.model().unwrap().find_skin("blue").expect("the lamp has a blue skin");
    it.app().state.set_skins(vec![skin]);
    it.harness.run();
    let [first, second] = it.app().state.scenes().map(Option::unwrap);
    let name = |scene: &crate::scene::Scene| {
        scene.cue.skins.iter().map(|&id| scene.character.model().skin(id).name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!((name(&first), name(&second)), (vec!["blue".to_owned()], vec!["blue".to_owned()]));
    it.save_themes("lamp");
}
