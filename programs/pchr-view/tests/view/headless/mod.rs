//! `pchr-view` without a window, through the binary: files, names, exit codes, messages.

mod batch;
mod many;
mod usage;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common;
use serde_json::Value;
use tempfile::TempDir;

/// A folder to run in, with the knight and a tiny character.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let knight = crate::common::root().join("assets/paper-knight.pchr");
        fs::copy(knight, folder.path().join("knight.pchr")).expect("the knight can be copied");
        let tiny = crate::common::v1::write(&common::tiny()).expect("a valid file");
        fs::write(folder.path().join("tiny.pchr"), tiny).expect("can be written");
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a command line with the CPU renderer, so that the result does not depend on a driver.
    fn run(&self, args: &str) -> Ran {
        self.run_with(args, |_| {})
    }

    fn run_with(&self, args: &str, adjust: impl FnOnce(&mut Command)) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        command
            .current_dir(self.path())
            .args(args.split_whitespace())
            .args(["--backend", "cpu"])
            .env_remove("CI")
            .stdin(Stdio::null());
        adjust(&mut command);
        Ran { args: args.to_owned(), output: command.output().expect("the program runs") }
    }

    /// Returns all files in the folder, sorted, without the initial ones.
    fn written(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
                if entry.is_dir() {
                    folders.push(entry);
                } else {
                    let name = entry.strip_prefix(self.path()).expect("inside").to_string_lossy().into_owned();
                    found.push(name);
                }
            }
        }
        found.retain(|name| !["knight.pchr", "tiny.pchr"].contains(&name.as_str()));
        found.sort();
        found
    }
}

struct Ran {
    args: String,
    output: Output,
}

impl Ran {
    fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    #[track_caller]
    fn code(self, expected: i32) -> Self {
        let code = self.output.status.code();
        assert_eq!(code, Some(expected), "pchr-view {}\n{}", self.args, self.stderr());
        self
    }

    #[track_caller]
    fn says(self, part: &str) -> Self {
        assert!(self.stderr().contains(part), "pchr-view {}\n{}", self.args, self.stderr());
        self
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.output.stdout).expect("JSON on stdout")
    }
}

/// Decodes a PNG to width, height and straight RGBA.
fn decode(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
    reader.next_frame(&mut pixels).expect("a whole PNG");
    (reader.info().width, reader.info().height, pixels)
}

#[test]
fn all_frames_have_pictures_of_the_same_size() {
    let bench = Bench::new();
    let ran = bench.run("knight.pchr -a walk -f all -o out/walk-{frame:03}.png --json").code(0);
    let character = pchr::Character::open(bench.path().join("knight.pchr")).expect("the knight opens");
    let walk = character.model().find_animation("walk").expect("it walks");
    let count = character.model().animation(walk).frame_count();
    let expected: Vec<String> = (0..count).map(|frame| format!("out/walk-{frame:03}.png")).collect();
    assert_eq!(bench.written(), expected);
    let json = ran.json();
    let render = &json["renders"][0];
    for name in expected {
        let (width, height, _) = decode(&fs::read(bench.path().join(&name)).expect("written"));
        assert_eq!(
            (render["width"].as_u64(), render["height"].as_u64()),
            (Some(width.into()), Some(height.into()))
        );
    }
    assert_eq!(json["schema"], "pchr.render/1");
    assert_eq!(render["backend"], "cpu");
    assert_eq!(render["frames"].as_array().map(Vec::len), Some(count as usize));
    assert_eq!(render["frames"][3]["file"], "out/walk-003.png");
}

#[test]
fn a_fitted_rectangle_maps_to_pixels_exactly() {
    let bench = Bench::new();
    // The tiny triangle fills the upper left half of 0..10 × 10..20 in white.
    bench.run("tiny.pchr -a bind --fit 0,10,10,10 -o a.png").code(0);
    let (width, height, pixels) = decode(&fs::read(bench.path().join("a.png")).expect("written"));
    assert_eq!((width, height), (10, 10));
    let at = |x: usize, y: usize| &pixels[(y * 10 + x) * 4..][..4];
    assert_eq!((at(0, 0), at(8, 0), at(0, 8)), (&[255; 4][..], &[255; 4][..], &[255; 4][..]));
    assert_eq!((at(9, 9), at(9, 3)), (&[0; 4][..], &[0; 4][..]));
}

