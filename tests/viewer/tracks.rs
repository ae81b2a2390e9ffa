//! The strip of tracks, driven with the mouse and the keyboard, and compared with an `Animator` that gets the same
//! calls.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use egui::accesskit::{Action, Role};
use egui::{Event, Key, Modifiers, OutputCommand, Pos2, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::Animator;
use pchr::player::LoopMode;
use pchr::viewer::WindowOptions;
use pchr::viewer::app::App;
use pchr::viewer::selection::Selected;
use pchr::viewer::state::State;
use tempfile::TempDir;

struct Fixture {
    harness: Harness<'static, App>,
    folder: TempDir,
}

impl Fixture {
    /// Opens a paused window of this size with copies of the project's own characters, and shows the tracks.
    fn open(size: [f32; 2], files: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        for asset in fs::read_dir(assets).unwrap().map(|asset| asset.unwrap().path()) {
            fs::copy(&asset, folder.path().join(asset.file_name().unwrap())).unwrap();
        }
        let mut options = WindowOptions::default();
        options.paused = true;
        options.watch = false;
        options.subject.files.extend(files.iter().map(|file| folder.path().join(file)));
        let app = App::new(&options);
        let set_up = App::new(&WindowOptions::default());
        let mut harness = Harness::builder()
            .with_size(size)
            .with_max_steps(30)
            .with_context_setup(move |ctx| set_up.set_up(ctx))
            .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
        harness.run();
        let mut it = Self { harness, folder };
        it.press(Key::M);
        it
    }

    fn lamp() -> Self {
        Self::open([1200.0, 800.0], &["paper-lamp.json"])
    }

    /// Returns an animator in the state in which the window starts.
    fn reference(&mut self) -> Animator {
        let mut animator = Animator::open(self.folder.path().join("paper-lamp.json")).unwrap();
        let shown = &self.state().animator;
        let skins: Vec<_> = shown.skins().to_vec();
        animator.set_skins(skins).unwrap();
        let name = shown.playback(0).animation().map(|id| shown.model().animation(id).name.clone());
        animator.play(name.expect("an animation")).unwrap();
        animator.refresh();
        animator
    }

    fn state(&mut self) -> &mut State {
        &mut self.harness.state_mut().state
    }

    fn press(&mut self, key: Key) {
        self.press_with(Modifiers::NONE, key);
    }

    fn press_with(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run();
    }

    fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.harness.run();
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
    fn drag(&mut self, from: Rect, to: Pos2) {
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
        let state = self.state();
        state.animator.refresh();
        assert!(state.animator.pose() == reference.pose(), "{:#?}", state.animator.cue());
        let scene = state.scene().expect("a character");
        assert_eq!(scene.cue, *reference.cue());
        assert!(scene.pose.is_none_or(|pose| *pose == *reference.pose()));
    }

    fn says(&self, text: &str) -> bool {
        self.harness.root().children_recursive().any(|node| {
            let node = node.accesskit_node();
            [node.label(), node.value()].into_iter().flatten().any(|found| found.contains(text))
        })
    }

    /// Returns the name of what a track plays.
    fn playing(&mut self, track: usize) -> Option<String> {
        let animator = &self.state().animator;
        animator.playback(track).animation().map(|id| animator.model().animation(id).name.clone())
    }

    /// Returns the names and rectangles of all controls.
    fn controls(&self) -> Vec<(u64, String, Rect)> {
        let nodes = self.harness.root().children_recursive().filter_map(|node| {
            let inner = node.accesskit_node();
            let data = inner.data();
            let is_control = match inner.role() {
                Role::Image | Role::ScrollBar | Role::Label | Role::GenericContainer => false,
                Role::Window | Role::Unknown => false,
                _ => data.supports_action(Action::Focus) || data.supports_action(Action::Click),
            };
            let name = format!("{:?} {:?} {:?}", inner.role(), inner.label(), inner.value());
            (is_control && !inner.is_disabled()).then(|| (inner.locate().0.0, name, node.rect()))
        });
        nodes.collect()
    }

    /// Saves a screenshot into the folder named by `PCHR_SHOW`, for inspection.
    fn save(&mut self, name: &str) {
        let Ok(folder) = std::env::var("PCHR_SHOW") else { return };
        let picture = self.harness.render().expect("it renders");
        let file = fs::File::create(Path::new(&folder).join(format!("{name}.png"))).expect("a file");
        let mut png = png::Encoder::new(file, picture.width(), picture.height());
        png.set_color(png::ColorType::Rgba);
        png.write_header().and_then(|mut png| png.write_image_data(picture.as_raw())).expect("a PNG");
    }
}

// ---- The strip

#[test]
fn a_key_and_a_button_show_and_hide_the_strip() {
    let mut it = Fixture::lamp();
    assert!(it.says("Default fade") && it.says("Track 0: idle"));
    it.press(Key::M);
    assert!(!it.says("Default fade"));
    it.click("Tracks");
    assert!(it.says("Default fade"));
    it.click("Hide tracks");
    assert!(!it.says("Default fade"));
}

#[test]
fn tracks_are_added_and_removed() {
    let mut it = Fixture::lamp();
    it.click("Add track");
    it.click("Add track");
    assert!(it.says("Track 1: nothing") && it.says("Track 2: nothing"));
    let (row, lane) = (it.button("hop"), it.button("Track 2").center());
    it.drag(row, lane);
    assert_eq!((it.playing(0).as_deref(), it.playing(2).as_deref()), (Some("idle"), Some("hop")));
    it.click("Remove track 1");
    assert!(!it.says("Track 1: nothing"));
    it.click("Remove track 2");
    it.press(Key::Space);
    it.harness.state_mut().advance(0.01);
    it.harness.state_mut().advance(0.01);
    it.harness.run_steps(2);
    assert!(!it.says("Track 2") && it.playing(2).is_none());
    assert!(it.harness.query_by_label("Remove track 0").is_none(), "track 0 stays");
}

#[test]
fn the_number_of_tracks_is_limited() {
    let mut it = Fixture::lamp();
    for _ in 0..40 {
        it.state().add_track();
    }
    it.harness.run_steps(3);
    assert!(it.says("No more than 32 tracks can be added") && !it.says("Track 32"));
    it.save("tracks-many");
}

// ---- Playing

#[test]
fn a_fade_at_half_time_is_that_of_an_animator() {
    let mut it = Fixture::lamp();
    let mut reference = it.reference();
    let (row, lane) = (it.button("hop"), it.button("Track 0"));
    it.drag(row, lane.center());
    reference.play("hop").unwrap().set_fade(0.2);
    reference.refresh();
    it.press(Key::Space);
    it.pass_with(&mut reference, 0.1);
    let playback = it.state().animator.playback(0).clone();
    assert_eq!((playback.mix(), playback.fade_secs()), (0.5, 0.2));
    assert!(it.says("fade 50 %"));
    it.save("tracks-fading");
    for _ in 0..20 {
        it.pass_with(&mut reference, 0.05);
    }
    assert_eq!(it.state().animator.playback(0).mix(), 1.0);
    assert!(!it.says("fade 100 %"), "the fade is complete");
}

#[test]
fn dropping_on_the_end_of_a_track_queues() {
    let mut it = Fixture::lamp();
    let mut reference = it.reference();
    for name in ["hop", "idle"] {
        let (row, queue) = (it.button(name), it.button("Queue of track 0"));
        it.drag(row, queue.center());
        reference.queue(name).unwrap().set_fade(0.2);
    }
    assert!(it.says("Queue of track 0: hop, idle"));
    it.save("tracks-dragged");
    it.press(Key::Space);
    for _ in 0..200 {
        it.pass_with(&mut reference, 1.0 / 30.0);
    }
    assert!(it.says("Queue of track 0: empty"));
}

#[test]
fn an_animation_that_is_dropped_elsewhere_is_not_played() {
    let mut it = Fixture::lamp();
    let row = it.button("hop");
    it.drag(row, Pos2::new(700.0, 300.0));
    assert_eq!(it.playing(0).as_deref(), Some("idle"));
}

#[test]
fn menus_play_and_queue_with_the_keyboard() {
    let mut it = Fixture::lamp();
    for (start, label) in [("Track 0", "hop"), ("Queue of track 0", "idle")] {
        let label_of = |it: &Fixture| {
            let starts = |label: String| label.starts_with(start);
            it.harness.get_by(|node| node.role() == Role::Button && node.label().is_some_and(starts)).focus();
        };
        label_of(&it);
        it.harness.run_steps(2);
        it.press(Key::Enter);
        it.harness.run_steps(2);
        it.harness.get_by_role_and_label(Role::Button, label).focus();
        it.harness.run_steps(2);
        it.save(&format!("tracks-menu-{label}"));
        it.press(Key::Enter);
        it.harness.run_steps(2);
        it.press(Key::Escape);
    }
    assert_eq!(it.playing(0).as_deref(), Some("hop"));
    let queued: Vec<_> = it.state().animator.queued(0).map(|queued| queued.fade_secs()).collect();
    assert_eq!(queued, [0.2]);
}

#[test]
fn entries_of_a_queue_have_their_own_fade_and_are_removed() {
    let mut it = Fixture::lamp();
    for name in ["hop", "idle"] {
        let (row, queue) = (it.button(name), it.button("Queue of track 0"));
        it.drag(row, queue.center());
    }
    it.harness.hover_at(it.button("Queue of track 0").center());
    it.harness.run_steps(1);
    it.click("Queue of track 0: hop, idle");
    it.harness.get_by_label("Fade of hop").set_value_accesskit(0.5);
    it.harness.run_steps(3);
    it.save("tracks-queue");
    let fades = |it: &mut Fixture| it.state().animator.queued(0).map(|it| it.fade_secs()).collect::<Vec<_>>();
    assert_eq!(fades(&mut it), [0.5, 0.2]);
    it.click("Remove hop from the queue");
    assert_eq!(fades(&mut it), [0.2]);
}

#[test]
fn weight_speed_loop_fade_and_add_are_those_of_the_track() {
    let mut it = Fixture::lamp();
    let mut reference = it.reference();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag(row, lane.center());
    for (label, value) in [("Weight of track 1", 50.0), ("Speed of track 1", 150.0), ("Fade of track 1", 0.4)] {
        it.harness.get_by_label(label).set_value_accesskit(value);
        it.harness.run_steps(3);
    }
    it.click("Add track 1 to those below");
    it.click("Loop mode of track 1");
    it.harness.get_by_role_and_label(Role::Button, "Ping-pong").click();
    it.harness.run_steps(3);
    let playback = reference.play_on(1, "hop").unwrap();
    playback.set_weight(0.5).set_speed(1.5).set_fade(0.4).set_additive(true).set_loop_mode(LoopMode::PingPong);
    reference.refresh();
    it.press(Key::Space);
    for _ in 0..50 {
        it.pass_with(&mut reference, 0.05);
    }
    it.save("tracks-settings");
    // The next animation on the track gets the same settings.
    let (row, lane) = (it.button("idle"), it.button("Track 1"));
    it.drag(row, lane.center());
    let playback = it.state().animator.playback(1).clone();
    assert_eq!((playback.weight(), playback.speed(), playback.is_additive()), (0.5, 1.5, true));
    assert_eq!((playback.loop_mode(), playback.fade_secs()), (LoopMode::PingPong, 0.2));
}

#[test]
fn clearing_a_track_fades_it_out() {
    let mut it = Fixture::lamp();
    let mut reference = it.reference();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag(row, lane.center());
    reference.play_on(1, "hop").unwrap();
    it.press(Key::Space);
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
    let mut it = Fixture::lamp();
    let mut reference = it.reference();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag(row, lane.center());
    reference.play_on(1, "hop").unwrap();
    it.press(Key::Space);
    it.pass_with(&mut reference, 0.1);
    it.press(Key::Num2);
    reference.play("hop").unwrap().set_fade(0.2);
    it.pass_with(&mut reference, 0.05);
    assert_eq!(it.state().animator.playback(0).mix(), 0.25);
    // Paused, no time passes in which it could fade.
    it.press(Key::Space);
    it.press(Key::Num1);
    assert_eq!((it.playing(0).as_deref(), it.state().animator.playback(0).mix()), (Some("idle"), 1.0));
    assert_eq!(it.playing(1).as_deref(), Some("hop"));
    // A window that shows a single animation is as it was.
    let mut it = Fixture::lamp();
    it.press(Key::M);
    it.press(Key::Space);
    it.press(Key::Num2);
    assert_eq!(it.state().animator.playbacks().count(), 1);
}

#[test]
fn playback_goes_on_while_another_track_moves() {
    let mut it = Fixture::lamp();
    it.click("Add track");
    let (row, lane) = (it.button("idle"), it.button("Track 1"));
    it.drag(row, lane.center());
    it.click("Loop mode of track 0");
    it.harness.get_by_role_and_label(Role::Button, "Play once").click();
    it.harness.run_steps(3);
    it.press(Key::Space);
    (0..20).for_each(|_| it.harness.state_mut().advance(0.5));
    assert!(it.state().animator.is_finished(0) && it.state().animator.is_playing());
    assert!(it.harness.state().is_moving());
    it.state().remove_track(1);
    (0..3).for_each(|_| it.harness.state_mut().advance(0.5));
    assert!(!it.state().animator.is_playing(), "it pauses at the end");
}

#[test]
fn the_view_fits_the_animations_of_all_tracks() {
    let mut it = Fixture::lamp();
    let idle = it.state().content().unwrap();
    let hop = it.state().model().unwrap().find_animation("hop").unwrap();
    it.state().play_on_track(1, hop);
    let both = it.state().content().unwrap();
    it.state().show_animation(hop);
    it.state().remove_track(1);
    assert_eq!(both, idle.union(it.state().content().unwrap()));
    assert_ne!(both, idle);
}

#[test]
fn stored_frames_say_that_they_cannot_be_mixed() {
    let mut it = Fixture::open([1200.0, 800.0], &["paper-knight.pchr"]);
    assert!(it.says("This file’s animations cannot be mixed"));
    let is_enabled = |it: &Fixture, label: &str| !it.harness.get_by_label(label).accesskit_node().is_disabled();
    assert!(!is_enabled(&it, "Weight of track 0") && is_enabled(&it, "Speed of track 0"));
    it.save("tracks-knight");
    assert!(!Fixture::lamp().says("cannot be mixed"));
}

// ---- Files

#[test]
fn a_reloaded_file_keeps_its_tracks_by_name() {
    let mut it = Fixture::lamp();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag(row, lane.center());
    let (row, queue) = (it.button("idle"), it.button("Queue of track 1"));
    it.drag(row, queue.center());
    it.harness.get_by_label("Weight of track 1").set_value_accesskit(25.0);
    it.harness.run_steps(3);
    it.state().animator.playback_mut(1).unwrap().seek(5.0);
    it.press(Key::F5);
    let playback = it.state().animator.playback(1).clone();
    assert_eq!((playback.position(), playback.weight()), (5.0, 0.25));
    assert!(it.says("Track 1: hop") && it.says("Queue of track 1: idle") && it.says("Reloaded"));

    let path = it.folder.path().join("paper-lamp.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"hop\"", "\"leap\"")).unwrap();
    it.press(Key::F5);
    assert!(it.says("No longer in the file: “hop”"), "a notice");
    assert_eq!((it.playing(0).as_deref(), it.playing(1).as_deref()), (Some("idle"), Some("idle")));
}

