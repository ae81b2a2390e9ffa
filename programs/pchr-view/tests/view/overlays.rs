//! `--show`: overlays of rendered pictures.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use image::RgbaImage;
use tempfile::TempDir;

fn knight() -> PathBuf {
    crate::common::root().join("assets/paper-knight.pchr")
}

fn marks() -> PathBuf {
    crate::common::root().join("tests/fixtures/overlays/marks.json")
}

fn run(folder: &TempDir, file: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
    command.arg(file).arg("-o").arg(folder.path().join("one.png")).args(["--backend", "cpu", "--force"]);
    command.args(["-s", "96x128"]).args(options).output().expect("the program runs")
}

#[track_caller]
fn picture(folder: &TempDir, file: &Path, options: &[&str]) -> RgbaImage {
    let output = run(folder, file, options);
    assert!(output.status.success(), "{options:?}: {}", String::from_utf8_lossy(&output.stderr));
    image::open(folder.path().join("one.png")).expect("a PNG").into_rgba8()
}

#[track_caller]
fn usage_error(folder: &TempDir, show: &str) -> String {
    let output = run(folder, &knight(), &["--show", show]);
    assert_eq!(output.status.code(), Some(2), "{show}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn every_overlay_changes_the_picture() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let knight = knight();
    let walk = ["-a", "walk", "-f", "5"];
    let plain = picture(&folder, &knight, &walk);
    let mut seen = vec![plain];
    for show in ["bones", "names", "wire", "hulls", "bounds", "weights=chest", "order", "overdraw", "onion=2/1"] {
        let shown = picture(&folder, &knight, &[&walk[..], &["--show", show]].concat());
        assert!(!seen.contains(&shown), "{show}");
        seen.push(shown);
    }
    let mut seen = vec![picture(&folder, &marks(), &[])];
    for show in ["boxes", "points", "clips", "paths", "ik", "boxes,points"] {
        let shown = picture(&folder, &marks(), &["--show", show]);
        assert!(!seen.contains(&shown), "{show}");
        seen.push(shown);
    }
    assert!(
        picture(&folder, &knight, &["--show", "weights=#3"])
            == picture(&folder, &knight, &["--show", "weights=chest"])
    );
}

#[test]
fn onion_skins_wrap_around_in_loops_and_stop_at_ends() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let shows = |animation: &str, frame: &str, show: &str| {
        let options = ["-a", animation, "-f", frame];
        picture(&folder, &knight(), &options)
            != picture(&folder, &knight(), &[&options[..], &["--show", show]].concat())
    };
    assert!(shows("walk", "0", "onion=1/0"), "a loop continues at its end");
    // Keyed motion steps by the frames of --fps.
    let at = |fps: &str| picture(&folder, &marks(), &["--fps", fps, "-f", "1", "--show", "onion=0/1"]);
    assert!(at("4") != at("8"));
    let marks_at = |frame: &str, show: &[&str]| {
        picture(&folder, &marks(), &[&["--fps", "4", "-f", frame][..], show].concat())
    };
    assert!(marks_at("0", &["--show", "onion=0/1"]) != marks_at("0", &[]));
}

#[test]
fn invalid_overlays_say_what_is_valid() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let all = usage_error(&folder, "bone");
    for form in ["bones", "wire", "weights=BONE", "onion=N/M", "overdraw"] {
        assert!(all.contains(form), "{form}: {all}");
    }
    let near = usage_error(&folder, "weights=cheast");
    assert!(near.contains("no bone `cheast`; did you mean `chest`"), "{near}");
    assert!(usage_error(&folder, "onion=3/40").contains("each up to 10"));
    assert!(usage_error(&folder, "weights").contains("weights=arm"));
}
