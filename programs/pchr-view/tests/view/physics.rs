//! Physics of Spine characters in both programs: it is on by default, and a picture does not depend on which others are
//! rendered.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

const LAMP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/paper-lamp-4.2.json");

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `pchr-view` in the folder. Small pictures of a fixed area are enough.
    fn run(&self, arguments: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        command.current_dir(self.0.path());
        command.args(["--backend", "cpu", "--force", "-s", "120", "--fit=-250,-50,500,500"]);
        command.args(arguments.split_whitespace());
        command.output().expect("the program runs")
    }

    /// Renders the lamp and returns the contents of the file `name`.
    #[track_caller]
    fn render(&self, name: &str, arguments: &str) -> Vec<u8> {
        let output = self.run(&format!("{LAMP} -a idle -o {name} {arguments}"));
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.starts_with("note: wrote") && message.lines().count() == 1, "{arguments}: {message}");
        fs::read(self.path(name)).unwrap_or_default()
    }
}

#[test]
fn physics_of_spine_is_on_by_default() {
    let folder = Folder::new();
    let default = folder.render("a.png", "-t 0.5");
    for on in ["--physics", "--physics on", "--physics=on"] {
        assert!(folder.render("a.png", &format!("-t 0.5 {on}")) == default, "{on}");
    }
    let still = folder.render("a.png", "-t 0.5 --physics off");
    assert!(still != default && still == folder.render("a.png", "--physics=off -t 0.5"));
    // Without physics, a time after the end of a loop is clamped.
    let late = |arguments: &str| {
        let output = folder.run(&format!("{LAMP} -a idle -o a.png -t 9 {arguments}"));
        String::from_utf8_lossy(&output.stderr).contains("time-outside")
    };
    assert!(!late("") && late("--physics off"));
}

