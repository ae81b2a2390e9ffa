//! `pchr convert` with sampled frames, through the binary: Spine, other rates, messages and errors.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use pchr::Character;
use serde_json::Value;
use tempfile::TempDir;

/// Creates a folder with both of our characters.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let assets = crate::common::root().join("assets");
    for name in ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png", "paper-knight.pchr"] {
        fs::copy(assets.join(name), folder.path().join(name)).expect("a copy");
    }
    folder
}

fn convert_with(folder: &Path, stdin: Stdio, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
    command.current_dir(folder).arg("convert").args(args).stdin(stdin).output().expect("the program runs")
}

/// Runs a conversion that must succeed, and returns its stderr.
#[track_caller]
fn fine(folder: &Path, args: &[&str]) -> String {
    let output = convert_with(folder, Stdio::null(), args);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && output.stdout.is_empty(), "{args:?}: {stderr}");
    stderr
}

/// Runs a conversion that must fail with this exit code, and returns its stderr.
#[track_caller]
fn refused(folder: &Path, code: i32, args: &[&str]) -> String {
    let output = convert_with(folder, Stdio::null(), args);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    stderr
}

fn report(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("lost.json")).expect("a report")).expect("valid JSON")
}

/// Returns the names and frame counts of all animations.
fn animations(path: &Path) -> Vec<(String, u32)> {
    let character = Character::open(path).unwrap_or_else(|error| panic!("{error}"));
    character.model().animations().iter().map(|it| (it.name.clone(), it.frame_count())).collect()
}

#[test]
fn a_spine_character_becomes_stored_frames() {
    let folder = folder();
    let args = ["paper-lamp.json", "-o", "lamp.pchr", "--loss-report", "lost.json"];
    let stderr = fine(folder.path(), &args);
    assert!(stderr.contains("warning[events-dropped]") && stderr.contains("`jump`, `land`"), "{stderr}");
    let expected = [("bind", 1), ("idle", 48), ("hop", 22)].map(|(name, count)| (name.to_owned(), count));
    assert_eq!(animations(&folder.path().join("lamp.pchr")), expected);
    let report = report(folder.path());
    assert_eq!(
        (&report["schema"], &report["from"], &report["to"]),
        (&"pchr.loss/1".into(), &"spine".into(), &"pchr".into())
    );
    assert_eq!(report["fps"], 24);
    assert!(report["worst_error_px"].as_f64().expect("a number") < 0.01, "{report}");
    let codes: Vec<&str> =
        report["losses"].as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap()).collect();
    let expected =
        ["skins-dropped", "shape-dropped", "shape-dropped", "duration-rounded", "events-dropped", "loops-assumed"];
    assert_eq!(codes, expected);
    assert!(
        stderr.contains("Spine files do not store which animations loop; 2 animations are stored as looping"),
        "{stderr}"
    );
    // The output is valid.
    let mut validate = Command::new(env!("CARGO_BIN_EXE_pchr"));
    let validated = validate.current_dir(folder.path()).args(["validate", "lamp.pchr"]).output();
    let validated = validated.expect("the program runs");
    assert!(validated.status.success(), "{}", String::from_utf8_lossy(&validated.stdout));
    // With -q, one animation, another skin and another rate.
    let args = ["-q", "paper-lamp.json", "-o", "blue.pchr", "--skin", "blue", "--animation", "hop", "--fps", "10"];
    assert_eq!(fine(folder.path(), &args), "");
    assert_eq!(animations(&folder.path().join("blue.pchr")), [("bind".to_owned(), 1), ("hop".to_owned(), 9)]);
    let u = |name: &str| {
        let character = Character::open(folder.path().join(name)).unwrap();
        let mesh = character
            .model()
            .attachments()
            .iter()
            .find(|it| it.name() == "shade")
            .unwrap()
            .mesh()
            .unwrap()
            .clone();
        let pchr::model::Vertices::Skin4(vertices) = &mesh.vertices else { panic!("four influences are stored") };
        vertices.get(0).unwrap().uv.x
    };
    assert!(u("blue.pchr") > u("lamp.pchr"), "the blue shade is on the right of the page");
}

