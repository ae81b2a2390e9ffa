//! Poses that are known to differ, as listed in `known_failures.txt`.

use std::collections::BTreeSet;

const LINES: &str = include_str!("known_failures.txt");

/// What may be the reason, by what is compared.
const REASONS: [(&str, &[&str]); 2] =
    [("tracks", &["rounding", "unknown"]), ("poses", &["tie", "turn", "first", "digits", "near"])];

/// Returns the rig and frame, or number in the golden, of each pose that is known to differ for one of the reasons of `kind`.
fn known(kind: &str) -> BTreeSet<(String, u64)> {
    let lines = LINES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let [rig, frame, reason] = words[..] else { panic!("expected rig, frame and reason, found `{line}`") };
        let (kind_of_it, _) =
            REASONS.iter().find(|(_, reasons)| reasons.contains(&reason)).expect("a known reason");
        let frame = frame.parse().expect("the number of a frame");
        (*kind_of_it == kind).then(|| (rig.to_owned(), frame))
    };
    lines.filter_map(entry).collect()
}

/// Asserts that exactly the listed poses of the rigs `compared` are in `differ`, which contains rig, frame and
/// difference.
pub fn check(kind: &str, compared: &BTreeSet<String>, differ: &[(String, u64, String)]) {
    let mut known = known(kind);
    let is_new = |(rig, frame, _): &&(String, u64, String)| !known.contains(&(rig.clone(), *frame));
    let new: Vec<&str> = differ.iter().filter(is_new).map(|(.., how)| &**how).collect();
    let most = std::env::var("PCHR_SHOWN").ok().and_then(|count| count.parse().ok()).unwrap_or(40);
    let shown = &new[..new.len().min(most)];
    assert!(new.is_empty(), "{} poses differ and are not listed:\n{}", new.len(), shown.join("\n"));
    // Rigs that are missing or excluded by `PCHR_ONLY` are not compared.
    known.retain(|(rig, _)| compared.contains(rig));
    differ.iter().for_each(|(rig, frame, _)| _ = known.remove(&(rig.clone(), *frame)));
    assert!(known.is_empty(), "these agree now, remove them from known_failures.txt: {known:?}");
}
