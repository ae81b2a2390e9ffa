//! The strip of tracks, driven with the mouse and the keyboard, and compared with an `Animator` that gets the same
//! calls.

use std::fs;

use crate::scene::selection::Selected;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, OutputCommand, Pos2, Rect, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::Animator;
use pchr::player::LoopMode;

use crate::app::tests::harness::TestWindow;

/// Opens a window of this size on the project's own characters, and shows the tracks.
fn open(size: [f32; 2], files: &[&str]) -> TestWindow {
    let mut it = TestWindow::open(size, files);
    it.key(Key::M);
    it
}

fn lamp() -> TestWindow {
    open([1600.0, 800.0], &["paper-lamp.json"])
}

impl TestWindow {
    /// Returns an animator in the state in which the window starts.
    fn reference(&mut self) -> Animator {
        let mut animator = Animator::open(self.folder.path().join("paper-lamp.json")).unwrap();
        let shown = &self.state_mut().playback.animator;
        let skins: Vec<_> = shown.skins().to_vec();
        animator.set_skins(skins).unwrap();
        let name = shown.playback(0).animation().map(|id| shown.model().animation(id).name.clone());
        animator.play(name.expect("an animation")).unwrap();
        animator.refresh();
        animator
    }

    /// Clicks and returns what that copies.
    fn click_and_copy(&mut self, label: &str) -> String {
        self.harness.get_by_label(label).click();
        for _ in 0..4 {
            self.harness.run_steps(1);
            let commands = &self.harness.output().platform_output.commands;
            for command in commands {
                if let OutputCommand::CopyText(text) = command {
                    return text.clone();
                }
            }
        }
        panic!("{label} copies nothing")
    }

    /// Returns the rectangle of the button whose name begins with `start`.
    fn button(&self, start: &str) -> Rect {
        let starts = |label: String| label.starts_with(start);
        self.harness.get_by(|node| node.role() == Role::Button && node.label().is_some_and(starts)).rect()
    }

    /// Presses, moves and releases the mouse button.
    fn drag_button(&mut self, from: Rect, to: Pos2) {
        self.harness.hover_at(from.center());
        self.harness.run_steps(1);
        self.harness.drag_at(from.center());
        self.harness.run_steps(1);
        self.harness.hover_at(from.center() + vec2(0.0, 20.0));
        self.harness.run_steps(1);
        self.harness.hover_at(to);
        self.harness.run_steps(2);
        self.harness.drop_at(to);
        self.harness.run_steps(3);
    }

    /// Lets time pass in the window and in `reference`, and checks that both show the same.
    #[track_caller]
    fn pass_with(&mut self, reference: &mut Animator, dt: f64) {
        self.harness.state_mut().advance(dt);
        self.harness.run_steps(1);
        reference.update(dt);
        let state = self.state_mut();
        state.playback.animator.refresh();
        assert!(state.playback.animator.pose() == reference.pose(), "{:#?}", state.playback.animator.cue());
        let scene = state.scene().expect("a character");
        assert_eq!(scene.cue, *reference.cue());
        assert!(scene.pose.is_none_or(|pose| *pose == *reference.pose()));
    }

    /// Returns the name of what a track plays.
    fn playing(&mut self, track: usize) -> Option<String> {
        let animator = &self.state_mut().playback.animator;
        animator.playback(track).animation().map(|id| animator.model().animation(id).name.clone())
    }
}

// ---- The strip

#[test]
fn a_key_and_a_button_show_and_hide_the_strip() {
    let mut it = lamp();
    assert!(it.says("Default fade") && it.says("Track 0: idle"));
    it.key(Key::M);
    assert!(!it.says("Default fade"));
    it.click("Tracks");
    assert!(it.says("Default fade"));
    it.click("Hide tracks");
    assert!(!it.says("Default fade"));
}

#[test]
fn a_quick_drag_takes_the_pressed_animation() {
    let mut it = lamp();
    it.click("Add track");
    let (pressed, other, lane) = (it.button("hop"), it.button("idle"), it.button("Track 1").center());
    it.harness.hover_at(pressed.center());
    it.harness.run_steps(1);
    // Pressed and moved within one frame.
    it.harness.drag_at(pressed.center());
    it.harness.hover_at(other.center());
    it.harness.run_steps(1);
    it.harness.hover_at(lane);
    it.harness.run_steps(2);
    it.harness.drop_at(lane);
    it.harness.run_steps(3);
    assert_eq!(it.playing(1).as_deref(), Some("hop"));
}

