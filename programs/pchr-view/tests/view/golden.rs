//! `pchr-view --reference`: every change is found in exactly the frames that show it.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use pchr::formats::image::{decode_png, encode_png, png_size};
use serde_json::Value;

use crate::common::program::fine;
use crate::common::viewer_bench::Bench;

const FRAMES: &str = "knight.pchr -a walk -f all";
const REFERENCES: &str = "--reference refs/{frame:02}.png";
/// A vertex of the first mesh with visible pixels around it.
const INSIDE: usize = 68;

/// Returns the parsed stdout of a comparison.
#[track_caller]
fn compared(bench: &Bench, args: &str, code: i32) -> Value {
    let Output { stdout, .. } = bench.run(&format!("{args} --json"), code);
    serde_json::from_slice(&stdout).expect("JSON")
}

/// Returns the frames with this verdict.
fn frames(comparison: &Value, verdict: &str) -> Vec<u64> {
    let frames = comparison["frames"].as_array().expect("frames").iter();
    frames.filter(|frame| frame["verdict"] == verdict).map(|frame| frame["frame"].as_u64().unwrap()).collect()
}

/// Unpacks the knight, changes it and packs it again.
fn change_knight(bench: &Bench, change: impl FnOnce(&mut Value, &Path)) {
    let folder = bench.path("");
    fine(&folder, &["unpack", "knight.pchr", "-o", "unpacked", "--force"]);
    let path = bench.path("unpacked/knight.json");
    let mut document: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut document, &bench.path("unpacked"));
    fs::write(&path, document.to_string()).unwrap();
    fine(&folder, &["pack", "unpacked/knight.json", "-o", "knight.pchr", "--force"]);
}

/// Returns the instants of one frame of the animation `walk`, by bone.
fn walk_frame(document: &mut Value, frame: usize) -> &mut Vec<Value> {
    document["animations"][2]["frames"][frame].as_array_mut().expect("bones")
}

fn bone(document: &Value, name: &str) -> usize {
    document["bones"].as_array().unwrap().iter().position(|bone| bone["name"] == name).expect("a bone")
}

/// Changes the red of the most frequent opaque colour of a picture by 1.
fn tint(path: &Path) {
    let png = fs::read(path).unwrap();
    let (width, height) = png_size(&png).unwrap();
    let mut pixels = decode_png(&png, Default::default).unwrap();
    let mut counts: HashMap<[u8; 4], usize> = HashMap::new();
    for pixel in pixels.as_chunks::<4>().0.iter().filter(|pixel| pixel[3] == 255) {
        *counts.entry(*pixel).or_default() += 1;
    }
    let (&color, _) = counts.iter().max_by_key(|(color, count)| (**count, **color)).expect("opaque pixels");
    for pixel in pixels.as_chunks_mut::<4>().0.iter_mut().filter(|pixel| **pixel == color) {
        pixel[0] = pixel[0].checked_add(1).unwrap_or(254);
    }
    fs::write(path, encode_png(width, height, &pixels).unwrap()).unwrap();
}

