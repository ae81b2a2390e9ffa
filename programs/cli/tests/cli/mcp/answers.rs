//! The tools: documents, pictures and files.

use std::fs;

use serde_json::{Value, json};

use super::{Site, list, picture, text};
use crate::common::program::{fine, pchr, view};
use crate::common::schema::Validator;
use crate::common::{files_in, names_in};

/// Checks the document of an answer with the schema that the tool declares.
fn assert_valid(tools: &[Value], name: &str, result: &Value) {
    let tool = tools.iter().find(|tool| tool["name"] == name).expect("a tool");
    let validator = Validator::new(&tool["outputSchema"]);
    validator.assert_valid(&result["structuredContent"]);
    validator.assert_invalid(&json!({"schema": "other"}), name);
}

#[test]
fn a_document_is_what_the_command_prints() {
    let site = Site::new();
    let mut client = site.serve_with(&["--output-schemas"]);
    let tools = client.tools();
    for (tool, arguments, line) in [
        ("inspect", json!({"path": "knight.pchr"}), "inspect --json knight.pchr"),
        (
            "inspect",
            json!({"path": "knight.pchr", "only": ["bones", "animations"]}),
            "inspect --json --only bones,animations knight.pchr",
        ),
        (
            "inspect",
            json!({"path": "paper-lamp.json", "atlas": "paper-lamp.atlas"}),
            "inspect --json --atlas paper-lamp.atlas paper-lamp.json",
        ),
        ("validate", json!({"path": "."}), "validate --style json ."),
        (
            "diff",
            json!({"a": "knight.pchr", "b": "paper-lamp.json", "epsilon": 0.5}),
            "diff --json --epsilon 0.5 knight.pchr paper-lamp.json",
        ),
        (
            "poses",
            json!({"path": "knight.pchr", "animations": "walk", "fps": 5, "bones": ["hand*"], "what": ["bones", "slots"]}),
            "poses --json -a walk --fps 5 --bones hand* --what bones,slots knight.pchr",
        ),
        (
            "keys",
            json!({"path": "paper-lamp.json", "animations": ["hop"], "bones": ["*"], "from": 0.1, "to": 9, "skip": 2, "max": 3}),
            "keys --json -a hop --bone * --from 0.1 --to 9 --skip 2 --max 3 paper-lamp.json",
        ),
        ("keys", json!({"path": "knight.pchr"}), "keys --json --max 500 knight.pchr"),
    ] {
        let result = client.fine(tool, &arguments);
        let words: Vec<&str> = line.split(' ').collect();
        let printed = pchr(&site.at("art"), &words);
        assert_eq!(text(&result), String::from_utf8_lossy(&printed.stdout), "{tool} {arguments}");
        assert_valid(&tools, tool, &result);
        assert_eq!(serde_json::from_str::<Value>(text(&result)).expect("JSON"), result["structuredContent"]);
    }
    client.end();
}