#[test]
fn each_file_keeps_its_own_tracks() {
    let mut it = Fixture::open([1200.0, 800.0], &["paper-lamp.json", "paper-knight.pchr"]);
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag(row, lane.center());
    it.click("Add track");
    it.press_with(Modifiers::COMMAND, Key::PageDown);
    assert!(!it.says("Track 1"));
    it.press_with(Modifiers::COMMAND, Key::PageUp);
    assert!(it.says("Track 1: hop") && it.says("Track 2: nothing"));
    assert_eq!((it.playing(0).as_deref(), it.playing(1).as_deref()), (Some("idle"), Some("hop")));
}

#[test]
fn the_export_dialog_says_that_tracks_are_left_out() {
    let mut it = Fixture::lamp();
    it.press_with(Modifiers::COMMAND, Key::E);
    assert!(it.state().export.is_some() && !it.says("Without other tracks"));
    it.press_with(Modifiers::COMMAND, Key::E);
    it.state().add_track();
    let hop = it.state().model().unwrap().find_animation("hop").unwrap();
    it.state().play_on_track(1, hop);
    it.press_with(Modifiers::COMMAND, Key::E);
    assert!(it.says("Without other tracks, weights and fades"));
    it.save("tracks-export");
}

// ---- The event log

#[test]
fn fired_events_are_logged_selected_copied_and_cleared() {
    let mut it = Fixture::lamp();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag(row, lane.center());
    it.click("Events");
    assert!(it.says("Events appear here"));
    it.press(Key::Space);
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
    let state = it.state();
    let model = state.model().unwrap();
    assert!(matches!(state.selected, Some(Selected::Event(event)) if &*model.event(event).name == "jump"));
    assert!(!state.animator.is_playing() && (state.animator.playback(1).seconds() - 0.25).abs() < 1e-6);
    it.click("Clear");
    assert!(it.says("Events appear here"));
}

