//! What a binary skeleton cannot store.

#[cfg(test)]
use super::hostile::{animated, assert_kept, attached, skeleton};
use super::{document, written};
use crate::formats::spine::schema::Physics;

/// The codes and messages of the losses.
fn losses(json: &str) -> Vec<String> {
    let written = written(json).unwrap_or_else(|error| panic!("{error}: {json}"));
    written.losses.iter().map(|lost| format!("{}: {}", lost.code, lost.message)).collect()
}

fn assert_lost(json: &str, code: &str, part: &str) {
    let losses = losses(json);
    let [lost] = &losses[..] else { panic!("{losses:?}") };
    assert!(lost.starts_with(code) && lost.contains(part), "{lost}");
}

/// Hull, uvs, vertices and triangles of the mesh that was written.
fn mesh(json: &str) -> (u32, Vec<f32>, Vec<f32>, Vec<u32>) {
    let bytes = written(json).unwrap().bytes;
    let root = document(&bytes).expect("a skeleton");
    let it = &root.skins.list[0].attachments.0[0].1.0[0].1;
    let numbers = |list: &[crate::formats::spine::schema::Number]| list.iter().map(|it| it.0).collect();
    (it.hull, numbers(&it.uvs), numbers(&it.vertices), it.triangles.clone())
}

#[test]
fn a_hull_that_does_not_fit_is_changed() {
    let square = |hull: u32| {
        attached(
            "4.2.43",
            &format!(
                r#"{{"type": "mesh", "uvs": [0,0,1,0,1,1,0,1], "vertices": [0,0,9,0,9,9,0,9], "hull": {hull},
                "triangles": [0,1,2,2,3,0]}}"#
            ),
        )
    };
    assert!(losses(&square(4)).is_empty());
    assert_lost(&square(0), "hull-changed", "/skins/0/attachments/s/x");
    assert_eq!(mesh(&square(0)), mesh(&square(4)));
}

