//! Binary Spine skeletons: the same character as from JSON of the same content.
//!
//! Our own rigs exist as JSON and as `.skel` that was written from that JSON. `tests/fixtures/skel` has one rig of each
//! version with every part of the format, without nonessential data and with it (`all.full.skel`).

use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};

use crate::common::{conformance_files, files_in, say};

/// Codes for the pictures, which are not next to the skeletons here, and for what older versions can say.
const PICTURES: [&str; 3] = ["no-atlas", "missing-atlas", "missing-image"];

fn load(path: &Path) -> Bytes {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).into()
}

/// Reads a skeleton without atlas; returns it with codes and messages of its warnings.
fn read(bytes: &Bytes) -> pchr::Result<(Character, Vec<String>)> {
    let mut diagnostics = Diagnostics::default();
    let input = Input { bytes: bytes.clone(), sidecars: NO_SIDECARS };
    let character = pchr::formats::from_input(&input, &ReadOptions::default(), &mut diagnostics)?;
    let warnings = diagnostics.warnings().filter(|fault| !PICTURES.contains(&fault.code));
    Ok((character, warnings.map(|fault| format!("{}: {}", fault.code, fault.message)).collect()))
}

/// The warnings with their places, except those about pictures.
fn warnings(bytes: &Bytes) -> Vec<String> {
    let mut diagnostics = Diagnostics::default();
    let input = Input { bytes: bytes.clone(), sidecars: NO_SIDECARS };
    pchr::formats::from_input(&input, &ReadOptions::default(), &mut diagnostics).expect("it is whole");
    let warnings = diagnostics.warnings().filter(|fault| !PICTURES.contains(&fault.code));
    warnings.map(|fault| format!("{}: {fault}", fault.code)).collect()
}

/// All that was read, the model and the motion. JSON can list an empty default skin and clip up to no slot, which is
/// the last one in a binary; and every motion is numbered. What editors show is nonessential in a binary.
fn described(character: &Character) -> String {
    let mut text = format!("{:?}\n{:?}", character.model(), character.motion());
    text = without(&without(&text, ", marker: Marker { ", " }"), ", color: Some([", "])");
    for part in [", color: None", ", is_hidden_in_editor: true", ", is_hidden_in_editor: false"] {
        text = text.replace(part, "");
    }
    let empty =
        ["Skin { name: \"default\", entries: [], bones: [] }", "Skin { entries: [], bones: [], constraints: [] }"];
    if empty.iter().all(|skin| text.contains(skin)) {
        for skin in empty {
            text = text.replace(&format!("{skin}, "), "").replace(skin, "");
        }
        text = text.replace("default_skin: Some(SkinId(0))", "default_skin: None");
    }
    if let Some(last) = character.model().slots().len().checked_sub(1) {
        text = text.replace(&format!("end: Some(SlotId({last}))"), "end: None");
    }
    text.split(", id: ").next().unwrap_or_default().to_owned()
}

/// A text without each part from `start` to `end`.
fn without(text: &str, start: &str, end: &str) -> String {
    let mut parts = text.split(start);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |whole, part| whole + part.split_once(end).map_or(part, |(_, rest)| rest))
}

/// The tokens of a text: numbers as such, and everything between them.
fn tokens(text: &str) -> Vec<Result<f64, &str>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = is_part(first);
        let end = rest.find(|c| is_part(c) != is_word).unwrap_or(rest.len());
        let (token, after) = rest.split_at(end);
        tokens.push(token.parse().map_err(|_| token));
        rest = after;
    }
    tokens
}

/// JSON has decimals, which are rounded to the `f32` that the binary has; the handles of curves are computed from
/// these. The binary has the values of alpha timelines in bytes, which moves their curves too, and 1 / mass instead of
/// the mass.
const TOLERANCE: f64 = 2e-5;
const ALPHA_TOLERANCE: f64 = 4e-3;

/// The values of alpha timelines in the list of all values, which follows the timelines.
fn alpha_values(tokens: &[Result<f64, &str>]) -> Vec<Range<usize>> {
    let starts = (0..tokens.len()).filter(|at| tokens[*at] == Err("Alpha"));
    let span = |at: usize| {
        // The slot, the first key, their number, the first value.
        let mut numbers = tokens[at..].iter().filter_map(|token| token.ok()).map(|number| number as usize);
        let [_, _, len, first] = std::array::from_fn(|_| numbers.next().expect("a span"));
        first..first + len
    };
    starts.map(span).collect()
}

