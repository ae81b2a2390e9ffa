//! `pchr test --merge`: the results of all shards → the result of the whole run.
//!
//! Results are checked before they are joined: one that lacks frames, or contradicts itself, must not pass as a
//! success.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::failures::{distinct, sorted};
use super::shard::MAX_COUNT;
use crate::golden::record::{Comparison, FrameRecord, OwnCharacter, ShardRecord};
use crate::shared::config::read_bounded;
use crate::shared::counted::few;
use crate::shared::failure::Failure;
use crate::shared::json_output::JsonOutput;
use pchr::Error;
use pchr::error::{Place, escaped};
use pchr::formats::check_json_depth;
use pchr::limits::Limits;

/// Error code of all errors in results.
const CODE: &str = "bad-result";

/// Maximum size of a document in bytes, enough for half a million frames.
const MAX_BYTES: u64 = 256 << 20;

/// Maximum number of missing shards that are listed.
const MAX_LISTED: usize = 10;

/// Exit codes of characters that failed.
const FAILURE_CODES: [u8; 6] = [1, 2, 3, 4, 5, 70];

/// The field that identifies a document.
#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
}

/// The results of all shards.
#[derive(Debug)]
pub struct Merged {
    /// The result of the whole run.
    pub comparison: Comparison,
    /// By frame, the folder of the document that contains it.
    pub folders: Vec<PathBuf>,
}

/// Reads the results of all shards, or of one whole run, and joins them.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, Failure> {
    let read = |path: &'_ PathBuf| Ok((path.clone(), read(path)?));
    let documents: Vec<(PathBuf, Comparison)> = paths.iter().map(read).collect::<Result<_, Failure>>()?;
    check_shards(&documents)?;
    // Characters by their names, and with them the order of frames.
    let own = documents.iter().filter_map(|(_, document)| document.shard.as_ref()).flat_map(|shard| &shard.own);
    let positions: HashMap<String, usize> = own.map(|own| (own.character.clone(), own.index)).collect();
    let position = |character: &str| positions.get(character).copied();
    let suite = documents.first().and_then(|(_, document)| document.suite.clone());
    let suite = suite.filter(|suite| documents.iter().all(|(_, document)| document.suite.as_ref() == Some(suite)));
    let (mut merged, mut frames) = (Comparison { suite, ..Comparison::default() }, Vec::new());
    for (path, document) in documents {
        let folder = path.parent().unwrap_or(Path::new(""));
        frames.extend(document.frames.into_iter().map(|frame| (frame, folder.to_owned())));
        merged.errors.extend(document.errors);
        merged.failures.extend(document.failures);
        merged.structures.extend(document.structures);
        merged.unused.extend(document.unused);
        merged.skipped.extend(document.skipped);
    }
    frames.sort_by_key(|(frame, _): &(FrameRecord, _)| (position(&frame.character), frame.index));
    let (frames, folders): (Vec<_>, _) = frames.into_iter().unzip();
    merged.frames = (0..).zip(frames).map(|(index, frame)| FrameRecord { index, ..frame }).collect();
    merged.errors = sorted(merged.errors);
    merged.failures = distinct(merged.failures);
    // The structures of one character are in one document, in order.
    merged.structures.sort_by_key(|structure| position(&structure.character));
    merged.unused.sort_by(|a, b| Path::new(a).cmp(Path::new(b)));
    // All shards exclude the same characters.
    merged.skipped.sort();
    merged.skipped.dedup();
    Ok(Merged { comparison: merged.counted(), folders })
}

/// Reads one document.
fn read(path: &Path) -> Result<Comparison, Failure> {
    let bad = |message| bad(path, message);
    let bytes = read_bounded(path, MAX_BYTES, || bad(format!("a result has at most {MAX_BYTES} bytes")))?;
    let limits = Limits::default();
    let too_deep = |_| bad(format!("lists and objects are nested more than {} levels deep", limits.json_depth));
    check_json_depth(&bytes, &limits).map_err(too_deep)?;
    let schema = match serde_json::from_slice(&bytes) {
        Ok(Head { schema }) => schema,
        // Valid JSON of another structure.
        Err(error) if error.is_data() => None,
        Err(error) => return Err(bad(format!("invalid JSON: {error}"))),
    };
    let expected = Comparison::SCHEMA;
    if schema.as_deref() != Some(expected) {
        let found = schema.map_or_else(|| "no schema".to_owned(), |schema| format!("`{}`", escaped(&schema)));
        return Err(bad(format!(
            "expected a result of the schema `{expected}`, found {found}; `pchr test --json` prints one"
        )));
    }
    let document: Comparison =
        serde_json::from_slice(&bytes).map_err(|error| bad(format!("not a result: {error}")))?;
    let summary = document.summary;
    let document = document.counted();
    if document.summary != summary {
        return Err(bad("the summary does not fit the frames and failures".to_owned()));
    }
    if document.failures.iter().any(|failure| failure.character.is_none() || failure.index.is_none()) {
        return Err(bad("a failure has no `character` or no `index`".to_owned()));
    }
    match document.failures.iter().find(|failure| !FAILURE_CODES.contains(&failure.exit_code)) {
        Some(failure) => Err(bad(format!("no failure has the exit code {}", failure.exit_code))),
        None => Ok(document),
    }
}

