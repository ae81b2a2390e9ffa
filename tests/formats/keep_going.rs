//! Timelines with errors are left out with [`ReadOptions::keep_going`], and nothing else is.

use bytes::Bytes;
use pchr::convert::{self, ConvertOptions};
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::diff::{Options, Side, compare};
use pchr::formats::table::target;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions, examine, from_input};
use pchr::{Character, Result};
use serde_json::{Value, json};

use crate::quirks::skelform::puppet_with;
use crate::quirks::spine::SKELETON;

const OF_4_3: &str = r#"{
  "skeleton": {"spine": "4.3.05"}, "bones": [{"name": "root"}],
  "slots": [{"name": "body", "bone": "root", "attachment": "body"}, {"name": "hat", "bone": "root", "attachment": "hat"}],
  "skins": [{"name": "default", "attachments": {
    "body": {"body": {"type": "mesh", "width": 4, "height": 4, "uvs": [0, 0, 1, 0, 1, 1], "triangles": [0, 1, 2],
      "vertices": [0, 0, 4, 0, 4, 4], "hull": 3}},
    "hat": {"hat": {"width": 2, "height": 2}}
  }}],
  "events": {"step": {}},
  "animations": {"wave": {
    "events": [{"time": 2, "name": "step"}, {"time": 3, "name": "step"}],
    "attachments": {"default": {"body": {"body": {"deform": [{"vertices": [1, 2]}, {"time": 1}]}}}},
    "drawOrderFolder": [{"slots": ["body", "hat"], "keys": [{"time": 0.5, "offsets": [{"slot": "body", "offset": 1}]}]}]
  }}
}"#;

fn input(bytes: &Bytes) -> Input<'_> {
    Input { bytes: bytes.clone(), sidecars: NO_SIDECARS }
}

fn read(text: &str, keep_going: bool) -> (Result<Character>, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let options = ReadOptions { keep_going, ..ReadOptions::default() };
    let read = from_input(&input(&Bytes::copy_from_slice(text.as_bytes())), &options, &mut diagnostics);
    (read, diagnostics)
}

/// Returns a document without the item at a JSON pointer.
fn without(text: &str, pointer: &str) -> String {
    let mut document: Value = serde_json::from_str(text).expect("JSON");
    let (above, key) = pointer.rsplit_once('/').expect("a pointer");
    match document.pointer_mut(above).expect("it is there") {
        Value::Array(list) => _ = list.remove(key.parse().expect("an index")),
        object => _ = object.as_object_mut().expect("an object").remove(key).expect("it is there"),
    }
    document.to_string()
}

#[track_caller]
fn assert_same(a: &Character, b: &Character, what: &str) {
    let diff = compare(Side { character: a, file: "a" }, Side { character: b, file: "b" }, &Options::default());
    let diff = diff.expect("both can be posed");
    assert!(diff.is_empty(), "{what}: {diff}");
}

/// Replaces `right` by `wrong` in the animations of `text`, which has an error at `place` then. What is left out is at
/// `left_out`.
#[track_caller]
fn assert_left_out(text: &str, [right, wrong]: [&str; 2], place: &str, left_out: &str, suggestion: &str) {
    let (head, animations) = text.split_once("\"animations\"").expect("animations");
    assert!(animations.contains(right), "{right}");
    let torn = format!("{head}\"animations\"{}", animations.replacen(right, wrong, 1));
    let (refused, _) = read(&torn, false);
    let error = refused.expect_err(wrong);
    assert_eq!(error.place().map(|place| &*place.path), Some(place));
    assert!(error.to_string().contains(suggestion), "{error}");
    let (opened, found) = read(&torn, true);
    let opened = opened.unwrap_or_else(|error| panic!("{error}"));
    let errors: Vec<_> = found.with_severity(Severity::Error).map(ToString::to_string).collect();
    assert_eq!((errors, found.errors()), (vec![error.to_string()], 1));
    let expected = read(&without(&torn, left_out), false).0.unwrap_or_else(|error| panic!("{error}"));
    assert_same(&expected, &opened, left_out);
    // Validation is as strict as ever.
    let torn = Bytes::from(torn);
    for keep_going in [false, true] {
        let options = ReadOptions { keep_going, ..ReadOptions::default() };
        let examined = examine(&input(&torn), &options).expect("it can be examined");
        assert!(examined.with_severity(Severity::Error).any(|fault| fault.to_string() == error.to_string()));
    }
    for to in ["spine38", "spine42", "spine43", "pchr"] {
        let to = target(to).expect("a target");
        let converted = |keep_going| {
            let read = ReadOptions { keep_going, ..ReadOptions::default() };
            let opened = convert::open(input(&torn), &read, &mut Diagnostics::default())?;
            let options = ConvertOptions {
                read,
                allows_missing_images: true,
                ..ConvertOptions::new(to, format!("a.{}", to.extension))
            };
            Ok::<_, pchr::Error>(opened.convert(&options).unwrap_or_else(|error| panic!("{}: {error}", to.name)))
        };
        assert_eq!(converted(false).expect_err("it is refused").to_string(), error.to_string());
        let converted = converted(true).expect("it is converted");
        if to.name.starts_with("spine") {
            let bytes = converted.files.files.last().and_then(|file| file.bytes()).expect("a file").clone();
            let back = from_input(&input(&bytes), &ReadOptions::default(), &mut Diagnostics::default());
            assert_same(&expected, &back.expect("it has no errors"), to.name);
        }
    }
}