/// Compares all that was read, and returns the first difference.
fn difference(json: &Character, skel: &Character) -> Option<String> {
    let [json, skel] = [json, skel].map(described);
    let (one, other) = (tokens(&json), tokens(&skel));
    let alpha = alpha_values(&one);
    // The list of all keys that is compared, and how many of its numbers were.
    let (mut is_stored, mut list, mut count) = (false, "", 0);
    for (at, (a, b)) in one.iter().zip(&other).enumerate() {
        match a {
            Err("Stored") => is_stored = true,
            Err(word) if is_stored && word.starts_with(|c: char| c.is_ascii_lowercase()) => {
                (list, count) = (*word, 0)
            }
            Err(_) => {}
            Ok(_) => count += 1,
        }
        let is_alpha = a.is_ok()
            && match list {
                "values" => alpha.iter().any(|span| span.contains(&(count - 1))),
                "beziers" => !alpha.is_empty(),
                _ => false,
            };
        let tolerance = if is_alpha { ALPHA_TOLERANCE } else { TOLERANCE };
        let is_same = match (a, b) {
            (Ok(a), Ok(b)) => a == b || (a - b).abs() <= tolerance * a.abs().max(1.0) || a.is_nan() && b.is_nan(),
            (a, b) => a == b,
        };
        if !is_same {
            let around = |tokens: &[Result<f64, &str>]| {
                let part = &tokens[at.saturating_sub(40)..(at + 10).min(tokens.len())];
                part.iter()
                    .map(|token| token.map_or_else(str::to_owned, |number| number.to_string()))
                    .collect::<String>()
            };
            return Some(format!("JSON has …{}…\n.skel has …{}…", around(&one), around(&other)));
        }
    }
    (one.len() != other.len()).then(|| format!("{} tokens in JSON, {} in .skel", one.len(), other.len()))
}

/// Compares every `.skel` below `folders` with the JSON beside it, and returns their number.
fn compare_all(skeletons: &[PathBuf]) -> usize {
    let mut failures = Vec::new();
    for path in skeletons {
        let name = path.display();
        let json = path.with_extension("json");
        let json = if json.exists() {
            json
        } else {
            // `hero.full.skel` has the same content as `hero.skel`, and nonessential data.
            path.with_extension("").with_extension("json")
        };
        let (json, expected) = read(&load(&json)).unwrap_or_else(|error| panic!("{name}: {error}"));
        match read(&load(path)) {
            Ok((skel, warnings)) => {
                failures.extend(difference(&json, &skel).map(|difference| format!("{name}: {difference}")));
                if warnings != expected {
                    failures.push(format!("{name}: warns of {warnings:?}, JSON of {expected:?}"));
                }
            }
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), skeletons.len(), failures.join("\n"));
    skeletons.len()
}

/// The skeletons of ours that have every part of the format, by version.
fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/skel");
    let folders = VERSIONS.map(|(version, _)| root.join(version));
    let lamp = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-lamp-4.2.skel");
    folders.iter().flat_map(|folder| files_in(folder, ".skel")).chain([lamp]).collect()
}

#[test]
fn json_and_skel_give_the_same_character() {
    assert_eq!(compare_all(&fixtures()), 25);
}

#[test]
fn conformance_json_and_skel_give_the_same_character() {
    let mut found = conformance_files("spine/own", ".skel");
    for version in ["4.0", "4.1", "4.2"] {
        found.extend(conformance_files(&format!("spine4/{version}"), ".skel"));
    }
    for version in ["3.6", "3.7"] {
        found.extend(conformance_files(&format!("spine-next/{version}/"), ".skel"));
    }
    found.extend(conformance_files("spine-old", ".skel"));
    let count = compare_all(&found);
    say(&format!(".skel: {count} skeletons of the corpus equal their JSON"));
}

/// The versions that the fixtures state.
const VERSIONS: [(&str, &str); 12] = [
    ("2.1", "2.1.25"),
    ("3.1", "3.1.07"),
    ("3.2", "3.2.01"),
    ("3.4", "3.4.02"),
    ("3.5", "3.5.51"),
    ("3.6", "3.6.53"),
    ("3.7", "3.7.94"),
    ("3.8", "3.8.99"),
    ("4.0", "4.0.64"),
    ("4.1", "4.1.24"),
    ("4.2", "4.2.43"),
    ("4.3", "4.3.01"),
];

fn fixture(version: &str) -> Vec<u8> {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/skel/{version}/all.skel"))).into()
}

