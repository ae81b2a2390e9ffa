//! Findings in whole characters; every finding is listed, has a fixture and is documented in `docs/findings.md`.
//! `PCHR_UPDATE=1` rewrites that file.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common;
use crate::common::checks::{Verdict, assert_agree, has_flaw};
use crate::common::memory::peak;
use crate::common::rig::rig;
use crate::common::v1::write;
use crate::common::v1::{Animation, Bone, BoneTransform, File, Image, Mesh};
use crate::common::{bone, conformance_files, say, tiny, triangle};
use crate::quirks::{Fixture, all_fixtures};
use bytes::Bytes;
use pchr::diagnostics::{Diagnostics, Finding, Severity};
use pchr::formats::findings::{RULES, rule};
use pchr::formats::{BindPose, Folder, Input, NO_SIDECARS, ReadOptions, examine, open};

/// Codes without a fixture, with the reason.
const WITHOUT_FIXTURE: [(&str, &str); 11] = [
    ("guessed-image", "it depends on the folder: tests/formats/find_images"),
    ("bad-magic", "other first bytes are an unknown format"),
    ("no-reader", "only builds without all formats report it"),
    ("outlying-key", "only `validate` compares keys: tests/formats/odd_keys.rs"),
    ("scale-through-zero", "only `validate` compares keys: tests/formats/odd_keys.rs"),
    ("single-frame-part", "only `validate` compares keys: tests/formats/odd_keys.rs"),
    ("nothing-visible", "only `validate` poses characters: tests/formats/nothing_visible.rs"),
    ("too-many", "such a file has more than a megabyte: `more_than_the_format_supports` makes one"),
    ("spine-project", "only the file name reveals it: programs/pchr-view/tests/view/spine.rs has one"),
    ("skel-value", "binary skeletons: tests/formats/skel.rs changes bytes of one"),
    ("io", "no stored file causes it on every system: `a_missing_file` does"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn knight() -> PathBuf {
    root().join("assets/paper-knight.pchr")
}

fn found_in(path: &Path, options: &ReadOptions) -> Vec<Finding> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let input = Input { bytes: bytes.into(), sidecars: &Folder::of(path) };
    let found = examine(&input, options).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    found.findings().to_vec()
}

/// Checks that there are no errors and no warnings; notes are fine.
fn is_clean(path: &Path) {
    for Finding { severity, fault } in found_in(path, &ReadOptions::default()) {
        assert!(severity == Severity::Note, "{}: {}: {fault}", path.display(), fault.code);
    }
}

#[test]
fn the_knight_is_clean() {
    is_clean(&knight());
}

#[test]
fn conformance_files_are_clean() {
    let files = conformance_files("pchr", ".pchr");
    files.iter().for_each(|file| is_clean(file));
    say(&format!("pchr findings: {} files without", files.len()));
    assert!(!files.is_empty(), "no .pchr file found");
}

/// The codes of the warnings, without repeats.
fn warnings(path: &Path, options: &ReadOptions) -> BTreeSet<&'static str> {
    let found = found_in(path, options);
    found.iter().filter(|finding| finding.severity > Severity::Note).map(|finding| finding.fault.code).collect()
}

#[test]
fn an_upside_down_character_is_reported() {
    let options = ReadOptions { flip_v: true, ..ReadOptions::default() };
    assert_eq!(warnings(&knight(), &options), ["flipped-v"].into());
    // Mirrored in the file, the option is needed.
    let mut file = read_file(&knight());
    for mesh in &mut file.meshes {
        let mut vertices = mesh.vertices.bytes.to_vec();
        for record in vertices.chunks_exact_mut(40) {
            let v = f32::from_le_bytes(record[12..16].try_into().unwrap());
            record[12..16].copy_from_slice(&(1.0 - v).to_le_bytes());
        }
        mesh.vertices = vertices.into();
    }
    let found = found(&file, &ReadOptions::default());
    assert!(found.iter().any(|finding| finding.fault.message.contains("with `--flip-v`")), "{found:?}");
    assert!(found_with(&file, &options).iter().all(|finding| finding.severity == Severity::Note));
}

#[test]
fn a_wrong_bind_pose_is_reported_with_the_right_one() {
    for (animation, frame) in [("walk", 3), ("jump", 20), ("wave", 20)] {
        let options = ReadOptions {
            bind_pose: BindPose::Frame { animation: animation.to_owned(), frame },
            ..ReadOptions::default()
        };
        let found = found_in(&knight(), &options);
        let faults: Vec<_> =
            found.iter().filter(|finding| finding.fault.code == "doubtful-bind-pose").map(|f| &f.fault).collect();
        assert_eq!(faults.len(), 1, "{animation}:{frame}");
        assert!(faults[0].message.contains("`--bind-pose bind:0`"), "{}", faults[0]);
    }
}

