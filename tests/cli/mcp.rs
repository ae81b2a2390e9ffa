//! `pchr mcp`: calls over stdin and stdout, what it refuses to read and write, and the official SDK as a client.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::common::program::{fine, folder, pchr};
use crate::common::schema::Validator;
use crate::common::spine_golden::list;
use crate::common::{names_in, say};
use serde_json::{Value, json};
use tempfile::TempDir;

const PCHR: &str = env!("CARGO_BIN_EXE_pchr");

/// A root with characters, and a folder beside it that must not be read or written.
struct Site {
    folder: TempDir,
}

impl Site {
    fn new() -> Self {
        let folder = folder();
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let copy = |from: &str, to: &str| fs::copy(assets.join(from), folder.path().join(to)).expect("a copy");
        for name in ["art", "private"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        copy("paper-knight.pchr", "art/knight.pchr");
        copy("paper-knight.pchr", "private/knight.pchr");
        for name in ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"] {
            copy(name, &format!("art/{name}"));
        }
        Self { folder }
    }

    fn at(&self, path: &str) -> String {
        self.folder.path().join(path).display().to_string()
    }

    fn serve(&self) -> Client {
        Client::start(self.folder.path(), &["mcp", "art", "--out", "out"])
    }
}

/// A client that writes JSON-RPC by hand.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Client {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let mut command = Command::new(PCHR);
        command.current_dir(folder).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program runs");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("a pipe")));
        let mut client = Self { child, input, output, id: 0 };
        let capabilities = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}});
        let info = client.request("initialize", &capabilities);
        assert_eq!(info["result"]["serverInfo"]["name"], json!("pchr"), "{info}");
        client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("open"), "{line}").expect("the server lives");
    }

    /// Returns the answer to a request; it is on one line.
    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}).to_string());
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("readable") > 0, "the server has ended");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer["id"] == json!(self.id) {
                return answer;
            }
        }
    }

    /// Returns the result of a tool.
    #[track_caller]
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let mut answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].take()
    }

    #[track_caller]
    fn fine(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], json!(false), "{tool} {arguments}: {result}");
        result
    }

    /// Expects an error and returns its document.
    #[track_caller]
    fn refused(&mut self, tool: &str, arguments: &Value) -> Value {
        let mut result = self.call(tool, arguments);
        assert_eq!(result["isError"], json!(true), "{tool} {arguments}");
        result["structuredContent"].take()
    }

    /// Closes stdin; the server ends.
    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().expect("ends").success());
    }
}

fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().expect("a text").to_owned()
}

/// Returns the PNG in an answer.
fn picture(result: &Value) -> Vec<u8> {
    use base64::Engine as _;
    assert_eq!(
        (&result["content"][1]["type"], &result["content"][1]["mimeType"]),
        (&json!("image"), &json!("image/png"))
    );
    let data = result["content"][1]["data"].as_str().expect("base64");
    base64::engine::general_purpose::STANDARD.decode(data).expect("base64")
}

#[test]
fn tools_answer_what_the_commands_print() {
    let site = Site::new();
    let mut client = site.serve();
    let listed = client.request("tools/list", &json!({}));
    let tools = list(&listed["result"]["tools"]);
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["inspect", "validate", "render", "contact_sheet", "diff", "convert", "poses", "test"]);
    let art = site.folder.path().join("art");
    for (tool, arguments, words) in [
        ("inspect", json!({"path": "knight.pchr"}), &["inspect", "--json", "knight.pchr"][..]),
        (
            "inspect",
            json!({"path": "knight.pchr", "only": ["bones", "animations"]}),
            &["inspect", "--json", "--only=bones,animations", "knight.pchr"],
        ),
        ("validate", json!({"path": "."}), &["validate", "--json", "."]),
        (
            "diff",
            json!({"a": "knight.pchr", "b": "paper-lamp.json"}),
            &["diff", "--json", "knight.pchr", "paper-lamp.json"],
        ),
        (
            "poses",
            json!({"path": "knight.pchr", "animations": ["walk"], "fps": 5, "bones": ["hand*"], "what": ["bones", "slots"]}),
            &[
                "poses",
                "--json",
                "-a",
                "walk",
                "--fps",
                "5",
                "--bones",
                "hand*",
                "--what",
                "bones,slots",
                "knight.pchr",
            ],
        ),
    ] {
        let result = client.fine(tool, &arguments);
        let printed = pchr(&art, words);
        assert_eq!(text(&result), String::from_utf8_lossy(&printed.stdout), "{tool} {arguments}");
        let validator = validator(tools, tool);
        validator.assert_valid(&result["structuredContent"]);
        validator.assert_invalid(&json!({"schema": "other"}), tool);
        assert_eq!(serde_json::from_str::<Value>(&text(&result)).expect("JSON"), result["structuredContent"]);
    }
    client.end();
}

