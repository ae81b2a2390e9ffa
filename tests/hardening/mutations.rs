//! Every fixture and our own character, damaged in hundreds of reproducible ways: each gives an error with a
//! place, or a picture, in bounded memory, and an examination agrees. Nothing panics.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::common::byte_damage::damage_bytes;
use crate::common::checks::{assert_same_verdict, draw, examined, verdict};
use crate::common::json_damage::{ANIMATE, PCHR, damage_json};
use crate::common::memory::{allowed_bytes, peak};
use crate::common::random::{Random, ways};
use crate::common::text_part::TextPart;
use crate::common::v1::{BoneTransform, File, write};
use crate::common::v1_read::read;
use crate::common::{say, white};
use crate::fuzzing::document_checks::round_trip;
use crate::quirks::fixtures;
use bytes::Bytes;
use pchr::formats::ReadOptions;

/// Number of ways that a thread takes at a time.
const BATCH: u64 = 100;

/// Number of faults after which a thread stops; each is reported and kept.
const MOST_FAULTS: usize = 3;

/// A file to damage.
struct Victim {
    /// The form of the file.
    form: String,
    name: String,
    bytes: Vec<u8>,
    /// The options to read it with.
    options: ReadOptions,
    ways: u64,
}

/// The results for damaged files.
#[derive(Default)]
struct Outcome {
    opened: BTreeMap<String, u64>,
    codes: BTreeSet<&'static str>,
    refused: u64,
    faults: Vec<String>,
}

#[test]
fn a_damaged_file_gives_an_error_or_a_picture() {
    let victims = victims();
    assert!(victims.len() >= 175, "only {} files to damage", victims.len());
    let batches: Vec<(&Victim, Range<u64>)> = victims
        .iter()
        .flat_map(|victim| {
            let starts = (0..victim.ways).step_by(BATCH as usize);
            starts.map(move |start| (victim, start..victim.ways.min(start + BATCH)))
        })
        .collect();
    let outcome = on_every_core(&batches, |outcome, (victim, ways)| {
        ways.clone().for_each(|way| damage(victim, way, &victims, outcome));
    });
    assert!(outcome.faults.is_empty(), "these files fail:\n{}", outcome.faults.join("\n"));
    let total: u64 = victims.iter().map(|victim| victim.ways).sum();
    assert_eq!(outcome.opened.values().sum::<u64>() + outcome.refused, total);
    say(&format!(
        "mutations: {total} of {} files, {} are refused with {} different codes, {:?} open",
        victims.len(),
        outcome.refused,
        outcome.codes.len(),
        outcome.opened
    ));
    // If damage were always found at the first byte, the rest would not be tested.
    for (form, least) in
        [("pchr", 15), ("pchr-json", 5), ("pchr-packed", 5), ("sheet", 5), ("aseprite", 5), ("animate", 5)]
    {
        let of_form = victims.iter().filter(|victim| victim.form == form);
        let total: u64 = of_form.map(|victim| victim.ways).sum();
        let opened = outcome.opened.get(form).copied().unwrap_or_default();
        let percent = opened * 100 / total.max(1);
        assert!((least..=75).contains(&percent), "{percent} % of the damaged {form} files open");
    }
    assert!(outcome.codes.len() >= 18, "only {:?} were reached", outcome.codes);
}

/// The fixtures, and the knight twice: unchanged, and with a tiny picture and few frames. Its picture is decoded and its
/// frames are written as text every time.
fn victims() -> Vec<Victim> {
    let mut victims = Vec::new();
    for fixture in fixtures() {
        let bytes = std::fs::read(fixture.path()).expect("a fixture");
        let part = |path: Option<&Path>| {
            path.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned()
        };
        let (form, name) = (part(fixture.folder.parent()), part(Some(&fixture.folder)));
        victims.push(Victim {
            name: format!("{form}-{name}"),
            form,
            bytes,
            options: fixture.options,
            ways: ways(),
        });
    }
    let knight = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-knight.pchr");
    let knight = std::fs::read(knight).expect("the knight");
    let mut light = File { images: vec![white("atlas", 2, 2)], ..read(&knight) };
    let frame = light.bones.len() * BoneTransform::SIZE;
    for animation in &mut light.animations {
        let frames: Vec<&[u8]> = animation.frames.bytes.chunks_exact(frame).step_by(10).collect();
        (animation.frame_count, animation.frames) = (frames.len() as u16, frames.concat().into());
    }
    let light = write(&light).expect("it fits");
    let mut own = |name: &str, bytes, ways| {
        victims.push(Victim {
            name: name.to_owned(),
            form: "pchr".to_owned(),
            bytes,
            options: ReadOptions::default(),
            ways,
        });
    };
    own("knight-with-small-picture", light, ways());
    // The 1024 × 1024 pixels of its picture are decoded every time.
    own("knight", knight, ways() / 50);
    victims
}

