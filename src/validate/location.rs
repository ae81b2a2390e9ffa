//! Resolves the places of findings to byte offsets, lines and columns.

use super::text::excerpt;
use super::{Finding, Position};
use crate::diagnostics::Severity;
use crate::error::Fault;
use crate::formats::pchr::document::OLDER_WORDS;
use crate::formats::pchr::json::{Lines, is_json, locate};
use crate::formats::pchr::json_text;

/// Locates faults in the file `bytes`. In JSON, every finding gets an offset.
pub fn located(bytes: &[u8], faults: Vec<(Severity, &Fault)>, excerpts: bool) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        faults.into_iter().map(|(severity, fault)| finding(severity, fault)).collect();
    let Some(json) = json_text(bytes) else { return findings };
    let is_here =
        |finding: &Finding| finding.other_file.is_none() && (finding.path.is_none() || finding.pointer.is_some());
    let pointers: Vec<&str> =
        findings.iter().map(|finding| finding.pointer.as_deref().unwrap_or_default()).collect();
    let mut found = locate(json.text, &pointers);
    // Some files mix the field names of both JSON forms.
    let mixed: Vec<(usize, String)> = found
        .iter()
        .enumerate()
        .filter(|(_, found)| found.as_ref().is_some_and(|found| !found.is_exact))
        .filter_map(|(index, _)| Some((index, translate_pointer(pointers[index])?)))
        .collect();
    let again: Vec<&str> = mixed.iter().map(|(_, pointer)| pointer.as_str()).collect();
    let again = if again.is_empty() { Vec::new() } else { locate(json.text, &again) };
    for ((index, pointer), exact) in mixed.into_iter().zip(again) {
        if let Some(exact) = exact.filter(|exact| exact.is_exact) {
            found[index] = Some(exact);
            findings[index].pointer = Some(pointer);
        }
    }
    // The byte range of each finding in the text.
    let mut ranges = Vec::new();
    for (index, (finding, found)) in findings.iter_mut().zip(found).enumerate() {
        if !is_here(finding) {
            continue;
        }
        let given = finding.offset.map(|offset| {
            let at =
                usize::try_from(offset.saturating_sub(json.offset)).unwrap_or(usize::MAX).min(json.text.len());
            at..at + 1
        });
        let range = given.or(found.map(|found| found.range)).unwrap_or(0..0);
        finding.offset.get_or_insert(json.offset + range.start as u64);
        ranges.push((range, index));
    }
    // Lines are meaningless in a binary file.
    if is_json(bytes) {
        ranges.sort_by_key(|(range, _)| range.start);
        let mut lines = Lines::of(json.text);
        for (range, index) in ranges {
            let (line, column) = lines.go_to(range.start);
            findings[index].position = Some(Position { line, column });
            findings[index].excerpt = excerpts.then(|| excerpt(json.text, range));
        }
    }
    findings
}

fn finding(severity: Severity, fault: &Fault) -> Finding {
    let Fault { code, place, message } = fault;
    let mut finding = Finding {
        code,
        position: None,
        message: message.clone(),
        offset: place.offset,
        other_file: None,
        path: None,
        pointer: None,
        severity,
        excerpt: None,
    };
    if let Some(file) = &place.file {
        finding.other_file = Some(file.clone());
        let line = place.path.strip_prefix("line ").and_then(|line| line.parse().ok());
        finding.position = line.map(|line| Position { line, column: 1 });
        finding.path = Some(place.path.clone()).filter(|path| !path.is_empty() && line.is_none());
    } else if !place.path.starts_with('/') {
        finding.path = Some(place.path.clone()).filter(|path| !path.is_empty());
    } else if let Some((pointer, picture)) = place.path.strip_suffix("`)").and_then(|path| path.split_once(" (`"))
    {
        // Readers append the name of an invalid image to the pointer.
        finding.message = format!("`{picture}`: {message}");
        finding.pointer = Some(pointer.to_owned());
    } else {
        finding.pointer = Some(place.path.clone());
    }
    finding
}

/// Translates a pointer into a PCHR description to the field names of Pachario JSON, or the other way round.
fn translate_pointer(pointer: &str) -> Option<String> {
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
            let other = OLDER_WORDS.iter().find_map(|&(new, old)| match word {
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
    use crate::error::Place;
    use crate::validate::Excerpt;

    fn locations(text: &[u8], places: &[Place]) -> Vec<Finding> {
        let fault = |place: &Place| Fault { code: "odd", place: place.clone(), message: "odd".to_owned() };
        let faults: Vec<Fault> = places.iter().map(fault).collect();
        located(text, faults.iter().map(|fault| (Severity::Note, fault)).collect(), true)
    }

    fn pointer(path: &str) -> Place {
        Place::inside(path)
    }

    #[test]
    fn lines_and_columns_count_characters() {
        let text = "\u{feff}{\n  \"ä\": [\"ö\", 1],\r\n\t\"b\": 2 }";
        let places = [pointer("/b"), pointer("/ä/1"), pointer("/nothing"), Place::at("", 3)];
        let found = locations(text.as_bytes(), &places);
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
        let found = locations(text, &places);
        assert_eq!(found[1].pointer.as_deref(), Some("/bones/1/parent"));
        assert_eq!(found.iter().map(|location| location.offset.unwrap()).collect::<Vec<_>>(), [25, 40]);
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let text = format!("{{\"a\": \"{}\", \"b\": 1, \"c\": \"{}\"}}", "ä".repeat(500), "€".repeat(500));
        for filler in 0..4 {
            let text = format!("{}{text}", " ".repeat(filler));
            let place = pointer("/b");
            let found = locations(text.as_bytes(), &[place]).remove(0);
            let Excerpt { text, marked } = found.excerpt.unwrap();
            assert_eq!(&text[marked], "1");
            assert!(text.starts_with("…ä") && text.ends_with("€…") && text.len() < 140, "{text}");
        }
    }

    #[test]
    fn findings_in_an_image_name_the_image() {
        let place = pointer("/images/0/path (`a (`b`).png`)");
        let found = locations(b"", &[place]).remove(0);
        assert_eq!(found.pointer.as_deref(), Some("/images/0/path"));
        assert_eq!(found.message, "`a (`b`).png`: odd");
    }

    #[test]
    fn findings_in_another_file_are_located_there() {
        let inside =
            |path: &str, offset| Place { file: Some("a.atlas".to_owned()), path: path.to_owned(), offset };
        let found = locations(b"{}", &[inside("line 6", None), inside("chunk 2", Some(30)), inside("", None)]);
        assert!(found.iter().all(|finding| finding.other_file.as_deref() == Some("a.atlas")), "{found:?}");
        assert_eq!(found[0].position, Some(Position { line: 6, column: 1 }));
        assert_eq!((found[1].path.as_deref(), found[1].offset), (Some("chunk 2"), Some(30)));
        assert_eq!((found[2].position, found[2].offset, found[2].inside()), (None, None, ""));
    }

    #[test]
    fn the_end_of_the_text_can_be_located() {
        let text = b"{\"a\": ";
        let found = locations(text, &[Place::at("", 6)]).remove(0);
        assert_eq!((found.offset, found.position), (Some(6), Some(Position { line: 1, column: 7 })));
        assert_eq!(found.excerpt.unwrap().marked, 6..6);
    }
}
