//! Animations from numbered frame names: `walk_0001.png`, `walk_0002.png` are `walk`.
//!
//! Starling, cocos2d and libGDX describe animations only this way. A sequence has the order of its numbers, which may
//! have gaps. In sheets of Adobe Animate, the number is exactly the last four digits, so that `shoot 10000` is the
//! first frame of `shoot 1`, and a sequence may have a single frame; elsewhere it has at least two.

use std::collections::{HashMap, HashSet};

/// Numbered frames with a common name.
#[derive(Debug, PartialEq, Eq)]
pub struct Sequence<'a> {
    pub name: &'a str,
    /// The names of its frames up to their number.
    pub prefix: &'a str,
    /// Indices into the list of names.
    pub places: Vec<u32>,
    /// True if it is all frames in their order.
    pub is_all: bool,
}

/// Which digits are the number of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbering {
    /// All at the end of the name.
    Trailing,
    /// The last four. Shorter numbers are as in [`Self::Trailing`].
    FourDigits,
}

impl Numbering {
    /// Returns the numbering of sheets of Adobe Animate, or of others.
    pub fn of(is_of_animate: bool) -> Self {
        if is_of_animate { Self::FourDigits } else { Self::Trailing }
    }

    /// Returns the numbering of any sheet. Frames of Adobe Animate that another program has packed keep their four digits:
    /// some names end in more, and each clip begins with 0 or 1.
    pub fn detect(is_of_animate: bool, names: &[&str]) -> Self {
        let stems: Vec<&str> = names.iter().map(|name| stem(name)).collect();
        let is_longer = |stem: &&str| trailing_digits(stem) > DIGITS;
        if is_of_animate || !stems.iter().any(is_longer) || !end_in_four_digits(&stems) {
            return Self::of(is_of_animate);
        }
        let split = || names.iter().filter_map(|name| split(name, Self::FourDigits));
        let begun: HashSet<&str> = split().filter(|(_, number)| *number <= 1).map(|(prefix, _)| prefix).collect();
        Self::of(split().all(|(prefix, _)| begun.contains(prefix)))
    }
}

/// Number of digits in the numbers of Adobe Animate.
const DIGITS: usize = 4;

/// Separators between a name and its number.
const SEPARATORS: [char; 9] = [' ', '_', '-', '.', '/', '\\', ':', '#', '('];

/// Finds the sequences, in the order of their first frames.
pub fn find<'a>(names: &[&'a str], numbering: Numbering) -> Vec<Sequence<'a>> {
    let mut found = clips(names, numbering);
    found.retain(|(_, places)| numbering == Numbering::FourDigits || places.len() > 1);
    named(found, names.len())
}

/// Returns the prefixes of numbered names with the indices of their frames, which are sorted by number.
pub fn clips<'a>(names: &[&'a str], numbering: Numbering) -> Vec<(&'a str, Vec<u32>)> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut found: Vec<(&str, Vec<(u64, u32)>)> = Vec::new();
    for (place, name) in (0..).zip(names) {
        let Some((prefix, number)) = split(name, numbering) else { continue };
        let index = *known.entry(prefix).or_insert_with(|| {
            found.push((prefix, Vec::new()));
            found.len() - 1
        });
        found[index].1.push((number, place));
    }
    let sorted = |(prefix, mut frames): (&'a str, Vec<(u64, u32)>)| {
        frames.sort_by_key(|(number, _)| *number);
        (prefix, frames.into_iter().map(|(_, place)| place).collect())
    };
    found.into_iter().map(sorted).collect()
}

/// Returns true if all names end in four digits, and not only in longer numbers that begin with 0.
pub fn end_in_four_digits(names: &[&str]) -> bool {
    let digits = |name: &&str| trailing_digits(name);
    let is_plain =
        |name: &&str| digits(name) == DIGITS || name.as_bytes().get(name.len() - digits(name)) != Some(&b'0');
    names.iter().all(|name| digits(name) >= DIGITS) && names.iter().any(is_plain)
}

/// Returns the number of digits at the end of a name.
pub fn trailing_digits(name: &str) -> usize {
    name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len()
}

