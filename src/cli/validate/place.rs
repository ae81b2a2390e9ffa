//! Places of findings → byte offsets, lines and columns.

use crate::error::{Place, shown};
use crate::formats::pchr::json::{is_json, locate};
use crate::formats::pchr::json_text;

/// Where a finding is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spot {
    /// The other file that is wrong, where it is one that this one names or that lies beside it, and the place in it.
    pub picture: Option<String>,
    /// The path inside, in the format's own words, where it is no pointer.
    pub path: String,
    /// The JSON pointer.
    pub pointer: Option<String>,
    /// Bytes from the start of the file.
    pub offset: Option<u64>,
    /// Line and column, of JSON files. Both count from 1, columns in characters.
    pub line: Option<(usize, usize)>,
    /// The line's text.
    pub excerpt: Option<Excerpt>,
}

impl Spot {
    /// The path inside the file, whichever it is.
    pub fn inside(&self) -> &str {
        self.pointer.as_deref().unwrap_or(&self.path)
    }
}

/// The part of a line that matters, safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    pub text: String,
    /// The bytes of `text` that the finding is about.
    pub marked: std::ops::Range<usize>,
}

/// Where each of `places` is in a file that is `bytes`. Every place in JSON has an offset.
pub fn spots(bytes: &[u8], places: &[&Place], wants_lines: bool) -> Vec<Spot> {
    let mut spots: Vec<Spot> = places.iter().map(|place| spot(place)).collect();
    let Some(json) = json_text(bytes) else { return spots };
    let is_here = |spot: &Spot| spot.path.is_empty() || spot.pointer.is_some();
    let pointers: Vec<&str> = spots.iter().map(|spot| spot.pointer.as_deref().unwrap_or_default()).collect();
    let mut located = locate(json.text, &pointers);
    // Some files mix the words of the two JSON forms.
    let mixed: Vec<(usize, String)> = located
        .iter()
        .enumerate()
        .filter(|(_, located)| located.as_ref().is_some_and(|located| !located.is_exact))
        .filter_map(|(index, _)| Some((index, in_other_words(pointers[index])?)))
        .collect();
    let again: Vec<&str> = mixed.iter().map(|(_, pointer)| pointer.as_str()).collect();
    let again = if again.is_empty() { Vec::new() } else { locate(json.text, &again) };
    for ((index, pointer), found) in mixed.into_iter().zip(again) {
        if let Some(found) = found.filter(|found| found.is_exact) {
            located[index] = Some(found);
            spots[index].pointer = Some(pointer);
        }
    }
    // Where each finding is in the text.
    let mut ranges = Vec::new();
    for (index, (spot, located)) in spots.iter_mut().zip(located).enumerate() {
        if !is_here(spot) {
            continue;
        }
        let given = spot.offset.map(|offset| {
            let at =
                usize::try_from(offset.saturating_sub(json.offset)).unwrap_or(usize::MAX).min(json.text.len());
            at..at + 1
        });
        let range = given.or(located.map(|located| located.range)).unwrap_or(0..0);
        spot.offset.get_or_insert(json.offset + range.start as u64);
        ranges.push((range, index));
    }
    // Lines of what is inside a binary file say nothing.
    if is_json(bytes) {
        ranges.sort_by_key(|(range, _)| range.start);
        let mut lines = Lines { text: json.text, at: 0, line: 1, column: 1 };
        for (range, index) in ranges {
            spots[index].line = Some(lines.go_to(range.start));
            spots[index].excerpt = wants_lines.then(|| excerpt(json.text, range));
        }
    }
    spots
}

fn spot(place: &Place) -> Spot {
    if let Some(file) = &place.file {
        // Bytes of another file are none of this one.
        let inside = Place { file: None, ..place.clone() }.to_string();
        let inside = inside.strip_suffix(": ").map_or(String::new(), |inside| format!(", {inside}"));
        return Spot { picture: Some(format!("{file}{inside}")), ..Spot::default() };
    }
    let spot = Spot { offset: place.offset, ..Spot::default() };
    if !place.path.starts_with('/') {
        return Spot { path: place.path.clone(), ..spot };
    }
    // What is wrong in a picture is told with the picture's name behind the pointer.
    match place.path.strip_suffix("`)").and_then(|path| path.split_once(" (`")) {
        Some((pointer, picture)) => {
            Spot { picture: Some(picture.to_owned()), pointer: Some(pointer.to_owned()), ..spot }
        }
        None => Spot { pointer: Some(place.path.clone()), ..spot },
    }
}

/// A pointer into a PCHR description as Pachario JSON has it, or the other way round.
fn in_other_words(pointer: &str) -> Option<String> {
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

/// Walks through text and counts.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
    column: usize,
}

impl Lines<'_> {
    /// Line and column of a byte that is not before the last one asked for.
    fn go_to(&mut self, at: usize) -> (usize, usize) {
        for byte in self.text.get(self.at..at).unwrap_or_default() {
            match byte {
                b'\n' => (self.line, self.column) = (self.line + 1, 1),
                // Not the first byte of a character.
                0x80..0xc0 => {}
                _ => self.column += 1,
            }
        }
        self.at = self.at.max(at);
        (self.line, self.column)
    }
}

