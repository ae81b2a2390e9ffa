//! `pchr test --merge`: the results of all shards → the result of the whole run.
//!
//! Results are checked before they are joined: one that lacks frames, or contradicts itself, must not pass as a
//! success.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::failures::distinct;
use super::shard::MAX_COUNT;
use crate::golden::record::{Comparison, FrameRecord, OwnCharacter, ShardRecord, StructureRecord};
use crate::shared::config::read_bounded;
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
    /// Folder of the document that contains each frame, by the frame's index.
    pub folders: BTreeMap<usize, PathBuf>,
}

/// Reads the results of all shards, or of one whole run, and joins them.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, Failure> {
    let mut documents = Vec::with_capacity(paths.len());
    for path in paths {
        documents.push((path, read(path)?));
    }
    check_shards(&documents)?;
    // Characters by their names, and with them the order of frames.
    let own = documents.iter().filter_map(|(_, document)| document.shard.as_ref()).flat_map(|shard| &shard.own);
    let positions: HashMap<String, usize> = own.map(|own| (own.character.clone(), own.index)).collect();
    let (mut frames, mut failures) = (Vec::new(), Vec::new());
    let (mut structures, mut unused, mut skipped) = (Vec::new(), Vec::new(), BTreeSet::new());
    let suite = documents.first().and_then(|(_, document)| document.suite.clone());
    let suite = suite.filter(|suite| documents.iter().all(|(_, document)| document.suite.as_ref() == Some(suite)));
    for (path, document) in documents {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        frames.extend(document.frames.into_iter().map(|frame| (frame, folder.clone())));
        failures.extend(document.failures);
        structures.extend(document.structures);
        unused.extend(document.unused);
        // All shards exclude the same characters.
        skipped.extend(document.skipped);
    }
    frames.sort_by_key(|(frame, _): &(FrameRecord, PathBuf)| {
        (positions.get(&frame.character).copied(), frame.index)
    });
    // The structures of one character are in one document, in order.
    structures.sort_by_key(|structure: &StructureRecord| positions.get(&structure.character).copied());
    unused.sort_by(|a, b| Path::new(a).cmp(Path::new(b)));
    let mut folders = BTreeMap::new();
    let frames = frames.into_iter().enumerate().map(|(index, (frame, folder))| {
        folders.insert(index, folder);
        FrameRecord { index, ..frame }
    });
    let frames = frames.collect();
    let comparison = Comparison {
        failures: distinct(failures),
        frames,
        skipped: skipped.into_iter().collect(),
        structures,
        suite,
        unused,
        ..Comparison::default()
    };
    Ok(Merged { comparison: comparison.counted(), folders })
}

/// Reads one document.
fn read(path: &Path) -> Result<Comparison, Failure> {
    let bytes = read_bounded(path, MAX_BYTES, || bad(path, format!("a result has at most {MAX_BYTES} bytes")))?;
    let limits = Limits::default();
    let too_deep =
        |_| bad(path, format!("lists and objects are nested more than {} levels deep", limits.json_depth));
    check_json_depth(&bytes, &limits).map_err(too_deep)?;
    let head = serde_json::from_slice(&bytes);
    let schema = match head {
        Ok(Head { schema }) => schema,
        // Valid JSON of another structure.
        Err(error) if error.is_data() => None,
        Err(error) => return Err(bad(path, format!("invalid JSON: {error}"))),
    };
    if schema.as_deref() != Some(Comparison::SCHEMA) {
        let found = schema.map_or_else(|| "no schema".to_owned(), |schema| format!("`{}`", escaped(&schema)));
        let message = format!(
            "expected a result of the schema `{}`, found {found}; `pchr test --json` prints one",
            Comparison::SCHEMA
        );
        return Err(bad(path, message));
    }
    let document = serde_json::from_slice(&bytes).map_err(|error| bad(path, format!("not a result: {error}")))?;
    check_content(path, document)
}

/// Fails if the parts of a document contradict each other.
fn check_content(path: &Path, document: Comparison) -> Result<Comparison, Failure> {
    let summary = document.summary;
    let document = document.counted();
    if document.summary != summary {
        return Err(bad(path, "the summary does not fit the frames and failures".to_owned()));
    }
    if document.failures.iter().any(|failure| failure.character.is_none() || failure.index.is_none()) {
        return Err(bad(path, "a failure has no `character` or no `index`".to_owned()));
    }
    match document.failures.iter().find(|failure| !FAILURE_CODES.contains(&failure.exit_code)) {
        Some(failure) => Err(bad(path, format!("no failure has the exit code {}", failure.exit_code))),
        None => Ok(document),
    }
}

