//! A font for characters that the bundled fonts lack.

use std::collections::BTreeMap;

use egui::FontDefinitions;

/// Returns a font whose glyphs of `a`, `b`, `c` … stand for `characters`: a bundled font with another character map.
pub fn font_of(characters: &str) -> Vec<u8> {
    let definitions = FontDefinitions::default();
    let font = definitions.font_data["Hack"].bytes().to_vec();
    let number = |at: usize| u32::from_be_bytes(font[at..at + 4].try_into().unwrap()) as usize;
    let short = |at: usize| usize::from(u16::from_be_bytes(font[at..at + 2].try_into().unwrap()));
    let mut tables: BTreeMap<[u8; 4], Vec<u8>> = (0..short(4))
        .map(|table| {
            let entry = 12 + table * 16;
            let (tag, start) = (font[entry..entry + 4].try_into().unwrap(), number(entry + 8));
            (tag, font[start..start + number(entry + 12)].to_vec())
        })
        .collect();
    // Platform 3, encoding 10, format 12: groups of characters and their first glyph.
    let mut sorted: Vec<(char, u32)> = characters.chars().zip(36..).collect();
    sorted.sort();
    let mut map = vec![0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0];
    for value in [16 + 12 * sorted.len() as u32, 0, sorted.len() as u32] {
        map.extend(value.to_be_bytes());
    }
    for (character, glyph) in sorted {
        for value in [character as u32, character as u32, glyph] {
            map.extend(value.to_be_bytes());
        }
    }
    tables.insert(*b"cmap", map);
    let mut bytes = font[..12].to_vec();
    let mut start = 12 + tables.len() * 16;
    for (tag, table) in &tables {
        bytes.extend(tag);
        bytes.extend([0; 4]);
        for value in [start, table.len()] {
            bytes.extend((value as u32).to_be_bytes());
        }
        start += table.len().next_multiple_of(4);
    }
    for table in tables.values() {
        bytes.extend(table);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}
