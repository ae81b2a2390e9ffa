//! Damage to `pchr-test.toml`: sets, repeats and exchanges keys and tables, and replaces values.

use super::names::rename;
use crate::common::random::Random;
use crate::fuzzing::text_damage::damage_text;

const KEYS: [&str; 38] = [
    "animation",
    "frames",
    "time",
    "interpolate",
    "physics",
    "skin",
    "mesh",
    "hide-mesh",
    "samples",
    "name",
    "fps",
    "bind-pose",
    "flip-v",
    "y-down",
    "atlas",
    "movie-clips",
    "page-alpha",
    "grid",
    "limit",
    "size",
    "scale",
    "padding",
    "fit",
    "background",
    "alpha",
    "additive",
    "filter",
    "antialias",
    "show",
    "tolerance",
    "max-diff-pixels",
    "files",
    "render",
    "loops",
    "matte",
    "dither",
    "optimize",
    "help",
];

const VALUES: [&str; 60] = [
    "0",
    "1",
    "-1",
    "3",
    "64",
    "256",
    "4096",
    "10000",
    "65536",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999",
    "0x7fff_ffff",
    "0o17",
    "0b1",
    "1_000",
    "0.5",
    "-0.0",
    "1e38",
    "1e-45",
    "1e308",
    "1e999",
    "nan",
    "-inf",
    "true",
    "false",
    "1979-05-27",
    "07:32:00",
    "[]",
    "{}",
    "[1, 'a', true]",
    "{ a = 1 }",
    "''",
    "'all'",
    "'bind'",
    "['#0', '#1', '#-1', '#9']",
    "'none'",
    "'auto'",
    "'0..=-1'",
    "'-1,0,1..3:2'",
    "'0..4294967295:4294967295'",
    "'64x32'",
    "'1x65535'",
    "'x1'",
    "'native'",
    "'frame'",
    "'-1e38,-1e38,2e38,2e38'",
    "'0,0,1e-30,1e30'",
    "'1000%'",
    "'nan%'",
    "'checker:4294967295'",
    "'#fff8'",
    "['bones', 'names', 'aabb']",
    "'*'",
    "'**/*.json'",
    "['*a*a*a*a*a*a*a*a*a*a/x', '[!a]', '[']",
    "'memory-bytes=1k'",
    "'''\n\u{1b}]0;x\u{7}'''",
    "\"\\u001b[31m\\u202e\"",
];

/// Makes one change.
pub fn damage_toml(text: &mut Vec<u8>, random: &mut Random) {
    match random.below(6) {
        0 if rename(text, random) => {}
        1 if !text.is_empty() => damage_text(text, random),
        2 => drop(text.splice(line_start(text, random), b"[[render]]\n".iter().copied())),
        3 | 4 => replace_value(text, random),
        _ => {
            let (key, value) = (KEYS[random.below(KEYS.len())], VALUES[random.below(VALUES.len())]);
            let at = line_start(text, random);
            drop(text.splice(at, format!("{key} = {value}\n").into_bytes()));
        }
    }
}

/// Returns the empty range at the start of a random line.
fn line_start(text: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let at = random.below(text.len() + 1);
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    start..start
}

/// Replaces what follows the equals sign of a random line.
fn replace_value(text: &mut Vec<u8>, random: &mut Random) {
    let start = line_start(text, random).start;
    let end = text[start..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| start + end);
    if let Some(equals) = text[start..end].iter().position(|byte| *byte == b'=') {
        let value = VALUES[random.below(VALUES.len())];
        drop(text.splice(start + equals + 1..end, value.bytes()));
    }
}
