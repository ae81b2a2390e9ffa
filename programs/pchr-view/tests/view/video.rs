//! MP4, WebM and MOV by ffmpeg: what its own decoder finds in them, and everything that can go wrong.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::v1::{Animation, BoneTransform, write};
use crate::common::viewer_bench::Bench;
use crate::common::{names_in, say, tiny};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Returns true if ffmpeg is there; says that a test is skipped otherwise.
fn has_ffmpeg() -> bool {
    let is_there = Command::new("ffmpeg").arg("-version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        assert_ne!(std::env::var("PCHR_TEST_FFMPEG").as_deref(), Ok("require"), "ffmpeg is not installed");
        say("SKIPPED: ffmpeg is not installed");
    }
    is_there
}

/// What ffmpeg finds in a video.
struct Decoded {
    /// RGBA, of each frame.
    frames: Vec<Vec<u8>>,
    /// Tags and sizes, as `key=value` lines.
    stream: String,
}

fn decoded(path: &Path) -> Decoded {
    let file = |path: &Path| {
        let mut named = OsString::from("file:");
        named.push(path);
        named
    };
    let mut probe = Command::new("ffprobe");
    let probe =
        probe.args(["-v", "error", "-show_streams", "-count_frames"]).arg(file(path)).output().expect("ffprobe");
    let stream = String::from_utf8_lossy(&probe.stdout).into_owned();
    let mut decode = Command::new("ffmpeg");
    decode.args(["-nostdin", "-v", "error"]);
    if path.extension().is_some_and(|extension| extension == "webm") {
        // The default decoder ignores alpha.
        decode.args(["-c:v", "libvpx-vp9"]);
    }
    decode.arg("-i").arg(file(path));
    // The matrix and the range as tagged.
    decode.args([
        "-vf",
        "scale=flags=accurate_rnd+full_chroma_int:out_range=full,format=rgba",
        "-f",
        "rawvideo",
        "-",
    ]);
    let output = decode.output().expect("ffmpeg");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let side = |key: &str| {
        let line = stream.lines().find_map(|line| line.strip_prefix(key)).expect("a size");
        line.parse::<usize>().expect("a number")
    };
    let bytes = side("width=") * side("height=") * 4;
    Decoded { frames: output.stdout.chunks(bytes).map(<[u8]>::to_vec).collect(), stream }
}

/// Size of the pictures: odd, so that they are padded.
const SIZE: [usize; 2] = [61, 81];

/// Returns the same frames as RGBA.
fn pictures(bench: &Bench, args: &str) -> Vec<Vec<u8>> {
    let [width, height] = SIZE;
    let raw = bench.run(&format!("{args} -s {width}x{height} -o - --format raw"), 0).stdout;
    raw.chunks(width * height * 4).map(<[u8]>::to_vec).collect()
}

/// Calls `visit` with each pixel of a picture and of a decoded frame, which is padded to even sides.
fn pairs(picture: &[u8], decoded: &[u8], mut visit: impl FnMut(&[u8], &[u8])) {
    let [width, height] = SIZE;
    for (y, row) in picture.chunks(width * 4).enumerate() {
        for (x, pixel) in row.chunks(4).enumerate() {
            let at = (y * (width + 1) + x) * 4;
            visit(pixel, &decoded[at..at + 4]);
        }
    }
    assert_eq!(decoded.len(), (width + 1) * (height + 1) * 4);
}

/// Temporary files in this folder, too, so that leftovers are seen.
fn run_with(bench: &Bench, args: &[&str], path: Option<&str>) -> Output {
    let mut command = bench.command("");
    command.args(args).env("TMPDIR", bench.path(""));
    if let Some(path) = path {
        command.env("PATH", path);
    }
    command.output().expect("the program runs")
}

