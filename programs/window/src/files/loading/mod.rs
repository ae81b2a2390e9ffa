//! Files are loaded on a thread of their own, one at a time: the last request wins.
//!
//! [`read`] is what the thread does, [`job`] runs it and reports its progress, and [`pipe`] reads what can block for
//! ever. When the character is there, the screen uploads its textures a slice at a time; only then it replaces
//! the file that was shown before.

pub mod atlases;
pub mod job;
pub mod pipe;
pub mod read;

use std::sync::Arc;
use std::time::Duration;

use crate::base::waker::Waker;
use job::{Job, Step};
use pchr::Character;
use read::{Outcome, Source};

/// The file that is being loaded, if any.
#[derive(Debug, Default)]
pub struct Loading {
    /// `None`: files are read at once, and the caller waits.
    pub waker: Option<Waker>,
    /// The screen is asked before a character is shown.
    pub asks_screen: bool,
    pub phase: Phase,
    /// The user asked for it, so tell when it is done.
    pub is_announced: bool,
    /// No file was shown yet.
    pub is_first: bool,
    /// When the progress is shown, in egui's seconds; set in the first frame.
    pub shown_from: Option<f64>,
}

/// How far a file is.
#[derive(Debug, Default)]
pub enum Phase {
    #[default]
    Idle,
    /// The thread is at work.
    Running(Job),
    /// It was read, but the screen does not have it yet.
    Uploading { source: Source, outcome: Outcome, bytes: (u64, u64) },
}

impl Loading {
    /// Stops loading, if anything is being loaded.
    pub fn cancel(&mut self) {
        self.phase = Phase::Idle;
    }

    /// Returns the file that is being loaded.
    pub fn source(&self) -> Option<&Source> {
        match &self.phase {
            Phase::Idle => None,
            Phase::Running(job) => Some(job.source()),
            Phase::Uploading { source, .. } => Some(source),
        }
    }

    /// Returns what happens at present.
    pub fn step(&self) -> Option<Step> {
        match &self.phase {
            Phase::Idle => None,
            Phase::Running(job) => Some(job.step()),
            Phase::Uploading { bytes: (done, all), .. } => Some(Step::Uploading(*done, *all)),
        }
    }

    /// Returns true if nothing is being loaded.
    pub fn is_idle(&self) -> bool {
        matches!(self.phase, Phase::Idle)
    }

    /// Returns the character that waits for the screen.
    pub fn character(&self) -> Option<&Arc<Character>> {
        match &self.phase {
            Phase::Uploading { outcome, .. } => outcome.read.as_ref().ok().map(|loaded| &loaded.character),
            Phase::Idle | Phase::Running(_) => None,
        }
    }

    /// Records how much the screen has uploaded.
    pub fn set_uploaded(&mut self, done: u64, all: u64) {
        if let Phase::Uploading { bytes, .. } = &mut self.phase {
            *bytes = (done, all);
        }
    }

    /// Returns the result of the thread, if it ends within `at_most` and the screen need not be asked.
    pub fn advance(&mut self, at_most: Duration) -> Option<(Source, Outcome)> {
        let Phase::Running(job) = &self.phase else { return None };
        let outcome = job.wait(at_most)?;
        let source = job.source().clone();
        match outcome {
            outcome if self.asks_screen && outcome.read.is_ok() => {
                self.phase = Phase::Uploading { source, outcome, bytes: (0, 0) };
                None
            }
            outcome => {
                self.phase = Phase::Idle;
                Some((source, outcome))
            }
        }
    }

    /// Returns the character that the screen has uploaded.
    pub fn uploaded(&mut self) -> Option<(Source, Outcome)> {
        match std::mem::take(&mut self.phase) {
            Phase::Uploading { source, outcome, .. } => Some((source, outcome)),
            phase @ (Phase::Idle | Phase::Running(_)) => {
                self.phase = phase;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_only_grows() {
        let steps = [
            Step::Reading(0, 0),
            Step::Reading(5, 10),
            Step::Reading(10, 10),
            Step::Decoding(0, 0),
            Step::Decoding(1, 2),
            Step::Preparing,
            Step::Uploading(0, 0),
            Step::Uploading(3, 4),
            Step::Uploading(4, 4),
        ];
        let shares = steps.map(Step::share);
        assert!(shares.is_sorted() && (shares[0], shares[8]) == (0.0, 1.0), "{shares:?}");
    }
}
