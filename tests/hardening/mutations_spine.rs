//! Every Spine fixture damaged in hundreds of reproducible ways: each gives an error with a place, or poses, in
//! bounded memory and time. Nothing panics.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::json_damage::{SPINE, damage_json};
use crate::common::memory::peak;
use crate::common::ours;
use crate::common::random::{Random, ways};
use crate::common::spine_checks::{assert_placed, pose, read};
use crate::common::{files_in, say};
use bytes::Bytes;
use pchr::limits::Limits;

/// A file to damage.
struct Victim {
    name: String,
    text: Vec<u8>,
    tokens: Vec<Range<usize>>,
}

/// The results for damaged files.
#[derive(Default)]
struct Outcome {
    opened: usize,
    refused: usize,
    slowest: Duration,
    faults: Vec<String>,
}

/// Number of faults after which a thread stops.
const MOST_FAULTS: usize = 3;

/// Maximum time for one file. The largest takes a few milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

#[test]
fn damaged_files_are_read_or_refused() {
    let victims = victims();
    assert!(victims.len() >= 65, "only {} files to damage", victims.len());
    let ways = ways();
    let next = AtomicUsize::new(0);
    let run = || {
        let mut outcome = Outcome::default();
        while let Some(victim) = victims.get(next.fetch_add(1, Ordering::Relaxed)) {
            (0..ways).for_each(|way| damage(victim, way, &mut outcome));
        }
        outcome
    };
    let start = Instant::now();
    let outcomes: Vec<Outcome> = thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().expect("panics are caught")).collect()
    });
    let faults: Vec<&String> = outcomes.iter().flat_map(|outcome| &outcome.faults).collect();
    assert!(faults.is_empty(), "these files fail: {faults:#?}");
    let opened: usize = outcomes.iter().map(|outcome| outcome.opened).sum();
    let refused: usize = outcomes.iter().map(|outcome| outcome.refused).sum();
    let slowest = outcomes.iter().map(|outcome| outcome.slowest).max().unwrap_or_default();
    let total = ways as usize * victims.len();
    say(&format!(
        "mutations: {total} of {} Spine files in {:.0?}, {opened} open, {refused} are refused, the slowest took {slowest:.0?}",
        victims.len(),
        start.elapsed()
    ));
    assert_eq!(opened + refused, total);
    // If damage were always found at the first byte, the rest would not be tested.
    assert!((20..=80).contains(&(100 * opened / total)), "{opened} of {total} open");
    assert!(slowest < PATIENCE, "the slowest took {slowest:?}");
}

/// The skeletons, largest first so that no core waits for another, and an atlas.
fn victims() -> Vec<Victim> {
    let mut paths = Vec::new();
    for root in ["spine/own", "spine4/4.0", "spine4/4.1", "spine4/4.2"] {
        for entry in std::fs::read_dir(ours(root)).expect("the fixtures") {
            paths.extend(files_in(&entry.expect("a folder").path(), ".json"));
        }
    }
    // Small rigs with what is new in 4.3.
    for name in ["sliders", "clipping-inverse", "scale-y-modes", "draw-order-folders"] {
        paths.extend(files_in(&ours("spine-next/4.3").join(name), ".json"));
    }
    paths.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-lamp-4.3.json"));
    let victim = |name: String, text: Vec<u8>| Victim { tokens: tokens(&text), name, text };
    let mut victims: Vec<Victim> = paths
        .iter()
        .map(|path| {
            let version = path.ancestors().nth(2).and_then(Path::file_name).expect("a folder").to_string_lossy();
            let name = path.file_stem().expect("a name").to_string_lossy();
            // The same damage as always to the rigs of 3.8.
            let name = if version == "own" { name.into_owned() } else { format!("{version}-{name}") };
            victim(name, std::fs::read(path).expect("a fixture"))
        })
        .collect();
    let page = "size: 64, 32\nformat: RGBA8888\nfilter: Linear, Nearest\nrepeat: none\n";
    let atlas = format!(
        "\npage.png\n{page}hat\n  rotate: true\n  xy: 2, 4\n  size: 16, 8\n  orig: 20, 10\n  offset: 4, 2\n  index: -1\n\
         \nother.png\npma: true\ncap\nbounds: 1, 2, 3, 4\noffsets: 1, 1, 5, 6\nrotate: 270\n"
    );
    victims.push(victim("atlas".to_owned(), atlas.into_bytes()));
    victims.sort_by(|a, b| (b.text.len(), &a.name).cmp(&(a.text.len(), &b.name)));
    victims
}