#[test]
fn wind_and_gravity_are_those_of_a_file_that_contains_them() {
    let folder = Folder::new();
    let document = fs::read_to_string(LAMP).expect("a file");
    for name in ["paper-lamp-4.2.atlas", "paper-lamp-4.2.png", "paper-lamp.png"] {
        fs::copy(Path::new(LAMP).with_file_name(name), folder.path(name)).expect("a copy");
    }
    let of = |name: &str, settings: &str, arguments: &str| {
        let changed = document.replace("\"windGlobal\"", &format!("{settings}, \"windGlobal\""));
        assert!(changed != document);
        fs::write(folder.path("paper-lamp-4.2.json"), changed).expect("a file");
        let output = folder.run(&format!("paper-lamp-4.2.json -a hop -o {name} -t 0.7 {arguments}"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(folder.path(name)).expect("a picture")
    };
    let plain = of("a.png", r#""wind": 40, "gravity": 30"#, "");
    for (same, arguments) in [
        (r#""wind": 80, "gravity": 30"#, "--wind 2,0"),
        (r#""wind": -40, "gravity": 30"#, "--wind=-1,0"),
        (r#""wind": 40, "gravity": -30"#, "--gravity 1"),
        (r#""wind": 40, "gravity": 30, "mix": 0.5"#, "--physics-mix 0.5"),
        (r#""wind": 80, "gravity": 30"#, "--scene windy.toml"),
    ] {
        fs::write(folder.path("windy.toml"), "wind = \"2,0\"").expect("a file");
        let found = of("a.png", r#""wind": 40, "gravity": 30"#, arguments);
        assert!(found == of("a.png", same, "") && found != plain, "{arguments}");
    }
    let refused = |arguments: &str| {
        let output = folder.run(&format!("{LAMP} -o a.png {arguments}"));
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, message) = refused("--wind 3,0 --physics=off");
    assert!(code == Some(2) && message.contains("no effect with --physics=off"), "{message}");
    let (code, message) = refused("--wind 3");
    assert!(code == Some(2) && message.contains("3,0"), "{message}");
    let skelform = crate::common::root().join("tests/fixtures/conformance/skelform/samples/synth-physics.skf");
    let output = folder.run(&format!("{} -o a.png --physics --gravity 0", skelform.display()));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.contains("has no wind or gravity (only Spine has them), so --gravity has no effect"),
        "{message}"
    );
}

#[test]
fn a_word_after_the_option_is_a_file_unless_it_is_on_or_off() {
    let folder = Folder::new();
    for name in ["on.json", "off"] {
        fs::copy(LAMP, folder.path(name)).expect("a file that can be written");
    }
    for extension in ["atlas", "png"] {
        let file = Path::new(LAMP).with_extension(extension);
        fs::copy(&file, folder.path(file.file_name().unwrap().to_str().unwrap())).expect("a copy");
    }
    let of = |arguments: &str| {
        let output = folder.run(&format!("--json {arguments}"));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (output.status.code(), json["renders"].as_array().map(Vec::len))
    };
    assert_eq!(of("--physics on.json"), (Some(0), Some(1)));
    assert_eq!(of("--physics off on.json"), (Some(0), Some(1)));
    assert_eq!(of("on.json --physics off"), (Some(0), Some(1)));
    assert_eq!(of("--physics ./off"), (Some(0), Some(1)));
    assert_eq!(of("--physics -- off"), (Some(0), Some(1)));
    let refused = folder.run("on.json -o a.png --physics=maybe");
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(message.contains("maybe") && message.contains("on, off"), "{message}");
}

#[test]
fn a_picture_does_not_depend_on_the_other_pictures_or_the_rate() {
    let folder = Folder::new();
    folder.render("all-{frame}.png", "-f 0..31 --jobs 1");
    let all: Vec<Vec<u8>> =
        (0..31).map(|frame| fs::read(folder.path(&format!("all-{frame}.png"))).expect("a picture")).collect();
    folder.render("many-{frame}.png", "-f 0..31 --jobs 4");
    for (frame, expected) in all.iter().enumerate() {
        assert!(fs::read(folder.path(&format!("many-{frame}.png"))).expect("a picture") == *expected, "{frame}");
    }
    assert!(folder.render("a.png", "-f 30") == all[30]);
    for same in ["-t 0.5", "-f 12", "-f 6 --fps 12", "-f 15 --fps 30", "-f 30 --fps 60", "-f 12 --interpolate"] {
        assert!(folder.render("a.png", same) == all[12], "{same}");
    }
    folder.render("list-{frame}.png", "-f 20,3,12 --jobs 1");
    for frame in [20, 3, 12] {
        let listed = fs::read(folder.path(&format!("list-{frame}.png"))).expect("a picture");
        assert!(listed == all[frame], "{frame}");
    }
    folder.render("still-{frame}.png", "-f 0..31 --physics off");
    let is_still =
        |frame: &usize| fs::read(folder.path(&format!("still-{frame}.png"))).expect("a picture") == all[*frame];
    assert!((0..31).filter(is_still).count() < 8, "the cord swings");
    for name in ["a.apng", "a.webp"] {
        let one = folder.render(name, "--jobs 1");
        assert!(one == folder.render(name, "--jobs 4") && one != folder.render(name, "--physics off"), "{name}");
    }
}

#[test]
fn converted_frames_contain_physics() {
    let folder = Folder::new();
    let baked = folder.path("lamp.pchr");
    let mut command = Command::new(crate::common::program::pchr_path());
    let output = command.args(["convert", LAMP, "-o"]).arg(&baked).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (source, baked) = (open(Path::new(LAMP)), open(&baked));
    let (mut lag, mut off) = (0.0_f32, 0.0_f32);
    for frame in 0..baked.model().animation(baked.model().find_animation("idle").unwrap()).frame_count() {
        let cord = |of: &pchr::Character, swings: bool| {
            let animation = of.model().find_animation("idle");
            // Physics of a loop is stored as one sees it after some passes.
            let passed =
                if swings { 5.0 * of.model().animation(animation.unwrap()).duration_secs() + 1e-6 } else { 0.0 };
            let fps = baked.model().animation(baked.model().find_animation("idle").unwrap()).fps();
            let position = pchr::motion::Position::Seconds(passed + f64::from(frame) / fps);
            let cue = pchr::motion::Cue { animation, position, ..pchr::motion::Cue::default() };
            let dynamics = swings.then(pchr::motion::Dynamics::default);
            let mut pose = pchr::pose::Pose::default();
            pchr::motion::Evaluator::with_dynamics(dynamics).evaluate(of, &cue, &mut pose);
            let bone = of.model().skeleton().find("cord").expect("the cord").index();
            pose.world_from_bone[bone].transform_vector2(pchr::math::vec2(40.0, 0.0))
        };
        let (swung, still, stored) = (cord(&source, true), cord(&source, false), cord(&baked, false));
        lag = lag.max(swung.distance(still));
        off = off.max(swung.distance(stored));
    }
    assert!(lag > 1.0 && off < 0.05, "{lag} px of physics, off by {off} px");
}

fn open(path: &Path) -> pchr::Character {
    pchr::Character::open(path).expect("a valid character")
}
