//! Documents that cannot be written, or only just.

#[cfg(test)]
use super::{difference, document, parsed, written};

/// A skeleton of a version, with more members.
pub fn skeleton(version: &str, members: &str) -> String {
    format!(
        r#"{{"skeleton": {{"spine": "{version}"}}, "bones": [{{"name": "a"}}, {{"name": "b", "parent": "a"}}],
        "slots": [{{"name": "s", "bone": "a"}}, {{"name": "t", "bone": "b"}}]{members}}}"#
    )
}

/// A skeleton with an attachment `x` of slot `s`.
pub fn attached(version: &str, attachment: &str) -> String {
    let skin = format!(r#"{{"name": "default", "attachments": {{"s": {{"x": {attachment}}}}}}}"#);
    skeleton(version, &format!(r#", "skins": [{skin}]"#))
}

/// A skeleton with an animation `n/m`.
pub fn animated(version: &str, animation: &str) -> String {
    skeleton(version, &format!(r#", "animations": {{"n/m": {{{animation}}}}}"#))
}

/// Asserts that the document is read back unchanged.
pub fn assert_kept(json: &str) {
    let bytes = written(json).unwrap_or_else(|error| panic!("{error}: {json}")).bytes;
    let again = document(&bytes).unwrap_or_else(|| panic!("it cannot be read: {json}"));
    if let Some(difference) = difference(parsed(json), again) {
        panic!("{difference}\n{json}");
    }
}

const VERSIONS: [&str; 4] = ["3.8.99", "4.0.64", "4.1.24", "4.2.43"];
const WITH_4_3: [&str; 5] = ["3.8.99", "4.0.64", "4.1.24", "4.2.43", "4.3.00"];

#[test]
fn unknown_names_are_errors_with_their_place() {
    let name = "missing-name";
    for version in VERSIONS {
        for (json, place) in [
            (skeleton(version, r#", "ik": [{"name": "i", "bones": ["a", "z"], "target": "b"}]"#), "/ik/0/bones/1"),
            (skeleton(version, r#", "ik": [{"name": "i", "bones": ["a"], "target": "z"}]"#), "/ik/0/target"),
            (
                skeleton(version, r#", "transform": [{"name": "i", "bones": [], "target": "z"}]"#),
                "/transform/0/target",
            ),
            (skeleton(version, r#", "path": [{"name": "i", "bones": ["a"], "target": "a"}]"#), "/path/0/target"),
            (skeleton(version, r#", "skins": [{"name": "k", "bones": ["z"]}]"#), "/skins/0/bones/0"),
            (skeleton(version, r#", "skins": [{"name": "k", "path": ["z"]}]"#), "/skins/0/path/0"),
            (
                skeleton(version, r#", "skins": [{"name": "k", "attachments": {"z": {}}}]"#),
                "/skins/0/attachments/z",
            ),
            (attached(version, r#"{"type": "clipping", "end": "z"}"#), "/skins/0/attachments/s/x/end"),
            (animated(version, r#""bones": {"z/": {"scale": [{}]}}"#), "/animations/n~1m/bones/z~1"),
            (animated(version, r#""slots": {"a": {"attachment": [{}]}}"#), "/animations/n~1m/slots/a"),
            (animated(version, r#""ik": {"a": [{}]}"#), "/animations/n~1m/ik/a"),
            (animated(version, r#""transform": {"a": [{}]}"#), "/animations/n~1m/transform/a"),
            (animated(version, r#""path": {"a": {"mix": [{}]}}"#), "/animations/n~1m/path/a"),
            (animated(version, r#""events": [{"name": "e"}]"#), "/animations/n~1m/events/0/name"),
            (
                animated(version, r#""drawOrder": [{"offsets": [{"slot": "z"}]}]"#),
                "/animations/n~1m/drawOrder/0/offsets/0/slot",
            ),
        ] {
            assert_eq!(written(&json).unwrap_err(), format!("{name} {place}"));
        }
    }
    let physics = animated("4.2.43", r#""physics": {"a": {"mix": [{}]}}"#);
    assert_eq!(written(&physics).unwrap_err(), "missing-name /animations/n~1m/physics/a");
    let skin = attached("4.2.43", r#"{"type": "linkedmesh", "parent": "x", "skin": "z"}"#);
    assert_eq!(written(&skin).unwrap_err(), "missing-name /skins/0/attachments/s/x/skin");
    let deform = animated("4.0.64", r#""deform": {"k": {"s": {"x": [{}]}}}"#);
    assert_eq!(written(&deform).unwrap_err(), "missing-name /animations/n~1m/deform/k");
    let deform = animated("4.2.43", r#""attachments": {"k": {"s": {"x": {"deform": [{}]}}}}"#);
    assert_eq!(written(&deform).unwrap_err(), "missing-name /animations/n~1m/attachments/k");
}

#[test]
fn unknown_names_of_4_3_are_errors_with_their_place() {
    let list = |constraints: &str| skeleton("4.3.00", &format!(r#", "constraints": [{constraints}]"#));
    for (json, place) in [
        (list(r#"{"type": "ik", "name": "i", "bones": ["a", "z"], "target": "b"}"#), "/constraints/0/bones/1"),
        (list(r#"{"type": "transform", "name": "t", "bones": [], "source": "z"}"#), "/constraints/0/source"),
        (list(r#"{"type": "path", "name": "p", "bones": ["a"], "slot": "a"}"#), "/constraints/0/slot"),
        (list(r#"{"type": "slider", "name": "l", "animation": "z"}"#), "/constraints/0/animation"),
        (
            list(r#"{"type": "slider", "name": "l", "animation": "z", "bone": "a", "property": "z"}"#),
            "/constraints/0/property",
        ),
        (skeleton("4.3.00", r#", "skins": [{"name": "k", "slider": ["z"]}]"#), "/skins/0/slider/0"),
        (animated("4.3.00", r#""slider": {"z": {"time": [{}]}}"#), "/animations/n~1m/slider/z"),
        (
            animated("4.3.00", r#""drawOrderFolder": [{"slots": ["s", "z"], "keys": [{}]}]"#),
            "/animations/n~1m/drawOrderFolder/0/slots/1",
        ),
        (
            animated(
                "4.3.00",
                r#""drawOrderFolder": [{"slots": ["s"], "keys": [{}, {"offsets": [{"slot": "t"}]}]}]"#,
            ),
            "/animations/n~1m/drawOrderFolder/0/keys/1/offsets/0/slot",
        ),
    ] {
        assert_eq!(written(&json).unwrap_err(), format!("missing-name {place}"));
    }
    let many = format!(r#"{{"{}": {{}}}}"#, ["x"; 8].join(r#"": {}, ""#));
    let json = list(&format!(
        r#"{{"type": "transform", "name": "t", "bones": [], "source": "a", "properties": {many}}}"#
    ));
    assert_eq!(written(&json).unwrap_err(), "too-many /constraints/0/properties");
}

#[test]
fn a_version_without_binary_form_is_an_error() {
    let json = r#"{"skeleton": {"spine": "3.6.53"}, "bones": [{"name": "a"}]}"#;
    let limits = crate::limits::Limits::default();
    let mut budget = crate::limits::Budget::new(&limits);
    let root = crate::formats::spine::read::read(json.as_bytes(), &mut budget, &mut Default::default()).unwrap();
    let error = super::write(&root).unwrap_err();
    assert_eq!(error.code(), "spine-binary");
}

#[test]
fn bones_form_one_tree() {
    for version in WITH_4_3 {
        let bones = |bones: &str| format!(r#"{{"skeleton": {{"spine": "{version}"}}, "bones": [{bones}]}}"#);
        let two_roots = bones(r#"{"name": "a"}, {"name": "b"}"#);
        assert_eq!(written(&two_roots).unwrap_err(), "bad-parent /bones/1");
        let backwards = bones(r#"{"name": "a", "parent": "b"}, {"name": "b", "parent": "a"}"#);
        assert_eq!(written(&backwards).unwrap_err(), "bad-parent /bones/0/parent");
    }
}

#[test]
fn broken_lists_are_errors_with_their_place() {
    let at = |field: &str| format!("/skins/0/attachments/s/x/{field}");
    for version in WITH_4_3 {
        let mesh = |list: &str| attached(version, &format!(r#"{{"type": "mesh", {list}}}"#));
        for (list, error) in [
            (r#""uvs": [0, 0, 0]"#, format!("vertex-count {}", at("uvs"))),
            (r#""uvs": [0, 0], "vertices": [1]"#, format!("weights {}", at("vertices/0"))),
            (r#""uvs": [0, 0], "vertices": [1, 2, 0, 0, 1]"#, format!("weights {}", at("vertices/1"))),
            (r#""uvs": [0, 0], "vertices": [0, 2, 0, 0, 1]"#, format!("weights {}", at("vertices/0"))),
            (r#""uvs": [0, 0], "vertices": [1, 0, 0, 0, 1, 5]"#, format!("weights {}", at("vertices/5"))),
            (r#""uvs": [0, 0], "vertices": [1e9, 0, 0, 0, 1]"#, format!("weights {}", at("vertices/0"))),
        ] {
            assert_eq!(written(&mesh(list)).unwrap_err(), error);
        }
        let color = attached(version, r#"{"color": "red"}"#);
        assert_eq!(written(&color).unwrap_err(), format!("bad-color {}", at("color")));
    }
    let partial = attached("4.2.43", r#"{"type": "mesh", "triangles": [0, 1]}"#);
    assert_eq!(written(&partial).unwrap_err(), format!("partial-triangle {}", at("triangles")));
}

#[test]
fn broken_keys_are_errors_with_their_place() {
    for version in ["4.0.64", "4.1.24", "4.2.43"] {
        let curve = r#""bones": {"a": {"scale": [{"curve": [0, 0, 1, 1]}, {"time": 1}]}}"#;
        let error = written(&animated(version, curve)).unwrap_err();
        assert_eq!(error, "curve-length /animations/n~1m/bones/a/scale/0/curve");
        let color = r#""slots": {"s": {"rgba2": [{"light": "ffffffff"}]}}"#;
        let error = written(&animated(version, color)).unwrap_err();
        assert_eq!(error, "bad-color /animations/n~1m/slots/s/rgba2/0/dark");
        // The curve of the last key leads nowhere.
        assert_kept(&animated(version, r#""bones": {"a": {"scale": [{"curve": [0, 0, 1, 1]}]}}"#));
    }
    let ik = r#", "ik": [{"name": "i", "bones": ["a"], "target": "b"}],
        "animations": {"n": {"ik": {"i": [{"curve": [0, 0, 1, 1]}, {"time": 1}]}}}"#;
    for version in ["4.0.64", "4.2.43"] {
        assert_eq!(written(&skeleton(version, ik)).unwrap_err(), "curve-length /animations/n/ik/i/0/curve");
    }
    let index = r#", "skins": [{"name": "default", "attachments": {"s": {"x": {"width": 1, "height": 1}}}}],
        "animations": {"n": {"attachments": {"default": {"s": {"x": {"sequence": [{"index": 200000000}]}}}}}}"#;
    let error = written(&skeleton("4.1.24", index)).unwrap_err();
    assert_eq!(error, "too-many /animations/n/attachments/default/s/x/sequence/0/index");
}

#[test]
fn numbers_that_do_not_fit_are_errors() {
    for version in VERSIONS {
        let ik = |order: i64| {
            skeleton(
                version,
                &format!(r#", "ik": [{{"name": "i", "order": {order}, "bones": ["a"], "target": "b"}}]"#),
            )
        };
        assert_eq!(written(&ik(1 << 40)).unwrap_err(), "too-many /ik/0/order");
        assert_kept(&ik(-1));
        let offset = r#""drawOrder": [{"offsets": [{"slot": "s", "offset": 9000000000}]}]"#;
        let error = written(&animated(version, offset)).unwrap_err();
        assert_eq!(error, "draw-order /animations/n~1m/drawOrder/0/offsets/0/offset");
        assert_kept(&animated(version, r#""drawOrder": [{"offsets": [{"slot": "t", "offset": -1}]}]"#));
    }
    let path = r#", "path": [{"name": "i", "bones": ["a"], "target": "s", "spacingMode": "proportional"}]"#;
    // With a key that only 3.8 has, it is a file of that version.
    let of_3_8 = path.replace("\"spacingMode\"", "\"rotateMix\": 0.5, \"spacingMode\"");
    assert_eq!(written(&skeleton("3.8.99", &of_3_8)).unwrap_err(), "skel-value /path/0/spacingMode");
    assert_kept(&skeleton("4.0.64", path));
}

#[test]
fn large_meshes_are_written_where_indices_have_room() {
    let count = 70_000;
    let list = |text: &str, count: usize| vec![text; count].join(",");
    let mesh = format!(
        r#"{{"type": "mesh", "uvs": [{}], "vertices": [{}], "triangles": [0, 1, 69999], "width": 1, "height": 1}}"#,
        list("0.5", 2 * count),
        list("7", 2 * count)
    );
    for version in &VERSIONS[..3] {
        let error = written(&attached(version, &mesh)).unwrap_err();
        assert_eq!(error, "too-many /skins/0/attachments/s/x/triangles/2");
    }
    assert_kept(&attached("4.2.43", &mesh));
}

#[test]
fn empty_documents_and_lists_are_written() {
    for version in WITH_4_3 {
        assert_kept(&format!(r#"{{"skeleton": {{"spine": "{version}"}}}}"#));
        for animation in [
            "",
            r#""bones": {"a": {}, "b": {"rotate": []}}, "slots": {"s": {"attachment": []}}"#,
            r#""drawOrder": [{}], "events": [], "bones": {}"#,
            r#""slots": {"s": {"attachment": [{"time": 1}, {"time": 0.5, "name": "?"}, {"time": 0.5}]}}"#,
        ] {
            assert_kept(&animated(version, animation));
        }
        for skins in [
            "",
            r#"{"name": "default"}"#,
            r#"{"name": "k"}, {"name": "default", "attachments": {}}"#,
            r#"{"name": "k"}, {"name": "default", "attachments": {"s": {}, "t": {"x": {"width": 1, "height": 2}}}}"#,
        ] {
            assert_kept(&skeleton(version, &format!(r#", "skins": [{skins}]"#)));
        }
        for attachment in [
            r#"{"type": "boundingbox"}"#,
            r#"{"type": "path", "closed": true}"#,
            r#"{"type": "path", "vertexCount": 6, "vertices": [1,2,3,4,5,6,7,8,9,10,11,12], "lengths": [4]}"#,
            r#"{"type": "point", "name": ""}"#,
            r#"{"type": "clipping", "color": "nonsense"}"#,
        ] {
            assert_kept(&attached(version, attachment));
        }
    }
}

#[test]
fn skins_keep_their_numbers() {
    // The default skin is written first, and not at all if it is empty.
    let mesh =
        r#"{"type": "mesh", "uvs": [0,0,1,0,1,1], "triangles": [0,1,2], "vertices": [0,0,9,0,9,9], "hull": 3}"#;
    for default in ["{}", &format!(r#"{{"s": {{"x": {mesh}}}}}"#)] {
        for (version, group, link) in [
            ("3.8.99", "deform", r#"[{"time": 1}]"#),
            ("4.0.64", "deform", r#"[{"time": 1}]"#),
            ("4.1.24", "attachments", r#"{"deform": [{"time": 1}]}"#),
            ("4.2.43", "attachments", r#"{"deform": [{"time": 1}]}"#),
            ("4.3.00", "attachments", r#"{"deform": [{"time": 1}]}"#),
        ] {
            let parent = if version == "4.3.00" { "source" } else { "parent" };
            assert_kept(&skeleton(
                version,
                &format!(
                    r#", "skins": [{{"name": "k", "attachments": {{"s": {{"y": {{"type": "linkedmesh", "skin": "l",
                    "{parent}": "x"}}}}}}}}, {{"name": "default", "attachments": {default}}},
                    {{"name": "l", "attachments": {{"s": {{"x": {mesh}}}}}}}],
                    "animations": {{"n": {{"{group}": {{"l": {{"s": {{"x": {link}}}}}}}}}}}"#
                ),
            ));
        }
    }
}
