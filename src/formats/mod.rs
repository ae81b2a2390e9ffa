//! Bytes → [`Character`]. [`table`] is the only list of formats.
//!
//! Each family of formats is a feature. If it is disabled, `absent.rs` replaces its module.
#![allow(clippy::duplicate_mod, reason = "one file replaces the module of every disabled family")]

#[cfg_attr(not(feature = "animate"), path = "absent.rs")]
pub(crate) mod animate;
#[cfg_attr(not(feature = "aseprite"), path = "absent.rs")]
pub(crate) mod aseprite;
#[cfg(any(feature = "spine", feature = "sheet"))]
mod atlas;
pub(crate) mod detect;
mod files;
pub mod findings;
mod folder;
mod foreign;
#[cfg(any(feature = "sheet", feature = "bake"))]
pub(crate) mod free_names;
mod grid;
pub mod image;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod json_depth;
#[cfg(feature = "convert")]
mod keyframes;
#[cfg(feature = "convert")]
mod keys;
mod listing;
mod loss;
mod missing;
mod page_alpha;
pub(crate) mod pchr;
mod recorded_sidecars;
mod repeated;
#[cfg_attr(not(feature = "sheet"), path = "absent.rs")]
pub mod sheet;
#[cfg_attr(not(feature = "skelform"), path = "absent.rs")]
pub(crate) mod skelform;
mod source;
#[cfg_attr(not(feature = "spine"), path = "absent.rs")]
pub mod spine;
#[cfg(feature = "convert")]
mod stored;
pub mod table;
#[cfg(feature = "skelform")]
pub mod zip;

use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::bytes::Bytes;

use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::limits::{Budget, Limits};
use crate::progress::Progress;
use detect::atlas::{Resemblance, resembles_atlas};
use table::{FORMATS, Family, Format, Reader};

pub use crate::held::{confine_reading, is_inside};
pub use crate::model::page_alpha::PageAlpha;
pub use files::Files;
pub use folder::Folder;
pub use grid::Grid;
#[cfg(feature = "json")]
pub use json_depth::check_json_depth;
#[cfg(feature = "convert")]
pub(crate) use keys::{ItemKind, Texts, stated_texts};
#[cfg(feature = "convert")]
pub use keys::{StatedKey, StatedKeys, StatedValue, StatedValues, stated_keys};
pub use listing::{Listing, Listings};
pub use loss::Loss;
pub use missing::Missing;
pub use recorded_sidecars::RecordedSidecars;
pub use source::{
    NO_SIDECARS, Nearby, Sidecars, is_pipe_or_device, open_file, open_regular_file, read_file, read_limited,
};

/// Options for reading a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// The stored frame in which the vertices were authored.
    pub bind_pose: BindPose,
    /// Reads `v` as pointing up.
    pub flip_v: bool,
    /// Reads y as pointing down and angles as clockwise.
    pub y_down: bool,
    /// The atlases of a character, in which regions are looked up in this order, or the image of a sprite sheet. If empty,
    /// they are searched for near the file.
    pub atlases: Vec<PathBuf>,
    /// Frames per second of keyed animations (`None`: the file's rate, or 30) and of sprite sheets without frame
    /// durations (`None`: 10). Values that are not positive are ignored.
    pub fps: Option<f64>,
    /// Whether image colours are premultiplied.
    pub page_alpha: PageAlpha,
    /// What pictures show of regions and meshes without an image. `None`: nothing where the atlas of a Spine character lacks
    /// regions but has others; otherwise boxes.
    pub missing: Option<Missing>,
    /// The grid that cuts a plain image into frames.
    pub grid: Option<Grid>,
    /// Leaves out the parts of animations that have errors, such as timelines of a bone that does not exist, instead of
    /// refusing the file. The errors are then findings, which [`Diagnostics::errors`] counts; other errors still end
    /// reading.
    pub keep_going: bool,
    /// Which frame movie clips of Adobe Animate show.
    pub movie_clips: MovieClips,
    /// Symbols of Adobe Animate to play as animations, by name; the animation is called `symbol:` and the name.
    pub symbols: Vec<String>,
    /// Frames of a sprite sheet to show as animations of one frame, by name; names of animations take precedence.
    pub stills: Vec<String>,
    /// The layers to show of an Aseprite file, or of a sheet that is split by layers; all if empty. A group stands for its
    /// layers.
    pub layers: Vec<String>,
    /// Limits on what the file may demand.
    pub limits: Limits,
    /// The folders read so far.
    pub listings: Listings,
    /// Receives the progress, and can cancel reading.
    pub progress: Option<Arc<Progress>>,
}

