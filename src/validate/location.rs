//! Resolves the places of findings to byte offsets, lines and columns.

use super::text::{Excerpt, Lines, Position, excerpt};
use crate::error::Place;
use crate::formats::pchr::json::{is_json, locate};
use crate::formats::pchr::json_text;

/// The location of a finding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    /// The file at fault and the place in it, if it is not the checked file but one that it refers to. The other
    /// fields then locate the reference.
    pub other_file: Option<String>,
    /// Path inside the file in the terms of the format, if it is not a JSON pointer. May be empty.
    pub path: String,
    /// JSON pointer (RFC 6901).
    pub pointer: Option<String>,
    /// Offset in bytes from the start of the file.
    pub offset: Option<u64>,
    /// Line and column; only in JSON files.
    pub position: Option<Position>,
    /// The text at the location; only in JSON files and with [`Options::excerpts`](super::Options::excerpts).
    pub excerpt: Option<Excerpt>,
}

impl Location {
    /// Returns the path inside the file: the JSON pointer if there is one. May be empty.
    pub fn inside(&self) -> &str {
        self.pointer.as_deref().unwrap_or(&self.path)
    }
}

/// Locates each of `places` in the file `bytes`. Every place in JSON gets an offset.
pub fn locations(bytes: &[u8], places: &[&Place], excerpts: bool) -> Vec<Location> {
    let mut locations: Vec<Location> = places.iter().map(|place| location(place)).collect();
    let Some(json) = json_text(bytes) else { return locations };
    let is_here = |location: &Location| location.path.is_empty() || location.pointer.is_some();
    let pointers: Vec<&str> =
        locations.iter().map(|location| location.pointer.as_deref().unwrap_or_default()).collect();
    let mut located = locate(json.text, &pointers);
    // Some files mix the field names of both JSON forms.
    let mixed: Vec<(usize, String)> = located
        .iter()
        .enumerate()
        .filter(|(_, located)| located.as_ref().is_some_and(|located| !located.is_exact))
        .filter_map(|(index, _)| Some((index, translate_pointer(pointers[index])?)))
        .collect();
    let again: Vec<&str> = mixed.iter().map(|(_, pointer)| pointer.as_str()).collect();
    let again = if again.is_empty() { Vec::new() } else { locate(json.text, &again) };
    for ((index, pointer), found) in mixed.into_iter().zip(again) {
        if let Some(found) = found.filter(|found| found.is_exact) {
            located[index] = Some(found);
            locations[index].pointer = Some(pointer);
        }
    }
    // The byte range of each finding in the text.
    let mut ranges = Vec::new();
    for (index, (location, located)) in locations.iter_mut().zip(located).enumerate() {
        if !is_here(location) {
            continue;
        }
        let given = location.offset.map(|offset| {
            let at =
                usize::try_from(offset.saturating_sub(json.offset)).unwrap_or(usize::MAX).min(json.text.len());
            at..at + 1
        });
        let range = given.or(located.map(|located| located.range)).unwrap_or(0..0);
        location.offset.get_or_insert(json.offset + range.start as u64);
        ranges.push((range, index));
    }
    // Lines are meaningless in a binary file.
    if is_json(bytes) {
        ranges.sort_by_key(|(range, _)| range.start);
        let mut lines = Lines::of(json.text);
        for (range, index) in ranges {
            locations[index].position = Some(lines.go_to(range.start));
            locations[index].excerpt = excerpts.then(|| excerpt(json.text, range));
        }
    }
    locations
}

fn location(place: &Place) -> Location {
    if let Some(file) = &place.file {
        // An offset in another file is not one in this file.
        let inside = Place { file: None, ..place.clone() }.to_string();
        let inside = inside.strip_suffix(": ").map_or(String::new(), |inside| format!(", {inside}"));
        return Location { other_file: Some(format!("{file}{inside}")), ..Location::default() };
    }
    let location = Location { offset: place.offset, ..Location::default() };
    if !place.path.starts_with('/') {
        return Location { path: place.path.clone(), ..location };
    }
    // Readers append the name of an invalid image to the pointer.
    match place.path.strip_suffix("`)").and_then(|path| path.split_once(" (`")) {
        Some((pointer, picture)) => {
            Location { other_file: Some(picture.to_owned()), pointer: Some(pointer.to_owned()), ..location }
        }
        None => Location { pointer: Some(place.path.clone()), ..location },
    }
}

