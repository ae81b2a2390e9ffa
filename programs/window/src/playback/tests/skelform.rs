//! The window with a SkelForm character: dragging targets, physics and styles, driven as a user would.

use std::ffi::OsString;
use std::fs;
use std::time::{Duration, Instant};

use crate::WindowOptions;
use crate::export::{Ended, Phase};
use crate::quirks;
use crate::scene::camera::Camera;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Pos2, Shape, Vec2 as Points, vec2 as points};
use egui_kittest::kittest::Queryable;
use pchr::draw::Overlay;
use pchr::math::Vec2;
use pchr::model::SkinId;
use pchr::motion::{Dynamics, evaluate};
use pchr::pose::{Pose, for_each_deformed_vertex, palette};

use crate::app::tests::harness::{TestWindow, run_program};

/// Opens a window on the puppet.
fn open(change: impl FnOnce(&mut WindowOptions)) -> TestWindow {
    of("puppet.skf", &quirks::skelform::puppet(), change)
}

fn of(name: &str, bytes: &[u8], change: impl FnOnce(&mut WindowOptions)) -> TestWindow {
    TestWindow::of([1000.0, 800.0], &[(name, bytes)], change)
}

impl TestWindow {
    /// Returns the drawn pose.
    fn pose(&mut self) -> Pose {
        let scene = self.app().scene().expect("a character");
        let mut pose = Pose::default();
        match &scene.pose {
            Some(drawn) => pose = Pose::clone(drawn),
            None => evaluate(&scene.character, &scene.cue, &mut pose),
        }
        pose
    }

    /// Returns the position of a bone in the world.
    fn bone(&mut self, name: &str) -> Vec2 {
        let id = self.app().state.model().expect("a character").skeleton().find(name).expect("a bone");
        self.pose().world_from_bone[id.index()].translation
    }

    /// Converts a position in the window to the world.
    fn world(&mut self, at: Pos2) -> Vec2 {
        let canvas = self.canvas_corner();
        let scale = self.harness.ctx.pixels_per_point();
        let pixel = (at - canvas) * scale;
        self.app().state.view().expect("a view").world_from_pixel(pchr::math::vec2(pixel.x, pixel.y))
    }

    fn canvas_corner(&self) -> Pos2 {
        self.harness.get_by_label_contains("puppet.skf, ").rect().min
    }

    fn handle(&self, label: &str) -> Pos2 {
        self.harness.get_by_label(label).rect().center()
    }

    /// Grabs a handle and moves it without releasing it.
    fn hold(&mut self, label: &str, by: Points) -> Pos2 {
        let from = self.handle(label);
        self.harness.drag_at(from);
        self.harness.run_steps(1);
        self.harness.hover_at(from + by * 0.5);
        self.harness.run_steps(1);
        self.harness.hover_at(from + by);
        self.harness.run_steps(1);
        from + by
    }

    fn camera(&mut self) -> Camera {
        self.app().state.canvas.camera
    }
}

// ---- Targets

#[test]
fn a_target_follows_the_pointer_and_is_reset() {
    let mut it = open(|_| {});
    let before = it.pose();
    let hand = it.bone("hand");
    let at = it.hold("IK target goal", points(20.0, 60.0));
    let wanted = it.world(at);
    assert!(it.bone("goal").distance(wanted) < 0.51, "{} is not {wanted}", it.bone("goal"));
    assert!(it.bone("hand").distance(hand) > 5.0, "the rig follows");
    assert!(it.bone("hand").distance(wanted) < 2.0, "{} reaches for {wanted}", it.bone("hand"));
    it.harness.drop_at(at);
    it.harness.run_steps(2);
    assert!(it.bone("goal").distance(wanted) < 0.51, "it stays where it was released");
    assert_eq!(it.camera(), Camera::Fit, "nothing else was dragged");
    // Once more from the new position: the handle has moved along.
    assert!(it.handle("IK target goal").distance(at) < 1.0);
    it.key(Key::Escape);
    assert!(it.pose() == before, "everything is reset");
    // Beside a handle, the canvas is dragged.
    let beside = it.handle("IK target goal") + points(60.0, 60.0);
    it.harness.drag_at(beside);
    it.harness.run_steps(1);
    it.harness.hover_at(beside + points(30.0, 0.0));
    it.harness.run_steps(1);
    it.harness.drop_at(beside + points(30.0, 0.0));
    it.harness.run_steps(1);
    assert!(it.camera() != Camera::Fit && it.pose() == before);
}

