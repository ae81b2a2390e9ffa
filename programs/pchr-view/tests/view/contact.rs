//! Contact sheets written by `pchr-view`: cells, captions, the choice of frames, and errors.

use std::fs;

use serde_json::Value;

use crate::common::repeated_triangle;
use crate::common::sheet_reference::Pixels;
use crate::common::v1::write;
use crate::common::viewer_bench::Bench;

/// The sheet around the frames of a transparent character.
const DARK: [u8; 4] = [38, 38, 43, 255];

pub struct Sheet {
    pub pixels: Pixels,
    pub json: Value,
}

/// Writes `sheet.png`.
#[track_caller]
fn sheet(bench: &Bench, args: &str) -> Sheet {
    Sheet::written(bench, &format!("knight.pchr {args}"), 0)
}

impl Sheet {
    /// Writes `sheet.png`.
    #[track_caller]
    pub fn written(bench: &Bench, args: &str, code: i32) -> Self {
        let json = bench.run(&format!("{args} -o sheet.png --force --json"), code).stdout;
        let json = serde_json::from_slice(&json).expect("JSON");
        Self { pixels: Pixels::decode(&bench.read("sheet.png")), json }
    }

    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = (y * self.pixels.width + x) as usize * 4;
        std::array::from_fn(|channel| self.pixels.rgba[at + channel])
    }

    /// Returns a rectangle of the sheet.
    pub fn part(&self, [x, y, width, height]: [u32; 4]) -> Vec<[u8; 4]> {
        (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y))).map(|(x, y)| self.pixel(x, y)).collect()
    }

    fn frames(&self) -> Vec<(String, u64)> {
        frames_of(&self.json)
    }
}

fn frames_of(json: &Value) -> Vec<(String, u64)> {
    let frames = json["renders"][0]["frames"].as_array().expect("frames");
    let frame = |frame: &Value| {
        (frame["animation"].as_str().unwrap_or("none").to_owned(), frame["frame"].as_u64().expect("a frame"))
    };
    frames.iter().map(frame).collect()
}

fn numbers(sheet: &Sheet) -> Vec<u64> {
    sheet.frames().into_iter().map(|(_, frame)| frame).collect()
}

#[test]
fn cells_have_the_pixels_of_the_frames() {
    let bench = Bench::new();
    for args in [
        "-a walk -f 0..10:2 -s 128",
        "-a walk -f 0..10:2 -s 90x140 -b white",
        "-a jump -f 0..5 -s 24x30 -b checker",
    ] {
        let sheet = sheet(&bench, &format!("{args} --contact-sheet 3x3"));
        let frames = bench.pngs(&format!("knight.pchr {args}"));
        assert_eq!(frames.len(), 5);
        let (width, height) = {
            let frame = Pixels::decode(&frames[0]);
            (frame.width, frame.height)
        };
        // One dot is one pixel: gaps of 4, captions of two lines, and cells of at least 20 columns.
        let (cell, caption, gap) = (width.max(120), 28, 4);
        assert_eq!(sheet.pixels.width, gap + 3 * (cell + gap));
        assert_eq!(sheet.pixels.height, gap + 3 * (height + caption + gap));
        let paper = if args.contains("white") { [255; 4] } else { DARK };
        for index in 0..9 {
            let left = gap + index % 3 * (cell + gap);
            let top = gap + index / 3 * (height + caption + gap);
            let below = sheet.part([left, top + height, cell, caption]);
            let Some(frame) = frames.get(index as usize) else {
                assert!(sheet.part([left, top, cell, height + caption]).iter().all(|pixel| *pixel == paper));
                continue;
            };
            let expected = Pixels::decode(frame);
            let expected = expected.rgba.as_chunks::<4>().0;
            assert_eq!(
                sheet.part([left + (cell - width) / 2, top, width, height]),
                expected,
                "{args}: cell {index}"
            );
            // Text and sheet have one colour each.
            let ink: Vec<_> = below.iter().filter(|pixel| **pixel != paper).collect();
            assert!(ink.len() > 100 && ink.iter().all(|pixel| *pixel == ink[0] && pixel[3] == 255), "{args}");
        }
        for (x, y) in [(0, 0), (sheet.pixels.width - 1, sheet.pixels.height - 1), (gap + cell, gap)] {
            assert_eq!(sheet.pixel(x, y), paper);
        }
    }
}

