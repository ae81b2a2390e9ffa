//! The paper lamp, the project's own Spine character: its files match the program that makes them, and it behaves
//! as in the example.

#[path = "../../examples/make_paper_lamp/main.rs"]
#[allow(dead_code, reason = "its main is not run here")]
mod lamp;

use crate::common::assets;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, open};
use pchr::math::{Vec2, vec2};
use pchr::model::{Attachment, SlotId};
use pchr::motion::{BoneOverride, Cue, Position, Span, evaluate, for_each_event};
use pchr::pose::{Pose, bounding_box, bounding_box_at, palette, point};

#[test]
fn the_files_match_the_program_that_makes_them() {
    for (name, bytes) in lamp::files().unwrap() {
        let stored = std::fs::read(assets().join(name)).unwrap_or_default();
        assert!(stored == bytes, "{name}: run `cargo run --release --example make_paper_lamp`");
    }
}

fn open_lamp(name: &str) -> Character {
    let mut diagnostics = Diagnostics::default();
    let lamp = open(&assets().join(name), &ReadOptions::default(), &mut diagnostics).unwrap();
    assert!(diagnostics.is_empty(), "{:?}", diagnostics.findings());
    lamp
}

#[test]
fn the_lamp_of_spine_4_moves_like_that_of_3() {
    let (old, new) = (open_lamp("paper-lamp.json"), open_lamp("paper-lamp-4.2.json"));
    let (mut expected, mut found) = (Pose::default(), Pose::default());
    let bones = old.model().skeleton().bones().len();
    for animation in ["idle", "hop"] {
        for frame in 0..25 {
            let cue = |lamp: &Character| Cue {
                animation: lamp.model().find_animation(animation),
                position: Position::Seconds(f64::from(frame) * 0.09),
                ..Cue::default()
            };
            evaluate(&old, &cue(&old), &mut expected);
            evaluate(&new, &cue(&new), &mut found);
            let matrices = expected.world_from_bone.iter().zip(&found.world_from_bone[..bones]);
            for (index, (expected, found)) in matrices.enumerate() {
                assert!(
                    expected.abs_diff_eq(*found, 1e-3),
                    "{animation} {frame}: bone {index}: {found:?}, {expected:?}"
                );
            }
        }
        let durations = [&old, &new].map(|lamp| {
            let model = lamp.model();
            model.animation(model.find_animation(animation).unwrap()).duration_secs()
        });
        assert!((durations[0] - durations[1]).abs() < 1e-6, "{durations:?}");
    }
}

/// The sliders of the lamp of 4.3 follow its height; everything else is as in 4.2.
#[test]
fn the_higher_the_lamp_the_brighter_its_bulb() {
    let (old, new) = (open_lamp("paper-lamp-4.2.json"), open_lamp("paper-lamp-4.3.json"));
    let (mut expected, mut found) = (Pose::default(), Pose::default());
    let [hold, moth] = ["hold", "moth"].map(|name| new.model().skeleton().find(name).unwrap().index());
    let bulb = new.model().find_slot("bulb").unwrap().index();
    let (mut lowest, mut highest) = (f32::MAX, f32::MIN);
    for frame in 0..=21 {
        let cue = |lamp: &Character| Cue {
            animation: lamp.model().find_animation("hop"),
            position: Position::Seconds(f64::from(frame) * 0.04),
            ..Cue::default()
        };
        evaluate(&old, &cue(&old), &mut expected);
        evaluate(&new, &cue(&new), &mut found);
        for (index, (expected, found)) in expected.world_from_bone.iter().zip(&found.world_from_bone).enumerate() {
            assert!(index == moth || expected.abs_diff_eq(*found, 1e-3), "{frame}: bone {index}");
        }
        // The slider goes from 66 to 102 pixels above the lamp's foot, which `base` moves.
        let base = new.model().skeleton().find("base").unwrap().index();
        let foot = found.world_from_bone[base];
        let height = foot.inverse().transform_point2(found.world_from_bone[hold].translation).y;
        let share = ((height - 66.0) / 36.0).clamp(0.0, 1.0);
        let [dark, light] = [f32::from(0x44_u8) / 255.0, 1.0];
        // The slider takes part with four fifths.
        let blue = 1.0 + (dark + (light - dark) * share - 1.0) * 0.8;
        let light = found.slots[bulb].tint.light;
        assert!((light[2] - blue).abs() < 5e-3, "{frame}: {light:?} at {height}, expected {blue}");
        let lured = expected.world_from_bone[moth].translation - found.world_from_bone[moth].translation;
        assert!(lured.abs_diff_eq(vec2(24.0, 12.0) * share, 0.05), "{frame}: {lured}");
        let turned = Vec2::X.angle_to(found.world_from_bone[moth].matrix2.x_axis).to_degrees();
        assert!((turned - 39.6 * share).abs() < 0.1, "{frame}: {turned} at {height}");
        (lowest, highest) = (lowest.min(share), highest.max(share));
    }
    assert!(lowest < 0.05 && highest > 0.95, "{lowest} to {highest}");
}

