//! The window with a character of SkelForm: targets that are dragged, what swings, and styles, driven as users do.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::quirks;
use egui::{Key, Pos2, Vec2 as Points, vec2 as points};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::draw::Overlay;
use pchr::math::Vec2;
use pchr::model::SkinId;
use pchr::motion::{Dynamics, evaluate};
use pchr::pose::{Pose, for_each_vertex, palette};
use pchr::viewer::WindowOptions;
use pchr::viewer::app::App;
use pchr::viewer::export::{Ended, Stage};
use pchr::viewer::view::Camera;
use tempfile::TempDir;

struct Fixture {
    harness: Harness<'static, App>,
    folder: TempDir,
}

impl Fixture {
    fn open(change: impl FnOnce(&mut WindowOptions)) -> Self {
        Self::of("puppet.skf", &quirks::skelform::puppet(), change)
    }

    fn of(name: &str, bytes: &[u8], change: impl FnOnce(&mut WindowOptions)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file that can be written");
        let mut options = WindowOptions::default();
        options.paused = true;
        options.watch = false;
        options.subject.files.push(path);
        change(&mut options);
        let app = App::new(&options);
        let set_up = App::new(&WindowOptions::default());
        let mut harness = Harness::builder()
            .with_size([1000.0, 800.0])
            .with_max_steps(30)
            .with_context_setup(move |ctx| set_up.set_up(ctx))
            .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
        harness.run_steps(4);
        Self { harness, folder }
    }

    fn app(&mut self) -> &mut App {
        self.harness.state_mut()
    }

    fn press(&mut self, key: Key) {
        self.harness.key_press(key);
        self.harness.run_steps(2);
    }

    fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.harness.run_steps(3);
    }

    fn says(&self, text: &str) -> bool {
        self.harness.root().children_recursive().any(|node| {
            let node = node.accesskit_node();
            [node.label(), node.value()].into_iter().flatten().any(|found| found.contains(text))
        })
    }

    /// What is drawn.
    fn pose(&mut self) -> Pose {
        let scene = self.app().scene().expect("a character");
        let mut pose = Pose::default();
        match &scene.pose {
            Some(drawn) => pose = Pose::clone(drawn),
            None => evaluate(&scene.character, &scene.cue, &mut pose),
        }
        pose
    }

    /// Where a bone is drawn, in the world.
    fn bone(&mut self, name: &str) -> Vec2 {
        let id = self.app().state.model().expect("a character").skeleton().find(name).expect("a bone");
        self.pose().world_from_bone[id.index()].translation
    }

    /// What a place on the window is in the world.
    fn world(&mut self, at: Pos2) -> Vec2 {
        let canvas = self.canvas();
        let scale = self.harness.ctx.pixels_per_point();
        let pixel = (at - canvas) * scale;
        self.app().state.view().expect("a view").world_from_pixel(pchr::math::vec2(pixel.x, pixel.y))
    }

    fn canvas(&self) -> Pos2 {
        self.harness.get_by_label_contains("puppet.skf, ").rect().min
    }

    fn handle(&self, label: &str) -> Pos2 {
        self.harness.get_by_label(label).rect().center()
    }

    /// Takes hold of a handle and moves it, and does not let go.
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
        self.app().state.camera
    }
}

// ---- Targets

