//! Failures of tools, and lines that are no valid requests.

use std::fs;
use std::io::Read;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use super::{Client, Site, list};
use crate::common::program::pchr;

#[test]
fn a_tool_that_fails_says_why_and_the_server_lives() {
    let site = Site::new();
    fs::write(site.at("art/cut.pchr"), b"PCHR\x01").expect("can be written");
    let mut client = site.serve();
    for (tool, arguments, code) in [
        ("render", json!({"path": "knight.pchr", "size": "x"}), "usage"),
        ("render", json!({"path": "knight.pchr", "siez": "64"}), "usage"),
        ("render", json!({"path": "knight.pchr", "animation": ["walk"]}), "usage"),
        ("render", json!({"path": "knight.pchr", "frame": "0..2"}), "usage"),
        ("render", json!({"path": "knight.pchr", "frame": 0.5}), "usage"),
        ("render", json!({"path": "knight.pchr", "frame": 999_999}), "usage"),
        // Another format could start another program.
        ("render", json!({"path": "knight.pchr", "output": "a.mp4"}), "usage"),
        ("render", json!({"path": 5}), "usage"),
        ("render", json!({}), "usage"),
        ("render", json!({"path": "-"}), "io"),
        ("contact_sheet", json!({"path": "knight.pchr"}), "usage"),
        ("contact_sheet", json!({"path": "knight.pchr", "grid": "0x0"}), "usage"),
        ("poses", json!({"path": "knight.pchr", "bones": ["haed"]}), "usage"),
        ("poses", json!({"path": "knight.pchr", "what": [7, "\u{0}"]}), "usage"),
        ("poses", json!({"path": "cut.pchr"}), "truncated"),
        ("keys", json!({"path": "knight.pchr", "animations": ["wlak"]}), "usage"),
        ("keys", json!({"path": "knight.pchr", "max": -1}), "usage"),
        ("diff", json!({"a": "knight.pchr", "b": "nothing.pchr"}), "io"),
        ("convert", json!({"path": "knight.pchr", "output": "a.pchr", "force": "yes"}), "usage"),
        ("test", json!({"path": "nothing", "results": "results"}), "io"),
        // A value cannot become an option.
        ("render", json!({"path": "knight.pchr", "animation": "--output=/tmp/x.png"}), "usage"),
        ("inspect", json!({"path": "--help"}), "io"),
    ] {
        let error = client.refused(tool, &arguments);
        assert_eq!(
            (&error["schema"], &error["code"]),
            (&json!("pchr.error/1"), &json!(code)),
            "{tool} {arguments}: {error}"
        );
        assert!(!error["message"].as_str().unwrap_or_default().is_empty());
    }
    let suggested = client.refused("render", &json!({"path": "knight.pchr", "animation": "wlak"}));
    assert!(suggested["help"].as_str().is_some_and(|help| help.contains("`walk`")), "{suggested}");
    // Advice and messages name parameters.
    fs::write(site.at("out/a.pchr"), "old").expect("can be written");
    let forced = client.refused("convert", &json!({"path": "knight.pchr", "output": "a.pchr"}));
    assert_eq!(forced["help"], json!("`force` overwrites it"), "{forced}");
    let large = client.refused("render", &json!({"path": "knight.pchr", "size": "60000"}));
    assert!(large.to_string().contains("`size`") && !large.to_string().contains("--size"), "{large}");
    let odd = client.refused("render", &json!({"path": "knight.pchr", "size": "x"}));
    assert!(odd["message"].as_str().is_some_and(|it| it.contains("for `size`:")), "{odd}");
    // A document with a failure of its own.
    let document = client.refused("inspect", &json!({"path": "cut.pchr"}));
    assert_eq!(
        (&document["schema"], &document["failures"][0]["code"]),
        (&json!("pchr.inspect/1"), &json!("truncated"))
    );
    // An invalid character is a result, not a failure.
    let found = client.fine("validate", &json!({"path": "cut.pchr"}));
    assert!(found["structuredContent"].to_string().contains("truncated"), "{found}");
    client.end();
}

