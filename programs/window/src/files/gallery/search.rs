//! Searches folders on a thread of its own, and hands over what was found in portions.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::entry::{Entry, Facts, Thumbnail};
use crate::base::name;
use crate::base::task::{Results, Task};
use crate::base::waker::Waker;
use pchr::find::{self, Found, Search};
use pchr::limits::Limits;

/// Maximum number of files.
const MOST: usize = 100_000;
/// Time between two portions.
const PAUSE: Duration = Duration::from_millis(60);

/// Searches `roots`, folders and files, on a thread, which calls `waker` for each portion. Without a waker, they are
/// searched at once. Dropping the task ends the search.
pub fn start(roots: Vec<PathBuf>, limits: Limits, waker: Option<&Waker>) -> Task<Vec<Entry>> {
    Task::start("search", waker, move |results| {
        let mut portion = Portion { results, entries: Vec::new(), sent: Instant::now(), left: MOST };
        // It ends early if nobody wants more.
        roots.iter().try_for_each(|root| search(root, &limits, &mut portion)).unwrap_or_default();
        Some(portion.entries)
    })
}

/// What was found and not handed over yet.
struct Portion<'a> {
    results: &'a Results<Vec<Entry>>,
    entries: Vec<Entry>,
    sent: Instant,
    left: usize,
}

impl Portion<'_> {
    /// Returns `None` if no more is wanted.
    fn add(&mut self, entry: Entry) -> Option<()> {
        self.entries.push(entry);
        self.left = self.left.checked_sub(1)?;
        if self.sent.elapsed() >= PAUSE {
            self.sent = Instant::now();
            self.results.send(std::mem::take(&mut self.entries))?;
        }
        Some(())
    }
}

fn search(root: &Path, limits: &Limits, portion: &mut Portion<'_>) -> Option<()> {
    if !root.is_dir() {
        return portion.add(dated(Entry::new(root, root.parent().unwrap_or(root))));
    }
    // The first part of a sheet stands for the whole sheet.
    let mut parts = HashSet::new();
    for found in Search::of(root) {
        match found {
            Found::File(path) => {
                let Some(others) = find::parts(&path, limits) else { continue };
                let is_part = parts.contains(&path);
                parts.extend(others);
                if !is_part {
                    portion.add(dated(Entry::new(&path, root)))?;
                }
            }
            Found::Unreadable(path, error) => {
                let facts = Facts { error: Some(name::message(error)), ..Facts::default() };
                portion.add(Entry {
                    facts: Some(facts),
                    thumbnail: Thumbnail::Unavailable,
                    ..Entry::new(&path, root)
                })?;
            }
            // Its files are found by their own paths.
            Found::Loop(_) | Found::Outside(_) | Found::Part(_) => {}
        }
    }
    Some(())
}

fn dated(entry: Entry) -> Entry {
    let modified = fs::metadata(&entry.path).and_then(|metadata| metadata.modified()).ok();
    Entry { modified, ..entry }
}
