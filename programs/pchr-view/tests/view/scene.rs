//! `pchr-view --track`, `--bone`, `--attach` and `--scene FILE`: what they show, precedence, names and errors.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::common::program::{folder, stderr, view};

/// A folder with the lamp.
struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        let folder = folder();
        for name in ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"] {
            let asset = format!("{}/../../assets/{name}", env!("CARGO_MANIFEST_DIR"));
            fs::copy(asset, folder.path().join(name)).expect("the lamp can be copied");
        }
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Renders the lamp and returns the picture.
    #[track_caller]
    fn picture(&self, args: &[&str]) -> Vec<u8> {
        let usual = ["paper-lamp.json", "-s", "x120", "--physics=off", "--force", "-o", "out.png"];
        let output = view(self.path(), &[&usual[..], args].concat());
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        fs::read(self.path().join("out.png")).expect("the picture")
    }

    /// Expects this exit code and returns stderr.
    #[track_caller]
    fn fail(&self, code: i32, args: &[&str]) -> String {
        let output = view(self.path(), &[&["paper-lamp.json"], args].concat());
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
        stderr(&output)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).expect("can be written");
    }
}

#[test]
fn a_track_shows_what_it_would_show_alone() {
    let bench = Bench::new();
    let area = ["--fit", "-200,-50,400,450"];
    let picture = |args: &[&str]| bench.picture(&[&area, args].concat());
    let hop = picture(&["-a", "hop", "-f", "6"]);
    let idle = picture(&["-a", "idle", "-f", "6"]);
    assert_ne!(hop, idle);
    // With its whole weight it replaces what is below, in either way.
    assert_eq!(picture(&["-a", "idle", "-f", "6", "--track", "1=hop"]), hop);
    assert_eq!(picture(&["-a", "idle", "-f", "6", "--track", "0=hop@0"]), hop);
    assert_eq!(picture(&["-a", "idle", "-f", "6", "--track", "1=hop,weight=0"]), idle);
    // It has not begun, or has ended.
    assert_eq!(picture(&["-a", "idle", "-f", "6", "--track", "1=hop@5"]), idle);
    assert_eq!(picture(&["-a", "idle", "-f", "6", "--track", "1=hop@-1", "--track", "1=@0"]), idle);
    let mix = picture(&["-a", "idle", "-f", "6", "--track", "1=hop,weight=0.5"]);
    assert!(mix != hop && mix != idle);
    // A position is the same as an earlier begin.
    let earlier = picture(&["-a", "idle", "-f", "0", "--track", "1=hop@-0.2"]);
    assert_eq!(picture(&["-a", "idle", "-f", "0", "--track", "1=hop,from=0.2"]), earlier);
    let fading = picture(&["-a", "idle", "-f", "6", "--track", "0=hop@0.1,fade=0.4"]);
    assert!(fading != hop && fading != idle && fading != mix);
}

#[test]
fn settings_change_how_a_track_plays() {
    let bench = Bench::new();
    let picture = |tracks: &[&str]| {
        let tracks = tracks.iter().flat_map(|track| ["--track", track]);
        let args = ["--fit", "-200,-50,400,450", "-a", "idle", "-f", "6"];
        bench.picture(&args.into_iter().chain(tracks).collect::<Vec<_>>())
    };
    let still = picture(&["1=hop,from=0.2,speed=0"]);
    assert_eq!(picture(&["1=hop,range=0.2..0.2"]), still);
    // `hop` takes 0.9 s, and the picture shows the pose after 0.25 s.
    assert_eq!(picture(&["1=hop,reverse"]), picture(&["1=hop,from=0.65,speed=0"]));
}

