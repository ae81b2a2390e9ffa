//! Sheets of every dialect, written as every dialect and packed again: the same animations show the same pixels.

use std::fs;
use std::path::{Path, PathBuf};

use pchr::Character;
use pchr::convert::{self, ConvertOptions, Converted, Repack};
use pchr::diagnostics::Diagnostics;
use pchr::draw::Filter;
use pchr::formats::table::{target, targets};
use pchr::formats::{Folder, Input, ReadOptions};
use pchr::model::AnimationId;
use pchr::motion::Position;

use crate::common::say;
use crate::common::sheet_painter::Painter;

#[path = "../../programs/pchr-view/tests/view/sheet_dialects/written.rs"]
#[allow(dead_code, reason = "only its files are used")]
mod written;

/// Width and height of the painted area, and the place of the world's origin in it.
const AREA: ([i64; 2], [i64; 2]) = ([96, 80], [30, 30]);
/// Frames that are compared of each animation.
const MOST: u32 = 3;

fn convert(path: &Path, to: &str, repack: Option<Repack>) -> Result<Converted, String> {
    let to = target(to).expect("a target");
    let bytes = fs::read(path).expect("a file").into();
    let sidecars = Folder::of(path);
    let options = ConvertOptions { repack, ..ConvertOptions::new(to, format!("it.{}", to.extension)) };
    let opened = convert::open(Input { bytes, sidecars: &sidecars }, &options.read, &mut Diagnostics::default());
    opened.map_err(|error| error.to_string())?.convert(&options).map_err(|error| error.to_string())
}

/// Writes the files into `folder` and returns the main one.
fn write(converted: &Converted, folder: &Path) -> PathBuf {
    let mut path = folder.to_owned();
    for file in converted.files.pictures.iter().chain(&converted.files.files) {
        path = folder.join(&file.name);
        file.write_to(&mut fs::File::create(&path).expect("a file")).expect("space");
    }
    path
}

fn loses(converted: &Converted, code: &str) -> bool {
    converted.losses.iter().any(|loss| loss.code == code)
}

fn paint(painter: &mut Painter<'_>, id: AnimationId, step: u32) -> Vec<[u8; 4]> {
    let (size, origin) = AREA;
    painter.paint(id, Position::frame(step), size, origin, Filter::Nearest).to_vec()
}

/// Checks that every animation of `before` is found in `after` and shows the same.
#[track_caller]
fn assert_shows(before: &Character, after: &Character, is_timed: bool, what: &str) {
    let (mut old, mut new) = (Painter::new(before), Painter::new(after));
    for id in before.model().animation_ids() {
        let animation = before.model().animation(id);
        let Some(same) = after.model().find_animation(&animation.name) else {
            // The animation of all frames has the name of the file, and one numbered frame is none.
            let is_short = animation.frame_count() == 1 || animation.name.is_empty();
            assert!(id.index() == 0 || is_short, "{what}: no `{}`", animation.name);
            continue;
        };
        let found = after.model().animation(same);
        if animation.looping {
            assert_eq!(found.frame_count(), animation.frame_count(), "{what}: {}", animation.name);
        }
        if is_timed {
            assert_eq!(found.looping, animation.looping, "{what}: {}", animation.name);
            let (a, b) = (animation.duration_secs(), found.duration_secs());
            assert!((a - b).abs() < 1e-4 * a.max(1.0), "{what}: {}: {a} s, {b} s", animation.name);
        }
        for step in 0..animation.frame_count().min(found.frame_count()).min(MOST) {
            let is_same = paint(&mut old, id, step) == paint(&mut new, same, step);
            assert!(is_same, "{what}: frame {step} of `{}`", animation.name);
        }
    }
}

/// Sheets of all dialects.
fn inputs(place: &Path) -> Vec<PathBuf> {
    let frames = written::frames();
    let mut paths: Vec<PathBuf> = written::dialects(&frames, place).into_iter().map(|(path, _)| path).collect();
    paths.retain(|path| Character::open(path).is_ok());
    paths.sort();
    paths
}

#[test]
fn every_dialect_becomes_every_other() {
    let place = tempfile::tempdir().expect("a folder");
    let ways = [None, Some(Repack { may_turn: true, padding: 1, extrude: 1, ..Repack::default() })];
    let (mut count, mut refused) = (0, Vec::new());
    for (number, path) in inputs(place.path()).iter().enumerate() {
        let before = Character::open(path).expect("it opens");
        for target in targets().filter(|target| target.is_sheet && target.extension != "sprsh") {
            for (way, repack) in ways.into_iter().enumerate() {
                let what = format!("{} as {}, {repack:?}", path.display(), target.name);
                let converted = match convert(path, target.name, repack) {
                    Ok(converted) => converted,
                    Err(error) => {
                        refused.push(format!("{what}: {error}"));
                        continue;
                    }
                };
                let folder = place.path().join(format!("{number}-{}-{way}", target.name));
                fs::create_dir(&folder).expect("a folder");
                let written = write(&converted, &folder);
                let mut diagnostics = Diagnostics::default();
                let after = pchr::formats::open(&written, &ReadOptions::default(), &mut diagnostics);
                let after = after.unwrap_or_else(|error| panic!("{what}: {error}"));
                if loses(&converted, "frames-dropped") || loses(&converted, "origin-dropped") {
                    continue;
                }
                let is_stored = target.extension == "json" || target.name == "sheet-godot";
                let is_timed = is_stored && !loses(&converted, "duration-rounded");
                assert_shows(&before, &after, is_timed, &what);
                count += 1;
            }
        }
    }
    say(&format!("sheets: {count} conversions show the same; refused:\n{}", refused.join("\n")));
    assert!(count > 150, "only {count}");
}

#[test]
fn frames_packed_again_take_less_room_and_keep_the_rest() {
    let place = tempfile::tempdir().expect("a folder");
    let mut count = 0;
    for (number, path) in inputs(place.path()).iter().enumerate() {
        let before = Character::open(path).expect("it opens");
        let Ok(converted) = convert(path, "sheet", Some(Repack::default())) else { continue };
        let folder = place.path().join(number.to_string());
        fs::create_dir(&folder).expect("a folder");
        let after = Character::open(write(&converted, &folder)).expect("it opens");
        let names = |character: &Character| -> Vec<String> {
            character.model().animations().iter().map(|animation| animation.name.clone()).skip(1).collect()
        };
        assert_eq!(names(&after), names(&before), "{}", path.display());
        let area = |character: &Character| -> u64 {
            character.model().pages().iter().map(|page| u64::from(page.width) * u64::from(page.height)).sum()
        };
        assert!(area(&after) <= area(&before).max(1) || area(&before) < 64, "{}", path.display());
        count += 1;
    }
    assert!(count >= 10, "only {count}");
}
