//! Sprite sheets written by `pchr-view`: their frames match the PNGs, and they can be read back.

use std::fs;
use std::process::Command;

#[cfg(target_os = "linux")]
use crate::common::memory::peak_kib;
use crate::common::sheet_reference;
use crate::common::sheet_reference::{Pixels, Reference};
use crate::common::viewer_bench::Bench;
use serde_json::Value;

fn read_json(bench: &Bench, name: &str) -> Value {
    serde_json::from_slice(&bench.read(name)).expect("JSON")
}

/// Renders a PNG sequence with the same options.
fn pngs(bench: &Bench, args: &str) -> Vec<Pixels> {
    bench.pngs(&format!("{args} -f all")).iter().map(|png| Pixels::decode(png)).collect()
}

const CHOICE: &str = "-a walk -a jump -s 40";

/// Returns the visible part of a pixel: transparent pixels have no colour.
fn visible(pixel: [u8; 4]) -> [u8; 4] {
    if pixel[3] == 0 { [0; 4] } else { pixel }
}

#[track_caller]
fn assert_same(found: &[[u8; 4]], expected: &Pixels, what: &str) {
    let expected = expected.rgba.as_chunks::<4>().0;
    assert_eq!(found.len(), expected.len(), "{what}");
    let wrong = found.iter().zip(expected).filter(|(a, b)| visible(**a) != visible(**b)).count();
    assert!(wrong == 0, "{what}: {wrong} pixels differ");
}

const WAYS: [&str; 12] = [
    "",
    "--sheet-layout columns --sheet-padding 3 --sheet-border 2",
    "--sheet-layout horizontal",
    "--sheet-layout vertical --sheet-max-size 999",
    "--sheet-layout packed --sheet-trim frame --sheet-merge --sheet-extrude 1 --sheet-padding 1",
    "--sheet-layout packed --sheet-trim frame --sheet-max-size 128 --sheet-pot",
    "--sheet-trim all --sheet-profile hash",
    "--sheet-trim frame --sheet-columns 5",
    "--sheet-profile doc --sheet-pot --sheet-border 3",
    "--sheet-bleed 4 --sheet-extrude 2",
    "--sheet-max-size 200",
    "--sheet-merge --sheet-durations exact",
];

#[test]
fn sheet_frames_match_the_pngs() {
    let bench = Bench::new();
    let expected = pngs(&bench, &format!("knight.pchr {CHOICE}"));
    for way in WAYS {
        bench.run(&format!("knight.pchr {CHOICE} {way} -o out/s.json"), 0);
        let json = read_json(&bench, "out/s.json");
        let [pivot_x, pivot_y] =
            ["x", "y"].map(|axis| json["meta"]["slices"][0]["keys"][0]["pivot"][axis].as_i64());
        let (Some(x), Some(y)) = (pivot_x, pivot_y) else { panic!("{way}: no origin in {json}") };
        let reference = Reference::load(&bench.path("out/s.json"));
        assert_eq!(reference.frames.len(), expected.len(), "{way}");
        for (index, (frame, expected)) in reference.frames.iter().zip(&expected).enumerate() {
            assert_same(&frame.pixels, expected, &format!("{way}: frame {index}"));
        }
        let names: Vec<&str> = reference.animations.iter().map(|(name, ..)| name.as_str()).collect();
        assert_eq!(names, ["walk", "jump"], "{way}");
        // The same, read by this program. The rectangle is that of the canvas, since trimmed frames are smaller.
        let fit = format!("--fit={},{},40,40", -x, y - 40);
        let again = pngs(&bench, &format!("out/s.json -a all {fit}"));
        assert_eq!(again.len(), expected.len(), "{way}");
        for (index, (found, expected)) in again.iter().zip(&expected).enumerate() {
            assert_same(found.rgba.as_chunks::<4>().0, expected, &format!("{way}: frame {index}, read again"));
        }
        fs::remove_dir_all(bench.path("out")).expect("can be removed");
    }
}

