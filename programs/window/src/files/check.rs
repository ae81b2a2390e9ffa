//! What `pchr validate` finds in the shown file, found on a thread of its own while the list is open.

use std::cmp::Reverse;
use std::path::PathBuf;
use std::sync::Arc;

use super::document::Document;
use crate::base::answer::Deferred;
use crate::base::name;
use crate::base::waker::Waker;
use pchr::formats::{Listings, ReadOptions};
use pchr::validate::{Finding, Options, check_file};

/// The findings, the worst first, and the number of those that are not listed; or why the file cannot be checked.
pub type Answer = Result<(Arc<[Finding]>, usize), String>;

/// The list of findings.
#[derive(Debug, Default)]
pub struct Check {
    /// The list is shown.
    pub is_shown: bool,
    /// The finding that was chosen last.
    pub chosen: Option<usize>,
    answer: Deferred<Asked, Answer>,
}

/// A file as it was read.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    path: PathBuf,
    reading: u64,
    read: ReadOptions,
}

impl Check {
    /// Checks the shown file while the list is open, unless it was checked as it is now. `waker` is called when that is
    /// done; without one, it is done at once.
    pub fn follow(&mut self, document: Option<&Document>, read: &ReadOptions, waker: Option<&Waker>) {
        let Some(document) = document.filter(|document| self.is_shown && document.was_read()) else { return };
        let (path, reading) = (document.path().to_owned(), document.times_read());
        let asked = Asked { path, reading, read: read.clone() };
        if self.answer.ask(asked, waker, find) {
            self.chosen = None;
        }
    }

    /// Forgets the file.
    pub fn forget(&mut self) {
        (self.chosen, self.answer) = Default::default();
    }

    /// Returns the findings, or `None` while they are being looked for.
    pub fn answer(&self) -> Option<&Answer> {
        self.answer.answer()
    }
}

fn find(asked: &Asked) -> Answer {
    // Files may have been added to the folders since it was read.
    let read = ReadOptions { listings: Listings::default(), progress: None, ..asked.read.clone() };
    let checked = check_file(&asked.path, &Options { read, ..Options::default() });
    let mut checked = checked.map_err(name::message)?;
    checked.findings.sort_by_key(|finding| Reverse(finding.severity));
    Ok((checked.findings.into(), checked.omitted.values().sum()))
}