/// The offset of the first `part`.
fn find(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).position(|window| window == part).expect("it is there")
}

/// Replaces the first `part` by bytes of the same length.
fn replace(bytes: &mut [u8], part: &[u8], by: &[u8]) {
    let at = find(bytes, part);
    bytes[at..at + part.len()].copy_from_slice(by);
}

#[test]
fn a_wrong_version_is_found_out() {
    for (own, text) in VERSIONS {
        let (expected, found) = read(&fixture(own).into()).expect("it is whole");
        assert_eq!(found, [""; 0]);
        for (stated, other) in VERSIONS.into_iter().chain([("Dev", "0.0.00")]).filter(|(stated, _)| *stated != own)
        {
            let mut bytes = fixture(own);
            replace(&mut bytes, text.as_bytes(), other.as_bytes());
            let (found, _) = read(&bytes.clone().into()).unwrap_or_else(|error| panic!("{own}: {error}"));
            assert_eq!(difference(&expected, &found), None, "{own} as {stated}");
            let at = find(&bytes, other.as_bytes());
            let start = format!("version-mismatch: /skeleton/spine (byte {at}): the file states version {other}");
            let found = warnings(&bytes.into());
            let [warning] = &found[..] else { panic!("{own} as {stated}: {found:?}") };
            assert!(
                warning.starts_with(&start) && warning.ends_with(&format!("it is read as {own}")),
                "{warning}"
            );
        }
    }
}

#[test]
fn other_versions_are_refused_by_name() {
    for (version, text) in VERSIONS {
        for other in ["1.9.18", "4.4.00", "5.0.00"] {
            let mut bytes = fixture(version);
            replace(&mut bytes, text.as_bytes(), other.as_bytes());
            let error = read(&bytes.into()).expect_err("it is another version").to_string();
            let parts = ["/skeleton/spine (byte ", other, "export it as JSON or binary", "4.2 or 3.8"];
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        }
    }
}

#[test]
fn bytes_after_the_end_are_ignored() {
    let mut bytes = fixture("4.2");
    let len = bytes.len();
    bytes.extend(b"more");
    let expected = format!("trailing-bytes: byte {len}: 4 bytes after the last animation are ignored");
    assert_eq!(warnings(&bytes.into()), [expected]);
}

/// The error of a fixture after a change.
fn error_after(version: &str, change: impl FnOnce(&mut Vec<u8>) -> usize) -> (String, usize) {
    let mut bytes = fixture(version);
    let at = change(&mut bytes);
    let error = read(&bytes.into()).expect_err("it is broken");
    (format!("{}: {error}", error.code()), at)
}

#[test]
fn errors_have_the_path_of_json_and_a_byte_offset() {
    const NAN: [u8; 4] = f32::NAN.to_be_bytes();
    // After a text: what to write at which distance.
    let after = |text: &'static [u8], distance: usize, new: &'static [u8]| {
        error_after("4.2", |bytes| {
            let at = find(bytes, text) + text.len() + distance;
            bytes[at..at + new.len()].copy_from_slice(new);
            at
        })
    };
    let instead_of = |number: f32, path: &str| {
        let (error, at) = error_after("4.2", |bytes| {
            let at = find(bytes, &number.to_be_bytes());
            bytes[at..at + 4].copy_from_slice(&NAN);
            at
        });
        assert_eq!(error, format!("not-finite: {path} (byte {at}): the number is NaN; it must be finite"));
    };
    for (text, distance, new, expected) in [
        (
            &b"\x05hand"[..],
            0,
            &[9][..],
            "bad-parent: /bones/2/parent (byte @): bone 9 cannot be the parent of bone 2",
        ),
        (b"\x05hand", 1, &NAN, "not-finite: /bones/2/rotation (byte @): the number is NaN"),
        (b"\x05hand", 33, &[5], "skel-value: /bones/2/inherit (byte @): 5 has no meaning here in version 4.2"),
        (b"\x05hand", 34, &[2], "skel-value: /bones/2/skin (byte @): 2 is neither 0 (no) nor 1 (yes)"),
        (b"\x06reac", 0, b"\xff", "bad-utf8: /ik/0/name (byte @): the string is not valid UTF-8"),
        (
            b"\x06reach",
            3,
            &[99],
            "missing-name: /ik/0/bones/1 (byte @): bone 99 does not exist; the skeleton has 8",
        ),
        // The offset is that of the second bone, which is not wrong by itself.
        (
            b"\x06reach",
            2,
            &[6],
            "constraint-bones: /ik/0/bones/1 (byte +): the second bone, `hand`, is not a child of the first, `plain`",
        ),
    ] {
        let (error, at) = after(text, distance, new);
        let expected = expected.replace('@', &at.to_string()).replace('+', &(at + 1).to_string());
        assert!(error.starts_with(&expected), "{error}, expected {expected}");
    }
    instead_of(-25.0, "/animations/all/bones/arm/rotate/1/value");
    instead_of(6.5, "/animations/all/bones/arm/rotate/0/curve/1");
    instead_of(-3.2, "/animations/all/bones/hand/shearx/0/curve/3");
}