fn read_file(path: &Path) -> File {
    crate::common::v1_read::read(&fs::read(path).unwrap())
}

fn found(file: &File, options: &ReadOptions) -> Vec<Finding> {
    let input = Input { bytes: write(file).expect("it fits").into(), sidecars: NO_SIDECARS };
    examine(&input, options).expect("it can be examined").findings().to_vec()
}

use found as found_with;

#[test]
fn reading_and_examining_agree() {
    let (mut refused, mut incomplete) = (0, 0);
    for fixture in all_fixtures() {
        let mut diagnostics = Diagnostics::default();
        // Findings do not contain the name of the file.
        let result = open(&fixture.path(), &fixture.options, &mut diagnostics);
        let result = result.map_err(|error| without_file(error, &fixture.path()));
        let (read, examined) = (Verdict { result, diagnostics }, fixture.examined());
        if examined.as_ref().is_err_and(|error| error.code() == "unknown-format") {
            // Only opening knows the name, which may say more.
            assert!(read.result.is_err(), "{}", fixture.folder.display());
            continue;
        }
        let agreed = catch_unwind(AssertUnwindSafe(|| assert_agree(&read, &examined)));
        assert!(agreed.is_ok(), "{}", fixture.folder.display());
        refused += usize::from(read.result.is_err());
        incomplete += usize::from(has_flaw(&read));
    }
    assert!(refused >= 60 && incomplete >= 5, "{refused} refused, {incomplete} incomplete");
}

/// The same error without the name of the file itself; other files are kept.
fn without_file(mut error: pchr::Error, path: &Path) -> pchr::Error {
    let file = match &mut error {
        pchr::Error::Malformed(fault) | pchr::Error::Unsupported(fault) => &mut fault.place.file,
        pchr::Error::LimitExceeded(excess) => &mut excess.place.file,
        _ => return error,
    };
    file.take_if(|file| Path::new(file) == path);
    error
}

#[test]
fn a_missing_file() {
    let error = open(&root().join("tests/no.pchr"), &ReadOptions::default(), &mut Diagnostics::default());
    assert_eq!(error.unwrap_err().code(), "io");
}

