//! Poses that are known to differ: the lines of `known_failures.txt`.

use std::collections::BTreeSet;

const LINES: &str = include_str!("known_failures.txt");

/// What may be the reason, by what is compared.
const REASONS: [(&str, &[&str]); 1] = [("tracks", &["rounding"])];

/// The rig and the frame of each pose that is known to differ for one of the reasons of `kind`.
fn known(kind: &str) -> BTreeSet<(String, u64)> {
    let lines = LINES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let [rig, frame, reason] = words[..] else { panic!("`{line}` is no rig, frame and reason") };
        let (kind_of_it, _) =
            REASONS.iter().find(|(_, reasons)| reasons.contains(&reason)).expect("a known reason");
        let frame = frame.parse().expect("the number of a frame");
        (*kind_of_it == kind).then(|| (rig.to_owned(), frame))
    };
    lines.filter_map(entry).collect()
}

/// Asserts that of the rigs `compared` exactly the listed poses `differ`, each told as its rig, its frame and how.
pub fn check(kind: &str, compared: &BTreeSet<String>, differ: &[(String, u64, String)]) {
    let mut known = known(kind);
    let is_new = |(rig, frame, _): &&(String, u64, String)| !known.contains(&(rig.clone(), *frame));
    let new: Vec<&str> = differ.iter().filter(is_new).map(|(.., how)| &**how).collect();
    assert!(new.is_empty(), "{} poses differ and are not listed:\n{}", new.len(), new.join("\n"));
    // Rigs that are not there, or that `PCHR_ONLY` leaves out, show nothing.
    known.retain(|(rig, _)| compared.contains(rig));
    differ.iter().for_each(|(rig, frame, _)| _ = known.remove(&(rig.clone(), *frame)));
    assert!(known.is_empty(), "these agree now, strike them from known_failures.txt: {known:?}");
}