#[test]
fn every_sheet_format_can_be_read_back() {
    let bench = Bench::new();
    let expected = pngs(&bench, &format!("knight.pchr {CHOICE}"));
    for (output, more) in [
        ("a.json", ""),
        ("a.sprsh", ""),
        ("b.png", "--format sheet"),
        ("c.png", "--format sheet --sheet-max-size 160"),
        ("d.sprsh", "--sheet-trim all --sheet-merge --sheet-layout packed"),
    ] {
        bench.run(&format!("knight.pchr {CHOICE} -o {output} {more}"), 0);
        let fit = if more.contains("trim") { canvas(&bench, "a.json") } else { String::new() };
        let found = pngs(&bench, &format!("{output} -a all {fit}"));
        assert_eq!(found.len(), expected.len(), "{output}");
        for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_same(found.rgba.as_chunks::<4>().0, expected, &format!("{output}: frame {index}"));
        }
    }
    assert!(bench.path("c-1.png").exists(), "it has several pages");
    // The PNG on stdout can be opened on its own.
    let output = bench.run(&format!("knight.pchr {CHOICE} -o - --format sheet"), 0);
    fs::write(bench.path("piped.png"), output.stdout).expect("can be written");
    assert_eq!(pngs(&bench, "piped.png -a all").len(), expected.len());
    // A packed sheet contains the same text and image as the two files.
    let [json, png, packed] =
        ["a.json", "a.png", "a.sprsh"].map(|name| fs::read(bench.path(name)).expect("a file"));
    let lengths = [json.len() as u32, png.len() as u32].map(u32::to_le_bytes).concat();
    assert!(packed == [b"SPSH\x01\0\0\0".as_slice(), &lengths, &json, &png].concat());
}

/// Returns `--fit` for the canvas of a sheet with frames of 40 × 40 pixels.
fn canvas(bench: &Bench, name: &str) -> String {
    let json = read_json(bench, name);
    let of = |axis: &str| json["meta"]["slices"][0]["keys"][0]["pivot"][axis].as_i64().expect("an origin");
    format!("--fit={},{},40,40", -of("x"), of("y") - 40)
}

#[test]
fn packing_and_unpacking_loses_nothing() {
    let bench = Bench::new();
    let pchr = |args: &str, code: i32| {
        let mut command = Command::new(crate::common::program::pchr_path());
        let output =
            command.current_dir(bench.path("")).args(args.split_whitespace()).output().expect("the program runs");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "pchr {args}\n{message}");
        message
    };
    let read = |name: &str| fs::read(bench.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    bench.run("knight.pchr -a walk -s 30 -o a.json", 0);
    pchr("convert a.json -o a.sprsh", 0);
    pchr("convert a.sprsh -o other/b.json", 0);
    assert!(read("other/b.json") == read("a.json") && read("other/a.png") == read("a.png"));
    pchr("convert other/b.json -o again.sprsh", 0);
    assert!(read("again.sprsh") == read("a.sprsh"));
    for (args, code, part) in [
        ("convert a.sprsh -o a.json", 5, "--force"),
        ("convert knight.pchr -o a.sprsh --force", 2, "only a sprite sheet can be converted to a sprite sheet"),
        (
            "convert a.sprsh -o c.json --animation walk",
            2,
            "--animation has no effect on a conversion between sprite sheets",
        ),
    ] {
        let message = pchr(args, code);
        assert!(message.contains(part), "{args}\n{message}");
    }
    fs::remove_file(bench.path("a.png")).expect("can be removed");
    assert!(pchr("convert a.json -o c.sprsh", 3).contains("missing-image") || !bench.path("c.sprsh").exists());
    // Both forms have the same findings.
    assert!(pchr("validate a.sprsh other/b.json", 0).is_empty());
}

