//! One set of frames in the dialect of every program: each shows the same pixels, and odd or hostile files do
//! minimal harm.

mod oddities;
mod written;

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::program::{fine, folder, pchr, refused, stderr};
use crate::common::sheet_painter::Painter;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::draw::Filter;
use pchr::formats::{ReadOptions, format_name, open};
use pchr::math::color::premultiply;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

use written::{Frame, Turn, dialects, frames, pack};

/// The frame that a step shows.
fn shown(character: &Character, animation: &str, step: u32) -> String {
    let model = character.model();
    let mut pose = Pose::default();
    let cue =
        Cue { animation: model.find_animation(animation), position: Position::frame(step), ..Cue::default() };
    evaluate(character, &cue, &mut pose);
    let mut names = pose.visible_attachments(model).map(|id| model.attachment(id).name().trim_end_matches(".png"));
    names.next().unwrap_or_default().to_owned()
}

/// Checks that every frame exists once, at its place, and again in its animation.
#[track_caller]
fn assert_shows(path: &Path, frames: &[Frame], title: &str) {
    let what = path.display();
    let mut diagnostics = Diagnostics::default();
    let character =
        open(path, &ReadOptions::default(), &mut diagnostics).unwrap_or_else(|error| panic!("{error}"));
    assert!(diagnostics.is_empty(), "{what}: {:?}", diagnostics.findings());
    let model = character.model();
    let names: Vec<(&str, u32)> =
        model.animations().iter().map(|animation| (animation.name.as_str(), animation.frame_count())).collect();
    let count = |name| frames.iter().filter(|frame| frame.animation == name).count() as u32;
    let expected = [(title, frames.len() as u32), ("idle", count("idle")), ("run", count("run"))];
    assert_eq!(names, expected, "{what}");
    let number = |name: &str| -> (String, usize) {
        let (animation, number) = name.rsplit_once('_').unwrap_or_else(|| panic!("{what}: `{name}`"));
        (animation.to_owned(), number.parse().expect("a number"))
    };
    for name in ["idle", "run"] {
        let order: Vec<(String, usize)> =
            (0..count(name)).map(|step| number(&shown(&character, name, step))).collect();
        let expected: Vec<(String, usize)> =
            (0..count(name) as usize).map(|step| (name.to_owned(), step)).collect();
        assert_eq!(order, expected, "{what}");
    }
    let mut painter = Painter::new(&character);
    let mut seen = Vec::new();
    for step in 0..frames.len() as u32 {
        let (animation, number) = number(&shown(&character, title, step));
        let frame =
            frames.iter().find(|frame| frame.animation == animation && frame.number == number).expect("one");
        // With a border, to detect pixels drawn outside.
        let border = 3i64;
        let [width, height] = frame.canvas.map(|side| side as i64 + 2 * border);
        for filter in [Filter::Nearest, Filter::Linear] {
            let id = model.animation_ids().next().expect("one");
            let found = painter.paint(id, Position::frame(step), [width, height], [border, border], filter);
            let is_right = |(index, found): (usize, &[u8; 4])| {
                let (x, y) = (index as i64 % width - border, index as i64 / width - border);
                let is_inside =
                    (0..frame.canvas[0] as i64).contains(&x) && (0..frame.canvas[1] as i64).contains(&y);
                let expected = if is_inside { frame.at(x as usize, y as usize) } else { [0; 4] };
                *found == premultiply(expected)
            };
            let wrong = found.iter().enumerate().filter(|pixel| !is_right((pixel.0, pixel.1))).count();
            assert!(wrong == 0, "{what}: frame {animation} {number}, {filter:?}: {wrong} pixels differ");
        }
        seen.push((animation, number));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), frames.len(), "{what}");
}

#[test]
fn every_dialect_shows_the_same_pixels() {
    let (frames, place) = (frames(), folder());
    // The art covers the tested cases: odd offsets, and frames that are not square.
    let (packed, _) = pack(&frames, &[Turn::None], 1);
    assert!(packed.iter().any(|entry| entry.offset().iter().any(|offset| offset.fract() != 0.0)));
    assert!(packed.iter().filter(|entry| entry.area[2] != entry.area[3]).count() > 8);
    for (path, kind) in dialects(&frames, place.path()) {
        assert_eq!(format_name(&fs::read(&path).expect("a file")), Some(kind), "{}", path.display());
        assert_shows(&path, &frames, "art");
    }
}