/// Applies damage number `way` to `victim`, checks the result, and keeps the file if a check fails.
fn damage(victim: &Victim, way: u64, outcome: &mut Outcome) {
    if outcome.faults.len() >= MOST_FAULTS {
        return;
    }
    let bytes = Bytes::from(damaged(victim, way));
    let start = Instant::now();
    match catch_unwind(AssertUnwindSafe(|| check(&bytes))) {
        Ok(true) => outcome.opened += 1,
        Ok(false) => outcome.refused += 1,
        Err(_) => {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("spine-{}-{way}", victim.name));
            std::fs::write(&path, &bytes).expect("space");
            outcome.faults.push(format!("{}, way {way}: kept as {}", victim.name, path.display()));
        }
    }
    outcome.slowest = outcome.slowest.max(start.elapsed());
}

/// Checks everything that must hold, and returns true if the file opens.
fn check(bytes: &Bytes) -> bool {
    let limits = Limits::default();
    let (character, taken) = peak(|| read(bytes, &limits));
    // An attachment takes at least six bytes of text, and about 600 of memory, twice while its list grows.
    let allowed = 256 * bytes.len() + (1 << 20);
    assert!(
        taken <= allowed,
        "reading {} bytes took {taken} bytes of memory, the limit is {allowed}",
        bytes.len()
    );
    match character {
        Ok(character) => {
            pose(&character, bytes.len());
            true
        }
        Err(error) => {
            assert_placed(&error);
            false
        }
    }
}

/// Finds the tokens of JSON text: numbers, strings and words.
fn tokens(text: &[u8]) -> Vec<Range<usize>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        at += 1;
        match text[start] {
            b'"' => {
                while at < text.len() && text[at] != b'"' {
                    at += 1 + usize::from(text[at] == b'\\');
                }
                at = (at + 1).min(text.len());
            }
            b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                while at < text.len() && (text[at].is_ascii_alphanumeric() || b".+-".contains(&text[at])) {
                    at += 1;
                }
            }
            _ => continue,
        }
        tokens.push(start..at);
    }
    tokens
}

/// Replacements for tokens.
const OTHERS: [&str; 20] = [
    "0",
    "-1",
    "1",
    "2",
    "1e30",
    "-1e30",
    "1e-30",
    "65536",
    "4294967295",
    "0.5",
    "180",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    "\"stepped\"",
    "[0,0,1,1]",
    "\"FF00FF80\"",
    "3e38",
];

/// Applies one to three kinds of damage to the text; reproducible for the same name and way.
fn damaged(victim: &Victim, way: u64) -> Vec<u8> {
    let seed = victim.name.bytes().fold(0, |hash: u64, byte| hash.wrapping_mul(31) + u64::from(byte));
    let mut random = Random(seed ^ way.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let random = &mut random;
    let mut text = victim.text.clone();
    // Parsing the text takes as long as reading it, so long texts are rarely changed as JSON.
    let share = if text.len() < 32_768 { 2 } else { 12 };
    if text.first() == Some(&b'{') && random.below(share) == 0 {
        damage_json(&mut text, &SPINE, random);
        return text;
    }
    for _ in 0..1 + random.below(3) {
        if text.len() < 16 {
            break;
        }
        match random.below(10) {
            0 => {
                let at = random.below(text.len());
                text[at] = random.next() as u8;
            }
            1 => text.truncate(text.len() - random.below(text.len() / 4)),
            kind => {
                let token = victim.tokens[random.below(victim.tokens.len())].clone();
                let other = match kind {
                    2..=4 => victim.text[victim.tokens[random.below(victim.tokens.len())].clone()].to_vec(),
                    5..=6 => OTHERS[random.below(OTHERS.len())].as_bytes().to_vec(),
                    // A different number, which is still plausible.
                    _ => victim.text[token.clone()].iter().map(|&byte| digit(byte, random)).collect(),
                };
                if text.get(token.clone()).is_some() {
                    text.splice(token, other);
                }
            }
        }
    }
    text
}

/// Sometimes replaces a digit by another one.
fn digit(byte: u8, random: &mut Random) -> u8 {
    if byte.is_ascii_digit() && random.below(2) == 0 { b'1' + random.below(9) as u8 } else { byte }
}