#[test]
fn tracks_are_added_and_removed() {
    let mut it = lamp();
    it.click("Add track");
    it.click("Add track");
    assert!(it.says("Track 1: nothing") && it.says("Track 2: nothing"));
    let (row, lane) = (it.button("hop"), it.button("Track 2").center());
    it.drag_button(row, lane);
    assert_eq!((it.playing(0).as_deref(), it.playing(2).as_deref()), (Some("idle"), Some("hop")));
    it.click("Remove track 1");
    assert!(!it.says("Track 1: nothing"));
    it.click("Remove track 2");
    it.key(Key::Space);
    it.harness.state_mut().advance(0.01);
    it.harness.state_mut().advance(0.01);
    it.harness.run_steps(2);
    assert!(!it.says("Track 2") && it.playing(2).is_none());
    assert!(it.harness.query_by_label("Remove track 0").is_none(), "track 0 stays");
}

#[test]
fn the_number_of_tracks_is_limited() {
    let mut it = lamp();
    for _ in 0..40 {
        it.state_mut().add_track();
    }
    it.harness.run_steps(3);
    assert!(it.says("No more than 32 tracks can be added") && !it.says("Track 32"));
    it.save("tracks-many");
}

// ---- Playing

#[test]
fn a_fade_at_half_time_is_that_of_an_animator() {
    let mut it = lamp();
    let mut reference = it.reference();
    let (row, lane) = (it.button("hop"), it.button("Track 0"));
    it.drag_button(row, lane.center());
    reference.play("hop").unwrap().set_fade(0.2);
    reference.refresh();
    it.key(Key::Space);
    it.pass_with(&mut reference, 0.1);
    let playback = it.state_mut().playback.animator.playback(0).clone();
    assert_eq!((playback.mix(), playback.fade_secs()), (0.5, 0.2));
    assert!(it.says("fade 50 %"));
    it.save("tracks-fading");
    for _ in 0..20 {
        it.pass_with(&mut reference, 0.05);
    }
    assert_eq!(it.state_mut().playback.animator.playback(0).mix(), 1.0);
    assert!(!it.says("fade 100 %"), "the fade is complete");
}

#[test]
fn dropping_on_the_end_of_a_track_queues() {
    let mut it = lamp();
    let mut reference = it.reference();
    for name in ["hop", "idle"] {
        let (row, queue) = (it.button(name), it.button("Queue of track 0"));
        it.drag_button(row, queue.center());
        reference.queue(name).unwrap().set_fade(0.2);
    }
    assert!(it.says("Queue of track 0: hop, idle"));
    it.save("tracks-dragged");
    it.key(Key::Space);
    for _ in 0..200 {
        it.pass_with(&mut reference, 1.0 / 30.0);
    }
    assert!(it.says("Queue of track 0: empty"));
}

#[test]
fn an_animation_that_is_dropped_elsewhere_is_not_played() {
    let mut it = lamp();
    let row = it.button("hop");
    it.drag_button(row, Pos2::new(700.0, 300.0));
    assert_eq!(it.playing(0).as_deref(), Some("idle"));
}

#[test]
fn menus_play_and_queue_with_the_keyboard() {
    let mut it = lamp();
    for (start, label) in [("Track 0", "hop"), ("Queue of track 0", "idle")] {
        let label_of = |it: &TestWindow| {
            let starts = |label: String| label.starts_with(start);
            it.harness.get_by(|node| node.role() == Role::Button && node.label().is_some_and(starts)).focus();
        };
        label_of(&it);
        it.harness.run_steps(2);
        it.key(Key::Enter);
        it.harness.run_steps(2);
        it.harness.get_by_role_and_label(Role::Button, label).focus();
        it.harness.run_steps(2);
        it.save(&format!("tracks-menu-{label}"));
        it.key(Key::Enter);
        it.harness.run_steps(2);
        it.key(Key::Escape);
    }
    assert_eq!(it.playing(0).as_deref(), Some("hop"));
    let queued: Vec<_> = it.state_mut().playback.animator.queued(0).map(|queued| queued.fade_secs()).collect();
    assert_eq!(queued, [0.2]);
}

