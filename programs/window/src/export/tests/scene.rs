//! What the window shows is what is exported: tracks, fades, moved bones, hidden parts, skins and the camera.

use crate::WindowOptions;
use crate::app::state::State;
use crate::app::tests::harness::{TestWindow, paused};
use crate::export::tests::dialog_harness::Dialog;
use crate::export::{Ended, Frames, Which};
use crate::scene::camera::Camera;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;
use pchr::draw::View;
use pchr::export::{Fit, Format, Size};
use pchr::math::{Vec2, vec2};
use pchr::motion::evaluate;
use pchr::pose::Pose;

const SIZE: [f32; 2] = [1100.0, 800.0];

/// Lets time pass in small steps, as a window does.
fn pass(state: &mut State, secs: f64) {
    let animator = &mut state.playback.animator;
    animator.set_playing(true);
    (0..(secs * 100.0).round() as u32).for_each(|_| _ = animator.update(0.01));
    animator.set_playing(false);
}

/// The lamp hops halfway on track 1, fades from idle to hop on track 0, and looks at a moved target.
fn mixed(state: &mut State) {
    pass(state, 0.1);
    let animator = &mut state.playback.animator;
    animator.set_physics(false);
    animator.play_on(1, "hop").unwrap().set_weight(0.5).set_additive(true).seek_secs(0.2);
    pass(state, 0.2);
    state.playback.animator.play("hop").unwrap().set_fade(0.5);
    pass(state, 0.15);
    state.playback.animator.move_bone("mouse", vec2(90.0, 260.0)).unwrap();
    state.playback.animator.refresh();
    state.playback.physics = Some(false);
}

/// Compares the bones of the window's pose with those of the first exported picture.
#[track_caller]
fn assert_same_pose(it: &mut Dialog) {
    let shown = it.desk.state_mut().playback.animator.pose().clone();
    let character = it.desk.state_mut().playback.animator.character().clone();
    let (options, animations) = (it.export().wanted(), it.export().animations());
    let skins = it.desk.state_mut().playback.animator.skins().to_vec();
    let plan = options.plan(&character, &animations, &skins).expect("a plan");
    let mut pose = Pose::default();
    evaluate(&character, &plan.pictures[0].cue, &mut pose);
    assert_near(&shown, &pose, &options.command_line());
}

#[track_caller]
fn assert_near(a: &Pose, b: &Pose, what: &str) {
    let far = |(a, b): (&pchr::math::Affine2, &pchr::math::Affine2)| {
        let ends = [Vec2::ZERO, vec2(50.0, 0.0)].map(|at| a.transform_point2(at).distance(b.transform_point2(at)));
        ends[0].max(ends[1])
    };
    let most = a.world_from_bone.iter().zip(&b.world_from_bone).map(far).fold(0.0, f32::max);
    assert!(most < 0.05, "a bone is {most} px away in {what}");
}

/// Opens the lamp of `it` in another window, with what `change` makes of its export.
fn reopened(it: &mut Dialog, change: impl FnOnce(&mut WindowOptions)) -> TestWindow {
    let mut options = paused();
    options.subject = it.export().wanted().subject;
    change(&mut options);
    TestWindow::new(SIZE, tempfile::tempdir().unwrap(), &options)
}

#[test]
fn a_window_opens_with_an_exported_scene() {
    let mut it = Dialog::of_lamp_as(SIZE, mixed);
    it.choose("Format", "PNG, one file per frame");
    it.choose("Frames", "Current frame");
    let mut again = reopened(&mut it, |_| {});
    let shown = it.desk.state_mut().playback.animator.pose().clone();
    assert_near(&shown, again.state_mut().playback.animator.pose(), "another window");
    assert!(again.state().mixer.is_shown, "the tracks can be seen");
    let mut dark = reopened(&mut it, |options| options.subject.attachments = vec!["bulb=".parse().unwrap()]);
    let bulb = dark.state().model().unwrap().find_slot("bulb").unwrap();
    assert_eq!(dark.state_mut().playback.animator.pose().slots[bulb.index()].attachment, None);
    let unknown = reopened(&mut it, |options| options.subject.bones[0].bone = "house".to_owned());
    assert!(unknown.says("house"), "an unknown name is an error");
}

#[test]
fn a_track_of_a_scene_begins_later() {
    let mut it = Dialog::of_lamp_as(SIZE, |_| {});
    let mut again = reopened(&mut it, |options| {
        options.subject.tracks = vec!["1=hop@0.3".parse().unwrap()];
        options.paused = false;
    });
    let on_track = |it: &TestWindow| it.state().playback.animator.playback(1).animation().is_some();
    again.app().advance(0.2);
    assert!(!on_track(&again));
    again.app().advance(0.2);
    assert!(on_track(&again));
    // Another animation has no such tracks.
    let mut again = reopened(&mut it, |options| options.subject.tracks = vec!["1=hop@0.3".parse().unwrap()]);
    again.key(egui::Key::PageDown);
    again.key(egui::Key::Space);
    again.app().advance(0.4);
    assert!(!on_track(&again));
}

