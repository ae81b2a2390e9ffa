//! The output of `pchr test`: JUnit, GitHub annotations and JSON, also with hostile names.

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::common;
use crate::common::suite_folder::Suite;

/// A name that breaks XML, workflow commands and terminals unless it is escaped.
const HOSTILE: &str = "]]>&<'\"/\u{1b}[31m::error::\n%0A,a:b\u{202e}\u{ffff}##vso[task.setvariable variable=x]##[error]\u{ad}\u{200d}";

/// A suite with a character whose animation has a hostile name.
fn hostile() -> Suite {
    let suite = Suite::tiny();
    let mut file = common::tiny();
    file.animations[1].name = HOSTILE.to_owned();
    suite.write("art/a&<b,c 100%.pchr", &crate::common::v1::write(&file).expect("a valid file"));
    suite
}

/// Returns the elements of a document with their attributes. Panics if it is not well-formed.
fn elements(xml: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let mut found = Vec::new();
    let mut depth = 0;
    loop {
        let event = reader.read_event().expect("well-formed XML");
        depth += match event {
            Event::Start(_) => 1,
            Event::End(_) => -1,
            _ => 0,
        };
        match event {
            Event::Start(tag) | Event::Empty(tag) => {
                let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
                let attributes = tag.attributes().map(|attribute| {
                    let attribute = attribute.expect("an attribute");
                    let value =
                        quick_xml::escape::unescape(&text(&attribute.value)).expect("a value").into_owned();
                    (text(attribute.key.as_ref()), value)
                });
                found.push((text(tag.name().as_ref()), attributes.collect()));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    found
}

fn attribute<'a>(element: &'a (String, Vec<(String, String)>), name: &str) -> &'a str {
    let found = element.1.iter().find(|(key, _)| key == name);
    found.map_or_else(|| panic!("no {name} in {element:?}"), |(_, value)| value.as_str())
}

#[test]
fn junit_has_a_suite_per_character_and_a_case_per_frame() {
    let suite = hostile();
    suite.stdout(0, "art --update");
    suite.write("art/references/one/wave-0000.png", b"no picture");
    suite.write("art/references/one/wave-0001.png", &suite.read("art/references/sub/two/wave-0000.png"));
    std::fs::remove_file(suite.path("art/references/sub/two/wave-0001.png")).expect("can be removed");
    suite.write("art/broken.pchr", b"PCHR but not really");
    let xml = suite.stdout(3, "art --style junit");
    let elements = elements(&xml);
    let named = |name: &str| elements.iter().filter(move |(tag, _)| tag == name).collect::<Vec<_>>();
    let root = &elements[0];
    let counts = ["tests", "failures", "errors"].map(|name| attribute(root, name));
    assert_eq!(counts, ["7", "2", "2"], "{xml}");
    let suites: Vec<&str> = named("testsuite").into_iter().map(|suite| attribute(suite, "name")).collect();
    assert_eq!(suites, ["art/a&<b,c 100%.pchr", "art/broken.pchr", "art/one.pchr", "art/sub/two.pchr"]);
    let kinds: Vec<&str> =
        named("failure").into_iter().chain(named("error")).map(|it| attribute(it, "type")).collect();
    assert_eq!(kinds[..2], ["different", "missing"]);
    assert!(kinds.contains(&"unreadable"), "{kinds:?}");
    assert!(xml.contains("new picture: art/results/one/wave-0001.now.png"), "{xml}");
    assert!(xml.contains("[[ATTACHMENT|art/results/one/wave-0001.diff.png]]"), "{xml}");
    assert!(xml.contains("[[ATTACHMENT|art/results/one/wave-0001.now.png]]"), "{xml}");
    assert!(!xml.contains('\u{1b}') && !xml.contains('\u{ffff}'), "{xml}");
    let names: std::collections::HashSet<&str> =
        named("testcase").into_iter().map(|case| attribute(case, "name")).collect();
    assert_eq!(names.len(), 7, "names are distinct");
}

#[test]
fn junit_has_the_time_of_each_picture() {
    let suite = Suite::tiny();
    suite.stdout(0, "art --update");
    let xml = suite.stdout(0, "art --style junit");
    let timed = |tag: &str| {
        let of_tag = elements(&xml).into_iter().filter(|(name, _)| name == tag);
        of_tag.map(|element| attribute(&element, "time").parse::<f64>().expect("seconds")).collect::<Vec<_>>()
    };
    assert_eq!((timed("testcase").len(), timed("testsuite").len()), (4, 2), "{xml}");
    assert!(timed("testcase").iter().all(|seconds| (0.0..60.0).contains(seconds)), "{xml}");
}

#[test]
fn a_summary_in_markdown_is_appended() {
    let suite = hostile();
    suite.write("summary.md", b"before\n");
    suite.stdout(3, "art --summary summary.md");
    let text = String::from_utf8(suite.read("summary.md")).expect("UTF-8");
    assert!(
        text.starts_with("before\n### Comparison with references failed\n\n6 frames of 3 characters compared"),
        "{text}"
    );
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| missing |")).collect();
    assert!(!rows.is_empty(), "{text}");
    // Names cannot add columns, lines or elements.
    for row in rows {
        assert_eq!(row.replace("\\|", "").matches('|').count(), 6, "{row}");
        assert!(!row.contains(['<', '>', '\u{1b}', '\u{202e}']) && !row.contains("##"), "{row}");
    }
    suite.stdout(0, "art --update");
    suite.stdout(0, "art --summary summary.md");
    let text = String::from_utf8(suite.read("summary.md")).expect("UTF-8");
    assert!(
        text.ends_with("### Comparison with references passed\n\n6 frames of 3 characters compared\\: 6 same\n\n"),
        "{text}"
    );
    assert!(suite.stderr(5, "art --summary none/summary.md").contains("none/summary.md"));
}

#[test]
fn annotations_name_the_character_and_cannot_be_forged() {
    let suite = hostile();
    let text = suite.stdout(3, "art --style github");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "one for each animation: {text}");
    assert!(lines[0].starts_with("::error file=art/a&<b%2Cc 100%25.pchr,title="), "{text}");
    assert!(lines[..3].iter().all(|line| line.starts_with("::error file=art/")), "{text}");
    let title = "file=art/one.pchr,title=wave%2C frames 0%2C 1%3A missing::art/references/one/wave-0000.png: ";
    assert!(lines[1].contains(title), "{text}");
    assert_eq!(lines[3], "6 frames of 3 characters compared: 6 missing");
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    // An absolute path would not be valid on another machine.
    let absolute = suite.path("art");
    let text = suite.stdout(3, &format!("{} --style github", absolute.display()));
    assert!(text.contains("::error file=art/one.pchr,"), "{text}");
}

