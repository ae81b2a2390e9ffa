//! Calls that end before they are done: cancelled, late, too many, or over the budget of the whole call.

use std::fs;

use serde_json::{Value, json};

use super::{Client, Site, text};
use crate::common::v1::write;
use crate::common::{names_in, repeated_triangle};

impl Site {
    /// A site with a character whose contact sheet takes hours.
    fn heavy() -> Self {
        let site = Self::new();
        let heavy = write(&repeated_triangle(20_000, 1600)).expect("a valid file");
        fs::write(site.at("art/heavy.pchr"), heavy).expect("can be written");
        site
    }

    /// Accepts any work.
    fn serve_heavy(&self, timeout: &str) -> Client {
        self.serve_with(&["--limit", "work=99999G", "--timeout", timeout])
    }
}

/// Begins a call that does not end.
fn ask_heavy(client: &mut Client, output: &str) -> u64 {
    let arguments = json!({"path": "heavy.pchr", "grid": "40x40", "size": "200", "output": output});
    client.ask("tools/call", &json!({"name": "contact_sheet", "arguments": arguments}))
}

fn ask_small(client: &mut Client) {
    client.fine("inspect", &json!({"path": "knight.pchr", "only": ["header"]}));
}

#[test]
fn a_cancelled_call_makes_room_for_others() {
    let site = Site::heavy();
    let mut client = site.serve_heavy("0");
    // More than may run at the same time.
    for number in 0..6 {
        // One of many pictures, or a large one that alone takes minutes.
        let large = json!({"name": "render", "arguments": {"path": "heavy.pchr", "size": "4096"}});
        let id = match number % 2 {
            0 => ask_heavy(&mut client, &format!("{number}.png")),
            _ => client.ask("tools/call", &large),
        };
        ask_small(&mut client);
        let cancelled =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        client.send(&cancelled.to_string());
    }
    ask_small(&mut client);
    client.end();
    assert!(names_in(&site.at("out")).is_empty());
}

#[test]
fn the_end_of_stdin_cancels_running_and_waiting_calls() {
    let site = Site::heavy();
    let mut client = site.serve_heavy("0");
    for number in 0..8 {
        ask_heavy(&mut client, &format!("{number}.png"));
    }
    client.end();
    assert!(names_in(&site.at("out")).is_empty());
}

#[test]
fn a_call_ends_after_the_timeout() {
    let site = Site::heavy();
    let mut client = site.serve_heavy("1");
    for (tool, arguments) in [
        ("render", json!({"path": "heavy.pchr", "size": "4096"})),
        ("contact_sheet", json!({"path": "heavy.pchr", "grid": "40x40", "size": "200"})),
    ] {
        let error = client.refused(tool, &arguments);
        assert_eq!((&error["code"], &error["exit_code"]), (&json!("timeout"), &json!(3)), "{error}");
        assert!(
            error["message"].as_str().is_some_and(|text| text.contains("after 1 s; `pchr mcp --timeout SECONDS`"))
        );
    }
    client.end();
}

#[test]
fn too_many_calls_are_refused() {
    let site = Site::heavy();
    let mut client = site.serve_heavy("0");
    for number in 0..20 {
        ask_heavy(&mut client, &format!("{number}.png"));
    }
    let error = client.refused("inspect", &json!({"path": "knight.pchr"}));
    assert_eq!(error["code"], json!("busy"), "{error}");
    assert!(error["message"].as_str().is_some_and(|text| text.contains("4 calls are running and 16 are waiting")));
    client.end();
}

#[test]
fn a_call_and_a_contact_sheet_have_one_budget() {
    let site = Site::new();
    fs::create_dir(site.at("art/many")).expect("a folder");
    let file = write(&repeated_triangle(2000, 16)).expect("a valid file");
    for number in 0..40 {
        fs::write(site.at("art/many").join(format!("{number}.pchr")), &file).expect("can be written");
    }
    let over = |answer: &Value, message: &str| assert!(text(answer).contains(message), "{message}: {answer}");
    let limited = |limit| Client::start(site.folder.path(), &["mcp", "art", "--limit", limit]);
    let sheet = json!({"path": "many/0.pchr", "grid": "4x4", "size": "32"});

    let mut client = limited("pixels=8k");
    client.fine("validate", &json!({"path": "many/0.pchr"}));
    over(&client.call("validate", &json!({"path": "many"})), "the call: limit `pixels` exceeded");
    client.fine("render", &json!({"path": "many/0.pchr", "size": "32"}));
    let refused = client.call("contact_sheet", &sheet);
    over(&refused, "the contact sheet: limit `pixels` exceeded: at least 16384 needed, 8192 allowed");
    client.end();

    let mut client = limited("work=30M");
    client.fine("render", &json!({"path": "many/0.pchr", "size": "32"}));
    over(&client.call("contact_sheet", &sheet), "the contact sheet: limit `work` exceeded");
    client.fine("validate", &json!({"path": "many"}));
    client.end();
}

#[test]
fn lists_in_arguments_are_bounded() {
    let site = Site::new();
    let mut client = site.serve();
    let skins = |count: usize| json!({"path": "paper-lamp.json", "size": "8", "skins": vec!["blue"; count]});
    client.fine("render", &skins(1000));
    let error = client.refused("render", &skins(1001));
    assert_eq!(error["message"], json!("the parameter `skins` has 1001 values, 1000 are allowed"));
    client.end();
}

/// A lock says that a server lives.
#[test]
fn folders_of_killed_servers_are_removed_by_the_next() {
    let site = Site::new();
    let (first, second) = (site.serve(), site.serve());
    assert_eq!(names_in(&site.at("tmp")).len(), 2);
    fs::create_dir(site.at("tmp/pchr-mcp-others")).expect("a folder");
    for name in ["tmp/pchr-mcp-others/picture.png", "tmp/pchr-mcp-file"] {
        fs::write(site.at(name), "text").expect("can be written");
    }
    let killed = |mut client: Client| {
        client.child.kill().expect("it runs");
        client.child.wait().expect("it ends");
    };
    killed(first);
    let third = site.serve();
    let names = names_in(&site.at("tmp"));
    assert!(names.len() == 3 && names.contains(&"pchr-mcp-file".to_owned()), "{names:?}");
    fs::remove_file(site.at("tmp/pchr-mcp-file")).expect("can be removed");
    killed(second);
    third.end_leaving(1);
    site.serve().end();
}