#[test]
fn every_caption_is_different_and_text_grows_with_the_frames() {
    let bench = Bench::new();
    let sheet = sheet(&bench, "-a walk -a jump -f 0,3 -s 256 --contact-sheet 4x1");
    let captions: Vec<_> = (0..4).map(|index| sheet.part([8 + index * 264, 8 + 256, 256, 56])).collect();
    for (index, caption) in captions.iter().enumerate() {
        assert!(captions[..index].iter().all(|other| other != caption), "caption {index}");
        // Dots of two pixels.
        let rows: Vec<_> = caption.chunks(256).collect();
        assert!(rows.chunks(2).all(|rows| rows[0] == rows[1]));
    }
}

#[test]
fn the_json_names_the_sheet_of_every_frame() {
    let bench = Bench::new();
    let sheet = sheet(&bench, "-a walk -s 32 --contact-sheet 4x2");
    let frames = sheet.json["renders"][0]["frames"].as_array().expect("frames");
    assert_eq!(frames.len(), 8);
    assert!(frames.iter().all(|frame| frame["file"] == "sheet.png"));
    assert_eq!(frames[1]["seconds"], 0.125);
}

#[test]
fn frames_are_spread_evenly_by_default() {
    let bench = Bench::new();
    let chosen = |args: &str| numbers(&sheet(&bench, &format!("-s 16 {args}")));
    // A loop of 24 frames does not repeat its first frame at the end.
    assert_eq!(chosen("-a walk --contact-sheet 3x2"), [0, 4, 8, 12, 16, 20]);
    assert_eq!(chosen("-a walk --contact-sheet 5x1"), [0, 4, 9, 14, 19]);
    // `jump` has 54 frames and ends with the last one.
    assert_eq!(chosen("-a jump --contact-sheet 3x1"), [0, 26, 53]);
    assert_eq!(chosen("-a jump --contact-sheet 1x1"), [0]);
    // More cells than frames.
    assert_eq!(chosen("-a walk --contact-sheet 5x5"), (0..24).collect::<Vec<_>>());
    // The rows or columns follow from the frames.
    assert_eq!(chosen("-a walk --contact-sheet 7x"), (0..24).collect::<Vec<_>>());
    assert_eq!(sheet(&bench, "-s 16 -a walk --contact-sheet 7x").pixels.height, 4 + 4 * (16 + 28 + 4));
    assert_eq!(sheet(&bench, "-s 16 -a walk --contact-sheet x7").pixels.width, 4 + 4 * (120 + 4));
    assert_eq!(chosen("-a walk -f 3,1,4 --contact-sheet 2x2"), [3, 1, 4]);
    assert_eq!(chosen("-a walk -t 0.3 --contact-sheet 2x2"), [7]);
}

#[test]
fn several_animations_share_a_sheet_or_have_their_own() {
    let bench = Bench::new();
    let walk_and_jump = sheet(&bench, "-a walk -a jump -s 16 --contact-sheet 5x1").frames();
    let expected = [("walk", 0), ("walk", 12), ("jump", 0), ("jump", 26), ("jump", 53)];
    assert_eq!(walk_and_jump, expected.map(|(name, frame)| (name.to_owned(), frame)));
    bench.run("knight.pchr -a walk -a jump -s 16 --contact-sheet 3x1 -o {animation}.png", 0);
    for name in ["walk", "jump"] {
        let pixels = Pixels::decode(&bench.read(&format!("{name}.png")));
        assert_eq!([pixels.width, pixels.height], [4 + 3 * 124, 4 + 48], "{name}");
    }
    let json =
        bench.run("knight.pchr -a walk -f all -s 16 --contact-sheet 5x2 -o n/{index:02}.png --json", 0).stdout;
    let json: Value = serde_json::from_slice(&json).expect("JSON");
    let files: Vec<_> =
        json["renders"][0]["frames"].as_array().expect("frames").iter().map(|frame| &frame["file"]).collect();
    assert_eq!([files[0], files[9], files[10], files[23]], ["n/00.png", "n/00.png", "n/01.png", "n/02.png"]);
    assert!(bench.is_there("n/02.png") && !bench.is_there("n/03.png"));
    // `walk` fills one sheet and begins another, which `jump` does not continue.
    bench.run("knight.pchr -a walk -a jump -f 0..6 -s 16 --contact-sheet 4x1 -o own/{animation}-{index}.png", 0);
    for name in ["walk-0", "walk-1", "jump-2", "jump-3"] {
        assert!(bench.is_there(&format!("own/{name}.png")), "{name}");
    }
}

