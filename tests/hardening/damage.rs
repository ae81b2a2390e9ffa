//! Damages the knight several times for every code: each damage is found with its own code, severity and place,
//! nothing else is found, and the reader agrees.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::checks::FLAWS;
use crate::common::say;
use crate::common::v1::write;
use crate::damages;
use crate::damages::{Damage, Expected, FIELDS, Form, KNIGHT, Subject, all};
use pchr::Error;
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::error::{Excess, Fault, Place};
use pchr::formats::findings::{RULES, rule};
use pchr::formats::{Folder, Input, ReadOptions, examine, from_bytes, open};
use tempfile::TempDir;

/// Codes that no damage of the table causes, with the reason.
const OTHERWISE: [(&str, &str); 70] = [
    ("bad-magic", "other first bytes are an unknown format: `another_magic` tests the v1 reader"),
    ("io", "not caused by content: `a_missing_knight`"),
    (
        "bad-jpeg",
        "SkelForm, as those below: tests/pose/skelform.rs causes each, mutations_skelform.rs damages files",
    ),
    ("blank-mask", "Adobe Animate: fixtures have one"),
    ("clamped-color", "Adobe Animate: fixtures have one"),
    ("deep-symbol", "Adobe Animate: fixtures have one"),
    ("far-away", "Adobe Animate: fixtures have one"),
    ("frame-gap", "Adobe Animate: fixtures have one"),
    ("matrix-3d", "Adobe Animate: fixtures have one"),
    ("missing-sprite", "Adobe Animate: fixtures have one"),
    ("missing-symbol", "Adobe Animate: fixtures have one"),
    ("missing-timeline", "Adobe Animate: fixtures have one"),
    ("nested-mask", "Adobe Animate: fixtures have one"),
    ("not-drawn", "Adobe Animate: fixtures have one"),
    ("odd-loop-mode", "Adobe Animate: fixtures have one"),
    ("odd-resolution", "Adobe Animate: fixtures have one"),
    ("symbol-loop", "Adobe Animate: fixtures have one"),
    ("no-reader", "only in builds without all formats: `formats::tests` there"),
    ("bad-webp", "sheets: tests/formats/findings.rs causes it, tests/formats/find_images damages files"),
    (
        "dragonbones",
        "a different file, as the next two: fixtures and programs/pchr-view/tests/view/spine.rs have one",
    ),
    ("number-as-boolean", "Spine: fixtures have one"),
    ("foreign-key", "Spine: fixtures have one, as of the next three"),
    ("late-start", "two animations"),
    ("git-conflict", "a different file"),
    ("markdown-fence", "a different file"),
    ("git-lfs-pointer", "a different file"),
    ("spine-project", "a different file"),
    ("nothing-visible", "only `validate` poses characters: tests/formats/nothing_visible.rs"),
    ("outlying-key", "only `validate` compares keys: tests/formats/odd_keys.rs"),
    ("scale-through-zero", "only `validate` compares keys: tests/formats/odd_keys.rs"),
    ("single-frame-part", "only `validate` compares keys: tests/formats/odd_keys.rs"),
    ("bad-zip", "SkelForm"),
    ("bind-without-bone", "SkelForm"),
    ("ik-without-target", "SkelForm"),
    ("short-ik-chain", "SkelForm"),
    ("skel-value", "binary skeletons: mutations_skel.rs damages files, tests/formats/skel.rs causes it"),
    ("unread-dialect", "files of other programs: fixtures have some"),
    ("version-mismatch", "binary skeletons: tests/formats/skel.rs causes it"),
    ("unused-texture", "SkelForm"),
    ("duplicate-entry", "SkelForm"),
    ("missing-entry", "SkelForm"),
    ("missing-texture", "SkelForm"),
    ("packed-otherwise", "SkelForm"),
    ("skelform-version", "SkelForm"),
    ("unknown-element", "SkelForm"),
    ("entry-leads-out", "SkelForm"),
    ("bad-duration", "sheets, as those below: tests/formats/findings.rs causes each, mutations.rs damages files"),
    ("bad-frame", "sheets"),
    ("bad-plist", "sheets"),
    ("bad-tag", "sheets"),
    ("bad-xml", "sheets"),
    ("xml-dtd", "sheets"),
    ("control-character", "sheets"),
    ("guessed-image", "not a damage: tests/formats/find_images"),
    ("found-elsewhere", "not a damage: tests/formats/find_images"),
    ("frame-outside", "sheets; regions of atlases: fixtures have one"),
    ("grid", "sheets"),
    ("image-path", "sheets"),
    ("no-frames", "sheets"),
    ("png-without-grid", "sheets"),
    ("sheet-size", "sheets"),
    ("sheet-without-image", "sheets"),
    ("bad-cel", "Aseprite, as those below: tests/formats/aseprite causes each and damages files"),
    ("bad-chunk", "Aseprite"),
    ("bad-layer", "Aseprite"),
    ("bad-pixels", "Aseprite"),
    ("color-depth", "Aseprite"),
    ("no-palette", "Aseprite"),
    ("pixel-ratio", "Aseprite"),
    ("unknown-chunk", "Aseprite"),
];

