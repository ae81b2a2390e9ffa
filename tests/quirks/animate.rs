//! Quirks of Adobe Animate's texture atlases: a small atlas with changes.

use pchr::formats::ReadOptions;

use super::{Fixture, folder};
use crate::common::zip::{Entry, zip};

/// A box that is cut by a mask, beside a symbol of two frames.
const TINY: &str = r##"{"AN": {"N": "tiny", "SN": "main", "TL": {"L": [
  {"LN": "labels", "FR": [{"N": "go", "I": 0, "DU": 2, "E": []}, {"N": "stop", "I": 2, "DU": 1, "E": []}]},
  {"LN": "hole", "LT": "Clp", "FR": [{"I": 0, "DU": 3, "E": [{"ASI": {"N": "0000", "MX": [1, 0, 0, 1, 0, 0]}}]}]},
  {"LN": "box", "Clpb": "hole", "FR": [{"I": 0, "DU": 3, "E": [{"ASI": {"N": "0000", "MX": [2, 0, 0, 2, 0, 0]}}]}]},
  {"LN": "arm", "FR": [{"I": 0, "DU": 3, "E": [
    {"SI": {"SN": "arm", "IN": "left", "ST": "G", "FF": 0, "LP": "LP", "MX": [0, 1, -1, 0, 5, 5]}},
    {"SI": {"SN": "arm", "ST": "MC", "MX": [1, 0, 0.5, 1, 9, 9], "C": {"M": "T", "TC": "#ff0000", "TM": 0.5}, "B": 0}}
  ]}]}
]}},
"SD": {"S": [{"SN": "arm", "TL": {"L": [{"LN": "Layer_1", "FR": [
  {"I": 0, "DU": 1, "E": [{"ASI": {"N": "0000", "MX": [1, 0, 0, 1, 0, 0]}}]},
  {"I": 1, "DU": 1, "E": [{"ASI": {"N": "0001", "MX": [1, 0, 0, 1, 0, 0]}}]}
]}]}}]},
"MD": {"FRT": 12}}
"##;

const SPRITEMAP: &str = r#"{"ATLAS": {"SPRITES": [
{"SPRITE": {"name": "0000", "x": 0, "y": 0, "w": 2, "h": 2, "rotated": false}},
{"SPRITE": {"name": "0001", "x": 2, "y": 0, "w": 2, "h": 1, "rotated": true}}]},
"meta": {"app": "Adobe Animate", "version": "24.0.0.1", "image": "spritemap1.png", "format": "RGBA8888", "size": {"w": 4, "h": 2}, "resolution": "1"}}
"#;

/// Returns the text of an atlas.
pub fn animation() -> Vec<u8> {
    TINY.into()
}

/// Returns the text of an atlas whose main timeline has one frame, and shows a symbol of two frames only as a mask.
pub fn masked() -> String {
    let (_, symbols) = TINY.split_once("\"SD\"").expect("symbols");
    let main = r#"{"AN": {"N": "tiny", "SN": "main", "TL": {"L": [
        {"LN": "hole", "LT": "Clp", "FR": [{"I": 0, "DU": 1, "E": [{"SI": {"SN": "arm", "ST": "MC", "MX": [1, 0, 0, 1, 0, 0]}}]}]},
        {"LN": "box", "Clpb": "hole", "FR": [{"I": 0, "DU": 1, "E": [{"ASI": {"N": "0000", "MX": [2, 0, 0, 2, 0, 0]}}]}]}]}},"#;
    format!("{main}\"SD\"{symbols}")
}

