//! Sprite sheets, real and odd: compares what they show, pixel by pixel, with their JSON and their pictures.
//!
//! Our own sheets of the conformance data are fixtures; those of others are used in place.

use std::path::{Path, PathBuf};

use crate::common::sheet_painter::Painter;
use crate::common::sheet_reference::{Pixels, Reference, Shown};
use crate::common::{conformance, conformance_files, ours, say};
use pchr::Character;
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::draw::Filter;
use pchr::formats::Grid;
use pchr::formats::{Folder, Input, PageAlpha, ReadOptions, examine, open};
use pchr::math::color::premultiply;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

/// The result for an odd file: the codes of its findings, in order, or the code of the error.
type Expected = Result<&'static [&'static str], &'static str>;

/// Odd files of our own, by name.
const EDGE: &[(&str, Expected)] = &[
    ("badmagic.sprsh", Err("unknown-format")),
    ("badsize.json", Ok(&["sheet-size"])),
    ("bom.json", Ok(&[])),
    ("ctrl.json", Ok(&["control-character"])),
    ("dupkeys.json", Ok(&[])),
    ("empty1x1.json", Ok(&[])),
    ("escape.json", Ok(&["image-path"])),
    ("floats.json", Ok(&[])),
    ("hash-order.json", Ok(&[])),
    ("imglen-huge.sprsh", Err("truncated")),
    ("innerpad.json", Ok(&[])),
    ("jsonlen-huge.sprsh", Err("truncated")),
    ("minimal.json", Ok(&[])),
    ("no-duration.json", Ok(&[])),
    ("no-tags.json", Ok(&[])),
    ("noimage.sprsh", Err("sheet-without-image")),
    ("ok.sprsh", Ok(&[])),
    ("oob.json", Ok(&["frame-outside", "frame-outside", "frame-outside"])),
    ("pages-0.json", Ok(&[])),
    ("pages-1.json", Ok(&[])),
    ("pal.json", Ok(&[])),
    ("phaser3-multiatlas.json", Ok(&[])),
    ("rotated.json", Ok(&[])),
    ("scale2.json", Ok(&[])),
    ("short.sprsh", Err("truncated")),
    ("tags-bad.json", Ok(&["bad-tag", "bad-tag", "bad-tag", "empty-name"])),
    ("tags.json", Ok(&["bad-tag", "duplicate-name"])),
    ("trailing.sprsh", Ok(&["trailing-bytes"])),
    ("truncated.sprsh", Err("truncated")),
    ("ver2.sprsh", Err("unknown-version")),
    ("winpath.json", Ok(&["image-path"])),
];

/// The codes of all findings, or that of the error.
fn found(path: &Path) -> Result<Vec<&'static str>, &'static str> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let input = Input { bytes: bytes.into(), sidecars: &Folder::of(path) };
    let found = examine(&input, &ReadOptions::default()).map_err(|error| error.code())?;
    let error = found.findings().iter().find(|finding| finding.severity == Severity::Error);
    match error {
        Some(error) => Err(error.fault.code),
        None => Ok(found.findings().iter().map(|finding| finding.fault.code).collect()),
    }
}

