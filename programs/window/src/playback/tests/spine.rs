//! The window with a Spine skeleton: skins, slots, events and time between frames, driven as a user would.

use std::fs;

use crate::WindowOptions;
use crate::quirks;
use crate::quirks::spine::{ATLAS, SKELETON, page};
use crate::scene::camera::Camera;
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;
use pchr::export::{Additive, Alpha};
use pchr::formats::PageAlpha;
use pchr::math::vec2;
use pchr::motion::{Forces, Position};

use crate::app::tests::harness::TestWindow;

/// Opens a window on a character with a page.
fn open(change: impl FnOnce(&mut WindowOptions)) -> TestWindow {
    let page = page();
    let files: [(&str, &[u8]); 3] =
        [("hero.json", SKELETON.as_bytes()), ("hero.atlas", ATLAS.as_bytes()), ("page.png", &page)];
    TestWindow::of([1000.0, 900.0], &files, |options| {
        options.subject.files.truncate(1);
        change(options);
    })
}

/// Opens a character without pictures.
fn bare(skeleton: &str) -> TestWindow {
    let mut it = open(|_| {});
    let path = it.path("bare.json");
    fs::write(&path, skeleton).unwrap();
    it.app().state.open(vec![path]);
    it.harness.run();
    it
}

impl TestWindow {
    /// Returns the current time in seconds, and the number of worn skins.
    fn seconds_and_skins(&mut self) -> (f64, usize) {
        let cue = self.app().scene().expect("a character").cue;
        let Position::Seconds(seconds) = cue.position else { panic!("{:?}", cue.position) };
        (seconds, cue.skins.len())
    }
}

#[test]
fn skins_are_put_on_over_each_other_and_taken_off() {
    let mut it = open(|_| {});
    assert!(it.says("SKIN") && !it.says("default"));
    let worn = |it: &mut TestWindow| it.app().state.playback.animator.skins().len();
    it.click("glove");
    assert_eq!((worn(&mut it), it.seconds_and_skins().1), (1, 1));
    it.app().state.reload();
    assert_eq!(worn(&mut it), 1, "it stays on when the file is reloaded");
    it.click("glove");
    assert_eq!((worn(&mut it), it.seconds_and_skins().1), (0, 0));
    let mut it = open(|options| options.subject.skins = vec!["glove".to_owned()]);
    assert_eq!(worn(&mut it), 1);
    let it = open(|options| options.subject.skins = vec!["mitten".to_owned()]);
    assert!(it.says("hero.json has no skin “mitten”"));
}

