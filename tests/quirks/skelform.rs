//! Quirks of SkelForm files: a small character in an archive, with changes.

use pchr::formats::ReadOptions;

use super::{Fixture, PNG, folder};
use crate::common::zip::{Entry, zip};

/// One bone with one image.
const TINY: &str = r#"{
  "version": "0.7.0",
  "bones": [{"id": 0, "name": "root", "parent_id": -1, "pos": {"x": 1, "y": 2}, "visuals_id": 0}],
  "visuals": [{"tex": "box", "zindex": 0}],
  "animations": [{
    "name": "go",
    "fps": 10,
    "keyframes": [{"frame": 0, "bone_id": 0, "element": "PositionX", "value": 3}]
  }],
  "atlases": [{"filename": "atlas0.png", "size": {"x": 1, "y": 1}}],
  "styles": [{"name": "Default", "textures": [{"name": "box", "size": {"x": 1, "y": 1}, "atlas_idx": 0}]}]
}
"#;

/// Fields of a visual: a mesh with a bind without a bone.
const MESH: &str = r#""zindex": 0,
    "vertices": [
      {"pos": {"x": 0, "y": 0}, "uv": {"x": 0, "y": 0}},
      {"pos": {"x": 1, "y": 0}, "uv": {"x": 1, "y": 0}},
      {"pos": {"x": 0, "y": 1}, "uv": {"x": 0, "y": 1}}
    ],
    "indices": [0, 1, 2],
    "binds": [{"bone_id": -1, "verts": [{"id": 0, "weight": 1}]}]"#;

/// An IK family whose bone is its own target.
const FAMILY: &str = r#""inverse_kinematics": [{"target_id": 0, "bone_ids": [0]}]"#;

/// An arm of two bones and a hand that reaches for `goal`, a tail with physics, and three styles: the box is 20
/// pixels wide in `Hat`, 30 in `Coat`, and 40 in `Default`, which is active.
const PUPPET: &str = r#"{
  "version": "0.7.0",
  "bones": [
    {"id": 0, "name": "root", "parent_id": -1, "visuals_id": 0},
    {"id": 1, "name": "upper", "parent_id": 0, "pos": {"x": 0, "y": 20}, "ik_family_id": 0},
    {"id": 2, "name": "lower", "parent_id": 1, "pos": {"x": 40, "y": 0}, "rot": 0.5, "ik_family_id": 0},
    {"id": 3, "name": "hand", "parent_id": 2, "pos": {"x": 40, "y": 0}, "ik_family_id": 0, "visuals_id": 1},
    {"id": 4, "name": "goal", "parent_id": 0, "pos": {"x": 50, "y": 50}},
    {"id": 5, "name": "tail", "parent_id": 0, "pos": {"x": -30, "y": 0}, "visuals_id": 2, "physics_id": 0}
  ],
  "visuals": [{"tex": "box", "zindex": 0}, {"tex": "box", "zindex": 1}, {"tex": "box", "zindex": 2}],
  "inverse_kinematics": [
    {"id": 0, "constraint": "None", "mode": "FABRIK", "target_id": 4, "bone_ids": [1, 2, 3]}
  ],
  "physics": [{"global_pos": {"x": 0, "y": 0}, "pos_damping": 12, "pos_ratio": 0}],
  "animations": [
    {"name": "go", "fps": 24, "keyframes": [
      {"frame": 0, "bone_id": 0, "element": "PositionX", "value": 0},
      {"frame": 0, "bone_id": 4, "element": "PositionY", "value": 50},
      {"frame": 12, "bone_id": 0, "element": "PositionX", "value": 80},
      {"frame": 23, "bone_id": 0, "element": "PositionX", "value": 0},
      {"frame": 23, "bone_id": 4, "element": "PositionY", "value": 80}
    ]},
    {"name": "stay", "fps": 24, "keyframes": [
      {"frame": 0, "bone_id": 0, "element": "PositionX", "value": 5},
      {"frame": 11, "bone_id": 0, "element": "PositionX", "value": 5}
    ]}
  ],
  "atlases": [{"filename": "atlas0.png", "size": {"x": 1, "y": 1}}],
  "styles": [
    {"name": "Hat", "textures": [{"name": "box", "size": {"x": 20, "y": 20}, "atlas_idx": 0}]},
    {"name": "Coat", "textures": [{"name": "box", "size": {"x": 30, "y": 30}, "atlas_idx": 0}]},
    {"name": "Default", "textures": [{"name": "box", "size": {"x": 40, "y": 40}, "atlas_idx": 0}]}
  ]
}
"#;