#[test]
fn a_target_follows_the_pointer_and_goes_back() {
    let mut it = Fixture::open(|_| {});
    let before = it.pose();
    let hand = it.bone("hand");
    let at = it.hold("IK target goal", points(20.0, 60.0));
    let wanted = it.world(at);
    assert!(it.bone("goal").distance(wanted) < 0.51, "{} is not {wanted}", it.bone("goal"));
    assert!(it.bone("hand").distance(hand) > 5.0, "the rig follows");
    assert!(it.bone("hand").distance(wanted) < 2.0, "{} reaches for {wanted}", it.bone("hand"));
    it.harness.drop_at(at);
    it.harness.run_steps(2);
    assert!(it.bone("goal").distance(wanted) < 0.51, "it stays where it was let go");
    assert_eq!(it.camera(), Camera::Fit, "nothing else was dragged");
    // Once more, from where it is now: the handle went along.
    assert!(it.handle("IK target goal").distance(at) < 1.0);
    it.press(Key::Escape);
    assert!(it.pose() == before, "everything is back");
    // Beside a handle the canvas is dragged.
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
fn a_target_with_the_focus_is_moved_by_the_arrow_keys() {
    let mut it = Fixture::open(|_| {});
    let (before, start) = (it.pose(), it.handle("IK target goal"));
    it.harness.get_by_label("IK target goal").focus();
    it.harness.run();
    for key in [Key::ArrowRight, Key::ArrowRight, Key::ArrowUp] {
        it.press(key);
    }
    let moved = it.handle("IK target goal") - start;
    assert!((moved - points(8.0, -4.0)).length() < 0.5, "{moved}");
    assert!(it.harness.get_by_label("IK target goal").is_focused(), "the focus stays on it");
    assert_eq!(it.app().state.animator.playback(0).frame(), 0, "the keys step nowhere");
    it.press(Key::Escape);
    it.press(Key::Escape);
    assert!(it.pose() == before, "the first gives up the focus, the second puts it back");
}

#[test]
fn escape_while_it_is_held_lets_it_go() {
    let mut it = Fixture::open(|_| {});
    let before = it.pose();
    let at = it.hold("IK target goal", points(-80.0, 40.0));
    assert!(it.pose() != before);
    it.press(Key::Escape);
    it.harness.hover_at(at + points(30.0, 30.0));
    it.harness.run_steps(2);
    assert!(it.pose() == before && it.camera() == Camera::Fit, "the pointer holds nothing any more");
    it.harness.drop_at(at);
    it.harness.run_steps(1);
    assert!(it.pose() == before && it.camera() == Camera::Fit);
}

#[test]
fn what_is_dragged_stays_while_it_plays() {
    let mut it = Fixture::open(|options| options.paused = false);
    let at = it.hold("IK target goal", points(-60.0, 30.0));
    let wanted = it.world(at);
    let mut elbows = Vec::new();
    for _ in 0..6 {
        it.app().advance(0.05);
        it.harness.run_steps(1);
        assert!(it.bone("goal").distance(wanted) < 0.51, "{}", it.bone("goal"));
        elbows.push(it.bone("lower"));
    }
    assert!(elbows.windows(2).all(|pair| pair[0] != pair[1]), "it plays on: {elbows:?}");
    it.harness.drop_at(at);
    it.press(Key::Escape);
    let goal = it.bone("goal");
    it.app().advance(0.1);
    assert!(it.bone("goal") != goal, "it is where the animation has it");
}

#[test]
fn handles_can_be_hidden_and_are_only_where_there_are_targets() {
    let mut it = Fixture::open(|_| {});
    assert!(it.says("IK target goal"));
    it.press(Key::K);
    assert!(!it.says("IK target goal"));
    it.press(Key::K);
    assert!(it.says("IK target goal"));
    let mesh = fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/conformance/skelform/samples/synth-mesh.skf"
    ));
    let mut it = Fixture::of("mesh.skf", &mesh.expect("a fixture"), |_| {});
    assert!(!it.says("IK target"));
    it.press(Key::K);
    assert!(it.says("No bone of this file reaches for a target"));
}

// ---- What swings

/// What a fresh player shows of what the window shows.
fn replayed(it: &mut Fixture) -> Pose {
    let scene = it.app().scene().expect("a character");
    let mut pose = Pose::default();
    Dynamics::default().replay(&scene.character, &scene.cue, &mut pose);
    pose
}

#[test]
fn physics_are_shown_when_they_are_asked_for() {
    let mut it = Fixture::open(|_| {});
    it.app().state.animator.seek(6.0);
    let still = it.pose();
    assert!(it.app().scene().expect("a character").pose.is_none());
    it.press(Key::P);
    let swung = it.pose();
    assert!(swung != still && swung == replayed(&mut it));
    // Elsewhere and back: the same.
    it.app().state.animator.seek(15.0);
    let other = it.pose();
    assert!(other != swung && other == replayed(&mut it));
    it.app().state.animator.seek(6.0);
    assert!(it.pose() == swung);
    // A drag settles at once.
    let at = it.hold("IK target goal", points(-40.0, 20.0));
    it.harness.drop_at(at);
    it.harness.run_steps(1);
    assert!(it.pose() == replayed(&mut it));
    it.press(Key::Escape);
    assert!(it.pose() == swung);
    it.app().state.show_animation_by(1);
    assert!(it.pose() == replayed(&mut it), "another animation begins anew");
    it.app().state.show_animation_by(-1);
    it.app().state.animator.seek(6.0);
    it.click("Physics");
    assert!(it.pose() == still);
}

