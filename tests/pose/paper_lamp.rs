//! The paper lamp, the project's own Spine character: its files match the program that makes them, and it behaves
//! as in the example.

#[path = "../../examples/make_paper_lamp.rs"]
#[allow(dead_code, reason = "its main is not run here")]
mod lamp;

use std::path::{Path, PathBuf};

use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, open};
use pchr::math::{Vec2, vec2};
use pchr::model::{Attachment, SlotId};
use pchr::motion::{BoneOverride, Cue, Position, Span, evaluate, for_each_event};
use pchr::pose::{Pose, bounding_box, bounding_box_at, palette, point};

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

#[test]
fn the_files_match_the_program_that_makes_them() {
    let stored = |name: &str| std::fs::read(assets().join(name)).unwrap();
    let again = "run `cargo run --release --example make_paper_lamp`";
    assert!(stored("paper-lamp.png") == lamp::picture().unwrap(), "{again}");
    assert_eq!(String::from_utf8(stored("paper-lamp.atlas")).unwrap(), lamp::atlas(), "{again}");
}

#[test]
fn it_looks_at_the_mouse_can_be_hit_and_fires_events() {
    let mut diagnostics = Diagnostics::default();
    let lamp = open(&assets().join("paper-lamp.json"), &ReadOptions::default(), &mut diagnostics).unwrap();
    assert!(diagnostics.is_empty(), "{:?}", diagnostics.findings());
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
            overrides: vec![BoneOverride::at(mouse, at)],
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
        pchr::pose::for_each_vertex(&shade.vertices, &matrices, |_, uv| assert!(uv.x > 0.39));
    }
    let mut fired_events = Vec::new();
    let span = Span { from: -1.0, to: 10.0, looping: false };
    for_each_event(&lamp, model.find_animation("hop").unwrap(), span, |fired| {
        fired_events.push((model.events()[fired.event.index()].name.to_string(), fired.int));
    });
    assert_eq!(fired_events, [("jump".to_owned(), 0), ("land".to_owned(), 1)]);
}
