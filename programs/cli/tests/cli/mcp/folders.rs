//! Only the roots and the folder for outputs are read, and only the latter is written.

use std::fs;
use std::os::unix::fs::symlink;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use serde_json::{Value, json};

use super::{Client, Site, list, text};
#[cfg(all(target_os = "linux", target_env = "gnu"))]
use crate::common::exchange::Exchange;
use crate::common::names_in;
use crate::common::program::pchr;

const OUTSIDE: &str = "outside of the folders that";

#[test]
fn paths_that_lead_out_of_the_roots_are_refused() {
    let site = Site::new();
    let private = site.at("private/knight.pchr").display().to_string();
    symlink(&private, site.at("art/link.pchr")).expect("a link");
    symlink(site.at("private"), site.at("art/linked")).expect("a link");
    symlink(site.at("art/knight.pchr"), site.at("art/inside.pchr")).expect("a link");
    let mut client = site.serve();
    client.fine("inspect", &json!({"path": "inside.pchr"}));
    client.fine("inspect", &json!({"path": site.at("art/knight.pchr")}));
    symlink(site.at("private/nothing.pchr"), site.at("art/dangling.pchr")).expect("a link");
    // The same answer, whether they exist or not.
    let escaping = [
        &private[..],
        "../private/knight.pchr",
        "link.pchr",
        "linked/knight.pchr",
        "linked",
        "/etc/passwd",
        "..",
        "../private/nothing.pchr",
        "../nothing/knight.pchr",
        "dangling.pchr",
        "linked/nothing.pchr",
        "/nothing/knight.pchr",
    ];
    for path in escaping {
        for (tool, arguments) in [
            ("inspect", json!({"path": path})),
            ("validate", json!({"path": path})),
            ("render", json!({"path": path})),
            ("contact_sheet", json!({"path": path, "grid": "2x2"})),
            ("poses", json!({"path": path})),
            ("keys", json!({"path": path})),
            ("diff", json!({"a": "knight.pchr", "b": path})),
            ("convert", json!({"path": path, "output": "a.pchr"})),
            ("test", json!({"path": path, "results": "results"})),
            ("render", json!({"path": "paper-lamp.json", "atlas": path})),
        ] {
            let error = client.refused(tool, &arguments).to_string();
            assert!(error.contains(OUTSIDE), "{tool} {arguments}: {error}");
        }
    }
    // Characters that are found in a folder are not read through links either, and folders not listed through them.
    let found = client.fine("validate", &json!({"path": "."}));
    for (path, is_read) in
        [("link.pchr", false), ("linked", false), ("dangling.pchr", false), ("inside.pchr", true)]
    {
        assert_eq!(text(&found).contains(path), is_read, "{path}: {found}");
        let note = format!("note: ./{path}: not following this link, because it leads outside");
        let is_noted = |block: &Value| block["text"].as_str().is_some_and(|text| text.starts_with(&note));
        assert_eq!(list(&found["content"]).iter().any(is_noted), !is_read, "{path}: {found}");
    }
    client.end();
    assert!(names_in(&site.at("out")).is_empty());
}

/// Whoever opens a pipe waits for another program.
#[test]
fn pipes_and_devices_are_refused() {
    let site = Site::new();
    mkfifo(&site.at("art/pipe.pchr"), Mode::S_IRWXU).expect("a pipe");
    symlink("/dev/zero", site.at("art/zero.pchr")).expect("a link");
    let mut client = site.serve();
    for (tool, arguments) in [
        ("inspect", json!({"path": "pipe.pchr"})),
        ("render", json!({"path": "pipe.pchr"})),
        ("diff", json!({"a": "knight.pchr", "b": "pipe.pchr"})),
        ("convert", json!({"path": "pipe.pchr", "output": "a.pchr"})),
        ("render", json!({"path": "paper-lamp.json", "atlas": "pipe.pchr"})),
        ("inspect", json!({"path": "zero.pchr"})),
    ] {
        let error = client.refused(tool, &arguments).to_string();
        assert!(error.contains("a pipe or a device") || error.contains(OUTSIDE), "{tool} {arguments}: {error}");
    }
    let found = client.fine("validate", &json!({"path": "."}));
    assert!(text(&found).contains("knight.pchr") && !text(&found).contains("pipe.pchr"), "{found}");
    client.end();
}

#[test]
fn files_that_a_character_names_are_refused_outside() {
    let site = Site::new();
    let mut client = site.serve();
    let mut validated = || text(&client.call("validate", &json!({"path": "paper-lamp.json"}))).to_owned();
    assert!(!validated().contains(OUTSIDE));
    let page = site.at("art/paper-lamp.png");
    fs::rename(&page, site.at("private/lamp.png")).expect("moved");
    // A page that is a link, one that the atlas names, and an atlas that is a link. Pages outside of the folder are
    // refused whoever reads the file.
    symlink(site.at("private/lamp.png"), &page).expect("a link");
    let found = validated();
    assert!(found.contains("a link that leads out of the folder"), "{found}");
    fs::remove_file(&page).expect("removed");
    let atlas = site.at("art/paper-lamp.atlas");
    let lines = fs::read_to_string(&atlas).expect("an atlas");
    fs::write(&atlas, lines.replace("paper-lamp.png", "../private/lamp.png")).expect("written");
    let found = validated();
    assert!(found.contains("images must be in the file's folder or below"), "{found}");
    fs::rename(&atlas, site.at("private/lamp.atlas")).expect("moved");
    symlink(site.at("private/lamp.atlas"), &atlas).expect("a link");
    let found = validated();
    assert!(found.contains("a link that leads out of the folder"), "{found}");
    client.end();
}