#[test]
fn a_mix_is_exported_as_it_is_shown() {
    for format in [Format::Png, Format::Gif, Format::Sheet] {
        let mut it = Dialog::of_lamp_as(SIZE, mixed);
        it.set(|export| {
            export.options.output.format = Some(format);
            export.options.look.size = Size::Height(90);
            export.frames = Frames::Shown;
        });
        assert_same_pose(&mut it);
        let alone = {
            it.set(|export| export.shown.with_tracks = false);
            assert!(matches!(it.write(), Ended::Written(_)));
            it.command_line_files()
        };
        it.set(|export| export.shown.with_tracks = true);
        let line = it.copied().replace('\'', "");
        for part in ["--track 0=idle@", "--track 0=hop@0,fade=0.5", "--track 1=hop@", "--bone mouse=90,260"] {
            assert!(line.contains(part), "{part} in {line}");
        }
        assert!(matches!(it.write(), Ended::Exists { .. } | Ended::Written(_)));
        for name in it.files().keys() {
            std::fs::remove_file(it.path(name)).expect("it goes");
        }
        it.set(|export| export.frames = Frames::All);
        assert!(matches!(it.write(), Ended::Written(_)), "{:?}", it.export().phase);
        let files = it.files();
        assert!(!files.is_empty() && files != alone, "{format:?}");
        assert_eq!(it.command_line_files(), files, "{format:?}");
    }
}

#[test]
fn an_end_and_a_range_are_exported() {
    let mut it = Dialog::of_lamp_as(SIZE, |state| {
        pass(state, 0.5);
        let animator = &mut state.playback.animator;
        animator.set_physics(false);
        let settings = "loop=loop,end=1.5,range=0.2..0.6,hold".parse().unwrap();
        animator.play_on(1, "hop").unwrap().apply(&settings);
        pass(state, 1.1);
        state.playback.animator.refresh();
        state.playback.physics = Some(false);
    });
    it.choose("Format", "PNG, one file per frame");
    it.choose("Frames", "Current frame");
    assert_same_pose(&mut it);
    // The export plays it half a second longer, from the first frame on.
    let line = it.copied();
    assert!(line.contains(",loop=loop,end=2,range=0.2..0.6,hold"), "{line}");
}

#[test]
fn without_a_mix_nothing_is_added() {
    let mut it = Dialog::of_lamp();
    let line = it.copied();
    assert!(!line.contains("--track") && !line.contains("--bone"), "{line}");
    for name in ["Tracks", "Moved bones"] {
        assert!(it.harness.query_by_role_and_label(Role::CheckBox, name).is_none(), "{name}");
    }
}

#[test]
fn choices_leave_tracks_and_bones_out() {
    let mut it = Dialog::of_lamp_as(SIZE, mixed);
    for (name, part) in [("Tracks", "--track"), ("Moved bones", "--bone")] {
        assert!(it.copied().contains(part));
        it.harness.get_by_role_and_label(Role::CheckBox, name).click();
        it.harness.run();
        assert!(!it.copied().contains(part), "{name}");
    }
}

#[test]
fn a_tracks_phase_is_the_one_that_is_shown() {
    let change = |state: &mut State| {
        state.playback.physics = Some(false);
        state.playback.animator.set_physics(false);
        state.playback.animator.seek(5.0);
        state.playback.animator.play_on(3, "idle").unwrap().set_weight(0.25).set_speed(-1.0).seek_secs(0.4);
        state.playback.animator.refresh();
    };
    let mut it = Dialog::of_lamp_as(SIZE, change);
    it.set(|export| export.frames = Frames::Shown);
    assert!(it.copied().contains("speed=-1"));
    assert_same_pose(&mut it);
    // Another animation has its own start.
    it.set(|export| export.which = Which::All);
    assert!(it.copied().replace('\'', "").contains("--track 3=idle@0"));
}

#[test]
fn an_instant_between_frames_is_exported() {
    let mut it = Dialog::of_lamp_as(SIZE, |state| {
        state.playback.physics = Some(false);
        state.playback.animator.set_physics(false);
        state.playback.animator.seek(3.4);
        state.playback.animator.refresh();
    });
    it.set(|export| export.frames = Frames::Shown);
    assert!(it.copied().contains(" -t 0."), "{}", it.copied());
    assert_same_pose(&mut it);
}

