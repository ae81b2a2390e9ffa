//! Runs the checks of fuzz targets in normal tests: on seeded mutations of the fixtures, the same in every run, and on the
//! files that fuzzing has found. The checks of `fuzz/` hold for each, in bounded memory.
//!
//! `PCHR_FUZZ_INPUTS` sets the number of inputs per target. `PCHR_FUZZ_ONLY` runs a single input, named as a
//! failure prints it: `SEED#NUMBER`.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytes::Bytes;
use pchr::formats::image::silence_decoders;

use crate::common::byte_damage::damage_bytes;
use crate::common::memory::peak;
use crate::common::random::Random;
use crate::common::{files_in, root, say};
use crate::fuzzing::targets::{Target, limits};

/// Number of inputs per target; reduced without optimisation, which is too slow.
const INPUTS: usize = if cfg!(debug_assertions) { 20 } else { 1000 };
/// Larger files are not used as seeds: they take long and test no more than small ones.
const MOST_SEED_BYTES: u64 = 64 << 10;
/// Only every nth mutation of a seed that is not a character is used.
const OTHERS: usize = 4;
/// Number of inputs of which is counted how many are valid.
const COUNTED: usize = 2000;
/// Maximum size of an input.
const MOST_BYTES: usize = 96 << 10;
/// Number of faults after which a target stops.
const MOST_FAULTS: usize = 3;

/// Defines a test for each of these targets, and one that compares them with the lists of all.
macro_rules! short_run {
    ($targets:ident, $features:expr; $($name:ident)*) => {
        $(#[test]
        fn $name() {
            $crate::runner::fuzz($targets, stringify!($name));
        })*

        #[test]
        fn every_fuzz_target_is_listed_everywhere() {
            $crate::runner::assert_listed($targets, &[$(stringify!($name)),*], $features);
        }
    };
}
pub(crate) use short_run;

/// Asserts that these targets are those with tests and those that `fuzz/` builds with exactly these features, and that
/// each is described.
pub fn assert_listed(targets: &[Target], tests: &[&str], features: &[&str]) {
    let names: BTreeSet<&str> = targets.iter().map(|target| target.name).collect();
    assert_eq!(names, tests.iter().copied().collect(), "the tests");
    let text =
        |path: &str| std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let manifest: toml::Table = text("fuzz/Cargo.toml").parse().expect("TOML");
    let programs = manifest["bin"].as_array().expect("programs");
    let needs = |program: &toml::Value| {
        let needed =
            program.get("required-features").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
        needed.iter().map(toml::Value::as_str).eq(features.iter().copied().map(Some))
    };
    let own = programs.iter().filter(|program| needs(program));
    let own = own.map(|program| program["name"].as_str().expect("a name"));
    assert_eq!(names, own.collect(), "fuzz/Cargo.toml");
    let sources = files_in(&root().join("fuzz/fuzz_targets"), ".rs");
    assert_eq!(sources.len(), programs.len(), "{sources:?}");
    let table = text("docs/fuzzing.md");
    for name in names {
        let source = text(&format!("fuzz/fuzz_targets/{name}.rs"));
        let own = format!("pchr_fuzz::target!({name});");
        assert!(source.contains(&own), "fuzz/fuzz_targets/{name}.rs checks something else");
        assert!(table.contains(&format!("| `{name}` |")), "docs/fuzzing.md lacks {name}");
    }
}

/// Calls `replay` with each file in `fixtures/regressions/<fuzz target>`. Panics if it does for any of them.
pub fn for_each_regression(replay: fn(&Bytes)) {
    let files = regressions();
    let breaks = |path: &&PathBuf| {
        let bytes = Bytes::from(std::fs::read(path).expect("a readable file"));
        catch_unwind(|| replay(&bytes)).is_err()
    };
    let faults: Vec<&PathBuf> = files.iter().filter(breaks).collect();
    assert!(faults.is_empty(), "these files break something: {faults:#?}");
    assert!(files.len() >= 70, "only {} regressions", files.len());
}

