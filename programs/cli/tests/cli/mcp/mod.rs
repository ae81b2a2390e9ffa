//! `pchr mcp`, driven by JSON-RPC that is written by hand, and by the official client.

mod answers;
mod document;
mod folders;
mod fuzz;
mod protocol;
mod stopped;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::names_in;
use crate::common::program::folder;
use crate::common::spine_golden::list;

const PCHR: &str = env!("CARGO_BIN_EXE_pchr");

/// `art`, a root with two characters, `private`, a folder beside it that must not be read or written, and `tmp`, for
/// temporary files.
struct Site {
    folder: TempDir,
}

impl Site {
    fn new() -> Self {
        let site = Self { folder: folder() };
        let assets = crate::common::root().join("assets");
        for name in ["art", "private"] {
            fs::create_dir(site.at(name)).expect("a folder");
            fs::copy(assets.join("paper-knight.pchr"), site.at(name).join("knight.pchr")).expect("a copy");
        }
        fs::create_dir(site.at("tmp")).expect("a folder");
        for name in ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"] {
            fs::copy(assets.join(name), site.at("art").join(name)).expect("a copy");
        }
        site
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn serve(&self) -> Client {
        self.serve_with(&[])
    }

    fn serve_with(&self, args: &[&str]) -> Client {
        Client::start(self.folder.path(), &[&["mcp", "art", "--out", "out"], args].concat())
    }
}

/// A running server.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    temporary: PathBuf,
    id: u64,
}

impl Client {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let temporary = folder.join("tmp");
        let mut command = Command::new(PCHR);
        command
            .current_dir(folder)
            .args(args)
            .env("TMPDIR", &temporary)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("the program runs");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("a pipe")));
        let mut client = Self { child, input, output, temporary, id: 0 };
        let capabilities = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}});
        let info = client.request("initialize", &capabilities);
        assert_eq!(info["result"]["serverInfo"]["name"], json!("pchr"), "{info}");
        client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("open").write_all(bytes).expect("the server lives");
    }

    /// Sends a request and returns its id.
    fn ask(&mut self, method: &str, params: &Value) -> u64 {
        self.id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}).to_string());
        self.id
    }

    /// Returns the next message, which is one line.
    fn receive(&mut self) -> Value {
        self.receive_or(String::new)
    }

    /// The same; `sent` says what the server may have ended after.
    fn receive_or(&mut self, sent: impl FnOnce() -> String) -> Value {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).expect("readable") > 0, "the server has ended: {}", sent());
        serde_json::from_str(&line).expect("only JSON is printed")
    }

    /// Returns the answer to a request. Errors without an id, about earlier lines, are skipped.
    fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.ask(method, params);
        loop {
            let answer = self.receive();
            if answer["id"] == json!(id) {
                return answer;
            }
            assert!(answer["id"].is_null(), "{answer}");
        }
    }

    /// Returns the listed tools.
    fn tools(&mut self) -> Vec<Value> {
        list(&self.request("tools/list", &json!({}))["result"]["tools"]).to_vec()
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
        assert_eq!(result["isError"], json!(true), "{tool} {arguments}: {result}");
        assert_eq!(list(&result["content"]).len(), 1, "{tool} {arguments}");
        result["structuredContent"].take()
    }

    /// Closes stdin; the server ends.
    #[track_caller]
    fn end(self) {
        self.end_leaving(0);
    }

    /// The same beside temporary folders of other servers.
    #[track_caller]
    fn end_leaving(mut self, others: usize) {
        drop(self.input.take());
        self.expect_end(0, others);
    }

    /// Waits until the server has ended, without leaving temporary files.
    #[track_caller]
    fn expect_end(&mut self, code: i32, others: usize) {
        assert_eq!(self.child.wait().expect("ends").code(), Some(code));
        assert_eq!(names_in(&self.temporary).len(), others);
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // After a failed assertion.
        let _ = self.child.kill();
    }
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().expect("a text")
}

/// Returns the PNG in an answer.
fn picture(result: &Value) -> Vec<u8> {
    use base64::Engine as _;
    let image = &result["content"][1];
    assert_eq!((&image["type"], &image["mimeType"]), (&json!("image"), &json!("image/png")));
    let png = base64::engine::general_purpose::STANDARD.decode(image["data"].as_str().expect("text"));
    png.expect("base64")
}