impl ReadOptions {
    /// Returns the image of a sprite sheet, if given.
    #[cfg(feature = "sheet")]
    pub(crate) fn image(&self) -> Result<Option<&Path>> {
        match &self.atlases[..] {
            [] => Ok(None),
            [image] => Ok(Some(image)),
            images => {
                let message = format!("a sprite sheet has one image, but {} are given", images.len());
                Err(Error::misuse("several-images", message))
            }
        }
    }

    /// Returns these options with the [symbols](Self::symbols) that are among `animations`, as `symbol:NAME`, and the other
    /// names as [stills](Self::stills).
    #[must_use]
    pub fn playing(self, animations: &[String]) -> Self {
        let symbols = animations.iter().filter_map(|name| name.strip_prefix("symbol:")).map(str::to_owned);
        let stills = animations.iter().filter(|name| *name != "all").cloned();
        Self { symbols: symbols.collect(), stills: stills.collect(), ..self }
    }

    /// Returns an unused budget with these limits, which reports to [`Self::progress`].
    pub(crate) fn budget(&self) -> Budget<'_> {
        Budget::new(&self.limits).with_progress(self.progress.as_deref())
    }
}

/// The stored frame in which the vertices were authored.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum BindPose {
    /// Frame 0 of an animation named after the bind pose, or else of the first animation.
    #[default]
    Auto,
    /// A given frame of a given animation.
    Frame {
        /// The animation's name.
        animation: String,
        /// The stored frame.
        frame: u32,
    },
}

crate::rows::words! {
    /// Which frame movie clips of Adobe Animate show.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum MovieClips {
        /// The first one, as on the stage of Animate.
        #[default]
        First => ("first", "Their first frame, as on the stage of Animate"),
        /// The one that belongs to the time since their keyframe, as in SWF.
        Play => ("play", "All frames in a loop, as in SWF"),
    }
}

/// A file in memory, with access to the files it refers to.
pub struct Input<'a> {
    /// The whole file.
    pub bytes: Bytes,
    /// Access to images that are not in the file.
    pub sidecars: &'a dyn Sidecars,
}

/// Returns the names of all formats that this build reads, without versions and extensions, such as `Spine`.
pub fn brands() -> impl Iterator<Item = &'static str> {
    table::readable().map(|format| format.brand)
}

/// Returns the human-readable names of all formats that this build reads.
pub fn names() -> impl Iterator<Item = &'static str> {
    table::readable().map(|format| format.title)
}

