//! The example `crowd` without a window, and its picture in the README.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::gpu::gpu_or_skip;

const LAMP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-lamp.json");

fn crowd(arguments: &[&str], folder: &Path) -> Output {
    let programs = Path::new(crate::common::program::view_path()).parent().expect("a folder");
    let program = programs.join("examples/crowd");
    assert!(program.is_file(), "{} is not built: run `cargo build --release --examples`", program.display());
    Command::new(program).args(arguments).current_dir(folder).output().expect("the example starts")
}

/// The frames of an APNG that repeats forever, as RGB.
fn frames(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().expect("a PNG");
    assert_eq!((reader.info().width, reader.info().height), (640, 300));
    let animation = *reader.info().animation_control().expect("an animation");
    assert_eq!(animation.num_plays, 0);
    let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
    let mut frame = || {
        reader.next_frame(&mut pixels).expect("a whole frame");
        pixels.clone()
    };
    (0..animation.num_frames).map(|_| frame()).collect()
}

/// The mean difference of two frames.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    let total: u64 = a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    total as f64 / a.len() as f64
}

/// Checks that something moves in every frame, and that it moves from the last one to the first one as it does from
/// each to the next.
fn expect_a_loop(frames: &[Vec<u8>]) {
    let steps: Vec<f64> = frames.windows(2).map(|pair| difference(&pair[0], &pair[1])).collect();
    let (least, most) = steps.iter().fold((f64::MAX, 0.0_f64), |(a, b), &step| (a.min(step), b.max(step)));
    let seam = difference(&frames[frames.len() - 1], &frames[0]);
    assert!(least > 0.5, "{steps:?}");
    // Steps differ a little, because feet move at different speeds.
    assert!((0.9 * least..1.1 * most).contains(&seam), "{seam} after {steps:?}");
}

#[test]
fn knights_march_in_a_loop() {
    if gpu_or_skip().is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Long enough for some to leave the march and come back.
    for (count, frames_of_loop) in ["20", "6"].iter().zip([8, 72]) {
        let frame_count = frames_of_loop.to_string();
        let output = crowd(&["--count", count, "--frames", &frame_count, "-o", "out.png"], folder.path());
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{stderr}");
        assert!(stdout.contains(&format!("{count} members")) && stdout.contains("1 draw call,"), "{stdout}");
        let found = frames(&folder.path().join("out.png"));
        assert_eq!(found.len(), frames_of_loop);
        expect_a_loop(&found);
    }
}

#[test]
fn keys_are_baked_and_losses_printed() {
    if gpu_or_skip().is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = crowd(&[LAMP, "--count", "9", "--frames", "12", "-o", "out.apng"], folder.path());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.contains("baked at 30 frames per second") && stderr.contains("attachments/ray"), "{stderr}");
    assert_eq!(frames(&folder.path().join("out.apng")).len(), 12);
}

#[test]
fn mistakes_are_explained() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-lamp.atlas");
    for (arguments, message) in [
        (&["--bogus"][..], "unknown option `--bogus`\nusage: crowd "),
        (&["a", "b"], "more than one FILE: `b`\nusage: crowd "),
        (&["-o"], "-o needs a value\nusage: crowd "),
        (&["--count", "0"], "--count takes a number from 1 to 10000000, not `0`"),
        (&["--frames", "many"], "--frames takes a number from 1 to 1000, not `many`"),
        (&["-o", "out.gif"], "out.gif: the name has to end in .png or .apng"),
        (&["none.pchr"], "none.pchr: "),
        (&[page], "a crowd cannot show this character: it is a sequence of pictures"),
    ] {
        let output = crowd(arguments, folder.path());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with(&format!("error: {message}")), "{arguments:?}: {stderr}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn the_picture_in_the_readme_is_a_small_loop() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/crowd.png");
    assert!(fs::metadata(&path).expect("docs/crowd.png").len() < 1_500_000);
    expect_a_loop(&frames(&path));
}
