//! Pictures of files that were shown before, as PNGs in a folder.
//!
//! The name of a picture is a hash of the file's name, its content (of a large file, its size and time of change), and
//! the options that it is read with. A picture also lists the atlas, the images and the other files that were looked
//! for, with their sizes and times of change; it is only used while all of them are as they were. What cannot be read
//! is made again, and what cannot be written is not kept.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use etcetera::BaseStrategy;
use png::text_metadata::ITXtChunk;
use serde::{Deserialize, Serialize};

use super::entry::Facts;
use super::thumbnail::{MadeThumbnail, ThumbnailRequest};
use pchr::draw::Picture;
use pchr::export::{OutputFile, OutputPath, reading_args};
use pchr::formats::{ReadOptions, open_regular_file};
use pchr::{Error, Result};

/// The maximum size of the cache in bytes, and the size to which it shrinks when old pictures are removed.
const MOST_BYTES: u64 = 256 << 20;
const KEPT_BYTES: u64 = 224 << 20;
/// Files of more bytes are known by their size and time of change.
const LARGE: u64 = 4 << 20;
/// No picture of ours has more bytes.
const LARGEST_PNG: u64 = 8 << 20;
/// The keyword of the text in the pictures.
const KEYWORD: &str = "pchr-gallery";
/// Changes with the pictures and with what is written beside them.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/3");
/// The size is unknown.
const UNKNOWN: u64 = u64::MAX;

/// Returns the platform's folder for pictures that can be made again, such as `~/.cache/pchr/gallery`; `None` if the
/// user has no home folder.
pub fn default_folder() -> Option<PathBuf> {
    let folders = etcetera::base_strategy::choose_native_strategy().ok()?;
    Some(folders.cache_dir().join("pchr").join("gallery"))
}

/// A folder with pictures.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    most_bytes: u64,
    kept_bytes: u64,
    /// The bytes in the folder, counted when the first picture is written.
    bytes: AtomicU64,
}

/// What is written beside a picture.
#[derive(Debug, Serialize, Deserialize)]
struct Beside {
    format: String,
    errors: usize,
    warnings: usize,
    sidecars: Vec<Sidecar>,
}

/// A file that was looked for.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Sidecar {
    /// Its path, relative to the folder of the character if it is in that folder.
    path: String,
    /// Its size and time of change in nanoseconds, if it exists.
    stamp: Option<(u64, u128)>,
}

impl Cache {
    /// Keeps pictures in `folder`, which need not exist.
    pub fn new(folder: PathBuf) -> Self {
        Self::bounded(folder, MOST_BYTES, KEPT_BYTES)
    }

    /// Keeps at most `most_bytes`, and removes pictures down to `kept_bytes` when there are more.
    pub fn bounded(folder: PathBuf, most_bytes: u64, kept_bytes: u64) -> Self {
        Self { folder, most_bytes, kept_bytes, bytes: UNKNOWN.into() }
    }

    /// Returns the name of the picture of a file; `None` if the file cannot be read.
    pub fn key(&self, wanted: &ThumbnailRequest, options: &ReadOptions) -> Option<String> {
        let mut hasher = DefaultHasher::new();
        VERSION.hash(&mut hasher);
        reading_args(options).hash(&mut hasher);
        wanted.path.file_name().hash(&mut hasher);
        let (file, len) = open_regular_file(&wanted.path).ok()?;
        if len > LARGE {
            stamp(&wanted.path).hash(&mut hasher);
        } else {
            let mut content = Vec::new();
            // It may grow while it is read.
            file.take(LARGE + 1).read_to_end(&mut content).ok()?;
            content.hash(&mut hasher);
        }
        Some(format!("{:016x}-{len}-{}.png", hasher.finish(), wanted.side))
    }

