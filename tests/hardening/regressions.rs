//! Files found by fuzzing: every file in `fixtures/regressions/<fuzz target>` passes through all readers, the
//! writers, the evaluator and the renderer, in bounded memory.
//!
//! `docs/fuzzing.md` describes how files are added. Files that never broke anything are the shortest ones for each
//! message of the reader, and are named after it.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use crate::common;
use crate::common::checks;
use crate::common::memory::{allowed_bytes, peak};
use crate::fuzzing::document_checks;
use crate::fuzzing::targets::{self, TARGETS};
use bytes::Bytes;
use pchr::formats::ReadOptions;
use pchr::limits::Limits;

/// All regressions, sorted.
fn regressions() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/regressions");
    let mut files = Vec::new();
    for target in std::fs::read_dir(&root).expect("the regressions") {
        files.extend(common::files_in(&target.expect("a folder").path(), ""));
    }
    files.sort();
    files
}

#[test]
fn regressions_stay_fixed() {
    let files = regressions();
    let breaks = |path: &&PathBuf| catch_unwind(|| replay(path)).is_err();
    let faults: Vec<&PathBuf> = files.iter().filter(breaks).collect();
    assert!(faults.is_empty(), "these files break something: {faults:#?}");
    assert!(files.len() >= 70, "only {} regressions", files.len());
}

/// Checks everything that must hold for a file.
fn replay(path: &Path) {
    let bytes = Bytes::from(std::fs::read(path).expect("a readable file"));
    let (options, limits) = (ReadOptions::default(), Limits::default());
    let (verdict, read_peak) = peak(|| checks::verdict(&bytes, &options));
    let (found, found_peak) = peak(|| checks::examined(&bytes, &options));
    let (allowed, taken) = (allowed_bytes(&bytes), read_peak.max(found_peak));
    assert!(taken <= allowed, "reading took {taken} bytes of memory, the limit is {allowed}");
    checks::assert_same_verdict(&bytes, &options, &verdict, &found);
    for check in [
        document_checks::read_pchr,
        document_checks::read_json,
        document_checks::read_packed,
        checks::read_sheet,
        checks::validate,
        document_checks::round_trip,
        document_checks::convert,
    ] {
        check(&bytes, &limits);
    }
    for target in TARGETS {
        let ((), taken) = peak(|| (target.check)(&bytes, &targets::limits()));
        assert!(
            taken <= target.memory,
            "{} took {taken} bytes of memory, the limit is {}",
            target.name,
            target.memory
        );
    }
    let ((), drawn_peak) = peak(|| verdict.result.iter().for_each(checks::draw));
    // Textures, and at most five triangles of about 150 bytes for three indices of two bytes.
    let allowed = allowed + 256 * bytes.len();
    assert!(drawn_peak <= allowed, "drawing took {drawn_peak} bytes of memory, the limit is {allowed}");
}

#[test]
fn every_folder_is_named_after_a_fuzz_target() {
    for path in regressions() {
        let target = path.parent().and_then(Path::file_name).expect("a folder").to_string_lossy();
        let source = format!("{}/fuzz/fuzz_targets/{target}.rs", env!("CARGO_MANIFEST_DIR"));
        assert!(Path::new(&source).exists(), "{} belongs to no target: {source} does not exist", path.display());
    }
}