#[test]
fn physics_go_on_while_it_plays() {
    let mut it = Fixture::open(|options| {
        options.paused = false;
        options.subject.physics = true;
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
        // A frame that is held does not say for how long, but where it begins going there is the same as playing.
        if it.app().state.animator.playback(0).position().fract() < 1e-6 {
            assert!(it.pose() == replayed(&mut it), "at {}", it.app().state.animator.playback(0).position());
            whole += 1;
        }
        lag = lag.max(drawn.distance(still.world_from_bone[tail].translation));
    }
    assert!(lag > 5.0 && whole == 10, "{lag} px, {whole} whole frames");
    let mut it =
        Fixture::of("plain.skf", &fs::read(plain()).expect("a fixture"), |options| options.subject.physics = true);
    assert!(it.says("Nothing in plain.skf swings") && it.app().scene().expect("a character").pose.is_none());
    assert!(!it.says("Physics"));
}

fn plain() -> &'static str {
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/skelform/quirks/plain/input.skf")
}

#[test]
fn an_export_shows_physics_and_so_does_its_command_line() {
    let mut it = Fixture::open(|options| options.subject.physics = true);
    it.app().state.open_export();
    it.harness.run_steps(2);
    let own = it.folder.path().join("own.png");
    let export = it.app().state.export.as_mut().expect("the dialog is open");
    export.options.output.format = Some(pchr::export::Format::Apng);
    export.path = own.to_str().expect("a name").to_owned();
    export.typed_path();
    let mut options = export.wanted();
    assert!(
        options.subject.physics && options.command_line().contains(" --physics "),
        "{}",
        options.command_line()
    );
    export.start();
    let begun = Instant::now();
    while !matches!(export.stage, Stage::Ended(_)) {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not end");
        std::thread::sleep(Duration::from_millis(20));
        export.poll();
    }
    assert!(matches!(export.stage, Stage::Ended(Ended::Written(_))), "{:?}", export.stage);
    let run = |options: &pchr::export::RenderOptions| {
        let output = Command::new(env!("CARGO_BIN_EXE_pchr-view")).args(options.to_args()).output();
        let output = output.expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(options.output.path.as_ref().expect("a path")).expect("it is written")
    };
    options.output.path = Some(own.with_extension("again.png").to_str().expect("a name").to_owned());
    let bytes = fs::read(&own).expect("it is written");
    assert!(run(&options) == bytes);
    options.subject.physics = false;
    options.output.path = Some(own.with_extension("still.png").to_str().expect("a name").to_owned());
    assert!(run(&options) != bytes);
}

// ---- Styles

/// How wide what the body shows is, as it is drawn.
fn width(it: &mut Fixture) -> f32 {
    let pose = it.pose();
    let model = it.app().state.model().expect("a character");
    let (mut matrices, mut corners) = (Vec::new(), Vec::new());
    palette(model, &pose, &mut matrices);
    let mesh = model.attachment(pose.slots[0].attachment.expect("it is shown")).mesh().expect("it is drawn");
    for_each_vertex(&mesh.vertices, &matrices, |corner, _| corners.push(corner));
    corners[1].x - corners[0].x
}

#[test]
fn of_several_styles_the_first_of_the_file_goes_before() {
    let mut it = Fixture::open(|_| {});
    let names = |it: &mut Fixture| -> Vec<String> {
        let skins: Vec<SkinId> = it.app().scene().expect("a character").cue.skins;
        let model = it.app().state.model().expect("a character");
        skins.into_iter().map(|id| model.skin(id).name.to_string()).collect()
    };
    assert!(it.says("Default") && it.says("Hat") && it.says("Coat"));
    assert_eq!(width(&mut it), 40.0, "what the file wears");
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
    // On the command line the last one that is named does.
    let named = |skins: &[&str]| {
        let skins: Vec<String> = skins.iter().map(|skin| (*skin).to_owned()).collect();
        width(&mut Fixture::open(|options| options.subject.skins = skins))
    };
    assert_eq!([named(&["Hat", "Coat"]), named(&["Coat", "Hat"]), named(&["Hat", "Default"])], [30.0, 20.0, 40.0]);
}

// ---- Bones

#[test]
fn bones_and_their_names_are_marked() {
    let mut it = Fixture::open(|options| options.look.show.push(Overlay::Names));
    assert!(!it.app().scene().expect("a character").overlays.contains(Overlay::Bones));
    it.press(Key::B);
    assert!(it.app().scene().expect("a character").overlays.contains(Overlay::Bones));
    it.press(Key::N);
    assert!(!it.app().state.overlays.contains(Overlay::Names));
}