#[test]
fn every_seeded_change_is_found_in_the_frames_that_show_it() {
    type Change = fn(&mut Value, &Path);
    let changes: [(&str, Change, Option<&[u64]>); 5] = [
        (
            "a vertex moved by a pixel",
            |document, _| {
                let x = &mut document["meshes"][0]["vertices"][INSIDE]["x"];
                *x = (x.as_f64().unwrap() + 1.0).into();
            },
            None,
        ),
        (
            "a weight",
            |document, _| {
                let mesh = &mut document["meshes"].as_array_mut().unwrap()[0];
                let mut vertices = mesh["vertices"].as_array_mut().unwrap().iter_mut().skip(INSIDE);
                let weights = vertices.find_map(|vertex| {
                    let weights = vertex["boneWeights"].as_array_mut().unwrap();
                    (weights[0].as_f64().unwrap() < 1.0).then_some(weights)
                });
                let weights = weights.expect("a vertex with several bones");
                let (first, second) = (weights[0].as_f64().unwrap(), weights[1].as_f64().unwrap());
                (weights[0], weights[1]) = ((first + second).into(), 0.0.into());
            },
            None,
        ),
        (
            "an order",
            |document, _| {
                let instants = walk_frame(document, 7);
                let orders: Vec<i64> = instants.iter().map(|bone| bone["zOrder"].as_i64().unwrap()).collect();
                let top = orders.iter().max().unwrap();
                instants.iter_mut().zip(&orders).for_each(|(bone, order)| bone["zOrder"] = (top - order).into());
            },
            Some(&[7]),
        ),
        ("a colour", |document, folder| tint(&folder.join(document["images"][0]["path"].as_str().unwrap())), None),
        (
            "a bone hidden in one frame",
            |document, _| {
                let head = bone(document, "head");
                walk_frame(document, 5)[head]["visible"] = false.into();
            },
            Some(&[5]),
        ),
    ];
    for (what, change, expected) in changes {
        let bench = Bench::new();
        bench.run(&format!("{FRAMES} {REFERENCES} --update --force"), 0);
        let before = bench.pngs(FRAMES);
        change_knight(&bench, change);
        let after = bench.pngs(FRAMES);
        let differing = (0..).zip(before.iter().zip(&after)).filter(|(_, (before, after))| before != after);
        let differing: Vec<u64> = differing.map(|(frame, _)| frame).collect();
        assert!(!differing.is_empty(), "{what} is visible");
        if let Some(expected) = expected {
            assert_eq!(differing, expected, "{what}");
        }
        let comparison = compared(&bench, &format!("{FRAMES} {REFERENCES}"), 1);
        assert_eq!(frames(&comparison, "different"), differing, "{what}");
        assert_eq!(frames(&comparison, "same").len(), 24 - differing.len(), "{what}");
    }
}

#[test]
fn a_missing_reference_is_written_and_the_next_run_is_green() {
    let bench = Bench::new();
    let comparison = compared(&bench, &format!("{FRAMES} -s 64 {REFERENCES}"), 3);
    assert_eq!(comparison["summary"]["missing"], 24);
    assert_eq!(bench.read("refs/05.png"), bench.pngs(&format!("{FRAMES} -s 64"))[5]);
    let comparison = compared(&bench, &format!("{FRAMES} -s 64 {REFERENCES}"), 0);
    assert_eq!(comparison["summary"]["same"], 24);
    // With -o, only there.
    fs::remove_file(bench.path("refs/03.png")).unwrap();
    let args = format!("{FRAMES} -s 64 {REFERENCES} -o new/{{frame:02}}.png");
    assert_eq!(frames(&compared(&bench, &args, 3), "missing"), [3]);
    assert!(bench.is_there("new/03.png") && !bench.is_there("new/04.png") && !bench.is_there("refs/03.png"));
}

#[test]
fn a_reference_of_another_size_stays_and_the_new_picture_is_next_to_it() {
    let bench = Bench::new();
    bench.run("knight.pchr -o ref.png -s 64", 0);
    let before = bench.read("ref.png");
    let output = bench.run("knight.pchr -s 65 --reference ref.png", 3);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("the reference is 64×64, the new picture 65×65"), "{stdout}");
    assert_eq!(bench.read("ref.png"), before);
    assert_eq!([bench.read("ref.now.png")], bench.pngs("knight.pchr -s 65")[..]);
    assert!(!bench.is_there("ref.diff.png"));
    // A green run removes nothing.
    bench.run("knight.pchr -s 64 --reference ref.png", 0);
    assert!(bench.is_there("ref.now.png"));
}

