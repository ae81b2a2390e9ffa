//! Searches folders on a thread of its own, and hands over what was found in portions.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::entry::{Entry, Facts, Shown};
use crate::base::waker::Waker;
use pchr::error::escaped;
use pchr::find::{self, Found, Search};
use pchr::limits::Limits;

/// Maximum number of files.
const MOST: usize = 100_000;
/// Time between two portions.
const PAUSE: Duration = Duration::from_millis(60);

/// Folders that are being searched. Dropping it ends the search.
#[derive(Debug)]
pub struct Searching {
    found: Receiver<Vec<Entry>>,
}

impl Searching {
    /// Searches `roots`, folders and files, on a thread, which calls `waker` for each portion. Without a waker, they
    /// are searched at once.
    pub fn start(roots: Vec<PathBuf>, limits: Limits, waker: Option<&Waker>) -> Self {
        let (sender, found) = channel();
        let is_waiting = waker.is_none();
        let waker = waker.cloned();
        let work = move || {
            let mut portion = Portion { sender, waker, entries: Vec::new(), sent: Instant::now(), left: MOST };
            // It ends early if the window has dropped its end.
            roots.iter().try_for_each(|root| search(root, &limits, &mut portion)).unwrap_or_default();
            portion.send().unwrap_or_default();
            let Portion { sender, waker, .. } = portion;
            drop(sender);
            waker.iter().for_each(Waker::wake);
        };
        if is_waiting {
            work();
        } else {
            // If the system has no thread left, nothing is found.
            thread::Builder::new().name("search".to_owned()).spawn(work).map_or_else(drop, drop);
        }
        Self { found }
    }

    /// Adds what was found since the last call to `entries`. Returns false once the search has ended.
    pub fn take(&self, entries: &mut Vec<Entry>) -> bool {
        loop {
            match self.found.try_recv() {
                Ok(portion) => entries.extend(portion),
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
    }
}

/// What was found and not handed over yet.
struct Portion {
    sender: Sender<Vec<Entry>>,
    waker: Option<Waker>,
    entries: Vec<Entry>,
    sent: Instant,
    left: usize,
}

impl Portion {
    /// Returns `None` if no more is wanted.
    fn add(&mut self, entry: Entry) -> Option<()> {
        self.entries.push(entry);
        self.left = self.left.checked_sub(1)?;
        if self.sent.elapsed() >= PAUSE { self.send() } else { Some(()) }
    }

    fn send(&mut self) -> Option<()> {
        self.sent = Instant::now();
        self.sender.send(std::mem::take(&mut self.entries)).ok()?;
        self.waker.iter().for_each(Waker::wake);
        Some(())
    }
}

fn search(root: &Path, limits: &Limits, portion: &mut Portion) -> Option<()> {
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
                let facts = Facts { error: Some(escaped(&error.to_string())), ..Facts::default() };
                portion.add(Entry { facts: Some(facts), picture: Shown::None, ..Entry::new(&path, root) })?;
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
