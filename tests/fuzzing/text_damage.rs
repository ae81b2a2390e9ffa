//! Damage to text other than JSON (atlases, XML, property lists): numbers are replaced by numbers, words and lines
//! are dropped, duplicated and exchanged.

use std::ops::Range;

use crate::common::random::Random;

/// Replacements for numbers.
const NUMBERS: [&str; 16] = [
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "2",
    "4",
    "65535",
    "65536",
    "16777217",
    "4294967296",
    "-2147483649",
    "1e9",
    "1e400",
    "nan",
    "",
];

/// Returns true if the bytes seem to be text.
pub fn is_text(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().take(64).all(|&byte| byte >= 0x20 || b"\t\r\n".contains(&byte))
}

/// Makes one change.
pub fn damage_text(text: &mut Vec<u8>, random: &mut Random) {
    let lines = lines(text);
    let line = lines[random.below(lines.len())].clone();
    match random.below(8) {
        0 => drop(text.drain(line)),
        1 => {
            let again = text[line.clone()].repeat(1 + random.below(3));
            drop(text.splice(line.end..line.end, again));
        }
        2 => {
            let other = text[lines[random.below(lines.len())].clone()].to_vec();
            drop(text.splice(line, other));
        }
        3 | 4 => {
            let numbers = runs(text, |byte| byte.is_ascii_digit() || b"-.".contains(&byte));
            if let Some(number) = one_of(&numbers, random) {
                drop(text.splice(number, NUMBERS[random.below(NUMBERS.len())].bytes()));
            }
        }
        5 => {
            let words = runs(text, |byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
            if let (Some(word), Some(other)) = (one_of(&words, random), one_of(&words, random)) {
                let other = text[other].to_vec();
                drop(text.splice(word, other));
            }
        }
        // Another digit, which keeps numbers plausible.
        _ => {
            let place = (0..16).map(|_| random.below(text.len())).find(|&at| text[at].is_ascii_digit());
            if let Some(at) = place {
                text[at] = b'0' + random.below(10) as u8;
            }
        }
    }
}

fn one_of(ranges: &[Range<usize>], random: &mut Random) -> Option<Range<usize>> {
    if ranges.is_empty() { None } else { Some(ranges[random.below(ranges.len())].clone()) }
}

/// Returns the lines, or the pieces between tags, including their terminators. At least one.
fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let (mut lines, mut start) = (Vec::new(), 0);
    for (at, byte) in text.iter().enumerate() {
        if b"\n>".contains(byte) || at + 1 == text.len() {
            lines.push(start..at + 1);
            start = at + 1;
        }
    }
    lines
}

/// Returns the runs of bytes for which `is_part` returns true.
fn runs(text: &[u8], is_part: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
    let (mut runs, mut start) = (Vec::new(), None);
    for (at, &byte) in text.iter().chain(b"\n").enumerate() {
        match (is_part(byte), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                runs.push(from..at);
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    runs
}