#[test]
fn a_difference_is_counted_located_and_shown() {
    let bench = Bench::new();
    bench.run("knight.pchr -o ref.png -s 64 -b white", 0);
    let args = "knight.pchr -s 64 -b #fffffa --reference ref.png";
    let comparison = compared(&bench, args, 1);
    let difference = &comparison["frames"][0]["difference"];
    assert_eq!(difference["worst"], 5);
    assert!(difference["pixels"].as_u64().unwrap() > 100, "{difference}");
    assert_eq!(difference["rect"], serde_json::json!([0, 0, 64, 64]));
    assert!(bench.is_there("ref.now.png") && bench.is_there("ref.diff.png"));
    let pixels = difference["pixels"].as_u64().unwrap();
    for (allowed, code) in [
        ("--tolerance 5", 0),
        ("--tolerance 4", 1),
        (&*format!("--max-diff-pixels {pixels}"), 0),
        (&*format!("--max-diff-pixels {}", pixels - 1), 1),
        ("--max-diff-pixels 100%", 0),
        ("--max-diff-pixels 0.1%", 1),
    ] {
        bench.run(&format!("{args} {allowed}"), code);
    }
    let args = format!("{args} --diff d/{{frame}}.png -o n/{{frame}}.png");
    bench.run(&args, 1);
    assert!(bench.is_there("d/0.png") && bench.is_there("n/0.png"));
    // Chosen paths are only replaced on request.
    bench.run(&args, 5);
    bench.run(&format!("{args} --force"), 1);
}

#[test]
fn only_references_that_differ_are_updated() {
    let bench = Bench::new();
    bench.run(&format!("{FRAMES} -s 64 {REFERENCES} --update --force"), 0);
    let time = |name: &str| fs::metadata(bench.path(name)).unwrap().modified().unwrap();
    let (untouched, old) = (time("refs/00.png"), bench.read("refs/07.png"));
    change_knight(&bench, |document, _| {
        let head = bone(document, "head");
        walk_frame(document, 7)[head]["visible"] = false.into();
    });
    bench.run(&format!("{FRAMES} -s 64 {REFERENCES}"), 1);
    assert!(bench.is_there("refs/07.now.png") && bench.is_there("refs/07.diff.png"));
    let comparison = compared(&bench, &format!("{FRAMES} -s 64 {REFERENCES} --update --force"), 0);
    assert_eq!(frames(&comparison, "updated"), [7]);
    assert_ne!(bench.read("refs/07.png"), old);
    assert_eq!(time("refs/00.png"), untouched);
    bench.run(&format!("{FRAMES} -s 64 {REFERENCES}"), 0);
}

#[test]
fn updating_needs_force_in_continuous_integration() {
    let bench = Bench::new();
    for (ci, code) in [("true", 2), ("1", 2), ("false", 0), ("", 0)] {
        let mut command = bench.command("knight.pchr -s 16 --reference ref.png --update");
        let output = command.env("CI", ci).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "CI={ci}");
        assert_eq!(bench.is_there("ref.png"), code == 0);
    }
    let mut command = bench.command("knight.pchr -s 16 --reference ref.png --update --force");
    assert!(command.env("CI", "1").status().unwrap().success());
}

#[test]
fn animated_pictures_and_sheets_are_compared_frame_by_frame() {
    for name in ["clip.apng", "clip.gif", "clip.webp", "clip.json", "clip.sprsh", "sheet.png --format sheet"] {
        let bench = Bench::new();
        let args = format!("knight.pchr -a walk -s 64 --reference {name}");
        let file = name.split(' ').next().unwrap();
        assert_eq!(compared(&bench, &args, 3)["summary"]["missing"], 24, "{name}");
        let stored = bench.read(file);
        assert_eq!(compared(&bench, &args, 0)["summary"]["same"], 24, "{name}");
        change_knight(&bench, |document, _| {
            let head = bone(document, "head");
            walk_frame(document, 5)[head]["visible"] = false.into();
        });
        let comparison = compared(&bench, &args, 1);
        let different = frames(&comparison, "different");
        // The palette of a GIF depends on all frames.
        assert!(different == [5] || name == "clip.gif" && different.contains(&5), "{name}: {different:?}");
        assert_eq!(bench.read(file), stored, "{name}: the reference stays");
        let (stem, extension) = file.split_once('.').unwrap();
        assert!(bench.is_there(&format!("{stem}.now.{extension}")), "{name}");
        assert!(bench.is_there(&format!("{stem}.0005.diff.png")), "{name}");
        // The new file is complete: it is what -o would have written.
        bench.run(
            &format!("knight.pchr -a walk -s 64 --reference {stem}.now.{extension} {}", &name[file.len()..]),
            0,
        );
        compared(&bench, &format!("{args} --update --force"), 0);
        assert_eq!(compared(&bench, &args, 0)["summary"]["same"], 24, "{name}");
        // Fewer and more frames than the reference has.
        compared(&bench, &format!("{args} -f 0..20"), 3);
        compared(&bench, &format!("{args} -f all --speed 0.5"), if file == "clip.png" { 0 } else { 1 });
    }
}