#[test]
fn sizes_padding_background_and_alpha() {
    let bench = Bench::new();
    let size = |args: &str| {
        bench.run(&format!("tiny.pchr -a bind --fit 0,10,10,10 -o a.png --force {args}")).code(0);
        let (width, height, pixels) = decode(&fs::read(bench.path().join("a.png")).expect("written"));
        let pixel: [u8; 4] = std::array::from_fn(|i| pixels[i]);
        (width, height, pixel)
    };
    assert_eq!(size("--scale 3 --padding 2 -b #102030"), (34, 34, [16, 32, 48, 255]));
    assert_eq!(size("-s 40x20 -b #10203080 --alpha premultiplied"), (40, 20, [8, 16, 24, 128]));
    assert_eq!(size("-s 64x"), (64, 64, [255; 4]));
    assert_eq!(size("-s x32 --antialias ssaa4"), (32, 32, [255; 4]));
    assert_eq!(size("--padding 50% -b checker:4"), (20, 20, [204, 204, 204, 255]));
    assert_eq!(size("-t 0.02 -s 8 --filter nearest --antialias msaa4").0, 8);
}

#[test]
fn stdout_accepts_one_picture_and_stdin_one_character() {
    let bench = Bench::new();
    let piped = bench.run("knight.pchr -a walk -f 4 -s 64 -o -").code(0);
    bench.run("knight.pchr -a walk -f 4 -s 64 -o file.png").code(0);
    assert_eq!(piped.output.stdout, fs::read(bench.path().join("file.png")).expect("written"));
    bench.run("knight.pchr -a walk -f all -o -").code(2).says("PNGs to stdout, only one");
    bench.run("knight.pchr -o - --json").code(2).says("both write to stdout");

    let stdin = fs::File::open(bench.path().join("knight.pchr")).expect("an existing file");
    let ran = bench.run_with("- -a walk -f 4 -s 64 -o {name}.png", |command| {
        command.stdin(stdin);
    });
    ran.code(0);
    assert_eq!(bench.written(), ["file.png", "stdin.png"]);
}

#[test]
fn overwriting_is_an_error_before_rendering() {
    let bench = Bench::new();
    let several = bench.run("knight.pchr -a walk -f all -o w.png").code(2).says("several pictures");
    several.says("-o 'w-{frame:04}.png'");
    let animations = bench.run("knight.pchr -a all -f 0 -o w.png").code(2).says("several pictures");
    animations.says("-o 'w-{animation}.png'");
    bench.run("knight.pchr tiny.pchr -a #0 -o w.png").code(2).says("-o 'w-{name}.png'");
    bench.run("tiny.pchr tiny.pchr -o w.png").code(2).says("-o 'w-{index:04}.png'");
    assert_eq!(bench.written(), [""; 0]);
    fs::write(bench.path().join("w.png"), "precious").expect("can be written");
    bench.run("knight.pchr -o w.png").code(5).says("--force");
    assert_eq!(fs::read(bench.path().join("w.png")).expect("still there"), b"precious");
    bench.run("knight.pchr -o w.png --force").code(0);
    assert_eq!(bench.written(), ["w.png"]);
}

#[test]
fn control_characters_in_names_are_escaped() {
    let bench = Bench::new();
    let mut file = common::tiny();
    file.animations[1].name = "\x1b[31m\nerror: forged\u{202e}".to_owned();
    let bytes = crate::common::v1::write(&file).expect("a valid file");
    fs::write(bench.path().join("evil.pchr"), bytes).expect("can be written");
    let ran = bench.run("evil.pchr -a nothing -o a.png").code(2).says("\\u{1b}[31m\\nerror: forged\\u{202e}");
    assert!(!ran.stderr().contains(['\x1b', '\u{202e}']), "{}", ran.stderr());
}

#[test]
fn warnings_go_to_stderr_and_into_the_json() {
    let bench = Bench::new();
    let mut bytes = fs::read(bench.path().join("tiny.pchr")).expect("an existing file");
    bytes.push(0);
    fs::write(bench.path().join("odd.pchr"), bytes).expect("can be written");
    let ran = bench.run("odd.pchr --json").code(0).says("warning[trailing-bytes]: odd.pchr");
    let warning = &ran.json()["renders"][0]["warnings"][0];
    assert_eq!(warning["code"], "trailing-bytes");
    assert!(ran.stderr().contains(warning["message"].as_str().expect("a message")), "{}", ran.stderr());
    let quiet = bench.run("odd.pchr --json -q").code(0);
    assert_eq!(quiet.stderr(), "");
}

