//! `pchr convert FILE -o page.html`, with a player that only looks like one; `bindings/web/tests` opens pages in a browser.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tempfile::TempDir;

const PLAYER: &str = "// pchr-web 0: a player\n";

/// Creates a folder with a character and a player.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let assets = crate::common::root().join("assets");
    for name in ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png", "paper-knight.pchr"] {
        fs::copy(assets.join(name), folder.path().join(name)).expect("a copy");
    }
    fs::write(folder.path().join("player.js"), PLAYER).expect("a player");
    folder
}

fn convert(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
    command.current_dir(folder).arg("convert").args(args).output().expect("the program runs")
}

/// Runs a conversion that must succeed, and returns the text of the page.
#[track_caller]
fn page(folder: &Path, args: &[&str]) -> String {
    let output = convert(folder, &[args, &["-o", "page.html", "--player", "player.js"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(folder.join("page.html")).expect("a page")
}

/// Runs a conversion that must fail with this exit code, and returns its stderr.
#[track_caller]
fn refused(folder: &Path, code: i32, args: &[&str]) -> String {
    let output = convert(folder, args);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    assert!(!folder.join("page.html").exists());
    stderr
}

fn data(page: &str) -> Value {
    let (_, rest) = page.split_once(r#"<script type="application/json" id="data">"#).expect("the data");
    serde_json::from_str(rest.split("</script>").next().expect("its end")).expect("JSON")
}

#[test]
fn a_page_contains_the_player_and_every_file_of_the_character() {
    let folder = folder();
    let page = page(folder.path(), &["paper-lamp.json", "--animation", "hop", "--skin", "blue"]);
    assert!(page.contains(PLAYER) && page.starts_with("<!doctype html>") && !page.contains("{{}}"));
    let data = data(&page);
    assert_eq!([&data["main"], &data["animation"], &data["title"]], ["paper-lamp.json", "hop", "paper-lamp"]);
    assert_eq!(data["skins"], serde_json::json!(["blue"]));
    let files = data["files"].as_object().expect("files");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["paper-lamp.atlas", "paper-lamp.json", "paper-lamp.png"]);
    for (name, content) in files {
        let content = STANDARD.decode(content.as_str().expect("text")).expect("base64");
        assert!(content == fs::read(folder.path().join(name)).expect("a file"), "{name}");
    }
}

#[test]
fn names_are_checked_before_a_page_is_written() {
    let folder = folder();
    let lamp = ["paper-lamp.json", "-o", "page.html", "--player", "player.js"];
    for (option, name, near) in [
        ("--animation", "hopp", "did you mean `hop`"),
        ("--animation", "#7", "animation #7 does not exist"),
        ("--skin", "bleu", "blue"),
    ] {
        let stderr = refused(folder.path(), 2, &[&lamp[..], &[option, name]].concat());
        assert!(stderr.contains(name) && stderr.contains(near), "{stderr}");
    }
    let knight = ["paper-knight.pchr", "-o", "page.html", "--player", "player.js", "--animation", "wlak"];
    let stderr = refused(folder.path(), 2, &knight);
    assert!(stderr.contains("did you mean `walk`"), "{stderr}");
    let page = page(folder.path(), &["paper-lamp.json", "--animation", "#1", "--skin", "none"]);
    let (data, lamp) = (
        data(&page),
        pchr::Character::open(crate::common::root().join("assets/paper-lamp.json")).expect("a lamp"),
    );
    assert_eq!(data["animation"], lamp.model().animations()[1].name);
    assert_eq!(data["skins"], serde_json::json!(["none"]));
}

#[test]
fn files_beside_the_folder_keep_their_places() {
    let folder = folder();
    for name in ["json", "images"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    for (from, to) in [
        ("paper-lamp.json", "json/x.json"),
        ("paper-lamp.atlas", "images/x.atlas"),
        ("paper-lamp.png", "images/paper-lamp.png"),
    ] {
        fs::rename(folder.path().join(from), folder.path().join(to)).expect("a move");
    }
    let data = data(&page(folder.path(), &["json/x.json"]));
    assert_eq!(data["main"], "json/x.json");
    let names: Vec<&String> = data["files"].as_object().expect("files").keys().collect();
    assert_eq!(names, ["images/paper-lamp.png", "images/x.atlas", "json/x.json"]);
}

#[test]
fn text_cannot_leave_its_place_in_the_page() {
    let folder = folder();
    let hostile = "</script><script>alert(1)</script><!--<script>{{}}";
    let file = folder.path().join("paper-lamp.json");
    let lamp = fs::read_to_string(&file).expect("a lamp");
    fs::write(&file, lamp.replace("\"hop\":", &format!("{}:", Value::from(hostile)))).expect("another name");
    let page = page(folder.path(), &["paper-lamp.json", "--animation", hostile]);
    assert_eq!(data(&page)["animation"], hostile);
    assert_eq!(page.matches("<script").count(), 3, "only those of the template");
    assert_eq!(page.matches("</script").count(), 3);
}

#[test]
fn the_program_contains_a_player_or_names_the_command_that_makes_it() {
    let folder = folder();
    for (file, title) in
        [("paper-knight.pchr", "the player in one file"), ("paper-lamp.json", "the player of Spine")]
    {
        let args = [file, "-o", "page.html"];
        if cfg!(has_player) {
            let output = convert(folder.path(), &args);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let page = fs::read_to_string(folder.path().join("page.html")).expect("a page");
            let signature = format!("\n// pchr-web {}: {title}", env!("CARGO_PKG_VERSION"));
            assert!(page.contains(&signature), "{file}: no {signature:?}");
            fs::remove_file(folder.path().join("page.html")).expect("a page");
        } else {
            let stderr = refused(folder.path(), 3, &args);
            assert!(stderr.contains("scripts/build-web") && stderr.lines().count() == 1, "{stderr}");
        }
    }
}

#[test]
fn other_scripts_are_no_players() {
    let folder = folder();
    fs::write(folder.path().join("other.js"), "export {}").expect("a file");
    let stderr = refused(folder.path(), 3, &["paper-knight.pchr", "-o", "page.html", "--player", "other.js"]);
    assert!(stderr.contains("other.js: this is not pchr-player.inline.js"), "{stderr}");
    fs::write(folder.path().join("other.js"), format!("{PLAYER}'</SCRIPT>'")).expect("a file");
    refused(folder.path(), 3, &["paper-knight.pchr", "-o", "page.html", "--player", "other.js"]);
}

#[test]
fn what_has_no_effect_on_a_page_is_refused() {
    let folder = folder();
    for option in [&["--fps", "12"][..], &["--no-bake"], &["--loss-report", "l.json"], &["--grid", "2x2"]] {
        let args = [&["paper-knight.pchr", "-o", "page.html", "--player", "player.js"], option].concat();
        let stderr = refused(folder.path(), 2, &args);
        assert!(stderr.contains(option[0]) && stderr.contains("no effect on a page"), "{stderr}");
    }
    let stderr = refused(folder.path(), 2, &["paper-knight.pchr", "-o", "k.skf", "--player", "player.js"]);
    assert!(stderr.contains("--player needs an output that ends in .html"), "{stderr}");
}

#[test]
fn a_character_without_its_picture_is_incomplete() {
    let folder = folder();
    fs::remove_file(folder.path().join("paper-lamp.png")).expect("a file");
    let args = ["paper-lamp.json", "-o", "page.html", "--player", "player.js"];
    let stderr = refused(folder.path(), 3, &args);
    assert!(stderr.contains("paper-lamp.png"), "{stderr}");
    page(folder.path(), &["paper-lamp.json", "--no-image"]);
}

#[test]
fn a_folder_of_characters_becomes_pages() {
    let folder = folder();
    let output = convert(
        folder.path(),
        &["paper-knight.pchr", "paper-lamp.json", "-o", "{name}.html", "--player", "player.js"],
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for name in ["paper-knight", "paper-lamp"] {
        let page = fs::read_to_string(folder.path().join(format!("{name}.html"))).expect("a page");
        assert_eq!(data(&page)["title"], name);
    }
}