/// Returns the archive of [`PUPPET`].
pub fn puppet() -> Vec<u8> {
    puppet_with("")
}

/// Returns the archive of [`PUPPET`] with further animations, each followed by a comma.
pub fn puppet_with(animations: &str) -> Vec<u8> {
    let before = "\"animations\": [";
    let text = PUPPET.replace(before, &format!("{before}{animations}"));
    zip(&[Entry::stored("armature.json", text.as_bytes()), Entry::stored("atlas0.png", PNG)])
}

const JPEG: &[u8] = include_bytes!("../fixtures/skelform/pictures/red-and-green.jpg");

/// Returns all fixtures.
pub fn fixtures() -> Vec<Fixture> {
    let picture = || Entry::stored("atlas0.png", PNG);
    let text = |text: &str| Entry::stored("armature.json", text.as_bytes());
    let changed = |from: &str, to: &str| {
        assert!(TINY.contains(from), "`{from}`");
        zip(&[text(&TINY.replace(from, to)), picture()])
    };
    let and = |entry: Entry| zip(&[text(TINY), picture(), entry]);
    let plain = || zip(&[text(TINY), picture()]);
    let cut = |by: usize| plain()[..plain().len() - by].to_vec();
    let all = [
        ("plain", plain()),
        ("puppet", puppet()),
        ("armature-missing", zip(&[picture()])),
        ("archive-cut", cut(10)),
        (
            "before-0.2",
            zip(&[text(r#"{"texture_size": {"x": 1, "y": 1}, "armature": {"bones": []}}"#), picture()]),
        ),
        ("before-0.2-armatures", zip(&[text(r#"{"armatures": [{"bones": []}]}"#)])),
        (
            "one-picture-and-no-atlases",
            zip(&[
                text(
                    &TINY
                        .replace("0.7.0", "0.2.0")
                        .replace(
                            r#"  "atlases": [{"filename": "atlas0.png", "size": {"x": 1, "y": 1}}],
"#,
                            "",
                        )
                        .replace(r#", "atlas_idx": 0"#, ""),
                ),
                Entry::stored("textures.png", PNG),
            ]),
        ),
        ("element-unknown", changed("PositionX", "Glow")),
        ("entry-encrypted", and(Entry { flags: 1, ..Entry::stored("secret", b"") })),
        ("entry-leads-out", and(Entry::stored("../atlas0.png", PNG))),
        ("entry-twice", and(picture())),
        ("picture-is-jpeg-cut", zip(&[text(TINY), Entry::stored("atlas0.png", &JPEG[..50])])),
        (
            "animations-of-one-name",
            changed(r#""animations": [{"#, r#""animations": [{"name": "go", "fps": 10, "keyframes": []}, {"#),
        ),
        (
            "atlas-unused",
            changed(r#""atlases": ["#, r#""atlases": [{"filename": "atlas0.png", "size": {"x": 1, "y": 1}}, "#),
        ),
        ("bind-without-bone", changed(r#""zindex": 0"#, MESH)),
        ("family-of-one-bone", changed(r#""styles""#, &format!(r#"{FAMILY}, "styles""#))),
        (
            "family-without-target",
            changed(
                r#""styles""#,
                &format!(r#"{}, "styles""#, FAMILY.replace("[0]", "[0, 0]").replace(": 0", ": -1")),
            ),
        ),
        (
            "order-equal",
            zip(&[
                text(
                    &TINY
                        .replace(
                            r#""visuals_id": 0}"#,
                            r#""visuals_id": 0}, {"id": 1, "name": "hat", "visuals_id": 1}"#,
                        )
                        .replace(r#""zindex": 0}"#, r#""zindex": 0}, {"tex": "box", "zindex": 0}"#),
                ),
                picture(),
            ]),
        ),
        (
            "texture-in-no-style",
            changed(r#""element": "PositionX", "value": 3"#, r#""element": "Texture", "value_str": "hat""#),
        ),
        (
            "texture-unused",
            changed(
                r#""textures": ["#,
                r#""textures": [{"name": "hat", "size": {"x": 1, "y": 1}, "atlas_idx": 0}, "#,
            ),
        ),
    ];
    let fixture = |(name, bytes)| Fixture {
        folder: folder("skelform").join("quirks").join(name),
        input: "input.skf",
        files: vec![("input.skf", bytes)],
        options: ReadOptions::default(),
    };
    all.map(fixture).into()
}