#[test]
fn arrow_keys_move_the_focused_target() {
    let mut it = open(|_| {});
    let (before, start) = (it.pose(), it.handle("IK target goal"));
    it.harness.get_by_label("IK target goal").focus();
    it.harness.run();
    for key in [Key::ArrowRight, Key::ArrowRight, Key::ArrowUp] {
        it.key(key);
    }
    let moved = it.handle("IK target goal") - start;
    assert!((moved - points(8.0, -4.0)).length() < 0.5, "{moved}");
    assert!(it.harness.get_by_label("IK target goal").is_focused(), "it keeps the focus");
    assert_eq!(it.app().state.playback.animator.playback(0).frame(), 0, "the keys do not step frames");
    it.key(Key::Escape);
    it.key(Key::Escape);
    assert!(it.pose() == before, "the first Escape releases the focus, the second resets the target");
}

#[test]
fn escape_during_a_drag_releases_the_target() {
    let mut it = open(|_| {});
    let before = it.pose();
    let at = it.hold("IK target goal", points(-80.0, 40.0));
    assert!(it.pose() != before);
    it.key(Key::Escape);
    it.harness.hover_at(at + points(30.0, 30.0));
    it.harness.run_steps(2);
    assert!(it.pose() == before && it.camera() == Camera::Fit, "the pointer no longer drags anything");
    it.harness.drop_at(at);
    it.harness.run_steps(1);
    assert!(it.pose() == before && it.camera() == Camera::Fit);
}

#[test]
fn a_dragged_target_stays_during_playback() {
    let mut it = open(|options| options.paused = false);
    let at = it.hold("IK target goal", points(-60.0, 30.0));
    let wanted = it.world(at);
    let mut elbows = Vec::new();
    for _ in 0..6 {
        it.app().advance(0.05);
        it.harness.run_steps(1);
        assert!(it.bone("goal").distance(wanted) < 0.51, "{}", it.bone("goal"));
        elbows.push(it.bone("lower"));
    }
    assert!(elbows.windows(2).all(|pair| pair[0] != pair[1]), "playback continues: {elbows:?}");
    it.harness.drop_at(at);
    it.key(Key::Escape);
    let goal = it.bone("goal");
    it.app().advance(0.1);
    assert!(it.bone("goal") != goal, "the animation moves it again");
}

#[test]
fn rings_appear_near_the_pointer_and_with_ctrl_and_require_targets() {
    let mut it = open(|_| {});
    let at = it.handle("IK target goal");
    let is_painted = |it: &TestWindow| {
        let mut shapes = it.harness.output().shapes.iter();
        shapes.any(|it| matches!(&it.shape, Shape::Circle(ring) if ring.center.distance(at) < 1.0))
    };
    it.harness.hover_at(at + points(120.0, 0.0));
    it.harness.run();
    assert!(!is_painted(&it), "the pointer is far away");
    it.harness.hover_at(at + points(30.0, 0.0));
    it.harness.run();
    assert!(is_painted(&it));
    it.harness.hover_at(at + points(120.0, 0.0));
    it.harness.run();
    assert!(!is_painted(&it), "it is far away again");
    for (modifiers, expected) in [(Modifiers::COMMAND, true), (Modifiers::NONE, false)] {
        it.harness.event(Event::ModifiersChanged(modifiers));
        it.harness.run();
        assert_eq!(is_painted(&it), expected, "{modifiers:?}");
    }
    it.key(Key::K);
    assert!(is_painted(&it), "always");
    it.click_button("Show");
    it.click_role(Role::CheckBox, "IK rings");
    assert!(!is_painted(&it));
    it.key(Key::Escape);
    it.harness.get_by_label("IK target goal").focus();
    it.harness.run();
    assert!(is_painted(&it), "it has the focus");
    let mesh = fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/fixtures/conformance/skelform/samples/synth-mesh.skf"
    ));
    let mut it = of("mesh.skf", &mesh.expect("a fixture"), |_| {});
    assert!(!it.says("IK target"));
    it.key(Key::K);
    assert!(it.says("This file has no IK targets"));
}