/// Compares every frame of every animation with the reference: names, order, pixels and times.
fn compare(character: &Character, reference: &Reference, what: &str) -> usize {
    let model = character.model();
    let names: Vec<&str> = model.animations().iter().map(|animation| animation.name.as_str()).collect();
    let expected: Vec<&str> = reference.animations.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, expected, "{what}");
    let mut painter = Painter::new(character);
    let mut count = 0;
    for (id, (name, round, is_endless)) in model.animation_ids().zip(&reference.animations) {
        let animation = model.animation(id);
        assert_eq!(
            (animation.frame_count() as usize, animation.looping),
            (round.len(), *is_endless),
            "{what}: {name}"
        );
        let mut ms = 0.0;
        for (step, &frame) in round.iter().enumerate() {
            let shown = &reference.frames[frame];
            let middle = Position::Seconds((ms + shown.ms / 2.0) / 1000.0);
            let filters = [Filter::Nearest, Filter::Linear];
            let positions = [Position::frame(step as u32), middle];
            for (position, filter) in positions.into_iter().zip(filters) {
                let found = painter.paint(id, position, shown.size, shown.origin, filter);
                let same =
                    found.iter().zip(&shown.pixels).filter(|(found, shown)| **found == premultiply(**shown));
                let wrong = shown.pixels.len() - same.count();
                assert!(wrong == 0, "{what}: {name}, step {step}, {position:?}: {wrong} pixels differ");
            }
            ms += shown.ms;
            count += 1;
        }
        // The end of a finite animation is its last frame.
        let last = reference.frames[round[round.len() - 1]].ms;
        let expected = if *is_endless { ms } else { ms - last };
        assert!((animation.duration_secs() * 1000.0 - expected).abs() < 1e-6, "{what}: {name}");
    }
    count
}

/// Opens a character with unchanged pixels, as the reference does.
fn character(path: &Path) -> Character {
    let options = ReadOptions { page_alpha: PageAlpha::Straight, ..ReadOptions::default() };
    let character = open(path, &options, &mut Diagnostics::default());
    character.unwrap_or_else(|error| panic!("{error}"))
}

/// All JSON files in a folder tree, sorted.
fn jsons(part: &str) -> Vec<PathBuf> {
    let mut found = conformance_files(part, ".json");
    found.retain(|path| !path.ends_with("NOTES.json"));
    found
}

/// Returns true if the reference interprets the file as the reader does.
fn is_plain(path: &Path) -> bool {
    // Only the names reveal which sprite its tags belong to; tested by `conformance_tags_of_several_sprites`.
    !path.ends_with("run-n-gun-multi/frames.json")
}

fn check_all(part: &str) {
    let (mut files, mut frames) = (0, 0);
    for path in jsons(part).iter().filter(|path| is_plain(path)) {
        frames += compare(&character(path), &Reference::load(path), &path.display().to_string());
        files += 1;
    }
    say(&format!("{part}: {frames} frames of {files} files agree"));
    assert!(frames >= files && (files > 0 || part != "sheets/own"), "{part} has no files");
}

