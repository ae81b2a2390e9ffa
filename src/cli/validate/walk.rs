//! Paths of the command line → the files to judge, sorted by name, each once.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use walkdir::{DirEntry, WalkDir};

use super::skeletons::Skeletons;
use crate::cli::stdio::is_stdio;
use crate::cli::summary::portable;
use crate::formats::EXTENSIONS;

/// A file to judge.
#[derive(Debug)]
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

/// What the paths lead to.
#[derive(Debug, Default)]
pub struct Targets {
    pub files: Vec<Target>,
    /// Links that would lead round in circles.
    pub loops: Vec<PathBuf>,
    skeletons: Skeletons,
}

/// Finds every file. Named files are taken whatever they are.
pub fn find(paths: &[PathBuf]) -> Targets {
    let mut targets = Targets::default();
    for path in paths {
        if !is_stdio(path) && path.is_dir() {
            targets.walk(path);
        } else {
            let (name, annotated, path) = (name(path), annotated(path), path.clone());
            targets.files.push(Target { name, annotated, path, is_found: false, unreadable: None });
        }
    }
    let Targets { files, .. } = &mut targets;
    // Of a file that was named and found the one that was named stays.
    files.sort_by(|a, b| (&a.name, &a.path, a.is_found).cmp(&(&b.name, &b.path, b.is_found)));
    files.dedup_by(|a, b| a.path == b.path);
    targets
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

/// Extensions that other files have as well.
const SHARED: [&str; 4] = ["json", "xml", "plist", "atlas"];

fn has_extension(path: &Path, is_known: impl Fn(&str) -> bool) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| is_known(&extension.to_ascii_lowercase()))
}

/// Whether a file that is no character may have this name.
pub fn may_be_foreign(path: &Path) -> bool {
    has_extension(path, |extension| SHARED.contains(&extension))
}

/// By extension. Most PNGs in a folder belong to a character and are none.
fn may_be_character(path: &Path) -> bool {
    has_extension(path, |extension| extension != "png" && EXTENSIONS.contains(&extension))
}

impl Targets {
    fn walk(&mut self, folder: &Path) {
        let root = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let names = [name(folder), annotated(folder)];
        let mut links = Links { root, followed: HashSet::new(), loops: Vec::new() };
        let named = |path: &Path| {
            let below = path.strip_prefix(folder).unwrap_or(path);
            names.each_ref().map(|folder| plain(&portable(&Path::new(folder).join(below))))
        };
        let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(|entry| links.admit(entry)) {
            match entry {
                Ok(entry) if entry.file_type().is_file() && may_be_character(entry.path()) => {
                    let path = entry.into_path();
                    if self.skeletons.have(&path) {
                        continue;
                    }
                    let [name, annotated] = named(&path);
                    self.files.push(Target { name, annotated, path, is_found: true, unreadable: None });
                }
                Ok(_) => {}
                Err(error) => self.unreadable(error, named),
            }
        }
        self.loops.append(&mut links.loops);
    }

    fn unreadable(&mut self, error: walkdir::Error, named: impl Fn(&Path) -> [String; 2]) {
        let path = error.path().unwrap_or_else(|| Path::new("")).to_owned();
        if error.loop_ancestor().is_some() {
            self.loops.push(path);
            return;
        }
        // A link to nothing matters where a character should be.
        let is_dangling = path.is_symlink() && !path.exists();
        if is_dangling && !may_be_character(&path) {
            return;
        }
        let source = error.into_io_error().unwrap_or_else(|| io::Error::other("it cannot be read"));
        let unreadable = Some((source.kind(), source.to_string()));
        let [name, annotated] = named(&path);
        self.files.push(Target { name, annotated, path, is_found: true, unreadable });
    }
}

/// Which links to folders are followed: each folder is walked once, so that links cannot multiply the work.
struct Links {
    root: PathBuf,
    followed: HashSet<PathBuf>,
    loops: Vec<PathBuf>,
}

impl Links {
    fn admit(&mut self, entry: &DirEntry) -> bool {
        if entry.depth() == 0 || !entry.path_is_symlink() || !entry.file_type().is_dir() {
            return true;
        }
        let Ok(real) = fs::canonicalize(entry.path()) else { return true };
        if self.root.starts_with(&real) {
            self.loops.push(entry.path().to_owned());
            return false;
        }
        if real.ancestors().any(|around| around == self.root || self.followed.contains(around)) {
            return false;
        }
        self.followed.insert(real);
        true
    }
}