#[test]
fn animations_begin_rows() {
    let bench = Bench::new();
    let size = |columns: u32, rows: u32| [4 + columns * 124, 4 + rows * 48];
    for (args, expected) in [
        ("-f 0..3 --contact-sheet 2x", size(2, 4)),
        ("-f 0..3 --contact-sheet x4", size(2, 4)),
        ("-f 0..3 --contact-sheet x2", size(3, 2)),
        ("-f 0..3 --contact-sheet 3x3", size(3, 3)),
        // Too few rows for that.
        ("-f 0..3 --contact-sheet x1", size(6, 1)),
    ] {
        let sheet = sheet(&bench, &format!("-a walk -a jump -s 16 {args}"));
        assert_eq!([sheet.pixels.width, sheet.pixels.height], expected, "{args}");
        assert_eq!(sheet.frames().len(), 6, "{args}");
    }
    // The rest of the row of `walk` is empty, and `jump` follows below.
    let rows = sheet(&bench, "-a walk -a jump -f 0..3 -s 16 --contact-sheet 2x -b white");
    let is_empty = |column: u32, row: u32| {
        let part = rows.part([4 + column * 124, 4 + row * 48, 120, 44]);
        part.iter().all(|pixel| *pixel == [255; 4])
    };
    assert_eq!(
        [(0, 1), (1, 1), (0, 2), (1, 2), (1, 3)].map(|(x, y)| is_empty(x, y)),
        [false, true, false, false, true]
    );
    // Frames that are not selected fill whole rows.
    let spread = sheet(&bench, "-a walk -a jump -s 16 --contact-sheet 3x4").frames();
    assert_eq!(spread.iter().filter(|(name, _)| name == "walk").count(), 6);
}

#[test]
fn mistakes_are_reported_before_rendering() {
    let bench = Bench::new();
    for (args, part) in [
        ("--contact-sheet 4x3", "add -o OUT.png"),
        ("--contact-sheet 4x3 --json", "--contact-sheet has no effect without -o"),
        ("--contact-sheet 4x3 -o a.gif", "--contact-sheet writes a PNG, not a GIF"),
        ("--contact-sheet 4x3 -o a.json", "not a sprite sheet"),
        ("--contact-sheet 4x3 -o a.png --format apng", "not an APNG"),
        ("--contact-sheet 4x3 -o {frame}.png", "a contact sheet contains all frames, so {frame} cannot be used"),
        ("--contact-sheet 0x3 -o a.png", "expected 4x3, 4x or x3"),
        ("--contact-sheet x -o a.png", "expected 4x3, 4x or x3"),
        ("--contact-sheet -1x3 -o a.png", "expected 4x3, 4x or x3"),
        (
            "-a walk -f all --contact-sheet 4x3 -o a.png",
            "24 frames are selected, but a contact sheet of 4x3 has 12 cells",
        ),
        (
            "-a walk -f all --contact-sheet 4x3 -o a.png",
            "use --contact-sheet 4x for as many rows as needed, or -o 'a-{index}.png'",
        ),
        ("-a walk -f all --contact-sheet 4x3 -o {animation}.png", "24 frames are selected"),
        (
            "-a all --contact-sheet 1x3 -o a.png",
            "4 animations are selected, but a contact sheet of 1x3 has 3 cells",
        ),
        ("-a walk -f all --contact-sheet 4x3 -o -", "24 frames are selected"),
        (
            "-a walk -s 512 --contact-sheet 24x --limit memory-bytes=8000000 -o a.png",
            "the limit `memory-bytes` allows 8000000",
        ),
        ("-f 1..1 --contact-sheet 4x3 -o a.png", "no frame is selected"),
    ] {
        let stderr = bench.stderr(&format!("knight.pchr {args}"), 2);
        assert!(stderr.contains(part), "{args}: {stderr}");
        assert!(!bench.is_there("a.png"), "{args}");
    }
    let stderr = bench.stderr("knight.pchr -a all --contact-sheet 3x1 -o a.png", 2);
    assert!(
        stderr.contains("use --contact-sheet 3x2, select fewer with -a, or -o 'a-{animation}.png'"),
        "{stderr}"
    );
    // The suggestions work.
    bench.run("knight.pchr -a all -s 16 --contact-sheet 3x2 -o d.png", 0);
    bench.run("knight.pchr -a all -s 16 --contact-sheet 3x1 -o d-{animation}.png", 0);
    assert!(bench.is_there("d-jump.png"));
    bench.run("knight.pchr -a walk -f all -s 16 --contact-sheet 4x -o b.png", 0);
    bench.run("knight.pchr -a walk -f all -s 16 --contact-sheet 4x3 -o b-{index}.png", 0);
    assert!(bench.is_there("b-1.png"));
}

