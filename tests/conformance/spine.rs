//! Spine against the conformance data: bones, vertices, slots, order and events of every golden.
//!
//! Enters: `spine/*/NAME/NAME.golden.json.gz` beside `NAME.json`, whatever their names and number.

use crate::common::spine_golden::{Golden, Tally, goldens};
use crate::common::{conformance, say};

fn run(what: &str, check: impl Fn(&Golden, &mut Tally)) -> Option<Tally> {
    let folder = conformance("spine")?;
    let only = std::env::var("PCHR_ONLY").unwrap_or_default();
    let mut tally = Tally::default();
    for path in goldens(&folder).iter().filter(|path| path.to_string_lossy().contains(&only)) {
        let golden = Golden::load(path);
        tally.files += 1;
        let (cases, faults) = (tally.cases, tally.faults.len() + tally.unlike.len());
        check(&golden, &mut tally);
        let (cases, faults) = (tally.cases - cases, tally.faults.len() + tally.unlike.len() - faults);
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
    assert!(tally.cases > 0, "{} gave no case", folder.display());
    Some(tally)
}

fn all_agree(tally: Option<Tally>) {
    if let Some(tally) = tally {
        let shown: Vec<String> = tally.faults.iter().take(60).cloned().collect();
        assert!(shown.is_empty(), "{} differ:\n{}", tally.faults.len(), shown.join("\n"));
    }
}

#[test]
fn conformance_spine_models() {
    all_agree(run("models", |golden, tally| {
        tally.cases += 1;
        golden.check_model(&mut tally.faults);
    }));
}

#[test]
fn conformance_spine_poses() {
    all_agree(run("poses", Golden::check_poses));
}

#[test]
fn conformance_spine_mixes() {
    all_agree(run("mixes", Golden::check_mixes));
}

#[test]
fn conformance_spine_events() {
    all_agree(run("events", Golden::check_events));
}

#[test]
fn conformance_spine_states() {
    let Some(tally) = run("states", Golden::check_states) else { return };
    // What turns the long way round and what nobody has reset, see `docs/unsupported.md`.
    assert!(10 * tally.unlike.len() < tally.cases, "{} differ: {:?}", tally.unlike.len(), tally.unlike);
    all_agree(Some(tally));
}
