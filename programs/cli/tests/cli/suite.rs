//! `pchr test DIR`: the path of a new user, references, results, and what is left alone.

use std::fs;

use serde_json::{Value, json};

use crate::common;
use crate::common::program::stderr;
use crate::common::suite_folder::Suite;

/// Copies our characters to `art`.
fn add_assets(suite: &Suite) {
    let assets = crate::common::root().join("assets");
    for (from, to) in [
        ("paper-knight.pchr", "art/knight.pchr"),
        ("paper-lamp.json", "art/lamp/paper-lamp.json"),
        ("paper-lamp.atlas", "art/lamp/paper-lamp.atlas"),
        ("paper-lamp.png", "art/lamp/paper-lamp.png"),
    ] {
        suite.write(to, &fs::read(assets.join(from)).expect("an asset"));
    }
}

/// Returns the verdicts of all frames, by reference.
fn verdicts(comparison: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let frames = comparison["frames"].as_array().expect("frames").iter();
    frames.map(|frame| (text(&frame["reference"]), text(&frame["verdict"]))).collect()
}

/// Returns the size of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

/// Replaces `one.pchr` by a character whose flag is 5 pixels wider in both frames of `wave`, and in `bind`.
fn change_one(suite: &Suite) {
    let mut file = common::tiny();
    let mut corners = common::triangle(1);
    corners[2].x -= 5.0;
    file.meshes[0] = crate::common::v1::Mesh::new("flag", 0, &corners, &[0, 1, 2]);
    suite.write("art/one.pchr", &crate::common::v1::write(&file).expect("a valid file"));
}

#[test]
fn a_new_user_makes_references_finds_a_change_and_accepts_it() {
    let suite = Suite::empty();
    add_assets(&suite);
    let first = suite.stdout(0, "art --update");
    assert!(first.ends_with("frames of 2 characters compared: 18 updated\n"), "{first}");
    let names = suite.pictures();
    assert_eq!(names.len(), 18, "{names:?}");
    for name in
        ["knight/walk-0000.png", "knight/walk-0012.png", "knight/walk-0023.png", "lamp/paper-lamp/hop-0000.png"]
    {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
        assert_eq!(size(&suite.read(&format!("art/references/{name}"))), (256, 256));
    }
    assert_eq!(suite.stdout(0, "art"), "18 frames of 2 characters compared: 18 same\n");
    assert!(!suite.path("art/results").exists());
    // The pictures are those of pchr-view.
    let args = ["art/knight.pchr", "-a", "walk", "-f", "12", "-s", "256", "-o", "walk.png"];
    assert!(common::program::view(&suite.path(""), &args).status.success());
    assert!(suite.read("walk.png") == suite.read("art/references/knight/walk-0012.png"));
    // A new export of the lamp.
    let lamp = String::from_utf8(suite.read("art/lamp/paper-lamp.json")).expect("UTF-8");
    let changed = lamp.replacen("\"y\": 92", "\"y\": 80", 1);
    assert_ne!(lamp, changed);
    suite.write("art/lamp/paper-lamp.json", changed.as_bytes());
    let report = suite.stdout(1, "art");
    assert!(report.contains("different  art/references/lamp/paper-lamp/"), "{report}");
    assert!(!report.contains("references/knight"), "{report}");
    let results = suite.files("art/results");
    assert!(!results.is_empty() && results.len().is_multiple_of(2), "{results:?}");
    suite.stdout(0, "art --update");
    assert!(!suite.path("art/results").exists(), "obsolete results are removed");
    assert_eq!(suite.stdout(0, "art -q"), "");
}

#[test]
fn results_show_each_frame_that_differs_and_disappear_with_it() {
    let suite = Suite::tiny();
    suite.stdout(0, "art --update");
    let before = suite.read("art/one.pchr");
    change_one(&suite);
    suite.write("art/results/mine.txt", b"mine");
    suite.write("art/results/one/other.now.png", b"mine");
    let comparison = suite.json(1, "art");
    let differing: Vec<_> =
        verdicts(&comparison).into_iter().filter(|(_, verdict)| verdict == "different").collect();
    let wave = |frame: u32| (format!("art/references/one/wave-{frame:04}.png"), "different".to_owned());
    assert_eq!(differing, [wave(0), wave(1)]);
    let frame = &comparison["frames"][0];
    assert_eq!(frame["character"], "art/one.pchr");
    assert_eq!(frame["now"], "art/results/one/wave-0000.now.png");
    assert_eq!(frame["diff"], "art/results/one/wave-0000.diff.png");
    for path in [&frame["now"], &frame["diff"]] {
        assert_eq!(size(&suite.read(path.as_str().expect("text"))), (256, 256));
    }
    suite.write("art/one.pchr", &before);
    suite.stdout(0, "art");
    assert_eq!(suite.files("art/results"), ["mine.txt", "one/other.now.png"], "other files are left alone");
}

