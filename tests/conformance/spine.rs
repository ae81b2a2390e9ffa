//! Spine against the conformance data: bones, vertices, slots, order and events of every golden.
//!
//! Enters: `spine/*/NAME/NAME.golden.json.gz` beside `NAME.json`, whatever their names and number.

use std::collections::BTreeSet;

use crate::common::say;
use crate::common::spine_golden::{Golden, Tally, goldens};

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
        "spine {what}: {} skeletons, {} of {} cases agree, {} disputed, worst error {:.3} of what is allowed \
         (matrix {matrix:.6}, position {position:.5}, vertex {vertex:.5})",
        tally.files,
        tally.passing(),
        tally.cases,
        tally.disputed,
        tally.worst
    ));
    assert!(tally.cases > 0, "no golden gave a case");
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

/// Poses of scripts that are known to differ: a skeleton, a frame of its script and the reason in each line.
const KNOWN_FAILURES: &str = include_str!("known_failures.txt");

/// What `docs/unsupported.md` says of tracks, in a word each.
const REASONS: [&str; 3] = ["long-way", "added-up", "held"];

fn known_failures() -> BTreeSet<(String, u64)> {
    let lines = KNOWN_FAILURES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let (rig, frame) = (words.next().expect("a skeleton"), words.next().expect("a frame"));
        assert!(words.next().is_some_and(|reason| REASONS.contains(&reason)), "`{line}` gives no known reason");
        (rig.to_owned(), frame.parse().expect("the number of a frame"))
    };
    lines.map(entry).collect()
}

#[test]
fn conformance_spine_states() {
    let tally = run("states", Golden::check_states);
    let mut known = known_failures();
    let differ = tally.mixed.iter().filter(|(rig, frame, _)| !known.contains(&(rig.clone(), *frame)));
    let unknown: Vec<&str> = differ.map(|(.., fault)| &**fault).collect();
    assert!(unknown.is_empty(), "{} poses differ and are not listed:\n{}", unknown.len(), unknown.join("\n"));
    // Those of rigs that are not there, or that `PCHR_ONLY` leaves out, say nothing.
    known.retain(|(rig, _)| tally.scripts.contains(rig));
    tally.mixed.iter().for_each(|(rig, frame, _)| _ = known.remove(&(rig.clone(), *frame)));
    assert!(known.is_empty(), "these agree now, strike them from known_failures.txt: {known:?}");
    all_agree(&tally);
}