    /// Returns a picture, unless it is damaged or was made from other files.
    pub fn find(&self, key: &str, wanted: &ThumbnailRequest) -> Option<MadeThumbnail> {
        let (file, len) = open_regular_file(&self.folder.join(key)).ok()?;
        if len > LARGEST_PNG {
            return None;
        }
        let mut reader = png::Decoder::new(BufReader::new(file)).read_info().ok()?;
        let info = reader.info();
        let is_ours = (info.width, info.height) == (wanted.side, wanted.side)
            && (info.color_type, info.bit_depth) == (png::ColorType::Rgba, png::BitDepth::Eight);
        let text = info.utf8_text.iter().find(|text| text.keyword == KEYWORD)?.get_text().ok()?;
        let Beside { format, errors, warnings, sidecars } = serde_json::from_str(&text).ok()?;
        let folder = wanted.path.parent().unwrap_or(Path::new(""));
        if !is_ours || sidecars.iter().any(|sidecar| stamp(&folder.join(&sidecar.path)) != sidecar.stamp) {
            return None;
        }
        let mut picture = Picture::default();
        picture.reset(wanted.side, wanted.side);
        reader.next_frame(picture.pixels_mut()).ok()?;
        let facts = Facts { format, errors, warnings, error: None };
        Some(MadeThumbnail { facts, picture: Some(picture), count: 1, picture_secs: 0.0 })
    }

    /// Keeps a picture that was made from a file and its sidecars. `begun` is the time before they were read: if one has
    /// changed since, the picture may show an earlier version, and is not kept.
    pub fn keep(
        &self,
        key: &str,
        wanted: &ThumbnailRequest,
        thumbnail: &MadeThumbnail,
        sidecars: &[PathBuf],
        begun: SystemTime,
    ) {
        let Some(picture) = &thumbnail.picture else { return };
        let nanos = begun.duration_since(UNIX_EPOCH).map_or(0, |begun| begun.as_nanos());
        let is_older = |stamp: Option<(u64, u128)>| stamp.is_none_or(|(_, changed)| changed < nanos);
        let folder = wanted.path.parent().unwrap_or(Path::new(""));
        let sidecar = |path: &PathBuf| {
            let stamp = stamp(path);
            let path = path.strip_prefix(folder).unwrap_or(path).to_str()?.to_owned();
            is_older(stamp).then_some(Sidecar { path, stamp })
        };
        let Some(sidecars) = sidecars.iter().map(sidecar).collect::<Option<Vec<_>>>() else { return };
        if !is_older(stamp(&wanted.path)) {
            return;
        }
        let Facts { format, errors, warnings, .. } = thumbnail.facts.clone();
        let beside = Beside { format, errors, warnings, sidecars };
        // Nothing depends on it: the next time, the picture is made again.
        self.write(key, picture, &beside).unwrap_or_default();
    }

    fn write(&self, key: &str, picture: &Picture, beside: &Beside) -> Result<()> {
        let path = self.folder.join(key);
        let bytes = encode(picture, beside).map_err(|error| Error::io(path.display(), error))?;
        let mut file = OutputFile::create(&OutputPath::below(&self.folder, key), true)?;
        file.write_all(&bytes).map_err(|error| Error::io(path.display(), error))?;
        file.finish()?;
        let len = bytes.len() as u64;
        let before = self.bytes.load(Ordering::Relaxed);
        let total = if before == UNKNOWN { UNKNOWN } else { self.bytes.fetch_add(len, Ordering::Relaxed) + len };
        if total > self.most_bytes {
            self.tidy();
        }
        Ok(())
    }

    /// Counts the bytes in the folder, and removes the oldest pictures if there are too many.
    fn tidy(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter_map(|entry| {
                let (path, metadata) = (entry.path(), entry.metadata().ok()?);
                let is_ours = metadata.is_file() && path.extension().is_some_and(|extension| extension == "png");
                is_ours.then_some((metadata.modified().ok()?, metadata.len(), path))
            })
            .collect();
        let mut total: u64 = files.iter().map(|(_, len, _)| len).sum();
        if total > self.most_bytes {
            files.sort_unstable();
            for (_, len, path) in files {
                if total <= self.kept_bytes {
                    break;
                }
                // Another window may have removed it, or nobody may; it counts as removed, so that this ends.
                fs::remove_file(path).unwrap_or_default();
                total = total.saturating_sub(len);
            }
        }
        self.bytes.store(total, Ordering::Relaxed);
    }
}

fn encode(picture: &Picture, beside: &Beside) -> std::io::Result<Vec<u8>> {
    let text = serde_json::to_string(beside)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_text_chunk(&ITXtChunk::new(KEYWORD, text))?;
    writer.write_image_data(picture.pixels())?;
    writer.finish()?;
    Ok(bytes)
}

/// Returns the size of a file and its time of change in nanoseconds.
fn stamp(path: &Path) -> Option<(u64, u128)> {
    let metadata = fs::metadata(path).ok()?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((metadata.len(), changed.as_nanos()))
}
