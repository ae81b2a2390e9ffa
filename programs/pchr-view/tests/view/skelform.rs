//! The programs with SkelForm characters: physics in combination with other options, and bones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// Renders to `name`, and returns the contents of the files `names`.
    #[track_caller]
    fn render(&self, sample: &Path, name: &str, options: &str, names: &[&str]) -> Vec<Vec<u8>> {
        let output = self.run(sample, name, options);
        assert!(output.status.success(), "{options}: {}", String::from_utf8_lossy(&output.stderr));
        names.iter().map(|name| fs::read(self.0.path().join(name)).expect(name)).collect()
    }

    fn run(&self, sample: &Path, name: &str, options: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        command.arg(sample).arg("-o").arg(self.0.path().join(name)).args(["--backend", "cpu", "--force"]);
        // Small pictures are enough to differ.
        command.args(["-s", "120x120"]).args(options.split_whitespace());
        command.output().expect("the program runs")
    }
}

fn fixture(name: &str) -> PathBuf {
    crate::common::root().join("tests/fixtures").join(name)
}

#[test]
fn physics_does_not_depend_on_other_rendered_frames() {
    let folder = Folder::new();
    for (sample, last) in
        [("conformance/skelform/samples/synth-physics.skf", 60), ("skelform/quirks/puppet/input.skf", 23)]
    {
        let sample = fixture(sample);
        let names: Vec<String> = (0..=last).map(|frame| format!("all-{frame}.png")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let all = folder.render(&sample, "all-{frame}.png", "--physics -f all --jobs 1", &names);
        assert!(all == folder.render(&sample, "all-{frame}.png", "--physics -f all --jobs 3", &names));
        for frame in [0, 5, 19] {
            let alone = folder.render(&sample, "one.png", &format!("--physics -f {frame}"), &["one.png"]);
            assert!(alone[0] == all[frame], "frame {frame}");
        }
        let list = ["list-19.png", "list-5.png", "list-6.png", "list-0.png"];
        let listed = folder.render(&sample, "list-{frame}.png", "--physics -f 19,5,6,0 --jobs 1", &list);
        assert!(listed.iter().zip([19, 5, 6, 0]).all(|(listed, frame)| *listed == all[frame]));
        let still = folder.render(&sample, "all-{frame}.png", "-f all", &names);
        let swung = all.iter().zip(&still).filter(|(a, b)| a != b).count();
        assert!(swung > 10, "{swung} of {} pictures swing", all.len());
    }
}

#[test]
fn a_time_with_physics_matches_the_frame() {
    let folder = Folder::new();
    let sample = fixture("skelform/quirks/puppet/input.skf");
    // The bounds differ.
    let fit = "--physics --fit -100,-50,250,250";
    let frame = folder.render(&sample, "frame.png", &format!("{fit} --interpolate -f 6"), &["frame.png"]);
    let time = folder.render(&sample, "time.png", &format!("{fit} -t 0.25"), &["time.png"]);
    let still = folder.render(&sample, "still.png", "--fit -100,-50,250,250 -t 0.25", &["still.png"]);
    assert!(frame == time && time != still);
}

#[test]
fn physics_continues_across_loops() {
    let folder = Folder::new();
    let sample = fixture("skelform/quirks/puppet/input.skf");
    let message = |options: &str| {
        let output = folder.run(&sample, "late.png", &format!("-a go --fit -100,-50,250,250 -t 9 {options}"));
        assert!(output.status.success());
        let is_late = String::from_utf8_lossy(&output.stderr).contains("time-outside");
        (is_late, fs::read(folder.0.path().join("late.png")).expect("the written file"))
    };
    let ((is_late, end), (is_late_too, swinging)) = (message(""), message("--physics"));
    assert!(is_late && !is_late_too && end != swinging);
    // This one has no physics.
    let output =
        folder.run(&fixture("conformance/skelform/samples/synth-mesh.skf"), "late.png", "-t 900 --physics");
    assert!(String::from_utf8_lossy(&output.stderr).contains("time-outside"));
}

#[test]
fn physics_does_not_depend_on_the_number_of_jobs() {
    let folder = Folder::new();
    let sample = fixture("skelform/quirks/puppet/input.skf");
    for (name, options) in
        [("a.apng", "--loops 3"), ("a.gif", ""), ("a.webp", ""), ("a.json", "--sheet-trim frame")]
    {
        let picture = if name == "a.json" { "a.png" } else { name };
        let with = |more: &str| folder.render(&sample, name, &format!("{options} {more}"), &[picture]);
        let one = with("-a go --physics --jobs 1");
        assert!(one == with("-a go --physics --jobs 4"), "{name}");
        assert!(one != with("-a go --jobs 4"), "{name}");
    }
}

#[test]
fn bounds_include_physics() {
    let sample = fixture("skelform/quirks/puppet/input.skf");
    let json = |options: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        let output = command
            .arg(&sample)
            .args(["--json", "--fit", "frame", "-f", "12"])
            .args(options.split_whitespace())
            .output();
        let output = output.expect("the program runs");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        json["renders"][0]["view"].clone()
    };
    assert_ne!(json(""), json("--physics"), "the tail lags behind");
}

#[test]
fn physics_without_effect_prints_a_note() {
    let folder = Folder::new();
    let sample = fixture("conformance/skelform/samples/synth-mesh.skf");
    let output = folder.run(&sample, "with.png", "--physics -f 3");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success());
    assert_eq!(
        message.matches("the character has no physics, so --physics has no effect").count(),
        1,
        "{message}"
    );
    let with = fs::read(folder.0.path().join("with.png")).expect("the written file");
    assert!(with == folder.render(&sample, "without.png", "-f 3", &["without.png"])[0]);
    let message = folder.run(&sample, "with.png", "--physics -f 3 -q").stderr;
    assert!(message.is_empty(), "{}", String::from_utf8_lossy(&message));
    let message =
        folder.run(&fixture("conformance/skelform/samples/synth-physics.skf"), "with.png", "--physics").stderr;
    let message = String::from_utf8_lossy(&message);
    assert!(!message.contains("no effect"), "{message}");
}

#[test]
fn bones_are_marked() {
    let folder = Folder::new();
    let sample = fixture("conformance/skelform/samples/synth-mesh.skf");
    let plain = folder.render(&sample, "plain.png", "", &["plain.png"]);
    let bones = folder.render(&sample, "bones.png", "--show bones", &["bones.png"]);
    assert!(plain != bones);
    let names = folder.render(&sample, "names.png", "--show bones,names", &["names.png"]);
    assert!(names != plain && names != bones);
}

#[test]
fn fps_is_an_error_because_the_file_has_a_rate() {
    let folder = Folder::new();
    let output = folder.run(&fixture("conformance/skelform/samples/synth-mesh.skf"), "a.png", "--fps 10");
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}
