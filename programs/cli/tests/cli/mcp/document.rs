//! The catalogue of tools: docs/mcp.md, and the official client.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::{PCHR, Site, list};
use crate::common::program::fine;
use crate::common::say;

const START: &str = "<!-- tools: PCHR_UPDATE=1 cargo test --test cli mcp -->\n";
const END: &str = "<!-- end -->\n";

/// Returns a table of the tools with a list of their parameters.
fn document(tools: &[Value]) -> String {
    let word = |value: &Value| value.as_str().expect("text").to_owned();
    let mut table = "\n| tool | what it does | document |\n|---|---|---|\n".to_owned();
    let mut details = String::new();
    for tool in tools {
        let name = word(&tool["name"]);
        let schema = word(&tool["outputSchema"]["properties"]["schema"]["const"]);
        table += &format!("| [`{name}`](#{name}) | {} | `{schema}` |\n", word(&tool["description"]));
        details += &format!("\n### {name}\n\n| parameter | type | meaning |\n|---|---|---|\n");
        let input = &tool["inputSchema"];
        let required = list(&input["required"]);
        for (param, about) in input["properties"].as_object().expect("parameters") {
            let kind = word(&about["type"]);
            let kind = if kind == "array" { format!("{}s", word(&about["items"]["type"])) } else { kind };
            let needed = if required.contains(&json!(param)) { ", required" } else { "" };
            let meaning = word(&about["description"]).replace('|', "\\|").replace('<', "&lt;");
            details += &format!("| `{param}` | {kind}{needed} | {meaning} |\n");
        }
    }
    format!("{table}{details}\n")
}

#[test]
fn the_document_lists_the_tools() {
    let site = Site::new();
    let mut client = site.serve();
    let short = client.tools();
    client.end();
    let size = serde_json::to_string(&short).expect("JSON").len();
    assert!(size < 12_000 && short.iter().all(|tool| tool["outputSchema"].is_null()), "{size}");
    let mut client = site.serve_with(&["--output-schemas"]);
    let mut tools = client.tools();
    client.end();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(
        names,
        ["inspect", "validate", "render", "contact_sheet", "diff", "convert", "poses", "keys", "test"]
    );
    let writing: Vec<&str> = tools
        .iter()
        .filter(|tool| tool["annotations"]["readOnlyHint"] == json!(false))
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(writing, ["render", "contact_sheet", "convert", "test"]);
    for tool in &tools {
        assert_eq!(
            (&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]),
            (&json!("object"), &json!("object"))
        );
    }
    let text = document(&tools);
    for tool in &mut tools {
        tool.as_object_mut().expect("a tool").remove("outputSchema");
    }
    assert_eq!(tools, short, "without the schemas, the tools are the same");
    check(&text);
}

/// Compares the document with the lists in it, or writes them.
fn check(tools: &str) {
    let path = crate::common::root().join("docs/mcp.md");
    let text = fs::read_to_string(&path).expect("docs/mcp.md");
    let (before, rest) = text.split_once(START).expect("the start of the tools");
    let (_, after) = rest.split_once(END).expect("the end of the tools");
    let expected = format!("{before}{START}{tools}{END}{after}");
    if std::env::var_os("PCHR_UPDATE").is_some() {
        fs::write(&path, &expected).expect("docs/mcp.md can be written");
    } else {
        assert!(text == expected, "docs/mcp.md does not list the tools as they are; PCHR_UPDATE=1 updates it");
    }
}

/// The official SDK checks every message, and every document with its schema.
#[test]
fn the_official_client_accepts_the_server() {
    let python = std::env::var_os("PCHR_MCP_PYTHON").unwrap_or_else(|| "python3".into());
    let has_sdk = Command::new(&python).args(["-c", "import mcp"]).output().is_ok_and(|run| run.status.success());
    if !has_sdk {
        assert_ne!(std::env::var("PCHR_TEST_MCP").as_deref(), Ok("require"), "the Python SDK is not installed");
        return say("SKIPPED: the Python SDK `mcp` is not installed; PCHR_MCP_PYTHON names a Python that has it");
    }
    let site = Site::new();
    fine(site.folder.path(), &["test", "art", "--only", "knight.pchr", "--update", "--force", "-q"]);
    let lamp = fs::read_to_string(site.at("art/paper-lamp.json")).expect("the lamp");
    let (key, moved) = (r#""time": 0.4, "y": 10"#, r#""time": 0.4, "y": 1010"#);
    assert_eq!(lamp.matches(key).count(), 1);
    fs::write(site.at("art/broken.json"), lamp.replace(key, moved)).expect("can be written");
    let pointer = "mended /animations/hop/bones/hold/translate/2/y";
    for (script, expected) in [("mcp_client.py", "9 tools, 9 calls"), ("mcp_task.py", pointer)] {
        let script = crate::common::root().join("tests/reference").join(script);
        let run = Command::new(&python).arg(script).arg(PCHR).current_dir(site.folder.path()).output();
        let run = run.expect("Python");
        let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success() && out.contains(expected), "{out}\n{err}");
    }
    assert!(site.at("out/before.png").is_file() && site.at("out/after.png").is_file());
}