#[test]
fn a_wrong_name_leaves_out_its_timeline() {
    let wave = "/animations/wave";
    for (names, place, left_out, suggestion) in [
        (
            ["\"slots\": {\"arm\"", "\"slots\": {\"arn\""],
            "/slots/arn",
            "",
            "no slot named `arn`; did you mean `arm`?",
        ),
        (
            ["\"bones\": {\"arm\"", "\"bones\": {\"arn\""],
            "/bones/arn",
            "",
            "no bone named `arn`; did you mean `arm`?",
        ),
        (["\"reach\"", "\"raech\""], "/ik/raech", "", "`raech`; did you mean `reach`?"),
        (["\"copy\"", "\"cpoy\""], "/transform/cpoy", "", "`cpoy`; did you mean `copy`?"),
        (["\"follow\"", "\"folow\""], "/path/folow", "", "`folow`; did you mean `follow`?"),
        // One error for all attachments.
        (["{\"default\"", "{\"gloves\""], "/deform/gloves", "", "no skin named `gloves`; did you mean `glove`?"),
        (
            ["{\"default\": {\"arm\"", "{\"default\": {\"hand\""],
            "/deform/default/hand",
            "",
            "available: `body`, `cut`",
        ),
        (
            ["{\"arm\": {\"arm\"", "{\"arm\": {\"sleve\""],
            "/deform/default/arm/sleve",
            "",
            "did you mean `sleeve`?",
        ),
        (["\"body\"", "\"bodi\""], "/drawOrder/0/offsets/0/slot", "/drawOrder/0", "did you mean `body`?"),
        (["\"step\"", "\"stop\""], "/events/0/name", "/events/0", "no event named `stop`; did you mean `step`?"),
    ] {
        let left_out = if left_out.is_empty() { place } else { left_out };
        assert_left_out(SKELETON, names, &format!("{wave}{place}"), &format!("{wave}{left_out}"), suggestion);
    }
}

#[test]
fn other_errors_in_a_timeline_leave_it_out() {
    for (parts, place, left_out) in [
        (["\"ffffff80\"", "\"white\""], "slots/arm/color/1/color", "slots/arm/color"),
        (
            ["[1, 0]", "[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"],
            "deform/default/arm/arm/0/vertices",
            "deform/default/arm/arm",
        ),
        (["\"offset\": 2", "\"offset\": 9"], "drawOrder/0/offsets/0/offset", "drawOrder/0"),
    ] {
        let at = |way| format!("/animations/wave/{way}");
        assert_left_out(SKELETON, parts, &at(place), &at(left_out), "");
    }
}

#[test]
fn timelines_of_4_3_are_left_out() {
    for (parts, place, left_out) in [
        (["3, \"name\": \"step\"", "3, \"name\": \"stop\""], "events/1/name", "events/1"),
        (["{\"body\": {\"body\"", "{\"body\": {\"bodi\""], "attachments/default/body/bodi", ""),
        (
            ["[1, 2]", "[1, 2, 3, 4, 5, 6, 7]"],
            "attachments/default/body/body/deform/0/vertices",
            "attachments/default/body/body/deform",
        ),
        (["[\"body\", \"hat\"]", "[\"body\", \"hut\"]"], "drawOrderFolder/0/slots/1", "drawOrderFolder/0"),
        (
            ["\"slot\": \"body\"", "\"slot\": \"bode\""],
            "drawOrderFolder/0/keys/0/offsets/0/slot",
            "drawOrderFolder/0/keys/0",
        ),
    ] {
        let at = |way| format!("/animations/wave/{way}");
        assert_left_out(OF_4_3, parts, &at(place), &at(if left_out.is_empty() { place } else { left_out }), "");
    }
}