/// Returns all regressions, sorted.
pub fn regressions() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for target in std::fs::read_dir(root().join("tests/fixtures/regressions")).expect("the regressions") {
        files.extend(files_in(&target.expect("a folder").path(), ""));
    }
    files.sort();
    files
}

/// Runs the checks of all these targets.
pub fn check_all(targets: &[Target], bytes: &Bytes) {
    for Target { name, check, memory, .. } in targets {
        let ((), taken) = peak(|| check(bytes, &limits()));
        assert!(taken <= *memory, "{name} took {taken} bytes of memory, the limit is {memory}");
    }
}

/// A file that inputs are derived from.
struct Seed {
    /// Path relative to `tests/fixtures`.
    name: String,
    bytes: Vec<u8>,
    /// Many fixtures are broken, and mutations of those test little.
    is_valid: bool,
}

/// The seeds of a target, in a reproducible random order. The last one is empty.
fn seeds(target: &Target) -> Vec<Seed> {
    let fixtures = root().join("tests/fixtures");
    let mut paths = Vec::new();
    target.seeds.iter().for_each(|folder| add_files(&fixtures.join(folder), &mut paths));
    paths.sort();
    let seed = |path: &PathBuf| {
        let name = path.strip_prefix(&fixtures).expect("below it").to_string_lossy().replace('\\', "/");
        let bytes = std::fs::read(path).expect("a fixture");
        Seed { name, is_valid: is_valid(target, &Bytes::copy_from_slice(&bytes)), bytes }
    };
    let mut seeds: Vec<Seed> = paths.iter().map(seed).collect();
    let mut random = Random(hash(target.name));
    for at in (1..seeds.len()).rev() {
        seeds.swap(at, random.below(at + 1));
    }
    assert!(seeds.len() >= 5, "{} has only {} seeds", target.name, seeds.len());
    seeds.push(Seed { name: "nothing".to_owned(), bytes: Vec::new(), is_valid: false });
    seeds
}

fn is_valid(target: &Target, bytes: &Bytes) -> bool {
    target.is_valid.is_some_and(|is_valid| catch_unwind(|| is_valid(bytes, &limits())).unwrap_or_default())
}

/// Extensions of seeds. Their folders also contain expected results and goldens.
const EXTENSIONS: [&str; 14] = [
    "ase", "aseprite", "atlas", "jpg", "json", "pchr", "plist", "png", "skel", "skf", "sprsh", "toml", "webp",
    "xml",
];

/// Collects the possible seeds in a folder tree.
fn add_files(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let entry = entry.expect("a readable folder");
        let (path, metadata) = (entry.path(), entry.metadata().expect("a readable file"));
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        if metadata.is_dir() {
            add_files(&path, paths);
        } else if metadata.len() <= MOST_SEED_BYTES && EXTENSIONS.contains(&&*extension) {
            paths.push(path);
        }
    }
}

/// FNV-1a hash.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// An input: a mutation of a seed, by number. Number 0 is the unchanged seed.
fn input(target: &Target, seeds: &[Seed], at: usize, number: usize) -> Vec<u8> {
    let seed = &seeds[at];
    if number == 0 {
        return seed.bytes.clone();
    }
    let way = (number as u64).wrapping_mul(0x2545_f491_4f6c_dd1d);
    let mut random = Random(hash(target.name) ^ hash(&seed.name) ^ way);
    let mut bytes = seed.bytes.clone();
    for _ in 0..1 + random.below(2) * random.below(3) {
        bytes = mutated(target, bytes, seeds, &mut random);
    }
    bytes
}

fn mutated(target: &Target, bytes: Vec<u8>, seeds: &[Seed], random: &mut Random) -> Vec<u8> {
    // Uses the target's own mutator, as the fuzzer does.
    let mut own = Random(random.next());
    let mut as_bytes = |bytes: &mut Vec<u8>, most: usize| {
        (0..1 + own.below(3))
            .for_each(|_| damage_bytes(bytes, &mut own, |random| &seeds[random.below(seeds.len())].bytes));
        bytes.truncate(most.min(MOST_BYTES));
    };
    let mut new = (target.mutator)(&bytes, MOST_BYTES, random, &mut as_bytes).unwrap_or_else(|| {
        let mut bytes = bytes.clone();
        as_bytes(&mut bytes, MOST_BYTES);
        bytes
    });
    new.truncate(MOST_BYTES);
    new
}