// ---- Physics

/// Evaluates the window's scene with a fresh player.
fn replayed(it: &mut TestWindow) -> Pose {
    let scene = it.app().scene().expect("a character");
    let mut pose = Pose::default();
    Dynamics::default().replay(&scene.character, &scene.cue, &mut pose);
    pose
}

#[test]
fn physics_are_shown_on_request() {
    let mut it = open(|_| {});
    it.app().state.playback.animator.seek(6.0);
    let still = it.pose();
    assert!(it.app().scene().expect("a character").pose.is_none());
    it.key(Key::P);
    let swung = it.pose();
    assert!(swung != still && swung == replayed(&mut it));
    // After seeking away and back, the pose is the same.
    it.app().state.playback.animator.seek(15.0);
    let other = it.pose();
    assert!(other != swung && other == replayed(&mut it));
    it.app().state.playback.animator.seek(6.0);
    assert!(it.pose() == swung);
    // Physics settle immediately while dragging.
    let at = it.hold("IK target goal", points(-40.0, 20.0));
    it.harness.drop_at(at);
    it.harness.run_steps(1);
    assert!(it.pose() == replayed(&mut it));
    it.key(Key::Escape);
    assert!(it.pose() == swung);
    it.app().state.show_animation_by(1);
    assert!(it.pose() == replayed(&mut it), "another animation starts fresh");
    it.app().state.show_animation_by(-1);
    it.app().state.playback.animator.seek(6.0);
    it.click("Physics");
    assert!(it.pose() == still);
}

#[test]
fn physics_continue_during_playback() {
    let mut it = open(|options| {
        options.paused = false;
        options.subject.physics = Some(true);
    });
    assert!(it.pose() == replayed(&mut it));
    let (mut lag, mut whole) = (0.0_f32, 0);
    for _ in 0..50 {
        it.app().advance(1.0 / 60.0);
        it.harness.run_steps(1);
        let scene = it.app().scene().expect("a character");
        let mut still = Pose::default();
        evaluate(&scene.character, &scene.cue, &mut still);
        let tail = scene.character.model().skeleton().find("tail").expect("a bone").index();
        let drawn = it.pose().world_from_bone[tail].translation;
        // A held frame does not tell how long it has been shown, but at its start, seeking equals playing.
        if it.app().state.playback.animator.playback(0).position().fract() < 1e-6 {
            assert!(
                it.pose() == replayed(&mut it),
                "at {}",
                it.app().state.playback.animator.playback(0).position()
            );
            whole += 1;
        }
        lag = lag.max(drawn.distance(still.world_from_bone[tail].translation));
    }
    assert!(lag > 5.0 && whole == 10, "{lag} px, {whole} whole frames");
    let mut it =
        of("plain.skf", &fs::read(plain()).expect("a fixture"), |options| options.subject.physics = Some(true));
    assert!(it.says("plain.skf has no physics") && it.app().scene().expect("a character").pose.is_none());
    assert!(!it.says("Physics"));
}

fn plain() -> &'static str {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/skelform/quirks/plain/input.skf")
}

