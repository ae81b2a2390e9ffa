//! Compares sheets of Adobe Animate, and the characters that name them, with what their engine plays: the frames of
//! each animation, its rate and loop, and the place of each frame.
//!
//! Input: `animate/characters/*/expected.json`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{conformance_files, say};
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, open};
use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::{AnimationId, Attachment, Mesh, Vertices};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;
use serde_json::Value;

/// Goldens have two digits or more.
const TOLERANCE: f32 = 0.01;

fn main_file(case: &Path) -> PathBuf {
    let names = ["characters/hero.json", "data/characters/hero.xml", "data/characters/hero.json", "hero.xml"];
    let found = names.iter().map(|name| case.join(name)).find(|path| path.exists());
    found.unwrap_or_else(|| panic!("{}: no main file", case.display()))
}

/// The corners of the upright frame on its page: upper left, upper right, lower left.
fn corners_on_page(sheet: &str, name: &str) -> ([Vec2; 3], Vec2) {
    let line = sheet.lines().find(|line| line.contains(&format!("name=\"{name}\""))).expect("the frame");
    let number = |key: &str| -> f32 {
        let (_, rest) = line.split_once(&format!(" {key}=\"")).expect(key);
        rest.split('"').next().and_then(|text| text.parse().ok()).expect(key)
    };
    let (x, y, w, h) = (number("x"), number("y"), number("width"), number("height"));
    if line.contains("rotated=\"true\"") {
        return ([vec2(x + w, y), vec2(x + w, y + h), vec2(x, y)], vec2(h, w));
    }
    ([vec2(x, y), vec2(x + w, y), vec2(x, y + h)], vec2(w, h))
}

/// The matrix from pixels of the upright frame to the world, y down in both.
fn drawn(mesh: &Mesh, world: Affine2, page: Vec2, sheets: &str) -> [f32; 6] {
    let (corners, size) = corners_on_page(sheets, &mesh.name);
    let Vertices::SkinN(vertices) = &mesh.vertices else { panic!("a sheet") };
    let [origin, right, below] = corners.map(|corner| {
        let near = vertices.iter().find(|vertex| (vertex.uv * page - corner).length() < 0.5).expect("the corner");
        let at = world.transform_point2(near.influences[0].position);
        vec2(at.x, -at.y)
    });
    let (across, down) = ((right - origin) / size.x, (below - origin) / size.y);
    [across.x, across.y, down.x, down.y, origin.x, origin.y]
}

/// The text of all XML files of a case.
fn sheets(case: &Path) -> String {
    let mut files: Vec<PathBuf> = [case.to_owned(), case.join("images/characters")]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
        .collect();
    files.sort();
    files.iter().map(|path| fs::read_to_string(path).expect("text")).collect()
}

fn check_animation(character: &Character, id: AnimationId, expected: &Value, sheets: &str) -> usize {
    let model = character.model();
    let (animation, name) = (model.animation(id), expected["name"].as_str().expect("a name"));
    let names: Vec<&str> =
        expected["frames"].as_array().expect("frames").iter().map(|name| name.as_str().expect("a name")).collect();
    assert_eq!(animation.frame_count() as usize, names.len(), "{name}");
    assert!(
        (animation.fps() - expected["fps"].as_f64().expect("a rate")).abs() < 1e-9,
        "{name}: {}",
        animation.fps()
    );
    if let Some(looping) = expected["loop"].as_bool() {
        assert_eq!(animation.looping, looping, "{name}");
    }
    let mut pose = Pose::default();
    for (frame, (expected_name, matrix)) in
        (0..).zip(names.iter().zip(expected["draw"].as_array().expect("matrices")))
    {
        let cue = Cue { animation: Some(id), position: Position::frame(frame), ..Cue::default() };
        evaluate(character, &cue, &mut pose);
        let attachment = model.attachment(pose.slots[0].attachment.expect("a picture"));
        let Attachment::Region(mesh) = attachment else { panic!("a sheet") };
        assert_eq!(&*mesh.name, *expected_name, "{name} {frame}");
        let page = &model.pages()[mesh.page.expect("a page").index()];
        let size = vec2(page.width as f32, page.height as f32);
        let found = drawn(mesh, pose.world_from_bone[0], size, sheets);
        for (found, expected) in found.iter().zip(matrix.as_array().expect("six numbers")) {
            let expected = expected.as_f64().expect("a number") as f32;
            assert!((found - expected).abs() <= TOLERANCE, "{name} {frame}: {found} instead of {expected}");
        }
    }
    names.len()
}