#[test]
fn all_wrong_timelines_are_found_and_few_suggest_names() {
    let bones: Vec<_> = (0..1500).map(|number| json!({"name": format!("bone{number}")})).collect();
    let wrong = (0..1500).map(|number| (format!("bonne{number}"), json!({"rotate": [{}]})));
    let text = json!({
        "skeleton": {"spine": "3.8.99"}, "bones": bones,
        "animations": {"wave": {"bones": wrong.collect::<serde_json::Map<_, _>>()}},
    });
    let (opened, found) = read(&text.to_string(), true);
    assert!(opened.is_ok());
    assert_eq!(found.errors(), 1500);
    let suggested =
        found.with_severity(Severity::Error).filter(|fault| fault.message.contains("did you mean")).count();
    assert!((1..100).contains(&suggested), "{suggested}");
    // A conversion finds even those that are not stored.
    let read = ReadOptions { keep_going: true, ..ReadOptions::default() };
    let text = Bytes::from(text.to_string());
    let opened = convert::open(input(&text), &read, &mut Diagnostics::default()).expect("it is opened");
    let options = ConvertOptions { read, ..ConvertOptions::new(target("spine42").expect("a target"), "a.json") };
    assert!(opened.convert(&options).is_ok());
}

#[test]
fn errors_outside_of_animations_are_refused() {
    for (right, wrong) in [
        ("\"bone\": \"arm\"", "\"bone\": \"arn\""),
        ("\"parent\": \"arm\"", "\"parent\": \"arn\""),
        ("\"target\": \"way\"", "\"target\": \"wax\""),
        ("\"parent\": \"arm\"}\n", "\"parent\": \"leg\"}\n"),
        ("{\"mix\": 0.5}", "{\"mix\": \"half\"}"),
        ("\"wave\": {", "\"wave\": ["),
    ] {
        let torn = SKELETON.replacen(right, wrong, 1);
        assert_ne!(torn, SKELETON, "{right}");
        let [strict, going] =
            [false, true].map(|keep_going| read(&torn, keep_going).0.expect_err(wrong).to_string());
        assert_eq!(strict, going);
    }
    // A name without timelines does no harm.
    let unused = SKELETON.replace("\"deform\": {", "\"deform\": {\"gone\": {}, \"glove\": {\"gone\": {}}, ");
    assert!(read(&unused, false).0.is_ok());
    let (whole, found) = read(SKELETON, true);
    assert_eq!((whole.is_ok(), found.errors()), (true, 0));
}

#[test]
fn keys_of_skelform_for_a_bone_that_does_not_exist_are_left_out() {
    let keys = |extra: &str| {
        let animations = format!(
            r#"{{"name": "torn", "fps": 24, "keyframes": [
                {{"frame": 0, "bone_id": 0, "element": "PositionX", "value": 0}},{extra}
                {{"frame": 12, "bone_id": 0, "element": "PositionX", "value": 80}}]}},"#
        );
        Bytes::from(puppet_with(&animations))
    };
    let torn = keys(r#"{"frame": 20, "bone_id": 57, "element": "PositionX", "value": 5},"#);
    let options = ReadOptions { keep_going: true, ..ReadOptions::default() };
    let mut found = Diagnostics::default();
    let opened = from_input(&input(&torn), &options, &mut found).expect("it opens");
    let strict = from_input(&input(&torn), &ReadOptions::default(), &mut Diagnostics::default());
    let strict = strict.expect_err("it is refused").to_string();
    assert!(
        strict.contains("/animations/0/keyframes/1/bone_id") && strict.contains("bone 57 does not exist"),
        "{strict}"
    );
    let errors: Vec<_> = found.with_severity(Severity::Error).map(ToString::to_string).collect();
    assert_eq!(errors, [strict]);
    let to = target("skelform").expect("a target");
    let converted = convert::open(input(&torn), &options, &mut Diagnostics::default()).expect("it opens");
    let convert = ConvertOptions { read: options.clone(), ..ConvertOptions::new(to, "a.skf") };
    let converted = converted.convert(&convert).unwrap_or_else(|error| panic!("{error}"));
    let bytes = converted.files.files[0].bytes().expect("an archive").clone();
    let back = from_input(&input(&bytes), &ReadOptions::default(), &mut Diagnostics::default());
    assert_same(&opened, &back.expect("it has no errors"), "upgraded");
}
