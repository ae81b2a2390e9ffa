//! Several characters on one stage, at their true relative size.

use egui::{Event, Key, Modifiers, Pos2, Rect, pos2};
use egui_kittest::kittest::Queryable;

use super::{Square, TestWindow};
use crate::app::tests::harness::{paused, run_program};
use crate::export::{Ended, Phase};
use crate::scene::camera::Camera;
use crate::widgets::actions::{Dialog, Request};
use pchr::Animator;
use pchr::draw::Picture;
use pchr::export::StagedCharacter;
use pchr::math::vec2;

const RED: [u8; 3] = [200, 80, 40];
const GREEN: [u8; 3] = [40, 160, 80];
const BLUE: [u8; 3] = [40, 80, 200];
const SIZE: [f32; 2] = [1000.0, 600.0];

/// Opens squares of 100 units in red, green and blue that move by `step` units per frame.
pub fn squares(step: f32) -> TestWindow {
    let bytes = |color, animations| Square { color, step, animations, ..Square::default() }.bytes();
    let files = [
        ("a.pchr", bytes(RED, &[("walk", 10), ("run", 5)])),
        ("b.pchr", bytes(GREEN, &[("walk", 10)])),
        ("c.pchr", bytes(BLUE, &[("stroll", 10), ("run", 5)])),
    ];
    TestWindow::of(SIZE, &files.each_ref().map(|(name, bytes)| (*name, &bytes[..])), |_| {})
}

impl TestWindow {
    /// Returns where the squares are, and how many pixels each has.
    fn lined_up(&mut self) -> [Option<(f32, usize)>; 3] {
        let painting = self.painted();
        [RED, GREEN, BLUE].map(|color| painting.middle_of(color, Rect::EVERYTHING))
    }

    fn drag_with_shift(&mut self, from: Pos2, to: Pos2) {
        self.harness.event(Event::ModifiersChanged(Modifiers::SHIFT));
        self.drag(from, to);
        self.harness.event(Event::ModifiersChanged(Modifiers::NONE));
        self.harness.run();
    }

    /// Returns the point of the window at the middle of a square.
    fn on_square(&mut self, place: usize) -> Pos2 {
        let x = self.lined_up()[place].unwrap().0;
        pos2(x + 0.5, self.canvas().center().y)
    }

    fn shown(&self) -> String {
        self.state().current().unwrap().name()
    }
}

#[test]
fn all_open_files_stand_in_a_row_at_their_relative_size() {
    let mut it = squares(0.0);
    let alone = it.lined_up();
    assert!(alone[0].is_some() && alone[1].is_none() && alone[2].is_none());
    it.key(Key::J);
    let [red, green, blue] = it.lined_up().map(Option::unwrap);
    assert!(red.0 < green.0 && green.0 < blue.0, "from left to right in the order of the list");
    assert!(
        (red.1 as f32 / green.1 as f32 - 1.0).abs() < 0.02 && (red.1 as f32 / blue.1 as f32 - 1.0).abs() < 0.02
    );
    assert!(((green.0 - red.0) - (blue.0 - green.0)).abs() < 1.5, "the gaps are equal");
    let canvas = it.canvas();
    assert!(canvas.contains(pos2(red.0, canvas.center().y)) && canvas.contains(pos2(blue.0, canvas.center().y)));
    it.key(Key::J);
    let after = it.lined_up();
    assert_eq!(after, alone, "only the shown one is left");
}

#[test]
fn beside_a_damaged_character_that_is_too_large_the_others_stay_visible() {
    let [small, huge] = [0.0, 1e9].map(|step| Square { step, ..Square::default() }.bytes());
    let files: [(&str, &[u8]); 2] = [("a.pchr", &small), ("b.pchr", &huge)];
    let mut it = TestWindow::of(SIZE, &files, |_| {});
    let alone = it.state_mut().view().unwrap().scale();
    for key in [Key::J, Key::D] {
        match key {
            Key::D => it.start(),
            _ => it.key(key),
        }
        assert!(it.state().compare.second.is_some() || it.state().has_companions(), "{key:?}");
        let view = it.state_mut().view().unwrap();
        assert!(view.world().min.abs().max_element() < 1e4 && view.scale() > alone / 4.0, "{key:?}: {view:?}");
        it.key(Key::Escape);
        it.app().state.lineup.members.clear();
    }
}