#[test]
fn an_export_and_its_command_line_include_physics() {
    let mut it = open(|options| options.subject.physics = Some(true));
    it.app().state.open_export();
    it.harness.run_steps(2);
    let own = it.folder.path().join("own.png");
    let export = it.app().state.export.as_mut().expect("the dialog is open");
    export.options.output.format = Some(pchr::export::Format::Apng);
    export.path = own.to_str().expect("a name").to_owned();
    export.typed_path();
    let mut options = export.wanted();
    assert!(
        options.subject.physics == Some(true) && options.command_line().contains(" --physics "),
        "{}",
        options.command_line()
    );
    export.start();
    let begun = Instant::now();
    while !matches!(export.phase, Phase::Ended(_)) {
        assert!(begun.elapsed() < Duration::from_secs(60), "the export does not end");
        std::thread::sleep(Duration::from_millis(20));
        export.poll();
    }
    assert!(matches!(export.phase, Phase::Ended(Ended::Written(_))), "{:?}", export.phase);
    let run = |options: &pchr::export::RenderOptions| {
        run_program([OsString::from("pchr-view")].into_iter().chain(options.to_args()));
        fs::read(options.output.path.as_ref().expect("a path")).expect("it is written")
    };
    options.output.path = Some(own.with_extension("again.png").to_str().expect("a name").to_owned());
    let bytes = fs::read(&own).expect("it is written");
    assert!(run(&options) == bytes);
    options.subject.physics = Some(false);
    options.output.path = Some(own.with_extension("still.png").to_str().expect("a name").to_owned());
    assert!(run(&options) != bytes);
}

// ---- Styles

/// Returns the drawn width of the body.
fn width(it: &mut TestWindow) -> f32 {
    let pose = it.pose();
    let model = it.app().state.model().expect("a character");
    let (mut matrices, mut corners) = (Vec::new(), Vec::new());
    palette(model, &pose, &mut matrices);
    let mesh = model.attachment(pose.slots[0].attachment.expect("it is shown")).mesh().expect("it is drawn");
    for_each_deformed_vertex(&mesh.vertices, &[], &matrices, |corner, _| corners.push(corner));
    corners[1].x - corners[0].x
}

#[test]
fn the_first_style_of_the_file_overrides_the_others() {
    let mut it = open(|_| {});
    let names = |it: &mut TestWindow| -> Vec<String> {
        let skins: Vec<SkinId> = it.app().scene().expect("a character").cue.skins;
        let model = it.app().state.model().expect("a character");
        skins.into_iter().map(|id| model.skin(id).name.to_string()).collect()
    };
    assert!(it.says("Default") && it.says("Hat") && it.says("Coat"));
    assert_eq!(width(&mut it), 40.0, "the style chosen by the file");
    for clicks in [["Hat", "Coat"], ["Coat", "Hat"]] {
        clicks.into_iter().for_each(|style| it.click(style));
        assert_eq!(
            (names(&mut it), width(&mut it)),
            (vec!["Coat".to_owned(), "Hat".to_owned()], 20.0),
            "{clicks:?}"
        );
        it.click("Hat");
        assert_eq!((names(&mut it), width(&mut it)), (vec!["Coat".to_owned()], 30.0));
        it.click("Coat");
        assert_eq!((names(&mut it).len(), width(&mut it)), (0, 40.0));
    }
    // On the command line, the style named last wins.
    let named = |skins: &[&str]| {
        let skins: Vec<String> = skins.iter().map(|skin| (*skin).to_owned()).collect();
        width(&mut open(|options| options.subject.skins = skins))
    };
    assert_eq!([named(&["Hat", "Coat"]), named(&["Coat", "Hat"]), named(&["Hat", "Default"])], [30.0, 20.0, 40.0]);
}

// ---- Bones

#[test]
fn bones_and_their_names_are_shown() {
    let mut it = open(|options| options.look.show.push(Overlay::Names.into()));
    assert!(!it.app().scene().expect("a character").overlays.contains(Overlay::Bones));
    it.key(Key::B);
    assert!(it.app().scene().expect("a character").overlays.contains(Overlay::Bones));
    it.key(Key::N);
    assert!(!it.app().state.overlays.shown.contains(Overlay::Names));
}