#[test]
fn missing_resized_and_unreadable_references_are_told_apart() {
    let suite = Suite::tiny();
    let comparison = suite.json(3, "art");
    assert!(verdicts(&comparison).iter().all(|(_, verdict)| verdict == "missing"));
    assert_eq!(
        suite.files("art"),
        [
            "one.pchr",
            "results/one/wave-0000.now.png",
            "results/one/wave-0001.now.png",
            "results/sub/two/wave-0000.now.png",
            "results/sub/two/wave-0001.now.png",
            "sub/two.pchr",
        ]
    );
    suite.stdout(3, "art");
    suite.stdout(0, "art --update");
    let reference = suite.read("art/references/one/wave-0000.png");
    suite.settings("size = 64\n[[render]]\nfiles = 'one.pchr'\n[[render]]\nfiles = 'sub/*'\nsize = 256\n");
    suite.write("art/references/sub/two/wave-0001.png", b"no picture");
    let comparison = suite.json(3, "art");
    let found: Vec<String> = verdicts(&comparison).into_iter().map(|(_, verdict)| verdict).collect();
    assert_eq!(found, ["resized", "resized", "same", "unreadable"]);
    assert_eq!(comparison["frames"][0]["reference_size"], json!([256, 256]));
    assert!(suite.read("art/references/one/wave-0000.png") == reference, "references only change with --update");
}

#[test]
fn update_changes_only_what_differs_and_needs_force_in_continuous_integration() {
    let suite = Suite::tiny();
    suite.stdout(0, "art --update");
    let time = |name: &str| fs::metadata(suite.path(name)).and_then(|found| found.modified()).expect("a file");
    let names = ["art/references/one/wave-0000.png", "art/references/sub/two/wave-0000.png"];
    let before = names.map(time);
    change_one(&suite);
    let in_ci = |args: &str| {
        suite.run_with(args, |command| {
            command.env("CI", "1");
        })
    };
    let refused = in_ci("art --update");
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("CI is set") && stderr(&refused).contains("--force"),
        "{}",
        stderr(&refused)
    );
    assert_eq!(names.map(time), before);
    assert_eq!(in_ci("art --update --force").status.code(), Some(0));
    let after = names.map(time);
    assert!(after[0] != before[0] && after[1] == before[1]);
    suite.stdout(0, "art");
}

#[test]
fn a_broken_character_is_one_failure_and_the_others_are_tested() {
    let suite = Suite::tiny();
    suite.stdout(0, "art --update");
    suite.write("art/broken.pchr", b"PCHR but not really");
    suite.settings("[[render]]\n[[render]]\nname = 'small'\nsize = 16\n");
    suite.stdout(3, "art --update");
    let comparison = suite.json(3, "art");
    assert_eq!(comparison["failures"].as_array().map(Vec::len), Some(1), "{comparison:#}");
    let failure = &comparison["failures"][0];
    assert_eq!((&failure["character"], &failure["index"]), (&json!("art/broken.pchr"), &json!(0)));
    assert_eq!((&comparison["summary"]["same"], &comparison["summary"]["failed"]), (&json!(8), &json!(1)));
    let text = suite.stdout(3, "art -q");
    assert!(text.starts_with("failed     art/broken.pchr: ") && text.lines().count() == 1, "{text}");
}

#[test]
fn updated_references_are_reported_if_another_one_cannot_be_written() {
    let suite = Suite::tiny();
    suite.settings("exclude = 'sub'\nanimation = ['bind', 'wave']\n[[render]]\nfiles = ['one.pchr']\n");
    suite.write("art/references/one/wave-0001.png/mine.txt", b"mine");
    let comparison = suite.json(5, "art --update");
    let updated = |name: &str| (format!("art/references/one/{name}.png"), "updated".to_owned());
    assert_eq!(verdicts(&comparison), [updated("bind-0000"), updated("wave-0000")]);
    assert_eq!(comparison["summary"]["failed"], 1);
    assert_eq!(suite.files("art/references/one"), ["bind-0000.png", "wave-0000.png", "wave-0001.png/mine.txt"]);
}