#[test]
fn a_single_file_asks_for_others() {
    let square = Square::default().bytes();
    let mut it = TestWindow::of(SIZE, &[("a.pchr", &square)], |_| {});
    it.key(Key::J);
    assert_eq!(it.state().requests, [Request::Dialog(Dialog::Stage)]);
    let other = it.path("b.pchr");
    std::fs::write(&other, Square { color: GREEN, ..Square::default() }.bytes()).unwrap();
    it.state_mut().add_to_stage(vec![other]);
    it.harness.run();
    let row = it.lined_up();
    assert!(row[0].is_some() && row[1].is_some());
    assert_eq!(it.shown(), "a.pchr");
}

#[test]
fn the_command_line_shows_all_files_on_one_stage() {
    let bytes = [RED, GREEN].map(|color| Square { color, ..Square::default() }.bytes());
    let files: [(&str, &[u8]); 2] = [("a.pchr", &bytes[0]), ("b.pchr", &bytes[1])];
    let mut it = TestWindow::of(SIZE, &files, |options| options.lineup = true);
    assert!(it.lined_up()[0].is_some() && it.lined_up()[1].is_some());
}

#[test]
fn a_click_on_a_companion_shows_its_file_and_nothing_moves() {
    let mut it = squares(0.0);
    it.key(Key::J);
    for is_fitted in [true, false] {
        if !is_fitted {
            it.press(Modifiers::COMMAND, Key::Minus);
        }
        let before = it.lined_up();
        let at = it.on_square(2);
        it.click_at(at);
        assert_eq!(it.shown(), "c.pchr");
        let after = it.lined_up();
        for (before, after) in before.iter().zip(&after) {
            let (before, after) = (before.unwrap(), after.unwrap());
            assert!((before.0 - after.0).abs() <= 1.0, "{before:?} {after:?}");
        }
        let at = it.on_square(0);
        it.click_at(at);
        assert_eq!(it.shown(), "a.pchr");
    }
}

#[test]
fn new_companions_play_the_animation_of_the_same_name_and_keep_it() {
    let mut it = squares(10.0);
    it.key(Key::J);
    let name = |it: &TestWindow, member: usize| {
        let animator = &it.state().lineup.members[member].playback.animator;
        animator.model().animation(animator.playback(0).animation().unwrap()).name.to_string()
    };
    assert_eq!((name(&it, 1), name(&it, 2)), ("walk".to_owned(), "stroll".to_owned()));
    it.key(Key::PageDown);
    assert_eq!((name(&it, 1), name(&it, 2)), ("walk".to_owned(), "stroll".to_owned()));
    let before = it.lined_up();
    it.let_seconds_pass(0.5);
    assert_eq!(it.lined_up(), before, "all are paused");
    it.key(Key::Space);
    it.let_seconds_pass(0.2);
    it.key(Key::Space);
    let after = it.lined_up();
    for (before, after) in before.iter().zip(&after) {
        assert!(after.unwrap().0 > before.unwrap().0 + 2.0, "{before:?} {after:?}");
    }
    // What becomes the shown file plays on.
    let position = it.state().lineup.members[2].playback.animator.playback(0).position();
    it.press(Modifiers::COMMAND, Key::PageUp);
    assert_eq!(it.shown(), "c.pchr");
    assert_eq!(it.state().playback.animator.playback(0).position(), position);
    assert_eq!(it.lined_up(), after);
}

#[test]
fn a_stage_of_stored_frames_is_laid_out_again_when_the_next_one_is_due() {
    let mut it = squares(10.0);
    it.key(Key::J);
    assert_eq!(it.state().secs_to_next_change(), None, "it is paused");
    it.key(Key::Space);
    let until_next = |it: &TestWindow| it.state().secs_to_next_change().expect("it plays");
    assert!((until_next(&it) - 0.1).abs() < 1e-6, "{}: a tenth of a second per frame", until_next(&it));
    // The others are not at the same place in their frames.
    it.state_mut().lineup.members[1].playback.animator.advance(0.07);
    assert!((until_next(&it) - 0.03).abs() < 1e-6, "{}", until_next(&it));
}

