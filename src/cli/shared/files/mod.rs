//! Paths of the command line → files. Where a command takes a file it takes a folder of characters and a pattern, too.
//!
//! * A file is taken as it is, whatever it holds.
//! * A folder stands for the characters in it and below: by extension first, then by content where other programs use
//!   the extension as well.
//! * A pattern, of which no file has the name, stands for the paths that match it, as if each had been named. Shells
//!   do this themselves, but not on Windows and not within quotes.

mod content;
mod pattern;
mod skeletons;
mod walk;

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::failure::Failure;
use super::stdio::is_stdio;
use super::stdio::portable;
use crate::error::{Error, shown};
use crate::formats::is_pipe_or_device;
use crate::formats::sheet::parts_of_sheet;
use crate::formats::table::searched_extensions;
use crate::limits::Limits;

pub use content::{begins_foreign, is_foreign};
use pattern::Pattern;
use skeletons::Skeletons;

/// A file that the command line leads to.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its path as it was given, with `/`.
    pub name: String,
    /// The same for annotations, which hold on other machines too: never absolute.
    pub annotated: String,
    /// Where it is; `-` for standard input.
    pub path: PathBuf,
    /// It was found in a folder: if it is JSON and no character, nobody asked for it.
    pub is_found: bool,
    /// Why it, or the folder that it is, cannot be looked into.
    pub unreadable: Option<(io::ErrorKind, String)>,
}

/// What the command line leads to.
#[derive(Debug, Default)]
pub struct Targets {
    /// In the order of the command line, those of one folder or pattern by name.
    pub files: Vec<Target>,
    /// Links that would lead round in circles.
    pub loops: Vec<PathBuf>,
    skeletons: Skeletons,
}

/// Finds every file, some perhaps more than once. What was found in a folder is not opened.
pub fn find(paths: &[PathBuf]) -> Result<Targets, Failure> {
    let mut targets = Targets::default();
    for path in paths {
        match Pattern::of(path)? {
            Some(pattern) => pattern.paths()?.iter().for_each(|path| targets.take_matched(path)),
            None => targets.take(path),
        }
    }
    Ok(targets)
}

impl Targets {
    fn take(&mut self, path: &Path) {
        if !is_stdio(path) && path.is_dir() {
            return self.walk(path);
        }
        let (name, annotated, path) = (name(path), annotated(path), path.to_owned());
        self.files.push(Target { name, annotated, path, is_found: false, unreadable: None });
    }

    /// What a pattern has found. A pipe would be waited for, perhaps for ever.
    fn take_matched(&mut self, path: &Path) {
        self.take(path);
        if let Some(target) = self.files.last_mut().filter(|_| is_pipe_or_device(path)) {
            target.refuse_pipe();
        }
    }

    /// Sorted by name, each once. Of a file that was named and found the one that was named stays.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.files.sort_by(|a, b| (&a.name, &a.path, a.is_found).cmp(&(&b.name, &b.path, b.is_found)));
        self.files.dedup_by(|a, b| a.path == b.path);
        self
    }
}

impl Target {
    /// It is a pipe or a device that nobody has named: it is not read.
    pub fn refuse_pipe(&mut self) {
        self.unreadable = Some((io::ErrorKind::InvalidInput, "this is a pipe or a device, not a file".to_owned()));
    }

    /// Why it cannot be looked into.
    pub fn check(&self) -> Result<(), Error> {
        match &self.unreadable {
            Some((kind, message)) => Err(Error::io(self.path.display(), io::Error::new(*kind, message.as_str()))),
            None => Ok(()),
        }
    }
}

/// The characters that the command line leads to, in its order. Files that were named are there whatever they are, and
/// as often as they were named; of what was found in folders only characters, each once. A folder without any is there
/// itself: reading it says what is wrong.
pub fn characters(paths: &[PathBuf], limits: &Limits) -> Result<Vec<Target>, Failure> {
    let found: Vec<Vec<Target>> = paths
        .iter()
        .map(|path| find(std::slice::from_ref(path)).map(|targets| only_characters(targets.files, limits)))
        .collect::<Result<_, _>>()?;
    let named = found.iter().flatten().filter(|target| !target.is_found);
    let mut seen: HashSet<String> = named.map(|target| target.name.clone()).collect();
    let mut characters = Vec::new();
    for (path, targets) in paths.iter().zip(found) {
        if targets.is_empty() {
            characters.push(empty_folder(path));
        }
        characters
            .extend(targets.into_iter().filter(|target| !target.is_found || seen.insert(target.name.clone())));
    }
    Ok(characters)
}