/// Names each sequence after its prefix, without the separator unless that name is taken. `count` is the number of
/// all frames.
fn named<'a>(found: Vec<(&'a str, Vec<u32>)>, count: usize) -> Vec<Sequence<'a>> {
    let mut taken: HashSet<&str> = found.iter().map(|(prefix, _)| *prefix).collect();
    let name = |(prefix, places): (&'a str, Vec<u32>)| {
        let short = prefix.trim_end_matches(SEPARATORS);
        let name = if taken.insert(short) { short } else { prefix };
        let is_all = places.len() == count && places.is_sorted();
        Sequence { name, prefix, places, is_all }
    };
    found.into_iter().map(name).collect()
}

impl<'a> Sequence<'a> {
    /// Returns the names by which it is also found: its prefix, and its name without folders.
    pub fn aliases(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        [self.name, self.prefix].into_iter().chain(self.name.rsplit(FOLDERS).next())
    }
}

/// Separators of folders.
const FOLDERS: [char; 2] = ['/', '\\'];

/// Returns the names of the clip that a single frame would be: its prefix, with and without the separator, and without
/// folders.
pub fn names_of_frame(name: &str, numbering: Numbering) -> impl Iterator<Item = &str> {
    let prefix = split(name, numbering).map(|(prefix, _)| prefix);
    let names = prefix.map(|prefix| {
        let short = prefix.trim_end_matches(SEPARATORS);
        Sequence { name: short, prefix, places: Vec::new(), is_all: false }.aliases()
    });
    names.into_iter().flatten()
}

/// Returns a name without an extension of images or of drawing programs.
pub fn stem(name: &str) -> &str {
    let is_extension = |text: &str| (1..=8).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphabetic());
    match name.rsplit_once('.') {
        Some((stem, extension)) if is_extension(extension) => stem,
        _ => name,
    }
}

/// Splits a name into prefix and number, ignoring an extension. A number at the beginning counts if none is at the end.
fn split(name: &str, numbering: Numbering) -> Option<(&str, u64)> {
    let stem = stem(name);
    let stem = stem.strip_suffix(')').filter(|stem| stem.contains('(')).unwrap_or(stem);
    let mut start = stem.len() - trailing_digits(stem);
    if numbering == Numbering::FourDigits {
        start = start.max(stem.len().saturating_sub(DIGITS));
    } else if start == stem.len() {
        return split_front(stem);
    }
    let (prefix, number) = stem.split_at(start);
    let number = number.parse().ok()?;
    (!prefix.trim_end_matches(SEPARATORS).is_empty()).then_some((prefix, number))
}

/// Splits a name such as `01_walk`.
fn split_front(stem: &str) -> Option<(&str, u64)> {
    let own = stem.rsplit(FOLDERS).next()?;
    let rest = own.trim_start_matches(|c: char| c.is_ascii_digit());
    let name = rest.trim_start_matches(SEPARATORS);
    let number = own.strip_suffix(rest)?.parse().ok()?;
    (!name.is_empty() && name.len() < rest.len()).then_some((name, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&'static str]) -> Vec<(&'static str, Vec<u32>)> {
        found_as(Numbering::Trailing, names)
    }

    fn found_as(numbering: Numbering, names: &[&'static str]) -> Vec<(&'static str, Vec<u32>)> {
        let found = find(names, numbering).into_iter().filter(|sequence| !sequence.is_all);
        found.map(|Sequence { name, places, .. }| (name, places)).collect()
    }

    #[test]
    fn four_digits_are_the_number_in_sheets_of_animate() {
        let names = ["shoot 10001", "shoot 10000", "shoot 20000", "note70000", "note70001", "idle", "a12"];
        assert_eq!(
            found_as(Numbering::FourDigits, &names),
            [("shoot 1", vec![1, 0]), ("shoot 2", vec![2]), ("note7", vec![3, 4]), ("a", vec![6])]
        );
        for (names, expected) in [
            (&["shoot 10000", "shoot 10053"][..], true),
            (&["a0000", "b00000"], true),
            (&["a_00001", "a_00002"], false),
            (&["a0000", "b1"], false),
            (&[""], false),
            (&[], false),
        ] {
            assert_eq!(end_in_four_digits(names), expected, "{names:?}");
        }
    }

    #[test]
    fn a_sequence_has_its_prefix_and_its_last_folder_as_aliases() {
        let names = ["hero/walk_1.png", "hero/walk_2.png"];
        let [sequence] = &find(&names, Numbering::Trailing)[..] else { panic!() };
        assert!(sequence.is_all);
        assert!(sequence.aliases().eq(["hero/walk", "hero/walk_", "walk"]));
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