#[test]
fn everything_on_the_tracks_plays_on_when_another_character_is_shown() {
    let mut it = squares(10.0);
    it.key(Key::J);
    let state = it.state_mut();
    for animator in [&mut state.playback.animator, &mut state.lineup.members[2].playback.animator] {
        let run = animator.model().find_animation("run").unwrap();
        animator.play_on(1, run).unwrap();
    }
    it.harness.run();
    let played = |it: &TestWindow| -> Vec<_> {
        let state = it.state();
        let shown = state.on_stage().unwrap();
        let members = state.lineup.members.iter();
        let animators = members.map(|member| match member.path == shown {
            true => &state.playback.animator,
            false => &member.playback.animator,
        });
        let of = |animator: &Animator| -> Vec<_> {
            animator
                .playbacks()
                .map(|(track, playback)| (track, playback.animation(), playback.position()))
                .collect()
        };
        animators.map(of).collect()
    };
    let before = played(&it);
    assert_eq!(before.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 2]);
    for shown in [2, 0] {
        it.state_mut().select(shown);
        it.let_seconds_pass(0.2);
        assert_eq!(played(&it), before, "{shown}: all are paused");
    }
}

#[test]
fn a_companion_that_was_saved_with_fewer_animations_can_be_shown_before_the_next_frame() {
    let mut it = squares(0.0);
    it.key(Key::J);
    let animator = &mut it.state_mut().lineup.members[2].playback.animator;
    let run = animator.model().find_animation("run");
    animator.show(run);
    let path = it.path("c.pchr");
    std::fs::write(&path, Square { color: BLUE, ..Square::default() }.bytes()).unwrap();
    it.state_mut().files_changed(&|file| file == path);
    it.state_mut().select(2);
    it.harness.run();
    let animator = &it.state().playback.animator;
    let shown = animator.playback(0).animation().map(|id| animator.model().animation(id).name.to_string());
    assert_eq!((it.shown(), shown.as_deref()), ("c.pchr".to_owned(), Some("walk")));
}

#[test]
fn characters_are_moved_by_hand() {
    let mut it = squares(0.0);
    it.key(Key::J);
    let before = it.lined_up().map(Option::unwrap);
    let from = it.on_square(1);
    it.drag_with_shift(from, from + egui::vec2(0.0, 60.0));
    let from = it.on_square(0);
    it.drag_with_shift(from, from + egui::vec2(-40.0, 0.0));
    let after = it.lined_up().map(Option::unwrap);
    assert!((after[0].0 - before[0].0 + 40.0).abs() < 8.0, "the shown one: {before:?} {after:?}");
    for place in 1..3 {
        assert!((after[place].0 - before[place].0).abs() < 1.5, "the others stay: {before:?} {after:?}");
    }
    let moved = &it.state().lineup.moved;
    assert!(moved[&it.path("b.pchr")].y < 0.0 && moved[&it.path("a.pchr")].x < 0.0);
    // The places are remembered, and can be reset.
    it.key(Key::J);
    it.key(Key::J);
    assert_eq!(it.state().lineup.moved.len(), 2);
    it.press(Modifiers::COMMAND, Key::K);
    it.type_text("characters back in a row");
    it.key(Key::Enter);
    assert!(it.state().lineup.moved.is_empty() && it.state().canvas.camera == Camera::Fit);
    let reset = it.lined_up().map(Option::unwrap);
    assert_eq!(reset, before);
}

#[test]
fn characters_are_moved_with_keys() {
    let mut it = squares(0.0);
    it.key(Key::J);
    let before = it.lined_up().map(|it| it.unwrap().0);
    for (name, place) in [("b.pchr", 1), ("a.pchr", 0)] {
        let now = it.lined_up().map(|it| it.unwrap().0);
        it.harness.get_by_label(&format!("{name} on the stage, arrow keys move it")).focus();
        it.harness.run();
        (0..5).for_each(|_| it.key(Key::ArrowLeft));
        let after = it.lined_up().map(|it| it.unwrap().0);
        let moved = [0, 1, 2].map(|place| (after[place] - now[place]).round());
        assert_eq!(moved, [0, 1, 2].map(|it| if it == place { -20.0 } else { 0.0 }), "{name}");
    }
    assert_eq!(it.frame(), 0, "the playhead stays");
    it.app().state.rearrange();
    it.harness.run();
    assert_eq!(it.lined_up().map(|it| it.unwrap().0), before);
}

