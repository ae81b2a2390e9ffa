//! Resolves the paths of the command line to files. Wherever a command takes a file, it also takes a folder or a
//! pattern.
//!
//! * A file is used as it is, whatever it contains.
//! * A folder stands for all characters in it and below, selected by extension and, if other programs use the
//!   extension too, by content.
//! * A pattern that is not the name of a file stands for all matching paths, as if each had been given. Shells
//!   expand patterns themselves, but not on Windows and not in quotes.

mod pattern;
mod walk;

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::counted::either;
use super::failure::Failure;
use super::interrupt;
use super::stdio::{is_stdio, portable};
use pchr::Error;
use pchr::error::escaped;
use pchr::export::input_name;
use pchr::find;
use pchr::formats::is_pipe_or_device;
use pchr::formats::table::searched_extensions;
use pchr::limits::Limits;

use pattern::Pattern;

/// An input file.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its path as given, with `/`.
    pub name: String,
    /// Its path in annotations: never absolute, so that it is valid on other machines.
    pub annotated: String,
    /// Its path; `-` for standard input.
    pub path: PathBuf,
    /// Its path below the folder or pattern that it was found by; its file name if it was given itself.
    pub below: PathBuf,
    /// Whether it was found in a folder. Such a file is skipped if it is not a character.
    pub is_found: bool,
    /// Why the file or folder cannot be read; `None` if it can.
    pub unreadable: Option<(io::ErrorKind, String)>,
}

/// All input files.
#[derive(Debug, Default)]
pub struct Targets {
    /// Files in the order of the command line; within a folder or pattern, by name.
    pub files: Vec<Target>,
    /// Files in folders that belong to skeletons.
    pub parts: Vec<PathBuf>,
    /// Symbolic links that would cause an endless loop.
    pub loops: Vec<PathBuf>,
}

/// Finds all files, possibly with duplicates. Files found in folders are not opened.
pub fn find(paths: &[PathBuf]) -> Result<Targets, Failure> {
    let mut targets = Targets::default();
    for path in paths {
        match Pattern::of(path)? {
            Some(pattern) => pattern.paths()?.iter().for_each(|path| targets.take_matched(path, pattern.base())),
            None => targets.take(path, path),
        }
    }
    if interrupt::is_requested() { Err(Failure::Interrupted) } else { Ok(targets) }
}

impl Targets {
    /// Adds a file, or the characters in a folder. `root` is the folder that they were found by.
    fn take(&mut self, path: &Path, root: &Path) {
        if !is_stdio(path) && path.is_dir() {
            return self.walk(path, root);
        }
        self.files.push(Target { below: below(path, root), ..Target::given(path) });
    }

    /// Adds a path that matches a pattern. Reading a pipe could block forever, so pipes are refused.
    fn take_matched(&mut self, path: &Path, root: &Path) {
        self.take(path, root);
        if let Some(target) = self.files.last_mut().filter(|_| is_pipe_or_device(path)) {
            target.reject_pipe();
        }
    }

    /// Sorts by name and removes duplicates. If a file was both given and found in a folder, the given one is
    /// kept.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.files.sort_by(|a, b| (&a.name, &a.path, a.is_found).cmp(&(&b.name, &b.path, b.is_found)));
        self.files.dedup_by(|a, b| a.path == b.path);
        self
    }
}

impl Target {
    /// A file that was given by name.
    pub fn given(path: &Path) -> Self {
        let (name, annotated, below) = (name(path), annotated(path), below(path, path));
        Self { name, annotated, path: path.to_owned(), below, is_found: false, unreadable: None }
    }

    /// Value of `{path}` in output paths: the path below the folder or pattern, without extension and with `/`.
    pub fn path_value(&self) -> String {
        if is_stdio(&self.path) { input_name(&self.path) } else { portable(&self.below.with_extension("")) }
    }

    /// Marks a pipe or device that was not given by name as unreadable.
    pub fn reject_pipe(&mut self) {
        self.unreadable = Some((io::ErrorKind::InvalidInput, "this is a pipe or a device, not a file".to_owned()));
    }

    /// Fails if the file cannot be read.
    pub fn check(&self) -> Result<(), Error> {
        match &self.unreadable {
            Some((kind, message)) => Err(Error::io(self.path.display(), io::Error::new(*kind, message.as_str()))),
            None => Ok(()),
        }
    }
}