#[track_caller]
fn fine(bench: &Bench, args: &[&str]) {
    let output = run_with(bench, args, None);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Writes a program named ffmpeg and returns the PATH with it.
fn fake(bench: &Bench, script: &str) -> String {
    let folder = bench.path("bin");
    fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join("ffmpeg");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("can be written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("ours");
    format!("{}:/usr/bin:/bin", folder.display())
}

#[test]
fn videos_have_the_colours_and_the_alpha_of_the_pictures() {
    if !has_ffmpeg() {
        return;
    }
    let bench = Bench::new();
    let subject = "knight.pchr -a walk -f 0..5";
    let transparent = pictures(&bench, subject);
    let on_red = pictures(&bench, &format!("{subject} -b #c04020"));
    let on_white = pictures(&bench, &format!("{subject} -b white"));
    let size = format!("{}x{}", SIZE[0], SIZE[1]);
    for (name, background, expected) in [
        ("red.mp4", "#c04020", &on_red),
        ("white.mp4", "transparent", &on_white),
        ("alpha.webm", "transparent", &transparent),
        ("red.webm", "#c04020", &on_red),
        ("alpha.mov", "transparent", &transparent),
    ] {
        fine(&bench, &["knight.pchr", "-a", "walk", "-f", "0..5", "-s", &size, "-b", background, "-o", name]);
        let Decoded { frames, stream } = decoded(&bench.path(name));
        for tag in ["width=62", "height=82", "r_frame_rate=24/1", "nb_read_frames=5", "color_range=tv"] {
            assert!(stream.lines().any(|line| line == tag), "{name}: {tag} in\n{stream}");
        }
        for key in ["color_space", "color_transfer", "color_primaries"] {
            assert!(stream.contains(&format!("{key}=bt709")), "{name}: {key} in\n{stream}");
        }
        assert_eq!(frames.len(), expected.len(), "{name}");
        let (mut off, mut opaque, mut worst_alpha, mut soft) = (0_u64, 0_u64, 0, 0);
        for (picture, frame) in expected.iter().zip(&frames) {
            pairs(picture, frame, |expected, found| {
                worst_alpha = worst_alpha.max(expected[3].abs_diff(found[3]));
                soft += usize::from((1..255).contains(&expected[3]));
                if expected[3] == 255 {
                    opaque += 3;
                    off += (0..3).map(|at| u64::from(expected[at].abs_diff(found[at]))).sum::<u64>();
                }
            });
            // A wrong matrix or range would be off by ten or more.
            let flat = [(&expected[0][..4], &frame[..4]), (&expected[0][..4], &frame[frame.len() - 4..])];
            for (expected, found) in flat.iter().filter(|(expected, _)| expected[3] == 255) {
                let near = expected.iter().zip(*found).all(|(a, b)| a.abs_diff(*b) <= 3);
                assert!(near, "{name}: the background and the padding are {expected:?}, found {found:?}");
            }
            if name.starts_with("alpha") {
                assert_eq!(frame[3], 0, "{name}");
                assert_eq!(frame[frame.len() - 1], 0, "{name}: the padding");
            }
        }
        // Chroma of half the resolution blurs the edges of these small pictures; ProRes has all of it.
        let average = off as f64 / opaque as f64;
        say(&format!("{name}: colours are off by {average:.2} on average, alpha by {worst_alpha} at worst"));
        let (colour, alpha) = if name.ends_with("mov") { (1.5, 2) } else { (10.0, 16) };
        assert!(average <= colour && worst_alpha <= alpha, "{name}: {average} {worst_alpha}");
        assert!(opaque > 1000 && (soft > 100 || !name.starts_with("alpha")), "{name}: {opaque} {soft}");
    }
}

#[test]
fn edges_keep_their_colour() {
    if !has_ffmpeg() {
        return;
    }
    let bench = Bench::new();
    // A red square whose edges are between the samples of chroma.
    let is_red = |at: usize| (1..8).contains(&(at % 9)) && (1..8).contains(&(at / 9));
    let pixels: Vec<u8> = (0..81).flat_map(|at| if is_red(at) { [255, 0, 0, 255] } else { [0; 4] }).collect();
    let png = pchr::formats::image::encode_png(9, 9, &pixels).expect("a PNG");
    fs::write(bench.path("red.png"), png).expect("can be written");
    fine(&bench, &["red.png", "--grid", "9x9", "-s", "9x9", "-o", "red.webm"]);
    let frame = decoded(&bench.path("red.webm")).frames.remove(0);
    for at in (0..81).filter(|at| is_red(*at)) {
        let found = &frame[(at / 9 * 10 + at % 9) * 4..][..4];
        // 179 and 21 if the transparent pixels beside it are black.
        assert!(found[0] >= 215 && found[1] <= 12 && found[2] <= 12 && found[3] >= 250, "{at}: {found:?}");
    }
}

#[test]
fn a_video_contains_every_play_and_can_have_any_name() {
    if !has_ffmpeg() {
        return;
    }
    let bench = Bench::new();
    let subject = ["knight.pchr", "-a", "walk", "-f", "0..3", "-s", "8"];
    for name in ["it's a \"walk\": $x & `y`.mp4", "-dash.mp4", "%d file:x.webm", "ü;|.MOV"] {
        fine(&bench, &[&subject[..], &["--loops", "3", "-o", name]].concat());
        let frames = decoded(&bench.path(name).with_extension(name.rsplit('.').next().expect("one"))).frames;
        assert_eq!(frames.len(), 9, "{name}");
    }
    let before = names_in(&bench.path(""));
    assert_eq!(before.len(), 5, "{before:?}");
    // An existing file stays, unless --force is given.
    let refused = run_with(&bench, &[&subject[..], &["-o", "-dash.mp4"]].concat(), None);
    assert_eq!(refused.status.code(), Some(5));
    fine(&bench, &[&subject[..], &["-o", "-dash.mp4", "--force"]].concat());
    assert_eq!(decoded(&bench.path("-dash.mp4")).frames.len(), 3);
    let endless = run_with(&bench, &[&subject[..], &["--loops", "0", "-o", "b.mp4"]].concat(), None);
    let message = String::from_utf8_lossy(&endless.stderr).into_owned();
    assert!(endless.status.code() == Some(2) && message.contains("cannot play forever"), "{message}");
    let printed = run_with(&bench, &[&subject[..], &["-o", "-", "--format", "webm"]].concat(), None);
    assert!(printed.status.success() && printed.stdout.starts_with(&[0x1a, 0x45, 0xdf, 0xa3]));
    assert_eq!(names_in(&bench.path("")), before);
}

#[test]
fn an_animation_without_duration_is_one_frame() {
    if !has_ffmpeg() {
        return;
    }
    let bench = Bench::new();
    let frame = vec![BoneTransform { flags: 1, ..BoneTransform::default() }; 2];
    let file = crate::common::v1::File { animations: vec![Animation::new("one", true, &[frame])], ..tiny() };
    fs::write(bench.path("tiny.pchr"), write(&file).expect("a valid file")).expect("can be written");
    fine(&bench, &["tiny.pchr", "-s", "5", "-o", "one.mp4"]);
    assert_eq!(decoded(&bench.path("one.mp4")).frames.len(), 1);
}

#[test]
fn an_ffmpeg_that_is_missing_or_fails_leaves_nothing() {
    let bench = Bench::new();
    fs::create_dir(bench.path("empty")).expect("a folder");
    let empty = bench.path("empty").display().to_string();
    let grumpy = fake(&bench, "cat >/dev/null; echo first >&2; echo 'no space left' >&2; exit 1");
    let before = names_in(&bench.path(""));
    let fails = |path: &str, parts: &[&str]| {
        for name in ["a.mp4", "new/b.webm", "c.mov"] {
            let output = run_with(&bench, &["knight.pchr", "-a", "walk", "-s", "40", "-o", name], Some(path));
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(5), "{message}");
            assert!(parts.iter().all(|part| message.contains(part)) && message.contains(name), "{message}");
            assert_eq!(names_in(&bench.path("")), before, "{name}");
        }
    };
    fails(&empty, &["this format needs ffmpeg, which is not on the PATH; install it: "]);
    fails(&grumpy, &["ffmpeg failed (exit status: 1): first; no space left"]);
    // It ends before it has read everything.
    fake(&bench, "echo 'bad option' >&2; exit 3");
    fails(&grumpy, &["ffmpeg failed (exit status: 3): bad option"]);
    fake(&bench, "cat >/dev/null; echo \"[x] Unknown encoder 'libx264'\" >&2; exit 8");
    fails(&grumpy, &["this ffmpeg has no encoder `libx264`; install a complete one: "]);
    fake(&bench, "cat >/dev/null");
    fails(&grumpy, &["ffmpeg has written nothing"]);
}

#[test]
fn a_program_that_ffmpeg_leaves_behind_is_not_waited_for() {
    let bench = Bench::new();
    let pid = bench.path("bin/pid");
    // It keeps the messages open.
    let script = format!("cat >/dev/null; sleep 1000 & echo $! > '{}'; exit 1", pid.display());
    let path = fake(&bench, &script);
    let output = run_with(&bench, &["knight.pchr", "-a", "walk", "-s", "40", "-o", "a.mp4"], Some(&path));
    let left = Pid::from_raw(fs::read_to_string(&pid).expect("it has started").trim().parse().expect("a number"));
    assert!(kill(left, Signal::SIGKILL).is_ok(), "it still runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("ffmpeg failed (exit status: 1)"), "{message}");
}

#[test]
fn an_interrupted_run_ends_ffmpeg_and_leaves_nothing() {
    let bench = Bench::new();
    // It reads nothing, so that the program waits for it.
    let path = fake(&bench, &format!("echo $$ > '{}'; exec sleep 100", bench.path("bin/pid").display()));
    let before = names_in(&bench.path(""));
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let _ = fs::remove_file(bench.path("bin/pid"));
        let mut command = bench.command("knight.pchr -a walk -s 400 -o new/a.mp4");
        command.env("PATH", &path).env("TMPDIR", bench.path("")).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program runs");
        let start = Instant::now();
        let ffmpeg = loop {
            let pid = fs::read_to_string(bench.path("bin/pid")).unwrap_or_default();
            if let Ok(pid) = pid.trim().parse::<i32>() {
                break Pid::from_raw(pid);
            }
            assert!(start.elapsed() < Duration::from_secs(60), "ffmpeg was not started");
            thread::sleep(Duration::from_millis(5));
        };
        thread::sleep(Duration::from_millis(50));
        kill(Pid::from_raw(child.id().cast_signed()), signal).expect("it runs");
        assert_eq!(child.wait().expect("ends").code(), Some(130));
        assert!(kill(ffmpeg, None).is_err(), "ffmpeg still runs");
        assert_eq!(names_in(&bench.path("")), before);
    }
}