#[test]
fn an_event_whose_animation_has_gone_is_only_selected() {
    let mut it = Fixture::lamp();
    it.press(Key::Num2);
    it.click("Events");
    it.press(Key::Space);
    (0..4).for_each(|_| it.harness.state_mut().advance(0.1));
    it.press(Key::Num1);
    let before = it.state().animator.playback(0).position();
    let rect = it.button("jump");
    it.harness.hover_at(rect.center());
    it.harness.drag_at(rect.center());
    it.harness.drop_at(rect.center());
    it.harness.run_steps(3);
    assert!(matches!(it.state().selected, Some(Selected::Event(_))));
    assert_eq!(it.state().animator.playback(0).position(), before);
    assert!(it.state().animator.is_playing());
}

// ---- Code

/// The file contains the code that the button copies, so that it compiles.
#[test]
fn copied_code_plays_the_same() {
    let mut it = Fixture::lamp();
    it.click("Add track");
    let (row, lane) = (it.button("hop"), it.button("Track 1"));
    it.drag(row, lane.center());
    let (row, queue) = (it.button("idle"), it.button("Queue of track 1"));
    it.drag(row, queue.center());
    it.harness.get_by_label("Weight of track 1").set_value_accesskit(50.0);
    it.harness.run_steps(3);
    it.click("Add track 1 to those below");
    it.click("Loop mode of track 0");
    it.harness.get_by_role_and_label(Role::Button, "Ping-pong").click();
    it.harness.run_steps(3);
    let code = it.click_and_copy("Copy as code");
    let golden: String = include_str!("tracks_code.rs").lines().skip(1).map(|line| format!("{line}\n")).collect();
    assert_eq!(format!("{{\n{code}}}\n"), golden);

    let mut animator = it.reference();
    animator.stop();
    let mut play = || -> pchr::error::Result<()> {
        include!("tracks_code.rs");
        Ok(())
    };
    play().expect("the animations exist");
    it.press(Key::Space);
    for _ in 0..40 {
        it.harness.state_mut().advance(0.05);
        animator.update(0.05);
        let state = it.state();
        state.animator.refresh();
        assert_eq!(state.animator.cue(), animator.cue());
    }
}