#[test]
fn a_folder_holds_references_with_default_names_or_those_of_the_output() {
    let bench = Bench::new();
    bench.run("knight.pchr -a walk -f 0,5 -s 16 --reference refs/", 3);
    assert!(bench.is_there("refs/walk-0005.png"));
    bench.run("knight.pchr -a walk -f 0,5 -s 16 --reference refs", 0);
    bench.run("knight.pchr -a walk -f 0,5 -s 16 -o out/w{frame}.png", 0);
    bench.run("knight.pchr -a walk -f 0,5 -s 16 --reference out -o now/w{frame}.png", 0);
    assert!(!bench.is_there("now"), "nothing differs");
}

#[test]
fn damaged_references_are_reported_one_by_one() {
    let bench = Bench::new();
    bench.run("knight.pchr -a walk -f 0..4 -s 16 --reference refs/", 3);
    fs::write(bench.path("refs/walk-0001.png"), "no picture").unwrap();
    let cut = bench.read("refs/walk-0002.png");
    fs::write(bench.path("refs/walk-0002.png"), &cut[..cut.len() / 2]).unwrap();
    fs::remove_file(bench.path("refs/walk-0003.png")).unwrap();
    fs::create_dir(bench.path("refs/walk-0003.png")).unwrap();
    let comparison =
        compared(&bench, "knight.pchr -a walk -f 0..4 -s 16 --reference refs/ -o n/{animation}-{frame:04}.png", 3);
    assert_eq!(frames(&comparison, "unreadable"), [1, 2, 3]);
    let message = comparison["frames"][1]["message"].as_str().unwrap();
    assert!(message.contains("refs/walk-0001.png") && message.contains("not a PNG"), "{message}");
    for clip in ["clip.apng", "clip.gif", "clip.webp", "clip.json"] {
        fs::write(bench.path(clip), "no picture").unwrap();
        let comparison = compared(&bench, &format!("knight.pchr -a walk -s 16 --reference {clip}"), 3);
        assert_eq!(comparison["summary"]["unreadable"], 24, "{clip}");
        assert_eq!(bench.read(clip), b"no picture");
    }
}

#[test]
fn inputs_are_never_overwritten_by_pages_of_a_sheet() {
    let bench = Bench::new();
    for name in ["json", "atlas", "png"] {
        let source = crate::common::root().join("assets/paper-lamp").with_extension(name);
        fs::copy(source, bench.path(&format!("paper-lamp.{name}"))).unwrap();
    }
    fs::rename(bench.path("paper-lamp.json"), bench.path("lamp.json")).unwrap();
    let page = bench.read("paper-lamp.png");
    let args = "lamp.json --atlas paper-lamp.atlas -f 0..3 -s 64 --reference paper-lamp.json --update --force";
    assert!(bench.stderr(args, 2).contains("input file"));
    assert_eq!(bench.read("paper-lamp.png"), page);
}

