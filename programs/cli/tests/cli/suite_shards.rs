//! `pchr test --shard I/N` and `--merge`: shards give the bytes of a single run; what does not belong together is
//! refused.

use serde_json::{Value, json};

use crate::common::suite_folder::Suite;

/// A suite with all kinds of verdicts and failures, and references made before the changes.
fn changed() -> Suite {
    let suite = Suite::tiny();
    for name in ["art/a.pchr", "art/b.pchr", "art/deep/c.pchr"] {
        suite.write(name, &suite.read("art/one.pchr"));
    }
    suite.settings("size = 48\n[[render]]\n[[render]]\nname = 'bind'\nanimation = 'bind'\nfiles = ['?.pchr']\n");
    suite.stdout(0, "art --update");
    suite.settings(
        "size = 48\n[[render]]\nbackground = '#010203'\ntolerance = 1\n\
         [[render]]\nname = 'bind'\nanimation = 'bind'\nfiles = ['?.pchr']\n",
    );
    suite.write("art/0-broken.pchr", b"PCHR but not really");
    suite.write("art/references/b/wave-0001.png", b"\x89PNG\r\n\x1a\nno picture");
    suite.write("art/zzz.skf", b"PK nothing");
    std::fs::remove_file(suite.path("art/references/deep/c/wave-0000.png")).expect("can be removed");
    suite
}

