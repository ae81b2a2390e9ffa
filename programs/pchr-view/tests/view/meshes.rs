//! `--mesh` and `--hide-mesh`: parts of a character.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use image::RgbaImage;
use tempfile::TempDir;

fn run(folder: &TempDir, name: &str, options: &[&str]) -> Output {
    let knight = crate::common::root().join("assets/paper-knight.pchr");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
    command.arg(knight).arg("-o").arg(folder.path().join(name)).args(["--backend", "cpu", "--force"]);
    command.args(["-s", "64x128", "-a", "idle"]).args(options);
    command.output().expect("the program runs")
}

#[track_caller]
fn render(folder: &TempDir, name: &str, options: &[&str]) -> PathBuf {
    let output = run(folder, name, options);
    assert!(output.status.success(), "{options:?}: {}", String::from_utf8_lossy(&output.stderr));
    folder.path().join(name)
}

#[track_caller]
fn picture(folder: &TempDir, options: &[&str]) -> RgbaImage {
    image::open(render(folder, "one.png", options)).expect("a PNG").into_rgba8()
}

fn covered(picture: &RgbaImage) -> usize {
    picture.pixels().filter(|pixel| pixel.0[3] > 0).count()
}

#[test]
fn parts_align_and_add_up_to_the_character() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = picture(&folder, &[]);
    let legs = picture(&folder, &["--mesh", "leg_*", "--mesh", "boot_*"]);
    let rest = picture(&folder, &["--hide-mesh", "leg_*", "--hide-mesh", "boot_*"]);
    assert_eq!(legs.dimensions(), whole.dimensions(), "the visible area is that of the whole character");
    assert!(covered(&legs) > 50 && covered(&rest) > 50);
    for (x, y, pixel) in whole.enumerate_pixels() {
        let [legs, rest] = [&legs, &rest].map(|part| part.get_pixel(x, y).0[3]);
        assert_eq!(pixel.0[3] > 0, legs > 0 || rest > 0, "{x}, {y}");
    }
    assert_eq!(picture(&folder, &["--mesh", "*"]), whole);
    let boots = picture(&folder, &["--mesh", "boot_*"]);
    assert_eq!(picture(&folder, &["--mesh", "leg_*", "--mesh", "boot_*", "--hide-mesh", "leg_*"]), boots);
}

#[test]
fn every_kind_of_output_draws_the_same_parts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (output, drawn) in [("a.gif", "a.gif"), ("a.webp", "a.webp"), ("a.json", "a.png")] {
        let bytes = |options: &[&str]| {
            render(&folder, output, options);
            fs::read(folder.path().join(drawn)).expect(drawn)
        };
        assert!(bytes(&[]) != bytes(&["--hide-mesh", "cape"]), "{output}");
    }
    let sheet = |options: &[&str]| fs::read(render(&folder, "sheet.png", options)).expect("the sheet");
    let contact = ["--contact-sheet", "2x"];
    assert!(sheet(&contact) != sheet(&[&contact[..], &["--mesh", "cape"]].concat()));
    // The comparison with a reference renders the same part.
    let reference = render(&folder, "reference.png", &["--mesh", "cape"]);
    let compare = |options: &[&str]| {
        let knight = crate::common::root().join("assets/paper-knight.pchr");
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        command
            .arg(knight)
            .args(["--reference"])
            .arg(&reference)
            .args(["-s", "64x128", "-a", "idle"])
            .args(options);
        command.output().expect("the program runs").status.code()
    };
    assert_eq!(compare(&["--mesh", "cape"]), Some(0));
    assert_eq!(compare(&[]), Some(1));
}

#[test]
fn a_pattern_without_a_match_lists_near_names() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for option in ["--mesh", "--hide-mesh"] {
        let output = run(&folder, "one.png", &[option, "torsoo"]);
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("no slot or mesh that matches `torsoo`; did you mean `torso`"), "{message}");
    }
    let output = run(&folder, "one.png", &["--mesh", "[a"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`[a` is not a pattern"));
}

#[test]
fn hiding_everything_is_empty_but_not_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = run(&folder, "one.png", &["--hide-mesh", "*"]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing is visible in the chosen frame: "));
    let output = run(&folder, "one.png", &["--hide-mesh", "*", "--fail-on-empty"]);
    assert_eq!(output.status.code(), Some(1));
}