#[test]
fn a_mesh_of_too_many_triangles_gets_unused_vertices() {
    let triangles = "0,1,2,".repeat(8) + "2,1,0";
    let unweighted = attached(
        "4.2.43",
        &format!(
            r#"{{"type": "mesh", "uvs": [0.5,0.25,1,0,1,1], "vertices": [3,4,9,0,9,9], "triangles": [{triangles}]}}"#
        ),
    );
    assert_lost(&unweighted, "hull-changed", "3 unused vertices");
    let (hull, uvs, vertices, indices) = mesh(&unweighted);
    assert_eq!((hull, indices.len()), (1, 27));
    assert_eq!(uvs, [0.5, 0.25, 1.0, 0.0, 1.0, 1.0, 0.5, 0.25, 0.5, 0.25, 0.5, 0.25]);
    assert_eq!(vertices, [3.0, 4.0, 9.0, 0.0, 9.0, 9.0, 3.0, 4.0, 3.0, 4.0, 3.0, 4.0]);
    let weighted = attached(
        "4.2.43",
        r#"{"type": "mesh", "uvs": [0,1], "vertices": [2, 1,5,6,0.25, 0,7,8,0.75], "triangles": [0,0,0]}"#,
    );
    assert_eq!(mesh(&weighted).2, [2.0, 1.0, 5.0, 6.0, 0.25, 0.0, 7.0, 8.0, 0.75, 1.0, 1.0, 5.0, 6.0, 1.0]);
    // Nothing to copy.
    let empty = attached("4.2.43", r#"{"type": "mesh"}"#);
    assert_eq!(mesh(&empty), (0, vec![0.0; 2], vec![0.0; 2], vec![]));
}

#[test]
fn rounded_alphas_are_reported() {
    let alpha =
        |value: f32| animated("4.1.24", &format!(r#""slots": {{"s": {{"alpha": [{{"value": {value}}}]}}}}"#));
    assert!(losses(&alpha(0.5019)).is_empty());
    assert_lost(&alpha(0.5), "alpha-rounded", "0.0020");
    assert_lost(&alpha(0.5), "alpha-rounded", "/animations/n~1m/slots/s/alpha/0");
    assert_lost(&alpha(1.5), "alpha-rounded", "0.5000");
    assert_kept(&alpha(0.5));
}

#[test]
fn physics_that_does_not_fit_is_reported() {
    let physics = |field: &str| {
        skeleton("4.2.43", &format!(r#", "physics": [{{"name": "p", "bone": "b", "x": 1, {field}}}]"#))
    };
    assert!(losses(&physics(r#""fps": 255, "mass": 1.7"#)).is_empty());
    assert_kept(&physics(r#""mass": 1.7"#));
    assert_lost(&physics(r#""fps": 29.97"#), "physics-rate", "/physics/0/fps");
    assert_lost(&physics(r#""fps": 300"#), "physics-rate", "/physics/0/fps");
    assert_lost(&physics(r#""mass": 0"#), "physics-mass", "/physics/0/mass");
    let bytes = written(&physics(r#""fps": 29.97"#)).unwrap().bytes;
    let root = document(&bytes).expect("a skeleton");
    assert_eq!(root.all::<Physics<'_>>().next().expect("physics").fps.0, 30.0);
}

#[test]
fn shares_that_do_not_fit_the_mode_of_the_y_scale_are_reported() {
    let stored = |scale_x: f32, mode: &str| {
        let fields = format!(r#""scaleX": {scale_x}, "scaleY": "{mode}""#);
        let physics = format!(r#"{{"type": "physics", "name": "p", "bone": "b", "x": 1, {fields}}}"#);
        let json = skeleton("4.3.00", &format!(r#", "constraints": [{physics}]"#));
        let bytes = written(&json).unwrap().bytes;
        let root = document(&bytes).expect("a skeleton");
        let it = root.all::<Physics<'_>>().next().expect("physics");
        (it.scale_x.0, format!("{:?}", it.scale_y).to_lowercase(), json)
    };
    for (scale_x, mode) in [(-0.0, "none"), (0.7, "none"), (-0.5, "uniform"), (1.0, "uniform"), (1.5, "volume")] {
        let (found, found_mode, json) = stored(scale_x, mode);
        assert_eq!((found, &*found_mode), (scale_x, mode));
        assert!(losses(&json).is_empty());
        assert_kept(&json);
    }
    for (scale_x, mode, expected) in [
        (-0.5, "none", (0.0, "none")),
        (1.5, "uniform", (1.0, "uniform")),
        (-1.5, "uniform", (0.0, "uniform")),
        (-0.5, "volume", (0.0, "none")),
        (0.0, "volume", (0.0, "none")),
    ] {
        let (found, found_mode, json) = stored(scale_x, mode);
        assert_eq!((found, &*found_mode), expected, "{scale_x} {mode}");
        assert_lost(&json, "physics-scale", "/constraints/0/scaleX");
    }
}

#[test]
fn times_of_sliders_that_follow_a_bone_are_reported() {
    let slider = |fields: &str| {
        let slider = format!(r#"{{"type": "slider", "name": "l", "animation": "n", {fields}}}"#);
        skeleton("4.3.00", &format!(r#", "constraints": [{slider}], "animations": {{"n": {{}}}}"#))
    };
    let driven = r#""bone": "b", "property": "x", "time": 0.5"#;
    assert_lost(&slider(driven), "slider-time", "/constraints/0/time");
    assert!(losses(&slider(r#""time": 0.5"#)).is_empty());
    assert_kept(&slider(driven));
    assert_kept(&slider(r#""bone": "b", "property": "x", "max": 2, "local": true, "mix": 0"#));
}

#[test]
fn loudness_without_audio_is_reported() {
    let event = |fields: &str| {
        skeleton(
            "4.2.43",
            &format!(
                r#", "events": {{"e/": {{{fields}}}}}, "animations": {{"n": {{"events": [{{"name": "e/"}}]}}}}"#
            ),
        )
    };
    assert!(losses(&event(r#""volume": 1"#)).is_empty());
    assert!(losses(&event(r#""volume": 0.5, "balance": 1, "audio": "a""#)).is_empty());
    assert_kept(&event(r#""volume": 0.5, "balance": 1, "audio": "a", "string": "", "int": -7"#));
    assert_lost(&event(r#""volume": 0.5"#), "audio-dropped", "/events/e~1");
}

#[test]
fn other_losses_are_reported() {
    assert_lost(&attached("4.0.64", "{}"), "size-dropped", "/skins/0/attachments/s/x");
    let default = skeleton("4.2.43", r#", "skins": [{"name": "default", "bones": ["a", "b"]}]"#);
    assert_lost(&default, "default-skin", "2 are dropped (first: /skins/0/bones/0)");
}

#[test]
fn nonessential_data_is_kept_if_there_is_any() {
    for members in [
        r#", "skins": [{"name": "k", "color": "01020304"}]"#,
        r#", "skins": [{"name": "k", "attachments": {"s": {"x": {"type": "point", "color": "01020304"}}}}]"#,
        r#", "skins": [{"name": "k", "attachments": {"s": {"x": {"type": "mesh", "edges": [0, 2], "uvs": [0,0],
            "vertices": [0,0]}}}}]"#,
    ] {
        assert_kept(&skeleton("4.2.43", members));
    }
    for head in [r#""fps": 24"#, r#""images": """#, r#""audio": "./a""#] {
        assert_kept(&format!(r#"{{"skeleton": {{"spine": "3.8.99", "hash": "a b", {head}}}}}"#));
    }
    for bone in [r#""visible": false"#, r#""icon": "arrows""#, r#""color": "ff0000ff""#] {
        assert_kept(&format!(
            r#"{{"skeleton": {{"spine": "4.2.43", "hash": "ASNFZ4mrze8"}}, "bones": [{{"name": "a", {bone}}}]}}"#
        ));
    }
}