#[test]
fn edges_are_extruded_and_colours_bleed() {
    let bench = Bench::new();
    bench.run("knight.pchr -a walk -s 40 -b #336699 --sheet-extrude 2 --sheet-padding 1 -o s.json", 0);
    let picture = Pixels::decode(&fs::read(bench.path("s.png")).expect("a PNG"));
    for frame in read_json(&bench, "s.json")["frames"].as_array().expect("a list") {
        let [x, y, w, h] = ["x", "y", "w", "h"].map(|key| frame["frame"][key].as_i64().expect("a number"));
        for (out_x, out_y) in [(x - 2, y - 2), (x + w + 1, y + h / 2), (x + 5, y + h + 1), (x - 1, y + h + 1)] {
            let edge = picture.at(out_x.clamp(x, x + w - 1), out_y.clamp(y, y + h - 1));
            assert_eq!(picture.at(out_x, out_y), edge, "around {x},{y}");
            assert_eq!(edge[3], 255);
        }
    }
    let colored = |options: &str| {
        bench.run(&format!("knight.pchr -a walk -s 40 -o s.json --force {options}"), 0);
        let picture = Pixels::decode(&fs::read(bench.path("s.png")).expect("a PNG"));
        let pixels = picture.rgba.as_chunks::<4>().0;
        pixels.iter().filter(|pixel| pixel[3] == 0 && pixel[..3] != [0; 3]).count()
    };
    assert_eq!(colored(""), 0);
    assert!(colored("--sheet-bleed 2") > 1000);
}

#[test]
fn the_json_has_the_fields_that_engines_expect() {
    let bench = Bench::new();
    let output = bench.run("knight.pchr -a all -s 50 -o hero.json --json", 0);
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let json = read_json(&bench, "hero.json");
    let app = json["meta"]["app"].as_str().expect("a text");
    assert!(app.starts_with("pchr ") && app.contains("aseprite"), "{app}");
    assert_eq!((&json["meta"]["image"], &json["meta"]["scale"]), (&"hero.png".into(), &"1".into()));
    let key = &json["meta"]["slices"][0]["keys"][0];
    let origin = &summary["renders"][0]["origin"];
    for (axis, at) in [("x", 0), ("y", 1)] {
        let message = origin[at].as_f64().expect("a number");
        assert_eq!(key["pivot"][axis].as_f64(), Some((message + 0.5).floor()), "{key}");
    }
    let frames = json["frames"].as_array().expect("a list");
    assert!(summary["renders"][0]["frames"].as_array().expect("a list").iter().all(|f| f["file"] == "hero.json"));
    let character = pchr::Character::open(bench.path("knight.pchr")).expect("the knight");
    let model = character.model();
    let mut next = 0;
    let tags = json["meta"]["frameTags"].as_array().expect("tags");
    for (tag, id) in tags.iter().zip(model.motions()) {
        let animation = model.animation(id);
        assert_eq!((tag["name"].as_str(), tag["from"].as_u64()), (Some(&*animation.name), Some(next)));
        next += u64::from(animation.frame_count());
        assert_eq!(tag["to"].as_u64(), Some(next - 1));
        assert_eq!(tag["repeat"].as_str(), if animation.looping { None } else { Some("1") });
        let named = json["animations"][&animation.name].as_array().expect("names");
        assert_eq!(named.len(), animation.frame_count() as usize);
    }
    assert_eq!(frames.len() as u64, next);
    for (index, frame) in frames.iter().enumerate() {
        assert_eq!((frame["filename"].as_str(), &frame["rotated"]), (Some(&*index.to_string()), &false.into()));
        assert_eq!(frame["duration"], 42);
    }
}

#[test]
fn names_and_durations_follow_the_options() {
    let bench = Bench::new();
    let names = |options: &str| -> Vec<String> {
        bench.run(&format!("knight.pchr -a walk -s 20 -o hero.json --force {options}"), 0);
        let reference = sheet_reference::parse(&fs::read(bench.path("hero.json")).expect("a file"));
        reference.frames.expect("frames").0.into_iter().map(|(name, _)| name.expect("a name")).collect()
    };
    assert_eq!(names("")[..2], ["0", "1"]);
    assert_eq!(names("--sheet-profile doc")[23], "walk 23");
    assert_eq!(names("--sheet-profile hash")[3], "hero 3.aseprite");
    assert_eq!(names("--sheet-filename {title}_{tag}:{tagframe001}")[9], "hero_walk:010");
    names("--sheet-tagname {title}_{tag} --sheet-durations spread");
    let json = read_json(&bench, "hero.json");
    assert_eq!(json["meta"]["frameTags"][0]["name"], "hero_walk");
    let total = |json: &Value| -> f64 {
        json["frames"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|frame| frame["duration"].as_f64().expect("ms"))
            .sum()
    };
    assert_eq!(total(&json), 1000.0);
    names("--sheet-durations exact --speed 2");
    let exact = total(&read_json(&bench, "hero.json"));
    assert!((exact - 500.0).abs() < 1e-9, "{exact}");
    names("--loops 3");
    assert_eq!(read_json(&bench, "hero.json")["meta"]["frameTags"][0]["repeat"], "3");
}