/// Removes the times from JUnit XML, which merged results do not have.
fn without_times(text: &str) -> String {
    let mut parts = text.split(" time=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('"').map_or("", |(_, rest)| rest))
}

#[test]
fn merged_shards_equal_a_single_run_byte_for_byte() {
    let suite = changed();
    let styles = ["human", "json", "github", "junit"];
    let whole = styles.map(|style| without_times(&suite.stdout(3, &format!("art -q --style {style}"))));
    let document: Value = serde_json::from_str(&whole[1]).expect("JSON");
    let summary = &document["summary"];
    for verdict in ["same", "different", "missing", "unreadable"] {
        assert!(summary[verdict].as_u64().is_some_and(|count| count > 0), "{verdict}: {summary}");
    }
    assert_eq!(summary["failed"], 2);
    for count in [1, 2, 3, 7, 50] {
        std::fs::remove_dir_all(suite.path("art/results")).expect("there are results");
        let names: Vec<String> = (1..=count).map(|number| format!("{count}-{number}.json")).collect();
        for (number, name) in (1..).zip(&names) {
            let output = suite.run(&format!("art -q --json --shard {number}/{count}"));
            suite.write(name, &output.stdout);
        }
        // In any order.
        let args: Vec<&str> = names.iter().rev().map(String::as_str).collect();
        for (style, whole) in styles.iter().zip(&whole) {
            let merged = suite.stdout(3, &format!("-q --style {style} --merge {}", args.join(" ")));
            assert_eq!(&merged, whole, "{count} shards, {style}");
        }
        let results = suite.files("art/results");
        suite.run("art");
        assert_eq!(suite.files("art/results"), results);
    }
}

#[test]
fn the_report_of_merged_shards_is_that_of_a_single_run() {
    let suite = changed();
    // References are recognized by their content, not by their names.
    let mut webp = Vec::new();
    let encoder = image::codecs::webp::WebPEncoder::new_lossless(&mut webp);
    encoder.encode(&[255; 4 * 4 * 4], 4, 4, image::ExtendedColorType::Rgba8).expect("can be encoded");
    suite.write("art/references/a/wave-0001.png", &webp);
    suite.stdout(3, "art -q --html-report whole");
    for number in 1..=3 {
        // Results are also read from the reports of the shards.
        suite.run(&format!("art -q --shard {number}/3 --html-report shards/{number}"));
    }
    let results = "shards/1/results.json shards/2/results.json shards/3/results.json";
    suite.stdout(3, &format!("-q --html-report merged --merge {results}"));
    let files = suite.files("whole");
    assert!(files.contains(&"index.html".to_owned()) && files == suite.files("merged"), "{files:?}");
    for name in files {
        assert!(suite.read(&format!("whole/{name}")) == suite.read(&format!("merged/{name}")), "{name}");
    }
    // Without its pictures, the report has the numbers only. Other files are not copied into it.
    std::fs::remove_dir_all(suite.path("art/results")).expect("there are results");
    suite.write("art/references/a/wave-0000.png", b"no picture but a secret");
    suite.stdout(3, &format!("-q --html-report merged --merge {results}"));
    assert_eq!(suite.read("merged/results.json"), suite.read("whole/results.json"));
    let page = suite.read("merged/index.html");
    assert!(page.len() < suite.read("whole/index.html").len());
    // Paths are also relative to the folder of the results.
    suite.stdout(3, "art -q --html-report whole");
    std::fs::create_dir(suite.path("elsewhere")).expect("a new folder");
    for name in ["art", "shards"] {
        std::fs::rename(suite.path(name), suite.path(&format!("elsewhere/{name}"))).expect("can be moved");
    }
    for number in 1..=3 {
        let from = suite.path(&format!("elsewhere/shards/{number}/results.json"));
        std::fs::copy(from, suite.path(&format!("elsewhere/{number}.json"))).expect("a copy");
    }
    let before = page.len();
    suite.stdout(3, "-q --html-report merged --merge elsewhere/1.json elsewhere/2.json elsewhere/3.json");
    assert!(suite.read("merged/index.html").len() > before);
    suite.write("full/mine.txt", b"mine");
    assert!(suite.stderr(5, "--html-report full --merge elsewhere/1.json").contains("full"));
}

/// A result may come from anyone: what it names elsewhere does not get into the report.
#[test]
fn pictures_outside_of_the_folders_are_not_read() {
    let suite = Suite::tiny();
    suite.stdout(0, "art --update");
    suite.settings("background = '#010203'");
    suite.write("work/inside.png", &suite.read("art/references/one/wave-0000.png"));
    suite.write("secret.png", &suite.read("art/references/one/wave-0001.png"));
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.png", suite.path("work/link.png")).expect("a link");
    let mut result = suite.json(1, "art");
    let merge = |reference: &str| {
        result["frames"]
            .as_array_mut()
            .expect("frames")
            .iter_mut()
            .for_each(|frame| frame["reference"] = reference.into());
        suite.write("work/result.json", result.to_string().as_bytes());
        let output = suite.run_with("--html-report report --force --merge result.json", |command| {
            command.current_dir(suite.path("work")).env_remove("CI");
        });
        assert_eq!(output.status.code(), Some(1));
        suite.read("work/report/index.html")
    };
    let mut merge = merge;
    let has = |page: &[u8], name: &str| {
        let encoded = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, suite.read(name));
        String::from_utf8_lossy(page).contains(&encoded)
    };
    assert!(has(&merge("inside.png"), "work/inside.png"));
    let absolute = suite.path("work/inside.png");
    assert!(has(&merge(absolute.to_str().expect("UTF-8")), "work/inside.png"));
    let outside = suite.path("secret.png");
    for name in ["../secret.png", "a/../../secret.png", outside.to_str().expect("UTF-8"), "link.png"] {
        assert!(!has(&merge(name), "secret.png"), "{name}");
    }
}

#[test]
fn updating_in_shards_writes_all_references() {
    let suite = Suite::tiny();
    for number in 1..=3 {
        suite.stdout(0, &format!("art --update --shard {number}/3"));
    }
    assert_eq!(suite.stdout(0, "art"), "4 frames of 2 characters compared: 4 same\n");
}

