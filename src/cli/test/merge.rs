//! `pchr test --merge`: the results of all shards → the result of the whole run.
//!
//! Results are checked before they are joined: one that lacks frames, or contradicts itself, must not pass as a
//! success.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::failures::distinct;
use super::shard::{MAX_COUNT, Shard};
use crate::cli::golden::record::{Comparison, FrameRecord, ShardRecord};
use crate::cli::shared::config::read_bounded;
use crate::cli::shared::failure::Failure;
use crate::cli::shared::json_output::JsonOutput;
use crate::error::{Error, Place, escaped};

/// Error code of all errors in results.
const CODE: &str = "bad-result";

/// Maximum size of a document in bytes, enough for half a million frames.
const MAX_BYTES: u64 = 256 << 20;

/// Maximum number of missing shards that are listed.
const MAX_LISTED: usize = 10;

/// Exit codes of characters that failed.
const FAILURE_CODES: [u8; 6] = [1, 2, 3, 4, 5, 70];

/// The part of a document that says what it is.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
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
    let (mut frames, mut failures) = (Vec::new(), Vec::new());
    let mut folders = BTreeMap::new();
    for (path, document) in documents {
        let folder = path.parent().unwrap_or(Path::new(""));
        folders.extend(document.frames.iter().map(|frame| (frame.index, folder.to_owned())));
        frames.extend(document.frames);
        failures.extend(document.failures);
    }
    frames.sort_by_key(|frame: &FrameRecord| frame.index);
    // A character that cannot be rendered or written fails in every shard.
    Ok(Merged { comparison: Comparison::new(distinct(failures), frames, None), folders })
}

/// Reads one document.
fn read(path: &Path) -> Result<Comparison, Failure> {
    let bytes = read_bounded(path, MAX_BYTES, || bad(path, format!("a result has at most {MAX_BYTES} bytes")))?;
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
    let Comparison { failures, frames, schema: _, shard, summary } = document;
    let document = Comparison::new(failures, frames, shard);
    if document.summary != summary {
        return Err(bad(path, "the summary does not fit the frames and failures".to_owned()));
    }
    match document.failures.iter().find(|failure| !FAILURE_CODES.contains(&failure.exit_code)) {
        Some(failure) => Err(bad(path, format!("no failure has the exit code {}", failure.exit_code))),
        None => Ok(document),
    }
}

/// Fails unless the documents are all shards of one run, each once.
fn check_shards(documents: &[(&PathBuf, Comparison)]) -> Result<(), Failure> {
    let mut seen: BTreeMap<u32, &Path> = BTreeMap::new();
    let mut first: Option<(&Path, ShardRecord)> = None;
    for (path, document) in documents {
        let Some(shard) = document.shard else {
            if documents.len() == 1 {
                return check_frames(path, document, None);
            }
            return Err(bad(path, "this is the result of a whole run, not of a shard".to_owned()));
        };
        let (first_path, expected) = *first.get_or_insert((path, shard));
        if (shard.count, shard.pictures) != (expected.count, expected.pictures) {
            let of = |shard: ShardRecord| format!("{} shards with {} pictures", shard.count, shard.pictures);
            let first = escaped(&first_path.to_string_lossy());
            let message = format!("this run has {}, that of `{first}` has {}", of(shard), of(expected));
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
        check_frames(path, document, Some(shard))?;
    }
    let Some((path, ShardRecord { count, .. })) = first else { return Ok(()) };
    let mut missing = (1..=count).filter(|number| !seen.contains_key(number));
    let listed: Vec<String> = missing.by_ref().take(MAX_LISTED).map(|number| number.to_string()).collect();
    if listed.is_empty() {
        return Ok(());
    }
    let more = if missing.next().is_some() { ", …" } else { "" };
    let what = if listed.len() == 1 { "shard" } else { "shards" };
    Err(bad(path, format!("the run has {count} shards; missing: {what} {}{more}", listed.join(", "))))
}

/// Fails if a document contains frames of other shards or a frame twice, or lacks frames although nothing failed.
fn check_frames(path: &Path, document: &Comparison, shard: Option<ShardRecord>) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    for frame in &document.frames {
        let is_own = shard.is_none_or(|ShardRecord { count, pictures, shard }| {
            frame.index < pictures && Shard { number: shard, count }.contains(frame.index)
        });
        if !is_own || !seen.insert(frame.index) {
            let why = if is_own { "is contained twice" } else { "belongs to another shard" };
            return Err(bad(path, format!("the picture with the index {} {why}", frame.index)));
        }
    }
    if !document.failures.is_empty() {
        return Ok(());
    }
    // The result of a whole run does not contain the number of pictures.
    let pictures = document.frames.len();
    let ShardRecord { count, pictures, shard } = shard.unwrap_or(ShardRecord { count: 1, pictures, shard: 1 });
    let mut expected = Shard { number: shard, count }.indices(pictures);
    match expected.find(|index| !seen.contains(index)) {
        Some(missing) => Err(bad(path, format!("the picture with the index {missing} is missing"))),
        None => Ok(()),
    }
}

fn bad(path: &Path, message: String) -> Failure {
    Failure::Input(Error::malformed(CODE, Place::file(path.display()), message))
}
