//! Names that several items of a list have, for lints.

use std::collections::HashMap;

/// Returns each name that occurs more than once, with the place of its second item and the number of its items.
pub fn repeated<'a, P>(names: impl Iterator<Item = (P, &'a str)>) -> Vec<(P, &'a str, usize)> {
    let mut found: Vec<(P, &str, usize)> = Vec::new();
    // By name: its index in `found`, once there are two.
    let mut seen: HashMap<&str, Option<usize>> = HashMap::new();
    for (place, name) in names {
        match seen.get_mut(name) {
            None => _ = seen.insert(name, None),
            Some(Some(at)) => found[*at].2 += 1,
            Some(second) => {
                *second = Some(found.len());
                found.push((place, name, 2));
            }
        }
    }
    found
}