#[test]
fn errors_of_old_layouts_have_a_path_and_an_offset() {
    const NAN: [u8; 4] = f32::NAN.to_be_bytes();
    const MOST: &[u8] = b"\xff\xff\xff\xff\x0f";
    // The version, a text of its fixture, what to write at which distance after that, and the error.
    for (version, text, distance, new, expected) in [
        (
            "2.1",
            &b"\x05hand"[..],
            0,
            &[10][..],
            "bad-parent: /bones/2/parent (byte @): bone 9 cannot be the parent",
        ),
        ("2.1", b"\x05hand", 1, &NAN, "not-finite: /bones/2/x (byte @)"),
        ("2.1", b"\x05hand", 25, &[2], "skel-value: /bones/2/flipX (byte @): 2 is neither"),
        ("2.1", b"\x05hand", 27, &[7], "skel-value: /bones/2/inheritScale (byte @): 7 is neither"),
        ("2.1", b"\x05body", 10, &[2], "skel-value: /slots/0/additive (byte @): 2 is neither"),
        (
            "2.1",
            b"\x06torso",
            0,
            &[4],
            "skel-value: /skins/0/attachments/body/body/type (byte @): 4 has no meaning here in version 2.1; expected 0 to 3",
        ),
        ("2.1", b"\x07armour", 0, MOST, "truncated: /skins/1/attachments/arm/glove/uvs (byte @)"),
        ("2.1", b"\x04all", 3, &[0], "skel-value: /animations/all/slots/body (byte @): 0 has no meaning here"),
        ("3.1", b"\x05hand", 17, &NAN, "not-finite: /bones/2/rotation (byte @)"),
        ("3.1", b"\x05copy", 0, &[99], "missing-name: /transform/0/bone (byte @): bone 99 does not exist"),
        (
            "3.2",
            b"\x07armour",
            36,
            &1.5_f32.to_be_bytes(),
            "weights: /skins/1/attachments/arm/glove/vertices/0 (byte @): a vertex with 1.5 bones",
        ),
        (
            "3.2",
            b"\x07armour",
            36,
            &6e4_f32.to_be_bytes(),
            "truncated: /skins/1/attachments/arm/glove/vertices (byte @)",
        ),
        ("3.2", b"\x07armour", 40, &NAN, "not-finite: /skins/1/attachments/arm/glove/vertices/1 (byte @)"),
        (
            "3.2",
            b"\x06torso",
            0,
            &[6],
            "skel-value: /skins/0/attachments/body/body/type (byte @): 6 has no meaning",
        ),
        ("3.4", b"\x05hand", 33, &[3], "skel-value: /bones/2/inheritRotation (byte @): 3 is neither"),
        ("3.4", b"\x07follow", 3, &[9], "skel-value: /path/0/positionMode (byte @): 9 has no meaning"),
        ("3.5", b"\x05hand", 33, &[9], "skel-value: /bones/2/transform (byte @): 9 has no meaning"),
    ] {
        let mut bytes = fixture(version);
        let at = find(&bytes, text) + text.len() + distance;
        bytes[at..at + new.len()].copy_from_slice(new);
        let error = read(&bytes.into()).expect_err("it is broken");
        let (error, expected) = (format!("{}: {error}", error.code()), expected.replace('@', &at.to_string()));
        assert!(error.starts_with(&expected), "{version}: {error}, expected {expected}");
    }
}

