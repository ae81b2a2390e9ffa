//! Compares the pictures of Spine 4 with the conformance data: regions of atlases in every rotation, trimmed or not,
//! and the pictures of sequences.
//!
//! Input: the goldens `spine4/*/atlas-forms` and `spine4/*/sequences`, each beside its JSON, atlas and page.

use std::path::Path;

use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::model::{Mesh, SkinEntry, Vertices};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, for_each_deformed_vertex, palette};
use serde_json::Value;

use crate::common::conformance_files;
use crate::common::spine_golden::{list, read_spine};

/// Goldens have six digits; positions are about 100 pixels, for which `f32` has five.
const UV_TOLERANCE: f64 = 1e-5;
const POSITION_TOLERANCE: f64 = 1e-3;

/// The characters called `name` of all versions, with their goldens.
fn goldens(name: &str) -> Vec<(String, Character, Value, Diagnostics)> {
    let mut paths = conformance_files("spine4", ".golden.json.gz");
    paths.retain(|path| path.file_name().is_some_and(|file| *file == *format!("{name}.golden.json.gz")));
    let load = |path: &Path| {
        let packed = std::fs::read(path).expect("a readable golden");
        let golden = serde_json::from_reader(flate2::read::GzDecoder::new(&packed[..])).expect("a golden is JSON");
        let skeleton = path.to_str().expect("a path in UTF-8").replace(".golden.json.gz", ".json");
        let mut diagnostics = Diagnostics::default();
        let character = read_spine(Path::new(&skeleton), &mut diagnostics);
        (skeleton, character, golden, diagnostics)
    };
    paths.iter().map(|path| load(path)).collect()
}

fn assert_near(found: &[f32], expected: &Value, tolerance: f64, what: &str) {
    let expected: Vec<f64> = list(expected).iter().map(|number| number.as_f64().expect("a number")).collect();
    let is_near = |(found, expected): (&f32, &f64)| (f64::from(*found) - expected).abs() <= tolerance;
    let is_same = found.len() == expected.len() && found.iter().zip(&expected).all(is_near);
    assert!(is_same, "{what}: {found:?}, expected {expected:?}");
}

/// The texture coordinates and local positions of a mesh.
fn numbers(mesh: &Mesh) -> [Vec<f32>; 2] {
    let Vertices::SkinN(vertices) = &mesh.vertices else { panic!("other vertices") };
    let positions = vertices.influences().iter().flat_map(|influence| influence.position.to_array());
    [vertices.iter().flat_map(|vertex| vertex.uv.to_array()).collect(), positions.collect()]
}

#[test]
fn conformance_spine4_atlas_forms() {
    let goldens = goldens("atlas-forms");
    assert_eq!(goldens.len(), 3);
    for (name, character, golden, diagnostics) in &goldens {
        let model = character.model();
        assert_eq!(list(&golden["attachments"]).len(), 24);
        for place in list(&golden["attachments"]) {
            let is_it = |it: &&SkinEntry| place["slot"] == *model.slot(it.slot).name && place["key"] == *it.key;
            let entry = model.skins()[0].entries.iter().find(is_it).expect("an attachment");
            let mesh = model.attachment(entry.attachment).mesh().expect("a mesh");
            let [uvs, positions] = numbers(mesh);
            let what = format!("{name}: {}", place["slot"]);
            assert_near(&uvs, &place["uvs"], UV_TOLERANCE, &what);
            if place["type"] == "region" {
                assert_near(&positions, &place["localQuad"], POSITION_TOLERANCE, &what);
            }
        }
        // Regions are not drawn upright.
        let codes: Vec<_> = diagnostics.findings().iter().map(|finding| finding.fault.code).collect();
        assert_eq!(codes.iter().filter(|code| **code == "atlas-rotation").count(), 6, "{codes:?}");
    }
}

#[test]
fn conformance_spine4_sequences() {
    let goldens = goldens("sequences");
    assert_eq!(goldens.len(), 2);
    let mut compared = 0;
    for (name, character, golden, diagnostics) in &goldens {
        let model = character.model();
        assert!(diagnostics.is_empty(), "{:?}", diagnostics.findings());
        let places = list(&golden["attachments"]);
        let count = |place: &Value| place["sequence"]["count"].as_u64().expect("a count") as usize;
        assert_eq!(model.authored_attachments().len(), places.len());
        assert_eq!(model.attachments().len(), places.iter().map(count).sum::<usize>());
        let (mut pose, mut matrices) = (Pose::default(), Vec::new());
        for case in list(&golden["cases"]) {
            let cue = Cue {
                animation: case["anim"].as_str().map(|name| model.find_animation(name).expect("an animation")),
                position: Position::Seconds(case["time"].as_f64().expect("a time")),
                hold: case["loop"] == false,
                ..Cue::default()
            };
            evaluate(character, &cue, &mut pose);
            palette(model, &pose, &mut matrices);
            for slot in list(&case["slots"]) {
                let state = &pose.slots[slot["s"].as_u64().expect("a slot") as usize];
                let what = format!("{name}: {} at {}: slot {}", case["anim"], case["time"], slot["s"]);
                let Some(place) = slot["a"].as_u64().map(|index| &places[index as usize]) else {
                    assert_eq!(state.attachment, None, "{what}");
                    continue;
                };
                let mesh = model.attachment(state.attachment.expect("shown")).mesh().expect("a mesh");
                // The picture at rest has the name of the attachment.
                let expected = match &slot["q"] {
                    index if *index == place["sequence"]["setup"] => &place["name"],
                    index => &place["sequence"]["paths"][index.as_u64().expect("an index") as usize],
                };
                assert_eq!(*expected, *mesh.name, "{what}");
                assert_near(&numbers(mesh)[0], &slot["uv"], UV_TOLERANCE, &what);
                let mut positions = Vec::new();
                for_each_deformed_vertex(&mesh.vertices, pose.deform_of(state), &matrices, |point, _| {
                    positions.extend(point.to_array());
                });
                assert_near(&positions, &slot["v"], POSITION_TOLERANCE, &what);
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}