// ---- Layout

#[test]
fn no_control_of_the_strip_covers_another_at_any_width() {
    for width in (240..=1400).step_by(40) {
        // High enough that nothing has to scroll.
        let mut it = Fixture::open([width as f32, 1500.0], &["paper-lamp.json"]);
        it.state().add_track();
        let hop = it.state().model().unwrap().find_animation("hop").unwrap();
        it.state().play_on_track(1, hop);
        it.state().queue_on_track(1, hop);
        it.state().mixer.log.is_shown = width % 80 == 0;
        it.harness.run_steps(4);
        let window = Rect::from_min_size(Pos2::ZERO, vec2(width as f32, 1500.0));
        let strip = it.harness.get_by_role_and_label(Role::Button, "Add track").rect().top();
        let timeline = it.harness.get_by_role_and_label(Role::Slider, "Time").rect().top();
        let controls = it.controls().into_iter();
        let controls: Vec<_> =
            controls.filter(|(_, _, rect)| rect.top() >= strip - 1.0 && rect.bottom() <= timeline + 1.0).collect();
        assert!(controls.len() >= 14, "{width}: {controls:#?}");
        for (index, (_, name, rect)) in controls.iter().enumerate() {
            assert!(window.contains_rect(*rect), "{width} points: {name} leaves the window: {rect}");
            for (_, other, covers) in &controls[index + 1..] {
                assert!(!rect.intersect(*covers).is_positive(), "{width} points: {name} covers {other}");
            }
        }
        it.save(&format!("tracks-{width}"));
    }
}

#[test]
fn tab_reaches_every_control_of_the_strip() {
    for size in [[1200.0, 800.0], [500.0, 700.0]] {
        let mut it = Fixture::open(size, &["paper-lamp.json"]);
        it.click("Add track");
        it.click("Events");
        let expected = it.controls();
        let mut seen = BTreeSet::new();
        for _ in 0..200 {
            it.press(Key::Tab);
            let focused = it.harness.ctx.memory(|memory| memory.focused()).expect("Tab always moves the focus");
            if !seen.insert(focused.value()) {
                break;
            }
        }
        let missed: Vec<_> = expected.iter().filter(|(id, ..)| !seen.contains(id)).collect();
        assert!(missed.is_empty(), "{size:?}: Tab never reaches {missed:#?}");
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
        let mut it = Fixture::open(size, files);
        it.state().add_track();
        it.harness.run_steps(3);
        it.harness.event(Event::Copy);
        it.harness.run_steps(1);
        it.save(&format!("tracks-odd-{}", size[0]));
    }
}