/// Returns all fixtures.
pub fn fixtures() -> Vec<Fixture> {
    let all = |animation: String, spritemap: String| {
        vec![
            ("Animation.json", animation.into_bytes()),
            ("spritemap1.json", spritemap.into_bytes()),
            ("spritemap1.png", super::sheet::picture()),
        ]
    };
    let changed = |from: &str, to: &str| {
        assert!(TINY.contains(from), "`{from}`");
        all(TINY.replace(from, to), SPRITEMAP.into())
    };
    let with_map = |from: &str, to: &str| {
        assert!(SPRITEMAP.contains(from), "`{from}`");
        all(TINY.into(), SPRITEMAP.replace(from, to))
    };
    let arm = r#"{"ASI": {"N": "0001", "MX": [1, 0, 0, 1, 0, 0]}}"#;
    let deep: String = (0..70)
        .map(|depth| {
            let inner = format!(r#"{{"SI": {{"SN": "{}", "ST": "G", "MX": [1, 0, 0, 1, 1, 0]}}}}"#, depth + 1);
            let keys = format!(r#"{{"I": 0, "DU": 1, "E": [{inner}]}}"#);
            format!(r#"{{"SN": "{depth}", "TL": {{"L": [{{"LN": "x", "FR": [{keys}]}}]}}}}, "#)
        })
        .collect();
    let deep = format!(r#"{{"S": [{deep}{{"SN": "70", "TL": {{"L": []}}}}, "#);
    let in_zip: Vec<_> = ["Animation.json", "spritemap1.json", "spritemap1.png"].into();
    let of_zip = zip(&in_zip
        .iter()
        .zip(all(TINY.into(), SPRITEMAP.into()))
        .map(|(name, (_, bytes))| (format!("hero/{name}"), bytes))
        .collect::<Vec<_>>()
        .iter()
        .map(|(name, bytes)| Entry::stored(name, bytes))
        .collect::<Vec<_>>());
    let cases = [
        ("plain", all(TINY.into(), SPRITEMAP.into())),
        ("blend-overlay", changed(r#""B": 0"#, r#""B": 11"#)),
        ("colour-beyond-tint", changed(r##""M": "T", "TC": "#ff0000", "TM": 0.5"##, r#""M": "AD", "RM": 2"#)),
        ("colour-invalid", changed("#ff0000", "red")),
        ("element-far-away", changed("9, 9]", "-107374182.4, -107374182.4]")),
        ("filter-list", changed(r#""B": 0"#, r#""F": [{"N": "BLF", "BLX": 4}]"#)),
        ("json-cut", all(TINY[..TINY.len() / 2].into(), SPRITEMAP.into())),
        ("keyframe-effects", changed(
            r#"{"I": 1, "DU": 1,"#,
            r#"{"I": 1, "DU": 1, "C": {"M": "CA", "AM": 0.5}, "SND": {"N": "step"},"#,
        )),
        ("keyframes-with-gap", changed(r#""I": 1, "DU": 1"#, r#""I": 3, "DU": 1"#)),
        ("loop-mode-unknown", changed(r#""LP": "LP""#, r#""LP": "LPR""#)),
        ("mask-in-mask", changed(
            arm,
            r#"{"SI": {"SN": "inner", "ST": "G", "MX": [1, 0, 0, 1, 0, 0]}}"#,
        ).into_iter().map(|(name, bytes)| match name {
            "Animation.json" => (name, String::from_utf8(bytes).unwrap().replace(
                r#"{"S": ["#,
                r#"{"S": [{"SN": "inner", "TL": {"L": [
                {"LN": "m", "LT": "Clp", "FR": [{"I": 0, "DU": 1, "E": [{"ASI": {"N": "0000", "MX": [1, 0, 0, 1, 0, 0]}}]}]},
                {"LN": "b", "Clpb": "m", "FR": [{"I": 0, "DU": 1, "E": [{"ASI": {"N": "0000", "MX": [3, 0, 0, 3, 0, 0]}}]}]}]}}, "#,
            ).replace(r#""LN": "arm", "FR""#, r#""LN": "arm", "Clpb": "hole", "FR""#).into_bytes()),
            _ => (name, bytes),
        }).collect()),
        ("mask-of-several-frames", all(masked(), SPRITEMAP.into())),
        ("mask-transparent", with_map(r#""name": "0000", "x": 0, "y": 0, "w": 2, "h": 2"#, r#""name": "0000", "x": 3, "y": 0, "w": 1, "h": 1"#)),
        ("matrix-3d", changed(
            r#""MX": [0, 1, -1, 0, 5, 5]"#,
            r#""M3D": [1, 0, 0.5, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 5, 0, 1]"#,
        )),
        ("matrix-of-5", changed("[0, 1, -1, 0, 5, 5]", "[0, 1, -1, 0, 5]")),
        ("resolution-2", with_map(r#""resolution": "1""#, r#""resolution": "2""#)),
        ("sprite-missing", changed(r#""N": "0001""#, r#""N": "0007""#)),
        ("sprite-outside", with_map(r#""x": 2, "y": 0, "w": 2"#, r#""x": 3, "y": 0, "w": 2"#)),
        ("spritemap-missing", vec![("Animation.json", TINY.into())]),
        ("symbol-in-itself", changed(arm, r#"{"SI": {"SN": "arm", "ST": "G", "MX": [1, 0, 0, 1, 0, 0]}}"#)),
        ("symbol-missing", changed(r#""SN": "arm", "IN""#, r#""SN": "leg", "IN""#)),
        ("symbol-too-deep", changed(r#"{"S": ["#, &deep).into_iter().map(|(name, bytes)| match name {
            "Animation.json" => (name, String::from_utf8(bytes).unwrap().replace(r#""SN": "arm", "IN""#, r#""SN": "0", "IN""#).into_bytes()),
            _ => (name, bytes),
        }).collect()),
        ("symbol-twice", changed(r#"{"S": ["#, r#"{"S": [{"SN": "arm", "TL": {"L": []}}, "#)),
        ("text-field", changed(arm, r#"{"TFI": {"TXT": "hello"}}"#)),
    ];
    let fixture = |(name, files)| Fixture {
        folder: folder("animate").join(name),
        input: "Animation.json",
        files,
        options: ReadOptions::default(),
    };
    let archive = |name, bytes| Fixture {
        folder: folder("animate").join(name),
        input: "hero.zip",
        files: vec![("hero.zip", bytes)],
        options: ReadOptions::default(),
    };
    let below = zip(&[Entry::stored("a/b/Animation.json", TINY.as_bytes())]);
    let all = cases.into_iter().map(fixture);
    all.chain([archive("archive", of_zip), archive("archive-too-deep", below)]).collect()
}