/// Runners of Azure and GitHub obey `##vso[…]` and `##[…]` in any line.
#[test]
fn no_command_of_a_runner_is_printed() {
    let suite = hostile();
    suite.write("art/##vso[task.complete]##[group]\u{fffe}.pchr", b"PCHR but not really");
    let invisible = ['\u{1b}', '\u{202e}', '\u{ad}', '\u{200d}', '\u{fffe}', '\u{ffff}'];
    let harmless = |text: &str| assert!(!text.contains("##") && !text.contains(invisible), "{text}");
    for style in ["human", "json", "github", "junit"] {
        harmless(&suite.stdout(3, &format!("art --style {style}")));
    }
    for command in [
        "validate art --style human",
        "validate art --style json",
        "validate art --style github",
        "validate art --style sarif",
        "inspect art --keep-going",
        "inspect art --keep-going --json",
        "diff art/one.pchr art/a&<b,c",
        "diff art/one.pchr art/a&<b,c --json",
    ] {
        let words =
            command.split(' ').map(|word| if word == "art/a&<b,c" { "art/a&<b,c 100%.pchr" } else { word });
        let output = suite.run_program(words);
        harmless(&String::from_utf8_lossy(&output.stdout));
        harmless(&String::from_utf8_lossy(&output.stderr));
    }
    // A name in JSON is the name in the file.
    let inspected = suite.run_program(["inspect", "art/a&<b,c 100%.pchr", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&inspected.stdout).expect("JSON");
    assert!(document.to_string().contains("##vso[task.setvariable variable=x]##[error]"), "{document}");
}

#[test]
fn hostile_names_stay_inside_the_folder() {
    let suite = hostile();
    suite.stdout(0, "art --update");
    let files = suite.files("");
    assert!(files.iter().all(|file| file.starts_with("art/")), "{files:?}");
    let names = suite.pictures();
    assert_eq!(names.len(), 6);
    assert!(names.iter().all(|name| !name.contains([':', '<', '"', '\n', '\u{1b}', '\u{202e}'])), "{names:?}");
    let text = suite.stdout(0, "art");
    assert_eq!(text, "6 frames of 3 characters compared: 6 same\n");
}

#[test]
fn animations_with_the_same_file_name_have_their_own_references() {
    let suite = Suite::empty();
    let mut file = common::tiny();
    for name in ["a/b", "a:b", "A_B"] {
        let mut animation = file.animations[1].clone();
        animation.name = name.to_owned();
        file.animations.push(animation);
    }
    suite.write("art/x.pchr", &crate::common::v1::write(&file).expect("a valid file"));
    suite.stdout(0, "art --update");
    assert_eq!(suite.pictures().len(), 8);
    // They do not depend on which animations are selected.
    suite.settings("animation = 'A_B'");
    suite.stdout(0, "art --unused note");
}
