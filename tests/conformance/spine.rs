//! Compares Spine with the conformance data: bones, vertices, slots, draw order and events of every golden.
//!
//! Input: any files `spine/*/NAME/NAME.golden.json.gz` (3.8) and `spine4/*/NAME/NAME.golden.json.gz` (4.0 to 4.2)
//! beside `NAME.json` and `NAME.skel`, or `NAME.skel.golden.json.gz` for the latter alone, and the same below
//! `spine-next/VERSION` and `spine-mixing/VERSION`.

use std::path::Path;

use crate::common::corpus::conformance_files;
use crate::common::say;
use crate::common::spine_golden::{Golden, Tally, goldens, read_spine};
use crate::known;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::model::AttachmentId;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

fn run(part: &str, what: &str, check: impl Fn(&Golden, &mut Tally)) -> Tally {
    let mut tally = Tally::default();
    for (path, skeleton) in goldens(part) {
        let golden = Golden::load(&path, &skeleton);
        tally.files += 1;
        let (cases, faults) = (tally.cases, tally.faults.len() + tally.mixed.len());
        check(&golden, &mut tally);
        let cases = tally.cases - cases;
        let faults = tally.faults.len() + tally.mixed.len() - faults;
        if faults > 0 {
            say(&format!("{what}: {}: {} of {cases} agree", golden.name, cases.saturating_sub(faults)));
        }
    }
    let [matrix, position, vertex] = tally.worst_units;
    say(&format!(
        "{part} {what}: {} skeletons, {} of {} cases agree, {} of {} bones, slots and draw orders differ, {} disputed, \
         worst error {:.3} of the tolerance \
         (matrix {matrix:.6}, position {position:.5}, vertex {vertex:.5})",
        tally.files,
        tally.passing(),
        tally.cases,
        tally.parts_off,
        tally.parts,
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
fn conformance_spine4_placement() {
    all_agree(&run("spine4", "placements", Golden::check_placement));
}

#[test]
fn conformance_spine4_states() {
    states("spine4", "tracks");
}

#[test]
fn conformance_spine_old_models() {
    models("spine-old");
}

#[test]
fn conformance_spine_old_poses() {
    let tally = run("spine-old", "poses", Golden::check_listed_poses);
    known::check("poses", &tally.scripts, &tally.mixed);
    all_agree(&tally);
}

/// The versions whose rigs are beside those of `spine` and `spine4`.
const NEXT: [&str; 9] = ["3.6", "3.7", "3.6-examples", "3.7-examples", "3.8", "4.0", "4.1", "4.2", "4.3"];

/// Compares the rigs of [`NEXT`] that are present.
fn next(what: &str, check: impl Fn(&Golden, &mut Tally)) {
    let mut all = Tally::default();
    for version in NEXT {
        let part = format!("spine-next/{version}");
        if !goldens(&part).is_empty() {
            let tally = run(&part, what, &check);
            all.cases += tally.cases;
            all.faults.extend(tally.faults);
            all.mixed.extend(tally.mixed);
            all.scripts.extend(tally.scripts);
        }
    }
    known::check("tracks", &all.scripts, &all.mixed);
    all_agree(&all);
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
fn conformance_spine_next_physics() {
    next("physics", Golden::check_physics);
}

#[test]
fn conformance_spine_next_states() {
    next("states", Golden::check_states);
}

/// Binaries of 4.3, without and with nonessential data. They have the goldens of their JSON, beside them or in
/// `spine-next/4.3`.
#[test]
fn conformance_spine_43_binaries() {
    let parts = ["spine-next/4.3", "spine-43-skel"];
    let goldens: Vec<_> = parts.iter().flat_map(|part| conformance_files(part, ".golden.json.gz")).collect();
    let (mut tally, mut files) = (Tally::default(), 0);
    for skeleton in parts.iter().flat_map(|part| conformance_files(part, ".skel")) {
        let name = skeleton.file_stem().expect("a name").to_string_lossy().replace("-nonessential", "");
        let file = format!("{name}.golden.json.gz");
        let own = goldens.iter().find(|golden| golden.file_name().is_some_and(|it| *it == *file));
        let own = own.unwrap_or_else(|| panic!("no golden for {}", skeleton.display()));
        files += 1;
        let golden = Golden::load(own, &skeleton);
        golden.check_model(&mut tally.faults);
        golden.check_poses(&mut tally);
        golden.check_mixes(&mut tally);
        golden.check_events(&mut tally);
        golden.check_physics(&mut tally);
    }
    assert!(files >= 44, "only {files} binaries");
    say(&format!("{files} binaries of 4.3: {} of {} cases agree", tally.passing(), tally.cases));
    all_agree(&tally);
}

/// Rigs in which constraints act on what other constraints have changed.
#[test]
fn conformance_spine_static_poses() {
    let tally = run("spine-mixing/static", "poses", Golden::check_listed_poses);
    known::check("poses", &tally.scripts, &tally.mixed);
    all_agree(&tally);
}

/// The versions whose scripts of tracks are in `spine-mixing`, with rigs of their own.
const MIXING: [&str; 7] = ["3.6", "3.7", "3.8", "4.0", "4.1", "4.2", "4.3"];

#[test]
fn conformance_spine_mixing_states() {
    let parts = MIXING.map(|version| format!("spine-mixing/{version}"));
    let (mut all, mut is_there) = (Tally::default(), false);
    for part in parts.iter().filter(|part| !goldens(part).is_empty()) {
        let tally = run(part, "states", Golden::check_states);
        is_there = true;
        all.cases += tally.cases;
        all.faults.extend(tally.faults);
        all.mixed.extend(tally.mixed);
        all.scripts.extend(tally.scripts);
    }
    if is_there {
        known::check("tracks", &all.scripts, &all.mixed);
        all_agree(&all);
    }
}

/// Tolerance of pairs of JSON and binary from the same export, as a part of the distance of the farthest bone: JSON rounds
/// angles to two digits, which moves the next bone by up to 1e-4 of the distance, and adds up along chains. Times are
/// rounded to four digits, so the pairs are compared between keys, which lie at whole frames.
const PAIR_TOLERANCE: f32 = 2e-3;

#[test]
fn conformance_spine_next_pairs() {
    let mut faults = Vec::new();
    for version in ["3.6", "3.7"] {
        let (mut poses, mut worst) = (0, 0.0f32);
        for binary in conformance_files(&format!("spine-next/{version}-skel"), ".skel") {
            let read = |path: &Path| read_spine(path, &mut Diagnostics::default());
            let [one, other] = [read(&binary), read(&binary.with_extension("json"))];
            let name = binary.file_stem().expect("a name").display().to_string();
            let [ours, theirs] = [&one, &other].map(|character| character.model().animations());
            assert_eq!(ours.len(), theirs.len(), "{name}");
            for (index, (a, b)) in ours.iter().zip(theirs).enumerate() {
                assert_eq!(a.name, b.name, "{name}");
                for frame in 0..a.frame_count() {
                    let position = Position::Seconds((f64::from(frame) + 0.37) / 30.0);
                    let animation = one.model().animation_ids().nth(index);
                    let cue = Cue { animation, position, hold: true, ..Cue::default() };
                    let [mut own, mut expected] = [Pose::default(), Pose::default()];
                    evaluate(&one, &cue, &mut own);
                    evaluate(&other, &cue, &mut expected);
                    let bones = own.world_from_bone.iter().zip(&expected.world_from_bone);
                    let off = bones.map(|(a, b)| a.translation.distance(b.translation)).fold(0.0, f32::max);
                    let farthest = expected.world_from_bone.iter().map(|bone| bone.translation.length());
                    let off = off / farthest.fold(100.0, f32::max);
                    (poses, worst) = (poses + 1, worst.max(off));
                    let name_of = |it: &Character, id: AttachmentId| it.model().attachment(id).name().to_owned();
                    let shown = |it: &Character, pose: &Pose| -> Vec<Option<String>> {
                        pose.slots.iter().map(|slot| slot.attachment.map(|id| name_of(it, id))).collect()
                    };
                    if off > PAIR_TOLERANCE
                        || shown(&one, &own) != shown(&other, &expected)
                        || own.draw_order != expected.draw_order
                    {
                        faults.push(format!("{version} {name} {} frame {frame}: {off} of its size", a.name));
                    }
                }
            }
        }
        say(&format!("pairs of {version}: {poses} poses, at most {worst} of the size apart"));
    }
    assert!(faults.is_empty(), "{} differ:\n{}", faults.len(), faults.join("\n"));
}
