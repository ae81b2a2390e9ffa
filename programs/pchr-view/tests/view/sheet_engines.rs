//! Sprite sheets in real engines in a real browser: checks every frame, every tag, and every pixel.
//!
//! Needs Node.js, Chromium and the folder in `PCHR_SHEET_CLIENTS`: `sheetcheck.mjs`, and the engines as installed
//! by npm. All engines found there load the sheet. `scripts/test` creates such a folder;
//! `PCHR_TEST_SHEETS=require` fails if it is missing.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::common::viewer_bench::Bench;
use crate::common::{conformance, say};

/// Name of an engine in `sheetcheck.mjs`, and a file that exists if it is installed. Phaser draws with WebGL:
/// without a GPU, Chromium draws part of a picture on a 2D canvas one row off.
const ENGINES: [(&str, &str); 6] = [
    ("phaser3-gl", "node_modules/phaser"),
    ("phaser4-gl", "node_modules/phaser4"),
    ("pixi", "node_modules/pixi.js"),
    ("excalibur", "bundle-excalibur.js"),
    ("kaplay", "node_modules/kaplay"),
    ("melonjs", "bundle-melon.js"),
];

/// One browser at a time: an engine that waits for the CPU would be reported as unresponsive.
static BROWSER: Mutex<()> = Mutex::new(());

/// Returns the folder with the clients, and the installed ones.
fn clients() -> Option<(PathBuf, Vec<&'static str>)> {
    let folder = match std::env::var_os("PCHR_SHEET_CLIENTS") {
        Some(folder) => PathBuf::from(folder),
        None => crate::common::root().join("../shared/tools/sheet-clients"),
    };
    let is_there = |name: &str| folder.join(name).exists();
    let engines: Vec<&str> =
        ENGINES.into_iter().filter(|(_, file)| is_there(file)).map(|(name, _)| name).collect();
    let is_ready =
        ["sheetcheck.mjs", "node_modules/playwright-core", "node_modules/pngjs"].into_iter().all(is_there);
    if is_ready && engines.contains(&"phaser3-gl") && engines.contains(&"pixi") {
        return Some((folder, engines));
    }
    let why = "PCHR_SHEET_CLIENTS names a folder with sheetcheck.mjs and `npm ci` done in it";
    let missing = format!("there are no sheet clients at {}; {why}", folder.display());
    assert!(std::env::var_os("PCHR_TEST_SHEETS").is_none_or(|wanted| wanted != "require"), "{missing}");
    say(&format!("SKIPPED: {missing}"));
    None
}

/// Writes the sheet requested by `args` and plays it in every engine.
#[track_caller]
fn engines_play(what: &str, args: &str) {
    let Some((folder, engines)) = clients() else { return };
    let bench = Bench::new();
    bench.run(&format!("{args} -o hero.json"), 0);
    let _alone = BROWSER.lock().unwrap_or_else(PoisonError::into_inner);
    let mut command = Command::new("node");
    command.arg(folder.join("sheetcheck.mjs")).arg(bench.path("hero.json"));
    let output = command.args(["--clients", &engines.join(",")]).output().expect("node runs");
    let output_text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{what}: {args}\n{output_text}{}", String::from_utf8_lossy(&output.stderr));
    // Each engine must report success and all tags.
    for engine in &engines {
        let line = output_text.lines().find(|line| line.trim_start().starts_with(engine));
        let line = line.unwrap_or_else(|| panic!("{engine} is not reported\n{output_text}"));
        assert!(line.contains(" ok ") && !line.contains("tags 0/0"), "{line}");
    }
    say(&format!("sheets: {what} in {}", engines.join(", ")));
}

#[test]
fn the_knight_plays_in_engines() {
    engines_play("the knight", "knight.pchr -a walk -a jump -s 64 --sheet-padding 1 --sheet-extrude 1");
}

#[test]
fn the_knight_packed_and_trimmed_plays_in_engines() {
    let way = "--sheet-layout packed --sheet-trim frame --sheet-merge";
    engines_play("the knight, packed,", &format!("knight.pchr -a walk -a jump -s 64 {way}"));
}

#[test]
fn conformance_a_spine_character_plays_in_engines() {
    let Some(examples) = conformance("spine/examples") else { return };
    let spineboy = examples.join("spineboy/spineboy-pro.json");
    engines_play("spineboy", &format!("{} -a walk -s 96 --sheet-profile index", spineboy.display()));
}

#[test]
fn conformance_a_skelform_character_plays_in_engines() {
    let Some(samples) = conformance("skelform/samples") else { return };
    let skellina = samples.join("skellina-0.7.0.skf");
    // Part of its animation: all of it takes engines several times as long.
    engines_play("skellina", &format!("{} -f 0..180:8 -s 96 --sheet-profile index", skellina.display()));
}