/// Finds all characters, in the order of the command line. Files given by name are always included, as often as
/// they were given; files found in folders only if they are characters, and only once. A folder without characters
/// is included itself, as an unreadable file.
pub fn characters(paths: &[PathBuf], limits: &Limits) -> Result<Vec<Target>, Failure> {
    let found: Vec<Vec<Target>> =
        paths.iter().map(|path| Ok(at(path, limits)?.characters)).collect::<Result<_, Failure>>()?;
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

/// The files at a path that may be characters by their names.
#[derive(Debug, Default)]
pub struct Found {
    /// Characters.
    pub characters: Vec<Target>,
    /// Files that are something else.
    pub foreign: Vec<Target>,
}

/// Finds all files at a path, a folder or a pattern that are characters, or may be by their names.
pub fn at(path: &Path, limits: &Limits) -> Result<Found, Failure> {
    let files = find(&[path.to_owned()])?.files;
    let mut found = Found::default();
    let mut parts = HashSet::new();
    let part_lists: Vec<Option<Vec<PathBuf>>> = files.par_iter().map(|target| parts_of(target, limits)).collect();
    for (target, others) in files.into_iter().zip(part_lists) {
        match others {
            None => found.foreign.push(target),
            Some(others) => {
                // The first part of a sheet stands for the whole sheet.
                let is_part = target.is_found && parts.contains(&target.path);
                parts.extend(others);
                if !is_part {
                    found.characters.push(target);
                }
            }
        }
    }
    Ok(found)
}

/// Returns true if `path` is a single file, neither a folder nor a pattern.
pub fn is_one(path: &Path) -> bool {
    is_stdio(path) || !path.is_dir() && matches!(Pattern::of(path), Ok(None))
}

/// Returns the other files of a multi-part sheet; `None` for a found file that is not a character.
fn parts_of(target: &Target, limits: &Limits) -> Option<Vec<PathBuf>> {
    // All others have to be opened.
    if !target.is_found || target.unreadable.is_some() {
        return Some(Vec::new());
    }
    find::parts(&target.path, limits)
}

fn empty_folder(path: &Path) -> Target {
    let unreadable = Some((io::ErrorKind::NotFound, no_character()));
    Target { unreadable, ..Target::given(path) }
}

/// Returns the message for a folder without characters.
pub fn no_character() -> String {
    let extensions: Vec<String> = searched_extensions().iter().map(|extension| format!(".{extension}")).collect();
    format!("no characters found (no {})", either(&extensions))
}

/// Resolves a folder or pattern to a single file, for commands that take one.
pub fn one(path: &Path, limits: &Limits) -> Result<PathBuf, Failure> {
    let found = characters(&[path.to_owned()], limits)?;
    match &found[..] {
        [one] if one.unreadable.is_none() => Ok(one.path.clone()),
        // Reading it will report the error.
        [] | [_] => Ok(path.to_owned()),
        several => {
            let names: Vec<String> =
                several.iter().take(3).map(|target| format!("`{}`", escaped(&target.name))).collect();
            let more = if several.len() > names.len() { ", …" } else { "" };
            let message =
                format!("`{}` matches {} files, but this command takes one", path.display(), several.len());
            Err(Failure::usage_with_help(message, format!("choose one of {}{more}", names.join(", "))))
        }
    }
}

/// Returns the path of a file relative to `root`, or its file name if it is `root` itself or elsewhere.
fn below(path: &Path, root: &Path) -> PathBuf {
    let below = path.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty());
    below.map_or_else(|| path.file_name().unwrap_or_default().into(), Path::to_owned)
}

fn name(path: &Path) -> String {
    plain(&portable(path))
}

/// Returns a path for annotations: relative to the working folder if it is inside, otherwise the file name of an
/// absolute path.
pub fn annotated(path: &Path) -> String {
    if !path.is_absolute() {
        return name(path);
    }
    let here = std::env::current_dir().unwrap_or_default();
    match path.strip_prefix(&here) {
        Ok(below) if !below.as_os_str().is_empty() => portable(below),
        _ => path.file_name().map_or_else(String::new, |name| portable(Path::new(name))),
    }
}

/// Removes a leading `./`.
fn plain(name: &str) -> String {
    name.strip_prefix("./").unwrap_or(name).to_owned()
}