#[test]
fn more_than_the_format_supports() {
    let bones = vec![r#"{"name": "b", "parent": -1}"#; 65_536].join(",");
    let json = format!(
        r#"{{"version": 1, "fps": 24, "images": [], "bones": [{bones}], "meshes": [], "animations": []}}"#
    );
    let input = Input { bytes: json.into(), sidecars: NO_SIDECARS };
    let found = examine(&input, &ReadOptions::default()).unwrap();
    let messages: Vec<_> = found.findings().iter().map(|finding| finding.fault.to_string()).collect();
    assert_eq!(messages, ["/bones: 65536 entries; at most 65535 are supported"]);
    assert_eq!(found.findings()[0].fault.code, "too-many");
}

#[test]
fn a_flood_of_warnings_hides_no_error() {
    let keys: String = (0..5000).map(|number| format!(r#""key{number}": 1, "#)).collect();
    let json = format!(
        r#"{{{keys} "version": 1, "fps": 24, "images": [], "bones": [{{"name": "b", "parent": 7}}], "meshes": [], "animations": []}}"#
    );
    let input = Input { bytes: json.into(), sidecars: NO_SIDECARS };
    let found = examine(&input, &ReadOptions::default()).unwrap();
    assert_eq!(found.suppressed(), 4000);
    assert!(found.findings().iter().any(|finding| finding.fault.code == "bad-parent"));
}

// ---- The list of findings.

/// Codes for what a caller wants to write; no file can cause them when it is read.
const ONLY_WRITING: [&str; 2] = ["partial-record", "would-bake"];

/// The source files that judge bytes.
fn sources() -> Vec<PathBuf> {
    let mut sources = Vec::new();
    let mut folders = vec![root().join("src/bytes"), root().join("src/formats"), root().join("src/validate")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { sources.push(path) }
        }
    }
    sources
}

/// The codes that the sources report for files, without misuse by callers.
fn codes_in_sources() -> BTreeSet<String> {
    const CALLS: [&str; 11] = [
        ".warn(",
        ".note(",
        ".incomplete(",
        ".flaw(",
        ".warn_all(",
        ".note_all(",
        // Also matches the short helper functions of a format.
        "malformed(",
        "unsupported(",
        " reject_image(",
        // Of the cursor over a binary skeleton.
        ".fault(",
        // Of the reader of Adobe Animate, once for each symbol.
        "self.report(",
    ];
    // Every format reports these.
    let mut codes: BTreeSet<String> = ["io", "limit-exceeded"].map(str::to_owned).into();
    for source in sources() {
        let text = fs::read_to_string(&source).unwrap();
        for (call, at) in CALLS.iter().flat_map(|call| text.match_indices(call).map(move |(at, _)| (call, at))) {
            let inside = text[at + call.len()..].trim_start();
            // A function or closure that forwards its own argument.
            if inside.starts_with("code,") || inside.starts_with("code:") {
                continue;
            }
            let code = inside.strip_prefix('"').and_then(|rest| rest.split('"').next());
            let code = code.unwrap_or_else(|| panic!("{}: `{call}` without a literal code", source.display()));
            if ONLY_WRITING.contains(&code) {
                continue;
            }
            codes.insert(code.to_owned());
        }
    }
    codes
}

#[test]
fn every_code_is_listed() {
    let listed: BTreeSet<String> = RULES.iter().map(|rule| rule.code.to_owned()).collect();
    let used = codes_in_sources();
    let odd: Vec<_> = used.symmetric_difference(&listed).collect();
    assert!(odd.is_empty(), "only in the sources or only in the list: {odd:?}");
    assert!(used.len() >= 45, "only {} codes found in the sources", used.len());
}

#[test]
fn the_list_is_in_order_and_complete() {
    let order: Vec<_> = RULES.iter().map(|rule| (std::cmp::Reverse(rule.severity), rule.code)).collect();
    assert!(order.windows(2).all(|pair| pair[0] < pair[1]), "by severity, then by code, each once");
    for listed in RULES {
        assert_eq!(rule(listed.code), Some(listed));
        let is_code = listed.code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        let is_sentence = listed.help.ends_with('.') && listed.help.len() > 20;
        assert!(is_code && is_sentence && !listed.title.ends_with('.'), "{listed:?}");
    }
    assert_eq!(rule("no-such-code"), None);
}

/// Severity and code of each line of the second part of the expected output.
fn everything(fixture: &Fixture) -> Vec<(String, String)> {
    let expected = fixture.expected();
    let (_, lines) = expected.split_once("# everything\n").expect("two parts");
    let finding = |line: &str| {
        let (severity, rest) = line.split_once('[')?;
        let (code, _) = rest.split_once(']')?;
        Some((severity.to_owned(), code.to_owned()))
    };
    lines.lines().filter_map(finding).collect()
}

#[test]
fn every_code_has_its_own_fixture() {
    let reported: Vec<Vec<(String, String)>> = all_fixtures().iter().map(everything).collect();
    for rule in RULES {
        let severity = match rule.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        for (found, _) in reported.iter().flatten().filter(|(_, code)| code == rule.code) {
            assert!(
                found == severity || found == "fails",
                "{}: listed as {severity}, reported as {found}",
                rule.code
            );
        }
        let is_alone = |codes: &&Vec<_>| !codes.is_empty() && codes.iter().all(|(_, code)| code == rule.code);
        let exception = WITHOUT_FIXTURE.iter().find(|(code, _)| *code == rule.code);
        let count = reported.iter().filter(is_alone).count();
        assert!(count > 0 || exception.is_some(), "no fixture reports only `{}`", rule.code);
        assert!(count == 0 || exception.is_none(), "`{}` does have a fixture", rule.code);
    }
}

/// The content of `docs/findings.md`.
fn page() -> String {
    let mut page = String::from(
        "# Findings\n\n\
         <!-- Generated by `PCHR_UPDATE=1 cargo test --release --test formats findings` from src/formats/findings.rs. -->\n\n\
         This page lists the findings of `pchr validate` by code. `--ignore CODE` suppresses a finding, and \
         `--deny warnings` treats warnings as errors.\n\n\
         * An **error**: the reader rejects the file, or opens it without some of its images.\n\
         * A **warning**: the file opens, but probably does not look as intended.\n\
         * A **note**: the file is fine, and the note is only for information.\n\n\
         Reading continues after an error as far as possible. If the structure is broken (the file is truncated, a \
         count is wrong, the JSON is invalid), the positions of everything after it are unknown, so that error is the \
         last one. Meshes and animations with errors are not checked for warnings and notes. At most 100 errors are \
         listed per mesh or animation, at most 100 findings per check, and at most 1,000 per severity in a file; \
         the others are only counted.\n",
    );
    for (severity, title) in
        [(Severity::Error, "Errors"), (Severity::Warning, "Warnings"), (Severity::Note, "Notes")]
    {
        write!(page, "\n## {title}\n").unwrap();
        for rule in RULES.iter().filter(|rule| rule.severity == severity) {
            write!(page, "\n### `{}`\n\n{}. {}\n", rule.code, rule.title, rule.help).unwrap();
        }
    }
    page
}

#[test]
fn the_documentation_matches_the_list() {
    let path = root().join("docs/findings.md");
    if std::env::var_os("PCHR_UPDATE").is_some() {
        fs::write(&path, page()).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(
        stored.replace("\r\n", "\n") == page(),
        "docs/findings.md is out of date; update it with PCHR_UPDATE=1"
    );
}

// ---- Large and hostile files.

/// Many times the slowest time; anything quadratic in 65,535 takes longer.
const PATIENCE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 120_000 } else { 4000 });

#[track_caller]
fn check(name: &str, file: &File) -> Diagnostics {
    let bytes: Bytes = write(file).expect("it fits").into();
    let pixels: usize = file.images.iter().map(|i| usize::from(i.width) * usize::from(i.height)).sum();
    let start = Instant::now();
    let input = Input { bytes: bytes.clone(), sidecars: NO_SIDECARS };
    let (found, peak) = peak(|| examine(&input, &ReadOptions::default()).expect("it can be examined"));
    let took = start.elapsed();
    say(&format!("{name}: {} MB, {took:?}, {} MB of memory", bytes.len() >> 20, peak >> 20));
    let allowed = 32 * bytes.len() + 4 * pixels + (16 << 20);
    assert!(peak <= allowed, "{name}: {peak} bytes of memory, the limit is {allowed}");
    assert!(took < PATIENCE, "{name}: it took {took:?}");
    found
}

#[test]
fn files_at_the_limits_of_the_format_are_fast() {
    let named = |number: usize| format!("n{}", number % 20_000);
    // Everything overlaps everything else with the same order, and every name occurs several times.
    let bones: Vec<_> = (0..65_535).map(|n| Bone { name: named(n), parent: -1, offset: 0 }).collect();
    let meshes: Vec<_> =
        (0..65_535).map(|n| Mesh::new(named(n), 0, &triangle(n as u16), &[0, 1, 2, 0, 0, 1])).collect();
    let frame = vec![BoneTransform::default(); bones.len()];
    let animations = vec![Animation::new("stand", true, &vec![frame; 4])];
    let found = check("everything at once", &File { bones, meshes, animations, ..tiny() });
    let count = |code: &str| found.findings().iter().filter(|finding| finding.fault.code == code).count();
    let counted = |code: &str| found.counts().find(|(_, of, _)| *of == code).map(|(.., count)| count);
    for (code, all) in [("duplicate-name", 40_000), ("degenerate-triangle", 65_535), ("equal-z-order", 65_534)] {
        assert_eq!((count(code), counted(code)), (100, Some(all)), "{code}");
    }

    // Separated in y, so that no comparison in x ends early.
    let apart =
        |n: usize| triangle(0).map(|corner| crate::common::v1::Vertex { y: corner.y + 20.0 * n as f32, ..corner });
    let meshes: Vec<_> = (0..65_535).map(|n| Mesh::new(named(n), 0, &apart(n), &[0, 1, 2])).collect();
    check("a tower", &File { meshes, ..tiny() });

    let pixel = Image { width: 1, height: 1, ..common::white("", 1, 1) };
    let still = Animation::new("", true, &[vec![BoneTransform::default(); 2]]);
    check(
        "animations and images",
        &File { animations: vec![still; 65_535], images: vec![pixel; 65_535], ..tiny() },
    );
    check("a long animation", &rig(1000, 2000));
    check("one bone for very long", &rig(1, 65_535));
}

#[test]
fn a_deep_chain_and_overflowing_numbers_are_examined() {
    let bones: Vec<_> = (0..32_769).map(|index| bone("", (index - 1) as i16)).collect();
    for value in [f32::MAX, -f32::MAX, 1e38, 1e20, f32::MIN_POSITIVE, 1e-45, -0.0] {
        for transform in [
            BoneTransform { scale_x: value, scale_y: value, ..BoneTransform::default() },
            BoneTransform { x: value, y: -value, rotation: value, ..BoneTransform::default() },
        ] {
            let still = vec![BoneTransform::default(); bones.len()];
            let frames = [vec![transform; bones.len()], still.clone(), still];
            let mut corners = triangle(32_768);
            (corners[0].x, corners[1].y, corners[2].u, corners[2].v) = (value, value, value, value);
            corners[1].bone_weights = [value, value, 0.0, 0.0];
            corners[1].bone_ids = [32_768, 32_767, 0, 0];
            let meshes = vec![Mesh::new("m", 0, &corners, &[0, 1, 2])];
            let animations = vec![Animation::new("move", true, &frames)];
            check("a chain", &File { bones: bones.clone(), meshes, animations, ..tiny() });
        }
    }
}
