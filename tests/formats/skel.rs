//! Binary Spine skeletons: the same character as from JSON of the same content.
//!
//! Our own rigs exist as JSON and as `.skel` that was written from that JSON. `tests/fixtures/skel` has one rig of each
//! version with every part of the format, without nonessential data and with it (`all.full.skel`).

use std::path::{Path, PathBuf};

use bytes::Bytes;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NoSidecars, ReadOptions, spine};

use crate::common::{conformance_files, files_in, say};

fn load(path: &Path) -> Bytes {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).into()
}

/// Reads a skeleton without atlas; returns it with its warnings.
fn read(bytes: &Bytes) -> pchr::Result<(Character, Vec<String>)> {
    let mut diagnostics = Diagnostics::default();
    let input = Input { bytes: bytes.clone(), sidecars: &NoSidecars };
    let character = spine::read_character(&input, &ReadOptions::default(), &mut diagnostics)?;
    let warnings = diagnostics.warnings().filter(|fault| !["no-atlas", "missing-atlas"].contains(&fault.code));
    Ok((character, warnings.map(|fault| format!("{}: {fault}", fault.code)).collect()))
}

/// The tokens of a text: numbers as such, and everything between them.
fn tokens(text: &str) -> Vec<Result<f64, &str>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = is_part(first);
        let end = rest.find(|c| is_part(c) != is_word).unwrap_or(rest.len());
        let (token, after) = rest.split_at(end);
        tokens.push(token.parse().map_err(|_| token));
        rest = after;
    }
    tokens
}

/// JSON has decimals, which are rounded to the `f32` that the binary has; the handles of curves are computed from
/// these. The binary has alpha in bytes, and 1 / mass instead of the mass.
const TOLERANCE: f64 = 2e-5;
const ALPHA_TOLERANCE: f64 = 4e-3;

/// Compares all that was read, the model and the motion, and returns the first difference.
fn difference(json: &Character, skel: &Character) -> Option<String> {
    let [json, skel] = [json, skel].map(|character| format!("{:?}\n{:?}", character.model(), character.motion()));
    let (one, other) = (tokens(&json), tokens(&skel));
    let mut is_alpha = false;
    for (at, (a, b)) in one.iter().zip(&other).enumerate() {
        is_alpha = match a {
            Err(word) if word.starts_with(|c: char| c.is_ascii_uppercase()) => *word == "Alpha",
            _ => is_alpha,
        };
        let tolerance = if is_alpha { ALPHA_TOLERANCE } else { TOLERANCE };
        let is_same = match (a, b) {
            (Ok(a), Ok(b)) => a == b || (a - b).abs() <= tolerance * a.abs().max(1.0) || a.is_nan() && b.is_nan(),
            (a, b) => a == b,
        };
        if !is_same {
            let around = |tokens: &[Result<f64, &str>]| {
                let part = &tokens[at.saturating_sub(40)..(at + 10).min(tokens.len())];
                part.iter()
                    .map(|token| token.map_or_else(str::to_owned, |number| number.to_string()))
                    .collect::<String>()
            };
            return Some(format!("JSON has …{}…\n.skel has …{}…", around(&one), around(&other)));
        }
    }
    (one.len() != other.len()).then(|| format!("{} tokens in JSON, {} in .skel", one.len(), other.len()))
}

/// Compares every `.skel` below `folders` with the JSON beside it, and returns their number.
fn compare_all(skeletons: &[PathBuf]) -> usize {
    let mut failures = Vec::new();
    for path in skeletons {
        let name = path.display();
        let json = path.with_extension("json");
        let json = if json.exists() {
            json
        } else {
            // `hero.full.skel` has the same content as `hero.skel`, and nonessential data.
            path.with_extension("").with_extension("json")
        };
        let (json, _) = read(&load(&json)).unwrap_or_else(|error| panic!("{name}: {error}"));
        match read(&load(path)) {
            Ok((skel, warnings)) => {
                failures.extend(difference(&json, &skel).map(|difference| format!("{name}: {difference}")));
                failures.extend(warnings.iter().map(|warning| format!("{name}: {warning}")));
            }
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), skeletons.len(), failures.join("\n"));
    skeletons.len()
}

/// The skeletons of ours that have every part of the format, by version.
fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/skel");
    let folders = ["3.8", "4.0", "4.1", "4.2"].map(|version| root.join(version));
    folders.iter().flat_map(|folder| files_in(folder, ".skel")).collect()
}

#[test]
fn json_and_skel_give_the_same_character() {
    assert_eq!(compare_all(&fixtures()), 8);
}

#[test]
fn conformance_json_and_skel_give_the_same_character() {
    let mut found = conformance_files("spine/own", ".skel");
    for version in ["4.0", "4.1", "4.2"] {
        found.extend(conformance_files(&format!("spine4/{version}"), ".skel"));
    }
    let count = compare_all(&found);
    say(&format!(".skel: {count} skeletons of the corpus equal their JSON"));
}