/// Reads the file at `path`. The format is detected from its content. Images that it refers to are searched for in
/// its folder and below.
pub fn open(path: &Path, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Character> {
    source::open_file(path)
        .and_then(|opened| load_opened(path, opened, options.progress.as_deref(), &options.limits))
        .and_then(|bytes| {
            let sidecars = Folder::of(path).listed_in(&options.listings);
            from_input(&Input { bytes, sidecars: &sidecars }, options, diagnostics)
        })
        .map_err(|error| error.in_file(path.display()))
}

/// Reads the bytes of the file at `path`. An unknown format is rejected after the first few bytes, and a large PCHR v1
/// file whose parts exceed its length before its contents are read. Of the bytes after its last animation, only one is
/// read.
///
/// `path` may be a pipe or a device, which can block; [`load_regular`] never does.
pub fn load(path: &Path, limits: &Limits) -> Result<Bytes> {
    load_opened(path, source::open_file(path)?, None, limits)
}

/// Like [`load`], but accepts regular files only.
pub fn load_regular(path: &Path, limits: &Limits) -> Result<Bytes> {
    load_opened(path, source::open_regular_file(path)?, None, limits)
}

/// Like [`load`], for an open file and its length; 0 for a pipe or a device. Reports to `progress`.
pub fn load_opened(
    path: &Path,
    (mut file, len): (impl Read + Seek, u64),
    progress: Option<&Progress>,
    limits: &Limits,
) -> Result<Bytes> {
    let most = pchr::used_bytes(&mut file, len, limits)?;
    let (file, len) = (file.take(most), len.min(most));
    match progress {
        Some(progress) => load_named(path, progress.watch(file, len), len, limits),
        None => load_named(path, file, len, limits),
    }
}

/// Like [`load_from`], for the contents of the file at `path`: an unknown format may be recognised by its name.
pub fn load_named(path: &Path, input: impl Read, expected: u64, limits: &Limits) -> Result<Bytes> {
    load_from(input, expected, limits).map_err(|error| match error.code() {
        // A file name never determines how the file is read, only the error for one that cannot be.
        "unknown-format" => foreign::recognise_name(path).unwrap_or(error),
        _ => error,
    })
}

/// Reads all of `input`, about `expected` bytes. An unknown format is rejected after the first few bytes.
pub fn load_from(mut input: impl Read, expected: u64, limits: &Limits) -> Result<Bytes> {
    // The limit applies to the whole file.
    let of_head = Limits { file_bytes: limits.file_bytes.max(HEAD), ..limits.clone() };
    let head = source::read_limited(input.by_ref().take(HEAD), 0, &of_head)?;
    // JSON may start with white space.
    if head.is_empty() || !head.trim_ascii_start().is_empty() {
        match best_format(&head) {
            // Later keys may identify another format.
            Err(error) if error.code() == "dragonbones" => {}
            found => _ = found?,
        }
    }
    source::read_limited(head.as_ref().chain(input), expected, limits)
}

/// Number of bytes from which every format can be detected, including an atlas: the name of its first page and a
/// property.
pub(crate) const HEAD: u64 = 256;

/// Reads a file in memory. The format is detected from the content, never from a name.
pub fn from_bytes(
    bytes: impl Into<Bytes>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    from_input(&Input { bytes: bytes.into(), sidecars: NO_SIDECARS }, options, diagnostics)
}

/// Reads a file in memory. Images that it refers to are loaded from [`Input::sidecars`].
pub fn from_input(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Character> {
    (reader_of(&input.bytes)?.read)(input, options, diagnostics).map(|read| finished(read, options))
}

/// Like [`from_input`], for a description: pages may be blank where the description does not depend on their pixels.
#[cfg(feature = "convert")]
pub(crate) fn from_input_with_blank_pages(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    if format_of(&input.bytes).is_some_and(|format| format.family == Family::SkelForm) {
        return skelform::read_with_blank_pages(input, options, diagnostics).map(|read| finished(read, options));
    }
    from_input(input, options, diagnostics)
}

/// Applies the options that are the same for all formats.
fn finished(mut character: Character, options: &ReadOptions) -> Character {
    if let Some(missing) = options.missing {
        character.model_mut().hide_missing(missing == Missing::Hide);
    }
    character
}

/// Rejects a file that is recognised as one of another program.
#[cfg(feature = "convert")]
pub(crate) fn reject_foreign(bytes: &[u8]) -> Result<()> {
    foreign::recognise(bytes).map_or(Ok(()), Err)
}

/// Returns the human-readable name of the format that is detected from `bytes`, or `None` if it is unknown.
pub fn format_name(bytes: &[u8]) -> Option<&'static str> {
    format_of(bytes).map(|format| format.kind(bytes))
}

/// Returns the format that is detected from `bytes`, or `None` if it is unknown.
pub(crate) fn format_of(bytes: &[u8]) -> Option<&'static Format> {
    best_format(bytes).ok()
}