/// Other codes that the reader reports as warnings.
const READER_WARNS: [&str; 7] = [
    "negative-weight",
    "no-inverse-bind",
    "reserved-bits",
    "trailing-bytes",
    "unknown-key",
    "unnamed-image",
    "zero-fps",
];

/// How often each damage is applied to each form.
const ROUNDS: u64 = 2;
/// How often each damage is applied to a skeleton.
const ROUNDS_OF_SKELETON: u64 = 8;
/// How often each damage is applied to its first form, which is the cheapest.
const ROUNDS_OF_FIRST: u64 = 5;

/// The compared parts of a finding: code, severity, path, offset.
type Found = (String, Severity, String, Option<u64>);

fn compared(severity: Severity, fault: &Fault) -> Found {
    (fault.code.to_owned(), severity, fault.place.path.clone(), fault.place.offset)
}

/// Code, place without its file, and message of an error.
fn fault_of(error: &Error) -> Fault {
    let mut place = error.place().cloned().unwrap_or_default();
    place.file = None;
    let message = match error {
        Error::Malformed(fault) | Error::Unsupported(fault) | Error::Misuse(fault) => fault.message.clone(),
        Error::LimitExceeded(excess) => Excess { place: Place::default(), ..(**excess).clone() }.to_string(),
        Error::Io { source, .. } => source.to_string(),
        error => error.to_string(),
    };
    Fault { code: error.code(), place, message }
}

/// Applies a damage and checks the findings; returns what is wrong with them.
fn check_damage(damage: &Damage, form: Form, seed: u64, folder: &Path) -> Result<(), String> {
    let mut subject = Subject::new(damage, form, seed);
    let written = subject.write(&damage.how);
    assert!(!subject.expected.is_empty(), "{}: {}: nothing is expected", damage.code, damage.name);
    let path = folder.join(if form.is_json() { "knight.json" } else { "knight.pchr" });
    let _ = fs::remove_file(folder.join(damages::picture(0)));
    for (name, bytes) in &written.beside {
        fs::write(folder.join(name), bytes).expect("a file that can be written");
    }
    fs::write(&path, &written.bytes).expect("a file that can be written");

    let input = Input { bytes: written.bytes.clone().into(), sidecars: &Folder::of(&path) };
    let found: Vec<(Severity, Fault)> = match examine(&input, &subject.options) {
        Ok(found) => {
            let found = found.findings().iter();
            found.map(|finding| (finding.severity, finding.fault.clone())).collect()
        }
        // These errors end the examination.
        Err(error) if ["limit-exceeded", "unknown-format"].contains(&error.code()) => {
            vec![(Severity::Error, fault_of(&error))]
        }
        Err(error) => return Err(format!("it cannot be examined: {error}")),
    };
    match_expected(&subject, &found)?;
    let bytes = (!form.is_json()).then(|| from_bytes_of(&written.bytes, &subject.options));
    let file = read_with(|warnings| open(&path, &subject.options, warnings).map(drop));
    for verdict in bytes.into_iter().chain([file]) {
        agrees(&found, &verdict)?;
    }
    Ok(())
}

/// The warnings of a reader, and the error that it ended with.
type Verdict = (Vec<Fault>, Option<Fault>);

fn read_with(read: impl FnOnce(&mut Diagnostics) -> pchr::Result<()>) -> Verdict {
    let mut warnings = Diagnostics::default();
    let error = read(&mut warnings).err();
    (warnings.warnings().cloned().collect(), error.as_ref().map(fault_of))
}

fn from_bytes_of(bytes: &[u8], options: &ReadOptions) -> Verdict {
    read_with(|warnings| from_bytes(bytes.to_vec(), options, warnings).map(drop))
}