#[test]
fn entries_of_a_queue_have_their_own_fade_and_are_removed() {
    let mut it = lamp();
    for name in ["hop", "idle"] {
        let (row, queue) = (it.button(name), it.button("Queue of track 0"));
        it.drag_button(row, queue.center());
    }
    it.harness.hover_at(it.button("Queue of track 0").center());
    it.harness.run_steps(1);
    it.click("Queue of track 0: hop, idle");
    it.harness.get_by_label("Fade of hop").set_value_accesskit(0.5);
    it.harness.run_steps(3);
    it.save("tracks-queue");
    let fades = |it: &mut TestWindow| {
        it.state_mut().playback.animator.queued(0).map(|it| it.fade_secs()).collect::<Vec<_>>()
    };
    assert_eq!(fades(&mut it), [0.5, 0.2]);
    it.click("Remove hop from the queue");
    assert_eq!(fades(&mut it), [0.2]);
}

#[test]
fn weight_speed_loop_fade_and_add_are_those_of_the_track() {
    let mut it = lamp();
    let mut reference = it.reference();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag_button(row, lane.center());
    for (label, value) in [("Weight of track 1", 50.0), ("Speed of track 1", 150.0), ("Fade of track 1", 0.4)] {
        it.harness.get_by_label(label).set_value_accesskit(value);
        it.harness.run_steps(3);
    }
    it.click("Additive track 1");
    it.click("Loop mode of track 1");
    it.harness.get_by_role_and_label(Role::Button, "Ping-pong").click();
    it.harness.run_steps(3);
    let playback = reference.play_on(1, "hop").unwrap();
    playback.set_weight(0.5).set_speed(1.5).set_fade(0.4).set_additive(true).set_loop_mode(LoopMode::PingPong);
    reference.refresh();
    it.key(Key::Space);
    for _ in 0..50 {
        it.pass_with(&mut reference, 0.05);
    }
    it.save("tracks-settings");
    // The next animation on the track gets the same settings.
    let (row, lane) = (it.button("idle"), it.button("Track 1"));
    it.drag_button(row, lane.center());
    let playback = it.state_mut().playback.animator.playback(1).clone();
    assert_eq!((playback.weight(), playback.speed(), playback.is_additive()), (0.5, 1.5, true));
    assert_eq!((playback.loop_mode(), playback.fade_secs()), (LoopMode::PingPong, 0.2));
}

#[test]
fn more_settings_are_those_of_the_track() {
    let mut it = lamp();
    let mut reference = it.reference();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag_button(row, lane.center());
    it.click("More settings of track 1");
    for label in ["Hold previous", "Shortest turns", "Reversed", "Ends by itself"] {
        it.click(label);
    }
    it.save("tracks-more");
    it.click("More settings of track 1");
    let playback = reference.play_on(1, "hop").unwrap();
    let duration = playback.duration_secs();
    playback.set_hold_previous(true).set_turns_short_way(true).set_reversed(true).set_end(Some(duration));
    assert_eq!(it.state_mut().playback.animator.playback(1).settings(), playback.settings());
    reference.refresh();
    it.key(Key::Space);
    for _ in 0..40 {
        it.pass_with(&mut reference, 0.05);
    }
    // It has ended, and by default the next one ends with its present loop.
    it.click("More settings of track 1");
    assert!(
        !it.harness
            .get_by_label("Ends by itself")
            .accesskit_node()
            .toggled()
            .is_some_and(|it| it == egui::accesskit::Toggled::True)
    );
    it.click("More settings of track 1");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag_button(row, lane.center());
    reference.play_on(1, "hop").unwrap();
    it.pass_with(&mut reference, 1.1);
    it.click("More settings of track 1");
    it.click("Ends by itself");
    let end = it.state_mut().playback.animator.playback(1).end_secs().expect("an end");
    assert!((end - 2.0 * duration).abs() < 1e-9, "{end}");
    reference.playback_mut(1).unwrap().set_end(Some(end));
    it.pass_with(&mut reference, 0.3);
    // It stops on request: its values stay where they are.
    it.click("Stop");
    reference.stop_track(1);
    it.pass_with(&mut reference, 0.3);
    assert!(it.playing(1).is_none());
}