#[test]
fn dragging_without_shift_pans_all() {
    let mut it = squares(0.0);
    it.key(Key::J);
    let before = it.lined_up().map(Option::unwrap);
    let from = it.on_square(1);
    it.drag(from, from + egui::vec2(24.0, 0.0));
    let after = it.lined_up().map(Option::unwrap);
    let moved = [0, 1, 2].map(|place| after[place].0 - before[place].0);
    assert!(moved.iter().all(|x| (x - moved[0]).abs() < 1.5 && *x > 15.0), "{moved:?}");
    assert!(it.state().lineup.moved.is_empty());
}

#[test]
fn a_closed_file_leaves_the_stage_and_a_comparison_shows_only_two() {
    let mut it = squares(0.0);
    it.key(Key::J);
    it.press(Modifiers::COMMAND, Key::D);
    it.key(Key::Enter);
    assert!(it.lined_up()[2].is_none() && it.app().scenes().len() == 2);
    it.key(Key::Escape);
    assert!(it.lined_up().iter().all(Option::is_some));
    it.press(Modifiers::COMMAND, Key::W);
    let row = it.lined_up();
    assert!(row[0].is_none() && row[1].is_some() && row[2].is_some(), "{row:?}");
    it.press(Modifiers::COMMAND, Key::W);
    assert!(it.state().lineup.members.is_empty(), "one is no row");
}

#[test]
fn a_saved_companion_is_read_again() {
    let mut it = squares(0.0);
    it.key(Key::J);
    it.rewrite("b.pchr", &Square { color: [9, 9, 9], step: 0.0, ..Square::default() }.bytes());
    it.harness.run_steps(2);
    assert!(it.lined_up()[1].is_none() && it.lined_up()[2].is_some());
    assert!(it.painted().middle_of([9, 9, 9], Rect::EVERYTHING).is_some());
    it.rewrite("b.pchr", b"broken");
    it.harness.run_steps(2);
    assert!(it.painted().middle_of([9, 9, 9], Rect::EVERYTHING).is_some(), "its last good version stays");
    let place = it.state().lineup.place(&it.path("c.pchr"));
    assert!(place.x > vec2(200.0, 0.0).x);
}

#[test]
fn a_saved_companion_plays_on() {
    let mut it = squares(0.0);
    it.key(Key::J);
    let animator = &mut it.state_mut().lineup.members[2].playback.animator;
    animator.show(animator.model().find_animation("run"));
    animator.seek(3.0);
    it.rewrite("c.pchr", &Square { animations: &[("run", 6), ("stroll", 4)], ..Square::default() }.bytes());
    let animator = &it.state().lineup.members[2].playback.animator;
    let shown = animator.playback(0);
    assert_eq!((shown.animation(), shown.position()), (animator.model().find_animation("run"), 3.0));
    assert_eq!(shown.frame_count(), 6);
    it.rewrite("c.pchr", &Square { animations: &[("stroll", 4)], ..Square::default() }.bytes());
    let animator = &it.state().lineup.members[2].playback.animator;
    assert_eq!(animator.playback(0).animation(), animator.model().find_animation("stroll"), "it has no other");
}

/// Returns how many pixels of a picture have about the colour of each square.
fn squares_in(picture: &Picture) -> [usize; 3] {
    [RED, GREEN, BLUE].map(|color| {
        let is_near = |pixel: &&[u8]| color.iter().zip(*pixel).all(|(a, b)| a.abs_diff(*b) < 24);
        picture.pixels().chunks(4).filter(is_near).count()
    })
}

