//! What the timeline says about several tracks, and physics on several tracks.

use std::sync::Arc;

use crate::app::state::State;
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use pchr::Animator;
use pchr::motion::evaluate;
use pchr::player::LoopMode;
use pchr::pose::Pose;

use crate::app::tests::harness::TestWindow;

fn state(it: &mut TestWindow) -> &mut State {
    &mut it.harness.state_mut().state
}

#[test]
fn the_timeline_says_which_track_it_shows_once_there_are_several() {
    let mut it = TestWindow::open([1200.0, 800.0], &["paper-lamp.json"]);
    it.press(Modifiers::NONE, Key::M);
    assert!(!it.says("Timeline of track"), "there is one");
    let add = it.harness.get_by_role_and_label(Role::Button, "Add track").rect().center();
    it.click_at(add);
    assert!(it.says("Timeline of track 0: idle"));
    it.save("timeline-of-track");
    it.press(Modifiers::NONE, Key::D);
    assert!(it.says("Timeline of track 0: idle"), "above the dopesheet too");
    it.press(Modifiers::NONE, Key::PageDown);
    assert!(it.says("Timeline of track 0: hop"));
    state(&mut it).clear_track(0);
    state(&mut it).advance(1.0);
    it.harness.run();
    assert!(it.says("Timeline of track 0: nothing"));
    state(&mut it).remove_track(1);
    it.harness.run();
    assert!(!it.says("Timeline of track"));
}

// ---- Physics

/// What is played on two tracks of a character with physics, here and in an animator with the same calls.
struct Pair {
    it: TestWindow,
    reference: Animator,
}

impl Pair {
    fn play() -> Self {
        let file = "paper-lamp-4.2.json";
        let mut it = TestWindow::open([900.0, 640.0], &[file]);
        let mut reference = Animator::open(it.folder.path().join(file)).unwrap();
        let shown = &mut it.harness.state_mut().state;
        assert!(shown.playback.plays_physics());
        shown.add_track();
        let [idle, hop] = ["idle", "hop"].map(|name| shown.model().unwrap().find_animation(name).unwrap());
        shown.play_on_track(1, hop);
        shown.playback.animator.playback_mut(1).unwrap().set_weight(0.5).set_loop_mode(LoopMode::Loop);
        let skins = shown.playback.animator.skins().to_vec();
        shown.playback.animator.set_playing(true);
        reference.set_skins(skins).unwrap();
        reference.set_physics(true);
        reference.set_fade_secs(shown.playback.animator.fade_secs());
        reference.show(Some(idle));
        // The window has shown its first frame.
        reference.refresh();
        reference.play_on(1, hop).unwrap().set_weight(0.5).set_loop_mode(LoopMode::Loop);
        Self { it, reference }
    }

    /// Lets time pass for both, and returns the pose that the window draws.
    #[track_caller]
    fn pass(&mut self, secs: f64) -> Arc<Pose> {
        self.it.harness.state_mut().advance(secs);
        self.it.harness.run_steps(1);
        self.reference.update(secs);
        let scene = self.it.harness.state_mut().scene().expect("a character");
        assert_eq!(scene.cue, *self.reference.cue());
        let pose = scene.pose.expect("it depends on earlier instants");
        assert!(*pose == *self.reference.pose(), "the animator shows something else");
        pose
    }
}

#[test]
fn physics_on_two_tracks_moves_and_is_that_of_an_animator() {
    /// Steps as a display makes them, with some long ones.
    const STEPS: [f64; 6] = [1.0 / 60.0, 1.0 / 60.0, 0.04, 0.1, 1.0 / 144.0, 0.25];
    let run = || {
        let mut pair = Pair::play();
        let poses: Vec<Arc<Pose>> = (0..48).map(|step| pair.pass(STEPS[step % STEPS.len()])).collect();
        (poses, pair)
    };
    let (first, mut pair) = run();
    let (second, _) = run();
    assert!(first.iter().zip(&second).all(|(first, second)| **first == **second), "it is deterministic");
    // Physics makes a difference, and goes on while time passes.
    let character = Arc::clone(pair.it.state().playback.animator.character());
    let mut off = 0.0_f32;
    for _ in 0..30 {
        let pose = pair.pass(1.0 / 60.0);
        let mut still = Pose::default();
        evaluate(&character, pair.it.state().playback.animator.cue(), &mut still);
        let bones = pose.world_from_bone.iter().zip(&still.world_from_bone);
        off =
            bones.map(|(swung, still)| (swung.matrix2.x_axis - still.matrix2.x_axis).length()).fold(off, f32::max);
    }
    assert!(off > 0.01, "{off}: no bone swings");
    // While paused, it stands still.
    state(&mut pair.it).playback.animator.set_playing(false);
    let before = state(&mut pair.it).scene().unwrap().pose.unwrap();
    state(&mut pair.it).advance(0.5);
    assert!(*state(&mut pair.it).scene().unwrap().pose.unwrap() == *before);
}
