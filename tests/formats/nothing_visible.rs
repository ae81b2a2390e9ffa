//! Characters of which `validate` says that nothing is ever visible, and those of which it does not.

use std::fs;
use std::path::Path;

use pchr::formats::image::encode_png;
use pchr::validate::{Checked, Options, check_file};

/// A slot that can show a red or a transparent picture, and one that can clip it.
const SKELETON: &str = r#"{
    "skeleton": {"spine": "3.8.99"},
    "bones": [{"name": "root"}],
    "slots": [{"name": "clip", "bone": "root"}, {"name": "a", "bone": "root", "attachment": "a"}],
    "skins": [{"name": "default", "attachments": {
        "clip": {"clip": {"type": "clipping", "end": "a", "vertexCount": 3, "vertices": [50, 50, 90, 50, 90, 90]}},
        "a": {"a": {"width": 8, "height": 8}, "b": {"width": 8, "height": 8}}
    }}],
    "animations": {"walk": {"bones": {"root": {"translate": [{}, {"time": 1, "x": 20}]}}}}
}"#;

/// Checks the skeleton with these replacements.
fn checked(changes: &[(&str, &str)], options: &Options) -> Checked {
    let folder = tempfile::tempdir().expect("a folder");
    let change = |text: String, (from, to): &(&str, &str)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    };
    // The left half of the page is red, the right half transparent.
    let row = [[255, 0, 0, 255].repeat(8), vec![0; 32]].concat();
    fs::write(folder.path().join("a.png"), encode_png(16, 8, &row.repeat(8)).expect("pixels")).unwrap();
    let atlas = "a.png\nsize: 16, 8\na\nbounds: 0, 0, 8, 8\nb\nbounds: 10, 0, 6, 8\n";
    fs::write(folder.path().join("a.atlas"), atlas).unwrap();
    let path = folder.path().join("a.json");
    fs::write(&path, changes.iter().fold(SKELETON.to_owned(), change)).unwrap();
    check_file(&path, options).unwrap_or_else(|error| panic!("{changes:?}: {error}"))
}

/// The message that nothing is visible.
fn message(checked: &Checked) -> Option<&str> {
    checked.findings.iter().find(|found| found.code == "nothing-visible").map(|found| &*found.message)
}

#[test]
fn every_kind_of_blank_character_is_reported() {
    let slots = |timelines: &str| format!(r#""walk": {{"slots": {{"a": {timelines}}}, "#);
    for (change, why) in [
        (
            (r#""attachment": "a""#, r#""attachment": "a", "color": "ffffff00""#.to_owned()),
            "everything has alpha 0",
        ),
        ((r#""a": {"width""#, r#""a": {"color": "ff000000", "width""#.to_owned()), "everything has alpha 0"),
        ((r#""walk": {"#, slots(r#"{"color": [{"color": "ffffff00"}]}"#)), "everything has alpha 0"),
        (
            (r#""attachment": "a""#, r#""attachment": "a", "blend": "additive", "color": "000000ff""#.to_owned()),
            "everything has alpha 0",
        ),
        (
            (r#"{"name": "root"}"#, r#"{"name": "root", "scaleX": 0}"#.to_owned()),
            "everything is scaled to nothing",
        ),
        (
            (r#"{"translate": ["#, r#"{"scale": [{"x": 0, "y": 0}], "translate": ["#.to_owned()),
            "everything is scaled to nothing",
        ),
        ((r#", "attachment": "a""#, String::new()), "no slot shows an attachment"),
        ((r#""walk": {"#, slots(r#"{"attachment": [{"name": null}]}"#)), "no slot shows an attachment"),
        (
            (r#""clip", "bone": "root""#, r#""clip", "bone": "root", "attachment": "clip""#.to_owned()),
            "everything is clipped",
        ),
        ((r#""attachment": "a""#, r#""attachment": "b""#.to_owned()), "the images are transparent there"),
    ] {
        let (from, to) = change;
        let checked = checked(&[(from, &to)], &Options::default());
        let message = message(&checked).unwrap_or_else(|| panic!("{to}: {:?}", checked.findings));
        assert!(message.starts_with("nothing is visible in any frame of any animation: "), "{message}");
        assert!(message.contains(why), "{to}: {message}");
    }
}

#[test]
fn what_is_visible_once_or_meant_to_be_empty_is_not_reported() {
    for changes in [
        &[][..],
        // In one frame.
        &[
            (r#", "attachment": "a""#, ""),
            (
                r#""walk": {"#,
                r#""walk": {"slots": {"a": {"attachment": [{"time": 0.5, "name": "a"}, {"time": 0.6, "name": null}]}}, "#,
            ),
        ],
        // In another skin.
        &[
            (r#""name": "default""#, r#""name": "red""#),
            (
                r#""skins": ["#,
                r#""skins": [{"name": "default", "attachments": {}}, {"name": "blue", "attachments": {}}, "#,
            ),
        ],
        // An inverse mask shows what is outside.
        &[
            (r#""3.8.99""#, r#""4.3.05""#),
            (r#""clip", "bone": "root""#, r#""clip", "bone": "root", "attachment": "clip""#),
            (r#""type": "clipping""#, r#""type": "clipping", "inverse": true"#),
        ],
        // The mask ends before it.
        &[
            (
                r#""clip", "bone": "root"}"#,
                r#""clip", "bone": "root", "attachment": "clip"}, {"name": "b", "bone": "root"}"#,
            ),
            (r#""end": "a""#, r#""end": "b""#),
        ],
        // Hit boxes alone.
        &[(
            r#""width": 8, "height": 8"#,
            r#""type": "boundingbox", "vertexCount": 3, "vertices": [0, 0, 9, 0, 9, 9]"#,
        )],
    ] {
        let checked = checked(changes, &Options::default());
        assert_eq!(message(&checked), None, "{changes:?}");
        assert!(checked.counts.errors == 0, "{changes:?}: {:?}", checked.findings);
    }
}

#[test]
fn the_search_ends_when_its_work_is_used_up() {
    let blank = [(r#", "attachment": "a""#, ""), (r#""time": 1,"#, r#""time": 900,"#)];
    assert!(message(&checked(&blank, &Options::default())).is_some());
    let mut options = Options::default();
    options.read.limits.work = 1 << 20;
    assert_eq!(message(&checked(&blank, &options)), None);
}

#[test]
fn the_knight_and_the_lamp_are_visible() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for name in ["paper-knight.pchr", "paper-lamp.json", "paper-lamp-4.2.json"] {
        assert_eq!(message(&check_file(&assets.join(name), &Options::default()).expect(name)), None, "{name}");
    }
}
