//! Queries of poses: areas, points and hit tests, compared with values computed by hand and with the Spine
//! goldens.

use std::f32::consts::FRAC_PI_2;

use crate::common::say;
use crate::common::spine_golden::{Golden, goldens};
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};
use pchr::math::{Rect, Vec2, vec2};
use pchr::model::{Attachment, SlotId};
use pchr::motion::{BoneOverride, Cue, Position, evaluate};
use pchr::pose::{self, Pose, SkinMatrix, palette};

/// A body that rotates by 90° in a second, with a deformed bounding box half weighted to a hand, a point, and a
/// missing picture.
const HITS: &str = r#"{"skeleton":{"spine":"3.8.99"},
    "bones":[{"name":"root"},{"name":"body","parent":"root","x":100},{"name":"hand","parent":"root","x":300}],
    "slots":[{"name":"skin","bone":"body","attachment":"skin"},{"name":"box","bone":"body","attachment":"box"},
        {"name":"muzzle","bone":"body","attachment":"muzzle"},{"name":"soft","bone":"body","attachment":"soft"}],
    "skins":[{"name":"default","attachments":{
        "skin":{"skin":{"x":5,"y":0,"width":20,"height":10}},
        "box":{"box":{"type":"boundingbox","vertexCount":4,"vertices":[0,0, 40,0, 40,20, 0,20]}},
        "muzzle":{"muzzle":{"type":"point","x":40,"y":10,"rotation":90}},
        "soft":{"soft":{"type":"boundingbox","vertexCount":3,"vertices":[
            1,1,0,-50,1, 2,1,10,-50,0.5,2,10,-50,0.5, 1,1,0,-40,1]}}}}],
    "animations":{"turn":{
        "bones":{"body":{"rotate":[{"time":0},{"time":1,"angle":90}]}},
        "deform":{"default":{"soft":{"soft":[{"time":0},{"time":1,"offset":2,"vertices":[4,0,8,0]}]}}}}}}"#;

fn hits() -> Character {
    let input = Input { bytes: HITS.as_bytes().to_vec().into(), sidecars: NO_SIDECARS };
    pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default()).unwrap()
}

fn posed(character: &Character, cue: &Cue) -> (Pose, Vec<SkinMatrix>) {
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    evaluate(character, cue, &mut pose);
    palette(character.model(), &pose, &mut matrices);
    (pose, matrices)
}

fn at(character: &Character, seconds: f64) -> (Pose, Vec<SkinMatrix>) {
    let animation = character.model().find_animation("turn");
    posed(character, &Cue { animation, position: Position::Seconds(seconds), hold: true, ..Cue::default() })
}

fn slot(pose: &Pose, index: usize) -> SlotId {
    *pose.draw_order.iter().find(|slot| slot.index() == index).expect("a slot")
}

#[track_caller]
fn assert_near(found: &[Vec2], expected: &[Vec2]) {
    let is_near = found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| a.distance(*b) < 1e-4);
    assert!(is_near, "found {found:?}, expected {expected:?}");
}

#[test]
fn areas_and_points_follow_their_bones() {
    let character = hits();
    let model = character.model();
    let mut corners = Vec::new();
    let (pose, matrices) = at(&character, 0.0);
    assert!(pose::bounding_box(model, &pose, slot(&pose, 1), &matrices, &mut corners));
    assert_near(&corners, &[vec2(100.0, 0.0), vec2(140.0, 0.0), vec2(140.0, 20.0), vec2(100.0, 20.0)]);
    let (pose, matrices) = at(&character, 1.0);
    assert!(pose::bounding_box(model, &pose, slot(&pose, 1), &matrices, &mut corners));
    assert_near(&corners, &[vec2(100.0, 0.0), vec2(100.0, 40.0), vec2(80.0, 40.0), vec2(80.0, 0.0)]);
    // Half on the body, where (14, -50) is rotated, and half on the hand, where it is (18, -50).
    assert!(pose::bounding_box(model, &pose, slot(&pose, 3), &matrices, &mut corners));
    assert_near(&corners, &[vec2(150.0, 0.0), vec2((150.0 + 318.0) / 2.0, (14.0 - 50.0) / 2.0), vec2(140.0, 0.0)]);
    // A picture is not an area, and an area is not a point.
    assert!(!pose::bounding_box(model, &pose, slot(&pose, 0), &matrices, &mut corners) && corners.is_empty());
    assert_eq!(pose::point(model, &pose, slot(&pose, 1), &matrices), None);

    let muzzle = pose::point(model, &pose, slot(&pose, 2), &matrices).expect("a point");
    assert_near(&[muzzle.position], &[vec2(90.0, 40.0)]);
    assert!((muzzle.rotation_radians.abs() - 2.0 * FRAC_PI_2).abs() < 1e-5, "{}", muzzle.rotation_radians);
    let (pose, matrices) = at(&character, 0.0);
    let muzzle = pose::point(model, &pose, slot(&pose, 2), &matrices).expect("a point");
    assert!((muzzle.rotation_radians - FRAC_PI_2).abs() < 1e-6);
}