#[test]
fn odd_sheets_are_reported_as_expected() {
    let mut faults = Vec::new();
    for (name, expected) in EDGE {
        let found = found(&ours("sheets/own/edge").join(name));
        let expected = expected.map(<[&str]>::to_vec);
        if found != expected {
            faults.push(format!("{name}: {found:?}, expected {expected:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let known = |path: &PathBuf| EDGE.iter().any(|(name, _)| path.ends_with(name));
    assert!(jsons("sheets/own/edge").iter().all(known), "some file is not in the list");
}

#[test]
fn conformance_sheets() {
    check_all("sheets/own");
    check_all("sheets/real");
    for path in jsons("sheets/real") {
        let found = found(&path);
        assert!(found.is_ok(), "{}: {found:?}", path.display());
    }
}

#[test]
fn conformance_tags_of_several_sprites() {
    let Some(path) = conformance("sheets/real/run-n-gun-multi/frames.json") else { return };
    let character = character(&path);
    let model = character.model();
    let mut mismatched = 0;
    for id in model.animation_ids() {
        let animation = model.animation(id);
        for frame in 0..animation.frame_count() {
            let mut pose = Pose::default();
            let cue = Cue { animation: Some(id), position: Position::frame(frame), ..Cue::default() };
            evaluate(&character, &cue, &mut pose);
            let shown: Vec<&str> = pose.visible_attachments(model).map(|id| model.attachment(id).name()).collect();
            mismatched += usize::from(shown != [format!("{}:{frame}", animation.name)]);
        }
    }
    assert_eq!((model.animations().len(), mismatched), (11, 0));
}

/// Two sprites have a tag with that name: the first one is used, in every run.
#[test]
fn the_first_of_several_sprites_with_a_tag_is_used() {
    let names = ["a_run:0", "b_idle:0", "b_walk:0", "c_walk:0", "d_walk:0", "e_walk:0"];
    let frame =
        |name: &str| format!(r#"{{"filename":"{name}","frame":{{"x":0,"y":0,"w":1,"h":1}},"duration":100}}"#);
    let frames: Vec<String> = names.iter().map(|name| frame(name)).collect();
    let tags = r#"[{"name":"run","from":0,"to":0},{"name":"walk","from":1,"to":1}]"#;
    let json =
        format!(r#"{{"frames":[{}],"meta":{{"size":{{"w":1,"h":1}},"frameTags":{tags}}}}}"#, frames.join(","));
    for _ in 0..8 {
        let character = Character::from_bytes(json.clone()).expect("it is valid");
        let model = character.model();
        let mut pose = Pose::default();
        let cue = Cue { animation: model.find_animation("walk"), ..Cue::default() };
        evaluate(&character, &cue, &mut pose);
        let shown: Vec<&str> = pose.visible_attachments(model).map(|id| model.attachment(id).name()).collect();
        assert_eq!(shown, ["b_walk:0"]);
    }
}

#[test]
fn packed_sheets_are_their_json_and_picture() {
    let edge = ours("sheets/own/edge");
    let reference = Reference::load(&edge.join("no-tags.json"));
    for name in ["ok.sprsh", "trailing.sprsh"] {
        let character = character(&edge.join(name));
        let total: u32 = character.model().animations().iter().map(|animation| animation.frame_count()).sum();
        assert_eq!(total as usize, reference.frames.len(), "{name}");
        let mut painter = Painter::new(&character);
        let mut frame = 0;
        for id in character.model().animation_ids() {
            for step in 0..character.model().animation(id).frame_count() {
                let shown = &reference.frames[frame];
                let found = painter.paint(id, Position::frame(step), shown.size, shown.origin, Filter::Nearest);
                let is_same = found.iter().zip(&shown.pixels).all(|(a, b)| *a == premultiply(*b));
                assert!(is_same, "{name}: frame {frame}");
                frame += 1;
            }
        }
    }
}

#[test]
fn a_grid_cuts_a_picture() {
    let path = ours("sheets/own/edge/tags.png");
    let picture = Pixels::decode(&std::fs::read(&path).expect("a picture"));
    for (count, expected) in [(None, 16), (Some(14), 14), (Some(1), 1)] {
        let options = ReadOptions {
            grid: Some(Grid { width: 64, height: 48, count, ..Grid::default() }),
            fps: Some(12.5),
            ..ReadOptions::default()
        };
        let character = open(&path, &options, &mut Diagnostics::default()).expect("it opens");
        let model = character.model();
        let animation = &model.animations()[0];
        assert_eq!((&*animation.name, animation.frame_count(), animation.fps()), ("tags", expected, 12.5));
        let mut painter = Painter::new(&character);
        for frame in 0..expected {
            let (left, top) = (i64::from(frame % 4) * 64, i64::from(frame / 4) * 48);
            let pixels =
                (0..48).flat_map(|y| (0..64).map(move |x| (x, y))).map(|(x, y)| picture.at(left + x, top + y));
            let shown = Shown { size: [64, 48], origin: [0, 0], pixels: pixels.collect(), ms: 80.0 };
            let id = model.animation_ids().next().expect("one animation");
            let found = painter.paint(id, Position::frame(frame), shown.size, shown.origin, Filter::Auto);
            assert!(found.iter().zip(&shown.pixels).all(|(a, b)| *a == premultiply(*b)), "frame {frame}");
        }
    }
    let error = open(&path, &ReadOptions::default(), &mut Diagnostics::default()).expect_err("no grid");
    assert_eq!(error.code(), "png-without-grid");
    assert!(error.to_string().contains("--grid WxH"), "{error}");
}

#[test]
fn an_animator_shows_each_frame_for_its_time() {
    let text = r#"{"frames": [
        {"frame": {"x": 0, "y": 0, "w": 2, "h": 2}, "duration": 100},
        {"frame": {"x": 2, "y": 0, "w": 2, "h": 2}, "duration": 20},
        {"frame": {"x": 0, "y": 0, "w": 1, "h": 2}, "duration": 300}], "meta": {"frameTags": [
        {"name": "there and back", "from": 0, "to": 2, "direction": "pingpong"},
        {"name": "once", "from": 0, "to": 2, "repeat": "1"}]}}"#;
    let character = Character::from_bytes(text).expect("it opens");
    let mut animator = pchr::Animator::new(character);
    let mut shown = |name: &str, ms: u32| {
        animator.play(name).expect("the animation");
        let mut shown = vec![animator.playback(0).frame()];
        for _ in 0..ms {
            animator.advance(0.001);
            shown.push(animator.playback(0).frame());
        }
        (shown, animator.is_finished(0))
    };
    let (frames, _) = shown("there and back", 600);
    let count = |frame| frames.iter().filter(|shown| **shown == frame).count();
    // 100, 20, 300 and 20 ms make a loop of 440 ms, followed by 160 ms of the next.
    assert_eq!([count(0), count(1), count(2), count(3)], [200, 40, 341, 20]);
    let (frames, is_finished) = shown("once", 500);
    assert_eq!((frames[99], frames[100], frames[119], frames[120], frames[500]), (0, 1, 1, 2, 2));
    assert!(is_finished);
    // The next change is announced correctly.
    animator.stop();
    animator.play("there and back").expect("the animation");
    for expected in [0.1, 0.02, 0.3, 0.02, 0.1] {
        let secs = animator.secs_to_next_change().expect("it moves");
        assert!((secs - expected).abs() < 1e-9, "{secs}, expected {expected}");
        animator.advance(secs);
    }
}

/// The index of the animation that each name selects in a sheet of these frames.
fn selected<const N: usize>(text: &str, names: [&str; N]) -> [Option<usize>; N] {
    let character = Character::from_bytes(text.to_owned()).unwrap_or_else(|error| panic!("{error}"));
    names.map(|name| character.model().find_animation(name).map(pchr::model::AnimationId::index))
}

#[test]
fn clips_are_found_by_name_prefix_and_stem() {
    let json = |names: &[&str]| {
        let frame =
            |name: &&str| format!(r#"{{"filename": "{name}", "frame": {{"x": 0, "y": 0, "w": 1, "h": 1}}}}"#);
        let frames: Vec<String> = names.iter().map(frame).collect();
        format!(r#"{{"frames": [{}], "meta": {{"image": "none.png"}}}}"#, frames.join(","))
    };
    let names = ["none", "a/walk", "a/walk/", "walk", "walk/", "a"];
    let alone = json(&["a/walk/0001.png", "a/walk/0002.png"]);
    assert_eq!(selected(&alone, names), [Some(0), Some(0), Some(0), Some(0), None, None]);
    let beside = json(&["a/walk/0001.png", "a/walk/0002.png", "b_1", "b_2", "none1", "none2"]);
    assert_eq!(selected(&beside, names), [Some(3), Some(1), Some(1), Some(1), None, None]);
    assert_eq!(selected(&beside, ["none (all frames)", "b", "b_", "B"]), [Some(0), Some(2), Some(2), None]);
    let starling = "<TextureAtlas imagePath='none.png'><SubTexture name='a 10000' x='0' y='0' width='1' height='1'/>\
        <SubTexture name='b0000' x='0' y='0' width='1' height='1'/></TextureAtlas>";
    assert_eq!(
        selected(starling, ["a 1", "a 10000", "a", "b", "b0000"]),
        [Some(1), Some(1), None, Some(2), Some(2)]
    );
}