#[test]
fn the_command_says_what_it_has_written() {
    let bench = Bench::new();
    let size = |name: &str| fs::metadata(bench.path().join(name)).expect("a file").len();
    let ran = bench.run("tiny.pchr -f 0 -o one.png").code(0);
    assert_eq!(ran.stderr(), format!("note: wrote one.png: 1 frame, {} bytes\n", size("one.png")));
    let ran = bench.run("tiny.pchr -f 0,1 -o many-{frame}.png").code(0);
    let bytes = size("many-0.png") + size("many-1.png");
    assert_eq!(ran.stderr(), format!("note: wrote many-0.png and 1 other file: 2 frames, {bytes} bytes\n"));
    for args in ["-o one.png --force -q", "-o one.png --force --json", "-o -"] {
        assert_eq!(bench.run(&format!("tiny.pchr -f 0 {args}")).code(0).stderr(), "", "{args}");
    }
}

#[test]
fn blending_over_transparency_is_reported_once() {
    let bench = Bench::new();
    let rig = crate::common::root().join("tests/fixtures/conformance/spine/own/slots-events/slots-events.json");
    for name in ["one.json", "two.json"] {
        fs::copy(&rig, bench.path().join(name)).expect("the rig can be copied");
    }
    let message = |args: &str| {
        let ran =
            bench.run(&format!("one.json two.json -a colors -f 0,1 -o {{name}}-{{index}}.png --force {args}"));
        let stderr = ran.code(0).stderr();
        let lines: Vec<String> =
            stderr.lines().filter(|line| line.contains("blend-on-nothing")).map(str::to_owned).collect();
        lines
    };
    let transparent = message("");
    assert_eq!(transparent.len(), 1, "{transparent:?}");
    assert!(
        transparent[0].contains("one.json") && transparent[0].contains("slot `s1` is additive"),
        "{transparent:?}"
    );
    let light = message("--alpha premultiplied");
    assert!(light.len() == 1 && light[0].contains("slot `s2` is multiplied"), "{light:?}");
    assert_eq!(message("--background white"), [""; 0]);
    assert!(message("-q").is_empty());
}

#[cfg(unix)]
#[test]
fn an_overwritten_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    let path = bench.path().join("a.png");
    fs::write(&path, "secret").expect("can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("changed permissions");
    bench.run("tiny.pchr -o a.png --force").code(0);
    assert_eq!(fs::metadata(&path).expect("written").permissions().mode() & 0o777, 0o600);
}

#[test]
fn json_has_paths_as_they_were_given() {
    let bench = Bench::new();
    let absolute = bench.path().join("knight.pchr").display().to_string();
    for given in ["./knight.pchr", "knight.pchr", &absolute] {
        let json = bench.run(&format!("{given} -a walk -f 0..2 --json")).code(0);
        let summary: Value = serde_json::from_slice(&json.output.stdout).expect("JSON");
        assert_eq!(summary["renders"][0]["file"], given.replace(std::path::MAIN_SEPARATOR, "/"));
        // Paths are not made absolute.
        let text = String::from_utf8_lossy(&json.output.stdout).into_owned();
        assert_eq!(text.contains(&*bench.path().to_string_lossy()), given == absolute, "{text}");
    }
    assert_eq!(bench.written(), [""; 0]);
}

#[test]
fn output_links_are_followed_and_devices_written_directly() {
    if !cfg!(unix) {
        return;
    }
    #[cfg(unix)]
    {
        let bench = Bench::new();
        fs::create_dir(bench.path().join("elsewhere")).expect("a folder");
        std::os::unix::fs::symlink("elsewhere/real.png", bench.path().join("link.png")).expect("a link");
        bench.run("tiny.pchr -o link.png").code(0);
        assert!(bench.path().join("elsewhere/real.png").is_file());
        assert!(bench.path().join("link.png").is_symlink());
        bench.run("tiny.pchr -o /dev/null").code(0);
        assert!(!Path::new("/dev/null").is_file());
    }
}

/// Writes a valid character with a triangle of this height and 1.5 times the width.
fn write_sized(bench: &Bench, name: &str, size: f32) {
    let mut file = common::tiny();
    let half = 0.75 * size;
    let corners = [(-half, 0.0), (-half, size), (half, size)].map(|(x, y)| common::vertex(x, y, 0));
    file.meshes = vec![crate::common::v1::Mesh::new("flag", 0, &corners, &[0, 1, 2])];
    let bytes = crate::common::v1::write(&file).expect("a valid file");
    fs::write(bench.path().join(name), bytes).expect("can be written");
}

