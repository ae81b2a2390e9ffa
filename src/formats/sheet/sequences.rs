//! Animations from numbered frame names: `walk_0001.png`, `walk_0002.png` are `walk`.
//!
//! Starling, cocos2d and libGDX describe animations only this way. A sequence has at least two frames, in the
//! order of their numbers, which may have gaps. A sequence of all frames in their order is omitted.

use std::collections::{HashMap, HashSet};

/// Numbered frames with a common name.
#[derive(Debug, PartialEq, Eq)]
pub struct Sequence<'a> {
    pub name: &'a str,
    /// Indices into the list of names.
    pub places: Vec<u32>,
}

/// Separators between a name and its number.
const SEPARATORS: [char; 8] = [' ', '_', '-', '.', '/', ':', '#', '('];

/// Finds the sequences, in the order of their first frames.
pub fn find<'a>(names: &[&'a str]) -> Vec<Sequence<'a>> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut found: Vec<(&str, Vec<(u64, u32)>)> = Vec::new();
    for (place, name) in (0..).zip(names) {
        let Some((prefix, number)) = split(name) else { continue };
        let index = *known.entry(prefix).or_insert_with(|| {
            found.push((prefix, Vec::new()));
            found.len() - 1
        });
        found[index].1.push((number, place));
    }
    found.retain(|(_, frames)| frames.len() > 1);
    for (_, frames) in &mut found {
        frames.sort_by_key(|(number, _)| *number);
    }
    let is_all =
        |frames: &[(u64, u32)]| frames.len() == names.len() && frames.is_sorted_by_key(|(_, place)| *place);
    found.retain(|(_, frames)| !is_all(frames));
    named(found)
}

/// Names each sequence after its prefix, without the separator unless that name is taken.
fn named<'a>(found: Vec<(&'a str, Vec<(u64, u32)>)>) -> Vec<Sequence<'a>> {
    let mut taken: HashSet<&str> = found.iter().map(|(prefix, _)| *prefix).collect();
    let name = |(prefix, frames): (&'a str, Vec<(u64, u32)>)| {
        let short = prefix.trim_end_matches(SEPARATORS);
        let name = if taken.insert(short) { short } else { prefix };
        Sequence { name, places: frames.into_iter().map(|(_, place)| place).collect() }
    };
    found.into_iter().map(name).collect()
}

/// Splits a name into prefix and trailing number, ignoring an extension.
fn split(name: &str) -> Option<(&str, u64)> {
    let stem = match name.rsplit_once('.') {
        Some((stem, extension)) if is_extension(extension) => stem,
        _ => name,
    };
    let stem = stem.strip_suffix(')').filter(|stem| stem.contains('(')).unwrap_or(stem);
    let prefix = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = stem[prefix.len()..].parse().ok()?;
    (!prefix.trim_end_matches(SEPARATORS).is_empty()).then_some((prefix, number))
}

/// Returns true for extensions of images and of drawing programs.
fn is_extension(text: &str) -> bool {
    (1..=8).contains(&text.len()) && text.starts_with(|c: char| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&'static str]) -> Vec<(&'static str, Vec<u32>)> {
        find(names).into_iter().map(|Sequence { name, places }| (name, places)).collect()
    }

    #[test]
    fn numbered_names_are_a_sequence() {
        let names = ["walk_0002.png", "idle1", "walk_0001.png", "box.png", "idle10", "idle2", "capguy/run/01"];
        assert_eq!(found(&names), [("walk", vec![2, 0]), ("idle", vec![1, 5, 4])]);
        assert_eq!(found(&["a (1)", "a (2)", "b:0", "b:1"]), [("a", vec![0, 1]), ("b", vec![2, 3])]);
    }

    #[test]
    fn a_sequence_of_all_frames_is_only_returned_in_a_different_order() {
        assert_eq!(found(&["sound 0.aseprite", "sound 1.aseprite"]), []);
        assert_eq!(found(&["a 1.png", "a 10.png", "a 2.png"]), [("a", vec![0, 2, 1])]);
    }

    #[test]
    fn numbers_without_a_name_are_not_a_sequence() {
        assert_eq!(found(&["0", "1", "_2", "", "a", "3.png"]), []);
        assert_eq!(found(&["a99999999999999999999", "a99999999999999999998"]), []);
    }

    #[test]
    fn sequences_have_unique_names() {
        let names = ["a_1", "a_2", "a1", "a2", "b 1", "b 2", "b-1", "b-2"];
        assert_eq!(found(&names), [("a_", vec![0, 1]), ("a", vec![2, 3]), ("b", vec![4, 5]), ("b-", vec![6, 7])]);
    }
}
