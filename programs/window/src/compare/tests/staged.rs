//! Size, direction, order and tint of the characters on a stage: drawn, changed and saved.

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect};
use egui_kittest::kittest::{NodeT, Queryable};

use super::{Square, TestWindow};
use crate::app::tests::harness::{folder_of, paused, run_program};
use crate::export::Staged;
use crate::scene::background::Background;
use crate::scene::selection::Selected;
use crate::widgets::actions::{Dialog, Request};
use crate::widgets::command::Command;
use pchr::export::StagedCharacter;
use pchr::formats::image::encode_png;
use pchr::math::{Vec2, vec2};
use pchr::motion::Forces;

const SIZE: [f32; 2] = [1000.0, 600.0];
const BEHIND: [u8; 3] = [90, 90, 90];
const RED: [u8; 3] = [200, 80, 40];
const GREEN: [u8; 3] = [40, 160, 80];

/// Opens a red, a green and a blue square on one stage; each is beside its origin.
fn stage() -> TestWindow {
    let bytes = |color| Square { color, step: 30.0, ..Square::default() }.bytes();
    let files = [("a.pchr", bytes(RED)), ("b.pchr", bytes(GREEN)), ("c.pchr", bytes([40, 80, 200]))];
    let mut it = TestWindow::of(SIZE, &files.each_ref().map(|(name, bytes)| (*name, &bytes[..])), |_| {});
    it.state_mut().overlays.background = Background::Color(BEHIND);
    it.state_mut().playback.animator.seek(2.0);
    it.key(Key::J);
    it
}

/// Moves the characters and changes how they stand.
fn restage(it: &mut TestWindow, changes: [(Vec2, StagedCharacter); 3]) {
    let specs = it.state_mut().staged().expect("a stage").subject.stage;
    let changed = specs.into_iter().zip(changes).map(|(spec, (position, changed))| StagedCharacter {
        file: spec.file,
        animation: spec.animation,
        position: Some(position),
        ..changed
    });
    let changed: Vec<_> = changed.collect();
    it.state_mut().stage(&changed);
    it.harness.run();
}

fn overlapping() -> [(Vec2, StagedCharacter); 3] {
    let plain = StagedCharacter::default;
    [
        (vec2(0.0, 0.0), StagedCharacter { scale: 1.5, flip_x: true, order: 1, ..plain() }),
        (vec2(-60.0, 50.0), StagedCharacter { scale: 0.5, tint: [255, 128, 255, 160], order: 2, ..plain() }),
        (vec2(20.0, -30.0), StagedCharacter { scale: 2.0, flip_y: true, ..plain() }),
    ]
}

/// Returns the share of the pixels of the canvas that differ by more than rounding from the picture that is saved.
fn difference(it: &mut TestWindow) -> f32 {
    let painting = it.painted();
    let saved = it.state_mut().screenshot().expect("a picture");
    let [left, top] = it.state().canvas.corner.map(|side| side as usize);
    let width = saved.width() as usize;
    let is_other = |(index, pixel): &(usize, &[u8])| {
        let shown = painting.at(left + index % width, top + index / width);
        shown.iter().zip(*pixel).any(|(a, b)| a.abs_diff(*b) > 4)
    };
    let count = saved.pixels().chunks(4).enumerate().filter(is_other).count();
    count as f32 / (width * saved.height() as usize) as f32
}

#[test]
fn the_canvas_shows_what_is_saved() {
    let mut it = stage();
    assert!(difference(&mut it) < 0.002, "{}", difference(&mut it));
    let plain = it.painted();
    restage(&mut it, overlapping());
    assert!(it.painted().middle_of(GREEN, Rect::EVERYTHING).is_none(), "it is tinted");
    assert!(plain.middle_of(GREEN, Rect::EVERYTHING).is_some());
    for shown in 0..3 {
        it.state_mut().select(shown);
        it.harness.run();
        assert!(difference(&mut it) < 0.002, "{shown}: {}", difference(&mut it));
    }
    // The view is fitted to what is drawn.
    let area = it.state_mut().content().expect("a character");
    let view = it.state_mut().view().expect("a view").world();
    assert_eq!(view.union(area), view);
}

