//! `pchr.find`, `pchr.open` and `pchr.validate`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pchr::diagnostics::Diagnostics;
use pchr::export::choose;
use pchr::find::{Found, Search};
use pchr::formats::{Folder, Input, Missing, MovieClips, PageAlpha, ReadOptions, from_input, load};
use pchr::validate::{Checked, Options, check_file};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays;
use crate::character::Character;
use crate::failure::{Failure, unexpected_keyword};
use crate::threads::detached;

/// One value, or several.
#[derive(FromPyObject)]
pub enum Several<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> Several<T> {
    pub fn of(given: Option<Self>) -> Vec<T> {
        match given {
            None => Vec::new(),
            Some(Self::One(one)) => vec![one],
            Some(Self::Many(many)) => many,
        }
    }
}

/// Returns the characters in a folder and below, sorted: files that open reads, or that it fails for with a reason.
#[pyfunction]
pub fn find(py: Python<'_>, folder: PathBuf) -> Vec<PathBuf> {
    let found = |found| match found {
        Found::File(path) | Found::Unreadable(path, _) => Some(path),
        Found::Loop(_) | Found::Outside(_) | Found::Part(_) => None,
    };
    py.detach(|| {
        let mut files: Vec<PathBuf> = Search::of(&folder).filter_map(found).collect();
        files.sort();
        files
    })
}

/// Reads a character: any format that pchr reads.
///
/// skins: worn unless a method is given others [default: skins that fill the slots, if most would be empty]
/// atlas: the atlases of a Spine character, or the image of a sprite sheet [default: found near the file]
/// fps: frames per second of keyed motion [default: the file's rate, or 30]
/// page_alpha: whether the colours of images are premultiplied: "auto", "straight" or "premultiplied"
/// missing: what pictures show of parts without an image: "hide" or "box" [default: hide if the atlas has other regions of
///     the Spine character, box otherwise]
/// layer: the layers to show of an Aseprite file, or of a sheet that is split by layers [default: all]
/// movie_clips: whether movie clips of Adobe Animate show their "first" frame or "play" [default: "first"]
/// symbol: names of symbols of Adobe Animate to add as animations, which are called "symbol:NAME" [default: none]
/// flip_v, y_down: the file's v axis points up; its y axis points down
/// keep_going: leave out parts of animations with errors instead of raising Error; validate lists the errors
/// limits: see docs/limits.md, such as {"memory-bytes": 1 << 30}
///
/// Raises Error if the file is missing, damaged, in an unknown format or over a limit.
#[pyfunction]
#[pyo3(signature = (path, *, skins=None, **keywords))]
pub fn open(
    py: Python<'_>,
    path: PathBuf,
    skins: Option<Several<String>>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> Result<Character, Failure> {
    let read = read_options("open", keywords)?;
    let skins = Several::of(skins);
    let (opened, bytes, diagnostics) = detached(py, &path, || {
        let mut diagnostics = Diagnostics::default();
        let bytes = load(&path, &read.limits)?;
        let sidecars = Folder::of(&path);
        let opened = from_input(&Input { bytes: bytes.clone(), sidecars: &sidecars }, &read, &mut diagnostics)?;
        choose::skins(&opened, &skins)?;
        Ok((opened, bytes, diagnostics))
    })?;
    let (worn, character, renderer) = (skins, opened, OnceLock::new());
    Ok(Character { path, bytes, read, worn, character, diagnostics, renderer })
}

/// Checks a character and returns its findings, as `pchr validate --json` prints them. Works for damaged files.
///
/// Takes the keywords of open, except skins.
///
/// Raises Error if the file is missing, in an unknown format or over a limit.
#[pyfunction]
#[pyo3(signature = (path, **keywords))]
pub fn validate<'py>(
    py: Python<'py>,
    path: PathBuf,
    keywords: Option<&Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>, Failure> {
    findings(py, &path, &read_options("validate", keywords)?)
}

/// The findings about the file `path`.
pub fn findings<'py>(py: Python<'py>, path: &Path, read: &ReadOptions) -> Result<Bound<'py, PyAny>, Failure> {
    let options = Options { read: read.clone(), ..Options::default() };
    let Checked { findings, .. } = detached(py, path, || Ok(check_file(path, &options)?))?;
    Ok(arrays::document(py, &findings)?)
}

/// How to read a file: the keywords of `method`.
fn read_options(method: &str, keywords: Option<&Bound<'_, PyDict>>) -> Result<ReadOptions, Failure> {
    let mut read = ReadOptions::default();
    for (name, value) in keywords.into_iter().flatten() {
        if value.is_none() {
            continue;
        }
        match name.extract::<&str>()? {
            "atlas" => read.atlases = Several::of(value.extract()?),
            "fps" => read.fps = Some(rate(value.extract()?)?),
            "page_alpha" => {
                read.page_alpha = choice("page_alpha", &PageAlpha::ALL, PageAlpha::name, value.extract()?)?
            }
            "missing" => read.missing = Some(choice("missing", &Missing::ALL, Missing::name, value.extract()?)?),
            "movie_clips" => {
                read.movie_clips = choice("movie_clips", &MovieClips::ALL, MovieClips::name, value.extract()?)?
            }
            "layer" => read.layers = Several::of(value.extract()?),
            "symbol" => read.symbols = Several::of(value.extract()?),
            "flip_v" => read.flip_v = value.extract()?,
            "keep_going" => read.keep_going = value.extract()?,
            "y_down" => read.y_down = value.extract()?,
            "limits" => {
                for (name, value) in value.extract::<BTreeMap<String, u64>>()? {
                    if !read.limits.set(&name, value) {
                        return Err(Failure::misuse("invalid-argument", format!("unknown limit `{name}`")));
                    }
                }
            }
            other => return Err(unexpected_keyword(method, other)),
        }
    }
    Ok(read)
}

/// The one of `all` with the name that a keyword has.
fn choice<T: Copy>(keyword: &str, all: &[T], name: fn(T) -> &'static str, found: &str) -> Result<T, Failure> {
    all.iter().copied().find(|it| name(*it) == found).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|it| format!("`{}`", name(*it))).collect();
        let message = match names.split_last() {
            Some((last, others)) => format!("{keyword} is {} or {last}, found `{found}`", others.join(", ")),
            None => format!("{keyword} has no values"),
        };
        Failure::misuse("invalid-argument", message)
    })
}

/// A rate that the programs take too.
pub fn rate(fps: f64) -> Result<f64, Failure> {
    if (0.001..=1000.0).contains(&fps) {
        return Ok(fps);
    }
    Err(Failure::misuse("invalid-argument", format!("fps is a number from 0.001 to 1000, found {fps}")))
}
