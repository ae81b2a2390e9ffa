//! `pchr.find`, `pchr.open` and `pchr.validate`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pchr::Error;
use pchr::diagnostics::Diagnostics;
use pchr::export::choose;
use pchr::find::{Found, Search};
use pchr::formats::{PageAlpha, ReadOptions};
use pchr::validate::{Checked, Options, check_file};
use pyo3::prelude::*;

use crate::arrays;
use crate::character::Character;
use crate::failure::Failure;
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
        Found::Loop(_) => None,
    };
    py.detach(|| {
        let mut files: Vec<PathBuf> = Search::of(&folder).filter_map(found).collect();
        files.sort();
        files
    })
}

/// Reads a character: any format that pchr reads.
///
/// atlas: the atlases of a Spine character, or the image of a sprite sheet [default: found near the file]
/// skins: worn unless a method is given others [default: skins that fill the slots, if most would be empty]
/// fps: frames per second of keyed motion [default: the file's rate, or 30]
/// page_alpha: whether the colours of images are premultiplied: "auto", "straight" or "premultiplied"
/// flip_v, y_down: the file's v axis points up; its y axis points down
/// limits: see docs/limits.md, such as {"memory-bytes": 1 << 30}
///
/// Raises Error if the file is missing, damaged, in an unknown format or over a limit.
#[pyfunction]
#[pyo3(signature = (
    path, *, atlas=None, skins=None, fps=None, page_alpha="auto", flip_v=false, y_down=false, limits=None
))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn open(
    py: Python<'_>,
    path: PathBuf,
    atlas: Option<Several<PathBuf>>,
    skins: Option<Several<String>>,
    fps: Option<f64>,
    page_alpha: &str,
    flip_v: bool,
    y_down: bool,
    limits: Option<BTreeMap<String, u64>>,
) -> Result<Character, Failure> {
    let read = read_options(atlas, fps, page_alpha, flip_v, y_down, limits)?;
    let skins = Several::of(skins);
    detached(py, || {
        let mut diagnostics = Diagnostics::default();
        let opened = pchr::formats::open(&path, &read, &mut diagnostics);
        let opened = opened.map_err(|error| error.in_file(path.display()))?;
        choose::skins(&opened, &skins)?;
        Ok(Character::new(path, read, skins, opened, diagnostics))
    })
}

/// Checks a character and returns its findings, as `pchr validate --json` prints them. Works for damaged files.
///
/// The keywords are those of open.
///
/// Raises Error if the file is missing, in an unknown format or over a limit.
#[pyfunction]
#[pyo3(signature = (path, *, atlas=None, fps=None, page_alpha="auto", flip_v=false, y_down=false, limits=None))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn validate<'py>(
    py: Python<'py>,
    path: PathBuf,
    atlas: Option<Several<PathBuf>>,
    fps: Option<f64>,
    page_alpha: &str,
    flip_v: bool,
    y_down: bool,
    limits: Option<BTreeMap<String, u64>>,
) -> Result<Bound<'py, PyAny>, Failure> {
    findings(py, &path, &read_options(atlas, fps, page_alpha, flip_v, y_down, limits)?)
}

/// The findings about the file `path`.
pub fn findings<'py>(py: Python<'py>, path: &Path, read: &ReadOptions) -> Result<Bound<'py, PyAny>, Failure> {
    let options = Options { read: read.clone(), ..Options::default() };
    let Checked { findings, .. } =
        detached(py, || check_file(path, &options).map_err(|error| error.in_file(path.display()).into()))?;
    Ok(arrays::document(py, &findings)?)
}

fn read_options(
    atlas: Option<Several<PathBuf>>,
    fps: Option<f64>,
    page_alpha: &str,
    flip_v: bool,
    y_down: bool,
    limits: Option<BTreeMap<String, u64>>,
) -> Result<ReadOptions, Failure> {
    let mut read = ReadOptions { atlases: Several::of(atlas), flip_v, y_down, ..ReadOptions::default() };
    read.fps = fps.map(rate).transpose()?;
    read.page_alpha = match page_alpha {
        "auto" => PageAlpha::Auto,
        "straight" => PageAlpha::Straight,
        "premultiplied" => PageAlpha::Premultiplied,
        other => {
            let message = format!("page_alpha is `auto`, `straight` or `premultiplied`, found `{other}`");
            return Err(Error::misuse("invalid-argument", message).into());
        }
    };
    for (name, value) in limits.unwrap_or_default() {
        if !read.limits.set(&name, value) {
            return Err(Failure::misuse("invalid-argument", format!("unknown limit `{name}`")));
        }
    }
    Ok(read)
}

/// A rate that the programs take too.
pub fn rate(fps: f64) -> Result<f64, Failure> {
    if (0.001..=1000.0).contains(&fps) {
        return Ok(fps);
    }
    Err(Failure::misuse("invalid-argument", format!("fps is a number from 0.001 to 1000, found {fps}")))
}