#[test]
fn lines_that_are_no_requests_are_answered_with_the_reason() {
    let site = Site::new();
    let mut client = site.serve();
    let deep = |depth| {
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"ping","x":{}}}"#, "[".repeat(depth) + &"]".repeat(depth))
    };
    let (deep, very_deep) = (deep(200), deep(200_000));
    let huge = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{}"}}"#, "x".repeat(17 << 20));
    for (line, code) in [
        ("this is not JSON", -32700),
        ("{\"jsonrpc\":\"2.0\",\"id\":", -32700),
        (r#"{"jsonrpc":"2.0","id":7,"method":"\ud800"}"#, -32700),
        ("\u{0}", -32700),
        (&deep, -32700),
        (&very_deep, -32700),
        ("[1, 2]", -32600),
        ("{}", -32600),
        (&huge, -32600),
    ] {
        client.send(line);
        let error = client.receive();
        assert_eq!((&error["error"]["code"], error.get("id")), (&json!(code), None), "{line:.60}: {error}");
    }
    // Neither are empty lines and notifications.
    for line in ["", "\r", r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":7}"#] {
        client.send(line);
    }
    let unknown = client.request("no/such/method", &json!({}));
    assert_eq!(unknown["error"]["code"], json!(-32601), "{unknown}");
    for params in [json!({"name": "rm", "arguments": {}}), json!({"arguments": {}}), json!([])] {
        let error = client.request("tools/call", &params);
        assert!(error["error"]["code"].is_i64(), "{error}");
    }
    client.fine("inspect", &json!({"path": "knight.pchr"}));
    client.end();
}

#[test]
fn calls_at_the_same_time_are_all_answered() {
    let site = Site::new();
    let mut client = site.serve();
    let sizes = [16, 24, 32];
    let render =
        |size| json!({"name": "render", "arguments": {"path": "knight.pchr", "size": format!("{size}x{size}")}});
    let ids = sizes.map(|size| client.ask("tools/call", &render(size)));
    for _ in sizes {
        let answer = client.receive();
        let index = ids.iter().position(|id| answer["id"] == json!(id)).expect("the id of a call");
        assert_eq!(answer["result"]["structuredContent"]["renders"][0]["width"], json!(sizes[index]), "{answer}");
        assert_eq!(list(&answer["result"]["content"]).len(), 2);
    }
    // Nothing else is printed.
    drop(client.input.take());
    let mut rest = String::new();
    client.output.read_to_string(&mut rest).expect("readable");
    assert_eq!(rest, "");
    client.end();
}

#[test]
fn a_server_without_a_client_ends() {
    let site = Site::new();
    let at = |args: &[&str]| pchr(site.folder.path(), args);
    let ended = at(&["mcp", "art"]);
    assert!(ended.status.success() && ended.stdout.is_empty() && ended.stderr.is_empty(), "{ended:?}");
    assert_eq!(at(&["mcp", "nothing"]).status.code(), Some(3));
    assert_eq!(at(&["mcp", "art/knight.pchr"]).status.code(), Some(3));
    assert_eq!(at(&["mcp"]).status.code(), Some(2));
    assert_eq!(at(&["mcp", "art", "--out", "art/knight.pchr"]).status.code(), Some(5));
    // A client that leaves while a call is running.
    let mut client = Client::start(site.folder.path(), &["mcp", "art"]);
    client.ask("tools/call", &json!({"name": "validate", "arguments": {"path": "."}}));
    client.end();
}

#[test]
fn a_server_that_is_terminated_leaves_no_temporary_files() {
    let site = Site::new();
    let mut client = site.serve();
    client.fine("render", &json!({"path": "knight.pchr", "size": "16"}));
    kill(Pid::from_raw(client.child.id().cast_signed()), Signal::SIGTERM).expect("the server lives");
    client.expect_end(130, 0);
}