/// Returns true if a complete file that was found in a folder may be a character, even a damaged one. JSON has to contain
/// what characters contain, and a file with [an extension that other programs use](table::is_shared_extension) has to begin
/// like a character.
#[cfg(feature = "formats-all")]
pub fn may_be_character(bytes: &[u8], has_shared_extension: bool) -> bool {
    if detect::json::is_json(bytes) {
        if detect::animate::is_spritemap(bytes) {
            return false;
        }
        return detect::spine::kind(bytes).is_some()
            || detect::animate::score(bytes) > 0
            || pchr::json::resembles_character(pchr::json_text(bytes).map_or(bytes, |json| json.text))
            || sheet::is_sheet_json(bytes)
            || detect::sheet::Engine::of_json(bytes).is_some();
    }
    !has_shared_extension || best_format(bytes).is_ok_and(|format| format.score(bytes) > POSSIBLE)
}

/// The score of a possible match that needs more bytes to decide.
pub(crate) const POSSIBLE: u8 = 5;

/// Returns true if [`pchr::read_document`] reads the file.
#[cfg(feature = "convert")]
pub(crate) fn is_document(bytes: &[u8]) -> bool {
    best_format(bytes).is_ok_and(is_pchr)
}

pub(crate) fn best_format(bytes: &[u8]) -> Result<&'static Format> {
    let scored = FORMATS.iter().map(|format| (format, format.score(bytes))).max_by_key(|(_, score)| *score);
    let best = scored.filter(|(_, score)| *score > 0).map(|(format, _)| format);
    // JSON that no other format claims counts as PCHR.
    if best.is_none_or(is_pchr)
        && let Some(error) = foreign::recognise(bytes)
    {
        return Err(error);
    }
    best.ok_or_else(|| unknown(bytes))
}

fn is_pchr(format: &Format) -> bool {
    format.family == Family::Pchr
}

/// Returns the reader for a file that begins with `bytes`.
fn reader_of(bytes: &[u8]) -> Result<&'static Reader> {
    let format = best_format(bytes)?;
    // There are no more bytes in which an atlas could begin.
    if format.score(bytes) == POSSIBLE && resembles_atlas(bytes) == Resemblance::Possible {
        return Err(unknown(bytes));
    }
    format.reader.as_ref().ok_or_else(|| no_reader(format.kind(bytes), format.feature.unwrap_or_default()))
}

/// Returns the error for a file of `kind` in a build without `feature`.
fn no_reader(kind: &str, feature: &str) -> Error {
    let message = format!("this build has no reader for {kind}; the feature `{feature}` is not enabled");
    Error::unsupported("no-reader", Place::default(), message)
}

fn unknown(bytes: &[u8]) -> Error {
    let names: Vec<&str> = names().collect();
    let found = match bytes {
        [] => "the file is empty".to_owned(),
        _ => format!("the file starts with `{}`", bytes[..bytes.len().min(8)].escape_ascii()),
    };
    let message = format!("not a format that pchr knows: {found}; supported formats: {}", names.join(", "));
    Error::unsupported("unknown-format", Place::default(), message)
}

/// Examines a file and returns all findings, not only the first error.
///
/// The findings include an error exactly if [`from_bytes`] fails, or opens the file without an image that it should
/// have or with keys of another Spine version.
///
/// # Errors
///
/// Fails if the file cannot be examined: a limit is exceeded, or the format is unknown.
pub fn examine(input: &Input<'_>, options: &ReadOptions) -> Result<Diagnostics> {
    examine_and_open(input, options).map(|(diagnostics, _)| diagnostics)
}

/// Like [`examine`], but also returns the character if [`from_input`] would.
pub(crate) fn examine_and_open(
    input: &Input<'_>,
    options: &ReadOptions,
) -> Result<(Diagnostics, Option<Character>)> {
    let mut diagnostics = Diagnostics::collecting();
    let reader = reader_of(&input.bytes)?;
    // Not in the table, so that programs that never examine, such as the player for web pages, do not contain the lints.
    let examined = match best_format(&input.bytes)?.family {
        Family::Pchr => pchr::examine(input, options, &mut diagnostics),
        Family::Spine => spine::examine(input, options, &mut diagnostics),
        Family::SkelForm => skelform::examine(input, options, &mut diagnostics),
        // Without lints, reading finds everything.
        Family::Sheet | Family::Aseprite | Family::Animate => {
            (reader.read)(input, options, &mut diagnostics).map(Some)
        }
    };
    let character = examined.or_else(|error| diagnostics.reject_last(error).map(|()| None))?;
    let character = character.filter(|_| diagnostics.fatal_errors() == 0).map(|read| finished(read, options));
    Ok((diagnostics, character))
}

