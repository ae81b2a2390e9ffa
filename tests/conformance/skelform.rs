//! Compares SkelForm with the conformance data: bones, vertices, draw order and draw lists of every golden.
//!
//! Input: `skelform/golden/KIND/*.json.gz` and the files in `skelform/samples` that they name.

use crate::common::say;
use crate::common::skelform_golden::{Golden, Tally, goldens};

fn run(kind: &str) {
    let mut tally = Tally::default();
    for path in goldens(kind) {
        Golden::load(&path).check(&mut tally);
    }
    say(&format!(
        "skelform {kind}: {} goldens, {} of {} poses agree, {} vertices ({} below mirrored bones set aside), at most \
         {:.5} px and {:.7} rad off",
        tally.goldens,
        tally.poses - tally.faults.len(),
        tally.poses,
        tally.vertices,
        tally.set_aside,
        tally.worst_pixels,
        tally.worst_radians
    ));
    assert!(tally.goldens > 0 && tally.poses >= tally.goldens, "{kind} has no cases");
    let shown: Vec<String> = tally.faults.iter().take(40).cloned().collect();
    assert!(shown.is_empty(), "{} differ:\n{}", tally.faults.len(), shown.join("\n"));
}

#[test]
fn conformance_skelform_poses() {
    run("ref-nophys");
}

#[test]
fn conformance_skelform_physics() {
    run("ref-phys");
}

#[test]
fn conformance_skelform_blends() {
    run("ref-blend");
}

#[test]
fn conformance_skelform_draw_lists() {
    run("editor-nophys");
}