#[test]
fn every_dialect_becomes_json_that_shows_the_same() {
    let (frames, place) = (frames(), folder());
    for (path, _) in dialects(&frames, place.path()) {
        let input = path.to_string_lossy();
        for to in ["sheet", "sheet-hash", "sheet-multiatlas"] {
            let output = path.with_file_name(format!("{to}/art.json"));
            fine(place.path(), &["convert", &input, "-o", &output.to_string_lossy(), "--to", to, "-q"]);
            assert_shows(&output, &frames, "art");
        }
        let packed = path.with_file_name("packed.sprsh");
        let output = pchr(place.path(), &["convert", &input, "-o", &packed.to_string_lossy(), "-q"]);
        match path.parent().is_some_and(|folder| folder.ends_with("new-atlas")) {
            true => assert!(stderr(&output).contains("a .sprsh can contain only one"), "{}", stderr(&output)),
            false => assert_shows(&packed, &frames, "packed"),
        }
    }
}

#[test]
fn frames_that_share_pixels_are_not_turned_in_place() {
    let place = folder();
    let (_, sheet) = pack(&frames(), &[Turn::None], 1);
    fs::write(place.path().join("art.png"), &sheet.pages[0].1).expect("space");
    let text = "art.png\nsize: 210,256\na\nbounds: 2, 2, 8, 8\nrotate: 90\nb\nbounds: 5, 5, 20, 20\n";
    fs::write(place.path().join("art.atlas"), text).expect("space");
    let message = refused(place.path(), 3, &["convert", "art.atlas", "-o", "out/art.json", "--to", "sheet"]);
    assert!(message.contains("overlaps") && message.contains("line 6"), "{message}");
}

#[test]
fn both_programs_open_every_dialect() {
    let (frames, place) = (frames(), folder());
    let mut pictures = Vec::new();
    for (index, (path, kind)) in dialects(&frames, place.path()).into_iter().enumerate() {
        let input = path.to_string_lossy();
        let message = String::from_utf8(fine(place.path(), &["inspect", &input]).stdout).expect("UTF-8");
        assert!(message.contains(kind) && message.contains("idle") && message.contains("run"), "{message}");
        fine(place.path(), &["validate", &input, "--deny", "warnings"]);
        let output = format!("{index}.png");
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        let args = ["-a", "run", "-f", "3", "--backend", "cpu", "--fit", "0,0,64,48", "-o", &output, "-q"];
        let done = command.current_dir(place.path()).arg(&*input).args(args).output().expect("it runs");
        assert!(done.status.success(), "{}", stderr(&done));
        pictures.push(fs::read(place.path().join(output)).expect("a picture"));
    }
    assert!(pictures.len() > 8 && pictures.iter().all(|picture| *picture == pictures[0]));
}

#[test]
fn validate_finds_sheets_in_folders_and_ignores_other_files() {
    let (frames, place) = (frames(), folder());
    let count = dialects(&frames, place.path()).len();
    let write = |name: &str, text: &str| {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("space");
    };
    write(
        "others/Info.plist",
        "<?xml version='1.0'?><plist><dict><key>CFBundle</key><string>a</string></dict></plist>",
    );
    let long = format!(
        "<?xml version='1.0'?><plist><dict><key>Note</key><string>{}</string></dict></plist>",
        "a".repeat(300)
    );
    write("others/Long.plist", &long);
    write("others/page.xml", "<html><body/></html>");
    write("others/notes.atlas", "all of these\nare words\n");
    write("others/package.json", r#"{"file": "a", "frames": {"a": 1}}"#);
    // Atlases of skeletons: in their folder, below it, and in a sibling folder.
    let skeleton =
        r#"{"skeleton": {"spine": "3.8.75"}, "bones": [{"name": "root"}], "slots": [], "animations": {}}"#;
    let atlas = "none.png\nsize: 1,1\na\n  xy: 0, 0\n  size: 1, 1\n";
    for name in ["hero/hero.json", "below/hero-pro.json", "beside/data/hero.json"] {
        write(name, skeleton);
    }
    for name in ["hero/any.atlas", "below/images/hero.atlas", "beside/atlases/hero-pma.atlas"] {
        write(name, atlas);
    }
    write("beside/atlases/villain.atlas", atlas);
    let output = pchr(place.path(), &["validate", ".", "--style", "json"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let files = found["files"].as_array().expect("a list");
    let names: Vec<&str> = files.iter().map(|file| file["file"].as_str().unwrap_or_default()).collect();
    let is_listed = |name: &str| names.iter().any(|found| found.ends_with(name));
    assert!(is_listed("beside/atlases/villain.atlas"), "{names:?}");
    for name in [
        "any.atlas",
        "hero.atlas",
        "hero-pma.atlas",
        "Info.plist",
        "Long.plist",
        "page.xml",
        "notes.atlas",
        "package.json",
    ] {
        assert!(!is_listed(name), "{name}: {names:?}");
    }
    assert_eq!(names.len(), count + 4, "{names:?}");
    // A file given by name is always validated.
    fine(place.path(), &["validate", "new-atlas/art.atlas"]);
    refused(place.path(), 3, &["validate", "others/Long.plist"]);
    let output = pchr(place.path(), &["validate", "others/Info.plist"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("no dictionary `frames`"), "{}", stderr(&output));
}