#[test]
fn versions_without_a_known_program_are_read_as_the_next_one() {
    for (own, text, stated) in
        [("2.1", "2.1.25", "2.0.18"), ("3.1", "3.1.07", "3.0.09"), ("3.4", "3.4.02", "3.3.07")]
    {
        let (expected, _) = read(&fixture(own).into()).expect("it is whole");
        let mut bytes = fixture(own);
        replace(&mut bytes, text.as_bytes(), stated.as_bytes());
        let (found, _) = read(&bytes.clone().into()).unwrap_or_else(|error| panic!("{stated}: {error}"));
        assert_eq!(difference(&expected, &found), None, "{stated}");
        assert_eq!(warnings(&bytes.clone().into()), [""; 0]);
        let len = bytes.len();
        bytes.push(0);
        let error = read(&bytes.into()).expect_err("it has more").to_string();
        assert!(
            error.starts_with(&format!("byte {len}: this file is from Spine {stated}; it is played as {own}")),
            "{error}"
        );
    }
}

#[test]
fn errors_in_the_parts_of_4_3_have_a_path_and_a_byte_offset() {
    let weights: &[u8] = b"\x03\x06\x01\x01\0\0\0\0\0\0\0\0";
    let folder: &[u8] = b"\x01\x03\x01\x02\x03\x02\x3e\x80\0\0\x01\x00\x02";
    let sliders: &[u8] = b"\x01\x08\x02\x00\x02";
    let end: &[u8] = b"\x02\x02";
    for (text, distance, new, expected) in [
        (&b"\x05hand"[..], 34, 5, "skel-value: /bones/2/inherit (byte @): 5 has no meaning here in version 4.3"),
        (
            b"\x06reach",
            6,
            9,
            "skel-value: /constraints/0/type (byte @): 9 has no meaning here in version 4.3; expected 0 to 4",
        ),
        (
            b"\x06reach",
            9,
            99,
            "missing-name: /constraints/0/bones/1 (byte @): bone 99 does not exist; the skeleton has 8",
        ),
        (
            b"\x06point",
            11,
            7,
            "skel-value: /constraints/3/scaleY (byte @): 7 has no meaning here in version 4.3; expected 0 to 2",
        ),
        (b"\x07follow", 10, 99, "missing-name: /constraints/1/slot (byte @): slot 99 does not exist"),
        (b"\x07follow", 11, 0xbd, "skel-value: /constraints/1/rotateMode (byte @): 3 has no meaning here"),
        (b"\x05dial", 11, 99, "missing-name: /constraints/2/bone (byte @): bone 99 does not exist"),
        (
            b"\x05dial",
            16,
            9,
            "skel-value: /constraints/2/property (byte @): 9 has no meaning here in version 4.3; expected 0 to 5",
        ),
        (
            b"\x05copy",
            11,
            8,
            "skel-value: /constraints/4/properties (byte @): 8 has no meaning here in version 4.3; expected 0 to 5",
        ),
        (b"\x05copy", 17, 6, "skel-value: /constraints/4/properties/rotate/to (byte @): 6 has no meaning here"),
        (
            b"\x05copy",
            18,
            0x7f,
            "not-finite: /constraints/4/properties/rotate/to/rotate/offset (byte @): the number is NaN",
        ),
        (
            weights,
            1,
            7,
            "weights: /skins/0/attachments/cut/hole/vertices (byte @): 7 counts and bones are stated, but the vertices have 6",
        ),
        (
            b"\xff\x80\x00\xff",
            4,
            99,
            "missing-name: /skins/2/attachments/body/patch/slot (byte @): slot 99 does not exist",
        ),
        (
            b"\x05suit",
            8,
            99,
            "missing-name: /skins/1/constraints/0 (byte @): constraint 99 does not exist; the skeleton has 9",
        ),
        (
            sliders,
            1,
            0,
            "skel-value: /animations/all/slider (byte @): constraint 0 is of another kind: IK constraint, not slider",
        ),
        (
            sliders,
            3,
            2,
            "skel-value: /animations/all/slider/hold (byte @): 2 has no meaning here in version 4.3; expected 0 to 1",
        ),
        (
            folder,
            11,
            7,
            "missing-name: /animations/all/drawOrderFolder/0/keys/0/offsets/0/slot (byte @): slot 7 does not exist; the folder has 3",
        ),
        (
            end,
            1,
            9,
            "missing-name: /constraints/8/animation (byte @): animation 9 does not exist; the skeleton has 3",
        ),
    ] {
        let (error, at) = error_after("4.3", |bytes| {
            let at = if text == end { bytes.len() - 2 } else { find(bytes, text) } + distance;
            bytes[at] = new;
            if new == 0x7f {
                bytes[at + 1] = 0xff;
            }
            at
        });
        let expected = expected.replace('@', &at.to_string());
        assert!(error.starts_with(&expected), "{error}, expected {expected}");
    }
}