/// The inputs of a target: seed and number, small seeds first.
fn chosen(seeds: &[Seed], cost: usize) -> Vec<(usize, usize)> {
    if let Ok(only) = std::env::var("PCHR_FUZZ_ONLY") {
        let (name, number) = only.rsplit_once('#').expect("PCHR_FUZZ_ONLY is SEED#NUMBER");
        let number = number.parse().expect("PCHR_FUZZ_ONLY is SEED#NUMBER");
        return seeds.iter().position(|seed| seed.name == name).map(|at| (at, number)).into_iter().collect();
    }
    let count = std::env::var("PCHR_FUZZ_INPUTS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(INPUTS.div_ceil(cost));
    let all = (0..).flat_map(|number| (0..seeds.len()).map(move |at| (at, number)));
    let wanted = all.filter(|&(at, number): &(usize, usize)| seeds[at].is_valid || number.is_multiple_of(OTHERS));
    let mut chosen: Vec<_> = wanted.take(count).collect();
    chosen.sort_by_key(|&(at, number)| (seeds[at].bytes.len(), at, number));
    chosen
}

/// Runs the check of a target on seeded mutations of the fixtures.
pub fn fuzz(targets: &[Target], name: &str) {
    silence_decoders();
    let target = targets.iter().find(|target| target.name == name).expect("one of the targets");
    let (seeds, limits) = (seeds(target), limits());
    let (mut faults, mut most, mut counted, mut valid) = (Vec::new(), 0, 0, 0);
    let mut slowest = (Duration::ZERO, String::new());
    let chosen = chosen(&seeds, target.cost);
    for (position, &(at, number)) in chosen.iter().enumerate() {
        let bytes = Bytes::from(input(target, &seeds, at, number));
        if position.is_multiple_of(chosen.len().div_ceil(COUNTED)) {
            (counted, valid) = (counted + 1, valid + usize::from(is_valid(target, &bytes)));
        }
        let start = Instant::now();
        let checked = catch_unwind(AssertUnwindSafe(|| peak(|| (target.check)(&bytes, &limits)).1));
        let name = format!("{}#{number}", seeds[at].name);
        if start.elapsed() > slowest.0 {
            slowest = (start.elapsed(), name.clone());
        }
        match checked {
            Ok(memory) if memory <= target.memory => most = most.max(memory),
            Ok(memory) => faults.push(kept(target, &name, &bytes, &format!("{memory} bytes of memory"))),
            Err(_) => faults.push(kept(target, &name, &bytes, "a check failed")),
        }
        if faults.len() >= MOST_FAULTS {
            break;
        }
    }
    assert!(faults.is_empty(), "these inputs fail:\n{}", faults.join("\n"));
    say(&format!(
        "{}: {} inputs of {} seeds, {valid} of {counted} are valid, up to {} KiB of memory; the slowest took {:.0?}: {}",
        target.name,
        chosen.len(),
        seeds.len(),
        most >> 10,
        slowest.0,
        slowest.1
    ));
    // If damage were always found at the first byte, the rest would not be tested.
    let is_shallow = target.is_valid.is_some() && valid * 20 <= counted;
    assert!(counted < 100 || !is_shallow, "{valid} of {counted} are valid");
}

/// Keeps an input, and returns how to run it again.
fn kept(target: &Target, name: &str, bytes: &[u8], what: &str) -> String {
    let file = format!("fuzz-{}-{}", target.name, name.replace(['/', '#'], "-"));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::write(&path, bytes).expect("space");
    let tests = concat!("-p ", env!("CARGO_PKG_NAME"), " --test ", env!("CARGO_CRATE_NAME"));
    format!(
        "{0}, {name}: {what}; kept as {1}; rerun: PCHR_FUZZ_ONLY='{name}' cargo test --release {tests} short_fuzz::{0}",
        target.name,
        path.display()
    )
}