#[test]
fn clearing_a_track_fades_it_out() {
    let mut it = lamp();
    let mut reference = it.reference();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag_button(row, lane.center());
    reference.play_on(1, "hop").unwrap();
    it.key(Key::Space);
    it.pass_with(&mut reference, 0.3);
    it.harness.get_by_label("Default fade").set_value_accesskit(1.0);
    it.harness.run_steps(3);
    it.click("Clear track 1");
    reference.fade_out(1, 1.0);
    for _ in 0..11 {
        it.pass_with(&mut reference, 0.125);
    }
    it.harness.run_steps(2);
    assert!(it.playing(1).is_none() && it.says("Track 1: nothing"), "the row stays");
}

#[test]
fn choosing_in_the_list_fades_and_leaves_other_tracks_alone() {
    let mut it = lamp();
    let mut reference = it.reference();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag_button(row, lane.center());
    reference.play_on(1, "hop").unwrap();
    it.key(Key::Space);
    it.pass_with(&mut reference, 0.1);
    it.key(Key::Num2);
    reference.play("hop").unwrap().set_fade(0.2);
    it.pass_with(&mut reference, 0.05);
    assert_eq!(it.state_mut().playback.animator.playback(0).mix(), 0.25);
    // Paused, no time passes in which it could fade.
    it.key(Key::Space);
    it.key(Key::Num1);
    assert_eq!(
        (it.playing(0).as_deref(), it.state_mut().playback.animator.playback(0).mix()),
        (Some("idle"), 1.0)
    );
    assert_eq!(it.playing(1).as_deref(), Some("hop"));
    // A window that shows a single animation is as it was.
    let mut it = lamp();
    it.key(Key::M);
    it.key(Key::Space);
    it.key(Key::Num2);
    assert_eq!(it.state_mut().playback.animator.playbacks().count(), 1);
}

#[test]
fn playback_goes_on_while_another_track_moves() {
    let mut it = lamp();
    it.click("Add track");
    let (row, lane) = (it.button("idle"), it.button("Track 1"));
    it.drag_button(row, lane.center());
    it.click("Loop mode of track 0");
    it.harness.get_by_role_and_label(Role::Button, "Play once").click();
    it.harness.run_steps(3);
    it.key(Key::Space);
    (0..20).for_each(|_| it.harness.state_mut().advance(0.5));
    assert!(it.state_mut().playback.animator.is_finished(0) && it.state_mut().playback.animator.is_playing());
    assert!(it.harness.state().is_moving());
    it.state_mut().remove_track(1);
    (0..3).for_each(|_| it.harness.state_mut().advance(0.5));
    assert!(!it.state_mut().playback.animator.is_playing(), "it pauses at the end");
}

#[test]
fn the_view_fits_the_animations_of_all_tracks() {
    let mut it = lamp();
    it.state_mut().canvas.fits_animation = true;
    it.key(Key::M);
    let idle = it.state_mut().content().unwrap();
    let hop = it.state_mut().model().unwrap().find_animation("hop").unwrap();
    it.state_mut().play_on_track(1, hop);
    let both = it.state_mut().content().unwrap();
    it.state_mut().show_animation(hop);
    it.state_mut().remove_track(1);
    assert_eq!(both, idle.union(it.state_mut().content().unwrap()));
    assert_ne!(both, idle);
}

#[test]
fn stored_frames_say_that_they_cannot_be_mixed() {
    let mut it = open([1600.0, 800.0], &["paper-knight.pchr"]);
    assert!(it.says("This file’s animations cannot be mixed"));
    let is_enabled = |it: &TestWindow, label: &str| !it.harness.get_by_label(label).accesskit_node().is_disabled();
    assert!(!is_enabled(&it, "Weight of track 0") && is_enabled(&it, "Speed of track 0"));
    it.save("tracks-knight");
    assert!(!lamp().says("cannot be mixed"));
}