#[test]
fn stdout_takes_one_sheet() {
    let bench = Bench::new();
    bench.run("knight.pchr -a walk -s 16 --contact-sheet 2x2 -o a.png", 0);
    assert_eq!(bench.run("knight.pchr -a walk -s 16 --contact-sheet 2x2 -o -", 0).stdout, bench.read("a.png"));
}

#[test]
fn captions_do_not_count_as_something_visible() {
    let bench = Bench::new();
    let args = "-a walk -s 16 --contact-sheet 2x2 -o a.png --force --fail-on-empty";
    bench.run(&format!("knight.pchr {args}"), 0);
    let stderr = bench.stderr(&format!("knight.pchr {args} --fit 9000,9000,10,10"), 1);
    assert!(stderr.contains("nothing is visible"), "{stderr}");
}

#[test]
fn jobs_and_antialiasing_do_not_change_captions() {
    let bench = Bench::new();
    let base = "-a jump -s 128 --contact-sheet 3x2 --antialias";
    let expected = sheet(&bench, &format!("{base} none --jobs 1"));
    assert!(sheet(&bench, &format!("{base} none --jobs 4")).pixels.rgba == expected.pixels.rgba);
    let captions =
        |sheet: &Sheet| (0..2).flat_map(|row| sheet.part([0, 4 + 128 + row * 160, 400, 28])).collect::<Vec<_>>();
    for mode in ["msaa4", "ssaa2", "ssaa4"] {
        let found = sheet(&bench, &format!("{base} {mode}"));
        assert!(captions(&found) == captions(&expected), "{mode}");
    }
}

#[test]
fn bone_names_are_drawn_without_a_window() {
    let bench = Bench::new();
    for name in ["none", "bones", "names", "names,bones"] {
        let show = if name == "none" { String::new() } else { format!("--show {name}") };
        bench.run(&format!("knight.pchr -o {name}.png {show}"), 0);
    }
    assert_ne!(bench.read("names.png"), bench.read("none.png"));
    assert_ne!(bench.read("names,bones.png"), bench.read("bones.png"));
}

#[test]
fn all_cells_of_a_sheet_share_one_budget() {
    let bench = Bench::new();
    let file = write(&repeated_triangle(2000, 16)).expect("a valid file");
    fs::write(bench.path("flag.pchr"), file).expect("can be written");
    bench.run("flag.pchr -a slide -f all -s 32 -o {frame}.png --limit work=30M --limit pixels=8k", 0);
    for (limit, message) in [
        ("work=30M", "the contact sheet: limit `work` exceeded"),
        ("pixels=8k", "the contact sheet: limit `pixels` exceeded: at least 16384 needed, 8192 allowed"),
    ] {
        for files in ["flag.pchr", "flag.pchr flag.pchr"] {
            let args = format!("{files} -a slide -s 32 --contact-sheet 4x4 -o sheet.png --force");
            let stderr = bench.stderr(&format!("{args} --limit {limit}"), 3);
            assert!(stderr.contains(message) && stderr.contains("--limit"), "{stderr}");
            bench.run(&args, 0);
        }
    }
}