/// Translates a pointer into a PCHR description to the field names of Pachario JSON, or the other way round.
fn translate_pointer(pointer: &str) -> Option<String> {
    const WORDS: [(&str, &str); 3] = [("parent", "parentIdx"), ("image", "imageIdx"), ("indices", "triangles")];
    let parts: Vec<&str> = pointer.split('/').collect();
    match parts[..] {
        [ref before @ .., "bones", index, field @ ("idx" | "weight")] if before.len() == 5 => {
            let list = if field == "idx" { "boneIds" } else { "boneWeights" };
            Some(format!("{}/{list}/{index}", before.join("/")))
        }
        [ref before @ .., list @ ("boneIds" | "boneWeights"), index] => {
            let field = if list == "boneIds" { "idx" } else { "weight" };
            Some(format!("{}/bones/{index}/{field}", before.join("/")))
        }
        ["", list @ ("bones" | "meshes"), index, word, ref rest @ ..] => {
            let other = WORDS.iter().find_map(|&(new, old)| match word {
                word if word == new => Some(old),
                word if word == old => Some(new),
                _ => None,
            })?;
            let head = format!("/{list}/{index}/{other}");
            Some(rest.iter().fold(head, |pointer, part| format!("{pointer}/{part}")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointer(path: &str) -> Place {
        Place { path: path.to_owned(), ..Place::default() }
    }

    #[test]
    fn lines_and_columns_count_characters() {
        let text = "\u{feff}{\n  \"ä\": [\"ö\", 1],\r\n\t\"b\": 2 }";
        let places = [pointer("/b"), pointer("/ä/1"), pointer("/nothing"), Place::at("", 3)];
        let found = locations(text.as_bytes(), &places.iter().collect::<Vec<_>>(), true);
        let positions: Vec<_> = found.iter().map(|location| location.position.unwrap()).collect();
        let expected = [(3, 7), (2, 14), (1, 1), (1, 1)].map(|(line, column)| Position { line, column });
        assert_eq!(positions, expected);
        for (location, value) in found.iter().zip(["2", "1", "{", "{"]) {
            let offset = location.offset.unwrap() as usize;
            assert!(text[offset..].starts_with(value));
            let Excerpt { text, marked } = location.excerpt.clone().unwrap();
            assert_eq!(&text[marked], value);
        }
        assert_eq!(found[0].excerpt.as_ref().unwrap().text, "\\t\"b\": 2 }");
    }

    #[test]
    fn field_names_of_the_other_form_are_found() {
        let pairs = [
            ("/bones/1/parent", "/bones/1/parentIdx"),
            ("/meshes/0/image", "/meshes/0/imageIdx"),
            ("/meshes/0/indices/3", "/meshes/0/triangles/3"),
            ("/meshes/0/vertices/5/boneIds/1", "/meshes/0/vertices/5/bones/1/idx"),
            ("/meshes/0/vertices/5/boneWeights/1", "/meshes/0/vertices/5/bones/1/weight"),
        ];
        for (new, old) in pairs {
            assert_eq!(
                (translate_pointer(new).as_deref(), translate_pointer(old).as_deref()),
                (Some(old), Some(new))
            );
        }
        assert_eq!(translate_pointer("/bones/1/name"), None);
        let text = br#"{"bones": [{"parentIdx": 3}, {"parent": 4}]}"#;
        let places = [pointer("/bones/0/parentIdx"), pointer("/bones/1/parentIdx")];
        let found = locations(text, &places.iter().collect::<Vec<_>>(), false);
        assert_eq!(found[1].pointer.as_deref(), Some("/bones/1/parent"));
        assert_eq!(found.iter().map(|location| location.offset.unwrap()).collect::<Vec<_>>(), [25, 40]);
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let text = format!("{{\"a\": \"{}\", \"b\": 1, \"c\": \"{}\"}}", "ä".repeat(500), "€".repeat(500));
        for filler in 0..4 {
            let text = format!("{}{text}", " ".repeat(filler));
            let place = pointer("/b");
            let found = locations(text.as_bytes(), &[&place], true).remove(0);
            let Excerpt { text, marked } = found.excerpt.unwrap();
            assert_eq!(&text[marked], "1");
            assert!(text.starts_with("…ä") && text.ends_with("€…") && text.len() < 140, "{text}");
        }
    }

    #[test]
    fn findings_in_an_image_name_the_image() {
        let place = pointer("/images/0/path (`a (`b`).png`)");
        let found = location(&place);
        assert_eq!(found.pointer.as_deref(), Some("/images/0/path"));
        assert_eq!(found.other_file.as_deref(), Some("a (`b`).png"));
    }

    #[test]
    fn the_end_of_the_text_can_be_located() {
        let text = b"{\"a\": ";
        let found = locations(text, &[&Place::at("", 6)], true).remove(0);
        assert_eq!((found.offset, found.position), (Some(6), Some(Position { line: 1, column: 7 })));
        assert_eq!(found.excerpt.unwrap().marked, 6..6);
    }
}
