//! Compares Spine with the conformance data: bones, vertices, slots, draw order and events of every golden.
//!
//! Input: any files `spine/*/NAME/NAME.golden.json.gz` (3.8) and `spine4/*/NAME/NAME.golden.json.gz` (4.0 to 4.2)
//! beside `NAME.json` and `NAME.skel`, or `NAME.skel.golden.json.gz` for the latter alone.

use crate::common::say;
use crate::common::spine_golden::{Golden, Tally, goldens};
use crate::known;

fn run(part: &str, what: &str, check: impl Fn(&Golden, &mut Tally)) -> Tally {
    let mut tally = Tally::default();
    for (path, skeleton) in goldens(part) {
        let golden = Golden::load(&path, &skeleton);
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
        "{part} {what}: {} skeletons, {} of {} cases agree, {} disputed, worst error {:.3} of the tolerance \
         (matrix {matrix:.6}, position {position:.5}, vertex {vertex:.5})",
        tally.files,
        tally.passing(),
        tally.cases,
        tally.disputed,
        tally.worst
    ));
    tally
}

fn all_agree(tally: &Tally) {
    assert!(tally.cases > 0, "no golden has any case");
    let shown: Vec<String> = tally.faults.iter().take(60).cloned().collect();
    assert!(shown.is_empty(), "{} differ:\n{}", tally.faults.len(), shown.join("\n"));
}

fn models(part: &str) {
    all_agree(&run(part, "models", |golden, tally| {
        tally.cases += 1;
        golden.check_model(&mut tally.faults);
    }));
}

fn states(part: &str, kind: &str) {
    let tally = run(part, "states", Golden::check_states);
    known::check(kind, &tally.scripts, &tally.mixed);
    all_agree(&tally);
}

#[test]
fn conformance_spine_models() {
    models("spine");
}

#[test]
fn conformance_spine_poses() {
    all_agree(&run("spine", "poses", Golden::check_poses));
}

#[test]
fn conformance_spine_mixes() {
    all_agree(&run("spine", "mixes", Golden::check_mixes));
}

#[test]
fn conformance_spine_events() {
    all_agree(&run("spine", "events", Golden::check_events));
}

#[test]
fn conformance_spine_states() {
    states("spine", "tracks");
}

#[test]
fn conformance_spine4_models() {
    models("spine4");
}

#[test]
fn conformance_spine4_poses() {
    all_agree(&run("spine4", "poses", Golden::check_poses));
}

#[test]
fn conformance_spine4_mixes() {
    all_agree(&run("spine4", "mixes", Golden::check_mixes));
}

#[test]
fn conformance_spine4_events() {
    all_agree(&run("spine4", "events", Golden::check_events));
}

#[test]
fn conformance_spine4_physics() {
    all_agree(&run("spine4", "physics", Golden::check_physics));
}

#[test]
fn conformance_spine4_states() {
    states("spine4", "tracks");
}

/// The versions whose rigs are beside those of `spine` and `spine4`.
const NEXT: [&str; 8] = ["3.6", "3.7", "3.6-examples", "3.7-examples", "3.8", "4.0", "4.1", "4.2"];

/// Compares the rigs of [`NEXT`] that are present.
fn next(what: &str, check: impl Fn(&Golden, &mut Tally)) {
    let mut all = Tally::default();
    for version in NEXT {
        let part = format!("spine-next/{version}");
        if !goldens(&part).is_empty() {
            let tally = run(&part, what, &check);
            all.faults.extend(tally.faults);
            all.mixed.extend(tally.mixed);
            all.scripts.extend(tally.scripts);
        }
    }
    known::check("tracks", &all.scripts, &all.mixed);
    assert!(all.faults.is_empty(), "{} differ:\n{}", all.faults.len(), all.faults.join("\n"));
}

#[test]
fn conformance_spine_next_models() {
    next("models", |golden, tally| {
        tally.cases += 1;
        golden.check_model(&mut tally.faults);
    });
}

#[test]
fn conformance_spine_next_poses() {
    next("poses", Golden::check_poses);
}

#[test]
fn conformance_spine_next_mixes() {
    next("mixes", Golden::check_mixes);
}

#[test]
fn conformance_spine_next_events() {
    next("events", Golden::check_events);
}

#[test]
fn conformance_spine_next_states() {
    next("states", Golden::check_states);
}
