//! `pchr keys`: every form of output, filters, parts of a long list, and errors.

use std::fs;
use std::path::Path;

use crate::common::program::{fine, folder, pchr, refused, stderr};
use crate::common::root;
use serde_json::{Value, json};

const LAMP: &str = "assets/paper-lamp.json";

#[track_caller]
fn document(args: &[&str]) -> Value {
    let output = fine(&root(), &[&["keys", "--json", "-q"], args].concat());
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[track_caller]
fn text(folder: &Path, args: &[&str]) -> String {
    String::from_utf8(fine(folder, &[&["keys", "-q"], args].concat()).stdout).expect("UTF-8")
}

fn keys(document: &Value) -> &Vec<Value> {
    document["keys"].as_array().expect("keys")
}

#[test]
fn a_key_is_found_in_the_text() {
    let found = document(&[LAMP, "-a", "hop", "--bone", "base", "--to", "0.3"]);
    let text = fs::read_to_string(root().join(LAMP)).unwrap();
    let root: Value = serde_json::from_str(&text).unwrap();
    assert!(!keys(&found).is_empty() && found["next"].is_null(), "{found}");
    for key in keys(&found) {
        assert_eq!(
            (&key["animation"], &key["target"], &key["name"]),
            (&json!("hop"), &json!("bone"), &json!("base"))
        );
        let stated = root.pointer(key["pointer"].as_str().unwrap()).expect("it is there");
        assert!(stated["time"].as_f64().unwrap_or_default() <= 0.3, "{key}");
        let line = text.lines().nth(key["line"].as_u64().unwrap() as usize - 1).unwrap();
        assert!(line[key["column"].as_u64().unwrap() as usize - 1..].starts_with('{'), "{key}");
    }
}

#[test]
fn a_list_can_be_printed_in_parts() {
    let all = document(&[LAMP]);
    let (mut parts, mut skip) = (Vec::new(), json!(0));
    while !skip.is_null() {
        let part = document(&[LAMP, "--max", "7", "--skip", &skip.to_string()]);
        assert!(keys(&part).len() <= 7);
        parts.extend(keys(&part).clone());
        skip = part["next"].clone();
    }
    assert_eq!(&parts, keys(&all));
    let output = pchr(&root(), &["keys", LAMP, "--max", "2"]);
    assert!(stderr(&output).contains("more keys follow: --skip 2"), "{}", stderr(&output));
}

#[test]
fn slots_and_bones_are_selected_together() {
    let all = document(&[LAMP]);
    let wanted = |target: &str| keys(&all).iter().filter(|key| key["target"] == target).count();
    let count = |args: &[&str]| keys(&document(&[&[LAMP], args].concat())).len();
    assert_eq!(count(&["--bone", "*"]), wanted("bone"));
    assert_eq!(count(&["--slot", "*"]), wanted("slot"));
    assert_eq!(count(&["--slot", "*", "--bone", "*"]), wanted("bone") + wanted("slot"));
    let output = pchr(&root(), &["keys", LAMP, "--bone", "base", "--from", "99"]);
    assert!(output.status.success() && stderr(&output).contains("no key matches"), "{}", stderr(&output));
}

#[test]
fn names_are_selected_as_in_other_commands() {
    let count = |args: &[&str]| keys(&document(&[&[LAMP], args].concat())).len();
    assert_eq!(count(&["-a", "#1"]) + count(&["-a", "#0"]), count(&[]));
    assert_eq!(count(&["-a", "all"]), count(&[]));
    // Exists, and has no keys.
    assert_eq!(count(&["--bone", "root"]), 0);
    for (args, message) in [
        (["-a", "#7"], "animation #7 does not exist"),
        (["-a", "hopp"], "did you mean `hop`?"),
        (["--bone", "bse"], "did you mean `base`?"),
        (["--slot", "zzz"], "no slot matches `zzz`"),
    ] {
        let output = pchr(&root(), &[&["keys", LAMP], &args[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn every_form_has_all_keys() {
    let count = keys(&document(&[LAMP])).len();
    let csv = text(&root(), &[LAMP, "--csv"]);
    let columns = csv.lines().next().unwrap().split(',').count();
    assert_eq!((csv.lines().count(), columns), (count + 1, 16));
    let table = text(&root(), &[LAMP]);
    assert_eq!(table.lines().filter(|line| line.contains("/animations/")).count(), count);
    let skel = document(&["assets/paper-lamp-4.2.skel"]);
    assert!(keys(&skel).iter().all(|key| key["byte"].is_u64() && key.get("line").is_none()));
    assert!(keys(&document(&["assets/paper-knight.pchr"])).iter().all(|key| key["frame"].is_u64()));
}

#[test]
fn names_and_values_cannot_break_the_output() {
    let folder = folder();
    let name = "a\\\"/~,\\n\\u001b[31m##vso[x]\\u202e";
    let hostile = format!(
        "{{\"skeleton\": {{\"spine\": \"4.2.0\"}}, \"bones\": [{{\"name\": \"root\"}}], \"animations\": {{\"{name}\": {{
          \"zap\": {{\"{name}\": {{\"{name}\": [{{\"time\": 1, \"{name}\": \"{name}\"}}]}}}}}}}}}}"
    );
    fs::write(folder.path().join("hostile.json"), hostile).unwrap();
    let csv = text(folder.path(), &["hostile.json", "--csv"]);
    assert_eq!(csv.lines().count(), 2, "{csv}");
    let table = text(folder.path(), &["hostile.json"]);
    assert!(table.contains("(unknown)") && table.lines().count() == 3, "{table}");
    let json = text(folder.path(), &["hostile.json", "--json"]);
    for text in [csv, table, json] {
        assert!(
            text.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}') && !text.contains("##"),
            "{text}"
        );
    }
}

#[test]
fn errors_name_what_is_wrong() {
    let message = refused(&root(), 2, &["keys", LAMP, "-a", "hpo"]);
    assert!(message.contains("`hpo`") && message.contains("hop"), "{message}");
    refused(&root(), 2, &["keys", LAMP, "--from", "soon"]);
    refused(&root(), 2, &["keys", LAMP, "--csv", "--json"]);
    let folder = folder();
    let text = fs::read_to_string(root().join(LAMP)).unwrap();
    let text = &text[..text.find("\"hop\"").unwrap() + 40];
    fs::write(folder.path().join("cut.json"), text).unwrap();
    let message = refused(folder.path(), 3, &["keys", "cut.json"]);
    assert!(message.contains("line ") && message.contains("/animations"), "{message}");
    let message = refused(&root(), 3, &["keys", LAMP, "--limit", "work=100"]);
    assert!(message.contains("work"), "{message}");
}