#[test]
fn results_that_do_not_belong_together_are_refused() {
    let suite = changed();
    let shard = |name: &str, args: &str| suite.write(name, &suite.run(&format!("art -q --json {args}")).stdout);
    for number in 1..=3 {
        shard(&format!("{number}.json"), &format!("--shard {number}/3"));
    }
    shard("half.json", "--shard 1/2");
    shard("whole.json", "");
    suite.write("3-copy.json", &suite.read("3.json"));
    suite.write("other.json", b"{\"schema\": \"pchr.diff/1\"}");
    suite.write("none.json", b"[]");
    suite.write("text.json", b"failed");
    suite.write("deep.json", "[".repeat(100_000).as_bytes());
    let edited = |name: &str, edit: fn(&mut Value)| {
        let mut document: Value = serde_json::from_slice(&suite.read("3.json")).expect("JSON");
        edit(&mut document);
        suite.write(name, document.to_string().as_bytes());
    };
    edited("more.json", |document| document["shard"]["characters"] = json!(999));
    edited("stolen.json", |document| document["shard"]["own"][0]["index"] = json!(0));
    edited("beyond.json", |document| document["shard"]["own"][0]["index"] = json!(7));
    edited("number.json", |document| document["shard"]["shard"] = json!(4));
    edited("zero.json", |document| {
        document["shard"] = json!({ "characters": 7, "count": 0, "own": [], "pictures": 0, "shard": 0 })
    });
    edited("foreign.json", |document| {
        document["frames"][0]["character"] = json!("art/none.pchr");
        let characters = document["summary"]["characters"].as_u64().expect("a number");
        document["summary"]["characters"] = json!(characters + 1);
    });
    edited("twice.json", |document| {
        document["frames"][0]["index"] = document["frames"][1]["index"].clone();
    });
    edited("shards.json", |document| document["shard"]["count"] = json!(u32::MAX));
    edited("summary.json", |document| document["summary"]["same"] = json!(77));
    edited("field.json", |document| document["frames"][0]["extra"] = json!(1));
    edited("late.json", |document| document["frames"][0]["index"] = json!(3 * 1_000_000 + 2));
    for (args, place, message) in [
        ("1.json 3.json", "1.json", "the run has 3 shards; missing: shard 2"),
        ("2.json", "2.json", "missing: shards 1, 3"),
        ("1.json 2.json 3.json 3-copy.json", "3-copy.json", "shard 3 of 3 is already in `3.json`"),
        ("1.json 1.json 2.json 3.json", "1.json", "shard 1 of 3 is already in `1.json`"),
        (
            "1.json half.json",
            "half.json",
            "this run has 2 shards with 7 characters, but the run of `1.json` has 3 shards",
        ),
        ("1.json 2.json more.json", "more.json", "3 shards with 999 characters"),
        ("1.json 2.json number.json", "number.json", "shard 4 of 3 does not exist"),
        ("shards.json", "shards.json", "a run has at most 100000 shards, not 4294967295"),
        ("1.json 2.json summary.json", "summary.json", "the summary does not fit the frames and failures"),
        ("zero.json", "zero.json", "shard 0 of 0 does not exist"),
        ("1.json 2.json whole.json", "whole.json", "the result of a whole run, not of a shard"),
        ("1.json 2.json foreign.json", "foreign.json", "the picture with the index 0 belongs to another shard"),
        ("1.json 2.json stolen.json", "stolen.json", ".json`: the shards had different files"),
        ("1.json 2.json beyond.json", "beyond.json", "cannot be character 7"),
        ("1.json 2.json late.json", "late.json", "belongs to another shard"),
        ("1.json 2.json twice.json", "twice.json", "occurs twice"),
        (
            "1.json other.json",
            "other.json",
            "expected a result of the schema `pchr.compare/2`, found `pchr.diff/1`",
        ),
        ("none.json", "none.json", "found no schema"),
        ("text.json", "text.json", "invalid JSON"),
        ("deep.json", "deep.json", "nested more than 64 levels deep"),
        ("field.json", "field.json", "not a result: unknown field `extra`"),
        ("gone.json", "gone.json", "No such file"),
        ("art", "art", "this is a folder, not a file"),
    ] {
        let found = suite.stderr(3, &format!("--merge {args}"));
        assert!(found.contains(&format!("{place}: ")) && found.contains(message), "{args}\n{found}");
    }
    // A single result of a whole run is valid.
    assert_eq!(suite.stdout(3, "--json --merge whole.json").into_bytes(), suite.read("whole.json"));
    assert_eq!(suite.run("--merge 1.json --update").status.code(), Some(2));
    assert_eq!(suite.run("--merge 1.json --shard 1/2").status.code(), Some(2));
}

