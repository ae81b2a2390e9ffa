//! Files found by fuzzing: every file in `fixtures/regressions/<fuzz target>` passes through all readers, the
//! writers, the evaluator and the renderer, in bounded memory.
//!
//! `docs/fuzzing.md` describes how files are added. Files that never broke anything are the shortest ones for each
//! message of the reader, and are named after it.

use std::path::Path;

use bytes::Bytes;
use pchr::formats::ReadOptions;
use pchr::limits::Limits;

use crate::common::memory::{allowed_bytes, peak};
use crate::common::{checks, root};
use crate::fuzzing::document_checks;
use crate::fuzzing::targets::TARGETS;
use crate::runner::{check_all, for_each_regression, regressions};

#[test]
fn regressions_stay_fixed() {
    for_each_regression(replay);
}

/// Checks everything that must hold for a file.
fn replay(bytes: &Bytes) {
    let (options, limits) = (ReadOptions::default(), Limits::default());
    let (verdict, read_peak) = peak(|| checks::verdict(bytes, &options));
    let (found, found_peak) = peak(|| checks::examined(bytes, &options));
    let (allowed, taken) = (allowed_bytes(bytes), read_peak.max(found_peak));
    assert!(taken <= allowed, "reading took {taken} bytes of memory, the limit is {allowed}");
    checks::assert_same_verdict(bytes, &options, &verdict, &found);
    for check in [
        document_checks::read_pchr,
        document_checks::read_json,
        document_checks::read_packed,
        checks::read_sheet,
        checks::validate,
        document_checks::round_trip,
        document_checks::convert,
    ] {
        check(bytes, &limits);
    }
    check_all(TARGETS, bytes);
    let ((), drawn_peak) = peak(|| verdict.result.iter().for_each(checks::draw));
    // Textures, and at most five triangles of about 150 bytes for three indices of two bytes.
    let allowed = allowed + 256 * bytes.len();
    assert!(drawn_peak <= allowed, "drawing took {drawn_peak} bytes of memory, the limit is {allowed}");
}

#[test]
fn every_folder_is_named_after_a_fuzz_target() {
    for path in regressions() {
        let target = path.parent().and_then(Path::file_name).expect("a folder").to_string_lossy();
        let source = root().join(format!("fuzz/fuzz_targets/{target}.rs"));
        assert!(source.is_file(), "{} belongs to no target: {} does not exist", path.display(), source.display());
    }
}