#[test]
fn a_picture_too_large_at_native_size_is_an_input_error() {
    let bench = Bench::new();
    for (size, says) in [(1e5, "too large"), (20_000.0, "`pixels`"), (1e36, "too large"), (f32::MAX, "not finite")]
    {
        write_sized(&bench, "large.pchr", size);
        for options in ["", "--scale 2", "--padding 9", "--antialias ssaa4"] {
            let ran = bench.run(&format!("large.pchr {options} -o a.png")).code(3).says("large.pchr");
            assert!(!options.is_empty() || ran.stderr().contains(says), "{}", ran.stderr());
        }
        // An explicit rectangle makes it a usage error.
        bench.run("large.pchr --fit 0,0,99999,99999 -o a.png").code(2).says("too large");
        assert_eq!(bench.written(), ["large.pchr"]);
    }
    write_sized(&bench, "large.pchr", 1e5);
    bench.run("large.pchr -s 64 -o a.png").code(0);
    bench.run("large.pchr -s 64 --padding 50 -o b.png").code(2).says("leaves no room");
    for options in ["--scale 4000", "--scale 2000", "--padding 16000", "-s 40000x1", "-s 32768 --antialias ssaa4"]
    {
        bench.run(&format!("tiny.pchr {options} -o c.png")).code(2).says("error: ");
    }
    bench.run("large.pchr tiny.pchr --keep-going -o {name}.png").code(3).says("large.pchr");
    assert_eq!(bench.written(), ["a.png", "large.pchr", "tiny.png"]);
}

#[test]
fn times_outside_of_an_animation_are_clamped() {
    let bench = Bench::new();
    let lamp = crate::common::root().join("assets");
    for name in ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"] {
        fs::copy(lamp.join(name), bench.path().join(name)).expect("the lamp can be copied");
    }
    let picture = |args: &str| {
        let ran = bench.run(&format!("{args} -s 64 -o a.png --force --json")).code(0);
        let json = ran.json();
        let codes =
            json["renders"][0]["warnings"].as_array().expect("a list").iter().map(|one| one["code"].clone());
        let codes: Vec<Value> = codes.collect();
        let is_warned = codes.contains(&Value::from("time-outside"));
        assert_eq!(is_warned, ran.stderr().contains("warning[time-outside]"), "{args}: {}", ran.stderr());
        let frame = json["renders"][0]["frames"][0].clone();
        (fs::read(bench.path().join("a.png")).expect("written"), frame["frame"].as_u64(), is_warned)
    };
    // A looping one, one that does not loop, and a looping keyed one.
    for (animation, last, end) in [
        ("knight.pchr -a walk", 23, "1"),
        ("knight.pchr -a jump", 53, "2.2084"),
        ("paper-lamp.json -a hop", 21, "0.9"),
    ] {
        let (late, frame, is_warned) = picture(&format!("{animation} -t 1.0e9"));
        assert_eq!((frame, is_warned), (Some(last), true), "{animation}");
        assert_eq!(picture(&format!("{animation} -t 3.3")), (late.clone(), Some(last), true), "{animation}");
        let (early, frame, is_warned) = picture(&format!("{animation} -t -0.5"));
        assert_eq!((frame, is_warned), (Some(0), true), "{animation}");
        assert_eq!(picture(&format!("{animation} -t 0")), (early.clone(), Some(0), false), "{animation}");
        assert!(!picture(&format!("{animation} -t 0.7")).2, "{animation}");
        let says = format!("lasts {}", &end[..end.len().min(5)]);
        bench.run(&format!("{animation} -t 50 --json")).code(0).says(&says);
        assert_eq!(bench.run(&format!("{animation} -t 50 --json -q")).code(0).stderr(), "");
    }
    // The last frame of stored animations.
    for (animation, last) in [("walk", 23), ("jump", 53)] {
        let (late, ..) = picture(&format!("knight.pchr -a {animation} -t 99"));
        assert_eq!(picture(&format!("knight.pchr -a {animation} -f {last}")).0, late, "{animation}");
    }
    // The exact end is valid: a loop restarts there.
    assert_eq!(picture("knight.pchr -a walk -t 1"), (picture("knight.pchr -a walk -t 0").0, Some(0), false));
    // `all` warns about the animations that are too short.
    let ran = bench.run("knight.pchr -a all -t 2.3 --json").code(0);
    assert_eq!(ran.stderr().matches("time-outside").count(), 3, "{}", ran.stderr());
}

/// It draws on the CPU only, and the graphics library would make it a third larger.
#[test]
fn pchr_contains_no_graphics_library() {
    let library = b"wgpu-core";
    let contains =
        |program| fs::read(program).expect("the program").windows(library.len()).any(|part| part == library);
    assert!(contains(env!("CARGO_BIN_EXE_pchr-view")), "the name stands for the library");
    assert!(!contains(common::program::pchr_path()));
}
