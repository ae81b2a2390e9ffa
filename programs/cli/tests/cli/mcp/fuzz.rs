//! Damaged messages to a real server, the same in every run.
//!
//! `PCHR_MCP_MESSAGES` sets their number: `PCHR_MCP_MESSAGES=1000000 cargo test --release --test cli mcp::fuzz -- --nocapture`.
//! `PCHR_MCP_SEED` sets another seed.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use super::{Client, Site};
use crate::common::byte_damage::damage_bytes;
use crate::common::json_damage::{MCP, damage_json};
use crate::common::random::Random;
use crate::common::{names_in, say};

/// Messages that are sent before their answers are read; few enough for the buffers of pipes.
const BATCH: usize = 8;
const SECRET: &str = "SECRETSECRET";

/// Returns a number that an environment variable may set.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

/// Messages as clients send them; all but the last two are answered.
fn messages() -> Vec<Value> {
    let call = |name: &str, arguments: Value| json!({"method": "tools/call", "params": {"name": name, "arguments": arguments}});
    vec![
        call("inspect", json!({"path": "knight.pchr", "only": ["bones", "images"]})),
        call("validate", json!({"path": ".", "atlas": "paper-lamp.atlas"})),
        call(
            "render",
            json!({"path": "knight.pchr", "animation": "walk", "frame": 3, "size": "16", "show": ["bones"], "output": "a.png"}),
        ),
        call(
            "render",
            json!({"path": "paper-lamp.json", "time": 0.5, "size": "16x9", "skins": ["blue"], "background": "#fff", "fit": "0,0,9,9"}),
        ),
        call("contact_sheet", json!({"path": "knight.pchr", "grid": "2x2", "animations": ["walk"], "size": "8"})),
        call("diff", json!({"a": "paper-lamp.json", "b": "paper-lamp.json", "epsilon": 0.1})),
        call(
            "convert",
            json!({"path": "paper-lamp.json", "output": "b/lamp.pchr", "to": "pchr", "fps": 5, "force": true}),
        ),
        call(
            "convert",
            json!({"path": "knight.pchr", "output": "knight.json", "to": "spine42", "animations": ["walk"], "force": true}),
        ),
        call(
            "poses",
            json!({"path": "paper-lamp.json", "animations": ["hop"], "fps": 2, "bones": ["r*"], "what": ["bones"]}),
        ),
        call(
            "keys",
            json!({"path": "paper-lamp.json", "animations": ["hop"], "slots": ["*"], "from": 0, "max": 2}),
        ),
        call("test", json!({"path": ".", "results": "results", "only": ["knight.pchr"]})),
        json!({"method": "tools/list", "params": {"cursor": "1"}}),
        json!({"method": "ping"}),
        json!({"method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}),
        json!({"method": "notifications/cancelled", "params": {"requestId": 1, "reason": "late"}}),
        json!({"method": "notifications/initialized"}),
    ]
}

struct Fuzzer {
    client: Client,
    random: Random,
    templates: Vec<Value>,
    sent: usize,
    /// What was answered how often.
    outcomes: BTreeMap<String, usize>,
}

impl Fuzzer {
    /// Returns a line, and its id if it has to be answered.
    fn line(&mut self) -> (Vec<u8>, Option<Value>) {
        self.sent += 1;
        let random = &mut self.random;
        let at = random.below(self.templates.len());
        let mut message = self.templates[at].clone();
        message["jsonrpc"] = json!("2.0");
        if at + 2 < self.templates.len() {
            // A text, so that no damaged cancellation means it.
            message["id"] = json!(format!("message {}", self.sent));
        }
        let mut line = message.to_string().into_bytes();
        match random.below(8) {
            0 => return (line, message.get("id").cloned()),
            1 | 2 => {
                let other = self.templates[random.below(self.templates.len())].to_string().into_bytes();
                damage_bytes(&mut line, random, |_| &other);
            }
            _ => (0..=random.below(3)).for_each(|_| damage_json(&mut line, &MCP, random)),
        }
        line.retain(|byte| *byte != b'\n');
        (line, None)
    }

    /// Sends some lines, and reads until every one is answered that has to be.
    fn batch(&mut self) {
        let mut expected = vec![json!(format!("last {}", self.sent))];
        let mut bytes = Vec::new();
        for _ in 0..BATCH {
            let (line, id) = self.line();
            bytes.extend(line);
            bytes.push(b'\n');
            expected.extend(id);
        }
        bytes.extend(json!({"jsonrpc": "2.0", "id": expected[0], "method": "ping"}).to_string().into_bytes());
        bytes.push(b'\n');
        self.client.send_bytes(&bytes);
        while !expected.is_empty() {
            let answer = self.client.receive_or(|| String::from_utf8_lossy(&bytes).into_owned());
            assert_eq!(answer["jsonrpc"], json!("2.0"), "{answer}");
            assert!(answer["result"].is_object() != answer["error"].is_object(), "{answer}");
            assert!(!answer.to_string().contains(SECRET), "{}", String::from_utf8_lossy(&bytes));
            expected.retain(|id| *id != answer["id"]);
            let document = &answer["result"]["structuredContent"];
            let outcome = match (&answer["error"]["code"], &document["code"], &document["schema"]) {
                (Value::Number(code), ..) => code.to_string(),
                (_, Value::String(code), _) | (_, _, Value::String(code)) => code.clone(),
                _ => "other".to_owned(),
            };
            assert_ne!(outcome, "bug", "{}", String::from_utf8_lossy(&bytes));
            *self.outcomes.entry(outcome).or_default() += 1;
        }
    }
}

#[test]
fn damaged_messages_are_answered_and_lead_nowhere() {
    let messages_sent = number("PCHR_MCP_MESSAGES", if cfg!(debug_assertions) { 64 } else { 2000 }) as usize;
    let seed = number("PCHR_MCP_SEED", 56);
    let site = Site::new();
    fs::write(site.at("private/secret.json"), format!("{{\"bones\": \"{SECRET}\"}}")).expect("can be written");
    let before = [names_in(&site.at("art")), names_in(&site.at("private")), names_in(site.folder.path())];
    // A size that a message states must not fill the memory.
    let limits = ["--limit", "memory-bytes=64M", "--limit", "pixels=8M", "--limit", "work=200M"];
    let client = Client::start(site.folder.path(), &[&["mcp", "art", "--out", "out"][..], &limits].concat());
    let mut fuzzer =
        Fuzzer { client, random: Random(seed), templates: messages(), sent: 0, outcomes: BTreeMap::new() };
    while fuzzer.sent < messages_sent {
        fuzzer.batch();
    }
    let Fuzzer { client, sent, outcomes, .. } = fuzzer;
    say(&format!("{sent} messages, seed {seed}, answers: {outcomes:?}"));
    if let Ok(status) = fs::read_to_string(format!("/proc/{}/status", client.child.id())) {
        say(status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default());
    }
    client.end();
    let mut after = [names_in(&site.at("art")), names_in(&site.at("private")), names_in(site.folder.path())];
    after[2].retain(|name| name != "out");
    assert_eq!(after, before);
    for kind in ["-32700", "-32600", "usage", "io", "pchr.render/1", "pchr.inspect/1"] {
        assert!(outcomes.contains_key(kind) || sent < 2000, "no `{kind}` in {outcomes:?}");
    }
}