#[test]
fn characters_blend_with_each_other_as_in_what_is_saved() {
    let rig = |name: &str, blend: &str| {
        format!(
            r#"{{"skeleton": {{"spine": "4.2.00"}}, "bones": [{{"name": "root"}}],
            "slots": [{{"name": "box", "bone": "root", "attachment": "{name}", "blend": "{blend}"}}],
            "skins": [{{"name": "default", "attachments": {{"box": {{"{name}": {{"width": 100, "height": 100}}}}}}}}]}}"#
        )
    };
    let atlas =
        |name: &str| format!("{name}.png\nsize: 1, 1\nfilter: Linear, Linear\n{name}\nbounds: 0, 0, 1, 1\n");
    let png = |[r, g, b]: [u8; 3]| encode_png(1, 1, &[r, g, b, 255]).expect("a PNG");
    for (blend, is_front_shown) in [("multiply", false), ("additive", false), ("screen", true)] {
        let files = [
            ("a.json", rig("a", "normal").into_bytes()),
            ("a.atlas", atlas("a").into_bytes()),
            ("a.png", png(RED)),
            ("b.json", rig("b", blend).into_bytes()),
            ("b.atlas", atlas("b").into_bytes()),
            ("b.png", png([120, 200, 90])),
        ];
        let folder = folder_of(&files.each_ref().map(|(name, bytes)| (*name, &bytes[..])));
        let mut options = paused();
        options.subject.files = ["a.json", "b.json"].map(|name| folder.path().join(name)).into();
        options.lineup = true;
        let mut it = TestWindow::new(SIZE, folder, &options);
        it.state_mut().overlays.background = Background::Color(BEHIND);
        let [a, b] = ["a.json", "b.json"].map(|name| it.path(name));
        it.state_mut().lineup.fixed.extend([(a, Vec2::ZERO), (b, vec2(30.0, 20.0))]);
        it.state_mut().select(usize::from(is_front_shown));
        it.harness.run();
        assert!(difference(&mut it) < 0.002, "{blend}: {}", difference(&mut it));
        // The same again, with what is kept, and in another order.
        it.state_mut().lineup.members[0].spec.order = 1;
        it.harness.run();
        assert!(difference(&mut it) < 0.002, "{blend}: {}", difference(&mut it));
        // Overlays are those of the shown character.
        it.key(Key::B);
        assert_eq!(it.app().scenes().iter().flatten().count(), 2);
    }
}

#[test]
fn clicks_hit_what_is_drawn() {
    let mut it = stage();
    restage(&mut it, overlapping());
    let click = |it: &mut TestWindow, at: Vec2| {
        let view = it.state_mut().view().expect("a view");
        let corner = it.canvas().min;
        let origin = it.state().lineup.place(&it.path("a.pchr"));
        let pixel = view.pixel_from_world(at - origin);
        it.click_at(corner + egui::vec2(pixel.x, pixel.y));
    };
    // The red one is mirrored: in its frame it stands left of its origin, from x = -165 to -15.
    click(&mut it, vec2(-150.0, -60.0));
    assert!(it.state().parts.selected.is_some());
    it.key(Key::Escape);
    click(&mut it, vec2(30.0, 60.0));
    assert_eq!(it.state().current().expect("a file").name(), "c.pchr", "where the red one is without its flip");
}

#[test]
fn clicks_hit_the_front_character() {
    let mut it = stage();
    let ordered = |orders: [i32; 3]| orders.map(|order| StagedCharacter { order, ..StagedCharacter::default() });
    let places = [Vec2::ZERO, vec2(20.0, 0.0), vec2(9000.0, 0.0)];
    let arrange = |it: &mut TestWindow, orders| {
        let [a, b, c] = ordered(orders);
        restage(it, [(places[0], a), (places[1], b), (places[2], c)]);
        it.state_mut().select(0);
        it.state_mut().parts.selected = None;
        it.harness.run();
    };
    // Both squares are there: the first from 10 to 110, the second, whose time is 0, from -30 to 70.
    let click = |it: &mut TestWindow| {
        let view = it.state_mut().view().expect("a view");
        let pixel = view.pixel_from_world(vec2(40.0, 0.0));
        let corner = it.canvas().min;
        it.click_at(corner + egui::vec2(pixel.x, pixel.y));
    };
    let name = |it: &TestWindow| it.state().current().expect("a file").name();
    arrange(&mut it, [0, 0, 0]);
    click(&mut it);
    assert_eq!(name(&it), "b.pchr", "the later one is in front");
    arrange(&mut it, [1, 0, 0]);
    click(&mut it);
    assert!(name(&it) == "a.pchr" && it.state().parts.selected.is_some());
    arrange(&mut it, [0, 0, 0]);
    let moved = |it: &mut TestWindow| {
        it.state_mut().begin_move(vec2(40.0, 0.0));
        it.state_mut().lineup.dragged.take().expect("a character")
    };
    assert_eq!(moved(&mut it), it.path("b.pchr"));
    // What is hidden, and what is transparent, is not in front.
    it.state_mut().lineup.members[1].spec.tint[3] = 0;
    assert_eq!(moved(&mut it), it.path("a.pchr"));
    it.state_mut().lineup.members[1].spec.tint[3] = 255;
    it.hide_slot_of_second();
    click(&mut it);
    assert!(name(&it) == "a.pchr" && it.state().parts.selected.is_some());
}