#[test]
fn references_that_no_picture_uses_are_failures() {
    let suite = Suite::tiny();
    suite.stdout(0, "art --update");
    suite.write("art/references/notes.txt", b"mine");
    fs::remove_file(suite.path("art/sub/two.pchr")).expect("can be removed");
    let text = suite.stdout(3, "art");
    assert!(text.contains("unused     art/references/sub/two/wave-0000.png: "), "{text}");
    assert!(text.ends_with("2 frames of 1 character compared: 2 same; 3 references unused\n"), "{text}");
    assert_eq!(suite.json(3, "art")["unused"].as_array().map(Vec::len), Some(3));
    for (style, part) in
        [("github", "::error file=art/references/sub/two/wave-0000.png,"), ("junit", "type=\"unused\"")]
    {
        assert!(suite.stdout(3, &format!("art --style {style}")).contains(part), "{style}");
    }
    let notes = suite.stderr(0, "art --unused note");
    assert!(
        notes.contains("there are 3 references that no picture uses: `art/references/sub/two/structure.json`, ")
    );
    assert_eq!(suite.stdout(0, "art --only one.pchr"), "2 frames of 1 character compared: 2 same\n");
    // References of a character that cannot be read are not obsolete.
    let one = suite.read("art/one.pchr");
    suite.write("art/one.pchr", b"PCHR but not really");
    assert!(suite.stdout(3, "./art/").ends_with("; 3 references unused; 1 character failed\n"));
    suite.write("art/one.pchr", &one);
    // An animation that has vanished.
    let mut file = common::tiny();
    file.animations[1].name = "jump".to_owned();
    suite.write("art/one.pchr", &crate::common::v1::write(&file).expect("a valid file"));
    assert!(suite.stdout(3, "art").contains("unused     art/references/one/wave-0001.png: "));
    assert!(suite.stderr(0, "art --update").contains("removed 5 references that no picture uses"));
    assert_eq!(suite.pictures(), ["notes.txt", "one/jump-0000.png", "one/jump-0001.png"]);
    assert_eq!(suite.stdout(0, "art"), "2 frames of 1 character compared: 2 same\n");
}

/// Something that took the place of a character must not turn a test green.
#[test]
fn a_file_that_is_no_character_any_more_is_a_failure() {
    let suite = Suite::empty();
    add_assets(&suite);
    suite.write("art/package.json", b"{\"name\": \"art\"}");
    suite.stdout(0, "art --update");
    let lamp = suite.read("art/lamp/paper-lamp.json");
    let conflict = [b"<<<<<<< HEAD\n".as_slice(), &lamp].concat();
    for bytes in [b"".as_slice(), b"   ", b"{}", b"[1, 2]", b"garbage", b"\0\0\0", &conflict] {
        suite.write("art/lamp/paper-lamp.json", bytes);
        let document = suite.json(3, "art");
        let failed = document["failures"].as_array().map(Vec::len);
        assert_eq!(failed, Some(1), "{:?}: {document:#}", String::from_utf8_lossy(bytes));
        assert_eq!(document["failures"][0]["character"], "art/lamp/paper-lamp.json");
    }
    // Named by the settings, without references.
    suite.write("art/lamp/paper-lamp.json", b"garbage");
    fs::remove_dir_all(suite.path("art/references/lamp")).expect("can be removed");
    // Nothing next to it shows that it was a character.
    for part in ["atlas", "png"] {
        fs::remove_file(suite.path(&format!("art/lamp/paper-lamp.{part}"))).expect("can be removed");
    }
    suite.stdout(0, "art");
    suite.settings("[[render]]\nfiles = ['knight.pchr', 'lamp/paper-lamp.json']\n");
    assert_eq!(suite.json(3, "art")["failures"][0]["character"], "art/lamp/paper-lamp.json");
}

#[test]
fn pictures_that_show_nothing_do_not_become_references() {
    let suite = Suite::tiny();
    suite.settings("[[render]]\nfiles = ['one.pchr']\nhide-mesh = '*'\n[[render]]\nfiles = ['sub/*']");
    let text = suite.stdout(1, "art --update");
    let message =
        "failed     art/one.pchr: nothing is visible in any chosen frame of `wave`; it does not become a";
    assert!(text.starts_with(message), "{text}");
    assert_eq!(suite.pictures(), ["sub/two/wave-0000.png", "sub/two/wave-0001.png"]);
    suite.stdout(0, "art --update --allow-empty");
    assert_eq!(suite.pictures().len(), 4);
    assert_eq!(suite.stdout(0, "art"), "4 frames of 2 characters compared: 4 same\n");
}