/// How many bytes of a line are shown before and behind the place.
const SHOWN_BEFORE: usize = 60;
const SHOWN_BEHIND: usize = 60;

fn excerpt(text: &[u8], range: std::ops::Range<usize>) -> Excerpt {
    let at = range.start.min(text.len());
    let is_end = |byte: &u8| *byte == b'\n' || *byte == b'\r';
    let line_start = text[..at].iter().rev().take(SHOWN_BEFORE).position(is_end).map(|back| at - back);
    let mut start = line_start.unwrap_or(at.saturating_sub(SHOWN_BEFORE));
    let line_end = text[at..].iter().take(SHOWN_BEHIND).position(is_end).map(|ahead| at + ahead);
    let mut end = line_end.unwrap_or((at + SHOWN_BEHIND).min(text.len()));
    // Whole characters.
    let is_inside = |at: usize| text.get(at).is_some_and(|byte| (0x80..0xc0).contains(byte));
    while start < at && is_inside(start) {
        start += 1;
    }
    while end > at && is_inside(end) {
        end -= 1;
    }
    let is_nested = text.get(at).is_some_and(|byte| b"{[".contains(byte));
    let marked_end = if is_nested { at + 1 } else { range.end }.clamp(at, end.max(at));
    let part = |range| shown(&String::from_utf8_lossy(&text[range]));
    let cut_before = line_start.is_none() && start > 0;
    let cut_behind = line_end.is_none() && end < text.len();
    let mut line = if cut_before { "…".to_owned() } else { String::new() };
    line.push_str(&part(start..at));
    let marked_start = line.len();
    line.push_str(&part(at..marked_end));
    let marked = marked_start..line.len();
    line.push_str(&part(marked_end..end));
    if cut_behind {
        line.push('…');
    }
    Excerpt { text: line, marked }
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
        let spots = spots(text.as_bytes(), &places.iter().collect::<Vec<_>>(), true);
        let lines: Vec<_> = spots.iter().map(|spot| spot.line.unwrap()).collect();
        assert_eq!(lines, [(3, 7), (2, 14), (1, 1), (1, 1)]);
        for (spot, value) in spots.iter().zip(["2", "1", "{", "{"]) {
            let offset = spot.offset.unwrap() as usize;
            assert!(text[offset..].starts_with(value));
            let Excerpt { text, marked } = spot.excerpt.clone().unwrap();
            assert_eq!(&text[marked], value);
        }
        assert_eq!(spots[0].excerpt.as_ref().unwrap().text, "\\t\"b\": 2 }");
    }

    #[test]
    fn words_of_the_other_form_are_found() {
        let pairs = [
            ("/bones/1/parent", "/bones/1/parentIdx"),
            ("/meshes/0/image", "/meshes/0/imageIdx"),
            ("/meshes/0/indices/3", "/meshes/0/triangles/3"),
            ("/meshes/0/vertices/5/boneIds/1", "/meshes/0/vertices/5/bones/1/idx"),
            ("/meshes/0/vertices/5/boneWeights/1", "/meshes/0/vertices/5/bones/1/weight"),
        ];
        for (new, old) in pairs {
            assert_eq!((in_other_words(new).as_deref(), in_other_words(old).as_deref()), (Some(old), Some(new)));
        }
        assert_eq!(in_other_words("/bones/1/name"), None);
        let text = br#"{"bones": [{"parentIdx": 3}, {"parent": 4}]}"#;
        let places = [pointer("/bones/0/parentIdx"), pointer("/bones/1/parentIdx")];
        let spots = spots(text, &places.iter().collect::<Vec<_>>(), false);
        assert_eq!(spots[1].pointer.as_deref(), Some("/bones/1/parent"));
        assert_eq!(spots.iter().map(|spot| spot.offset.unwrap()).collect::<Vec<_>>(), [25, 40]);
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let text = format!("{{\"a\": \"{}\", \"b\": 1, \"c\": \"{}\"}}", "ä".repeat(500), "€".repeat(500));
        for filler in 0..4 {
            let text = format!("{}{text}", " ".repeat(filler));
            let place = pointer("/b");
            let spot = spots(text.as_bytes(), &[&place], true).remove(0);
            let Excerpt { text, marked } = spot.excerpt.unwrap();
            assert_eq!(&text[marked], "1");
            assert!(text.starts_with("…ä") && text.ends_with("€…") && text.len() < 140, "{text}");
        }
    }

    #[test]
    fn what_lies_in_a_picture_is_told_of_the_picture() {
        let place = pointer("/images/0/path (`a (`b`).png`)");
        let spot = spot(&place);
        assert_eq!(spot.pointer.as_deref(), Some("/images/0/path"));
        assert_eq!(spot.picture.as_deref(), Some("a (`b`).png"));
    }

    #[test]
    fn the_end_of_the_text_is_a_place() {
        let text = b"{\"a\": ";
        let spot = spots(text, &[&Place::at("", 6)], true).remove(0);
        assert_eq!((spot.offset, spot.line), (Some(6), Some((1, 7))));
        assert_eq!(spot.excerpt.unwrap().marked, 6..6);
    }
}