/// Atlases are also searched in the folders beside the folder of a skeleton.
#[test]
fn folders_beside_a_root_are_not_searched() {
    let site = Site::new();
    for name in ["paper-lamp.atlas", "paper-lamp.png"] {
        fs::rename(site.at("art").join(name), site.at("private").join(name)).expect("moved");
    }
    let found = pchr(&site.at("art"), &["validate", "--style", "json", "paper-lamp.json"]);
    assert!(String::from_utf8_lossy(&found.stdout).contains("../private/paper-lamp.atlas"), "{found:?}");
    let mut client = site.serve();
    let found = client.fine("validate", &json!({"path": "paper-lamp.json"}));
    assert!(
        text(&found).contains("there is no atlas next to the file") && !text(&found).contains("private"),
        "{found}"
    );
    client.end();
}

#[test]
fn files_are_only_written_to_the_folder_for_outputs() {
    let site = Site::new();
    fs::create_dir(site.at("out")).expect("a folder");
    symlink(site.at("private"), site.at("out/linked")).expect("a link");
    symlink(site.at("private/new.pchr"), site.at("out/new.pchr")).expect("a link");
    mkfifo(&site.at("out/pipe.pchr"), Mode::S_IRWXU).expect("a pipe");
    let mut client = site.serve();
    let inside = site.at("art/a.pchr").display().to_string();
    let escaping = [
        "../a.pchr",
        "/tmp/a.pchr",
        "linked/a.pchr",
        "new.pchr",
        "pipe.pchr",
        "a/../../a.pchr",
        "{name}.pchr",
        "",
        &inside,
    ];
    for output in escaping {
        for (tool, arguments) in [
            ("convert", json!({"path": "knight.pchr", "output": output, "force": true})),
            ("render", json!({"path": "knight.pchr", "output": output})),
            ("contact_sheet", json!({"path": "knight.pchr", "grid": "2x2", "output": output})),
            ("test", json!({"path": ".", "results": output})),
        ] {
            let error = client.refused(tool, &arguments);
            assert_eq!(error["code"], json!("io"), "{tool} {arguments}: {error}");
        }
    }
    client.end();
    assert_eq!(names_in(&site.at("private")), ["knight.pchr"]);
    assert_eq!(names_in(&site.at("out")), ["linked", "new.pchr", "pipe.pchr"]);
}

/// A folder in the one for outputs, and a folder in a root, are links now and then.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn folders_that_are_exchanged_with_links_lead_nowhere() {
    let site = Site::new();
    fs::create_dir_all(site.at("out/in")).expect("a folder");
    fs::create_dir(site.at("art/in")).expect("a folder");
    fs::copy(site.at("art/paper-lamp.json"), site.at("art/in/secret.json")).expect("a copy");
    fs::write(site.at("private/secret.json"), r#"{"SECRET": []}"#).expect("a file");
    let mut client = site.serve();
    let exchanges = ["art/in", "out/in"].map(|folder| Exchange::start(&site.at(folder), &site.at("private")));
    for number in 0..150 {
        let (tool, output) = [("convert", "pchr"), ("render", "png")][number % 2];
        let output = format!("in/{number}.{output}");
        client.call(tool, &json!({"path": "paper-lamp.json", "output": output, "size": "8"}));
        let read = client.call("validate", &json!({"path": "in/secret.json"})).to_string();
        assert!(!read.contains("SECRET"), "{read}");
    }
    let [_, written] = exchanges.map(Exchange::end);
    client.end();
    assert_eq!(names_in(&site.at("private")), ["knight.pchr", "secret.json"]);
    assert!(!written.is_empty() && !written.iter().any(|name| name.starts_with(".pchr-")), "{written:?}");
}

#[test]
fn a_server_without_a_folder_for_outputs_writes_nothing() {
    let site = Site::new();
    let before = names_in(&site.at("art"));
    let mut client = Client::start(site.folder.path(), &["mcp", "art"]);
    for (tool, arguments) in [
        ("convert", json!({"path": "knight.pchr", "output": "a.pchr"})),
        ("render", json!({"path": "knight.pchr", "output": "a.png"})),
        ("test", json!({"path": ".", "results": "results"})),
    ] {
        let error = client.refused(tool, &arguments);
        assert!(error["help"].as_str().is_some_and(|help| help.contains("--out")), "{tool}: {error}");
    }
    client.fine("render", &json!({"path": "knight.pchr", "size": "16"}));
    client.end();
    assert_eq!(
        (names_in(&site.at("art")), names_in(site.folder.path())),
        (before, vec!["art".into(), "private".into(), "tmp".into()])
    );
}