/// Returns size, flips, order and tint of the characters.
fn stated(it: &mut TestWindow) -> Vec<(f32, [bool; 2], i32, [u8; 4])> {
    let specs = it.state_mut().staged().expect("a stage").subject.stage;
    specs.into_iter().map(|spec| (spec.scale, [spec.flip_x, spec.flip_y], spec.order, spec.tint)).collect()
}

const PLAIN: (f32, [bool; 2], i32, [u8; 4]) = (1.0, [false; 2], 0, [255; 4]);

#[test]
fn keys_change_the_shown_character() {
    let mut it = stage();
    let camera = it.state_mut().view().expect("a view").scale();
    it.key(Key::Plus);
    it.key(Key::X);
    it.key(Key::Y);
    assert_eq!(stated(&mut it), [(1.1, [true; 2], 0, [255; 4]), PLAIN, PLAIN]);
    assert_eq!(it.state_mut().view().expect("a view").scale(), camera, "the view stays");
    it.key(Key::Minus);
    it.key(Key::X);
    assert_eq!(stated(&mut it)[0], (1.0, [false, true], 0, [255; 4]));
    let order = |it: &mut TestWindow| -> Vec<i32> { stated(it).iter().map(|stated| stated.2).collect() };
    it.press(Modifiers::SHIFT, Key::PageUp);
    assert_eq!(order(&mut it), [1, 0, 2]);
    it.press(Modifiers::SHIFT, Key::PageUp);
    it.press(Modifiers::SHIFT, Key::PageUp);
    assert_eq!(order(&mut it), [2, 0, 1], "in front of all");
    it.press(Modifiers::SHIFT, Key::PageDown);
    assert_eq!(order(&mut it), [1, 0, 2]);
    it.state_mut().run(Command::ResetStaged);
    assert_eq!(stated(&mut it)[0], PLAIN);
    // Alone, there is no stage.
    it.key(Key::J);
    it.key(Key::X);
    assert!(!it.state().staged_spec().flip_x);
    assert!(it.state().unavailable(Command::Mirror).is_some());
}

#[test]
fn fields_change_the_shown_character() {
    let mut it = stage();
    let before = it.state().lineup.place(&it.path("a.pchr"));
    let type_in = |it: &mut TestWindow, label: &str, text: &str| {
        let field = it.harness.get_by_role_and_label(Role::SpinButton, label).rect().center();
        it.click_at(field);
        it.press(Modifiers::COMMAND, Key::A);
        text.chars().for_each(|letter| it.type_text(&letter.to_string()));
        it.key(Key::Enter);
    };
    type_in(&mut it, "Scale", "15.5");
    assert_eq!(stated(&mut it)[0].0, 0.155);
    type_in(&mut it, "X", "-12");
    type_in(&mut it, "Y", "7.5");
    type_in(&mut it, "Scale", "150");
    type_in(&mut it, "Order", "3");
    type_in(&mut it, "Opacity", "128");
    it.click_button("Mirror");
    assert_eq!(stated(&mut it), [(1.5, [true, false], 3, [255, 255, 255, 128]), PLAIN, PLAIN]);
    let place = it.state().lineup.place(&it.path("a.pchr"));
    assert!(place == vec2(-12.0, 7.5) && place != before, "{place}");
    let tint = it.harness.get_by_role_and_label(Role::ColorWell, "Tint");
    assert_eq!(tint.accesskit_node().value().as_deref(), Some("#ffffff"));
    it.click_button("Reset");
    assert_eq!(stated(&mut it)[0], PLAIN);
    assert_eq!(it.state().lineup.place(&it.path("a.pchr")), place, "the place stays");
}

#[test]
fn fields_without_room_begin_a_row_with_their_labels() {
    let mut it = stage();
    it.harness.set_size(egui::vec2(795.0, 480.0));
    it.harness.run();
    let [first, tint, opacity] = ["X", "Tint", "Opacity"].map(|label| it.harness.get_by_label(label).rect());
    assert!((tint.center().y - opacity.center().y).abs() < 1.5, "{tint} and {opacity}");
    assert!(tint.top() > first.bottom() + 3.0, "the rows do not touch: {first} and {tint}");
}