#[test]
fn a_render_is_the_picture_of_the_command() {
    let site = Site::new();
    let mut client = site.serve_with(&["--output-schemas"]);
    let tools = client.tools();
    let result =
        client.fine("render", &json!({"path": "knight.pchr", "animation": "walk", "frame": 5, "size": "64x64"}));
    assert_valid(&tools, "render", &result);
    let render = &result["structuredContent"]["renders"][0];
    assert_eq!(
        (&render["width"], &render["frames"][0]["frame"], &render["frames"][0]["file"]),
        (&json!(64), &json!(5), &json!("picture.png"))
    );
    assert_eq!(list(&render["view"]).len(), 4);
    let words = ["art/knight.pchr", "-a", "walk", "-f", "5", "-s", "64x64", "-o", "-"];
    let expected = view(site.folder.path(), &words).stdout;
    assert!(picture(&result) == expected && expected.starts_with(b"\x89PNG"));
    // The answer says that nothing is visible, or that the area does not contain everything.
    let json = r#"{"skeleton": {"spine": "4.2.40"}, "bones": [{"name": "root"}, {"name": "drop", "y": -900, "parent": "root"}],
        "slots": [{"name": "body", "bone": "root", "attachment": "body"}, {"name": "drop", "bone": "drop", "attachment": "drop"}],
        "skins": [{"name": "default", "attachments": {"body": {"body": {"width": 80, "height": 60}},
        "drop": {"drop": {"width": 4, "height": 4}}}}]}"#;
    fs::write(site.at("art/rain.json"), json).expect("can be written");
    for (path, fit, expected) in [
        ("knight.pchr", "9000,9000,10,10", Some("nothing-visible")),
        ("knight.pchr", "animation", None),
        ("rain.json", "animation", Some("parts-left-out")),
    ] {
        let result = client.fine("render", &json!({"path": path, "size": "16", "fit": fit}));
        let warnings = list(&result["structuredContent"]["renders"][0]["warnings"]);
        let codes: Vec<&str> = warnings.iter().filter_map(|warning| warning["code"].as_str()).collect();
        let found = codes.iter().find(|code| ["nothing-visible", "parts-left-out"].contains(code)).copied();
        assert_eq!(found, expected, "{path}: {codes:?}");
    }
    let sheet = json!({"path": "knight.pchr", "animations": ["all"], "grid": "3x2", "size": "48", "output": "sheets/all.png"});
    let result = client.fine("contact_sheet", &sheet);
    assert_valid(&tools, "contact_sheet", &result);
    assert!(picture(&result) == fs::read(site.at("out/sheets/all.png")).expect("the picture is kept"));
    client.end();
    assert_eq!(names_in(&site.at("out")), ["sheets"]);
}

#[test]
fn characters_that_look_different_have_a_picture_of_the_difference() {
    let site = Site::new();
    let mut client = site.serve();
    let result = client.fine("diff", &json!({"a": "knight.pchr", "b": "paper-lamp.json"}));
    assert!(picture(&result).starts_with(b"\x89PNG"));
    let same = client.fine("diff", &json!({"a": "knight.pchr", "b": "knight.pchr"}));
    assert_eq!((&same["structuredContent"]["same"], list(&same["content"]).len()), (&json!(true), 1));
    client.end();
}

#[test]
fn a_conversion_is_written_and_can_be_read() {
    let site = Site::new();
    let mut client = site.serve_with(&["--output-schemas"]);
    let tools = client.tools();
    let conversion = json!({"path": "knight.pchr", "output": "spine/knight.json", "to": "spine42"});
    let written = client.fine("convert", &conversion);
    assert_valid(&tools, "convert", &written);
    let path = site.at("out/spine/knight.json");
    client.fine("inspect", &json!({"path": path}));
    // Existing files are only overwritten with `force`.
    client.refused("convert", &conversion);
    let mut forced = conversion;
    forced["force"] = json!(false);
    client.refused("convert", &forced);
    forced["force"] = json!(true);
    client.fine("convert", &forced);
    client.end();
    assert_eq!(names_in(&site.at("out")), ["spine"]);
}

#[test]
fn a_suite_writes_its_results_into_the_output_folder() {
    let site = Site::new();
    fine(site.folder.path(), &["test", "art", "--only", "knight.pchr", "--update", "--force", "-q"]);
    let references = files_in(&site.at("art/references/knight"), ".png");
    fs::copy(&references[1], &references[0]).expect("a copy");
    let mut client = site.serve_with(&["--output-schemas"]);
    let tools = client.tools();
    let result = client.fine("test", &json!({"path": ".", "results": "results", "only": ["knight.pchr"]}));
    assert_valid(&tools, "test", &result);
    let summary = &result["structuredContent"]["summary"];
    assert_eq!(summary["different"], json!(1), "{summary}");
    client.end();
    assert!(!site.at("art/results").exists());
    assert!(!names_in(&site.at("out/results/knight")).is_empty());
}