impl Character {
    /// Reads the character at `path` with default options. Its images are searched in the folder of the file and
    /// below.
    ///
    /// Warnings are discarded; [`open()`] returns them, and takes options and limits.
    ///
    /// ```
    /// let knight = pchr::Character::open("assets/paper-knight.pchr")?;
    /// assert!(knight.model().find_animation("walk").is_some());
    /// # Ok::<(), pchr::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, its format is unknown, it breaks the rules of its format, or it exceeds a limit.
    /// The error names the file, the place in it, what was found and what is expected.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        open(path.as_ref(), &ReadOptions::default(), &mut Diagnostics::default())
    }

    /// Like [`Self::open`], with limits, for modules that do not know [`ReadOptions`].
    pub(crate) fn open_within(path: &Path, limits: &Limits, progress: Option<Arc<Progress>>) -> Result<Self> {
        let options = ReadOptions { limits: limits.clone(), progress, ..ReadOptions::default() };
        open(path, &options, &mut Diagnostics::default())
    }

    /// Reads a character from a file in memory with default options. See [`from_bytes`].
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Self> {
        from_bytes(bytes, &ReadOptions::default(), &mut Diagnostics::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of a file of each optional format, with the feature that reads it.
    const SAMPLES: [(&str, &str, &[u8]); 5] = [
        ("pachario", "PCHR v1 description (JSON)", br#"{"bones": [], "meshes": [], "animations": []}"#),
        ("spine", "Spine skeleton (JSON)", br#"{"skeleton": {"spine": "3.8.99"}, "bones": []}"#),
        ("sheet", "sprite sheet (JSON)", br#"{"frames": []}"#),
        ("aseprite", "Aseprite sprite", b"\x80\0\0\0\xe0\xa5\x01\0"),
        ("skelform", "SkelForm", b"PK\x03\x04"),
    ];

    /// Also runs without features.
    #[test]
    fn a_format_without_a_reader_is_named_with_its_feature() {
        for (feature, kind, bytes) in SAMPLES {
            let is_read = match feature {
                "pachario" => cfg!(feature = "pachario"),
                _ => table::readable().any(|format| format.feature == Some(feature)),
            };
            let read = from_bytes(bytes, &ReadOptions::default(), &mut Diagnostics::default());
            let error = read.err().filter(|error| error.code() == "no-reader").map(|error| error.to_string());
            let expected = format!("this build has no reader for {kind}; the feature `{feature}` is not enabled");
            assert_eq!(error, (!is_read).then_some(expected));
        }
        assert_eq!(names().count(), 1 + FORMATS.iter().skip(1).filter(|format| format.is_read()).count());
    }

    #[test]
    fn formats_and_targets_have_unique_names() {
        let mut names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        names.dedup();
        assert_eq!(names.len(), FORMATS.len());
        let targets: Vec<&str> = table::targets().map(|target| target.name).collect();
        for (at, name) in targets.iter().enumerate() {
            assert!(!targets[..at].contains(name), "{name}");
        }
        assert_eq!(table::usual_target("JSON").map(|target| target.name), Some("pchr-json"));
        assert_eq!(table::usual_target("pchr").map(|target| target.name), Some("pchr"));
        assert_eq!(table::usual_target("txt"), None);
        let implied = |input, output| table::implied_target(Path::new(input), Path::new(output)).map(|it| it.name);
        assert_eq!(implied("a.sprsh", "b.JSON"), Some("sheet"));
        assert_eq!(implied("a.sprsh", "b.pchr"), Some("pchr"));
        assert_eq!(implied("a.pchr", "b.json"), Some("pchr-json"));
        assert_eq!(implied("a.pchr", "b"), None);
    }
}
