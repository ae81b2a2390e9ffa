//! `pchr test --merge`: the results of all shards → the result of the whole run.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::shard::Shard;
use crate::cli::golden::record::{Comparison, FailedCharacter, FrameRecord, ShardRecord};
use crate::cli::shared::failure::Failure;
use crate::cli::shared::json_output::JsonOutput;
use crate::error::{Error, Place, escaped};

/// Error code of all errors in results.
const CODE: &str = "bad-result";

/// Maximum size of a document in bytes, enough for a million frames.
const MAX_BYTES: u64 = 1 << 30;

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
    // Stable: one shard has all failures to read a character, in their order.
    failures.sort_by_key(|failure: &FailedCharacter| failure.index);
    // A character that cannot be rendered or written fails in every shard.
    failures.dedup();
    Ok(Merged { comparison: Comparison::new(failures, frames, None), folders })
}

/// Reads one document.
fn read(path: &Path) -> Result<Comparison, Failure> {
    let io = |error| Failure::Input(Error::io(path.display(), error));
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(io)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(bad(path, format!("a result has at most {MAX_BYTES} bytes")));
    }
    let value: Value =
        serde_json::from_slice(&bytes).map_err(|error| bad(path, format!("invalid JSON: {error}")))?;
    let schema = value.get("schema").and_then(Value::as_str);
    if schema != Some(Comparison::SCHEMA) {
        let found = schema.map_or_else(|| "no schema".to_owned(), |schema| format!("`{}`", escaped(schema)));
        let message = format!(
            "expected a result of the schema `{}`, found {found}; `pchr test --json` prints one",
            Comparison::SCHEMA
        );
        return Err(bad(path, message));
    }
    serde_json::from_value(value).map_err(|error| bad(path, format!("not a result: {error}")))
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
    let missing: Vec<u32> = (1..=count).filter(|number| !seen.contains_key(number)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let listed: Vec<String> = missing.iter().take(10).map(u32::to_string).collect();
    let more = if missing.len() > listed.len() { ", …" } else { "" };
    let what = if missing.len() == 1 { "shard" } else { "shards" };
    Err(bad(path, format!("the run has {count} shards; missing: {what} {}{more}", listed.join(", "))))
}

/// Fails if a document contains frames of other shards, or a frame twice.
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
    Ok(())
}

fn bad(path: &Path, message: String) -> Failure {
    Failure::Input(Error::malformed(CODE, Place::file(path.display()), message))
}