// ---- Files

#[test]
fn a_reloaded_file_keeps_its_tracks_by_name() {
    let mut it = lamp();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag_button(row, lane.center());
    let (row, queue) = (it.button("idle"), it.button("Queue of track 1"));
    it.drag_button(row, queue.center());
    it.harness.get_by_label("Weight of track 1").set_value_accesskit(25.0);
    it.harness.run_steps(3);
    it.state_mut().playback.animator.playback_mut(1).unwrap().seek(5.0);
    it.key(Key::F5);
    let playback = it.state_mut().playback.animator.playback(1).clone();
    assert_eq!((playback.position(), playback.weight()), (5.0, 0.25));
    assert!(it.says("Track 1: hop") && it.says("Queue of track 1: idle") && it.says("Reloaded"));

    let path = it.folder.path().join("paper-lamp.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"hop\"", "\"leap\"")).unwrap();
    it.key(Key::F5);
    assert!(it.says("No longer in the file: “hop”"), "a notice");
    assert_eq!((it.playing(0).as_deref(), it.playing(1).as_deref()), (Some("idle"), Some("idle")));
}

#[test]
fn each_file_keeps_its_own_tracks() {
    let mut it = open([1600.0, 800.0], &["paper-lamp.json", "paper-knight.pchr"]);
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag_button(row, lane.center());
    it.click("Add track");
    it.press(Modifiers::COMMAND, Key::PageDown);
    assert!(!it.says("Track 1"));
    it.press(Modifiers::COMMAND, Key::PageUp);
    assert!(it.says("Track 1: hop") && it.says("Track 2: nothing"));
    assert_eq!((it.playing(0).as_deref(), it.playing(1).as_deref()), (Some("idle"), Some("hop")));
}

#[test]
fn the_export_dialog_exports_the_tracks() {
    let mut it = lamp();
    it.press(Modifiers::COMMAND, Key::E);
    assert!(it.state_mut().export.is_some() && !it.says("--track"));
    it.press(Modifiers::COMMAND, Key::E);
    it.state_mut().add_track();
    let hop = it.state_mut().model().unwrap().find_animation("hop").unwrap();
    it.state_mut().play_on_track(1, hop);
    it.press(Modifiers::COMMAND, Key::E);
    assert!(it.says("--track"));
    it.save("tracks-export");
}

// ---- The event log

#[test]
fn fired_events_are_logged_selected_copied_and_cleared() {
    let mut it = lamp();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag_button(row, lane.center());
    it.click("Events");
    assert!(it.says("Events appear here"));
    it.key(Key::Space);
    (0..8).for_each(|_| it.harness.state_mut().advance(0.1));
    it.harness.run_steps(3);
    assert!(it.says("Events (2)"));
    it.save("tracks-events");
    let text = it.click_and_copy("Copy");
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(lines, ["1\thop\t0.25\tjump\t0\t0\t", "1\thop\t0.65\tland\t1\t0\t"]);
    let [land, jump] = ["land", "jump"].map(|name| it.button(name));
    assert!(land.top() < jump.top(), "the newest is the first");

    let rect = it.button("jump");
    it.harness.hover_at(rect.center());
    it.harness.drag_at(rect.center());
    it.harness.drop_at(rect.center());
    it.harness.run_steps(3);
    let state = it.state_mut();
    let model = state.model().unwrap();
    assert!(matches!(state.parts.selected, Some(Selected::Event(event)) if &*model.event(event).name == "jump"));
    assert!(
        !state.playback.animator.is_playing()
            && (state.playback.animator.playback(1).seconds() - 0.25).abs() < 1e-6
    );
    it.click("Clear");
    assert!(it.says("Events appear here"));
}

#[test]
fn an_event_whose_animation_has_gone_is_only_selected() {
    let mut it = lamp();
    it.key(Key::Num2);
    it.click("Events");
    it.key(Key::Space);
    (0..4).for_each(|_| it.harness.state_mut().advance(0.1));
    it.key(Key::Num1);
    let before = it.state_mut().playback.animator.playback(0).position();
    let rect = it.button("jump");
    it.harness.hover_at(rect.center());
    it.harness.drag_at(rect.center());
    it.harness.drop_at(rect.center());
    it.harness.run_steps(3);
    assert!(matches!(it.state_mut().parts.selected, Some(Selected::Event(_))));
    assert_eq!(it.state_mut().playback.animator.playback(0).position(), before);
    assert!(it.state_mut().playback.animator.is_playing());
}