#[test]
fn usage_errors_are_reported_before_anything_is_written() {
    let bench = Bench::new();
    for (args, part) in [
        ("knight.pchr -o a.png --sheet-pot", "--sheet-pot has no effect on a PNG"),
        ("knight.pchr -o a.gif --sheet-trim all", "--sheet-trim has no effect on a GIF"),
        ("knight.pchr --sheet-merge", "--sheet-merge has no effect without -o"),
        ("knight.pchr -o a.json --matte red", "--matte has no effect on a sprite sheet"),
        ("knight.pchr -o a.webp --format sheet", "does not have the extension of a sprite sheet"),
        ("knight.pchr -o a --format sheet", "use the extension .json"),
        ("knight.pchr -o {frame}.json", "its name cannot contain {frame}"),
        ("knight.pchr -o a.json -s 300 --sheet-max-size 256", "a larger --sheet-max-size"),
        ("knight.pchr -o a.json -s 300 --sheet-columns 99", "99 columns of 300 pixels"),
        ("knight.pchr -o a.sprsh -s 300 --sheet-max-size 512", "a .sprsh file can hold only one picture"),
        ("knight.pchr -o a.json --sheet-layout packed --sheet-columns 2", "without a grid"),
        ("knight.pchr -o a.json --alpha premultiplied --sheet-bleed 1", "premultiplied"),
        ("knight.pchr -o a.json --sheet-filename x", "several frames would be called `x`"),
        ("knight.pchr -o a.json --sheet-filename {fram}", "unknown placeholder `{fram}`"),
        ("knight.pchr -o a.json --sheet-max-size 0", "from 1 to 32768"),
        ("knight.pchr -o a.json --sheet-padding -1", "from 0 to 256"),
        ("knight.pchr -o a.png --grid 8", "expected a frame size"),
    ] {
        let message = bench.stderr(args, 2);
        assert!(message.contains(part), "{args}\n{message}");
    }
    fs::write(bench.path("a.png"), "before").expect("can be written");
    assert!(bench.stderr("knight.pchr -s 20 -o a.json", 5).contains("--force"));
    fs::remove_file(bench.path("a.png")).expect("can be removed");
    // An existing page file is only detected when the number of pages is known.
    fs::write(bench.path("a-1.png"), "before").expect("can be written");
    bench.stderr("knight.pchr -s 40 --sheet-max-size 100 -o a.json", 5);
    assert_eq!(fs::read_dir(bench.path("")).expect("a folder").count(), 2, "nothing was written");
}

#[test]
fn several_sheets_are_several_files() {
    let bench = Bench::new();
    bench.run("knight.pchr -a all -s 20 -o out/{animation}.json", 0);
    let character = pchr::Character::open(bench.path("knight.pchr")).expect("the knight");
    for id in character.model().motions() {
        let animation = character.model().animation(id);
        let json = read_json(&bench, &format!("out/{}.json", animation.name));
        assert_eq!(json["frames"].as_array().map(Vec::len), Some(animation.frame_count() as usize));
        assert_eq!(json["meta"]["frameTags"][0]["name"], *animation.name);
    }
}

