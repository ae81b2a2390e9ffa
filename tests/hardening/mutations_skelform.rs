//! SkelForm files damaged in thousands of ways that are the same in every run, as archives and as JSON: each gives an
//! error or a pose, in bounded memory and time, and looking for everything comes to the same. What is read can be
//! written anew. Nothing panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::common::checks::{assert_same_verdict, assert_upgrades, examined, verdict};
use crate::common::json_damage::{SKELFORM, damage_json};
use crate::common::memory::peak;
use crate::common::random::Random;
use crate::common::zip::{Entry, entries, zip};
use crate::common::{conformance_files, say};
use bytes::Bytes;
use pchr::Character;
use pchr::formats::ReadOptions;
use pchr::limits::Limits;
use pchr::motion::{Cue, Dynamics, Position, evaluate};
use pchr::pose::{Pose, bounds, palette};

/// In how many ways each file is damaged. Without optimisation it takes too long.
const WAYS: u64 = if cfg!(debug_assertions) { 100 } else { 5000 };
/// Far more than any of them takes.
const PATIENCE: Duration = Duration::from_secs(20);
/// In place of real pictures, which take long to decode and are not what is damaged.
const PNG: &[u8] = include_bytes!("../fixtures/pchr-json/description/atlas.png");

/// Poses at some times, with and without physics.
fn pose(character: &Character) {
    let model = character.model();
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    let mut dynamics = Dynamics::default();
    for animation in model.animation_ids().take(3).map(Some).chain([None]) {
        for seconds in [0.0, 0.4, 1e6] {
            let cue = Cue { animation, position: Position::Seconds(seconds), ..Cue::default() };
            evaluate(character, &cue, &mut pose);
            palette(model, &pose, &mut matrices);
            bounds(model, &pose, &matrices);
            dynamics.set_smoothing(seconds);
            dynamics.step(character, &cue, &mut pose);
        }
    }
}

/// What must hold; says whether it was read.
fn ask(bytes: &Bytes, pixels: usize) -> bool {
    let options = ReadOptions::default();
    let start = Instant::now();
    let (is_read, peak) = peak(|| {
        let read = verdict(bytes, &options);
        assert_same_verdict(bytes, &options, &read, &examined(bytes, &options));
        read.result.is_ok_and(|character| {
            pose(&character);
            true
        })
    });
    let allowed = 64 * bytes.len() + 8 * pixels + (16 << 20);
    assert!(peak <= allowed, "{peak} bytes of memory, allowed are {allowed}");
    assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
    is_read
}

/// Damages a file in one way of many: its JSON as JSON, or the archive as bytes.
fn damaged(whole: &[Entry], random: &mut Random, as_json: bool) -> Vec<u8> {
    let mut parts = whole.to_vec();
    if as_json {
        for part in parts.iter_mut().filter(|part| part.name == "armature.json") {
            let mut text = part.packed.clone();
            (0..1 + random.below(3)).for_each(|_| damage_json(&mut text, &SKELFORM, random));
            *part = Entry::stored(&part.name, &text);
        }
        return zip(&parts);
    }
    match random.below(4) {
        0 => parts.swap_remove(random.below(whole.len())).packed.clear(),
        1 => parts.push(whole[random.below(whole.len())].clone()),
        _ => {}
    }
    let mut bytes = zip(&parts);
    for _ in 0..1 + random.below(4) {
        // Half of the time where the archive is described.
        let tail = bytes.len().min(400);
        let at =
            if random.below(2) == 0 { bytes.len() - 1 - random.below(tail) } else { random.below(bytes.len()) };
        match random.below(6) {
            0 => bytes.truncate(at.max(1)),
            1 => drop(bytes.splice(at..at, [random.next() as u8])),
            _ => bytes[at] ^= 1 << random.below(8),
        }
    }
    bytes
}

fn run(files: &[PathBuf], ways: u64) {
    for file in files {
        let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut parts = entries(&bytes);
        assert!(!parts.is_empty(), "{} has no entries", file.display());
        for part in parts.iter_mut().filter(|part| part.name.starts_with("atlas")) {
            *part = Entry::stored(&part.name, PNG);
        }
        parts.retain(|part| part.name != "thumbnail.png");
        let whole: Bytes = zip(&parts).into();
        assert!(ask(&whole, 64), "{} is not read", file.display());
        for as_json in [false, true] {
            let mut read = 0;
            for seed in 0..ways {
                let bytes: Bytes = damaged(&parts, &mut Random(seed), as_json).into();
                let asked = catch_unwind(AssertUnwindSafe(|| {
                    let is_read = ask(&bytes, 1 << 16);
                    // That takes thrice as long as reading.
                    if is_read && seed % 16 == 0 {
                        assert_upgrades(&bytes, &Limits::default());
                    }
                    is_read
                }));
                read += u64::from(asked.unwrap_or_else(|_| panic!("{}: way {seed}", file.display())));
            }
            let what = if as_json { "JSON" } else { "archive" };
            say(&format!("{}: {what}: {read} of {ways} ways are read", file.display()));
            assert!(read > 0 && read < ways || ways < 100, "all ways come to the same");
        }
    }
}

/// The samples that were made for tests, or the others.
fn samples(are_made: bool) -> Vec<PathBuf> {
    let mut files = conformance_files("skelform/samples", ".skf");
    files.retain(|file| file.to_string_lossy().contains("synth-") == are_made);
    assert!(!files.is_empty(), "there are no samples");
    files
}

#[test]
fn a_damaged_file_gives_an_error_or_a_pose() {
    run(&samples(true), WAYS);
}

#[test]
fn conformance_damaged_samples_give_an_error_or_a_pose() {
    run(&samples(false), WAYS);
}