#[test]
fn a_report_has_only_the_pictures_that_differ_and_the_worst_come_first() {
    let suite = Suite::tiny();
    suite.stdout(0, "art --update");
    let page = |args: &str, code: i32| {
        suite.stdout(code, &format!("art --html-report report {args}"));
        String::from_utf8(suite.read("report/index.html")).expect("UTF-8").matches("data:image/png").count()
    };
    assert_eq!([page("", 0), page("--report-all", 0)], [0, 4]);
    change_one(&suite);
    assert_eq!([page("", 1), page("--report-all", 1)], [6, 8]);
    // The reference of the second character is replaced by one that differs in all pixels.
    suite.settings("background = '#010203'\n[[render]]\nfiles = ['one.pchr']\n[[render]]\nfiles = ['sub/*']\n");
    fs::copy(suite.path("art/references/one/wave-0000.png"), suite.path("art/references/sub/two/wave-0000.png"))
        .expect("a copy");
    let text = suite.stdout(1, "art");
    let pixels: Vec<u64> = text
        .lines()
        .filter_map(|line| line.split(": ").find_map(|part| part.split(" of ").next()?.parse().ok()))
        .collect();
    assert!(pixels.len() == 4 && pixels.is_sorted_by(|a, b| a >= b), "{text}");
}

#[test]
fn a_part_of_a_suite_is_tested_by_its_path_or_by_a_pattern() {
    let suite = Suite::tiny();
    suite.write("art/sub/deep/three.pchr", &suite.read("art/one.pchr"));
    suite.stdout(0, "art --update");
    suite.settings("background = '#010203'");
    for (args, expected) in [
        ("art", 6),
        ("art/sub", 4),
        ("art/sub/", 4),
        ("./art/sub/deep", 2),
        ("art/one.pchr", 2),
        ("art --only one.pchr", 2),
        ("art --only sub", 4),
        ("art --only sub/*.pchr", 2),
        ("art --only **/*.pchr --exclude sub/deep", 4),
        ("art --only one.pchr --only sub/deep", 4),
        ("art --exclude sub", 2),
    ] {
        let text = suite.stdout(1, args);
        let unit = if expected == 2 { "character" } else { "characters" };
        let summary = format!("{expected} frames of {} {unit} compared: {expected} different", expected / 2);
        assert!(text.lines().last().is_some_and(|last| last.starts_with(&summary)), "{args}\n{text}");
        assert_eq!(
            text.contains("excluded: `art/sub/deep/three.pchr`"),
            args.contains("exclude"),
            "{args}\n{text}"
        );
    }
    // Results are in the folder of the suite, and only this part is accepted.
    assert!(suite.files("art").iter().all(|name| !name.starts_with("sub/results")));
    suite.stdout(0, "art/sub/deep/three.pchr --update");
    assert!(suite.stdout(1, "art").ends_with("6 frames of 3 characters compared: 2 same, 4 different\n"));
    suite.stderr(2, "art --only none.pchr");
    suite.stderr(2, "art --only ***");
    suite.stderr(2, "art --exclude [");
    suite.stderr(2, "art --exclude **/*");
}

#[test]
fn folders_without_characters_are_refused() {
    let suite = Suite::empty();
    assert!(suite.stderr(3, "art").contains("art: no characters found (no .pchr"));
    assert!(suite.stderr(3, "none").contains("none: "));
    suite.write("art/references/old.pchr", &crate::common::v1::write(&common::tiny()).expect("a valid file"));
    assert!(suite.stderr(3, "art").contains("no characters found"));
    suite.write("one.pchr", b"");
    assert!(suite.stdout(3, "one.pchr").contains("one.pchr: "));
    let document: Value = serde_json::from_slice(&suite.run("art --style json").stdout).expect("JSON");
    assert_eq!((&document["schema"], &document["exit_code"]), (&json!("pchr.error/1"), &json!(3)));
    for args in ["", "art --style sarif", "art --shard 3/2", "art --merge a.json", "art --json --style junit"] {
        assert_eq!(suite.run(args).status.code(), Some(2), "{args}");
    }
}

#[test]
fn characters_with_the_same_references_are_refused_unless_they_are_named() {
    let suite = Suite::tiny();
    suite.write("art/ONE.skel.pchr", &suite.read("art/one.pchr"));
    suite.write("art/One.pchr", &suite.read("art/one.pchr"));
    let comparison = suite.json(3, "art");
    let failures = comparison["failures"].as_array().expect("failures");
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!(failures[0]["code"], "same-references");
    let message = failures[0]["message"].as_str().expect("text");
    assert!(message.contains("art/one.pchr") && message.contains("`One.pchr`"), "{message}");
    suite.settings(
        "[[render]]\nfiles = ['ONE*', 'One*', 'sub/*']\n[[render]]\nfiles = 'one.pchr'\nname = 'lower'\n",
    );
    suite.stdout(0, "art --update");
    assert!(suite.path("art/references/one@lower/wave-0000.png").exists());
}