#[test]
fn screenshots_and_exports_show_the_whole_stage_and_the_command_writes_the_same() {
    let mut it = squares(2.0);
    it.key(Key::J);
    let moved = it.state().lineup.members[1].path.clone();
    it.state_mut().move_on_stage(&moved, vec2(0.0, 30.0));
    it.harness.run();
    let shot = it.state_mut().screenshot().expect("a picture");
    assert!(squares_in(&shot).iter().all(|count| *count > 1000), "{:?}", squares_in(&shot));
    it.press(Modifiers::COMMAND, Key::E);
    let out = moved.with_file_name("stage.gif");
    let export = it.state_mut().export.as_mut().expect("the dialog");
    assert!(export.has_stage());
    export.choose_path(out.to_str().expect("UTF-8"));
    export.start();
    let ended = loop {
        export.poll();
        match &export.phase {
            Phase::Ended(ended) => break ended.clone(),
            Phase::Running(_) | Phase::Choosing => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    };
    assert!(matches!(ended, Ended::Written(_)), "{ended:?}");
    let line = export.command_for_clipboard().expect("a scene is written");
    let bytes = std::fs::read(&out).expect("a picture");
    std::fs::remove_file(&out).expect("it can be removed");
    assert!(line.contains("--scene") && !line.contains(".pchr "), "{line}");
    run_program(crate::export::tests::dialog_harness::shlex_split(&line).iter().map(Into::into));
    assert!(std::fs::read(&out).expect("a picture again") == bytes, "{line}");
}

#[test]
fn each_keeps_its_animation_and_a_scene_brings_it_back() {
    let mut it = squares(0.0);
    it.key(Key::J);
    let named = |it: &mut TestWindow| -> Vec<_> {
        let staged = it.state_mut().staged().expect("a stage");
        staged.subject.stage.into_iter().map(|spec| spec.animation.expect("an animation")).collect()
    };
    let before = named(&mut it);
    it.key(Key::PageDown);
    let after = named(&mut it);
    assert!(after[0] != before[0] && after[1..] == before[1..], "{before:?} {after:?}");
    let mut specs = it.state_mut().staged().expect("a stage").subject.stage;
    specs[1].position = Some(vec2(400.0, -20.0));
    specs[2].animation = Some("run".to_owned());
    specs[2] = StagedCharacter { scale: 2.0, flip_x: true, tint: [255, 0, 0, 128], ..specs[2].clone() };
    let mut options = paused();
    options.subject.stage = specs.clone();
    options.subject.files = specs.iter().map(|spec| spec.file.clone().into()).collect();
    options.subject.animations = specs[0].animation.clone().into_iter().collect();
    options.lineup = true;
    let mut again = TestWindow::new(SIZE, tempfile::tempdir().expect("a folder"), &options);
    again.harness.run();
    let found = again.state_mut().staged().expect("the same stage").subject.stage;
    assert_eq!(found, specs);
}

#[test]
fn physics_of_companions_is_what_the_export_states() {
    let mut it = TestWindow::open_with(SIZE, &["paper-lamp-4.2.json", "paper-lamp-4.3.json"], |options, _| {
        options.lineup = true;
    });
    for is_on in [false, true] {
        it.key(Key::P);
        let choice = (!is_on).then_some(false);
        let staged = it.state_mut().staged().expect("a stage").subject.stage;
        assert!(staged.iter().all(|spec| spec.physics == choice), "{staged:?}");
        let companion = &it.state().lineup.members[1].playback.animator;
        assert_eq!(companion.shows_physics(), is_on);
    }
}

#[test]
fn a_scene_states_the_physics_of_a_character_until_p_is_pressed() {
    let mut it = TestWindow::open_with(SIZE, &["paper-lamp-4.2.json", "paper-lamp-4.3.json"], |options, _| {
        options.lineup = true;
    });
    it.state_mut().lineup.members[1].spec.physics = Some(false);
    it.harness.run();
    let stated = |it: &mut TestWindow| {
        let stage = it.state_mut().staged().expect("a stage").subject.stage;
        stage.iter().map(|spec| spec.physics).collect::<Vec<_>>()
    };
    for shown in [0, 1, 0, 1] {
        it.state_mut().select(shown);
        it.harness.run();
        assert_eq!(it.state().playback.animator.shows_physics(), shown == 0);
        assert_eq!(stated(&mut it), [None, Some(false)]);
    }
    it.key(Key::P);
    assert!(it.state().playback.animator.shows_physics());
    assert_eq!(stated(&mut it), [None, None]);
}