/// Checks that exactly the expected findings were found.
fn match_expected(subject: &Subject, found: &[(Severity, Fault)]) -> Result<(), String> {
    let compared_with = |expected: &Expected| {
        let (path, offset) = subject.place(expected);
        (expected.code.to_owned(), rule(expected.code).expect("a listed code").severity, path, offset)
    };
    let mut left: Vec<Found> = found.iter().map(|(severity, fault)| compared(*severity, fault)).collect();
    let shown = || found.iter().map(|(_, fault)| format!("\n    {}: {fault}", fault.code)).collect::<String>();
    for expected in &subject.expected {
        let wanted = compared_with(expected);
        let Some(at) = left.iter().position(|found| *found == wanted) else {
            return Err(format!(
                "not found: {wanted:?} ({}{}); found:{}",
                expected.says,
                expected.because,
                shown()
            ));
        };
        left.remove(at);
        let says =
            |fault: &Fault| fault.message.contains(&expected.says) && fault.message.contains(&expected.says_too);
        if !found.iter().any(|(severity, fault)| compared(*severity, fault) == wanted && says(fault)) {
            return Err(format!("it does not say `{}` and `{}`:{}", expected.says, expected.says_too, shown()));
        }
    }
    if left.is_empty() { Ok(()) } else { Err(format!("unexpected: {left:?}:{}", shown())) }
}

/// Checks that a reader ends with the first error, if any, and otherwise reports the warnings that it can detect.
fn agrees(found: &[(Severity, Fault)], (warnings, error): &Verdict) -> Result<(), String> {
    let is_flaw = |fault: &Fault| FLAWS.contains(&fault.code);
    let first = found.iter().find(|(severity, fault)| *severity == Severity::Error && !is_flaw(fault));
    let first = first.map(|(_, fault)| fault);
    if first != error.as_ref() {
        return Err(format!("the reader ends with {error:?}, but {first:?} was found"));
    }
    let is_reported = |fault: &&Fault| is_flaw(fault) || READER_WARNS.contains(&fault.code);
    let expected: Vec<&Fault> = found.iter().map(|(_, fault)| fault).filter(is_reported).collect();
    if error.is_none() && expected != warnings.iter().collect::<Vec<_>>() {
        return Err(format!("the reader warns of {warnings:?}, but {expected:?} was found"));
    }
    Ok(())
}