#[test]
fn an_export_offers_a_choice_for_additive_slots() {
    let mut it = open(|_| {});
    let open_export = |it: &mut TestWindow| {
        it.app().state.open_export();
        it.harness.run_steps(3);
    };
    open_export(&mut it);
    assert!(it.says("Background") && !it.says("Additive light"));

    let lit = SKELETON.replace(r#""attachment": "body"}"#, r#""attachment": "body", "blend": "additive"}"#);
    assert_ne!(lit, SKELETON);
    let mut it = open(|_| {});
    fs::write(it.path("lit.json"), lit).unwrap();
    fs::write(it.path("lit.atlas"), ATLAS).unwrap();
    let path = it.path("lit.json");
    it.app().state.open(vec![path]);
    it.harness.run();
    open_export(&mut it);
    assert!(it.says("Additive light"));
    // The preview shows what the file will show: only straight alpha with clipped light loses the body.
    let mut seen = |additive, alpha| {
        let export = it.app().state.export.as_mut().expect("the dialog is open");
        (export.options.look.additive, export.options.look.alpha) = (additive, alpha);
        export.options.output.format = Some(pchr::export::Format::Png);
        export.changed();
        it.wait_for_preview();
        let export = it.app().state.export.as_mut().expect("the dialog is open");
        let picture = export.previewer.answer().expect("a preview").picture;
        let pixels = picture.pixels().as_chunks::<4>().0;
        let light = pixels.iter().filter(|pixel| pixel[..3].iter().any(|&channel| channel > pixel[3])).count();
        let covered = pixels.iter().filter(|pixel| pixel[3] > 0).count();
        (light, covered, export.wanted().command_line())
    };
    let (light, kept, line) = seen(Additive::Keep, Alpha::Straight);
    assert!(light == 0 && !line.contains("--additive"), "{light}: {line}");
    let (light, covered, line) = seen(Additive::Pure, Alpha::Straight);
    assert!(light == 0 && covered < kept && line.contains("--additive pure"), "{light} {covered}: {line}");
    let (light, _, line) = seen(Additive::Pure, Alpha::Premultiplied);
    assert!(light > 0 && !line.contains("--additive"), "{light}: {line}");
}

#[test]
fn premultiplied_pages_are_detected_and_can_be_overridden() {
    let mut it = open(|_| {});
    let is_premultiplied =
        |it: &mut TestWindow| it.app().state.model().expect("a character").pages()[0].is_premultiplied;
    assert!(!is_premultiplied(&mut it));
    fs::write(it.path("page.png"), quirks::spine::premultiplied()).unwrap();
    fs::write(it.path("hero.atlas"), ATLAS.replace("size: 4, 4", "size: 32, 32")).unwrap();
    it.app().state.reload();
    it.app().state.playback.animator.seek(7.0);
    it.click("glove");
    it.app().state.look(|camera, view| camera.stepped(view, true));
    assert!(is_premultiplied(&mut it));
    assert!(!it.says("Warnings"), "a choice is not a warning");
    let place = |it: &mut TestWindow| {
        let state = &it.app().state;
        (
            state.playback.animator.playback(0).animation(),
            state.playback.animator.playback(0).position(),
            state.playback.animator.skins().to_vec(),
            state.canvas.camera,
        )
    };
    let before = place(&mut it);
    assert_eq!((before.1, before.2.len()), (7.0, 1));
    assert_ne!(before.3, Camera::Fit);
    for (choice, expected) in
        [("Straight", false), ("Premultiplied", true), ("Straight", false), ("Automatic", true)]
    {
        let is_alpha = |label: String| label.starts_with("Alpha");
        it.harness.get_by(|node| node.role() == Role::ComboBox && node.label().is_some_and(is_alpha)).click();
        it.harness.run();
        it.click(choice);
        assert_eq!(is_premultiplied(&mut it), expected, "{choice}");
        assert_eq!(place(&mut it), before, "{choice}");
    }
    // Files opened later and exports are read in the same way.
    it.app().state.set_page_alpha(PageAlpha::Straight);
    let path = it.path("hero.json");
    it.app().state.open(vec![path]);
    assert!(!is_premultiplied(&mut it));
    assert_eq!(it.app().state.files.read.page_alpha, PageAlpha::Straight);
}

#[test]
fn the_only_skin_is_worn_and_can_be_taken_off() {
    let mut json: serde_json::Value = serde_json::from_str(SKELETON).unwrap();
    json["skins"][0]["name"] = "only".into();
    json["skins"][0]["attachments"]["arm"]["sleeve"]["skin"] = "only".into();
    json["skins"].as_array_mut().unwrap().truncate(1);
    json["animations"] = serde_json::json!({});
    let mut it = bare(&json.to_string());
    let worn = |it: &mut TestWindow| it.app().state.playback.animator.skins().len();
    assert_eq!((worn(&mut it), it.says("Nothing is visible without a skin")), (1, false));
    it.click("only");
    assert_eq!(worn(&mut it), 0);
    // It stays off after a reload and in an export.
    it.app().state.reload();
    assert_eq!(worn(&mut it), 0);
    it.app().state.open_export();
    let line = it.app().state.export.as_ref().expect("the dialog").wanted().command_line();
    assert!(line.contains("--skin none"), "{line}");
    let path = it.path("bare.json");
    let bare = open(|options| {
        options.subject.files = vec![path];
        options.subject.skins = vec!["none".to_owned()];
    });
    assert!(!bare.says("has no skin"));
    assert_eq!(bare.harness.state().state.playback.animator.skins().len(), 0);
}

#[test]
fn slots_are_listed_front_to_back() {
    let mut it = open(|_| {});
    assert!(!it.says("cut"));
    it.click("SLOTS (4)");
    it.harness.run();
    let rows: Vec<f32> = ["way", "cut", "body"]
        .map(|slot| it.harness.get_all_by_label(slot).next().expect(slot).rect().top())
        .into();
    assert!(rows.is_sorted(), "the frontmost slot comes first: {rows:?}");
}

#[test]
fn events_are_marked_and_shown_when_they_fire() {
    let mut it = open(|options| options.paused = false);
    assert!(it.says("Event at 0.50 s: step, 1"));
    assert!(!it.says("Event: step"));
    it.app().advance(0.45);
    it.harness.run_steps(1);
    assert!(!it.says("Event: step"));
    it.app().advance(0.1);
    it.harness.run_steps(1);
    assert!(it.says("Event: step, 1"));
    // Once per iteration.
    it.app().state.playback.fired.clear();
    it.app().advance(0.3);
    assert!(it.app().state.playback.fired.is_empty());
    it.app().advance(0.9);
    assert_eq!(it.app().state.playback.fired.len(), 1);
}

#[test]
fn an_event_between_frames_fires_once_across_a_pause() {
    // At frame 15.6.
    let later = SKELETON.replace(r#"{"time": 0.5, "name": "step"}"#, r#"{"time": 0.52, "name": "step"}"#);
    assert_ne!(later, SKELETON);
    let mut it = bare(&later);
    it.key(Key::Space);
    it.app().advance(0.53);
    assert_eq!(it.state().mixer.log.len(), 1);
    it.key(Key::Space);
    assert_eq!(it.state().playback.animator.playback(0).position(), 15.0, "a pause is at a frame");
    it.key(Key::Space);
    it.app().advance(0.1);
    assert_eq!(it.state().mixer.log.len(), 1, "it is not fired again");
    // From a frame that the user has chosen, events fire as usual.
    it.key(Key::Space);
    it.app().state.playback.animator.seek(15.0);
    it.key(Key::Space);
    it.app().advance(0.1);
    assert_eq!(it.state().mixer.log.len(), 2);
}

#[test]
fn events_are_only_in_the_log_if_it_is_shown_or_the_window_is_small() {
    for (size, has_log, is_shown) in
        [([1000.0, 700.0], false, true), ([1000.0, 700.0], true, false), ([640.0, 420.0], false, false)]
    {
        let mut it = open(|options| options.paused = false);
        it.harness.set_size(size.into());
        if has_log {
            it.app().state.toggle_event_log();
        }
        it.harness.run_steps(3);
        it.app().advance(0.55);
        it.harness.run_steps(1);
        assert_eq!(it.says("Event: step, 1"), is_shown, "{size:?}, {has_log}");
        assert_eq!(it.state().mixer.log.len(), 1, "the log has it");
    }
}

#[test]
fn keyed_motion_plays_between_frames_and_to_its_end() {
    let mut it = open(|options| options.paused = false);
    it.app().advance(0.51);
    let (seconds, _) = it.seconds_and_skins();
    assert!((seconds - 0.51).abs() < 1e-9, "{seconds}");
    assert!(it.says("/ 1.00 s") && !it.says("Interpolate"));
    it.app().advance(0.6);
    let (seconds, _) = it.seconds_and_skins();
    assert!((seconds - 0.11).abs() < 1e-9, "it restarts: {seconds}");
    it.app().state.playback.animator.set_loop_mode(pchr::player::LoopMode::Once);
    it.app().advance(5.0);
    let cue = it.app().scene().expect("a character").cue;
    assert_eq!((cue.position, cue.hold), (Position::Seconds(1.0), true), "it stops at its end");
}

#[test]
fn files_beside_the_skeleton_are_watched() {
    let mut it = open(|_| {});
    let sidecars = |it: &mut TestWindow| it.app().state.documents()[0].sidecars().to_vec();
    let files = sidecars(&mut it);
    assert!(files.contains(&it.path("hero.atlas")) && files.contains(&it.path("page.png")), "{files:?}");
    let pages = |it: &mut TestWindow| it.app().state.model().expect("a character").pages().len();
    let page = it.path("page.png");
    fs::remove_file(&page).unwrap();
    it.app().state.files_changed(&|file| file == page);
    assert_eq!(pages(&mut it), 0);
    fs::write(&page, quirks::spine::page()).unwrap();
    it.app().state.files_changed(&|file| file.ends_with("nothing.png"));
    assert_eq!(pages(&mut it), 0);
    it.app().state.files_changed(&|file| file == page);
    assert_eq!(pages(&mut it), 1);
}

#[test]
fn an_atlas_under_another_name_is_reported_and_watched() {
    let mut it = open(|_| {});
    assert!(!it.says("the atlas is"));
    let (path, atlas) = (it.path("other.json"), it.path("other.atlas.txt"));
    fs::write(&path, SKELETON).unwrap();
    fs::write(&atlas, ATLAS).unwrap();
    it.app().state.open(vec![path]);
    it.harness.run();
    assert!(it.says("the atlas is `other.atlas.txt`") && !it.says("Warnings"));
    let watched = it.app().state.documents().iter().any(|document| document.sidecars().contains(&atlas));
    assert!(watched);
}

/// Two bones that reach for a third.
const REACHING: &str = r#"{
  "skeleton": {"spine": "3.8.99"},
  "bones": [
    {"name": "root"},
    {"name": "arm", "parent": "root", "length": 60},
    {"name": "hand", "parent": "arm", "x": 60, "length": 60},
    {"name": "goal", "parent": "root", "x": 60, "y": 60}
  ],
  "ik": [{"name": "reach", "bones": ["arm", "hand"], "target": "goal"}],
  "skins": [{"name": "default"}],
  "animations": {"lift": {"bones": {"goal": {"translate": [{}, {"time": 1, "y": 20}]}}}}
}"#;

#[test]
fn an_ik_target_is_dragged() {
    let mut it = bare(REACHING);
    let bones = |it: &mut TestWindow| {
        let (_, pose) = it.app().state.posed().expect("a character");
        pose.world_from_bone.clone()
    };
    let before = bones(&mut it);
    let from = it.harness.get_by_label("IK target goal").rect().center();
    let to = from + egui::vec2(-40.0, 25.0);
    let view = it.app().state.view().expect("a view");
    it.harness.drag_at(from);
    it.harness.run_steps(1);
    it.harness.hover_at(to);
    it.harness.run_steps(1);
    it.harness.drop_at(to);
    it.harness.run();
    let after = bones(&mut it);
    let scale = it.harness.ctx.pixels_per_point() / view.scale();
    let wanted = before[3].translation + pchr::math::vec2(-40.0, -25.0) * scale;
    // Handles are at the positions of bones, rounded to pixels.
    assert!(after[3].translation.distance(wanted) < 1.01, "{} is not {wanted}", after[3].translation);
    let tip = after[2].transform_point2(pchr::math::vec2(60.0, 0.0));
    assert!(tip.distance(after[3].translation) < 0.01, "{tip} has not reached {}", after[3].translation);
    assert_eq!(it.app().state.canvas.camera, crate::scene::camera::Camera::Fit);
    it.harness.key_press(egui::Key::Escape);
    it.harness.run();
    assert!(bones(&mut it) == before);
}

#[test]
fn physics_is_on_until_p_turns_it_off() {
    let lamp = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/paper-lamp-4.2.json");
    let mut it = open(|options| {
        options.no_watch = true;
        options.subject.files = vec![lamp.into()];
    });
    let swings = |it: &mut TestWindow| it.app().scene().expect("a character").pose.is_some();
    assert!(it.says("Physics") && it.app().state.playback.physics.is_none() && swings(&mut it));
    // A jump shows what an export of that instant shows.
    it.app().state.playback.animator.seek(12.0);
    let scene = it.app().scene().expect("a character");
    let mut replayed = pchr::pose::Pose::default();
    pchr::motion::Dynamics::default().replay(&scene.character, &scene.cue, &mut replayed);
    assert!(*scene.pose.expect("a pose with physics") == replayed);
    it.harness.key_press(egui::Key::P);
    it.harness.run();
    assert!(!swings(&mut it) && it.app().state.playback.physics == Some(false));
    it.app().state.open_export();
    let export = it.app().state.export.as_ref().expect("the dialog is open");
    assert!(export.wanted().command_line().contains("--physics=off"), "{}", export.wanted().command_line());
    it.app().state.close_export();
    it.harness.key_press(egui::Key::P);
    it.harness.run();
    assert!(swings(&mut it) && it.app().state.playback.physics.is_none(), "the default is no choice");
    it.app().state.open_export();
    let export = it.app().state.export.as_ref().expect("the dialog is open");
    assert!(!export.wanted().command_line().contains("--physics"), "{}", export.wanted().command_line());
}

/// Opens the lamp, whose cord swings. It plays.
fn swinging() -> TestWindow {
    open(|options| {
        options.paused = false;
        options.subject.files =
            vec![concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/paper-lamp-4.2.json").into()];
    })
}

#[test]
fn the_menu_of_physics_changes_what_is_shown_and_exported() {
    let mut it = swinging();
    it.click("Physics settings");
    it.harness.run_steps(2);
    assert!(it.says("it swings") && !it.says("SkelForm"));
    it.save("physics-menu");
    let mix = it.harness.get_by_role_and_label(Role::Slider, "Mix");
    mix.focus();
    it.harness.run_steps(2);
    (0..40).for_each(|_| it.harness.key_press(Key::ArrowLeft));
    it.harness.run_steps(3);
    let forces = it.state().playback.animator.forces();
    assert!(forces.mix < 0.9, "{forces:?}");
    let forces = Forces { wind: vec2(3.0, 0.5), gravity: vec2(0.0, 0.25), mix: 0.5 };
    it.app().state.playback.animator.set_forces(forces);
    it.app().state.open_export();
    let line = it.app().state.export.as_ref().expect("the dialog is open").wanted().command_line();
    assert!(line.contains("--wind '3,0.5' --gravity 0.25 --physics-mix 0.5"), "{line}");
    it.app().state.close_export();
    it.harness.run_steps(2);
    it.click("Reset");
    it.harness.run_steps(2);
    assert_eq!(it.state().playback.animator.forces(), Forces::default());
    let opened = open(|options| options.subject.wind = vec2(2.0, 1.0));
    assert_eq!(opened.state().playback.animator.forces().wind, vec2(2.0, 1.0));
}

#[test]
fn a_dragged_character_swings() {
    // The direction of the cord after a drag that begins at `offset` from the middle of the lamp.
    let swung = |offset: egui::Vec2, is_paused: bool| {
        let mut it = swinging();
        it.let_seconds_pass(0.1);
        let canvas = it.harness.get_by_role(Role::Image).rect();
        let view = it.app().state.view().expect("a character");
        let content = it.app().state.content().expect("a character");
        let pixel = view.pixel_from_world((content.min + content.max) * 0.5);
        let from = canvas.min + egui::vec2(pixel.x, pixel.y) + offset;
        it.app().state.playback.animator.set_playing(!is_paused);
        it.harness.hover_at(from);
        it.harness.run_steps(1);
        it.harness.drag_at(from);
        it.harness.run_steps(1);
        for step in 1..=6_u8 {
            it.harness.hover_at(from + egui::vec2(f32::from(step) * 20.0, 0.0));
            it.harness.run_steps(1);
            it.app().advance(1.0 / 60.0);
        }
        it.harness.drop_at(from + egui::vec2(120.0, 0.0));
        it.harness.run_steps(1);
        assert_ne!(it.state().canvas.camera, Camera::Fit, "the view is panned");
        let cord = it.state().playback.model().expect("a lamp").skeleton().find("cord").expect("the cord").index();
        let axis = it.app().state.playback.posed().expect("a lamp").1.world_from_bone[cord].matrix2.x_axis;
        axis.normalize()
    };
    let (calm, shaken) = (swung(egui::vec2(-250.0, 0.0), false), swung(egui::Vec2::ZERO, false));
    // By more than five degrees.
    assert!(calm.dot(shaken) < 0.996, "{calm} and {shaken}");
    let paused = (swung(egui::vec2(-250.0, 0.0), true), swung(egui::Vec2::ZERO, true));
    assert_eq!(paused.0, paused.1, "time stands still");
}

#[test]
fn long_names_of_events_take_one_line_each() {
    let long = "a very long name of an event ".repeat(12);
    let skeleton = SKELETON.replace("\"step\"", &format!("{long:?}"));
    let mut it =
        TestWindow::of([900.0, 700.0], &[("rig.json", skeleton.as_bytes())], |options| options.paused = false);
    for secs in [0.6, 1.0, 1.0] {
        it.app().advance(secs);
    }
    it.harness.run_steps(1);
    let lines = it.harness.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        egui::Shape::Text(text) if text.galley.text().starts_with("Event: a very") => {
            Some((text.galley.rows.len(), text.galley.size().x))
        }
        _ => None,
    });
    let lines: Vec<(usize, f32)> = lines.collect();
    assert!(!lines.is_empty() && lines.iter().all(|(rows, width)| *rows == 1 && *width < 900.0), "{lines:?}");
}