// ---- Code

/// The file contains the code that the button copies, so that it compiles.
#[test]
fn copied_code_plays_the_same() {
    let mut it = lamp();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag_button(row, lane.center());
    let (row, queue) = (it.button("idle"), it.button("Queue of track 1"));
    it.drag_button(row, queue.center());
    it.harness.get_by_label("Weight of track 1").set_value_accesskit(50.0);
    it.harness.run_steps(3);
    it.click("Additive track 1");
    it.click("Loop mode of track 0");
    it.harness.get_by_role_and_label(Role::Button, "Ping-pong").click();
    it.harness.run_steps(3);
    let code = it.click_and_copy("Copy as code");
    let golden: String = include_str!("tracks_code.rs").lines().skip(1).map(|line| format!("{line}\n")).collect();
    assert_eq!(format!("{{\n{code}}}\n"), golden);

    let mut animator = it.reference();
    animator.stop();
    let mut play = || -> pchr::Result<()> {
        include!("tracks_code.rs");
        Ok(())
    };
    play().expect("the animations exist");
    it.key(Key::Space);
    for _ in 0..40 {
        it.harness.state_mut().advance(0.05);
        animator.update(0.05);
        let state = it.state_mut();
        state.playback.animator.refresh();
        assert_eq!(state.playback.animator.cue(), animator.cue());
    }
}

// ---- Layout

#[test]
fn no_control_of_the_strip_covers_another_at_any_width() {
    for width in (240..=1400).step_by(40) {
        // High enough that nothing has to scroll.
        let mut it = open([width as f32, 1500.0], &["paper-lamp.json"]);
        it.state_mut().add_track();
        let hop = it.state_mut().model().unwrap().find_animation("hop").unwrap();
        it.state_mut().play_on_track(1, hop);
        it.state_mut().queue_on_track(1, hop);
        it.state_mut().mixer.log.is_shown = width % 80 == 0;
        it.harness.run_steps(4);
        let window = Rect::from_min_size(Pos2::ZERO, vec2(width as f32, 1500.0));
        let strip = it.harness.get_by_role_and_label(Role::Button, "Add track").rect().top();
        let timeline = it.harness.get_by_role_and_label(Role::Slider, "Time").rect().top();
        let controls = it.controls().into_values();
        let controls: Vec<_> =
            controls.filter(|(_, rect)| rect.top() >= strip - 1.0 && rect.bottom() <= timeline + 1.0).collect();
        assert!(controls.len() >= 11, "{width}: {controls:#?}");
        for (index, (name, rect)) in controls.iter().enumerate() {
            assert!(window.contains_rect(*rect), "{width} points: {name} leaves the window: {rect}");
            for (other, covers) in &controls[index + 1..] {
                assert!(!rect.intersect(*covers).is_positive(), "{width} points: {name} covers {other}");
            }
        }
        it.save(&format!("tracks-{width}"));
    }
}

#[test]
fn tab_reaches_every_control_of_the_strip() {
    for size in [[1200.0, 800.0], [500.0, 700.0]] {
        let mut it = open(size, &["paper-lamp.json"]);
        it.click("Add track");
        it.click("Events");
        let expected = it.controls();
        it.assert_tab_reaches(&expected, &format!("{size:?}"));
        assert!(expected.len() > 20);
    }
}

#[test]
fn the_strip_survives_odd_windows_and_files() {
    for (size, files) in [
        ([240.0, 330.0], &["paper-lamp.json"][..]),
        ([1200.0, 200.0], &["paper-lamp.json"]),
        ([600.0, 600.0], &[]),
    ] {
        let mut it = open(size, files);
        it.state_mut().add_track();
        it.harness.run_steps(3);
        it.harness.event(Event::Copy);
        it.harness.run_steps(1);
        it.save(&format!("tracks-odd-{}", size[0]));
    }
}