/// Compares an animation on a texture atlas; returns the number of its frames.
fn check_on_atlas(character: &Character, id: AnimationId, expected: &Value) -> usize {
    let (model, name) = (character.model(), expected["name"].as_str().expect("a name"));
    let animation = model.animation(id);
    let draw = expected["draw"].as_array().expect("frames");
    assert_eq!(animation.frame_count() as usize, draw.len(), "{name}");
    assert_eq!(
        (animation.fps(), Some(animation.looping)),
        (expected["fps"].as_f64().expect("a rate"), expected["loop"].as_bool())
    );
    let mut pose = Pose::default();
    for (frame, expected) in (0..).zip(draw) {
        let cue = Cue { animation: Some(id), position: Position::frame(frame), ..Cue::default() };
        evaluate(character, &cue, &mut pose);
        let shown = pose.draw_order.iter().filter_map(|slot| {
            let Attachment::Region(mesh) = model.attachment(pose.slots[slot.index()].attachment?) else {
                return None;
            };
            let world = pose.world_from_bone[model.slot(*slot).bone.expect("a bone").index()].to_cols_array();
            let [a, b, c, d, x, y] = world;
            Some((mesh.name.to_string(), [a, -b, -c, d, x, -y]))
        });
        let shown: Vec<(String, [f32; 6])> = shown.collect();
        // Goldens list sprites without an order.
        for sprite in expected.as_array().expect("sprites") {
            let found =
                shown.iter().find(|(shown, _)| *shown == sprite[0]).unwrap_or_else(|| panic!("{name}: {sprite}"));
            for (found, expected) in found.1.iter().zip(sprite[1].as_array().expect("a matrix")) {
                let expected = expected.as_f64().expect("a number") as f32;
                assert!((found - expected).abs() <= TOLERANCE, "{name} {frame}: {found} instead of {expected}");
            }
        }
        assert_eq!(shown.len(), expected.as_array().map_or(0, Vec::len), "{name} {frame}: {shown:?}");
    }
    draw.len()
}

#[test]
fn conformance_animate_characters() {
    let (mut cases, mut frames) = (0, 0);
    let goldens = conformance_files("animate/characters", "expected.json");
    for golden in &goldens {
        let case = golden.parent().expect("a folder");
        let is_on_atlas = case.join("images/characters/hero/Animation.json").exists();
        let expected: Value = serde_json::from_slice(&fs::read(golden).expect("a golden")).expect("JSON");
        let path = main_file(case);
        let mut findings = Diagnostics::default();
        let character =
            open(&path, &ReadOptions::default(), &mut findings).unwrap_or_else(|error| panic!("{error}"));
        for animation in expected["animations"].as_array().expect("animations") {
            let name = animation["name"].as_str().expect("a name");
            let id = character.model().find_animation(name);
            let id = id.unwrap_or_else(|| panic!("{}: no {name}", path.display()));
            frames += match is_on_atlas {
                true => check_on_atlas(&character, id, animation),
                false => check_animation(&character, id, animation, &sheets(case)),
            };
        }
        for dropped in expected["dropped"].as_array().into_iter().flatten() {
            let name = dropped.as_str().expect("a name");
            assert_eq!(character.model().find_animation(name), None);
            assert!(
                findings.findings().iter().any(|finding| finding.fault.message.contains("none of its frames"))
            );
        }
        cases += 1;
    }
    say(&format!("animate characters: {cases} cases, {frames} frames agree"));
    assert!(cases == 8 || goldens.is_empty(), "{cases} cases");
}