#[test]
fn every_format_is_written_with_its_images() {
    let folder = folder();
    for (to, name) in [("pchr-json", "a/lamp.json"), ("pachario", "b/lamp.json"), ("pachario-packed", "lamp.pchr")]
    {
        fine(folder.path(), &["paper-lamp.json", "-o", name, "--to", to]);
        let character = Character::open(folder.path().join(name)).unwrap();
        assert_eq!(character.model().pages().len(), 1, "{to}");
        assert_eq!(animations(&folder.path().join(name)).len(), 3, "{to}");
    }
}

#[test]
fn inputs_are_not_overwritten() {
    let folder = folder();
    // Read as premultiplied, so that the written image would differ from the input.
    let atlas = folder.path().join("paper-lamp.atlas");
    let text = fs::read_to_string(&atlas).unwrap().replace("repeat: none\n", "repeat: none\npma: true\n");
    fs::write(&atlas, text).unwrap();
    let before = fs::read(folder.path().join("paper-lamp.png")).unwrap();
    let stderr = refused(folder.path(), 2, &["paper-lamp.json", "-o", "lamp.json", "--force"]);
    assert!(stderr.contains("paper-lamp.png") && stderr.contains("cannot be overwritten"), "{stderr}");
    assert!(fs::read(folder.path().join("paper-lamp.png")).unwrap() == before);
    assert!(!folder.path().join("lamp.json").exists());
    let atlas_before = fs::read(&atlas).unwrap();
    for args in [
        &["paper-lamp.json", "-o", "paper-lamp.atlas", "--to", "pchr", "--force"][..],
        &["paper-lamp.json", "-o", "lamp.pchr", "--loss-report", "paper-lamp.atlas", "--force"],
    ] {
        let stderr = refused(folder.path(), 2, args);
        assert!(stderr.contains("paper-lamp.atlas") && stderr.contains("cannot be overwritten"), "{stderr}");
    }
    assert!(fs::read(&atlas).unwrap() == atlas_before);
}

#[test]
fn unknown_names_are_errors() {
    let folder = folder();
    let stderr = refused(folder.path(), 2, &["paper-lamp.json", "-o", "x.pchr", "--skin", "blu"]);
    assert!(stderr.contains("no skin named `blu`") && stderr.contains("`blue`"), "{stderr}");
    let stderr = refused(folder.path(), 2, &["paper-lamp.json", "-o", "x.pchr", "--animation", "hopp"]);
    assert!(stderr.contains("no animation named `hopp`") && stderr.contains("`hop`"), "{stderr}");
    let stderr = refused(folder.path(), 2, &["paper-knight.pchr", "-o", "x.pchr", "--skin", "blue"]);
    assert!(stderr.contains("the file has none"), "{stderr}");
    refused(folder.path(), 2, &["paper-lamp.json", "-o", "x.pchr", "--fps", "0"]);
    let stderr = refused(folder.path(), 3, &["paper-lamp.json", "-o", "x.pchr", "--from", "pchr"]);
    assert!(stderr.contains("is spine, not pchr"), "{stderr}");
    assert!(!folder.path().join("x.pchr").exists());
}

