//! Compares Spine with the conformance data: bones, vertices, slots, draw order and events of every golden.
//!
//! Input: any files `spine/*/NAME/NAME.golden.json.gz` beside `NAME.json`.

use crate::common::say;
use crate::common::spine_golden::{Golden, Tally, goldens};
use crate::known;

fn run(what: &str, check: impl Fn(&Golden, &mut Tally)) -> Tally {
    let mut tally = Tally::default();
    for path in goldens("spine") {
        let golden = Golden::load(&path);
        tally.files += 1;
        let (cases, faults) = (tally.cases, tally.faults.len() + tally.mixed.len());
        check(&golden, &mut tally);
        let (cases, faults) = (tally.cases - cases, tally.faults.len() + tally.mixed.len() - faults);
        if faults > 0 {
            say(&format!("{what}: {}: {} of {cases} agree", golden.name, cases - faults));
        }
    }
    let [matrix, position, vertex] = tally.worst_units;
    say(&format!(
        "spine {what}: {} skeletons, {} of {} cases agree, {} disputed, worst error {:.3} of the tolerance \
         (matrix {matrix:.6}, position {position:.5}, vertex {vertex:.5})",
        tally.files,
        tally.passing(),
        tally.cases,
        tally.disputed,
        tally.worst
    ));
    assert!(tally.cases > 0, "no golden has any case");
    tally
}

fn all_agree(tally: &Tally) {
    let shown: Vec<String> = tally.faults.iter().take(60).cloned().collect();
    assert!(shown.is_empty(), "{} differ:\n{}", tally.faults.len(), shown.join("\n"));
}

#[test]
fn conformance_spine_models() {
    all_agree(&run("models", |golden, tally| {
        tally.cases += 1;
        golden.check_model(&mut tally.faults);
    }));
}

#[test]
fn conformance_spine_poses() {
    all_agree(&run("poses", Golden::check_poses));
}

#[test]
fn conformance_spine_mixes() {
    all_agree(&run("mixes", Golden::check_mixes));
}

#[test]
fn conformance_spine_events() {
    all_agree(&run("events", Golden::check_events));
}

#[test]
fn conformance_spine_states() {
    let tally = run("states", Golden::check_states);
    known::check("tracks", &tally.scripts, &tally.mixed);
    all_agree(&tally);
}