/// Fails unless the documents are all shards of one run, each once.
fn check_shards(documents: &[(&PathBuf, Comparison)]) -> Result<(), Failure> {
    let mut seen: BTreeMap<u32, &Path> = BTreeMap::new();
    let mut first: Option<(&Path, &ShardRecord)> = None;
    let mut owners: BTreeMap<usize, &Path> = BTreeMap::new();
    for (path, document) in documents {
        let Some(shard) = &document.shard else {
            if documents.len() == 1 {
                return check_frames(path, document, None);
            }
            return Err(bad(path, "this is the result of a whole run, not of a shard".to_owned()));
        };
        let (first_path, expected) = *first.get_or_insert((path, shard));
        if (shard.count, shard.characters) != (expected.count, expected.characters) {
            let of = |shard: &ShardRecord| format!("{} shards with {} characters", shard.count, shard.characters);
            let first = escaped(&first_path.to_string_lossy());
            let message = format!("this run has {}, but the run of `{first}` has {}", of(shard), of(expected));
            return Err(bad(path, message));
        }
        if shard.count > MAX_COUNT {
            return Err(bad(path, format!("a run has at most {MAX_COUNT} shards, not {}", shard.count)));
        }
        if !(1..=shard.count).contains(&shard.shard) {
            return Err(bad(path, format!("shard {} of {} does not exist", shard.shard, shard.count)));
        }
        if let Some(other) = seen.insert(shard.shard, path) {
            let other = escaped(&other.to_string_lossy());
            return Err(bad(path, format!("shard {} of {} is already in `{other}`", shard.shard, shard.count)));
        }
        for OwnCharacter { character, index } in &shard.own {
            if *index >= shard.characters {
                return Err(bad(path, format!("`{}` cannot be character {index}", escaped(character))));
            }
            if let Some(other) = owners.insert(*index, path) {
                let (character, other) = (escaped(character), escaped(&other.to_string_lossy()));
                return Err(bad(
                    path,
                    format!("`{character}` is also in `{other}`: the shards had different files"),
                ));
            }
        }
        check_frames(path, document, Some(shard))?;
    }
    let Some((path, ShardRecord { count, characters, .. })) = first else { return Ok(()) };
    let mut missing = (1..=*count).filter(|number| !seen.contains_key(number));
    let listed: Vec<String> = missing.by_ref().take(MAX_LISTED).map(|number| number.to_string()).collect();
    if listed.is_empty() {
        return match (0..*characters).find(|index| !owners.contains_key(index)) {
            None => Ok(()),
            Some(index) => {
                Err(bad(path, format!("character {index} is in no shard: the shards had different files")))
            }
        };
    }
    let more = if missing.next().is_some() { ", …" } else { "" };
    let what = if listed.len() == 1 { "shard" } else { "shards" };
    Err(bad(path, format!("the run has {count} shards; missing: {what} {}{more}", listed.join(", "))))
}

/// Fails if a document contains frames of other characters or a frame twice, or lacks frames although nothing failed.
fn check_frames(path: &Path, document: &Comparison, shard: Option<&ShardRecord>) -> Result<(), Failure> {
    let own: Option<HashSet<&str>> =
        shard.map(|shard| shard.own.iter().map(|own| own.character.as_str()).collect());
    // The result of a whole run does not contain the number of pictures.
    let last = document.frames.iter().map(|frame| frame.index).max();
    let pictures = shard.map_or(last.map_or(0, |last| last.saturating_add(1)), |shard| shard.pictures);
    let mut seen = HashSet::new();
    for frame in &document.frames {
        if own.as_ref().is_some_and(|own| !own.contains(frame.character.as_str())) || frame.index >= pictures {
            return Err(bad(path, format!("the picture with the index {} belongs to another shard", frame.index)));
        }
        if !seen.insert(frame.index) {
            return Err(bad(path, format!("the picture with the index {} occurs twice", frame.index)));
        }
    }
    let is_foreign =
        |structure: &&StructureRecord| own.as_ref().is_some_and(|own| !own.contains(structure.character.as_str()));
    if let Some(structure) = document.structures.iter().find(is_foreign) {
        let message = format!("the structure of `{}` belongs to another shard", escaped(&structure.character));
        return Err(bad(path, message));
    }
    if !document.failures.is_empty() {
        return Ok(());
    }
    // Stops at the first gap, so it checks at most one index more than there are frames.
    match (0..pictures).find(|index| !seen.contains(index)) {
        Some(missing) => Err(bad(path, format!("the picture with the index {missing} is missing"))),
        None => Ok(()),
    }
}

fn bad(path: &Path, message: String) -> Failure {
    Failure::Input(Error::malformed(CODE, Place::file(path.display()), message))
}