#[test]
fn light_without_alpha_is_compared() {
    let bench = Bench::new();
    bench.run("knight.pchr -s 16 -o ref.png --alpha premultiplied", 0);
    let (width, height) = png_size(&bench.read("ref.png")).unwrap();
    let mut pixels = decode_png(&bench.read("ref.png"), Default::default).unwrap();
    assert_eq!(pixels[..4], [0; 4]);
    pixels[0] = 9;
    fs::write(bench.path("ref.png"), encode_png(width, height, &pixels).unwrap()).unwrap();
    let comparison = compared(&bench, "knight.pchr -s 16 --reference ref.png --alpha premultiplied", 1);
    assert_eq!(comparison["frames"][0]["difference"]["worst"], 9);
}

#[test]
fn sheets_of_another_size_or_without_their_page_are_not_compared() {
    let bench = Bench::new();
    bench.run("knight.pchr -a walk -s 96x64 -o s.json", 0);
    let comparison = compared(&bench, "knight.pchr -a walk -s 128x64 --reference s.json", 3);
    assert_eq!(comparison["summary"]["resized"], 24);
    fs::remove_file(bench.path("s.png")).unwrap();
    let comparison = compared(&bench, "knight.pchr -a walk -s 96x64 --reference s.json", 3);
    assert_eq!(comparison["summary"]["unreadable"], 24);
    let lamp = crate::common::root().join("assets/paper-lamp.json");
    fs::copy(lamp, bench.path("s.json")).unwrap();
    let comparison = compared(&bench, "knight.pchr -a walk -s 96x64 --reference s.json", 3);
    let message = comparison["frames"][0]["message"].as_str().unwrap();
    assert!(message.contains("not a sprite sheet"), "{message}");
}

#[test]
fn an_empty_picture_fails_on_request_even_if_it_is_the_same() {
    let bench = Bench::new();
    let args = "knight.pchr -s 16 --fit 9000,9000,16,16 --reference ref.png";
    bench.run(args, 3);
    bench.run(args, 0);
    let comparison = compared(&bench, &format!("{args} --fail-on-empty"), 1);
    assert_eq!((&comparison["summary"]["same"], &comparison["summary"]["failed"]), (&1.into(), &1.into()));
}

#[test]
fn commands_that_cannot_mean_anything_are_refused() {
    let bench = Bench::new();
    bench.run("knight.pchr -s 16 -o ref.png", 0);
    for (args, expected) in [
        ("knight.pchr --tolerance 3 -o a.png", "--reference"),
        ("knight.pchr --update", "--reference"),
        ("knight.pchr --reference ref.png -o -", "-o -"),
        ("knight.pchr --reference ref.png --watch", "--watch"),
        ("knight.pchr --reference ref.png -o out.gif", "different formats"),
        ("knight.pchr --reference ref.png -o ref.png", "would be a reference"),
        ("knight.pchr --reference ref.png -o ./ref.png --force", "would be a reference"),
        ("knight.pchr --reference ref.png --diff ref.png", "would be a reference"),
        ("knight.pchr --reference ref.png --diff a/../ref.png --force", "would be a reference"),
        ("knight.pchr --reference ref.png -o b.png --diff b.png", "would be a new picture and"),
        ("knight.pchr --reference -", "standard input"),
        ("knight.pchr --reference ref.png --diff diff.gif", ".png"),
        ("knight.pchr --reference ref.y4m", "cannot be a reference"),
        ("knight.pchr --reference ref.png -a walk -f all", "several pictures would be compared"),
        ("knight.pchr --reference refs/ -a walk -f all --diff d.png", "would be a picture of a difference"),
        ("knight.pchr --reference ref.png --tolerance 256", "256"),
        ("knight.pchr --reference ref.png --max-diff-pixels 101%", "percentage"),
        ("knight.pchr --reference ref.png --update -o a.png", "omit -o"),
        ("knight.pchr --reference {what}.png", "placeholder"),
    ] {
        let stderr = bench.stderr(args, 2);
        assert!(stderr.contains(expected), "{args}: {stderr}");
    }
    let left: Vec<_> = fs::read_dir(bench.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}