/// Whether `path` stands for itself alone, and not for the files in a folder or those that a pattern matches.
pub fn is_one(path: &Path) -> bool {
    is_stdio(path) || !path.is_dir() && matches!(Pattern::of(path), Ok(None))
}

/// Leaves out what was found and is no character of its own.
fn only_characters(files: Vec<Target>, limits: &Limits) -> Vec<Target> {
    let looked: Vec<Option<Vec<PathBuf>>> = files.par_iter().map(|target| parts_of(target, limits)).collect();
    let mut parts = HashSet::new();
    let own = files.into_iter().zip(looked).filter_map(|(target, others)| {
        let others = others?;
        // The first part of a sheet stands for all of them.
        let is_part = target.is_found && parts.contains(&target.path);
        parts.extend(others);
        (!is_part).then_some(target)
    });
    own.collect()
}

/// The files that belong to this one as further parts; `None` where it is no character and was not asked for.
fn parts_of(target: &Target, limits: &Limits) -> Option<Vec<PathBuf>> {
    // Only a look tells whether the others are characters.
    if !target.is_found || target.unreadable.is_some() || !content::may_be_foreign(&target.path) {
        return Some(Vec::new());
    }
    match crate::formats::load_regular(&target.path, limits) {
        Ok(bytes) if is_foreign(&target.path, &bytes) => None,
        Ok(bytes) => {
            let folder = target.path.parent().unwrap_or(Path::new(""));
            Some(parts_of_sheet(&bytes).iter().map(|name| folder.join(name)).collect())
        }
        Err(error) if begins_foreign(&target.path, &error) => None,
        // What it is is told where it is read.
        Err(_) => Some(Vec::new()),
    }
}

fn empty_folder(path: &Path) -> Target {
    let unreadable = Some((io::ErrorKind::NotFound, no_character()));
    Target { name: name(path), annotated: annotated(path), path: path.to_owned(), is_found: false, unreadable }
}

/// What is said of a folder without characters.
pub fn no_character() -> String {
    let extensions: Vec<String> = searched_extensions().iter().map(|extension| format!(".{extension}")).collect();
    match &extensions[..] {
        [others @ .., last] if !others.is_empty() => {
            format!("no character found: no {} or {last}", others.join(", "))
        }
        all => format!("no character found: no {}", all.concat()),
    }
}

/// For a command that takes one file: the one that a pattern or a folder leads to.
pub fn one(path: &Path, limits: &Limits) -> Result<PathBuf, Failure> {
    let found = characters(&[path.to_owned()], limits)?;
    match &found[..] {
        [one] if one.unreadable.is_none() => Ok(one.path.clone()),
        // Reading it says what is wrong.
        [] | [_] => Ok(path.to_owned()),
        several => {
            let names: Vec<String> =
                several.iter().take(3).map(|target| format!("`{}`", shown(&target.name))).collect();
            let more = if several.len() > names.len() { ", …" } else { "" };
            let message =
                format!("`{}` matches {} files, but this command takes one", path.display(), several.len());
            Err(Failure::usage_with_help(message, format!("name one of {}{more}", names.join(", "))))
        }
    }
}

fn name(path: &Path) -> String {
    plain(&portable(path))
}

/// A path in annotations: relative to the working folder where it is below, of any other absolute one its last part.
fn annotated(path: &Path) -> String {
    if !path.is_absolute() {
        return name(path);
    }
    let here = std::env::current_dir().unwrap_or_default();
    match path.strip_prefix(&here) {
        Ok(below) if !below.as_os_str().is_empty() => portable(below),
        _ => path.file_name().map_or_else(String::new, |name| portable(Path::new(name))),
    }
}

/// Without the `./` that says nothing.
fn plain(name: &str) -> String {
    name.strip_prefix("./").unwrap_or(name).to_owned()
}

fn has_extension(path: &Path, is_known: impl Fn(&str) -> bool) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| is_known(&extension.to_ascii_lowercase()))
}

/// By extension.
fn may_be_character(path: &Path) -> bool {
    has_extension(path, |extension| searched_extensions().contains(&extension))
}