/// Applies `work` to every item, on one thread per core.
fn on_every_core<T: Sync>(items: &[T], work: impl Fn(&mut Outcome, &T) + Sync) -> Outcome {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut outcome = Outcome::default();
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(&mut outcome, item);
        }
        outcome
    };
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(run)).collect();
        threads.into_iter().fold(Outcome::default(), |mut all, thread| {
            let outcome = thread.join().expect("panics are caught");
            outcome.opened.into_iter().for_each(|(form, count)| *all.opened.entry(form).or_default() += count);
            all.refused += outcome.refused;
            all.codes.extend(outcome.codes);
            all.faults.extend(outcome.faults);
            all
        })
    })
}

/// Applies damage number `way` to `victim`, checks the result, and keeps the file if a check fails.
fn damage(victim: &Victim, way: u64, others: &[Victim], outcome: &mut Outcome) {
    if outcome.faults.len() >= MOST_FAULTS {
        return;
    }
    let Victim { name, bytes, options, .. } = victim;
    let bytes = Bytes::from(damaged(name, bytes, way, others));
    match catch_unwind(AssertUnwindSafe(|| check(&bytes, options))) {
        Ok(None) => *outcome.opened.entry(victim.form.clone()).or_default() += 1,
        Ok(Some(code)) => {
            outcome.refused += 1;
            outcome.codes.insert(code);
        }
        Err(_) => {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mutation-{name}-{way}"));
            std::fs::write(&path, &bytes).expect("space");
            outcome.faults.push(format!("{name}, way {way}: kept as {}", path.display()));
        }
    }
}

/// Checks everything that must hold for any file. Returns the code of the error if it does not open.
fn check(bytes: &Bytes, options: &ReadOptions) -> Option<&'static str> {
    let (verdict, read_peak) = peak(|| verdict(bytes, options));
    let (found, found_peak) = peak(|| examined(bytes, options));
    let (allowed, taken) = (allowed_bytes(bytes), read_peak.max(found_peak));
    assert!(
        taken <= allowed,
        "reading {} bytes took {taken} bytes of memory, the limit is {allowed}",
        bytes.len()
    );
    assert_same_verdict(bytes, options, &verdict, &found);
    round_trip(bytes, &options.limits);
    match &verdict.result {
        Ok(character) => {
            draw(character);
            None
        }
        Err(error) => Some(error.code()),
    }
}

/// Applies one to four kinds of damage to `bytes`; reproducible for the same name and way.
fn damaged(name: &str, bytes: &[u8], way: u64, others: &[Victim]) -> Vec<u8> {
    // FNV-1a of the name, so that every file is damaged differently.
    let seed = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let mut random = Random(seed ^ way.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(2) * random.below(4) {
        let is_damaged = random.below(3) > 0 && damage_text(&mut bytes, &mut random);
        if !is_damaged {
            damage_bytes(&mut bytes, &mut random, |random| &others[random.below(others.len())].bytes);
        }
    }
    bytes
}

/// Damages the JSON text of a file, if it has one, and adjusts the lengths around it.
fn damage_text(bytes: &mut Vec<u8>, random: &mut Random) -> bool {
    let Some(mut part) = TextPart::of(bytes) else { return false };
    let is_animate = part.text.starts_with(b"{\"AN\"");
    damage_json(&mut part.text, if is_animate { &ANIMATE } else { &PCHR }, random);
    *bytes = part.join();
    true
}
