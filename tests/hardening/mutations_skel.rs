//! Every binary Spine fixture damaged in hundreds of reproducible ways and cut at every byte: each gives an error
//! with a path and a byte offset, or poses, in bounded memory and time. Nothing panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use pchr::Error;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions, examine};
use pchr::limits::Limits;

use crate::common::byte_damage::damage_bytes;
use crate::common::memory::peak;
use crate::common::random::{Random, ways};
use crate::common::spine_checks::{assert_placed_in_binary, pose, read_binary};
use crate::common::{files_in, say};

/// Maximum time for one file. All take a few milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// The fixtures with their names.
fn victims() -> Vec<(String, Bytes)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/skel");
    let folders = ["3.6", "3.7", "3.8", "4.0", "4.1", "4.2", "4.3", "2.1", "3.1", "3.2", "3.4", "3.5"]
        .map(|version| root.join(version));
    let files = folders.iter().flat_map(|folder| files_in(folder, ".skel"));
    let name = |path: &Path| path.strip_prefix(&root).expect("below it").to_string_lossy().replace('/', "-");
    let victim = |path: &Path| (name(path), std::fs::read(path).expect("a fixture").into());
    files.map(|path| victim(&path)).collect()
}

/// Reads a file and poses the character, and checks what must hold.
fn check(bytes: &Bytes) -> Result<(), Error> {
    let start = Instant::now();
    let (read, taken) = peak(|| read_binary(bytes, &Limits::default()));
    // A bounding box without vertices takes three bytes of the file, about 500 of memory, and 600 in the model.
    let allowed = 600 * bytes.len() + (1 << 20);
    assert!(taken <= allowed, "reading {} bytes took {taken} bytes of memory", bytes.len());
    let result = read.map(|character| pose(&character, bytes.len()));
    assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
    if let Err(error) = &result {
        assert_placed_in_binary(error, bytes);
    }
    result
}

fn survive(name: &str, bytes: &[u8]) -> Result<(), Error> {
    let bytes = Bytes::copy_from_slice(bytes);
    catch_unwind(AssertUnwindSafe(|| check(&bytes))).unwrap_or_else(|_| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, &bytes).expect("space");
        panic!("kept as {}", path.display())
    })
}

#[test]
fn damaged_skeletons_are_read_or_refused() {
    let victims = victims();
    assert_eq!(victims.len(), 24);
    let (mut opened, mut total) = (0, 0);
    for (name, bytes) in &victims {
        // Two files of each version together are damaged in 5,000 ways.
        for way in 0..5 * ways() {
            let seed = name.bytes().fold(way, |hash: u64, byte| hash.wrapping_mul(31) + u64::from(byte));
            let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1);
            let mut damaged = bytes.to_vec();
            for _ in 0..1 + random.below(3) {
                damage_bytes(&mut damaged, &mut random, |random| &victims[random.below(victims.len())].1);
            }
            opened += usize::from(survive(&format!("{name}-{way}"), &damaged).is_ok());
            total += 1;
        }
    }
    say(&format!("mutations: {total} of {} binary skeletons, {opened} open", victims.len()));
    // If damage were always found at once, the rest would not be tested.
    assert!((5..=80).contains(&(100 * opened / total)), "{opened} of {total} open");
}

#[test]
fn a_skeleton_cut_anywhere_is_reported_as_truncated() {
    for (name, bytes) in victims() {
        // Before that, the version is not whole.
        let start =
            bytes.windows(2).position(|pair| matches!(pair, b"2." | b"3." | b"4.")).expect("a version") + 8;
        for at in start..bytes.len() {
            let read = survive(&format!("{name}-cut-{at}"), &bytes[..at]);
            let Err(error) = read else { panic!("{name} cut at {at} of {} is read", bytes.len()) };
            assert_eq!(error.code(), "truncated", "{name} cut at {at}: {error}");
            assert!(error.place().is_some_and(|place| place.offset.is_some()), "{name} cut at {at}: {error}");
        }
    }
}

/// A skeleton of 4.2 without anything, up to the number of shared strings, which follows.
const HEAD: &[u8] = b"\x01\x02\x03\x04\x05\x06\x07\x08\x074.2.43\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x42\xc8\0\0\0";

#[test]
fn counts_are_checked_before_anything_is_allocated() {
    const MOST: &[u8] = b"\xff\xff\xff\xff\x0f";
    let bone = [&b"\x05root"[..], &[0; 32], b"\0\0"].concat();
    let animated = [&b"\x01"[..], &bone, b"\0\0\0\0\0\0\0\0"].concat();
    let cases: [(&str, Vec<u8>); 8] = [
        ("/strings", Vec::new()),
        ("/bones", b"\0".to_vec()),
        ("/slots", b"\0\0".to_vec()),
        ("/ik", b"\0\0\0".to_vec()),
        ("/transform", b"\0\0\0\0".to_vec()),
        ("/path", b"\0\0\0\0\0".to_vec()),
        ("/physics", b"\0\0\0\0\0\0".to_vec()),
        ("/animations", [&b"\0"[..], &animated].concat()),
    ];
    for (path, before) in cases {
        let bytes = Bytes::from([HEAD, &before, MOST, &[0; 100]].concat());
        let (read, taken) = peak(|| read_binary(&bytes, &Limits::default()));
        let error = read.expect_err(path);
        let place = error.place().expect("a place");
        let expected = ("truncated", path, Some((HEAD.len() + before.len()) as u64));
        assert_eq!((error.code(), place.path.as_str(), place.offset), expected, "{error}");
        assert!(taken < 1 << 16, "{path}: {taken} bytes");
    }
}

#[test]
fn memory_is_charged_to_the_limits() {
    let (_, bytes) = victims().remove(7);
    let mut limits = Limits::default();
    limits.memory_bytes = 10_000;
    let error = read_binary(&bytes, &limits).expect_err("it needs more");
    assert_eq!(error.code(), "limit-exceeded");
    assert_placed_in_binary(&error, &bytes);
}

#[test]
fn findings_and_errors_of_later_checks_have_offsets() {
    for (name, bytes) in victims() {
        let input = Input { bytes, sidecars: NO_SIDECARS };
        let found = examine(&input, &ReadOptions::default()).expect("it can be examined");
        for finding in found.findings() {
            let place = &finding.fault.place;
            assert!(place.path.is_empty() || place.offset.is_some(), "{name}: {}", finding.fault);
        }
        assert!(found.findings().iter().any(|finding| finding.fault.place.offset.is_some()), "{name}");
    }
}