/// Fails unless the documents are all shards of one run, each once, or the result of a whole run.
fn check_shards(documents: &[(PathBuf, Comparison)]) -> Result<(), Failure> {
    let mut shards: Option<Shards<'_>> = None;
    for (path, document) in documents {
        let checked = match &document.shard {
            Some(shard) => shards.get_or_insert_with(|| Shards::new(path, shard)).add(path, shard),
            None if documents.len() == 1 => Ok(()),
            None => Err("this is the result of a whole run, not of a shard".to_owned()),
        };
        checked.and_then(|()| check_frames(document)).map_err(|message| bad(path, message))?;
    }
    shards.map_or(Ok(()), |shards| shards.check_complete().map_err(|message| bad(shards.path, message)))
}

/// The shards of a run.
struct Shards<'a> {
    /// The document of the first one.
    path: &'a Path,
    first: &'a ShardRecord,
    /// The documents of shards, by number.
    numbers: HashMap<u32, &'a Path>,
    /// The documents of characters, by position.
    owners: HashMap<usize, &'a Path>,
}

impl<'a> Shards<'a> {
    fn new(path: &'a Path, first: &'a ShardRecord) -> Self {
        Self { path, first, numbers: HashMap::new(), owners: HashMap::new() }
    }

    /// Adds a shard. Fails if it cannot belong to the same run as the others.
    fn add(&mut self, path: &'a Path, shard: &'a ShardRecord) -> Result<(), String> {
        let ShardRecord { characters, count, own, pictures: _, shard: number } = shard;
        let shown = |path: &Path| escaped(&path.to_string_lossy());
        if (count, characters) != (&self.first.count, &self.first.characters) {
            let of = |shard: &ShardRecord| format!("{} shards with {} characters", shard.count, shard.characters);
            let (this, other, first) = (of(shard), of(self.first), shown(self.path));
            return Err(format!("this run has {this}, but the run of `{first}` has {other}"));
        }
        if *count > MAX_COUNT {
            return Err(format!("a run has at most {MAX_COUNT} shards, not {count}"));
        }
        if !(1..=*count).contains(number) {
            return Err(format!("shard {number} of {count} does not exist"));
        }
        if let Some(other) = self.numbers.insert(*number, path) {
            return Err(format!("shard {number} of {count} is already in `{}`", shown(other)));
        }
        for OwnCharacter { character, index } in own {
            let character = escaped(character);
            if index >= characters {
                return Err(format!("`{character}` cannot be character {index}"));
            }
            if let Some(other) = self.owners.insert(*index, path) {
                return Err(format!(
                    "`{character}` is also in `{}`: the shards had different files",
                    shown(other)
                ));
            }
        }
        Ok(())
    }

    /// Fails if a shard or a character is missing.
    fn check_complete(&self) -> Result<(), String> {
        let ShardRecord { characters, count, .. } = self.first;
        let missing: Vec<u32> =
            (1..=*count).filter(|number| !self.numbers.contains_key(number)).take(MAX_LISTED + 1).collect();
        if !missing.is_empty() {
            let what = if missing.len() == 1 { "shard" } else { "shards" };
            let numbers = few(missing.iter().map(u32::to_string), MAX_LISTED);
            return Err(format!("the run has {count} shards; missing: {what} {numbers}"));
        }
        match (0..*characters).find(|index| !self.owners.contains_key(index)) {
            Some(index) => Err(format!("character {index} is in no shard: the shards had different files")),
            None => Ok(()),
        }
    }
}

/// Fails if a document contains frames of other characters or a frame twice, or lacks frames although nothing failed.
fn check_frames(document: &Comparison) -> Result<(), String> {
    let own = document.shard.as_ref().map(|shard| &shard.own);
    let own: Option<HashSet<&str>> = own.map(|own| own.iter().map(|own| own.character.as_str()).collect());
    let is_foreign = |character: &String| own.as_ref().is_some_and(|own| !own.contains(character.as_str()));
    // The result of a whole run does not contain the number of pictures.
    let last = document.frames.iter().map(|frame| frame.index).max();
    let whole = last.map_or(0, |last| last.saturating_add(1));
    let pictures = document.shard.as_ref().map_or(whole, |shard| shard.pictures);
    let mut seen = HashSet::new();
    for FrameRecord { character, index, .. } in &document.frames {
        if is_foreign(character) || *index >= pictures {
            return Err(format!("the picture with the index {index} belongs to another shard"));
        }
        if !seen.insert(*index) {
            return Err(format!("the picture with the index {index} occurs twice"));
        }
    }
    if let Some(structure) = document.structures.iter().find(|structure| is_foreign(&structure.character)) {
        return Err(format!("the structure of `{}` belongs to another shard", escaped(&structure.character)));
    }
    if !document.failures.is_empty() {
        return Ok(());
    }
    // Stops at the first gap, so it checks at most one index more than there are frames.
    match (0..pictures).find(|index| !seen.contains(index)) {
        Some(missing) => Err(format!("the picture with the index {missing} is missing")),
        None => Ok(()),
    }
}

fn bad(path: &Path, message: String) -> Failure {
    Failure::Input(Error::malformed(CODE, Place::file(path.display()), message))
}