fn validator(tools: &[Value], name: &str) -> Validator {
    let tool = tools.iter().find(|tool| tool["name"] == name).expect("a tool");
    assert_eq!(tool["inputSchema"]["type"], json!("object"));
    Validator::new(&tool["outputSchema"])
}

#[test]
fn pictures_are_part_of_the_answer() {
    let site = Site::new();
    let mut client = site.serve();
    let listed = client.request("tools/list", &json!({}));
    let valid = |name: &str, result: &Value| {
        validator(list(&listed["result"]["tools"]), name).assert_valid(&result["structuredContent"]);
    };
    let result =
        client.fine("render", &json!({"path": "knight.pchr", "animation": "walk", "frame": 5, "size": "64x64"}));
    valid("render", &result);
    let render = &result["structuredContent"]["renders"][0];
    assert_eq!(
        (&render["width"], &render["frames"][0]["frame"], &render["frames"][0]["file"]),
        (&json!(64), &json!(5), &json!("picture.png"))
    );
    assert_eq!(list(&render["view"]).len(), 4);
    // The same bytes as those of the command.
    let png = picture(&result);
    let view = crate::common::program::view(
        site.folder.path(),
        &["art/knight.pchr", "-a", "walk", "-f", "5", "-s", "64x64", "-o", "-"],
    );
    assert!(png == view.stdout && png.starts_with(b"\x89PNG"));
    let result = client.fine("contact_sheet", &json!({"path": "knight.pchr", "animations": ["all"], "grid": "3x2", "size": "48", "output": "sheets/all.png"}));
    valid("contact_sheet", &result);
    assert!(picture(&result) == fs::read(site.at("out/sheets/all.png")).expect("kept"));
    // Of two characters that look different, there is a picture of the difference.
    let result = client.fine("diff", &json!({"a": "knight.pchr", "b": "paper-lamp.json"}));
    valid("diff", &result);
    assert!(picture(&result).starts_with(b"\x89PNG"));
    let same = client.fine("diff", &json!({"a": "knight.pchr", "b": "knight.pchr"}));
    assert_eq!((&same["structuredContent"]["same"], list(&same["content"]).len()), (&json!(true), 1));
    let written =
        client.fine("convert", &json!({"path": "knight.pchr", "output": "spine/knight.json", "to": "spine42"}));
    valid("convert", &written);
    assert!(Path::new(&site.at("out/spine/knight.json")).is_file());
    // What was written can be read.
    client.fine("inspect", &json!({"path": site.at("out/spine/knight.json")}));
    client.end();
    assert_eq!(names_in(&site.folder.path().join("out")), ["sheets", "spine"]);
}

#[test]
fn a_tool_that_fails_says_why_and_the_server_lives() {
    let site = Site::new();
    fs::write(site.at("art/cut.pchr"), b"PCHR\x01").expect("can be written");
    let mut client = site.serve();
    client.send("this is not JSON");
    client.send("{\"jsonrpc\":\"2.0\",\"id\":");
    client.send("[1, 2]");
    assert_eq!(client.request("no/such/method", &json!({}))["error"]["code"], json!(-32601));
    assert_eq!(
        client.request("tools/call", &json!({"name": "rm", "arguments": {}}))["error"]["code"],
        json!(-32602)
    );
    for (tool, arguments, code) in [
        ("render", json!({"path": "knight.pchr", "animation": "wlak"}), "usage"),
        ("render", json!({"path": "knight.pchr", "size": "x"}), "usage"),
        ("render", json!({"path": "knight.pchr", "siez": "64"}), "usage"),
        ("render", json!({"path": 5}), "usage"),
        ("render", json!({}), "usage"),
        ("render", json!({"path": "-"}), "io"),
        ("poses", json!({"path": "knight.pchr", "bones": ["haed"]}), "usage"),
        ("poses", json!({"path": "cut.pchr"}), "truncated"),
        ("diff", json!({"a": "knight.pchr", "b": "nothing.pchr"}), "io"),
        // A value cannot become an option.
        ("render", json!({"path": "knight.pchr", "animation": "--output=/tmp/x.png"}), "usage"),
        ("inspect", json!({"path": "--help"}), "io"),
    ] {
        let error = client.refused(tool, &arguments);
        assert_eq!(
            (&error["schema"], &error["code"]),
            (&json!("pchr.error/1"), &json!(code)),
            "{tool} {arguments}"
        );
        assert!(!error["message"].as_str().unwrap_or_default().is_empty());
    }
    // A document with a failure of its own.
    let document = client.refused("inspect", &json!({"path": "cut.pchr"}));
    assert_eq!(
        (&document["schema"], &document["failures"][0]["code"]),
        (&json!("pchr.inspect/1"), &json!("truncated"))
    );
    // Findings are a result, not a failure.
    let found = client.fine("validate", &json!({"path": "knight.pchr"}));
    assert_eq!(found["structuredContent"]["schema"], json!("pchr.validate/1"));
    let suggested = client.refused("render", &json!({"path": "knight.pchr", "animation": "wlak"}));
    assert!(suggested["help"].as_str().is_some_and(|help| help.contains("`walk`")), "{suggested}");
    client.end();
}