#[test]
fn a_scene_is_saved_and_brings_the_stage_back() {
    let mut it = stage();
    restage(&mut it, overlapping());
    it.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    assert_eq!(it.state().requests, [Request::Dialog(Dialog::Scene)]);
    let scene = it.path("all.toml");
    it.state_mut().take_paths(Dialog::Scene, vec![scene.with_extension("")]);
    it.harness.run();
    assert!(scene.is_file() && it.says("Saved"));
    let specs = it.state_mut().staged().expect("a stage").subject.stage;
    let picture = it.state_mut().screenshot().expect("a picture");
    // The command draws the same bytes with it as the dialog writes.
    let [dialog, command] = ["dialog.gif", "command.gif"].map(|name| it.path(name));
    let mut export = it.state_mut().new_export().expect("the dialog");
    export.choose_path(dialog.to_str().expect("UTF-8"));
    let line = export.command_for_clipboard().expect("a scene");
    run_program(crate::export::tests::dialog_harness::shlex_split(&line).iter().map(Into::into));
    let words = ["pchr-view", "--scene", scene.to_str().expect("UTF-8"), "-o", command.to_str().expect("UTF-8")];
    run_program(words.map(Into::into));
    assert!(std::fs::read(&dialog).expect("a picture") == std::fs::read(&command).expect("a picture"));

    let same = |it: &mut TestWindow| {
        it.state_mut().overlays.background = Background::Color(BEHIND);
        it.harness.run();
        let mut found = it.state_mut().staged().expect("the same stage").subject.stage;
        // The first is the shown one again, and times are relative to it.
        assert_eq!(found.len(), specs.len());
        found.iter_mut().zip(&specs).for_each(|(found, spec)| found.start = spec.start);
        assert_eq!(found, specs);
    };
    // Changed, and opened again in the same window.
    it.key(Key::X);
    it.state_mut().reset_staged();
    it.state_mut().files.read_scene = Some(pchr_cli::read_scene);
    it.drop_files([scene.clone()]);
    it.harness.run();
    same(&mut it);
    // In an empty window.
    let mut options = paused();
    options.read_scene = Some(pchr_cli::read_scene);
    let mut again = TestWindow::new(SIZE, tempfile::tempdir().expect("a folder"), &options);
    again.state_mut().take_paths(Dialog::Open, vec![scene.clone()]);
    again.harness.run();
    same(&mut again);
    assert_eq!(again.state().lineup.members.len(), 3);
    let [size, other] = [&picture, &again.state_mut().screenshot().expect("a picture")].map(|it| it.width());
    assert_eq!(size, other);
    assert!(again.state().files.recent.files().iter().any(|file| file.path == scene), "a later session opens it");
}

#[test]
fn a_scene_that_cannot_be_opened_says_why_and_changes_nothing() {
    let mut it = stage();
    it.state_mut().files.read_scene = Some(pchr_cli::read_scene);
    let scene = it.path("wrong.toml");
    for (text, why) in [
        ("[[character]]\nfile = \"no.pchr\"\n", "no.pchr"),
        ("skin = \"red\"\n", "[[character]]"),
        ("[[character]]\nscale = -1\n", "scale"),
    ] {
        std::fs::write(&scene, text).expect("a file");
        it.drop_files([scene.clone()]);
        it.harness.run();
        assert!(it.says(why), "{why}: {:?}", it.state().notice);
        assert_eq!(it.state().lineup.members.len(), 3);
    }
}

#[test]
fn a_file_stands_on_the_stage_once() {
    let mut it = stage();
    let again = it.path("b.pchr");
    it.state_mut().add_to_stage(vec![again]);
    it.harness.run();
    assert!(it.says("b.pchr is on the stage already"), "{:?}", it.state().notice);
    assert_eq!(it.state().lineup.members.len(), 3);
}

#[test]
fn hidden_parts_and_the_wind_are_those_of_the_export() {
    let mut it = stage();
    restage(&mut it, overlapping());
    it.state_mut().select(1);
    it.harness.run();
    let slot = it.state().model().expect("a character").slot_ids().next().expect("a slot");
    it.state_mut().parts.selected = Some(Selected::Slot(slot));
    it.state_mut().run(Command::HideSelected);
    let wind = Forces { wind: vec2(3.0, 2.0), ..Forces::default() };
    it.state_mut().playback.animator.set_forces(wind);
    it.state_mut().select(0);
    it.harness.run();
    // The red one is mirrored: what blows to the right there blows to the left in it.
    assert_eq!(it.state().playback.animator.forces().wind, vec2(-3.0, 2.0));
    let member = &it.state().lineup.members[2].playback.animator;
    assert_eq!(member.forces().wind, vec2(3.0, -2.0), "upside down");
    let Staged { subject, character, .. } = it.state_mut().staged().expect("a stage");
    assert_eq!(subject.forces().wind, wind.wind);
    let hidden: Vec<_> = subject.hidden_meshes.iter().map(ToString::to_string).collect();
    assert!(hidden.len() == 1 && hidden[0].starts_with("b/"), "{hidden:?}");
    assert!(pchr::export::hidden_meshes(character.model(), &[], &subject.hidden_meshes).is_ok());
    // One alone hides all others of its character.
    let text = it.state_mut().new_export().expect("the dialog").scene();
    assert!(text.contains("hide-mesh") && text.contains("wind"), "{text}");
}