/// Applies every damage of one severity several times to each form.
fn check_all(severity: Severity) {
    let folder = TempDir::new().expect("a temporary folder");
    let (mut failures, mut count) = (Vec::new(), 0);
    for (number, damage) in all().enumerate() {
        if rule(damage.code).expect("a listed code").severity != severity {
            continue;
        }
        for (index, &form) in damage.forms.iter().enumerate() {
            for round in 0..if index == 0 { ROUNDS_OF_FIRST } else { ROUNDS } {
                count += 1;
                let seed = 1000 * number as u64 + 100 * form as u64 + round;
                if let Err(what) = check_damage(damage, form, seed, folder.path()) {
                    failures.push(format!("{}: {} ({form:?}, seed {seed}): {what}", damage.code, damage.name));
                }
            }
        }
    }
    say(&format!("damaged knights: {count} with a finding of severity {severity:?}"));
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_error_is_found_at_its_place() {
    check_all(Severity::Error);
}

#[test]
fn every_warning_is_found_at_its_place() {
    check_all(Severity::Warning);
}

#[test]
fn every_note_is_found_at_its_place() {
    check_all(Severity::Note);
}

#[test]
fn every_code_has_a_damage() {
    let of_spine = damages::spine::DAMAGES.iter().map(|damage| damage.code);
    let damaged: BTreeSet<&str> = all().map(|damage| damage.code).chain(of_spine).collect();
    let otherwise: BTreeSet<&str> = OTHERWISE.iter().map(|(code, _)| *code).collect();
    let listed: BTreeSet<&str> = RULES.iter().map(|rule| rule.code).collect();
    let either: BTreeSet<&str> = damaged.union(&otherwise).copied().collect();
    assert!(damaged.is_disjoint(&otherwise), "some of these codes do have a damage");
    assert_eq!(either, listed);
}

#[test]
fn every_damage_of_a_skeleton_is_found_at_its_place() {
    let mut failures = Vec::new();
    for (number, damage) in damages::spine::DAMAGES.iter().enumerate() {
        for round in 0..ROUNDS_OF_SKELETON {
            if let Err(what) = check_skeleton(damage, 1000 * number as u64 + round) {
                failures.push(format!("{} (seed {}): {what}", damage.code, 1000 * number as u64 + round));
            }
        }
    }
    say(&format!("damaged skeletons: {}", damages::spine::DAMAGES.len() as u64 * ROUNDS_OF_SKELETON));
    assert!(failures.is_empty(), "{}:\n{}", failures.len(), failures.join("\n"));
}

/// Applies a damage to a skeleton and checks the findings; returns what is wrong with them.
fn check_skeleton(damage: &damages::spine::Damage, seed: u64) -> Result<(), String> {
    let mut subject = damages::spine::Skeleton::new(damage, seed);
    (damage.how)(&mut subject);
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("hero.json");
    let text = serde_json::to_vec(&subject.root).expect("it is JSON");
    fs::write(&path, subject.bytes.unwrap_or(text)).expect("a file that can be written");
    let beside = [("hero.atlas", subject.atlas.map(String::into_bytes)), ("page.png", subject.page)];
    for (name, bytes) in beside.into_iter().filter_map(|(name, bytes)| Some((name, bytes?))) {
        fs::write(folder.path().join(name), bytes).expect("a file that can be written");
    }
    let bytes = fs::read(&path).expect("it was written").into();
    let found = examine(&Input { bytes, sidecars: &Folder::of(&path) }, &ReadOptions::default());
    let found = found.map_err(|error| format!("it cannot be examined: {error}"))?;
    let compared = |finding: &pchr::diagnostics::Finding| {
        (finding.fault.code, rule(finding.fault.code).map(|rule| rule.severity), finding.fault.place.path.clone())
    };
    let expected: Vec<_> = subject
        .expected
        .iter()
        .map(|(code, path)| (*code, rule(code).map(|rule| rule.severity), path.clone()))
        .collect();
    let all: Vec<_> = found.findings().iter().map(compared).collect();
    if all != expected {
        return Err(format!("found {all:?}, expected {expected:?}"));
    }
    let severities = found.findings().iter().all(|finding| Some(finding.severity) == compared(finding).1);
    let is_flaw = |code: &str| FLAWS.contains(&code);
    let error = open(&path, &ReadOptions::default(), &mut Diagnostics::default()).err();
    let first = found.findings().iter().find(|finding| finding.severity == Severity::Error);
    let first = first.map(|finding| finding.fault.code).filter(|code| !is_flaw(code));
    if !severities || error.as_ref().map(Error::code) != first {
        return Err(format!("the reader ends with {error:?}, but {first:?} was found"));
    }
    Ok(())
}

#[test]
fn the_knight_has_no_findings_in_any_form() {
    let nothing = Damage { code: "io", name: "nothing", forms: damages::EVERY, how: damages::How::Fields(|_| ()) };
    let folder = TempDir::new().expect("a temporary folder");
    for &form in nothing.forms {
        let written = Subject::new(&nothing, form, 0).write(&nothing.how);
        let path = folder.path().join("knight");
        for (name, bytes) in &written.beside {
            fs::write(folder.path().join(name), bytes).expect("a file that can be written");
        }
        let found =
            examine(&Input { bytes: written.bytes.into(), sidecars: &Folder::of(&path) }, &ReadOptions::default());
        let found = found.expect("it can be examined");
        assert!(found.is_empty(), "{form:?}: {:?}", found.findings());
    }
    assert_eq!(write(&FIELDS).expect("it fits"), *KNIGHT, "the writer reproduces the bytes");
}

// ---- Damages outside the table.

#[test]
fn a_missing_knight() {
    let folder = TempDir::new().expect("a temporary folder");
    // Neither a missing file nor a folder can be read.
    for path in [folder.path().join("knight.pchr"), folder.path().to_owned()] {
        let error = open(&path, &ReadOptions::default(), &mut Diagnostics::default()).unwrap_err();
        let file = Place::file(path.display());
        assert_eq!((error.code(), error.place()), ("io", Some(&file)));
    }
}

#[test]
fn an_exceeded_limit_hides_no_error() {
    let mut file = FIELDS.clone();
    file.images.push(file.images[0].clone());
    file.images[0].format = 9;
    let mut options = ReadOptions::default();
    options.limits.pixels = 1 << 20;
    let bytes = write(&file).expect("it fits");
    let folder = Folder::of(Path::new("."));
    let found =
        examine(&Input { bytes: bytes.clone().into(), sidecars: &folder }, &options).expect("errors first");
    let found: Vec<_> =
        found.findings().iter().map(|finding| compared(finding.severity, &finding.fault)).collect();
    let at = |path: &str| Some(damages::layout::offset(&file, path) as u64);
    let expected = [("image-format", "images[0].format"), ("limit-exceeded", "images[1].width")];
    let expected = expected.map(|(code, path)| (code.to_owned(), Severity::Error, path.to_owned(), at(path)));
    assert_eq!(found, expected);
    assert_eq!(from_bytes_of(&bytes, &options).1.expect("an error").code, "image-format");
}