#[test]
fn nothing_outside_of_the_folders_is_read_or_written() {
    use std::os::unix::fs::symlink;
    let site = Site::new();
    let private = site.at("private/knight.pchr");
    symlink(&private, site.at("art/link.pchr")).expect("a link");
    symlink(site.at("private"), site.at("art/linked")).expect("a link");
    symlink(site.at("art/knight.pchr"), site.at("art/inside.pchr")).expect("a link");
    // A skeleton whose atlas is a link that leads outside.
    fs::rename(site.at("art/paper-lamp.atlas"), site.at("private/lamp.atlas")).expect("moved");
    symlink(site.at("private/lamp.atlas"), site.at("art/paper-lamp.atlas")).expect("a link");
    let mut client = site.serve();
    fs::create_dir_all(site.at("out")).expect("a folder");
    symlink(site.at("private"), site.at("out/linked")).expect("a link");
    client.fine("inspect", &json!({"path": "inside.pchr"}));
    for path in
        [&private[..], "../private/knight.pchr", "link.pchr", "linked/knight.pchr", "linked", "/etc/passwd", ".."]
    {
        for (tool, name) in [("inspect", "path"), ("render", "path"), ("poses", "path"), ("validate", "path")] {
            let error = client.refused(tool, &json!({name: path}));
            assert_eq!(error["code"], json!("io"), "{tool} {path}: {error}");
        }
        client.refused("diff", &json!({"a": "knight.pchr", "b": path}));
        client.refused("convert", &json!({"path": path, "output": "a.pchr"}));
        client.refused("test", &json!({"path": path, "results": "results"}));
        client.refused("render", &json!({"path": "paper-lamp.json", "atlas": path}));
    }
    // Characters that are found in a folder are not read through links either.
    let found = text(&client.call("validate", &json!({"path": "."})));
    assert!(found.contains("outside of the folders that may be read"), "{found}");
    let lamp = text(&client.call("inspect", &json!({"path": "paper-lamp.json"})));
    assert!(!lamp.contains("\"bulb.png\"") || lamp.contains("outside"), "{lamp}");
    let validated = text(&client.call("validate", &json!({"path": "paper-lamp.json"})));
    assert!(validated.contains("outside of the folders that may be read"), "{validated}");
    for output in
        ["../a.pchr", "/tmp/a.pchr", "linked/a.pchr", "a/../../a.pchr", "{name}.pchr", "", &site.at("art/a.pchr")]
    {
        let error = client.refused("convert", &json!({"path": "knight.pchr", "output": output}));
        assert_eq!(error["code"], json!("io"), "{output}: {error}");
        client.refused("render", &json!({"path": "knight.pchr", "output": output}));
    }
    client.end();
    assert_eq!(names_in(&site.folder.path().join("private")), ["knight.pchr", "lamp.atlas"]);
    assert_eq!(names_in(&site.folder.path().join("out")), ["linked"]);
    let mut reader = Client::start(site.folder.path(), &["mcp", "art"]);
    let error = reader.refused("convert", &json!({"path": "knight.pchr", "output": "a.pchr"}));
    assert!(error["help"].as_str().is_some_and(|help| help.contains("--out")), "{error}");
    reader.end();
    assert_eq!(pchr(site.folder.path(), &["mcp", "nothing"]).status.code(), Some(3));
    assert_eq!(pchr(site.folder.path(), &["mcp"]).status.code(), Some(2));
}

#[test]
fn a_suite_writes_its_results_into_the_output_folder() {
    let site = Site::new();
    fine(site.folder.path(), &["test", "art", "--update", "--force", "-q"]);
    let references = site.folder.path().join("art/references");
    let changed = crate::common::files_in(&references.join("knight"), ".png").remove(0);
    let other = crate::common::files_in(&references.join("knight"), ".png").pop().expect("several");
    fs::copy(other, changed).expect("a copy");
    let mut client = site.serve();
    let result = client.fine("test", &json!({"path": ".", "results": "results"}));
    let summary = &result["structuredContent"]["summary"];
    assert_eq!(
        (&result["structuredContent"]["schema"], &summary["different"]),
        (&json!("pchr.compare/1"), &json!(1)),
        "{summary}"
    );
    client.end();
    assert!(!Path::new(&site.at("art/results")).exists());
    assert!(Path::new(&site.at("out/results/knight")).is_dir());
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
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/mcp_client.py");
    let run =
        Command::new(&python).arg(script).arg(PCHR).current_dir(site.folder.path()).output().expect("Python");
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && out.contains("8 tools, 6 calls"), "{out}\n{err}");
}