#[test]
fn incomplete_results_are_refused() {
    let suite = Suite::tiny();
    let whole = suite.json(3, "art");
    let shards = [1, 2].map(|number| suite.json(3, &format!("art --shard {number}/2")));
    suite.write("1.json", shards[0].to_string().as_bytes());
    let refused = |document: &Value, edit: fn(&mut Value), message: &str| {
        let mut document = document.clone();
        edit(&mut document);
        suite.write("edited.json", document.to_string().as_bytes());
        let args = if document["shard"].is_null() { "edited.json" } else { "1.json edited.json" };
        let found = suite.stderr(3, &format!("--merge {args}"));
        assert!(found.contains("edited.json: ") && found.contains(message), "{message}\n{found}");
    };
    let without_first = |document: &mut Value| {
        let frames = document["frames"].as_array_mut().expect("frames");
        frames.remove(0);
        let count = frames.len();
        document["summary"]["frames"] = json!(count);
        document["summary"]["missing"] = json!(count);
    };
    let of_fewer = |document: &mut Value| {
        document["shard"]["own"].as_array_mut().expect("characters").clear();
        document["frames"].as_array_mut().expect("frames").clear();
        (document["shard"]["pictures"], document["summary"]["frames"]) = (json!(0), json!(0));
        document["summary"]["missing"] = json!(0);
        document["summary"]["characters"] = json!(0);
    };
    refused(&whole, without_first, "the picture with the index 0 is missing");
    refused(&shards[1], without_first, "the picture with the index 0 is missing");
    let mut fewer = shards[1].clone();
    of_fewer(&mut fewer);
    suite.write("fewer.json", fewer.to_string().as_bytes());
    let message = "character 1 is in no shard: the shards had different files";
    assert!(suite.stderr(3, "--merge 1.json fewer.json").contains(message));
    for code in [0, 77] {
        let mut document = shards[1].clone();
        let message = "gone";
        document["failures"] = json!([{ "character": "x", "code": "io", "exit_code": code, "index": 0, "message": message, "path": "x",
                "schema": "pchr.error/1" }]);
        document["summary"]["failed"] = json!(1);
        document["summary"]["characters"] = json!(2);
        refused(&document, |_| (), &format!("no failure has the exit code {code}"));
    }
}

#[test]
fn shards_keep_what_a_single_run_keeps_if_a_picture_cannot_be_written() {
    let suite = Suite::tiny();
    suite.stdout(0, "art --update");
    suite.settings("background = '#010203'");
    for name in ["one/wave-0001", "sub/two/wave-0000", "sub/two/wave-0001"] {
        suite.write(&format!("art/results/{name}.now.png/mine.txt"), b"mine");
    }
    let whole = suite.stdout(5, "art --json");
    let document: Value = serde_json::from_str(&whole).expect("JSON");
    let frames = document["frames"].as_array().expect("frames");
    assert_eq!(frames.len(), 1, "{whole}");
    assert_eq!(frames[0]["reference"], "art/references/one/wave-0000.png");
    assert_eq!(document["summary"]["failed"], 2, "one failure per character: {whole}");
    assert!(document["failures"][1]["message"].as_str().is_some_and(|text| text.contains("wave-0000")), "{whole}");
    for count in [2, 3, 4] {
        let names: Vec<String> = (1..=count).map(|number| format!("{count}-{number}.json")).collect();
        for (number, name) in (1..).zip(&names) {
            suite.write(name, &suite.run(&format!("art --json --shard {number}/{count}")).stdout);
        }
        assert_eq!(suite.stdout(5, &format!("--json --merge {}", names.join(" "))), whole, "{count} shards");
    }
}

#[cfg(unix)]
#[test]
fn results_and_settings_are_not_read_from_pipes() {
    use nix::sys::stat::Mode;
    let suite = Suite::tiny();
    for name in ["pipe.json", "art/pchr-test.toml"] {
        nix::unistd::mkfifo(&suite.path(name), Mode::S_IRWXU).expect("a pipe");
    }
    for args in ["--merge pipe.json", "art"] {
        assert!(suite.stderr(3, args).contains("this is a pipe or a device, not a file"), "{args}");
    }
}