#[test]
fn missing_images_are_accepted_with_no_image() {
    let folder = folder();
    let stdin = || Stdio::from(fs::File::open(folder.path().join("paper-lamp.json")).unwrap());
    let output = convert_with(folder.path(), stdin(), &["-", "-o", "x.pchr"]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("--no-image"), "{stderr}");
    let output = convert_with(folder.path(), stdin(), &["-", "-o", "x.pchr", "--no-image"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(Character::open(folder.path().join("x.pchr")).unwrap().model().pages().len(), 0);
}

#[test]
fn stored_frames_are_resampled_at_another_rate() {
    let folder = folder();
    let args = ["paper-knight.pchr", "-o", "half.pchr", "--fps", "12", "--loss-report", "lost.json"];
    fine(folder.path(), &args);
    let (all, half) =
        (animations(&folder.path().join("paper-knight.pchr")), animations(&folder.path().join("half.pchr")));
    let walk = |list: &[(String, u32)]| list.iter().find(|(name, _)| name == "walk").expect("it walks").1;
    assert_eq!((all.len(), walk(&all)), (half.len(), 2 * walk(&half)));
    assert_eq!(report(folder.path())["fps"], 12);
}

#[test]
fn warnings_are_grouped_unless_all_are_requested() {
    const RIG: &str = "tests/fixtures/conformance/spine4/4.2/path-chain/path-chain.json";
    let folder = folder();
    let rig = crate::common::root().join(RIG);
    fs::copy(rig, folder.path().join("rig.json")).expect("a copy");
    let args = ["rig.json", "-o", "rig.pchr", "--no-image", "--force", "--loss-report", "lost.json"];
    let dropped = |stderr: &str| stderr.lines().filter(|line| line.starts_with("warning[shape-dropped]")).count();
    let stderr = fine(folder.path(), &args);
    let losses = report(folder.path())["losses"].as_array().expect("a list").clone();
    let all = losses.iter().filter(|loss| loss["code"] == "shape-dropped").count();
    assert!(all > 10, "{losses:#?}");
    assert_eq!(dropped(&stderr), 3, "{stderr}");
    let more = format!("note: not listed: {} × shape-dropped; --verbose lists them", all - 3);
    assert!(stderr.contains(&more), "{stderr}");
    let stderr = fine(folder.path(), &[&args[..], &["--verbose"]].concat());
    assert_eq!(dropped(&stderr), all, "{stderr}");
    assert!(!stderr.contains("not listed"), "{stderr}");
}

#[test]
fn the_command_says_what_it_has_written() {
    let folder = folder();
    let knight = fine(folder.path(), &["paper-knight.pchr", "-o", "again.pchr"]);
    let size = fs::metadata(folder.path().join("again.pchr")).expect("a file").len() as f64 / 1024.0;
    assert_eq!(knight, format!("note: wrote again.pchr: {size:.1} KiB\n"));
    let spine = fine(folder.path(), &["paper-lamp.json", "-o", "new/lamp.json", "--to", "spine42"]);
    assert!(spine.contains("note: wrote new/lamp.json and 2 other files: "), "{spine}");
    // Not with -q, not if the same is on stdout, and not about stdout.
    let silent = |args: &[&str]| {
        let output = convert_with(folder.path(), Stdio::null(), args);
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    silent(&["paper-knight.pchr", "-o", "again.pchr", "--force", "-q"]);
    silent(&["paper-knight.pchr", "-o", "again.pchr", "--force", "--json"]);
    silent(&["paper-knight.pchr", "-o", "-", "--to", "pchr"]);
}

#[test]
fn a_missing_page_is_named_with_the_folder_of_its_character() {
    let place = crate::common::program::folder();
    for folder in ["x", "y"] {
        fs::create_dir(place.path().join(folder)).expect("a folder");
        for name in ["paper-lamp.json", "paper-lamp.atlas"] {
            let from = crate::common::root().join("assets").join(name);
            fs::copy(from, place.path().join(folder).join(name)).expect("a copy");
        }
    }
    let run = |args: &[&str]| {
        let output = crate::common::program::pchr(place.path(), args);
        (output.status.code(), crate::common::program::stderr(&output))
    };
    for (to, out) in [("pchr", "out/a.pchr"), ("spine42", "out/a.json")] {
        let (code, text) = run(&["convert", "x/paper-lamp.json", "-o", out, "--to", to]);
        assert_eq!(code, Some(3), "{text}");
        assert!(
            text.contains("error[missing-image]: x/paper-lamp.json: `paper-lamp.png` does not exist"),
            "{text}"
        );
    }
    let (_, text) = run(&["inspect", "x", "y/paper-lamp.json"]);
    for folder in ["x", "y"] {
        assert!(text.contains(&format!("warning[missing-image]: {folder}/paper-lamp.atlas: line 1: ")), "{text}");
    }
    // As it is named on the command line.
    let (_, text) = run(&["inspect", "x/paper-lamp.json", "--atlas", "y/paper-lamp.atlas"]);
    assert!(text.contains("warning[missing-image]: y/paper-lamp.atlas: line 1: "), "{text}");
}
