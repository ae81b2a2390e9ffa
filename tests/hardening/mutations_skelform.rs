//! SkelForm files damaged in hundreds of reproducible ways, as archives and as JSON: each gives an error or a
//! pose, in bounded memory and time, and an examination agrees. Readable files can be rewritten. Nothing panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::common::checks::{assert_same_verdict, assert_upgrades, examined, verdict};
use crate::common::json_damage::{SKELFORM, damage_json};
use crate::common::memory::peak;
use crate::common::random::{Random, ways};
use crate::common::zip::{Entry, entries, zip};
use crate::common::{conformance_files, say};
use bytes::Bytes;
use pchr::Character;
use pchr::formats::ReadOptions;
use pchr::limits::Limits;
use pchr::motion::{Cue, Dynamics, Position, evaluate};
use pchr::pose::{Pose, bounds, palette};

/// Maximum time for one file; all take far less.
const PATIENCE: Duration = Duration::from_secs(20);
/// Replaces the real pictures, which are slow to decode and not the subject of this test.
const PNG: &[u8] = include_bytes!("../fixtures/pchr-json/description/atlas.png");

/// Evaluates poses at some times, with and without physics.
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

/// Checks everything that must hold, and returns true if the file is readable.
fn check(bytes: &Bytes, pixels: usize) -> bool {
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
    assert!(peak <= allowed, "{peak} bytes of memory, the limit is {allowed}");
    assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
    is_read
}

/// Damages a file: its JSON as JSON, or the archive as bytes.
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
        // Half of the time in the central directory.
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
        assert!(check(&whole, 64), "{} cannot be read", file.display());
        for as_json in [false, true] {
            let mut read = 0;
            for seed in 0..ways {
                let bytes: Bytes = damaged(&parts, &mut Random(seed), as_json).into();
                let checked = catch_unwind(AssertUnwindSafe(|| {
                    let is_read = check(&bytes, 1 << 16);
                    // Only sometimes, since it takes three times as long as reading.
                    if is_read && seed % 16 == 0 {
                        assert_upgrades(&bytes, &Limits::default());
                    }
                    is_read
                }));
                read += u64::from(checked.unwrap_or_else(|_| panic!("{}: way {seed}", file.display())));
            }
            let what = if as_json { "JSON" } else { "archive" };
            say(&format!("{}: {what}: {read} of {ways} damaged files can be read", file.display()));
            // In a few ways only, all may give the same.
            assert!(read > 0 && read < ways || ways <= 100, "all damaged files give the same result");
        }
    }
}

/// The samples made for tests, or the others.
fn samples(are_made: bool) -> Vec<PathBuf> {
    let mut files = conformance_files("skelform/samples", ".skf");
    files.retain(|file| file.to_string_lossy().contains("synth-") == are_made);
    assert!(!files.is_empty(), "no samples found");
    files
}

#[test]
fn a_damaged_file_gives_an_error_or_a_pose() {
    run(&samples(true), ways());
}

#[test]
fn conformance_damaged_samples_give_an_error_or_a_pose() {
    run(&samples(false), ways());
}