#[test]
fn the_camera_is_exported() {
    let camera = Camera::Free { center: vec2(13.0, 120.0), scale: 1.7 };
    let mut it = Dialog::of_lamp_as(SIZE, |state| state.canvas.camera = camera);
    it.choose("Area", "As in the window");
    let view: View = it.desk.state_mut().view().expect("a view");
    let export = it.export();
    assert_eq!(export.options.look.size, Size::Exact(view.width(), view.height()));
    assert!(matches!(export.options.look.fit, Fit::Rect(_)));
    it.choose("Format", "PNG, one file per frame");
    it.choose("Frames", "Current frame");
    let options = it.export().wanted();
    let animations = it.export().animations();
    let character = it.desk.state_mut().playback.animator.character().clone();
    let plan = options.plan(&character, &animations, &[]).expect("a plan");
    let off = plan.view.pixel_from_world(vec2(13.0, 120.0)) - view.pixel_from_world(vec2(13.0, 120.0));
    assert!(off.length() < 0.01 && (plan.view.scale() / view.scale() - 1.0).abs() < 1e-4, "{off}");
    assert!(matches!(it.write(), Ended::Written(_)));
    let files = it.files();
    assert_eq!(it.command_line_files(), files);
}

#[test]
fn a_scene_in_a_file_gives_the_same_bytes() {
    let mut it = Dialog::of_lamp_as(SIZE, |state| {
        mixed(state);
        for slot in ["bulb", "base", "upper"] {
            let slot = state.model().and_then(|model| model.find_slot(slot));
            slot.into_iter()
                .for_each(|slot| std::sync::Arc::make_mut(&mut state.parts.hidden).set_hidden(slot, true));
        }
        let bones = ["upper", "lower"].map(|name| state.model().and_then(|model| model.skeleton().find(name)));
        for bone in bones.into_iter().flatten() {
            let turned = pchr::motion::BoneOverride {
                rotation_radians: Some(0.25),
                ..pchr::motion::BoneOverride::new(bone)
            };
            state.playback.animator.override_bone(turned);
        }
    });
    it.set(|export| export.options.look.size = Size::Height(80));
    let wanted = it.export().wanted();
    assert!(wanted.subject.hidden_meshes.len() + wanted.subject.bones.len() + wanted.subject.tracks.len() > 6);
    assert!(it.files().is_empty(), "nothing is written before it is copied");
    let line = it.copied();
    assert!(line.contains("--scene") && !line.contains("--track") && !line.contains("--bone"), "{line}");
    let scene = it.files().remove("my lamp.scene.toml").expect("the scene is beside the export");
    let text = String::from_utf8(scene).expect("text");
    assert!(text.contains("1=hop@0") && text.contains("upper=") && text.contains("hide-mesh = ["), "{text}");
    for format in [Format::Gif, Format::Sheet, Format::Png] {
        it.set(|export| export.options.output.format = Some(format));
        let Ended::Written(written) = it.write() else { panic!("{:?}", it.export().phase) };
        let line = it.copied();
        let files: Vec<_> = written.files.iter().map(|file| std::fs::read(file).expect("it is written")).collect();
        written.files.iter().for_each(|file| std::fs::remove_file(file).expect("it goes"));
        it.run_line(&line);
        let again: Vec<_> = written.files.iter().map(|file| std::fs::read(file).expect("it is written")).collect();
        assert!(files == again, "{format:?}");
    }
    // The same scene is not written twice, and another file in its place stays: PNGs state their frames.
    let scenes = |it: &Dialog| it.files().keys().filter(|name| name.ends_with(".toml")).count();
    assert_eq!(scenes(&it), 2);
    it.set(|export| export.options.output.format = Some(Format::Gif));
    it.copied();
    assert_eq!(scenes(&it), 2);
    it.set(|export| export.shown.bones.truncate(2));
    it.copied();
    assert_eq!(scenes(&it), 3);
}

#[test]
fn a_low_window_folds_the_preview_below_its_extent() {
    let mut it = Dialog::open([640.0, 480.0]);
    it.settle();
    let preview =
        |it: &Dialog| it.harness.query_by_role_and_label(Role::Image, "Preview").map(|image| image.rect());
    assert_eq!(preview(&it), None);
    assert!(it.says("24 frames · "), "what is written is said all the same");
    it.harness.get_by_label("Preview").click();
    it.harness.run();
    assert!(preview(&it).is_some_and(|rect| rect.height() > 60.0));
    let mut it = Dialog::open([1100.0, 800.0]);
    it.settle();
    assert!(preview(&it).is_some());
}