#[test]
fn a_picture_does_not_depend_on_the_others() {
    let bench = Bench::new();
    let mix = ["-a", "idle", "--track", "0=hop@0.1,fade=0.3", "--track", "2=idle,weight=0.3"];
    let alone = bench.picture(&[&mix[..], &["-f", "9"]].concat());
    let usual = ["paper-lamp.json", "-s", "x120", "--physics=off", "-o", "all/{frame}.png"];
    let output = view(bench.path(), &[&usual[..], &mix, &["-f", "0..12"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(fs::read(bench.path().join("all/9.png")).expect("a picture"), alone);
    assert_ne!(fs::read(bench.path().join("all/2.png")).expect("a picture"), alone);
}

#[test]
fn bones_and_slots_are_set() {
    let bench = Bench::new();
    let usual = ["-a", "idle", "-f", "0", "--fit", "-200,-50,400,450"];
    let plain = bench.picture(&usual);
    let mut before = vec![plain];
    for args in [
        &["--bone", "mouse=90,260"][..],
        &["--bone", "base=20deg"],
        &["--bone", "base=20deg", "--bone", "mouse=-150,40"],
        &["--attach", "bulb="],
    ] {
        let picture = bench.picture(&[&usual[..], args].concat());
        assert!(!before.contains(&picture), "{args:?}");
        before.push(picture);
    }
}

#[test]
fn a_scene_is_the_same_as_its_options_which_override_it() {
    let bench = Bench::new();
    bench.write(
        "scene.toml",
        "animation = \"idle\"\nframes = 4\ntrack = [\"1=hop@0.1,weight=0.5\"]\nbone = \"mouse=90,260\"\n\
         background = \"#336699\"\nfit-whole = true\n",
    );
    let same = ["-a", "idle", "-f", "4", "--track", "1=hop@0.1,weight=0.5", "--bone", "mouse=90,260"];
    let same = [&same[..], &["-b", "#336699", "--fit-whole"]].concat();
    let expected = bench.picture(&same);
    assert_eq!(bench.picture(&["--scene", "scene.toml"]), expected);
    let changed = bench.picture(&["--scene", "scene.toml", "-b", "red"]);
    assert!(
        changed != expected && changed == bench.picture(&[&same[..8], &["-b", "red", "--fit-whole"]].concat())
    );
    // A configuration may name it, and overrides it.
    fs::create_dir(bench.path().join("conf")).expect("a folder");
    bench.write("conf/ci.toml", "scene = \"../scene.toml\"\nbackground = \"red\"\n");
    assert_eq!(bench.picture(&["--config", "conf/ci.toml"]), changed);
}

#[test]
fn errors_name_the_line_and_what_there_is() {
    let bench = Bench::new();
    for (text, line, expected) in [
        (
            "animation = \"idle\"\ntrack = [\n  \"1=hop\",\n  \"2=hopp\",\n]",
            4,
            "no animation `hopp`; did you mean `hop`",
        ),
        ("bone = \"mose=1,2\"", 1, "no bone `mose`; did you mean `mouse`"),
        ("\nskin = [\"bleu\"]", 2, "no skin `bleu`"),
        ("hide-mesh = [\"bulb\", \"blub\"]", 1, "matches `blub`"),
        ("attach = \"bulb=sun\"", 1, "the slot `bulb` has no attachment `sun`"),
        ("attach = \"blub=\"", 1, "no slot `blub`; did you mean `bulb`"),
        ("size = 64\ntracks = \"1=hop\"", 2, "unknown key `tracks`"),
        ("size = 64\noutput = \"a.png\"", 2, "`output` cannot be set in this file"),
        ("track = \"hop\"", 1, "expected N=ANIMATION"),
        ("track = 3.5", 1, "expected N=ANIMATION"),
        ("bone = \"mouse=1\"", 1, "expected NAME=X,Y"),
        ("a = [", 1, "invalid TOML"),
    ] {
        bench.write("scene.toml", text);
        let error = bench.fail(3, &["--scene", "scene.toml", "-o", "out.png"]);
        assert!(error.contains("scene.toml") && error.contains(&format!("line {line}, ")), "{text:?}: {error}");
        assert!(error.contains(expected), "{text:?}: {error}");
        assert!(!bench.path().join("out.png").exists());
    }
    for args in [&["--track", "1=hopp"][..], &["--bone", "mose=1,2"], &["--attach", "blub="]] {
        let error = bench.fail(2, &[args, &["-o", "out.png"]].concat());
        assert!(error.contains("did you mean"), "{error}");
    }
    assert!(bench.fail(2, &["--scene", "-", "-o", "out.png"]).contains("standard input"));
}