#[test]
fn durations_of_a_sheet_are_preserved() {
    let bench = Bench::new();
    let sheet = r#"{"frames": [{"frame": {"x": 0, "y": 0, "w": 4, "h": 4}, "duration": 100},
        {"frame": {"x": 4, "y": 0, "w": 4, "h": 4}, "duration": 30}], "meta": {"image": "s.png", "frameTags": [
        {"name": "a", "from": 0, "to": 1, "direction": "reverse"}]}}"#;
    fs::write(bench.path("s.json"), sheet).expect("can be written");
    let pixels: Vec<u8> = (0..8 * 4 * 4u8).map(|byte| byte | 3).collect();
    let png = pchr::formats::image::encode_png(8, 4, &pixels).expect("a picture");
    fs::write(bench.path("s.png"), png).expect("can be written");
    bench.run("s.json -o again.json --speed 0.5", 0);
    let again = read_json(&bench, "again.json");
    let durations = [0, 1].map(|frame| again["frames"][frame]["duration"].as_u64());
    assert_eq!(durations, [Some(60), Some(200)]);
    bench.run("s.json -o a.webp", 0);
    let bytes = fs::read(bench.path("a.webp")).expect("a file");
    let mut decoder = image_webp::WebPDecoder::new(std::io::Cursor::new(bytes)).expect("a WebP");
    let mut pixels = vec![0; 4 * 4 * 4];
    let durations = [0, 1].map(|_| decoder.read_frame(&mut pixels).expect("a frame"));
    assert_eq!(durations, [30, 100]);
    let output = bench.run("s.json --json -f all", 0);
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(summary["renders"][0]["frames"][1]["seconds"], 0.03);
}

#[test]
fn fps_applies_to_frames_without_durations() {
    let bench = Bench::new();
    let pixels: Vec<u8> = (0..8 * 4 * 4u8).map(|byte| byte | 3).collect();
    let png = pchr::formats::image::encode_png(8, 4, &pixels).expect("a picture");
    fs::write(bench.path("s.png"), png).expect("can be written");
    let durations = |args: &str| {
        bench.run(&format!("{args} -o out.json --force"), 0);
        let json = read_json(&bench, "out.json");
        let frames = json["frames"].as_array().expect("a list").iter();
        frames.map(|frame| frame["duration"].as_u64().expect("ms")).collect::<Vec<_>>()
    };
    assert_eq!(durations("s.png --grid 4x4"), [100, 100]);
    assert_eq!(durations("s.png --grid 4x4 --fps 24"), [42, 42]);
    assert_eq!(durations("s.png --grid 4x2:3 --fps 25 --speed 2"), [20, 20, 20]);
    let frame = |x: u32, more: &str| format!(r#"{{"frame": {{"x": {x}, "y": 0, "w": 4, "h": 4}}{more}}}"#);
    let sheet = |more: &str| {
        let frames = [frame(0, r#", "duration": 70"#), frame(4, more)].join(", ");
        let text = format!(r#"{{"frames": [{frames}], "meta": {{"image": "s.png"}}}}"#);
        fs::write(bench.path("s.json"), text).expect("can be written");
    };
    sheet("");
    assert_eq!(durations("s.json"), [70, 100]);
    assert_eq!(durations("s.json --fps 50"), [70, 20], "stored durations take precedence");
    sheet(r#", "duration": 30"#);
    assert_eq!(durations("s.json"), [70, 30]);
    for file in ["s.json", "knight.pchr"] {
        let message = bench.stderr(&format!("{file} --fps 50 -o out.json --force"), 2);
        assert!(message.contains("--fps only applies to keyed motion and sheets without durations"), "{message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_depend_on_the_length_of_the_sheet() {
    let bench = Bench::new();
    let peak = |times: usize, way: &str| {
        let frames = vec!["0..24"; times].join(",");
        let args = format!("knight.pchr -a walk -s 200 --jobs 2 -f {frames} --sheet-max-size 32768 {way}");
        peak_kib(bench.command(&format!("{args} -o {times}.json --force")))
    };
    for way in ["--sheet-columns 6", "--sheet-columns 6 --sheet-trim all", "--sheet-layout vertical"] {
        let (few, many) = (peak(1, way), peak(6, way));
        // 120 more frames have 19 MB of pixels.
        assert!(few > 1000 && many < few + 5000, "{way}: {few} kB, and {many} kB for six times as many frames");
    }
}
