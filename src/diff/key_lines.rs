//! Keys that differ, and places, in words.

use super::differences::{FieldChange, FilePlace, KeyDifference, Named};
use super::lines::{Kind, Line};
use crate::error::escaped;

/// Describes a key: what differs, and its place in both files.
pub fn line(key: &KeyDifference) -> Line {
    let KeyDifference { animation, found_in, .. } = key;
    let changes: Vec<String> = key.changes.iter().map(change).collect();
    Line {
        kind: Kind::Key,
        found_in: *found_in,
        item: Some(Named { name: animation.clone(), occurrence: 0 }),
        at: None,
        name: name(key),
        detail: placed(&changes.join(", "), [&key.a, &key.b]),
    }
}

/// What it animates and when, such as `walk: bone head rotate 0.5 s`.
fn name(key: &KeyDifference) -> String {
    let KeyDifference { animation, attachment, name, property, skin, target, a, b, .. } = key;
    let is_alone = property == target || target == "drawOrder";
    let property = Some(property).filter(|_| !is_alone);
    let words = [Some(target), Some(name), skin.as_ref(), attachment.as_ref(), property];
    let words: Vec<&str> =
        words.into_iter().flatten().map(String::as_str).filter(|word| !word.is_empty()).collect();
    let seconds = a.as_ref().or(b.as_ref()).and_then(|place| place.seconds);
    let seconds = seconds.map(|seconds| format!(" {} s", rounded(seconds))).unwrap_or_default();
    format!("{}: {}{seconds}", escaped(animation), escaped(&words.join(" ")))
}

/// Returns a time as files round it.
pub fn rounded(seconds: f64) -> f64 {
    (seconds * 1e4).round() / 1e4
}

fn change(FieldChange { a, b, what }: &FieldChange) -> String {
    let [a, b] = [a, b].map(|value| value.as_deref().map_or("none".to_owned(), escaped));
    format!("{}: {a} → {b}", escaped(what))
}

/// Adds the places of an item in both files, as far as they are known, to what differs.
pub fn placed(detail: &str, places: [&Option<FilePlace>; 2]) -> String {
    match (detail, &*place(places)) {
        (detail, "") => detail.to_owned(),
        ("", place) => place.to_owned(),
        (detail, place) => format!("{detail} at {place}"),
    }
}

/// Returns the place in the first file, that in the second file, or what is different about it.
fn place(places: [&Option<FilePlace>; 2]) -> String {
    match places.map(Option::as_ref) {
        [Some(a), Some(b)] if (&a.file, &a.pointer) == (&b.file, &b.pointer) => {
            let [of_a, of_b] = [a, b].map(position);
            let position = if of_a == of_b { of_a } else { format!("{of_a} → {of_b}") };
            format!("{}{position} {}", file(a), escaped(&a.pointer))
        }
        [Some(a), Some(b)] => [a, b].map(whole).join(" → "),
        [Some(only), None] | [None, Some(only)] => whole(only),
        [None, None] => String::new(),
    }
}

fn whole(place: &FilePlace) -> String {
    format!("{}{} {}", file(place), position(place), escaped(&place.pointer))
}

fn file(place: &FilePlace) -> String {
    place.file.as_ref().map(|file| format!("{} ", escaped(file))).unwrap_or_default()
}

fn position(place: &FilePlace) -> String {
    match (place.line, place.column, place.byte) {
        (Some(line), Some(column), _) => format!("{line}:{column}"),
        (_, _, Some(byte)) => format!("byte {byte}"),
        _ => String::new(),
    }
}