#[test]
fn the_moth_of_the_lamp_flaps_its_wings() {
    let lamp = open_lamp("paper-lamp-4.2.json");
    let model = lamp.model();
    assert_eq!((model.authored_attachments().len(), model.attachments().len()), (10, 13));
    let moth = model.find_slot("moth").unwrap();
    let mut pose = Pose::default();
    let mut names_of = |animation: Option<&str>, times: [f64; 6]| {
        times.map(|time| {
            let animation = animation.map(|name| model.find_animation(name).unwrap());
            let cue = Cue { animation, position: Position::Seconds(time), ..Cue::default() };
            evaluate(&lamp, &cue, &mut pose);
            let mesh = model.attachment(pose.slots[moth.index()].attachment.unwrap()).mesh().unwrap();
            let page = mesh.page.map(|page| &*model.pages()[page.index()].name);
            assert_eq!(page, Some("paper-lamp-4.2.png"));
            &*mesh.name
        })
    };
    // The first is the picture at rest, which has the name of the attachment.
    assert_eq!(names_of(None, [0.0; 6]), ["moth"; 6]);
    assert_eq!(
        names_of(Some("idle"), [0.0, 0.07, 0.14, 0.2, 0.26, 1.94]),
        ["moth", "moth02", "moth03", "moth04", "moth", "moth04"]
    );
    assert_eq!(
        names_of(Some("hop"), [0.0, 0.06, 0.11, 0.16, 0.21, 0.26]),
        ["moth02", "moth03", "moth04", "moth03", "moth02", "moth"]
    );
}

#[test]
fn it_looks_at_the_mouse_can_be_hit_and_fires_events() {
    let lamp = open_lamp("paper-lamp.json");
    let model = lamp.model();
    let (mouse, blue) = (model.skeleton().find("mouse").unwrap(), model.find_skin("blue").unwrap());
    let (mut pose, mut matrices, mut corners) = (Pose::default(), Vec::new(), Vec::new());
    let slot = |pose: &Pose, name: &str| -> SlotId {
        *pose.draw_order.iter().find(|slot| *model.slot(**slot).name == *name).unwrap()
    };
    for at in [vec2(200.0, 60.0), vec2(-150.0, 20.0), vec2(40.0, 300.0)] {
        let cue = Cue {
            animation: model.find_animation("idle"),
            position: Position::Seconds(0.7),
            skins: vec![blue],
            bones: vec![BoneOverride::at(mouse, at)],
            ..Cue::default()
        };
        evaluate(&lamp, &cue, &mut pose);
        palette(model, &pose, &mut matrices);
        // The ray points from the bulb towards the mouse.
        let ray = point(model, &pose, slot(&pose, "ray"), &matrices).unwrap();
        let along = Vec2::from_angle(ray.rotation_radians);
        assert!(along.dot((at - ray.position).normalize()) > 0.999_99, "{ray:?} to {at}");
        assert!(bounding_box(model, &pose, slot(&pose, "touch"), &matrices, &mut corners));
        let middle = corners.iter().sum::<Vec2>() / corners.len() as f32;
        assert_eq!(bounding_box_at(model, &pose, &matrices, middle), Some(slot(&pose, "touch")));
        assert_eq!(bounding_box_at(model, &pose, &matrices, middle + vec2(0.0, 200.0)), None);
        let shade = pose.slots[slot(&pose, "shade").index()].attachment.unwrap();
        let Attachment::Region(shade) = model.attachment(shade) else { panic!("a shade is a region") };
        // On the atlas page, the blue shade is on the right.
        assert!(shade.vertices.len() == 4 && shade.page.is_some());
        pchr::pose::for_each_deformed_vertex(&shade.vertices, &[], &matrices, |_, uv| assert!(uv.x > 0.39));
    }
    let mut fired_events = Vec::new();
    let span = Span { from: -1.0, to: 10.0, looping: false };
    for_each_event(&lamp, model.find_animation("hop").unwrap(), span, |fired| {
        fired_events.push((model.events()[fired.event.index()].name.to_string(), fired.int));
    });
    assert_eq!(fired_events, [("jump".to_owned(), 0), ("land".to_owned(), 1)]);
}