#[test]
fn the_frontmost_slot_is_hit() {
    let character = hits();
    let model = character.model();
    let (mut pose, matrices) = at(&character, 1.0);
    let hit = |pose: &Pose, x, y| pose::bounding_box_at(model, pose, &matrices, vec2(x, y)).map(SlotId::index);
    assert_eq!(hit(&pose, 90.0, 10.0), Some(1));
    assert_eq!(hit(&pose, 110.0, 10.0), None);
    assert_eq!(hit(&pose, 150.0, -1.0), Some(3));
    // If both areas are at the same place, the one drawn later is hit.
    let hand = BoneOverride::at(model.skeleton().find("body").expect("a bone"), vec2(50.0, 0.0));
    let animation = model.find_animation("turn");
    let cue = Cue { animation, position: Position::Seconds(0.0), bones: vec![hand], ..Cue::default() };
    let (moved, matrices_then) = posed(&character, &cue);
    assert_eq!(pose::bounding_box_at(model, &moved, &matrices_then, vec2(60.0, 10.0)).map(SlotId::index), Some(1));
    // The region's rectangle is rotated as well: x from -10 to 10, 15 along y.
    let over = |pose: &Pose, x, y| pose::mesh_at(model, pose, &matrices, vec2(x, y)).map(SlotId::index);
    assert_eq!((over(&pose, 104.0, 14.0), over(&pose, 106.0, 14.0)), (Some(0), None));
    assert_eq!((over(&pose, 96.0, -4.0), over(&pose, 96.0, -6.0)), (Some(0), None));
    let bounds = pose::slot_bounds(model, &pose, slot(&pose, 0), &matrices);
    assert_near(&[bounds.min, bounds.max], &[vec2(95.0, -5.0), vec2(105.0, 15.0)]);
    assert_eq!(pose::slot_bounds(model, &pose, slot(&pose, 1), &matrices), Rect::NOTHING);
    // Hidden slots are not hit.
    pose.draw_order.clear();
    assert_eq!((hit(&pose, 90.0, 10.0), over(&pose, 104.0, 14.0)), (None, None));
}

/// Compares areas and points of every case of the goldens below `part`. Returns their numbers and the largest
/// error.
fn against_goldens(part: &str) -> (usize, usize, f32) {
    let (mut areas, mut points, mut worst) = (0, 0, 0.0f32);
    for (path, skeleton) in goldens(part) {
        let golden = Golden::load(&path, &skeleton);
        let model = golden.character.model();
        let has = |kind: fn(&Attachment) -> bool| model.attachments().iter().any(kind);
        if !has(|attachment| matches!(attachment, Attachment::Bounds(_) | Attachment::Point(_))) {
            continue;
        }
        for case in golden.json["cases"].as_array().expect("cases") {
            let (pose, matrices) = posed(&golden.character, &golden.cue(case));
            for entry in case["slots"].as_array().expect("slots") {
                let slot = slot(&pose, entry["s"].as_u64().expect("a slot") as usize);
                let Some(expected) = entry["v"].as_array() else { continue };
                let expected: Vec<f32> = expected.iter().map(|number| number.as_f64().unwrap() as f32).collect();
                let mut corners = Vec::new();
                let found: Vec<f32> = if pose::bounding_box(model, &pose, slot, &matrices, &mut corners) {
                    areas += 1;
                    corners.iter().flat_map(|corner| corner.to_array()).collect()
                } else if let Some(point) = pose::point(model, &pose, slot, &matrices) {
                    points += 1;
                    vec![point.position.x, point.position.y, point.rotation_radians.to_degrees()]
                } else {
                    continue;
                };
                assert_eq!(found.len(), expected.len(), "{}", golden.name);
                let off = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                // Hundreds of pixels in 32-bit precision.
                assert!(off < 2e-3, "{}: {found:?}, expected {expected:?}", golden.name);
                worst = worst.max(off);
            }
        }
    }
    (areas, points, worst)
}

#[test]
fn conformance_areas_and_points() {
    let (areas, points, worst) = against_goldens("spine");
    say(&format!("spine queries: {areas} areas, {points} points, worst error {worst:.5}"));
    assert!(areas > 10 && points > 10, "{areas} areas, {points} points");
}
