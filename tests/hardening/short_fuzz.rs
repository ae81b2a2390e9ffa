//! A short run of every fuzz target of the library.

use crate::common::checks::FLAWS;
use crate::common::root;
use crate::fuzzing::targets::TARGETS;
use crate::runner::short_run;

short_run! {
    TARGETS, &[];
    bake convert convert_everything decode_picture evaluate_and_draw export parse_skel parse_spine read_animate read_json read_packed read_pchr read_sheet
    read_skel read_skelform read_spine rewrite_spine round_trip validate write_keyed
}

#[test]
fn every_flaw_that_only_validating_rejects_is_documented() {
    let text = std::fs::read_to_string(root().join("docs/fuzzing.md")).expect("a page");
    let missing: Vec<_> = FLAWS.iter().filter(|flaw| !text.contains(&format!("`{flaw}`"))).collect();
    assert!(missing.is_empty(), "docs/fuzzing.md lacks {missing:?}");
}
